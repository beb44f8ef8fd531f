// SPDX-License-Identifier: MIT
//
// flamelet/budgets.h: a text file that says how long frames and scopes may take. `flamelet budgets learn` writes one from
// good runs, `flamelet budgets check` and `flamelet gate --budgets` hold captures against it, and a game gives it to the
// flight recorder and to the overlay.
//
//   # milliseconds  kind  name, as far as the line goes
//   frame 16.7 p99
//   scope 2.5  p99 Physics::step
//   scope 4        Load level
//
// A scope's time in a frame is that of all scopes of its name on all threads, or that of all on all GPU queues: both are held
// against the budget (flamelet_scope_times_add()). Of nested ones the outermost counts. `max`, the default, is for every frame. p99, p95, p50 and mean
// are for all frames of a capture; while a game runs, each frame is held against budgets of p99 and p95, too, and those of
// p50 and mean are left out.
//
// Threads:   any. Lifetime: names lie in the text. Memory: none but the caller's. Cost: one pass over the text, and for
//            each budget one over those before it; of times, that of the cursor.
#ifndef FLAMELET_BUDGETS_H
#define FLAMELET_BUDGETS_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef enum flamelet_budget_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_BUDGET_MAX = 0,
  FLAMELET_BUDGET_P99,
  FLAMELET_BUDGET_P95,
  FLAMELET_BUDGET_P50,
  FLAMELET_BUDGET_MEAN,
  FLAMELET_BUDGET_KIND_COUNT,
} flamelet_budget_kind;

// "p99", say. "" for another number.
FLAMELET_API const char* flamelet_budget_kind_name(flamelet_budget_kind kind);

typedef struct flamelet_budget {
  flamelet_string scope;  // a part of the text, without a zero behind it; of size 0 for the frame
  int64_t limit_ns;       // above 0
  flamelet_budget_kind kind;
  uint32_t line;  // from 1
} flamelet_budget;

typedef struct flamelet_budgets_error {
  uint32_t line;        // from 1; 0 = there is none
  const char* message;  // static: "a budget has to be above 0", say. "" without an error
} flamelet_budgets_error;

// Reads a whole file's text. *count is how many budgets it has; the first `capacity` of them are written, in their order.
// If a line is wrong, nothing is written, *count is 0, and the result is FLAMELET_ERROR_FILE_FORMAT. `budgets` may be NULL
// with capacity 0, and so may `error`.
FLAMELET_API flamelet_result flamelet_budgets_read(const char* text, size_t size, flamelet_budget* budgets,
                                                   size_t capacity, size_t* count, flamelet_budgets_error* error);
// Whether each frame is held against this one of `count` budgets while a game runs: of max, p99 and p95 the strictest of its
// scope, or of the frame, and of equal ones the first.
FLAMELET_API bool flamelet_budget_is_watched(const flamelet_budget* budgets, size_t count, size_t index);

// ---- What scopes took -----------------------------------------------------------------------------------------------

typedef struct flamelet_scope_time {
  int64_t time_ns;  // the parts inside of the windows
  uint64_t calls;   // that began in them
  uint64_t until_;
} flamelet_scope_time;

typedef struct flamelet_scope_times {
  flamelet_scope_time* times;  // all 0 at first
  uint32_t count;
  // To which of `times` a span belongs; another number: to none.
  uint32_t (*slot_of)(void* user, const flamelet_span* span);
  void* user;
  flamelet_span* spans;  // for flamelet_span_cursor
  size_t capacity;       // of `spans`: FLAMELET_CURSOR_LEAST or more
  uint64_t spans_read;   // 0 at first; so many were looked at
} flamelet_scope_times;

// Adds the spans of a lane in [begin_ns, end_ns), usually a frame: what the flight recorder, the overlay and the command
// hold against budgets. Of nested spans of one slot the outermost counts. The pieces of a fiber's scope that was left are one
// call. The lanes of fibers show again what stands on those of threads. Errors are those of flamelet_span_cursor; what was
// read before stays added.
FLAMELET_API flamelet_result flamelet_scope_times_add(flamelet_scope_times* to, const flamelet_capture* capture,
                                                      size_t lane, int64_t begin_ns, int64_t end_ns);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_BUDGETS_H

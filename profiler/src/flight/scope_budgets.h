// SPDX-License-Identifier: MIT
//
// scope_budgets.h: how long the scopes of some names took in a frame: on all threads, and on all GPU queues, as
// flamelet_scope_times_add() has it. Threads are too busy for spans: their chunks are played once more, and only the watched
// scopes are looked at.
#ifndef FLAMELET_SRC_SCOPE_BUDGETS_H
#define FLAMELET_SRC_SCOPE_BUDGETS_H

#include "capture/capture_data.h"
#include "flamelet/flight.h"
#include "platform/engine_memory.h"

namespace flamelet {

class ScopeBudgets {
 public:
  struct Budget {
    char name[FLAMELET_FLIGHT_TEXT_BYTES];
    int64_t budget_ns;
    bool was_over;
    uint64_t over_frame;     // the newest one
    int64_t over_budget_ns;  // that it had there
    int64_t over_ns;         // and how long it took
  };

  // `max_strings`: of the capture.
  void place(Carver* carver, uint32_t max_budgets, uint32_t max_strings);
  // Another one has other ids of names, and frames of the same numbers.
  void begin_recording();

  bool set(flamelet_string name, int64_t budget_ns);  // 0 = no more; false: there is no room, or the name is too long
  void clear();
  uint32_t count() const { return count_; }
  const Budget& operator[](uint32_t index) const { return budgets_[index]; }
  // The one that is over on the threads by the largest factor in this frame; NULL if none is.
  const Budget* most_over(const flamelet_capture& capture, const Frame& frame);
  // The same on the GPU queues, whose spans come later.
  const Budget* most_over_on_gpu(const flamelet_capture& capture, const Frame& frame);

 private:
  class Player;

  void forget_names();
  void learn_names(const flamelet_capture& capture);
  bool begin_frame(const flamelet_capture& capture);
  const Budget* find_most_over(uint64_t frame);

  Budget* budgets_ = nullptr;
  flamelet_scope_time* times_ = nullptr;  // of each, in the frame that was measured last
  uint32_t max_budgets_ = 0;
  uint32_t count_ = 0;
  uint16_t* budget_of_string_ = nullptr;  // number + 1
  uint32_t max_strings_ = 0;
  uint32_t known_strings_ = 0;      // ids below were compared with the names
  flamelet_span* spans_ = nullptr;  // FLAMELET_CURSOR_LEAST, of a GPU queue
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_SCOPE_BUDGETS_H

// SPDX-License-Identifier: MIT
//
// flamelet_shim/calls.h: what the macros of the shims call. Only flamelet_shim_notes() is for programs.
//
// Threads:   any thread. Calls while no recorder runs record nothing.
// Texts:     copied, unless a comment says otherwise. Texts with a size need no 0 at their end.
#ifndef FLAMELET_SHIM_CALLS_H
#define FLAMELET_SHIM_CALLS_H

#include <string.h>

#include "flamelet/lock.h"

// What stands at an address of a fresh allocation is not read: without this, g++ warns in the caller's file.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define FLAMELET_SHIM_ADDRESS_ONLY_ __attribute__((__access__(__none__, 1)))
#else
#define FLAMELET_SHIM_ADDRESS_ONLY_
#endif

FLAMELET_EXTERN_C_BEGIN

// ---- Start and stop ----------------------------------------------------------------------------------------------------

// As flamelet_init() with what the environment says (start.h), and flamelet_shutdown(); any number of times. False: it did
// not start, and stderr has the reason, or the environment switches it off.
bool flamelet_shim_start(void);
void flamelet_shim_stop(void);
bool flamelet_shim_is_started(void);

// Starts the recorder at the first call in this process, and ends it at exit. If one runs already (the program called
// flamelet_init()), that one records, and nothing is done at exit. Returns 1.
int flamelet_shim_start_at_first_use(void);

// ---- What was accepted and ignored, or could not be right ------------------------------------------------------------

typedef struct flamelet_shim_note {
  const char* what;  // static text
  uint64_t count;
} flamelet_shim_note;

// Writes what happened at least once since the process started. Returns how many there are; `notes` may be NULL with
// capacity 0.
size_t flamelet_shim_notes(flamelet_shim_note* notes, size_t capacity);

typedef enum flamelet_shim_note_kind {
  FLAMELET_SHIM_NOTE_ZONE_COLOR_ = 0,
  FLAMELET_SHIM_NOTE_CALL_STACK_,
  FLAMELET_SHIM_NOTE_FRAME_IMAGE_,
  FLAMELET_SHIM_NOTE_PLOT_CONFIG_,
  FLAMELET_SHIM_NOTE_GROUP_HINT_,
  FLAMELET_SHIM_NOTE_PARAMETER_,
  FLAMELET_SHIM_NOTE_SOURCE_CALLBACK_,
  FLAMELET_SHIM_NOTE_PROGRAM_NAME_,
  FLAMELET_SHIM_NOTE_SECTION_CATEGORY_,
  FLAMELET_SHIM_NOTE_SAMPLING_,
  FLAMELET_SHIM_NOTE_FREE_UNKNOWN_,
  FLAMELET_SHIM_NOTE_ALLOC_TWICE_,
  FLAMELET_SHIM_NOTE_ALLOC_UNTRACKED_,
  FLAMELET_SHIM_NOTE_MEMORY_NESTED_,
  FLAMELET_SHIM_NOTE_MEMORY_POOLS_,
  FLAMELET_SHIM_NOTE_FRAME_START_,
  FLAMELET_SHIM_NOTE_FRAME_END_,
  FLAMELET_SHIM_NOTE_FIBERS_,
  FLAMELET_SHIM_NOTE_COLORS_,
  FLAMELET_SHIM_NOTE_SECTIONS_,
  FLAMELET_SHIM_NOTE_SECTION_ENDS_,
  FLAMELET_SHIM_NOTE_VULKAN_PARALLEL_,
  FLAMELET_SHIM_NOTE_OPTICK_STORAGE_,
  FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_,
  FLAMELET_SHIM_NOTE_OPTICK_ALLOCATOR_,
  FLAMELET_SHIM_NOTE_OPTICK_GPU_,
  FLAMELET_SHIM_NOTE_MICROPROFILE_COUNTERS_,
  FLAMELET_SHIM_NOTE_MICROPROFILE_COUNTER_CONFIG_,
  FLAMELET_SHIM_NOTE_MICROPROFILE_GROUPS_,
  FLAMELET_SHIM_NOTE_MICROPROFILE_META_,
  FLAMELET_SHIM_NOTE_MICROPROFILE_GPU_,
  FLAMELET_SHIM_NOTE_EASY_STATUS_,
  FLAMELET_SHIM_NOTE_EASY_LISTEN_,
  FLAMELET_SHIM_NOTE_EASY_TRACING_,
  FLAMELET_SHIM_NOTE_EASY_VALUE_ID_,
  FLAMELET_SHIM_NOTE_EASY_STORED_BLOCK_,
  FLAMELET_SHIM_NOTE_REMOTERY_FLAGS_,
  FLAMELET_SHIM_NOTE_REMOTERY_CALLBACKS_,
  FLAMELET_SHIM_NOTE_REMOTERY_GPU_,
  FLAMELET_SHIM_NOTE_KINDS_
} flamelet_shim_note_kind;
void flamelet_shim_note_(flamelet_shim_note_kind kind);

// ---- Zones whose place or name is known at run time --------------------------------------------------------------------

typedef struct flamelet_shim_place {
  const char* name;  // size 0: the function's name
  size_t name_size;
  const char* function;
  size_t function_size;
  const char* file;
  size_t file_size;
  uint32_t line;
  uint32_t color;
} flamelet_shim_place;

// Begins a zone; 0: nothing was recorded. The first 4096 places get a site each, found again by a compare of their
// texts. Zones of further ones have their name, and no file and line. `site` may be NULL; it gets the site, which lives as
// long as the process, or NULL. It is not touched while nothing is recorded.
flamelet_id flamelet_shim_begin_at(const flamelet_shim_place* place, flamelet_site** site);
// Keeps a place for one flamelet_shim_begin_kept(), which must come. 0 while nothing is recorded.
uint64_t flamelet_shim_keep(const flamelet_shim_place* place);
flamelet_id flamelet_shim_begin_kept(uint64_t kept, bool active);

// ---- Inside zones: instants with a text. Nothing where `zone` is 0 -----------------------------------------------------

void flamelet_shim_zone_text(flamelet_id zone, const char* text, size_t size);
void flamelet_shim_zone_name(flamelet_id zone, const char* text, size_t size);
void flamelet_shim_zone_value(flamelet_id zone, uint64_t value);

// ---- Frames, plots, messages -------------------------------------------------------------------------------------------

void flamelet_shim_frame_start(const char* name);
void flamelet_shim_frame_end(const char* name);
// `name` is kept by its address, as in flamelet_counter().
void flamelet_shim_plot(const char* name, double value);
// `severity` from 0 (trace) to 5 (fatal). `color` 0: none.
void flamelet_shim_message(int severity, uint32_t color, const char* text, size_t size);
void flamelet_shim_app_info(const char* text, size_t size);
// An interval that ends on any thread; 4096 may be open. The id is never 0 where one was recorded.
uint32_t flamelet_shim_section_begin(const char* text, size_t size);
// A section that has ended already is counted.
void flamelet_shim_section_end(uint32_t id);
// A named value as text: an instant of the category "tag". `name` is kept by its address, as in flamelet_instant().
void flamelet_shim_tag(const char* name, const char* text, size_t size);
void flamelet_shim_thread_name(const char* name, int32_t group_hint);
const char* flamelet_shim_this_thread_name(void);

// What the ring holds, as a capture in `path` with ".flamelet" behind it. Adds to `scopes` (may be NULL) how many it has.
// False: it could not be written.
bool flamelet_shim_save_capture(const char* path, uint64_t* scopes);

// ---- Memory ------------------------------------------------------------------------------------------------------------

// A counter "POOL (B)" has the bytes that are live, and counters named "POOL alloc (B each)" and "POOL free (B each)" one
// value for each event: its size. `pool` NULL: "memory". Live pointers are kept in memory of malloc(); what malloc() itself tells from
// in there is counted and left out.
FLAMELET_SHIM_ADDRESS_ONLY_ void flamelet_shim_alloc(const void* address, size_t size, const char* pool);
void flamelet_shim_free(const void* address, const char* pool);
void flamelet_shim_discard(const char* pool);

// ---- Locks -------------------------------------------------------------------------------------------------------------

// The newest name that a lock was given, before it the others: threads that wait may still read them. Begins as all 0.
typedef struct flamelet_shim_lock_names {
  struct flamelet_shim_lock_own_name* newest;
  uint32_t lock;
} flamelet_shim_lock_names;

// Gives the lock a copy of the text as its name; freed by flamelet_shim_lock_end().
void flamelet_shim_lock_name(flamelet_lock* lock, flamelet_shim_lock_names* names, const char* text, size_t size);
void flamelet_shim_lock_end(flamelet_shim_lock_names* names);
// An instant with the lock's name; its object is the function.
void flamelet_shim_lock_mark(const flamelet_lock* lock, const char* function);

// ---- Fibers ------------------------------------------------------------------------------------------------------------

// The calling thread runs the fiber of this name from now on; its own stack after leave. A name at the same address with
// the same text is the same fiber.
void flamelet_shim_fiber_enter(const char* name);
void flamelet_shim_fiber_leave(void);

FLAMELET_EXTERN_C_END

#ifdef __cplusplus
// A function that is one expression.
#define FLAMELET_SHIM_ANSWER_(type, name, parameters, answer) \
  FLAMELET_NOT_INSTRUMENTED_ inline type name parameters {    \
    return answer;                                            \
  }

namespace flamelet_shim {

// A call that is noted, and no more.
template <class... Arguments>
FLAMELET_NOT_INSTRUMENTED_ void ignore(flamelet_shim_note_kind kind, const Arguments&...) {
  flamelet_shim_note_(kind);
}

}  // namespace flamelet_shim
#endif

// ---- Zones of one macro whose names come at run time ------------------------------------------------------------------

// The sites of the names, by their addresses. For static variables: all 0.
#define FLAMELET_SHIM_NAMES_ 16u  // a power of two
typedef struct flamelet_shim_names {
  flamelet_site* sites[FLAMELET_SHIM_NAMES_];  // atomic
} flamelet_shim_names;

FLAMELET_EXTERN_C_BEGIN
// Finds the name in the places behind its own, or as flamelet_shim_begin_at() does, and keeps it.
flamelet_id flamelet_shim_begin_and_keep_(flamelet_shim_names* names, const char* name, const char* function,
                                          const char* file, uint32_t line, uint32_t color);
FLAMELET_EXTERN_C_END

FLAMELET_FORCE_INLINE_ uint32_t flamelet_shim_name_place_(const char* name) {
#ifdef __cplusplus
  const uintptr_t address = reinterpret_cast<uintptr_t>(name);
  return static_cast<uint32_t>(address ^ address >> 4 ^ address >> 8) & (FLAMELET_SHIM_NAMES_ - 1);
#else
  const uintptr_t address = (uintptr_t)name;
  return (uint32_t)(address ^ address >> 4 ^ address >> 8) & (FLAMELET_SHIM_NAMES_ - 1);
#endif
}

// As flamelet_shim_begin_at(); where the name at its address is the one that was last met there, as fast as a site.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_shim_begin_named_(flamelet_shim_names* names, const char* name,
                                                              const char* function, const char* file, uint32_t line,
                                                              uint32_t color) {
  if (flamelet_is_off_()) return 0;
  // acquire: pairs with the release of who keeps it.
  flamelet_site* site = __atomic_load_n(&names->sites[flamelet_shim_name_place_(name)], __ATOMIC_ACQUIRE);
  if (site && strcmp(site->name, name) == 0) return flamelet_scope_begin_(site);
  return flamelet_shim_begin_and_keep_(names, name, function, file, line, color);
}

#endif  // FLAMELET_SHIM_CALLS_H

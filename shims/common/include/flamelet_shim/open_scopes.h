// SPDX-License-Identifier: MIT
//
// flamelet_shim/open_scopes.h: the open scopes of macros whose end names no begin. An end pairs with the innermost begin
// that has none yet, also where that begin was not recorded. Each fiber has its own: they move with it.
#ifndef FLAMELET_SHIM_OPEN_SCOPES_H
#define FLAMELET_SHIM_OPEN_SCOPES_H

#include "flamelet/recorder.h"
#include "flamelet/site.h"

// All 0: nothing is open.
typedef struct flamelet_shim_open_scopes {
  uint32_t depth;                               // begins that were recorded
  uint32_t unrecorded[FLAMELET_MAX_DEPTH + 1];  // [i]: begins that were not, directly inside the first i of them
  flamelet_id ids[FLAMELET_MAX_DEPTH];
} flamelet_shim_open_scopes;

FLAMELET_EXTERN_C_BEGIN
// The open scopes of what runs on the calling thread. Ask anew after every call: a fiber may come back on another thread.
// Compilers keep the address of a thread-local over calls, so a function answers. Only g++ for x86-64 needs none, outside of
// shared libraries: it addresses each access by the thread's register. The library has the function and the variable,
// whichever compiler made it.
flamelet_shim_open_scopes* flamelet_shim_open_here_(void);
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && \
    (!defined(__PIC__) || defined(__PIE__))
extern __thread flamelet_shim_open_scopes flamelet_shim_open_;
#define flamelet_shim_open_here_() (&flamelet_shim_open_)
#endif
// A begin that was recorded, and for which there is no room: one of the others is not open any more.
void flamelet_shim_push_full_(flamelet_id id);
// An end where no begin is open. The recorder counts it as an extra end.
void flamelet_shim_extra_end_(void);
FLAMELET_EXTERN_C_END

FLAMELET_FORCE_INLINE_ void flamelet_shim_push_(flamelet_id id) {
  flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
  const uint32_t depth = open->depth;
  if (id == 0) {
    ++open->unrecorded[depth];
  } else if (depth < FLAMELET_MAX_DEPTH) {
    open->ids[depth] = id;
    open->unrecorded[depth + 1] = 0;
    open->depth = depth + 1;
  } else {
    flamelet_shim_push_full_(id);
  }
}

// Takes the innermost begin away and returns its id, for the caller to end; 0 where it was not recorded.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_shim_take_(void) {
  flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
  const uint32_t depth = open->depth;
  if (open->unrecorded[depth] != 0) {
    --open->unrecorded[depth];
    return 0;
  }
  if (depth == 0) {
    flamelet_shim_extra_end_();
    return 0;
  }
  open->depth = depth - 1;
  return open->ids[depth - 1];
}

// The id of the innermost begin; 0 where it was not recorded.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_shim_innermost_(void) {
  const flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
  const uint32_t depth = open->depth;
  return depth == 0 || open->unrecorded[depth] != 0 ? 0 : open->ids[depth - 1];
}

// Ends the innermost scope.
FLAMELET_FORCE_INLINE_ void flamelet_shim_pop_(void) {
  flamelet_scope_end_(flamelet_shim_take_());
}

#endif  // FLAMELET_SHIM_OPEN_SCOPES_H

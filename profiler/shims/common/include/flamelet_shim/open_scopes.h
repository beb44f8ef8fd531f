// SPDX-License-Identifier: MIT
//
// flamelet_shim/open_scopes.h: the open scopes of a thread, for macros whose end names no begin. An end pairs with the
// innermost begin that has none yet, also where that begin was not recorded.
#ifndef FLAMELET_SHIM_OPEN_SCOPES_H
#define FLAMELET_SHIM_OPEN_SCOPES_H

#include "flamelet/recorder.h"
#include "flamelet/site.h"

typedef struct flamelet_shim_open_scopes {
  uint32_t depth;                       // those beyond FLAMELET_MAX_DEPTH have no id: the recorder drops them
  flamelet_id ids[FLAMELET_MAX_DEPTH];  // 0: not recorded
} flamelet_shim_open_scopes;

FLAMELET_EXTERN_C_BEGIN
extern __thread flamelet_shim_open_scopes flamelet_shim_open_;
// An end where no begin is open. The recorder counts it as an extra end.
void flamelet_shim_extra_end_(void);
FLAMELET_EXTERN_C_END

// Returns the place of the new scope; the outermost one has 0.
FLAMELET_FORCE_INLINE_ uint32_t flamelet_shim_push_(flamelet_id id) {
  const uint32_t place = flamelet_shim_open_.depth++;
  if (place < FLAMELET_MAX_DEPTH) flamelet_shim_open_.ids[place] = id;
  return place;
}

// Ends the innermost scope. Returns its place, UINT32_MAX if there is none.
FLAMELET_FORCE_INLINE_ uint32_t flamelet_shim_pop_(void) {
  const uint32_t depth = flamelet_shim_open_.depth;
  if (depth == 0) {
    flamelet_shim_extra_end_();
    return UINT32_MAX;
  }
  flamelet_shim_open_.depth = depth - 1;
  if (depth <= FLAMELET_MAX_DEPTH) flamelet_scope_end_(flamelet_shim_open_.ids[depth - 1]);
  return depth - 1;
}

#endif  // FLAMELET_SHIM_OPEN_SCOPES_H

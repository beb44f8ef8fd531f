// SPDX-License-Identifier: MIT
//
// names.h: what lanes and call paths are called.
#ifndef FLAMELET_EXPLAIN_SRC_NAMES_H
#define FLAMELET_EXPLAIN_SRC_NAMES_H

#include <string.h>

#include "flamelet/explain.h"

namespace flamelet::explain {

inline flamelet_string text_of(const char* text) {
  return {text, strlen(text)};
}

inline __attribute__((noinline)) flamelet_string lane_name(const flamelet_capture* capture, uint32_t lane) {
  flamelet_lane_info info;
  flamelet_capture_lane(capture, lane, &info);
  return info.name;
}

// The name of its innermost scope.
inline __attribute__((noinline)) flamelet_string path_name(const flamelet_explain* explain,
                                                           const flamelet_capture* capture, uint32_t path) {
  flamelet_explain_scope scope;
  if (!flamelet_explain_path(explain, path, &scope)) return text_of("(unknown)");
  if (scope.lane != UINT32_MAX) return text_of("no scope");
  if (scope.site == UINT32_MAX) return text_of("other paths");
  return flamelet_capture_string(capture, scope.name);
}

// Calls take(path) for each scope of a path, outermost first; of a very deep one, for the innermost 64.
template <class Take>
void for_each_scope(const flamelet_explain* explain, uint32_t path, Take take) {
  uint32_t scopes[64];
  uint32_t count = 0;
  flamelet_explain_scope scope;
  for (; count < 64 && flamelet_explain_path(explain, path, &scope); path = scope.parent) scopes[count++] = path;
  while (count != 0) take(scopes[--count]);
}

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_NAMES_H

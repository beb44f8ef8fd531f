// SPDX-License-Identifier: MIT
//
// scope_key.h: which scope, in every table of the overlay: the place in code, and the name that it had there.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_KEY_H
#define FLAMELET_OVERLAY_SRC_SCOPE_KEY_H

#include "flamelet/capture.h"

namespace flamelet::ui {

// Ids of one capture and one session.
struct ScopeKey {
  uint32_t site = 0;
  uint32_t name = 0;

  uint64_t bits() const { return uint64_t{site} << 32 | name; }
  bool operator==(const ScopeKey& other) const { return site == other.site && name == other.name; }
  bool operator!=(const ScopeKey& other) const { return !(*this == other); }
};

// A scope on the threads or on the GPU queues, which may have the same place and name: their times are no sum. Or one
// object of it, where objects are apart.
struct ScopePart {
  ScopeKey key;
  uint32_t object = 0;  // flamelet_capture_string(); 0 = the whole scope
  bool on_gpu = false;

  bool operator==(const ScopePart& other) const {
    return key == other.key && object == other.object && on_gpu == other.on_gpu;
  }
};

// The key of a span, a point or a row of statistics.
template <typename T>
ScopeKey key_of(const T& of) {
  return {of.site, of.name};
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_KEY_H

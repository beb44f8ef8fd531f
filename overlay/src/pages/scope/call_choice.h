// SPDX-License-Identifier: MIT
//
// call_choice.h: which calls of a scope the page Scope is about.
#ifndef FLAMELET_OVERLAY_SRC_CALL_CHOICE_H
#define FLAMELET_OVERLAY_SRC_CALL_CHOICE_H

#include <stdint.h>

namespace flamelet::ui {

struct CallChoice {
  enum class Of : uint8_t { kAll, kObject, kThread };

  Of of = Of::kAll;
  uint32_t id = 0;  // flamelet_capture_string() of an object, 0 = calls without one; or a lane of the capture

  bool all() const { return of == Of::kAll; }
  bool contains(uint32_t lane, uint32_t object) const { return all() || id == (of == Of::kObject ? object : lane); }
  bool operator==(const CallChoice& other) const { return of == other.of && (all() || id == other.id); }
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CALL_CHOICE_H

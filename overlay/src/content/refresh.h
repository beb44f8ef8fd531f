// SPDX-License-Identifier: MIT
//
// refresh.h: when a reading of the capture that takes several frames begins anew. Numbers that change with every
// frame cannot be read, so live this happens four times a second, and paused when there is something new.
#ifndef FLAMELET_OVERLAY_SRC_REFRESH_H
#define FLAMELET_OVERLAY_SRC_REFRESH_H

#include <stdint.h>

namespace flamelet::ui {

struct Refresh {
  static constexpr double kSeconds = 0.25;
  static constexpr uint32_t kZonesPerFrame = 12000;  // a frame of a game goes in at once

  bool stale = true;     // the choice has changed: read anew at once
  uint64_t version = 0;  // of the capture when the last reading began
  double next_s = 0;     // ImGui time

  // Whether it is time. `next_s` may be of another ImGui context, whose clock was ahead.
  static bool is_over(double next_s, double now_s) { return now_s >= next_s || next_s - now_s > 2 * kSeconds; }

  // Whether to begin anew, with `range_changed` or another version of the capture. A reading that is under way goes on
  // while live: frames that come meanwhile must not keep it from ever being shown.
  bool due(bool range_changed, uint64_t now_version, bool paused, bool reading, double now_s) const {
    const bool changed = range_changed || version != now_version;
    return stale || (changed && (paused || (is_over(next_s, now_s) && !reading)));
  }
  void begin(uint64_t now_version, double now_s) {
    stale = false;
    version = now_version;
    next_s = now_s + kSeconds;
  }
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_REFRESH_H

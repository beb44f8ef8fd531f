// SPDX-License-Identifier: MIT
//
// activity.h: how many scopes ran when, in a capture without frame marks: it stands in the place of the frame bars. Counting
// them costs as much as reading them, so it goes on over several frames of the overlay.
#ifndef FLAMELET_OVERLAY_SRC_ACTIVITY_H
#define FLAMELET_OVERLAY_SRC_ACTIVITY_H

#include <stddef.h>
#include <stdint.h>

#include "content/memory.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

class Canvas;
struct Content;
struct DrawContext;

struct Activity {
  static constexpr uint32_t kSlices = 512;  // of the whole time

  Array<uint64_t> slices;  // scopes in each; those that are counted
  TimeWindow window;
  size_t lane = 0;  // the next one of the slice that is being counted
  uint64_t count = 0, most = 0;

  void carve(Carver* carver) { carver->take(&slices, kSlices); }
  void reset() {
    slices.clear();
    window = {};
    lane = 0;
    count = most = 0;
  }
  TimeWindow slice(uint32_t i) const;
};

// A file, or another capture that stands, has no frame to show.
bool lacks_frames(const Content& content);
bool is_counting(const Content& content);
// Counts for a short while, draws, and moves the view to where the mouse presses.
void show_activity(DrawContext& o, Canvas& canvas, float x, float y, float width, float height);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_ACTIVITY_H

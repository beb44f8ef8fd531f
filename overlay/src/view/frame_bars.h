// SPDX-License-Identifier: MIT
//
// frame_bars.h: the bars of the frame history, as plain geometry. The newest frame stands at the right. When there are
// more frames than bars, a bar stands for several frames and shows the longest, so that no spike is ever hidden; a bar
// that is longer than the range gets a break mark.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_BARS_H
#define FLAMELET_OVERLAY_SRC_FRAME_BARS_H

#include <stddef.h>

#include "flamelet/capture.h"
#include "view/memory.h"

namespace flamelet::ui {

enum class FrameVerdict : uint8_t { kGood, kOver, kFarOver };  // within the budget, over it, over twice the budget

struct Bar {
  float x0, x1;  // pixels from the left edge
  float height;  // pixels, at most the height that was given
  bool broken;   // longer than the range
  FrameVerdict verdict;
  uint32_t frame;  // position in the frame array, of the longest frame in this bar
  uint32_t first;  // frames [first, first + count) are in this bar
  uint32_t count;
};

struct FrameBarsInput {
  const flamelet_frame_info* frames = nullptr;  // oldest first
  uint32_t frame_count = 0;
  float width_px = 0;
  float height_px = 0;
  float bar_px = 5;  // from one bar to the next, at least 1; the gap of 1 px is part of it
  int64_t budget_ns = 0;
  int64_t range_ns = 0;  // what the full height stands for
};

// How many frames of the newest fit at this width; at `frames_per_bar` frames in each bar.
uint32_t frames_that_fit(float width_px, float bar_px, uint32_t frames_per_bar);

// Lays out the frames from right to left, one bar each if they fit and a whole number in each bar otherwise.
void layout_frame_bars(const FrameBarsInput& input, Array<Bar>* bars);

// The bar at pixel x; bars.count if there is none. Gaps belong to the bar on their left.
uint32_t find_bar(const Array<Bar>& bars, float x);

FrameVerdict frame_verdict(int64_t duration_ns, int64_t budget_ns);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_BARS_H

// SPDX-License-Identifier: MIT
//
// frame_bars.h: the bars of the frame history, as plain geometry. The newest frame stands at the right. A bar that stands
// for several frames shows the longest, so that no hitch is ever hidden, and their mean. A bar that is longer than the
// range gets a break mark.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_BARS_H
#define FLAMELET_OVERLAY_SRC_FRAME_BARS_H

#include "bars/frame_levels.h"

namespace flamelet::ui {

enum class FrameVerdict : uint8_t { kGood, kOver, kFarOver };  // within the budget, over it, over twice the budget

struct Bar {
  float x0, x1;       // pixels from the left edge
  float height;       // pixels, at most the height that was given
  float mean_height;  // the same for one frame
  bool broken;        // longer than the range
  FrameVerdict verdict;
};

struct FrameBarsInput {
  float width_px = 0;
  float height_px = 0;
  float bar_px = 5;  // from one bar to the next, at least 1; the gap of 1 px is part of it
  int64_t budget_ns = 0;
  int64_t range_ns = 0;  // what the full height stands for
};

// How many frames fit at this width; at `frames_per_bar` frames in each bar.
uint32_t frames_that_fit(float width_px, float bar_px, uint32_t frames_per_bar);

// One bar for each of the newest sums: as many as fit, the last one at the right edge. Bar i is about
// sums[sums.count - bars->count + i].
void layout_frame_bars(const FrameBarsInput& input, const Array<FrameSum>& sums, Array<Bar>* bars);

// The bar at pixel x; bars.count if there is none. Gaps belong to the bar on their left.
uint32_t find_bar(const Array<Bar>& bars, float x);

FrameVerdict frame_verdict(int64_t duration_ns, int64_t budget_ns);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_BARS_H

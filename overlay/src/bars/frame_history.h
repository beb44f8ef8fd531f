// SPDX-License-Identifier: MIT
//
// frame_history.h: the frame bars: which frames stand in them, and where.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_HISTORY_H
#define FLAMELET_OVERLAY_SRC_FRAME_HISTORY_H

#include "bars/frame_bars.h"

namespace flamelet::ui {

struct FrameHistory {
  FrameLevels levels;
  Array<FrameSum> sums;  // those in the bars, one for each bar
  Array<Bar> bars;
  uint32_t shift = 0;                         // 2^shift frames in a bar
  float x = 0, y = 0, width = 0, height = 0;  // on the screen
  bool hovered = false;
  bool dragging = false;
  uint64_t anchor = 0;  // frame index where the drag began
  uint64_t newest = 0;  // held while the mouse is over the bars, so that they stand still
  uint64_t scroll = 0;  // frames between the right edge and the newest frame

  // One sum in each level, one for a bar, and the bar: for each of max_frames.
  void carve(Carver* carver, uint32_t max_frames) {
    levels.carve(carver, max_frames);
    carver->take(&sums, max_frames);
    carver->take(&bars, max_frames);
  }
  void reset() {
    levels.clear();
    shift = 0;
    scroll = 0;
    dragging = false;
  }
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_HISTORY_H

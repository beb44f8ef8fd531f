// SPDX-License-Identifier: MIT
//
// ruler.h: where the ticks of a time axis stand and what they say. Steps are 1, 2 or 5 times a power of ten, so that
// labels never overlap. Times count from `origin_ns`, the begin of the frame that is shown.
#ifndef FLAMELET_OVERLAY_SRC_RULER_H
#define FLAMELET_OVERLAY_SRC_RULER_H

#include "draw/text_buffer.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

struct Ruler {
  int64_t step_ns = 0;   // between labels; 0 = no ticks
  int64_t first_ns = 0;  // the first labelled tick in the view, in time of the capture
  uint32_t count = 0;
  uint32_t minor_per_step = 1;  // 5 or 2 unlabelled divisions of a step
};

Ruler make_ruler(View view, int64_t origin_ns, float width_px, float label_width_px);

// From one numbered frame to the next, so that each number has room: 1, 2, 5, 10, 20, 50 ... `frames` take `width_px`
// together.
uint64_t frame_label_step(uint64_t frames, float width_px, float label_width_px);

// "12.5", and the unit only on the label of the origin or of the first tick.
void write_tick(int64_t offset_ns, int64_t step_ns, bool with_unit, TextWriter* text);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RULER_H

// SPDX-License-Identifier: MIT
//
// hitch_strip.h: the frames that a flight recorder keeps, as plain geometry: a bar for each at the left of the frame bars,
// the longest first, whose height is that of the strip; and where among the frame bars a flag stands.
#ifndef FLAMELET_OVERLAY_SRC_HITCH_STRIP_H
#define FLAMELET_OVERLAY_SRC_HITCH_STRIP_H

#include "bars/frame_bars.h"
#include "flamelet/flight.h"

namespace flamelet::ui {

struct HitchBar {
  float x0, x1;       // pixels from the strip's left edge
  float height;       // pixels, at most the height that was given
  uint32_t position;  // in the array of hitches
};

struct HitchStripInput {
  const flamelet_flight_info* hitches = nullptr;  // the longest first
  uint32_t hitch_count = 0;
  float most_width_px = 0;
  float height_px = 0;
  float bar_px = 8;  // from one bar to the next; the gap of 1 px is part of it
};

// As many as fit. Returns the width of the strip.
float layout_hitch_strip(const HitchStripInput& input, Array<HitchBar>* bars);
// The bar at pixel x; bars.count if there is none.
uint32_t find_hitch(const Array<HitchBar>& bars, float x);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HITCH_STRIP_H

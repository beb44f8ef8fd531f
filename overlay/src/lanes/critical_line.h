// SPDX-License-Identifier: MIT
//
// critical_line.h: the critical path of a frame as a line over the lanes: along the bottom of each scope that the frame
// waited for, with a step where it goes on in another lane or at another depth. It makes no ImGui call.
#ifndef FLAMELET_OVERLAY_SRC_CRITICAL_LINE_H
#define FLAMELET_OVERLAY_SRC_CRITICAL_LINE_H

#include "flamelet/explain.h"
#include "lanes/span_store.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

struct LineRect {
  float x0, y0, x1, y1;
};

struct CriticalLineInput {
  const flamelet_piece* pieces = nullptr;  // by time, without a gap
  size_t piece_count = 0;
  View view;
  float width_px = 0;
  float row_px = 0;
  float thickness_px = 0;
  float least_px = 0;  // of a run of shorter pieces, one is drawn: the longest
};

// Fills `rects` with the line, from the lanes' left edge and the top of their content on. Pieces on lanes that are not
// shown are left out, and so is the step to them. False if
// there is no room for all of it: then least_px has to be larger.
// Cost: proportional to the pieces in view, and for each run a search in each row of its lane.
bool lay_out_critical_line(const CriticalLineInput& input, const Array<Lane>& lanes, Array<LineRect>* rects);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CRITICAL_LINE_H

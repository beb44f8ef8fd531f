// SPDX-License-Identifier: MIT
//
// frame.h: what is valid while one frame is drawn.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_H
#define FLAMELET_OVERLAY_SRC_FRAME_H

#include "draw/notes.h"
#include "draw/text_fit.h"
#include "draw/theme.h"
#include "input/row_cursor.h"

namespace flamelet::ui {

struct Frame {
  FontMetrics metrics;
  float unit = 1;  // pixels per pixel of a 13 px font
  Theme theme = {};
  bool takes_input = true;  // false in a read-only overlay
  bool tooltips = true;     // false where something lies over the page
  RowCursor rows;
  Notes notes;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_H

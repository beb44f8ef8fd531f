// SPDX-License-Identifier: MIT
//
// The critical path over the lanes: bright, with a dark edge, so that it stands out from any scope's colour.
#include "draw/canvas.h"
#include "lanes/critical_line.h"
#include "lanes/lane_parts.h"
#include "pages/why/why.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastPx = 3;

// Vertices of a draw list with indices of 16 bits, without those that are still to come: labels, outlines, marks.
constexpr int kMostVertices = 65535 - 2048 - static_cast<int>(kMostCharacters) * 4;

}  // namespace

void draw_critical_path(Overlay& o, LanesPage& page, Canvas& canvas, float y) {
  Array<LineRect>& rects = page.canvas.critical_line;
  rects.clear();
  const Why& why = why_of(o);
  if (!o.settings.critical_path || !why.known()) return;
  CriticalLineInput input;
  input.pieces = why.answer().pieces;
  input.piece_count = why.answer().piece_count;
  input.view = o.timeline.view();
  input.width_px = page.canvas.width;
  input.row_px = row_height(o);
  input.thickness_px = critical_thickness(o);
  input.least_px = kLeastPx * o.unit;
  const int room = (kMostVertices - canvas.list()->VtxBuffer.Size) / 8;
  while (!lay_out_critical_line(input, o.store.lanes(), &rects) || static_cast<int>(rects.count) > room) {
    if (input.least_px > page.canvas.width) return rects.clear();
    input.least_px *= 2;
  }
  canvas.reserve(rects.count * 2);
  const float x = page.canvas.x;
  for (const LineRect& rect : rects)
    canvas.reserved_rect(x + rect.x0 - 1, y + rect.y0 - 1, x + rect.x1 + 1, y + rect.y1 + 1, pack(color::kEdge));
  for (const LineRect& rect : rects)
    canvas.reserved_rect(x + rect.x0, y + rect.y0, x + rect.x1, y + rect.y1, pack(color::kCritical));
}

}  // namespace flamelet::ui

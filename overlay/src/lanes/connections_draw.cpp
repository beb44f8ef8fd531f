// SPDX-License-Identifier: MIT
#include <math.h>
#include <algorithm>

#include "draw/canvas.h"
#include "input/actions.h"
#include "lanes/connections.h"
#include "lanes/lane_parts.h"
#include "pages/why/why_page.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

// Arrows of flows: a dot where a flow begins, a head where it ends, a bar where the other end is not known.

namespace {

// The scope whose flows are shown. False if there is none.
bool find_scope(Overlay& o, LanesPage& page, uint32_t* capture_lane, TimeWindow* times) {
  const Hover& hover = page.mouse.hover;
  if (hover.block < page.canvas.blocks.count && hover.lane < o.store.lanes().count) {
    const Lane& lane = o.store.lanes()[hover.lane];
    const Block& block = page.canvas.blocks[hover.block];
    const uint32_t in_lane = hover.block - lane.layout.first_block;
    if (hover.block >= lane.layout.first_block && in_lane < lane.layout.block_count && !block.merged()) {
      const LaneSpan& span = lane.rows.spans[block.first];
      *capture_lane = lane.capture_lane;
      *times = {span.begin_ns, span.end_ns};
      return true;
    }
  }
  if (!o.selection.span.valid) return false;
  const Lane* lane = find_lane(o, o.selection.span.lane_kind, o.selection.span.lane_id);
  if (lane == nullptr) return false;
  *capture_lane = lane->capture_lane;
  *times = {o.selection.span.span.begin_ns, o.selection.span.span.end_ns};
  return true;
}

// What is in view and what is shown, and as much again on both sides: other ends of flows lie there.
TimeWindow flow_window(const Content& content) {
  const TimeWindow shown = content.timeline.shown_window();
  const TimeWindow read = content.store.window();
  const int64_t margin_ns = shown.end_ns - shown.begin_ns;
  return {std::min(shown.begin_ns, read.begin_ns) - margin_ns, std::max(shown.end_ns, read.end_ns) + margin_ns};
}

constexpr float kLinePx = 1;

// With an edge of another colour around it, where `edge` is not 0.
void draw_line(const Frame& frame, const LanesPage& page, Canvas& canvas, const FlowLine& line, float y, Rgb color,
               float edge) {
  const float x = page.canvas.x;
  canvas.line(x + line.x0, y + line.y0, x + line.x1, y + line.y1, color, scaled(frame, kLinePx) + 2 * edge);
}

void draw_ends(const Frame& frame, const LanesPage& page, Canvas& canvas, const FlowLine& line, float y, Rgb color,
               float edge) {
  const float x0 = page.canvas.x + line.x0, y0 = y + line.y0, x1 = page.canvas.x + line.x1, y1 = y + line.y1;
  const float dot = scaled(frame, 2) + edge;
  const float length = std::max(sqrtf((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), 1.0f);
  const float dx = (x1 - x0) / length, dy = (y1 - y0) / length;
  if (line.has_begin) canvas.rect(x0 - dot, y0 - dot, x0 + dot, y0 + dot, color);
  const float head = scaled(frame, 5) + edge;
  if (line.has_end)
    canvas.triangle(x1 + dx * edge, y1 + dy * edge, x1 - dx * head * 1.6f - dy * head * 0.7f,
                    y1 - dy * head * 1.6f + dx * head * 0.7f, x1 - dx * head * 1.6f + dy * head * 0.7f,
                    y1 - dy * head * 1.6f - dx * head * 0.7f, color);
  if (!line.open) return;
  const float bar_x = line.has_begin ? x1 : x0, bar_y = line.has_begin ? y1 : y0;
  canvas.line(bar_x - dy * head, bar_y + dx * head, bar_x + dy * head, bar_y - dx * head, color,
              scaled(frame, kLinePx) + 2 * edge);
}

}  // namespace

void draw_flow_lines(Overlay& o, LanesPage& page, Canvas& canvas, float y) {
  uint32_t capture_lane = 0;
  TimeWindow times;
  if (!find_scope(o, page, &capture_lane, &times)) return page.flows.clear();
  page.flows.choose(o.capture, flow_window(o), o.store.generation(), capture_lane, times);
  page.flows.lay_out(o.timeline.view(), page.canvas.width, row_height(o), o.store.lanes());
  for (const FlowLine& line : page.flows.lines()) draw_line(o, page, canvas, line, y, color::kEdge, 1);
  for (const FlowLine& line : page.flows.lines()) draw_line(o, page, canvas, line, y, color::kFlow, 0);
}

void draw_flow_ends(const Frame& frame, const LanesPage& page, Canvas& canvas, float y) {
  for (const FlowLine& line : page.flows.lines()) draw_ends(frame, page, canvas, line, y, color::kEdge, 1);
  for (const FlowLine& line : page.flows.lines()) draw_ends(frame, page, canvas, line, y, color::kFlow, 0);
}

// Thin lines between the pieces of a fiber's scope.

void draw_fiber_joins(Overlay& o, LanesPage& page, Canvas& canvas, float y) {
  page.fibers.lay_out(o.store, o.timeline.view(), page.canvas.width, row_height(o));
  const float thickness = std::max(1.0f, o.unit);
  for (const FiberJoin& join : page.fibers.joins())
    canvas.line(page.canvas.x + join.x0, y + join.y0, page.canvas.x + join.x1, y + join.y1, color::kLaneFiber,
                thickness);
}

// The critical path over the lanes: bright, with a dark edge, so that it stands out from any scope's colour.

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

// SPDX-License-Identifier: MIT
//
// Drawing the lanes. First all rectangles of a lane, then its labels, so that a lane is one run of vertices.
#include <algorithm>

#include "imgui.h"
#include "ui/counter_lanes.h"
#include "ui/lane_parts.h"
#include "ui/lane_places.h"
#include "ui/messages_page.h"
#include "ui/ui.h"
#include "ui/widgets.h"
#include "view/ruler.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

// Frames in view; more of these lines would be a grey wall, or an amber one.
constexpr uint32_t kMostBorders = 128;
constexpr uint32_t kMostBudgetLines = 6;

// By flamelet_lane_kind.
constexpr ThemeColor kLaneColors[] = {color::kLaneThread, color::kLaneGpu, color::kLaneExternal, color::kLaneFiber};

struct Painter {
  Overlay& o;
  Canvas canvas;
  float x, y;  // where the content begins
  float clip_top, clip_bottom;
  uint32_t characters;

  float top_of(const Lane& lane) const { return std::max(clip_top, y + lane.covered_to); }

  float block_top(const Lane& lane, uint32_t depth) const {
    return y + lane.y + static_cast<float>(depth) * row_height(o);
  }
  bool row_visible(const Lane& lane, uint32_t depth) const {
    const float top = block_top(lane, depth);
    return top < clip_bottom && top + row_height(o) > top_of(lane);
  }
  bool lane_visible(const Lane& lane) const {
    return lane.height > 0 && y + lane.y < clip_bottom && y + lane.y + lane.height > top_of(lane);
  }
};

// Whole pixels, with a gap of one on the right where there is room for it.
Edges edges(const Overlay& o, const Block& block) {
  const float left = o.canvas.x + static_cast<float>(static_cast<int>(block.x0));
  const float right = o.canvas.x + static_cast<float>(static_cast<int>(block.x1));
  return {left, right - left >= 3 ? right - 1 : std::max(right, left + 1)};
}

uint32_t matches_in(const Lane& lane, const Block& block) {
  return lane.match_prefix[block.end] - lane.match_prefix[block.first];
}

Rgb block_fill(Overlay& o, const Lane& lane, const Block& block, Rgb* ink) {
  if (block.merged()) {
    *ink = color::kMergedText;
    if (!o.filter.active() || lane.match_prefix == nullptr) return color::kMerged;
    if (matches_in(lane, block) != 0) {
      *ink = ink_on(color::kMergedMatch);
      return color::kMergedMatch;
    }
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  const flamelet_span& span = lane.rows.spans[block.first];
  const ScopeLook& look = o.looks.look(key_of(span));
  if (o.filter.active() && !look.matches) {
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  *ink = look.ink;
  return (block.flags & kBlockOtherShade) != 0 ? other_shade(look.fill) : look.fill;
}

// Two scopes that stand side by side in a row must not have the same colour. From the next frame on one of them has
// another, if the colour comes from its name; until then, and else, it takes another shade.
bool separate_colors(Overlay& o, const Lane& lane, const Block& left, const Block& right) {
  if (left.depth != right.depth || left.merged() || right.merged() || o.filter.active()) return false;
  const flamelet_span& a = lane.rows.spans[left.first];
  const flamelet_span& b = lane.rows.spans[right.first];
  if (a.name == b.name) return false;
  o.looks.separate(key_of(a), key_of(b));
  return true;
}

void draw_blocks(Painter& p, const Lane& lane) {
  Overlay& o = p.o;
  Block* begin = o.canvas.blocks.data + lane.layout.first_block;
  Block* end = begin + lane.layout.block_count;
  const float row = row_height(o);
  // A merged block is lower than a single one: it says "several" without its count, too.
  const float inset = static_cast<float>(static_cast<int>(row * 0.16f));
  uint32_t count = 0;
  for (const Block* block = begin; block != end; ++block)
    if (p.row_visible(lane, block->depth)) ++count;
  p.canvas.reserve(count);
  const Block* before = nullptr;
  Rgb fill_before = 0;
  for (Block* block = begin; block != end; ++block) {
    if (!p.row_visible(lane, block->depth)) continue;
    const float top = p.block_top(lane, block->depth);
    const Edges x = edges(o, *block);
    block->flags &= static_cast<uint16_t>(~kBlockOtherShade);
    Rgb ink;
    Rgb fill = block_fill(o, lane, *block, &ink);
    if (fill == fill_before && separate_colors(o, lane, *before, *block)) {
      block->flags |= kBlockOtherShade;
      fill = other_shade(fill);
    }
    before = block;
    fill_before = fill;
    const float shrink = block->merged() ? inset : 0;
    p.canvas.reserved_rect(x.left, top + shrink, x.right, top + row - 1 - shrink, pack(fill));
  }
}

// Where a span goes on beyond the view: a small arrow at the edge. Returns the room that it takes.
float draw_cut_marks(Painter& p, const Block& block, const Edges& x, float top, Rgb ink, float* right) {
  const float size = scaled(p.o, 3);
  const float middle = top + static_cast<float>(static_cast<int>(row_height(p.o) * 0.5f));
  if (x.right - x.left < size * 6) return 0;
  if ((block.flags & kBlockCutRight) != 0) {
    const float tip = x.right - scaled(p.o, 2);
    p.canvas.triangle(tip - size, middle - size, tip, middle, tip - size, middle + size, ink);
    *right -= size + scaled(p.o, 2);
  }
  if ((block.flags & kBlockCutLeft) == 0) return 0;
  const float tip = x.left + scaled(p.o, 2);
  p.canvas.triangle(tip + size, middle - size, tip, middle, tip + size, middle + size, ink);
  return size + scaled(p.o, 2);
}

// Towards the background, as far as the contrast allows.
Rgb quieter(Rgb ink, Rgb background) {
  const Rgb mixed = mix(ink, background, 0.2f);
  return contrast(mixed, background) >= kLeastContrast ? mixed : ink;
}

void draw_label(Painter& p, const Lane& lane, const Block& block) {
  Overlay& o = p.o;
  const Edges x = edges(o, block);
  const float pad = scaled(o, 4);
  // The shortest label is two letters and an ellipsis, or a count of two digits.
  if (x.right - x.left < pad * 2 + o.metrics.size) return;
  if (p.characters >= kMostCharacters) return;
  const float top = p.block_top(lane, block.depth);
  const float text_y = top + scaled(o, 1);
  Rgb ink;
  const Rgb fill = block_fill(o, lane, block, &ink);
  if (block.merged()) {
    FixedText<32> count;
    count.add("x").add_grouped(block.zones);
    if (p.canvas.width(count.view()) > x.right - x.left - pad) return;
    p.canvas.text_center(x.left, x.right, text_y, ink, count.view());
    p.characters += static_cast<uint32_t>(count.view().size());
    return;
  }
  float right = x.right - pad;
  const float left = x.left + pad + draw_cut_marks(p, block, x, top, ink, &right);
  const flamelet_span& span = lane.rows.spans[block.first];
  const ScopeLook& look = o.looks.look(key_of(span));
  const TextFit fit = fit_text(o.metrics, look.name, right - left);
  p.canvas.draw_fit(left, text_y, ink, look.name, fit);
  p.characters += fit.bytes;
  // Behind the name an interval's object, then the duration, where the whole of both fits.
  if (fit.elided) return;
  float end = left + fit.width;
  if (lane.content == LaneContent::kIntervals && span.object != 0) {
    const std::string_view object = view_of(flamelet_capture_string(o.capture, span.object));
    const float object_x = end + o.metrics.of(' ');
    end = object_x + p.canvas.text_fit(object_x, text_y, right - object_x, ink, object);
    p.characters += static_cast<uint32_t>(object.size());
  }
  FixedText<32> time;
  time.add_time(span.end_ns - span.begin_ns);
  const float gap = o.metrics.of(' ') * 2;
  if (end + gap + p.canvas.width(time.view()) > right) return;
  p.canvas.text(end + gap, text_y, quieter(ink, fill), time.view());
  p.characters += static_cast<uint32_t>(time.view().size());
}

// A mark in the gap above the lane, so that no label is hidden.
void draw_instants(Painter& p, const Lane& lane, uint32_t lane_index) {
  Overlay& o = p.o;
  const double width = static_cast<double>(o.canvas.width);
  const float height = lane_gap(o) - 1;
  const float bottom = p.y + lane.y - 1;
  double last_px = -1e9;
  for (uint32_t i = 0; i < lane.instant_count; ++i) {
    const double px = x_at(o.timeline.view(), static_cast<double>(lane.instants[i].time_ns), width);
    if (!(px >= 0) || !(px < width) || px - last_px < static_cast<double>(height)) continue;
    last_px = px;
    const float x = o.canvas.x + static_cast<float>(px);
    const bool hovered = o.mouse.hover.lane == lane_index && o.mouse.hover.instant == i;
    p.canvas.triangle(x - height * 0.8f, bottom - height, x + height * 0.8f, bottom - height, x, bottom,
                      hovered ? color::kSelect : color::kInstant);
  }
}

void draw_outlines(Painter& p, const Lane& lane, uint32_t lane_index) {
  Overlay& o = p.o;
  if (!o.selection.scope.valid && o.mouse.hover.lane != lane_index) return;
  const bool selected_here =
      o.selection.span.valid && o.selection.span.lane_kind == lane.kind && o.selection.span.lane_id == lane.id;
  const float row = row_height(o);
  for (uint32_t i = 0; i < lane.layout.block_count; ++i) {
    const uint32_t index = lane.layout.first_block + i;
    const Block& block = o.canvas.blocks[index];
    if (!p.row_visible(lane, block.depth)) continue;
    const float top = p.block_top(lane, block.depth);
    const Edges x = edges(o, block);
    const flamelet_span& span = lane.rows.spans[block.first];
    const bool hovered = o.mouse.hover.lane == lane_index && o.mouse.hover.block == index;
    if (!block.merged() && o.selection.scope.is(span)) {
      const bool selected =
          selected_here && span.begin_ns == o.selection.span.span.begin_ns && span.depth == o.selection.span.span.depth;
      if (selected) {
        const float thickness = std::max(2.0f, scaled(o, 2));
        p.canvas.outline(x.left - 1, top - 1, x.right + 1, top + row, color::kEdge, 1);
        p.canvas.outline(x.left, top, x.right, top + row - 1, color::kSelect, thickness);
        continue;
      }
      // The other instances of the selected scope.
      p.canvas.rect(x.left, top + row - 1 - scaled(o, 2), x.right, top + row - 1, color::kSelect);
    }
    if (hovered) p.canvas.outline(x.left, top, x.right, top + row - 1, color::kHover);
  }
}

void draw_gutter(Painter& p, const Lane& lane) {
  Overlay& o = p.o;
  const float row = row_height(o);
  const float mark = scaled(o, 3);
  p.canvas.rect(p.x, p.y + lane.y, p.x + mark, p.y + lane.y + lane.height - 1,
                lane.color != 0 ? lane_color(lane.color) : Rgb(kLaneColors[static_cast<uint32_t>(lane.kind) & 3]));
  // The label of a lane whose begin is scrolled out of sight stays at the top.
  const float labels = (lane.left_out != 0 ? 2 : 1) * row;
  const float top = std::max(p.y + lane.y, std::min(p.top_of(lane), p.y + lane.y + lane.height - labels));
  draw_fold_arrow(o, p.canvas, lane, p.x, top);
  const float text_x = p.x + scaled(o, 21);
  const float room = p.x + gutter_width(o) - scaled(o, 6) - text_x;
  FixedText<16> several;
  if (lane.merged > 1) several.add(" x").add_unsigned(lane.merged);
  const float count_width = p.canvas.width(several.view());
  const float name_width = p.canvas.text_fit(text_x, top + scaled(o, 1), room - count_width, color::kText, lane.name);
  if (lane.merged > 1) p.canvas.text(text_x + name_width, top + scaled(o, 1), color::kTextDim, several.view());
  if (lane.left_out != 0 && lane.height >= 2 * row) {
    FixedText<64> text;
    text.add('+').add_grouped(lane.left_out).add(" unread");
    p.canvas.text_fit(text_x, top + row + scaled(o, 1), room, color::kFrameOver, text.view());
  }
}

// Lines at the ruler's ticks, at the frames' borders and at the budget, behind the blocks.
void draw_grid(Painter& p, float bottom) {
  Overlay& o = p.o;
  const View view = o.timeline.view();
  const float top = p.clip_top;
  const double width = static_cast<double>(o.canvas.width);
  const auto line = [&](double time_ns, Rgb rgb, uint32_t alpha) {
    const double x = x_at(view, time_ns, width);
    if (!(x >= 0) || !(x < width)) return;
    const float at = o.canvas.x + static_cast<float>(static_cast<int>(x));
    p.canvas.rect(at, top, at + 1, bottom, rgb, alpha);
  };
  const TimeWindow shown = o.timeline.shown_window();
  const Ruler ruler = make_ruler(view, shown.begin_ns, o.canvas.width, scaled(o, 72));
  for (uint32_t i = 0; i < ruler.count; ++i)
    line(static_cast<double>(ruler.first_ns) + static_cast<double>(i) * static_cast<double>(ruler.step_ns),
         color::kGrid, 255);
  const TimeWindow window = window_of(view);
  size_t position = flamelet_capture_frame_at(o.capture, window.begin_ns);
  if (position == SIZE_MAX) position = 0;
  uint32_t borders = 0;
  flamelet_frame_info frame;
  for (size_t i = position; flamelet_capture_frame(o.capture, i, &frame) && frame.begin_ns <= window.end_ns; ++i)
    if (++borders > kMostBorders) return;
  for (size_t i = position; i < position + borders && flamelet_capture_frame(o.capture, i, &frame); ++i) {
    line(static_cast<double>(frame.begin_ns), color::kGridFrame, 255);
    line(static_cast<double>(frame.end_ns), color::kGridFrame, 255);
    if (borders <= kMostBudgetLines && frame.end_ns - frame.begin_ns > o.settings.budget_ns)
      line(static_cast<double>(frame.begin_ns + o.settings.budget_ns), color::kBudget, 170);
  }
}

// From the GPU span under the mouse to the CPU scope that submitted it.
void draw_gpu_link(Painter& p) {
  Overlay& o = p.o;
  if (o.mouse.hover.block >= o.canvas.blocks.count || o.mouse.hover.lane >= o.store.lanes().count ||
      !o.mouse.link.found)
    return;
  const Lane& gpu_lane = o.store.lanes()[o.mouse.hover.lane];
  if (gpu_lane.kind != FLAMELET_LANE_GPU) return;
  const Lane* cpu_lane = nullptr;
  for (const Lane& lane : o.store.lanes())
    if (lane.capture_lane == o.mouse.link.place.lane && lane.kind == FLAMELET_LANE_THREAD) cpu_lane = &lane;
  if (cpu_lane == nullptr || !(cpu_lane->height > 0)) return;
  const Block& block = o.canvas.blocks[o.mouse.hover.block];
  const double width = static_cast<double>(o.canvas.width);
  const double cpu_px = x_at(o.timeline.view(), static_cast<double>(o.mouse.link.place.begin_ns), width);
  const float cpu_x = o.canvas.x + static_cast<float>(std::min(std::max(cpu_px, 0.0), width));
  const uint32_t depth = cpu_lane->folded ? 0 : o.mouse.link.place.depth;
  const float cpu_y = p.y + cpu_lane->place(static_cast<float>(depth + 1) * row_height(o)) - 1;
  const float gpu_x = o.canvas.x + block.x0;
  const float gpu_y = p.y + gpu_lane.place(static_cast<float>(block.depth) * row_height(o));
  const float thickness = std::max(1.5f, 1.5f * o.unit);
  p.canvas.line(cpu_x, cpu_y, gpu_x, gpu_y, color::kSelect, thickness, 200);
  const float dot = scaled(o, 2);
  p.canvas.rect(gpu_x - dot, gpu_y - dot, gpu_x + dot, gpu_y + dot, color::kSelect);
  const uint32_t span = find_span_beginning(cpu_lane->rows, o.mouse.link.place.begin_ns, o.mouse.link.place.depth);
  if (span == cpu_lane->rows.span_count || cpu_px < 0 || cpu_px > width || cpu_lane->folded ||
      !p.row_visible(*cpu_lane, depth)) {
    p.canvas.rect(cpu_x - dot, cpu_y - dot, cpu_x + dot, cpu_y + dot, color::kSelect);  // it is not in sight
    return;
  }
  const double end_px = x_at(o.timeline.view(), static_cast<double>(cpu_lane->rows.spans[span].end_ns), width);
  const float end_x = o.canvas.x + static_cast<float>(static_cast<int>(std::min(end_px, width)));
  p.canvas.outline(static_cast<float>(static_cast<int>(cpu_x)), p.block_top(*cpu_lane, depth),
                   std::max(end_x, cpu_x + 2), cpu_y, color::kSelect);
}

// The lanes of scopes and intervals that stay at the top, or those that scroll.
void draw_spans(Painter& p, bool stays) {
  const Overlay& o = p.o;
  const Array<Lane>& lanes = o.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i) {
    const Lane& lane = lanes[i];
    if (lane.stays != stays || !p.lane_visible(lane) || lane.content == LaneContent::kCounters) continue;
    if (lane.leader == i) draw_gutter(p, lane);
    draw_blocks(p, lane);
    for (uint32_t b = 0; b < lane.layout.block_count; ++b) {
      const Block& block = o.canvas.blocks[lane.layout.first_block + b];
      if (p.row_visible(lane, block.depth)) draw_label(p, lane, block);
    }
    draw_instants(p, lane, i);
    draw_outlines(p, lane, i);
  }
}

void draw_measure(Painter& p) {
  Overlay& o = p.o;
  if (!o.selection.measures()) return;
  const double width = static_cast<double>(o.canvas.width);
  const View view = o.timeline.view();
  const double x0 = std::max(x_at(view, static_cast<double>(o.selection.measured.begin_ns), width), 0.0);
  const double x1 = std::min(x_at(view, static_cast<double>(o.selection.measured.end_ns), width), width);
  if (x1 <= x0) return;
  const float left = o.canvas.x + static_cast<float>(x0);
  const float right = o.canvas.x + static_cast<float>(x1);
  p.canvas.rect(left, p.clip_top, right, p.clip_bottom, color::kSelect, 28);
  p.canvas.rect(left, p.clip_top, left + 1, p.clip_bottom, color::kSelect, 160);
  p.canvas.rect(right - 1, p.clip_top, right, p.clip_bottom, color::kSelect, 160);
  FixedText<32> text;
  text.add_time(o.selection.measured_ns());
  const float pad = scaled(o, 5);
  const float text_width = p.canvas.width(text.view());
  const float text_x =
      std::min(std::max(static_cast<float>(static_cast<int>((left + right - text_width) * 0.5f)), o.canvas.x + pad),
               o.canvas.x + o.canvas.width - text_width - pad);
  const float text_y = p.clip_bottom - o.metrics.size - scaled(o, 8);
  p.canvas.rect(text_x - pad, text_y - scaled(o, 2), text_x + text_width + pad, text_y + o.metrics.size + scaled(o, 2),
                color::kControlOn);
  p.canvas.text(text_x, text_y, color::kInkLight, text.view());
}

}  // namespace

void draw_fold_arrow(const Overlay& o, Canvas& canvas, const Lane& lane, float x, float top) {
  const float middle = top + static_cast<float>(static_cast<int>(row_height(o) * 0.5f));
  const float size = scaled(o, 4);
  const float arrow = x + scaled(o, 12);
  if (lane.folded)
    canvas.triangle(arrow - size * 0.6f, middle - size, arrow + size * 0.8f, middle, arrow - size * 0.6f, middle + size,
                    color::kTextDim);
  else
    canvas.triangle(arrow - size, middle - size * 0.6f, arrow + size, middle - size * 0.6f, arrow, middle + size * 0.8f,
                    color::kTextDim);
}

void draw_lanes(Overlay& o, float x, float y, float clip_top, float clip_bottom) {
  Painter p = {o, Canvas(ImGui::GetWindowDrawList(), o.metrics), x, y, clip_top, clip_bottom, 0};
  draw_grid(p, clip_bottom);
  draw_spans(p, true);
  // What scrolls is cut where the lanes that stay end.
  const float covered = clip_top + o.canvas.covered;
  const bool cut = o.canvas.covered > 0;
  if (cut) p.canvas.list()->PushClipRect(ImVec2(x, covered), ImVec2(o.canvas.x + o.canvas.width, clip_bottom), true);
  draw_spans(p, false);
  draw_quiet_line(o, p.canvas, x, y);
  lay_out_counter_lanes(o, p.canvas, y, clip_top, clip_bottom);
  draw_counter_lanes(o, p.canvas, x, y, clip_top, clip_bottom, false);
  if (cut) p.canvas.list()->PopClipRect();
  draw_counter_lanes(o, p.canvas, x, y, clip_top, clip_bottom, true);
  if (cut) p.canvas.rect(x, covered - 1, o.canvas.x + o.canvas.width, covered, color::kGridFrame);
  draw_run_lines(o, p.canvas, y);
  draw_fiber_joins(o, p.canvas, y);
  draw_critical_path(o, p.canvas, y);
  draw_flows(o, p.canvas, y);
  draw_selected_message(o, p.canvas, y, clip_top, clip_bottom);
  draw_measure(p);
  draw_gpu_link(p);
  if (o.store.span_count() == 0)
    p.canvas.text_center(o.canvas.x, o.canvas.x + o.canvas.width, clip_top + (clip_bottom - clip_top) * 0.4f,
                         color::kTextDim, flamelet_enabled() ? "nothing was recorded here" : "recording is off");
}

}  // namespace flamelet::ui

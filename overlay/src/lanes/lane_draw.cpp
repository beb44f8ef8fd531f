// SPDX-License-Identifier: MIT
//
// Drawing the lanes, in three layers: the blocks of all lanes, the lines that lead from lane to lane, and the labels. A line
// ends at the edges of a label that it would cross.
#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "lanes/lane_parts.h"
#include "lanes/lane_places.h"
#include "pages/messages/messages_page.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

// The part of kMostCharacters for the lanes that stay at the top, whose labels come last.
constexpr uint32_t kStayingCharacters = kMostCharacters / 3;

// By flamelet_lane_kind.
constexpr ThemeColor kLaneColors[] = {color::kLaneThread, color::kLaneGpu, color::kLaneExternal, color::kLaneFiber};

struct Painter {
  Overlay& o;
  LanesPage& page;
  Canvas canvas;
  float x, y;  // where the content begins
  float clip_top, clip_bottom;
  uint32_t characters = 0;
  uint32_t most_characters = kMostCharacters;
  bool lines = false;  // some were drawn over the blocks

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
Edges edges(const LanesPage& page, const Block& block) {
  const float left = page.canvas.x + static_cast<float>(static_cast<int>(block.x0));
  const float right = page.canvas.x + static_cast<float>(static_cast<int>(block.x1));
  return {left, right - left >= 3 ? right - 1 : std::max(right, left + 1)};
}

uint32_t matches_in(const Lane& lane, const Block& block) {
  return lane.matches.before_span(block.end) - lane.matches.before_span(block.first);
}

Rgb block_fill(Overlay& o, const Lane& lane, const Block& block, Rgb* ink) {
  if (block.merged()) {
    *ink = color::kMergedText;
    if (!o.filter.active() || lane.matches.bits == nullptr) return color::kMerged;
    if (matches_in(lane, block) != 0) {
      *ink = ink_on(color::kMergedMatch);
      return color::kMergedMatch;
    }
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  const LaneSpan& span = lane.rows.spans[block.first];
  const ScopeStyle& style = o.styles.of(key_of(span));
  if (o.filter.active() && !style.matches) {
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  *ink = style.ink;
  return (block.flags & kBlockOtherShade) != 0 ? other_shade(style.fill) : style.fill;
}

// Two scopes that stand side by side in a row must not have the same colour. From the next frame on one of them has
// another, if the colour comes from its name; until then, and else, it takes another shade.
bool separate_colors(Overlay& o, const Lane& lane, const Block& left, const Block& right) {
  if (left.depth != right.depth || left.merged() || right.merged() || o.filter.active()) return false;
  const LaneSpan& a = lane.rows.spans[left.first];
  const LaneSpan& b = lane.rows.spans[right.first];
  if (a.name == b.name) return false;
  o.styles.separate(key_of(a), key_of(b));
  return true;
}

// A merged block is lower than a single one: it says "several" without its count, too.
float merged_inset(const Frame& frame) {
  return static_cast<float>(static_cast<int>(row_height(frame) * 0.16f));
}

void draw_blocks(Painter& p, const Lane& lane) {
  Overlay& o = p.o;
  LanesPage& page = p.page;
  Block* begin = page.canvas.blocks.data + lane.layout.first_block;
  Block* end = begin + lane.layout.block_count;
  const float row = row_height(o);
  const float inset = merged_inset(o);
  uint32_t count = 0;
  for (const Block* block = begin; block != end; ++block)
    if (p.row_visible(lane, block->depth)) ++count;
  p.canvas.reserve(count);
  const Block* before = nullptr;
  Rgb fill_before = 0;
  for (Block* block = begin; block != end; ++block) {
    if (!p.row_visible(lane, block->depth)) continue;
    const float top = p.block_top(lane, block->depth);
    const Edges x = edges(page, *block);
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

// What a line drew behind this part of a block's row goes. The critical path along the bottom of the row stays.
void clear_label(Painter& p, const Edges& x, float top, float left, float right, bool merged, Rgb fill) {
  if (!p.lines || right <= left) return;
  const float margin = scaled(p.o, 1);
  const float inset = merged ? merged_inset(p.o) : 0;
  const float bottom = row_height(p.o) - std::max(critical_thickness(p.o), inset + 1);
  p.canvas.rect(std::max(left - margin, x.left), top + inset, std::min(right + margin, x.right), top + bottom, fill);
  ++p.characters;  // it has the vertices of one
}

// Towards the background, as far as the contrast allows.
Rgb quieter(Rgb ink, Rgb background) {
  const Rgb mixed = mix(ink, background, 0.2f);
  return contrast(mixed, background) >= kLeastContrast ? mixed : ink;
}

void draw_count(Painter& p, const Block& block, const Edges& x, float top, Rgb fill, Rgb ink) {
  FixedText<32> count;
  count.add('x').add_grouped(block.zones);
  const float width = p.canvas.width(count.view());
  if (width > x.right - x.left - scaled(p.o, 4)) return;
  const float middle = (x.left + x.right) * 0.5f;
  clear_label(p, x, top, middle - width * 0.5f, middle + width * 0.5f, true, fill);
  p.canvas.text_center(x.left, x.right, top + scaled(p.o, 1), ink, count.view());
  p.characters += static_cast<uint32_t>(count.view().size());
}

// The scope's name; behind it an interval's object, then the duration, where the whole of both fits.
void draw_name(Painter& p, const Lane& lane, const Block& block, const Edges& x, float top, Rgb fill, Rgb ink) {
  Overlay& o = p.o;
  float right = x.right - scaled(o, 4);
  const float left = x.left + scaled(o, 4) + draw_cut_marks(p, block, x, top, ink, &right);
  const LaneSpan& span = lane.rows.spans[block.first];
  const std::string_view name = o.styles.of(key_of(span)).name;
  const TextFit fit = fit_text(o.metrics, name, right - left);
  float end = left + fit.width;
  std::string_view object;
  if (!fit.elided && lane.content == LaneContent::kIntervals && span.object != 0)
    object = view_of(flamelet_capture_string(o.capture, span.object));
  const float object_x = end + o.metrics.of(' ');
  const TextFit object_fit = fit_text(o.metrics, object, right - object_x);
  if (object_fit.bytes != 0) end = object_x + object_fit.width;
  FixedText<32> time;
  time.add_time(span.end_ns - span.begin_ns);
  const float time_x = end + o.metrics.of(' ') * 2;
  const float time_end = time_x + p.canvas.width(time.view());
  const bool shows_time = !fit.elided && time_end <= right;

  const float text_y = top + scaled(o, 1);
  clear_label(p, x, top, left, shows_time ? time_end : end, false, fill);
  p.canvas.draw_fit(left, text_y, ink, name, fit);
  p.canvas.draw_fit(object_x, text_y, ink, object, object_fit);
  p.characters += fit.bytes + object_fit.bytes;
  if (!shows_time) return;
  p.canvas.text(time_x, text_y, quieter(ink, fill), time.view());
  p.characters += static_cast<uint32_t>(time.view().size());
}

void draw_label(Painter& p, const Lane& lane, const Block& block) {
  const Edges x = edges(p.page, block);
  // The shortest label is two letters and an ellipsis, or a count of two digits.
  if (x.right - x.left < scaled(p.o, 4) * 2 + p.o.metrics.size) return;
  if (p.characters >= p.most_characters) return;
  Rgb ink;
  const Rgb fill = block_fill(p.o, lane, block, &ink);
  const float top = p.block_top(lane, block.depth);
  if (block.merged())
    draw_count(p, block, x, top, fill, ink);
  else
    draw_name(p, lane, block, x, top, fill, ink);
}

// A mark in the gap above the lane, so that no label is hidden.
void draw_instants(Painter& p, const Lane& lane, uint32_t lane_index) {
  Overlay& o = p.o;
  LanesPage& page = p.page;
  const double width = static_cast<double>(page.canvas.width);
  const float height = lane_gap(o) - 1;
  const float bottom = p.y + lane.y - 1;
  double last_px = -1e9;
  for (uint32_t i = 0; i < lane.instant_count; ++i) {
    const double px = x_at(o.timeline.view(), static_cast<double>(lane.instants[i].time_ns), width);
    if (!(px >= 0) || !(px < width) || px - last_px < static_cast<double>(height)) continue;
    last_px = px;
    const float x = page.canvas.x + static_cast<float>(px);
    const bool hovered = page.mouse.hover.lane == lane_index && page.mouse.hover.instant == i;
    p.canvas.triangle(x - height * 0.8f, bottom - height, x + height * 0.8f, bottom - height, x, bottom,
                      hovered ? color::kSelect : color::kInstant);
  }
}

void draw_outlines(Painter& p, const Lane& lane, uint32_t lane_index) {
  Overlay& o = p.o;
  LanesPage& page = p.page;
  if (!o.selection.scope.valid && page.mouse.hover.lane != lane_index) return;
  const bool selected_here =
      o.selection.span.valid && o.selection.span.lane_kind == lane.kind && o.selection.span.lane_id == lane.id;
  const float row = row_height(o);
  for (uint32_t i = 0; i < lane.layout.block_count; ++i) {
    const uint32_t index = lane.layout.first_block + i;
    const Block& block = page.canvas.blocks[index];
    if (!p.row_visible(lane, block.depth)) continue;
    const float top = p.block_top(lane, block.depth);
    const Edges x = edges(page, block);
    const LaneSpan& span = lane.rows.spans[block.first];
    const bool hovered = page.mouse.hover.lane == lane_index && page.mouse.hover.block == index;
    if (!block.merged() && o.selection.scope.is(span, lane.kind)) {
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

// Chosen, or that by which the processors name a thread, or that of its kind.
Rgb mark_color(const Overlay& o, const Lane& lane) {
  const bool is_runner = lane.kind == FLAMELET_LANE_THREAD && o.store.has_states();
  if (lane.color != 0 || is_runner) return thread_color(o, lane);
  return kLaneColors[static_cast<uint32_t>(lane.kind) & 3];
}

void draw_gutter(Painter& p, const Lane& lane) {
  Overlay& o = p.o;
  const float row = row_height(o);
  const float mark = scaled(o, 3);
  p.canvas.rect(p.x, p.y + lane.y, p.x + mark, p.y + lane.y + lane.height - 1, mark_color(o, lane));
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

// A line from the GPU span under the mouse to the CPU scope that submitted it.
void draw_submitter(Painter& p) {
  Overlay& o = p.o;
  LanesPage& page = p.page;
  if (page.mouse.hover.block >= page.canvas.blocks.count || page.mouse.hover.lane >= o.store.lanes().count ||
      !page.mouse.submitter.found)
    return;
  const Lane& gpu_lane = o.store.lanes()[page.mouse.hover.lane];
  if (gpu_lane.kind != FLAMELET_LANE_GPU) return;
  const Lane* cpu_lane = nullptr;
  for (const Lane& lane : o.store.lanes())
    if (lane.capture_lane == page.mouse.submitter.place.lane && lane.kind == FLAMELET_LANE_THREAD) cpu_lane = &lane;
  if (cpu_lane == nullptr || !(cpu_lane->height > 0)) return;
  const Block& block = page.canvas.blocks[page.mouse.hover.block];
  const double width = static_cast<double>(page.canvas.width);
  const double cpu_px = x_at(o.timeline.view(), static_cast<double>(page.mouse.submitter.place.begin_ns), width);
  const float cpu_x = page.canvas.x + static_cast<float>(std::min(std::max(cpu_px, 0.0), width));
  const uint32_t depth = cpu_lane->folded ? 0 : page.mouse.submitter.place.depth;
  const float cpu_y = p.y + cpu_lane->place(static_cast<float>(depth + 1) * row_height(o)) - 1;
  const float gpu_x = page.canvas.x + block.x0;
  const float gpu_y = p.y + gpu_lane.place(static_cast<float>(block.depth) * row_height(o));
  const float thickness = std::max(1.5f, 1.5f * o.unit);
  p.canvas.line(cpu_x, cpu_y, gpu_x, gpu_y, color::kSelect, thickness, 200);
  const float dot = scaled(o, 2);
  p.canvas.rect(gpu_x - dot, gpu_y - dot, gpu_x + dot, gpu_y + dot, color::kSelect);
  const uint32_t span =
      find_span_beginning(cpu_lane->rows, page.mouse.submitter.place.begin_ns, page.mouse.submitter.place.depth);
  if (span == cpu_lane->rows.span_count || cpu_px < 0 || cpu_px > width || cpu_lane->folded ||
      !p.row_visible(*cpu_lane, depth)) {
    p.canvas.rect(cpu_x - dot, cpu_y - dot, cpu_x + dot, cpu_y + dot, color::kSelect);  // it is not in sight
    return;
  }
  const double end_px = x_at(o.timeline.view(), static_cast<double>(cpu_lane->rows.spans[span].end_ns), width);
  const float end_x = page.canvas.x + static_cast<float>(static_cast<int>(std::min(end_px, width)));
  p.canvas.outline(static_cast<float>(static_cast<int>(cpu_x)), p.block_top(*cpu_lane, depth),
                   std::max(end_x, cpu_x + 2), cpu_y, color::kSelect);
}

// Draws each lane of scopes and intervals among those that stay at the top, or among those that scroll.
template <typename Draw>
void for_each_lane(Painter& p, bool stays, Draw draw) {
  const Array<Lane>& lanes = p.o.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i)
    if (lanes[i].stays == stays && p.lane_visible(lanes[i]) && has_blocks(lanes[i].content)) draw(lanes[i], i);
}

void draw_all_blocks(Painter& p, bool stays) {
  for_each_lane(p, stays, [&p](const Lane& lane, uint32_t i) {
    if (lane.leader == i) draw_gutter(p, lane);
    draw_blocks(p, lane);
  });
}

void draw_all_labels(Painter& p, bool stays) {
  bool any_stays = false;
  if (!stays) for_each_lane(p, true, [&any_stays](const Lane&, uint32_t) { any_stays = true; });
  p.most_characters = kMostCharacters - (any_stays ? kStayingCharacters : 0);
  for_each_lane(p, stays, [&p](const Lane& lane, uint32_t i) {
    for (uint32_t b = 0; b < lane.layout.block_count; ++b) {
      const Block& block = p.page.canvas.blocks[lane.layout.first_block + b];
      if (p.row_visible(lane, block.depth)) draw_label(p, lane, block);
    }
    draw_instants(p, lane, i);
    draw_outlines(p, lane, i);
  });
}

void draw_lines(Painter& p) {
  Overlay& o = p.o;
  LanesPage& page = p.page;
  const int before = p.canvas.list()->VtxBuffer.Size;
  draw_fiber_joins(o, page, p.canvas, p.y);
  draw_critical_path(o, page, p.canvas, p.y);
  draw_flow_lines(o, page, p.canvas, p.y);
  draw_selected_message(o, page, p.canvas, p.y, p.clip_top, p.clip_bottom);
  draw_submitter(p);
  p.lines = p.canvas.list()->VtxBuffer.Size != before;
}

}  // namespace

void draw_fold_arrow(const Frame& frame, Canvas& canvas, const Lane& lane, float x, float top) {
  const float middle = top + static_cast<float>(static_cast<int>(row_height(frame) * 0.5f));
  const float size = scaled(frame, 4);
  const float arrow = x + scaled(frame, 12);
  if (lane.folded)
    canvas.triangle(arrow - size * 0.6f, middle - size, arrow + size * 0.8f, middle, arrow - size * 0.6f, middle + size,
                    color::kTextDim);
  else
    canvas.triangle(arrow - size, middle - size * 0.6f, arrow + size, middle - size * 0.6f, arrow, middle + size * 0.8f,
                    color::kTextDim);
}

void draw_lanes(Overlay& o, LanesPage& page, float x, float y, float clip_top, float clip_bottom) {
  Painter p = {o, page, Canvas(ImGui::GetWindowDrawList(), o.metrics), x, y, clip_top, clip_bottom};
  // What scrolls is cut where the lanes that stay end.
  const float covered = clip_top + page.canvas.covered;
  const bool cut = page.canvas.covered > 0;
  const auto cut_scrolling = [&] {
    if (cut)
      p.canvas.list()->PushClipRect(ImVec2(x, covered), ImVec2(page.canvas.x + page.canvas.width, clip_bottom), true);
  };
  const auto end_cut = [&] {
    if (cut) p.canvas.list()->PopClipRect();
  };
  draw_grid(o, page, p.canvas, clip_top, clip_bottom);
  draw_state_edges(o, page, p.canvas, y, clip_top, clip_bottom);
  draw_all_blocks(p, true);
  draw_processors(o, page, p.canvas, x, y, clip_top, clip_bottom, true);
  cut_scrolling();
  draw_all_blocks(p, false);
  draw_processors(o, page, p.canvas, x, y, clip_top, clip_bottom, false);
  end_cut();
  draw_lines(p);
  cut_scrolling();  // where there are no lines, ImGui makes one command of both parts
  draw_all_labels(p, false);
  draw_quiet_line(o, page, p.canvas, x, y);
  end_cut();
  draw_all_labels(p, true);
  lay_out_counter_lanes(o, page, p.canvas, y, clip_top, clip_bottom);  // with the vertices that are left
  cut_scrolling();
  draw_counter_lanes(o, page, p.canvas, x, y, clip_top, clip_bottom, false);
  end_cut();
  draw_counter_lanes(o, page, p.canvas, x, y, clip_top, clip_bottom, true);
  if (cut) p.canvas.rect(x, covered - 1, page.canvas.x + page.canvas.width, covered, color::kGridFrame);
  draw_flow_ends(o, page, p.canvas, y);
  draw_measured_time(o, page, p.canvas, clip_top, clip_bottom);
  if (o.store.span_count() == 0 && o.store.intervals().count() == 0)
    p.canvas.text_center(page.canvas.x, page.canvas.x + page.canvas.width, clip_top + (clip_bottom - clip_top) * 0.4f,
                         color::kTextDim,
                         o.standing || flamelet_enabled() ? "nothing was recorded here" : "recording is off");
}

}  // namespace flamelet::ui

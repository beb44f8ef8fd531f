// SPDX-License-Identifier: MIT
#include <math.h>
#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/sums.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/connections.h"
#include "lanes/lanes_page.h"
#include "lanes/viewport.h"
#include "pages/messages/messages_page.h"
#include "pages/pages.h"
#include "pages/why/why_page.h"

namespace flamelet::ui {

// Drawing the lanes, in three layers: the blocks of all lanes, the lines that lead from lane to lane, and the labels. A line
// ends at the edges of a label that it would cross.

namespace {

// The height of the critical path's line, which lies at the bottom of a row.
float critical_thickness(const Frame& frame) {
  return scaled(frame, 2);
}

// The part of kMostCharacters for the lanes that stay at the top, whose labels come last.
constexpr uint32_t kStayingCharacters = kMostCharacters / 3;

// By flamelet_lane_kind.
constexpr ThemeColor kLaneColors[] = {color::kLaneThread, color::kLaneGpu, color::kLaneExternal, color::kLaneFiber};

struct Painter {
  DrawContext& o;
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

uint32_t matches_in(const Lane& lane, const Block& block) {
  return lane.matches.before_span(block.end) - lane.matches.before_span(block.first);
}

Rgb block_fill(Content& content, const Choice& choice, const Lane& lane, const Block& block, Rgb* ink) {
  if (block.merged()) {
    *ink = color::kMergedText;
    if (!choice.filter.active() || lane.matches.bits == nullptr) return color::kMerged;
    if (matches_in(lane, block) != 0) {
      *ink = ink_on(color::kMergedMatch);
      return color::kMergedMatch;
    }
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  const LaneSpan& span = lane.rows.spans[block.first];
  const ScopeStyle& style = content.styles.of(key_of(span));
  if (choice.filter.active() && !style.matches) {
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  *ink = style.ink;
  return (block.flags & kBlockOtherShade) != 0 ? other_shade(style.fill) : style.fill;
}

// Two scopes that stand side by side in a row must not have the same colour. From the next frame on one of them has
// another, if the colour comes from its name; until then, and else, it takes another shade.
bool separate_colors(Content& content, const Choice& choice, const Lane& lane, const Block& left, const Block& right) {
  if (left.depth != right.depth || left.merged() || right.merged() || choice.filter.active()) return false;
  const LaneSpan& a = lane.rows.spans[left.first];
  const LaneSpan& b = lane.rows.spans[right.first];
  if (a.name == b.name) return false;
  content.styles.separate(key_of(a), key_of(b));
  return true;
}

// A merged block is lower than a single one: it says "several" without its count, too.
float merged_inset(const Frame& frame) {
  return whole(row_height(frame) * 0.16f);
}

void draw_blocks(Painter& p, const Lane& lane) {
  DrawContext& o = p.o;
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
    const Edges x = edges(page.canvas.x, block->x0, block->x1);
    block->flags &= static_cast<uint16_t>(~kBlockOtherShade);
    Rgb ink;
    Rgb fill = block_fill(o, o, lane, *block, &ink);
    if (fill == fill_before && separate_colors(o, o, lane, *before, *block)) {
      block->flags |= kBlockOtherShade;
      fill = other_shade(fill);
    }
    before = block;
    fill_before = fill;
    const float shrink = block->merged() ? inset : 0;
    p.canvas.reserved_rect(x.left, top + shrink, x.right, top + row - 1 - shrink, pack(fill));
  }
}

// Where the lane's spans found no room it is hatched, so that nobody takes it for idle. In the first row without a block there
// it says so.
void draw_unread(Painter& p, const Lane& lane) {
  const double width = static_cast<double>(p.page.canvas.width);
  const double begin_px = x_at(p.o.timeline.view(), static_cast<double>(lane.last_read_ns), width);
  const float from = whole(std::clamp(begin_px, 0.0, width));
  const float room = p.page.canvas.width - from, row = row_height(p.o);
  if (lane.left_out == 0 || room < row) return;
  const float left = p.page.canvas.x + from, right = p.page.canvas.x + p.page.canvas.width;
  const float top = p.y + lane.y, bottom = top + lane.height - 1;
  for (float x = left - (bottom - top) + row; x < right; x += 2 * row) {
    const float x0 = std::max(x, left), x1 = std::min(x + bottom - top, right);
    p.canvas.line(x0, bottom - (x0 - x), x1, bottom - (x1 - x), color::kMerged, std::max(1.0f, scaled(p.o, 2)));
  }
  uint32_t depth = 0;
  for (uint32_t b = 0; b < lane.layout.block_count; ++b) {
    const Block& block = p.page.canvas.blocks[lane.layout.first_block + b];
    if (block.x1 > from + row) depth = std::max(depth, block.depth + 1u);
  }
  const float text_top = p.block_top(lane, depth), pad = scaled(p.o, 4), length = p.canvas.width("not read: zoom in");
  if (!p.row_visible(lane, depth) || text_top + row > bottom + 1 || length + 2 * pad > room) return;
  p.canvas.rect(left, text_top, left + length + 2 * pad, text_top + row, color::kCanvas);
  p.canvas.text(left + pad, text_top + scaled(p.o, 1), color::kFrameOver, "not read: zoom in");
}

// Where a span goes on beyond the view: a small arrow at the edge. Returns the room that it takes.
float draw_cut_marks(Painter& p, const Block& block, const Edges& x, float top, Rgb ink, float* right) {
  const float size = scaled(p.o, 3);
  const float middle = top + whole(row_height(p.o) * 0.5f);
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
  DrawContext& o = p.o;
  float right = x.right - scaled(o, 4);
  const float left = x.left + scaled(o, 4) + draw_cut_marks(p, block, x, top, ink, &right);
  const LaneSpan& span = lane.rows.spans[block.first];
  SeenText seen;
  const std::string_view name = seen_text(o.styles.of(key_of(span)).name, &seen);
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
  const Edges x = edges(p.page.canvas.x, block.x0, block.x1);
  // The shortest label is two letters and an ellipsis, or a count of two digits.
  if (x.right - x.left < scaled(p.o, 4) * 2 + p.o.metrics.size) return;
  if (p.characters >= p.most_characters) return;
  Rgb ink;
  const Rgb fill = block_fill(p.o, p.o, lane, block, &ink);
  const float top = p.block_top(lane, block.depth);
  if (block.merged())
    draw_count(p, block, x, top, fill, ink);
  else
    draw_name(p, lane, block, x, top, fill, ink);
}

// A mark in the gap above the lane, so that no label is hidden.
void draw_instants(Painter& p, const Lane& lane, uint32_t lane_index) {
  DrawContext& o = p.o;
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
  DrawContext& o = p.o;
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
    const Edges x = edges(page.canvas.x, block.x0, block.x1);
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
Rgb mark_color(const Content& content, const Lane& lane) {
  const bool is_runner = lane.kind == FLAMELET_LANE_THREAD && content.store.has_states();
  if (lane.color != 0 || is_runner) return thread_color(content, lane);
  return kLaneColors[static_cast<uint32_t>(lane.kind) & 3];
}

// Without room for all of it, the begin and the end, where lanes of many processes or workers differ.
float draw_lane_name(Canvas& canvas, float x, float y, float room, std::string_view name) {
  const FontMetrics& font = canvas.font();
  if (canvas.width(name) <= room || room < 4 * font.ellipsis_width)
    return canvas.text_fit(x, y, room, color::kText, name);
  const TextFit head = fit_text(font, name, room / 4);
  const float dots = head.elided ? 0 : canvas.text(x, y, color::kText, font.ellipsis);  // not even two letters fit
  canvas.draw_fit(x, y, color::kText, name, head);
  const float head_width = head.width + dots;
  float width = head_width;
  size_t begin = name.size();
  for (size_t at = begin; at-- > head.bytes;) {
    if ((name[at] & 0xC0) == 0x80) continue;
    width += canvas.width(name.substr(at, begin - at));
    if (width > room) break;
    begin = at;
  }
  return head_width + canvas.text(x + head_width, y, color::kText, name.substr(begin));
}

void draw_gutter(Painter& p, const Lane& lane) {
  DrawContext& o = p.o;
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
  const float name_width = draw_lane_name(p.canvas, text_x, top + scaled(o, 1), room - count_width, lane.name);
  if (lane.merged > 1) p.canvas.text(text_x + name_width, top + scaled(o, 1), color::kTextDim, several.view());
  if (lane.left_out != 0 && lane.height >= 2 * row) {
    FixedText<64> text;
    text.add('+').add_grouped(lane.left_out).add(" unread");
    p.canvas.text_fit(text_x, top + row + scaled(o, 1), room, color::kFrameOver, text.view());
  }
}

// A line from the GPU span under the mouse to the CPU scope that submitted it.
void draw_submitter(Painter& p) {
  DrawContext& o = p.o;
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
  const float end_x = page.canvas.x + whole(std::min(end_px, width));
  p.canvas.outline(whole(cpu_x), p.block_top(*cpu_lane, depth), std::max(end_x, cpu_x + 2), cpu_y, color::kSelect);
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
    draw_unread(p, lane);
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

bool has_message(const Content& content, TimeWindow view) {
  for (const Lane& lane : content.store.lanes()) {
    const flamelet_point* const end = lane.instants + lane.instant_count;
    const flamelet_point* first = std::partition_point(
        lane.instants, end, [&](const flamelet_point& point) { return point.time_ns < view.begin_ns; });
    if (first != end && first->time_ns < view.end_ns) return true;
  }
  return false;
}

// Why there is no scope in view, as far as that is known.
void draw_why_empty(const Content& content, Canvas& canvas, float x, float width, float y) {
  constexpr std::string_view kShort = "no scopes here";
  const std::string_view off = view_of(flamelet_capture_categories_off(content.capture));
  const TimeWindow all = recorded_time(content.capture);
  flamelet_frame_info frame = {};
  flamelet_capture_frame(content.capture, flamelet_capture_find_frame(content.capture, content.timeline.shown().first),
                         &frame);
  FixedText<192> text;
  if (!content.standing && !flamelet_enabled())
    text.add("recording is off");
  else if (all.end_ns <= all.begin_ns)
    text.add("nothing was recorded");
  else if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0)
    text.add(kShort).add(": events are lost");
  else if (text.add(kShort); has_message(content, window_of(content.timeline.view())))
    text.add(", only messages");
  else if (!off.empty() && (off.front() == '*' || off.back() == '*'))  // with all that have no switch of their own
    text.add("; categories were off, for a time or always");
  else if (!off.empty())
    text.add("; off, for a time or always: ").add(off);
  canvas.text_center(x, x + width, y, color::kTextDim, canvas.width(text.view()) <= width ? text.view() : kShort);
}

// When the selected message was.
void draw_selected_message(DrawContext& o, LanesPage& page, Canvas& canvas, float y, float clip_top,
                           float clip_bottom) {
  const SelectedMessage& selected = o.selection.message;
  if (!selected.valid) return;
  const double px =
      x_at(o.timeline.view(), static_cast<double>(selected.time_ns), static_cast<double>(page.canvas.width));
  if (!(px >= 0) || !(px < static_cast<double>(page.canvas.width))) return;
  const float x = page.canvas.x + whole(px);
  canvas.rect(x, clip_top, x + 1, clip_bottom, color::kSelect, 130);
  const Lane* lane = find_lane(o, selected.lane_kind, selected.lane_id);
  if (lane == nullptr || !(lane->height > 0)) return;
  const float size = lane_gap(o);
  const float bottom = y + lane->y;
  if (bottom < std::max(clip_top, y + lane->covered_to) || bottom > clip_bottom) return;
  canvas.triangle(x - size, bottom - size, x + size + 1, bottom - size, x + 0.5f, bottom, color::kSelect);
}

// The scope whose flows are shown. False if there is none.
bool find_scope(Content& content, const Choice& choice, LanesPage& page, uint32_t* capture_lane, TimeWindow* times) {
  const Hover& hover = page.mouse.hover;
  if (hover.block < page.canvas.blocks.count && hover.lane < content.store.lanes().count) {
    const Lane& lane = content.store.lanes()[hover.lane];
    const Block& block = page.canvas.blocks[hover.block];
    const uint32_t in_lane = hover.block - lane.layout.first_block;
    if (hover.block >= lane.layout.first_block && in_lane < lane.layout.block_count && !block.merged()) {
      const LaneSpan& span = lane.rows.spans[block.first];
      *capture_lane = lane.capture_lane;
      *times = {span.begin_ns, span.end_ns};
      return true;
    }
  }
  if (!choice.selection.span.valid) return false;
  const Lane* lane = find_lane(content, choice.selection.span.lane_kind, choice.selection.span.lane_id);
  if (lane == nullptr) return false;
  *capture_lane = lane->capture_lane;
  *times = {choice.selection.span.span.begin_ns, choice.selection.span.span.end_ns};
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

// Arrows of the flows in the scope under the mouse, or else in the selected one; and then their heads, over the labels.
void draw_flow_lines(DrawContext& o, LanesPage& page, Canvas& canvas, float y) {
  uint32_t capture_lane = 0;
  TimeWindow times;
  if (!find_scope(o, o, page, &capture_lane, &times)) return page.flows.clear();
  page.flows.choose(o.capture, flow_window(o), o.store.generation(), capture_lane, times);
  page.flows.lay_out(o.timeline.view(), page.canvas.width, row_height(o), o.store.lanes());
  for (const FlowLine& line : page.flows.lines()) draw_line(o, page, canvas, line, y, color::kEdge, 1);
  for (const FlowLine& line : page.flows.lines()) draw_line(o, page, canvas, line, y, color::kFlow, 0);
}

// From piece to piece of the scopes of fibers.
void draw_fiber_joins(const Content& content, const Frame& frame, LanesPage& page, Canvas& canvas, float y) {
  page.fibers.lay_out(content.store, content.timeline.view(), page.canvas.width, row_height(frame));
  const float thickness = std::max(1.0f, frame.unit);
  for (const FiberJoin& join : page.fibers.joins())
    canvas.line(page.canvas.x + join.x0, y + join.y0, page.canvas.x + join.x1, y + join.y1, color::kLaneFiber,
                thickness);
}

constexpr float kLeastPx = 3;

// Vertices of a draw list with indices of 16 bits, without those that are still to come: labels, outlines, marks.
constexpr int kMostVertices = 65535 - 2048 - static_cast<int>(kMostCharacters) * 4;

// Bright, with a dark edge, so that it stands out from any scope's colour.
// The frame's critical path, if it is wanted and known. `y` is where the lanes' content begins.
void draw_critical_path(const DrawContext& o, const Why& why, LanesPage& page, Canvas& canvas, float y) {
  Array<LineRect>& rects = page.canvas.critical_line;
  rects.clear();
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

void draw_lines(Painter& p, const Why& why) {
  DrawContext& o = p.o;
  LanesPage& page = p.page;
  const int before = p.canvas.list()->VtxBuffer.Size;
  draw_fiber_joins(o, o, page, p.canvas, p.y);
  draw_critical_path(o, why, page, p.canvas, p.y);
  draw_flow_lines(o, page, p.canvas, p.y);
  draw_selected_message(o, page, p.canvas, p.y, p.clip_top, p.clip_bottom);
  draw_submitter(p);
  p.lines = p.canvas.list()->VtxBuffer.Size != before;
}

// Labels that were placed on the ruler: later ones must not touch them.
class Occupied {
 public:
  bool take(float left, float right) {
    for (uint32_t i = 0; i < count_; ++i)
      if (left < right_[i] && right > left_[i]) return false;
    if (count_ == kMost) return false;
    left_[count_] = left;
    right_[count_++] = right;
    return true;
  }

 private:
  static constexpr uint32_t kMost = 256;  // as many as stand on the widest screens
  float left_[kMost], right_[kMost];
  uint32_t count_ = 0;
};

// How many of the first frames are before what is asked for.
template <typename Before>
size_t count_frames(const flamelet_capture* capture, Before before) {
  flamelet_frame_info frame;
  return first_not(size_t{0}, flamelet_capture_frame_count(capture),
                   [&](size_t i) { return flamelet_capture_frame(capture, i, &frame) && before(frame); });
}

// Frame numbers at the frames' begins, of as many frames as there is room for: of all, or if that is not `all`, of some.
// Returns whether there is room for all.
bool draw_frame_numbers(const Content& content, Frame& drawn, LanesPage& page, Canvas& canvas, float text_y, bool all,
                        Occupied* occupied) {
  const View view = content.timeline.view();
  const TimeWindow window = window_of(view);
  const double width = static_cast<double>(page.canvas.width);
  const auto over = [&](const flamelet_frame_info& frame) { return frame.end_ns <= window.begin_ns; };
  const auto begun = [&](const flamelet_frame_info& frame) { return frame.begin_ns < window.end_ns; };
  const size_t begin = count_frames(content.capture, over), end = count_frames(content.capture, begun);
  flamelet_frame_info first, last;
  if (begin >= end || !flamelet_capture_frame(content.capture, begin, &first) ||
      !flamelet_capture_frame(content.capture, end - 1, &last))
    return true;
  const auto write = [](uint64_t index, TextWriter* label) { label->add('#').add_grouped(index); };
  FixedText<32> label;
  write(last.index, &label);
  const float x0 = static_cast<float>(std::max(x_at(view, static_cast<double>(first.begin_ns), width), 0.0));
  const float x1 = static_cast<float>(std::min(x_at(view, static_cast<double>(last.end_ns), width), width));
  const float space = canvas.width(label.view()) + scaled(drawn, 50);  // a time stands between two of them
  uint32_t numbers = 0;
  float newest = 0;
  const uint64_t step = frame_label_step(last.index - first.index + 1, x1 - x0, space);
  if ((step == 1) != all) return step == 1;
  for (uint64_t index = first.index - first.index % step; index <= last.index; index += step) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(content.capture, flamelet_capture_find_frame(content.capture, index), &frame)) continue;
    const double x = x_at(view, static_cast<double>(frame.begin_ns), width);
    if (x <= 0) continue;
    const float at = page.canvas.x + whole(x);
    label.clear();
    write(index, &label);
    const float left = at + scaled(drawn, 3);
    const float right = left + canvas.width(label.view());
    if (right > page.canvas.x + page.canvas.width || !occupied->take(left, right + scaled(drawn, 6))) continue;
    canvas.text(left, text_y, color::kAccent, label.view());
    ++numbers;
    newest = left;
  }
  drawn.notes.note_count("frame_numbers", numbers);
  drawn.notes.note_place("last_frame_number", newest, text_y);
  return step == 1;
}

// What goes through all lanes: lines at points of time, and the measured time.

// Frames in view; more of these lines would be a grey wall, or an amber one.
constexpr uint32_t kMostBorders = 128;
constexpr uint32_t kMostBudgetLines = 6;

// Arrows of flows: a dot where a flow begins, a head where it ends, a bar where the other end is not known.

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

// Lines at the ruler's ticks, at the frames' borders and at the budget, behind the blocks.
void draw_grid(const DrawContext& o, const LanesPage& page, Canvas& canvas, float top, float bottom) {
  const View view = o.timeline.view();
  const double width = static_cast<double>(page.canvas.width);
  const auto line = [&](double time_ns, Rgb rgb, uint32_t alpha) {
    const double x = x_at(view, time_ns, width);
    if (!(x >= 0) || !(x < width)) return;
    const float at = page.canvas.x + whole(x);
    canvas.rect(at, top, at + 1, bottom, rgb, alpha);
  };
  const TimeWindow shown = o.timeline.shown_window();
  const Ruler ruler = make_ruler(view, shown.begin_ns, page.canvas.width, scaled(o, 72));
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

// The time that the user measures, over all else.
void draw_measured_time(const DrawContext& o, const LanesPage& page, Canvas& canvas, float top, float bottom) {
  if (!o.selection.measures()) return;
  const double width = static_cast<double>(page.canvas.width);
  const View view = o.timeline.view();
  const double x0 = std::max(x_at(view, static_cast<double>(o.selection.measured.begin_ns), width), 0.0);
  const double x1 = std::min(x_at(view, static_cast<double>(o.selection.measured.end_ns), width), width);
  if (x1 <= x0) return;
  const float left = page.canvas.x + static_cast<float>(x0);
  const float right = page.canvas.x + static_cast<float>(x1);
  canvas.rect(left, top, right, bottom, color::kSelect, 28);
  canvas.rect(left, top, left + 1, bottom, color::kSelect, 160);
  canvas.rect(right - 1, top, right, bottom, color::kSelect, 160);
  FixedText<32> text;
  text.add_time(o.selection.measured_ns());
  const float pad = scaled(o, 5);
  const float text_width = canvas.width(text.view());
  const float text_x = std::min(std::max(whole((left + right - text_width) * 0.5f), page.canvas.x + pad),
                                page.canvas.x + page.canvas.width - text_width - pad);
  const float text_y = bottom - o.metrics.size - scaled(o, 8);
  canvas.rect(text_x - pad, text_y - scaled(o, 2), text_x + text_width + pad, text_y + o.metrics.size + scaled(o, 2),
              color::kControlOn);
  canvas.text(text_x, text_y, color::kInkLight, text.view());
}

void draw_flow_ends(const Frame& frame, const LanesPage& page, Canvas& canvas, float y) {
  for (const FlowLine& line : page.flows.lines()) draw_ends(frame, page, canvas, line, y, color::kEdge, 1);
  for (const FlowLine& line : page.flows.lines()) draw_ends(frame, page, canvas, line, y, color::kFlow, 0);
}

}  // namespace

void draw_fold_arrow(const Frame& frame, Canvas& canvas, const Lane& lane, float x, float top) {
  const float middle = top + whole(row_height(frame) * 0.5f);
  draw_arrow(frame, canvas, x + scaled(frame, 12), middle, !lane.folded);
}

void draw_lanes(DrawContext& o, const Why& why, LanesPage& page, float x, float y, float clip_top, float clip_bottom) {
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
  draw_state_edges(o, o, page, p.canvas, y, clip_top, clip_bottom);
  draw_all_blocks(p, true);
  draw_processors(o, o, page, p.canvas, x, y, clip_top, clip_bottom, true);
  cut_scrolling();
  draw_all_blocks(p, false);
  draw_processors(o, o, page, p.canvas, x, y, clip_top, clip_bottom, false);
  end_cut();
  draw_lines(p, why);
  cut_scrolling();  // where there are no lines, ImGui makes one command of both parts
  draw_all_labels(p, false);
  draw_quiet_line(o, page, p.canvas, x, y);
  end_cut();
  draw_all_labels(p, true);
  lay_out_counter_lanes(o, o, page, p.canvas, y, clip_top, clip_bottom);  // with the vertices that are left
  cut_scrolling();
  draw_counter_lanes(o, o, page, p.canvas, x, y, clip_top, clip_bottom, false);
  end_cut();
  draw_counter_lanes(o, o, page, p.canvas, x, y, clip_top, clip_bottom, true);
  if (cut) p.canvas.rect(x, covered - 1, page.canvas.x + page.canvas.width, covered, color::kGridFrame);
  draw_flow_ends(o, page, p.canvas, y);
  draw_measured_time(o, page, p.canvas, clip_top, clip_bottom);
  const auto& lanes = o.store.lanes();
  const auto hidden = std::count_if(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.hidden; });
  const bool hides_all = hidden != 0 && hidden == lanes.end() - lanes.begin();
  const float middle = clip_top + (clip_bottom - clip_top) * 0.4f;
  if (hides_all)
    p.canvas.text_center(page.canvas.x, page.canvas.x + page.canvas.width, middle, color::kTextDim,
                         hidden == 1 ? "the only lane is hidden: Z shows it" : "all lanes are hidden: Z shows them");
  else if (o.store.span_count() == 0 && o.store.intervals().count() == 0)
    draw_why_empty(o, p.canvas, page.canvas.x, page.canvas.width, middle);
}

void draw_ruler(const Content& content, Frame& frame, LanesPage& page, float x, float y, float height) {
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  const float right = page.canvas.x + page.canvas.width;
  canvas.rect(x, y, right, y + height, color::kPanel);
  const View view = content.timeline.view();
  const double width = static_cast<double>(page.canvas.width);
  const TimeWindow shown = content.timeline.shown_window();
  const float text_y = y + scaled(frame, 1);

  FixedText<64> span;
  span.add("view ").add_time(static_cast<int64_t>(view.duration_ns()));
  canvas.text_fit(x + scaled(frame, 6), text_y, gutter_width(frame) - scaled(frame, 10), color::kTextMid, span.view());

  Occupied occupied;
  const bool numbers_all = draw_frame_numbers(content, frame, page, canvas, text_y, true, &occupied);
  const Ruler ruler = make_ruler(view, shown.begin_ns, page.canvas.width, scaled(frame, 72));
  const auto tick = [&](double at_ns, float length, Rgb rgb) {
    const double at = x_at(view, at_ns, width);
    if (!(at >= 0) || !(at < width)) return -1.0f;
    const float px = page.canvas.x + whole(at);
    canvas.rect(px, y + height - length, px + 1, y + height, rgb);
    return px;
  };
  const uint32_t minors = ruler.count * ruler.minor_per_step;
  for (uint32_t i = 0; i < minors; ++i)
    tick(static_cast<double>(ruler.first_ns) +
             static_cast<double>(i) * static_cast<double>(ruler.step_ns) / static_cast<double>(ruler.minor_per_step),
         scaled(frame, 2), color::kGridFrame);
  // Numbers of some frames stand where the times, in even steps, leave room.
  const int64_t label_step_ns = (numbers_all ? 1 : 2) * ruler.step_ns;
  bool with_unit = true;  // on the first label only
  for (uint32_t i = 0; i < ruler.count; ++i) {
    const int64_t offset_ns = ruler.first_ns - shown.begin_ns + static_cast<int64_t>(i) * ruler.step_ns;
    const float px = tick(static_cast<double>(shown.begin_ns + offset_ns), scaled(frame, 5), color::kTextDim);
    if (px < 0 || offset_ns % label_step_ns != 0) continue;
    FixedText<32> label;
    write_tick(offset_ns, label_step_ns, with_unit, &label);
    const float label_x = px + scaled(frame, 3);
    const float label_right = label_x + canvas.width(label.view());
    if (label_right > right || !occupied.take(label_x, label_right + scaled(frame, 4))) continue;
    canvas.text(label_x, text_y, with_unit ? color::kText : color::kTextMid, label.view());
    with_unit = false;
  }
  if (!numbers_all) draw_frame_numbers(content, frame, page, canvas, text_y, false, &occupied);
}

}  // namespace flamelet::ui

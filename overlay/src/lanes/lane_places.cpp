// SPDX-License-Identifier: MIT
#include "lanes/lane_places.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text_buffer.h"
#include "lanes/lane_parts.h"
#include "shell/json.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kMostStay = 2.0f / 3;  // of the window, that lanes which stay at the top may take

bool lane_shown(const Choice& choice, const Lane& lane) {
  if (lane.hidden || !lane.seen) return false;
  if (!has_blocks(lane.content)) return true;  // a counter always has a value
  return !choice.settings.hide_empty || lane.layout.block_count != 0;
}

// The end of the last outermost span that was ever read.
void note_newest(Lane* lane) {
  if (lane->rows.row_count == 0) return;
  const uint32_t last = lane->rows.order[lane->rows.row_begin[1] - 1];
  lane->newest_ns = std::max(lane->newest_ns, lane->rows.spans[last].end_ns);
}

bool quiet(const Lane& lane, int64_t view_begin_ns) {
  return lane.content == LaneContent::kSpans && lane.layout.block_count == 0 && !lane.pinned &&
         lane.newest_ns < view_begin_ns - QuietLanes::kQuietNs;
}

// Left and right edge of what the lane has in view; 0, 0 if that is nothing.
struct Extent {
  float left = 0, right = 0;
};
Extent extent_of(const LanesPage& page, const Lane& lane) {
  Extent extent;
  for (uint32_t i = 0; i < lane.layout.block_count; ++i) {
    const Block& block = page.canvas.blocks[lane.layout.first_block + i];
    if (block.depth != 0) break;  // blocks stand by depth, and nothing is wider than what is around it
    if (i == 0) extent.left = block.x0;
    extent.right = std::max(extent.right, block.x1);
  }
  return extent;
}

// Into the first row of lanes with this name in which it covers nothing; UINT32_MAX: it leads a row of its own. Lanes of
// one name come in the order of their begins, so it is enough to know where each row ends.
uint32_t find_row(Content& content, uint32_t index, Extent extent) {
  Array<Lane>& lanes = content.store.lanes();
  for (uint32_t i = 0; i < index; ++i) {
    const Lane& leader = lanes[i];
    if (!(leader.height > 0) || leader.leader != i || leader.content != LaneContent::kSpans) continue;
    if (leader.kind != lanes[index].kind || leader.name != lanes[index].name) continue;
    if (extent.right <= extent.left || extent.left >= leader.row_end_px) return i;
  }
  return UINT32_MAX;
}

// One row below the other. Pinned lanes come first, and stay at the top as far as they leave room for others. Returns where
// the lanes end.
float stack_rows(Overlay& o, LanesPage& page) {
  Array<Lane>& lanes = o.store.lanes();
  const float scrolled = page.canvas.scrolled();
  const float most_stay = (page.canvas.bottom - page.canvas.top) * kMostStay;
  float y = lane_gap(o) + scaled(o, 1);
  page.canvas.covered = 0;
  for (uint32_t i = 0; i < lanes.count; ++i) {
    Lane& lane = lanes[i];
    if (!(lane.height > 0)) continue;
    const Lane& leader = lanes[lane.leader];
    if (lane.leader != i) {
      lane.y = leader.y;
      lane.height = leader.height;
      lane.stays = leader.stays;
    } else {
      lane.y = y;
      y += lane.height + lane_gap(o);
      lane.stays = lane.pinned && y <= most_stay;
      if (lane.stays) lane.y += scrolled;
      if (lane.stays && scrolled > 0) page.canvas.covered = y;
    }
    lane.covered_to = lane.stays || !(page.canvas.covered > 0) ? 0 : scrolled + page.canvas.covered;
  }
  return y;
}

}  // namespace

void move_canvas(Content& content, LanesPage& page, float top, float bottom, float content_y) {
  const float before = page.canvas.scrolled();
  page.canvas.top = top;
  page.canvas.bottom = bottom;
  page.canvas.y = content_y;
  for (Lane& lane : content.store.lanes())
    if (lane.stays) lane.y += page.canvas.scrolled() - before;
}

void place_lanes(Overlay& o, LanesPage& page) {
  Array<Lane>& lanes = o.store.lanes();
  const int64_t begin_ns = window_of(o.timeline.view()).begin_ns;
  QuietLanes& silent = page.canvas.quiet;
  silent.count = 0;
  for (Lane& lane : lanes) {
    note_newest(&lane);
    if (lane_shown(o, lane) && quiet(lane, begin_ns)) ++silent.count;
  }
  if (silent.count < QuietLanes::kLeast || !o.settings.fold_quiet) silent.count = 0;
  const bool fold_quiet = silent.count != 0 && !silent.unfolded;

  // Which row each lane is in, and how high that row has to be.
  for (uint32_t i = 0; i < lanes.count; ++i) {
    Lane& lane = lanes[i];
    lane.height = 0;
    lane.leader = i;
    lane.merged = 1;
    if (!lane_shown(o, lane) || (fold_quiet && quiet(lane, begin_ns))) continue;
    const uint32_t row_count = lane.content == LaneContent::kCounters     ? counter_lane_rows(o, lane)
                               : lane.content == LaneContent::kProcessors ? page.states.processor_count
                                                                          : lane.layout.row_count;
    lane.tallest = page.canvas.compact ? row_count : std::max(lane.tallest, row_count);
    const uint32_t rows = lane.folded ? 1 : std::max(lane.tallest, 1u);
    lane.height = static_cast<float>(rows) * row_height(o);
    if (!o.settings.merge_lanes || lane.content != LaneContent::kSpans) continue;
    const Extent extent = extent_of(page, lane);
    lane.row_end_px = extent.right;
    const uint32_t leader = find_row(o, i, extent);
    if (leader == UINT32_MAX) continue;
    lane.leader = leader;
    lane.folded = lanes[leader].folded;
    lanes[leader].merged += 1;
    lanes[leader].row_end_px = std::max(lanes[leader].row_end_px, extent.right);
    lanes[leader].height = std::max(lanes[leader].height, lane.height);
  }

  float y = stack_rows(o, page);
  silent.y = y;
  if (silent.count != 0) y += row_height(o) + lane_gap(o);
  page.canvas.height = y;
}

void draw_quiet_line(Frame& frame, LanesPage& page, Canvas& canvas, float x, float y) {
  const QuietLanes& silent = page.canvas.quiet;
  if (silent.count == 0) return;
  FixedText<64> text;
  text.add(silent.unfolded ? "fold " : "").add_unsigned(silent.count).add(" quiet lanes");
  canvas.text_fit(x + scaled(frame, 21), y + silent.y + scaled(frame, 1), gutter_width(frame) - scaled(frame, 27),
                  color::kTextDim, text.view());
}

bool is_covered(const LanesPage& page, float y) {
  return y < page.canvas.scrolled() + page.canvas.covered;
}

bool on_quiet_line(const Frame& frame, const LanesPage& page, float y) {
  const QuietLanes& silent = page.canvas.quiet;
  return silent.count != 0 && !is_covered(page, y) && y >= silent.y && y < silent.y + row_height(frame);
}

void write_places_state(const Content& content, const LanesPage& page, JsonObject* json) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < content.store.lanes().count; ++i)
    rows += content.store.lanes()[i].height > 0 && content.store.lanes()[i].leader == i;
  json->add("lane_rows", rows);
  json->add("quiet_lanes", page.canvas.quiet.count);
  json->add_number("quiet_y_px", static_cast<double>(page.canvas.y + page.canvas.quiet.y));
}

}  // namespace flamelet::ui

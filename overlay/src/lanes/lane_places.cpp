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

bool lane_shown(const Overlay& o, const Lane& lane) {
  if (lane.hidden || !lane.seen) return false;
  if (lane.content == LaneContent::kCounters) return true;  // a counter always has a value
  return !o.settings.hide_empty || lane.layout.block_count != 0;
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
Extent extent_of(const Overlay& o, const Lane& lane) {
  Extent extent;
  for (uint32_t i = 0; i < lane.layout.block_count; ++i) {
    const Block& block = o.canvas.blocks[lane.layout.first_block + i];
    if (block.depth != 0) break;  // blocks stand by depth, and nothing is wider than what is around it
    if (i == 0) extent.left = block.x0;
    extent.right = std::max(extent.right, block.x1);
  }
  return extent;
}

// Into the first row of lanes with this name in which it covers nothing; UINT32_MAX: it leads a row of its own. Lanes of
// one name come in the order of their begins, so it is enough to know where each row ends.
uint32_t find_row(Overlay& o, uint32_t index, Extent extent) {
  Array<Lane>& lanes = o.store.lanes();
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
float stack_rows(Overlay& o) {
  Array<Lane>& lanes = o.store.lanes();
  const float scrolled = o.canvas.scrolled();
  const float most_stay = (o.canvas.bottom - o.canvas.top) * kMostStay;
  float y = lane_gap(o) + scaled(o, 1);
  o.canvas.covered = 0;
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
      if (lane.stays && scrolled > 0) o.canvas.covered = y;
    }
    lane.covered_to = lane.stays || !(o.canvas.covered > 0) ? 0 : scrolled + o.canvas.covered;
  }
  return y;
}

}  // namespace

void move_canvas(Overlay& o, float top, float bottom, float content_y) {
  const float before = o.canvas.scrolled();
  o.canvas.top = top;
  o.canvas.bottom = bottom;
  o.canvas.y = content_y;
  for (Lane& lane : o.store.lanes())
    if (lane.stays) lane.y += o.canvas.scrolled() - before;
}

void place_lanes(Overlay& o) {
  Array<Lane>& lanes = o.store.lanes();
  const int64_t begin_ns = window_of(o.timeline.view()).begin_ns;
  QuietLanes& silent = o.canvas.quiet;
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
    const bool counters = lane.content == LaneContent::kCounters;
    const uint32_t row_count = counters ? counter_lane_rows(o, lane) : lane.layout.row_count;
    lane.tallest = o.canvas.compact ? row_count : std::max(lane.tallest, row_count);
    const uint32_t rows = lane.folded ? 1 : std::max(lane.tallest, 1u);
    lane.height = static_cast<float>(rows) * row_height(o);
    if (!o.settings.merge_lanes || lane.content != LaneContent::kSpans) continue;
    const Extent extent = extent_of(o, lane);
    lane.row_end_px = extent.right;
    const uint32_t leader = find_row(o, i, extent);
    if (leader == UINT32_MAX) continue;
    lane.leader = leader;
    lane.folded = lanes[leader].folded;
    lanes[leader].merged += 1;
    lanes[leader].row_end_px = std::max(lanes[leader].row_end_px, extent.right);
    lanes[leader].height = std::max(lanes[leader].height, lane.height);
  }

  float y = stack_rows(o);
  silent.y = y;
  if (silent.count != 0) y += row_height(o) + lane_gap(o);
  o.canvas.height = y;
}

void draw_quiet_line(Overlay& o, Canvas& canvas, float x, float y) {
  const QuietLanes& silent = o.canvas.quiet;
  if (silent.count == 0) return;
  FixedText<64> text;
  text.add(silent.unfolded ? "fold " : "").add_unsigned(silent.count).add(" quiet lanes");
  canvas.text_fit(x + scaled(o, 21), y + silent.y + scaled(o, 1), gutter_width(o) - scaled(o, 27), color::kTextDim,
                  text.view());
}

bool is_covered(const Overlay& o, float y) {
  return y < o.canvas.scrolled() + o.canvas.covered;
}

bool on_quiet_line(const Overlay& o, float y) {
  const QuietLanes& silent = o.canvas.quiet;
  return silent.count != 0 && !is_covered(o, y) && y >= silent.y && y < silent.y + row_height(o);
}

void write_places_state(const Overlay& o, JsonObject* json) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < o.store.lanes().count; ++i)
    rows += o.store.lanes()[i].height > 0 && o.store.lanes()[i].leader == i;
  json->add("lane_rows", rows);
  json->add("quiet_lanes", o.canvas.quiet.count);
  json->add_number("quiet_y_px", static_cast<double>(o.canvas.y + o.canvas.quiet.y));
}

}  // namespace flamelet::ui

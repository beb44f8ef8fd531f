// SPDX-License-Identifier: MIT
#include "lanes/lane_keys.h"

#include <algorithm>

#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "lanes/span_neighbors.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

void go_to(Overlay& o, const Lane& lane, uint32_t span) {
  if (span == lane.rows.span_count) return;
  select_and_show(o, {true, lane.kind, lane.id, o.store.whole_span(o.capture, lane, span)});
}

void select_longest_in_view(Overlay& o) {
  const TimeWindow view = window_of(o.timeline.view());
  const Lane* best = nullptr;
  uint32_t longest = 0;
  for (const Lane& lane : o.store.lanes()) {
    if (!(lane.height > 0)) continue;
    const uint32_t span = longest_in(lane.rows, view);
    if (span == lane.rows.span_count) continue;
    if (best != nullptr && !(length_in(lane.rows.spans[span], view) > length_in(best->rows.spans[longest], view)))
      continue;
    best = &lane;
    longest = span;
  }
  if (best != nullptr) go_to(o, *best, longest);
}

// The outermost scope at this time on the next shown lane above (-1) or below (+1) that has one.
void go_to_lane(Overlay& o, const Lane& from, int by, int64_t time_ns) {
  const Array<Lane>& lanes = o.store.lanes();
  const Lane* nearest = nullptr;
  for (const Lane& lane : lanes) {
    if (!(lane.height > 0) || lane.rows.span_count == 0 || lane.leader == from.leader) continue;
    if ((lane.leader < from.leader) != (by < 0)) continue;
    // The first of several in one row wins.
    if (nearest == nullptr || (by > 0 ? lane.leader < nearest->leader : lane.leader > nearest->leader)) nearest = &lane;
  }
  if (nearest != nullptr) go_to(o, *nearest, nearest_root(nearest->rows, time_ns));
}

}  // namespace

void select_neighbor(Overlay& o, Neighbor direction) {
  update_spans(o);
  const SelectedSpan from = o.selection.span;
  const Lane* lane = from.valid ? find_lane(o, from.lane_kind, from.lane_id) : nullptr;
  const uint32_t span = lane != nullptr ? find_same_span(lane->rows, from.span) : 0;
  if (lane == nullptr || span == lane->rows.span_count) return select_longest_in_view(o);
  const int64_t middle_ns = from.span.begin_ns + (from.span.end_ns - from.span.begin_ns) / 2;
  uint32_t to = lane->rows.span_count;
  switch (direction) {
    case Neighbor::kParent:
      to = parent_of(lane->rows, span);
      if (to == lane->rows.span_count) return go_to_lane(o, *lane, -1, middle_ns);
      break;
    case Neighbor::kChild:
      to = longest_child(lane->rows, span);
      if (to == lane->rows.span_count) return go_to_lane(o, *lane, 1, middle_ns);
      break;
    case Neighbor::kPrevious:
      to = along_row(lane->rows, span, -1);
      break;
    case Neighbor::kNext:
      to = along_row(lane->rows, span, 1);
      break;
  }
  go_to(o, *lane, to);
}

void select_or_zoom(Overlay& o) {
  if (o.selection.span.valid)
    zoom_to_selection(o);
  else
    select_longest_in_view(o);
}

void measure_selection(Overlay& o) {
  if (o.selection.measures()) return o.selection.forget_measured();
  if (!o.selection.span.valid) return;
  freeze(o);
  o.selection.measured = {o.selection.span.span.begin_ns, o.selection.span.span.end_ns};
}

void open_selection_menu(Overlay& o) {
  LanesPage& page = lanes_of(o);
  o.pages.open("lanes");
  LaneMenu& menu = page.mouse.menu;
  const Lane* lane = lane_of_keys(o);
  if (lane == nullptr) return;
  menu.span = o.selection.span;
  menu.lane_kind = lane->kind;
  menu.lane_id = lane->id;
  menu.open = true;
  menu.by_key = true;
  const double width = static_cast<double>(page.canvas.width);
  const double at =
      menu.span.valid ? x_at(o.timeline.view(), static_cast<double>(menu.span.span.begin_ns), width) : 0.0;
  menu.x = page.canvas.x + static_cast<float>(std::min(std::max(at, 0.0), width));
  menu.y = page.canvas.y + lane->place(0);
}

Lane* lane_of_keys(Overlay& o) {
  LanesPage& page = lanes_of(o);
  Array<Lane>& lanes = o.store.lanes();
  if (o.selection.span.valid) {
    Lane* lane = find_lane(o, o.selection.span.lane_kind, o.selection.span.lane_id);
    if (lane != nullptr) return lane;
  }
  if (page.mouse.hover.lane < lanes.count) return &lanes[page.mouse.hover.lane];
  Lane* first = nullptr;
  for (Lane& lane : lanes)
    if (lane.height > 0 && first == nullptr) first = &lane;
  return first;
}

void move_lane(Overlay& o, const Lane& lane, int by) {
  LanesPage& page = lanes_of(o);
  Array<Lane>& lanes = o.store.lanes();
  if (!o.lane_choices.move(&lanes, static_cast<uint32_t>(&lane - lanes.data), by)) return;
  page.mouse.hover.leave_lanes();  // its indices are others now
  o.settings.changed = true;
}

void move_selected_lane(Overlay& o, int by) {
  const Lane* lane = lane_of_keys(o);
  if (lane != nullptr) move_lane(o, *lane, by);
}

void show_hidden_lanes(Overlay& o) {
  if (o.lane_choices.hidden_count() == 0) return;
  o.lane_choices.show_all();
  o.lane_choices.arrange(&o.store.lanes());
  o.settings.changed = true;
}

void fold_selected_lane(Overlay& o) {
  Lane* lane = lane_of_keys(o);
  if (lane != nullptr) lane->folded = !lane->folded;
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
//
// capture_lane_eviction.cpp: which tracks and fibers keep a lane when there are more of them than places. The newest win,
// and threads win over fibers, whose events stand on the threads' lanes, too. What a new lane takes, in this order:
//   1. a place that is free, or that of a lane without a page that will not get one any more;
//   2. that of a fiber that has ended;
//   3. for a thread: that of any fiber. One that has pages of its own, as only files have them, keeps its place with them;
//   4. for a thread: that of an ended thread. The oldest pages of the capture go until one has none left.
// There are more places than tracks can be alive (kLeastLanes), so a thread always gets one. A fiber that loses its lane is
// counted (names_missing); the events of a thread that does are counted as evicted.
#include "capture/capture_data.h"

namespace flamelet {
namespace {

bool is_fiber_without_pages(const Lane& lane) {
  return is_fiber(lane) && lane.pages.count == 0;
}

uint32_t place_of_nothing(flamelet_capture* capture) {
  return capture->lanes.next_where(
      [&](const Lane& lane) { return !lane.alive && !capture->pages.holds(lane.last_page); });
}

uint32_t place_of_ended_track(flamelet_capture* capture) {
  const LaneTable& lanes = capture->lanes;
  bool any = false;
  for (uint32_t i = 0; i < lanes.count() && !any; ++i) any = !lanes[i].alive && !is_fiber(lanes[i]);
  while (any && capture->pages.held() != 0) {
    const uint32_t owner = capture->pages.info(capture->pages.oldest()).lane;
    evict_oldest(capture);
    if (!lanes[owner].alive && !capture->pages.holds(lanes[owner].last_page)) return owner;
  }
  return kNoLane;
}

uint32_t find_place(flamelet_capture* capture, bool for_fiber) {
  LaneTable& lanes = capture->lanes;
  uint32_t place = place_of_nothing(capture);
  if (place == kNoLane)
    place = lanes.next_where([](const Lane& lane) { return is_fiber_without_pages(lane) && !lane.alive; });
  if (place == kNoLane && !for_fiber) place = lanes.next_where(is_fiber_without_pages);
  if (place == kNoLane && !for_fiber) place = place_of_ended_track(capture);
  return place;
}

}  // namespace

uint32_t lane_for(flamelet_capture* capture, uint32_t id, flamelet_lane_kind kind) {
  LaneTable& lanes = capture->lanes;
  const bool fiber = kind == FLAMELET_LANE_FIBER;
  uint32_t lane = lanes.find(id, fiber);
  if (lane != kNoLane) return lane;
  if (lanes.full()) {
    lane = find_place(capture, fiber);
    if (lane == kNoLane) {
      ++capture->counts.names_missing;
      return kNoLane;
    }
    const Lane& before = lanes[lane];
    if (is_fiber(before) && (before.alive || capture->pages.holds(before.last_page))) ++capture->counts.names_missing;
    forget_lane(capture, lane);
  }
  lane = lanes.add(id, kind, lane);
  lanes[lane].alive = capture->census == nullptr || may_live(*capture->census, id, fiber);
  return lane;
}

uint32_t lane_of_page(flamelet_capture* capture, const PageHeader& header) {
  return header.track != 0 ? lane_for(capture, header.track, FLAMELET_LANE_THREAD)
                           : lane_for(capture, header.fiber, FLAMELET_LANE_FIBER);
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "capture/capture_lanes.h"

#include "capture/capture_data.h"
#include "record/names.h"

namespace flamelet {

// ---- capture fibers

void FiberRuns::attach(FiberRun* runs, uint32_t capacity) {
  runs_ = runs;
  capacity_ = capacity;
}

RunId FiberRuns::add(FiberRunList* list, const FiberRun& run) {
  if (capacity_ == 0) return 0;
  // The ring overwrites the run that arrived first. Links to it die; it can be the newest of no list but one whose
  // other runs are gone too, because inserted runs are few and near the end.
  if (end_ - first_ == capacity_) ++first_;
  const RunId id = end_++;

  // Those of a page follow each other, so the search goes on where the one before ended, unless links died there.
  RunId previous = holds(list->added) ? list->added : list->newest;
  RunId next = holds(previous) ? (*this)[previous].next : 0;
  while (holds(next) && (*this)[next].begin_ticks <= run.begin_ticks) {
    previous = next;
    next = (*this)[next].next;
  }
  if (!holds(next)) {
    next = 0;
    previous = list->newest;
  }
  while (holds(previous) && (*this)[previous].begin_ticks > run.begin_ticks) {
    next = previous;
    previous = (*this)[previous].previous;
  }
  FiberRun& added = (*this)[id];
  added = run;
  added.previous = previous;
  added.next = next;
  if (holds(previous)) (*this)[previous].next = id;
  if (next != 0) {
    (*this)[next].previous = id;
  } else {
    list->newest = id;
  }
  list->added = id;
  return id;
}

void FiberRuns::swap_with_previous(FiberRunList* list, RunId id) {
  FiberRun& run = (*this)[id];
  const RunId other_id = run.previous;
  FiberRun& other = (*this)[other_id];
  if (holds(other.previous)) (*this)[other.previous].next = id;
  if (holds(run.next)) (*this)[run.next].previous = other_id;
  if (list->newest == id) list->newest = other_id;
  run.previous = other.previous;
  other.next = run.next;
  other.previous = id;
  run.next = other_id;
}

namespace {

uint32_t hash_of_lane(uint32_t id, bool fiber) {
  return hash_of_key(uint64_t{id} << 1 | (fiber ? 1u : 0u));
}

}  // namespace

void LaneTable::attach(Lane* lanes, uint32_t max_lanes, uint32_t* slots) {
  lanes_ = lanes;
  max_lanes_ = max_lanes;
  index_.attach(slots, HashIndex::slots_for(max_lanes));
  clear();
}

void LaneTable::clear() {
  count_ = 0;
  hand_ = 0;
  index_.clear();
}

uint32_t LaneTable::find(uint32_t id, bool fiber) const {
  return index_.find(hash_of_lane(id, fiber),
                     [&](uint32_t lane) { return lanes_[lane].id == id && is_fiber(lanes_[lane]) == fiber; });
}

uint32_t LaneTable::add(uint32_t id, flamelet_lane_kind kind, uint32_t instead) {
  if (full()) index_.remove(instead, [this](uint32_t at) { return hash_of_lane(lanes_[at].id, is_fiber(lanes_[at])); });
  const uint32_t lane = full() ? instead : count_++;
  no_place_since[0] = no_place_since[1] = 0;
  Lane& added = lanes_[lane];
  added = Lane();
  added.id = id;
  added.kind = kind;
  added.alive = true;
  write_default_name(added.default_name, kind, id);
  index_.add(hash_of_lane(id, is_fiber(added)), lane);
  return lane;
}

void LaneTable::set_kind(uint32_t lane, flamelet_lane_kind kind) {
  lanes_[lane].kind = kind;
  write_default_name(lanes_[lane].default_name, kind, lanes_[lane].id);
}

// Capture tracks: what the recorder's table of tracks adds to the pages: names, kinds, and the last word on loss.
//
// Events that were overwritten in front of a page show in that page's first_event. Those behind a track's last page show
// nowhere but in the table: once the track has ended, what it recorded and the reader has not seen is lost. A track that
// came and went between two looks at the table still shows in the sum over all tracks that ended. So, when nobody
// records: recorded = read + lost, exactly.

namespace {

flamelet_lane_kind lane_kind(uint32_t track_kind) {
  if (track_kind == FLAMELET_TRACK_GPU) return FLAMELET_LANE_GPU;
  return track_kind == FLAMELET_TRACK_EXTERNAL ? FLAMELET_LANE_EXTERNAL : FLAMELET_LANE_THREAD;
}

flamelet_lane_kind kind_of(const TrackRecord& record) {
  return record.fiber != 0 ? FLAMELET_LANE_FIBER : lane_kind(record.kind);
}

void end_lane(flamelet_capture* capture, Lane* lane, uint64_t final_events) {
  if (!lane->ended) capture->ended_events += final_events;
  lane->ended = true;
  lane->final_events = final_events;
}

// Lanes for the tracks that had ended before the poll, also for those of which nothing is left but their loss, if there
// is room.
void end_lanes(flamelet_capture* capture, const TrackCensus& census) {
  LaneTable& lanes = capture->lanes;
  for (uint32_t i = 0; i < census.ended_count; ++i) {
    const TrackCensus::Ended& ended = census.ended[i];
    uint32_t lane = lanes.find(ended.id, false);
    if (lane == kNoLane && !lanes.full() && ended.events != 0) {
      lane = lanes.add(ended.id, lane_kind(ended.kind), kNoLane);
      ++capture->version;
    }
    if (lane != kNoLane) end_lane(capture, &lanes[lane], ended.events);
  }
}

void name_lane(flamelet_capture* capture, const TrackTable& table, uint32_t slot) {
  LaneTable& lanes = capture->lanes;
  TrackRecord record;
  if (!table.get(table.user, slot, &record)) return;
  const uint32_t index = lanes.find(record.id, record.fiber != 0);
  if (index == kNoLane) return;
  Lane& lane = lanes[index];
  // An ended track lives until the update that knew of its end before it polled: there may be pages to come. An ended
  // fiber's name stays in the table, so such a page makes its lane anew.
  lane.alive = !record.ended || (record.fiber == 0 && !lane.ended);
  if (lane.name != record.name || lane.kind != kind_of(record)) {
    lane.name = record.name;
    lanes.set_kind(index, kind_of(record));
    ++capture->version;
  }
}

void name_lanes(flamelet_capture* capture, const TrackTable& table) {
  LaneTable& lanes = capture->lanes;
  for (uint32_t i = 0; i < lanes.count(); ++i) lanes[i].alive = false;
  lanes.no_place_since[0] = lanes.no_place_since[1] = 0;
  const uint32_t used = table.used(table.user);
  for (uint32_t slot = 0; slot < used; ++slot) name_lane(capture, table, slot);
  for (uint32_t slot = FLAMELET_MAX_TRACKS; slot < table.slots; ++slot) name_lane(capture, table, slot);
}

// A fiber that was destroyed without open scopes, though some were open when it was last seen, ended them in a gap. A page
// that says more may come with the next update of a live capture.
void settle_fiber(flamelet_capture* capture, Lane* lane) {
  if (lane->alive || lane->updates_since == 2) return;
  if (lane->destroyed_ticks == 0) {
    lane->destroyed_ticks = capture->newest_ticks;
    ++capture->version;
  }
  lane->updates_since = capture->is_loaded ? 2 : lane->updates_since + 1;
  if (lane->updates_since != 2 || lane->destroyed_depth != 0 || !capture->fiber_runs.holds(lane->runs.newest)) return;
  const FiberRun& run = capture->fiber_runs[lane->runs.newest];
  if (run.end_depth != 0) capture->frames.lose(run.end_ticks, lane->destroyed_ticks);
}

// What is lost behind the last page of each lane that ended. Worked out anew each time: a page that another reader holds
// may still come.
void settle_lanes(flamelet_capture* capture) {
  LaneTable& lanes = capture->lanes;
  for (uint32_t i = 0; i < lanes.count(); ++i) {
    Lane& lane = lanes[i];
    if (is_fiber(lane)) {
      settle_fiber(capture, &lane);
      continue;
    }
    if (!lane.alive && !lane.ended) end_lane(capture, &lane, lane.next_event);  // its place in the table was taken
    if (lane.ended) leave_in_gap(capture, lane);
    const uint64_t lost_after =
        lane.ended && lane.final_events > lane.next_event ? lane.final_events - lane.next_event : 0;
    if (lost_after == lane.lost_after) continue;
    if (lost_after > lane.lost_after)
      capture->frames.lose(lane.now_ticks, lane.now_ticks != 0 ? capture->newest_ticks : capture->overwritten_ticks);
    capture->counts.events_lost += lost_after - lane.lost_after;  // modulo 2^64
    lane.counts.events_lost += lost_after - lane.lost_after;
    lane.lost_after = lost_after;
    ++capture->version;
  }
}

// Ended tracks that the table does not know any more show in the sum over all that ended. A track whose lane was given
// away in a poll that had more pages of it to come was counted twice: as read then, and as lost before the later page.
// That shows here, too, as a sum that is too small.
void settle_others(flamelet_capture* capture, uint64_t ended_events) {
  uint64_t more = 0, less = 0;
  if (ended_events >= capture->ended_events) {
    more = ended_events - capture->ended_events;
  } else {
    less = capture->ended_events - ended_events;
    // No more than that, because a track that ended during the poll is not in the sum yet.
    if (less > capture->dropped_events) less = capture->dropped_events;
  }
  const uint64_t others = capture->counts.events_lost - capture->unattributed_events;  // modulo 2^64
  if (less > others) less = others;
  const uint64_t unattributed = more - less;
  if (unattributed == capture->unattributed_events) return;
  if (more > less) capture->frames.lose(capture->settled_ticks, capture->overwritten_ticks);
  capture->counts.events_lost = others + unattributed;
  capture->unattributed_events = unattributed;
  ++capture->version;
}

}  // namespace

void take_census(const TrackTable& table, uint64_t ended_events, TrackCensus* census) {
  census->table = &table;
  census->ended_events = ended_events;
  census->newest_id = census->live_count = census->ended_count = 0;
  TrackRecord record;
  // The newest id first: a track that is not newer lives through the second look, or has ended. Its slot is among those
  // that are used by then.
  uint32_t used = table.used(table.user);
  for (uint32_t slot = 0; slot < used; ++slot) {
    if (table.get(table.user, slot, &record) && record.id > census->newest_id) census->newest_id = record.id;
  }
  used = table.used(table.user);
  for (uint32_t slot = 0; slot < used; ++slot) {
    if (!table.get(table.user, slot, &record)) continue;
    if (record.ended) {
      census->ended[census->ended_count++] = {record.id, record.kind, record.events};
    } else {
      census->live[census->live_count++] = record.id;
    }
  }
}

bool may_live(const TrackCensus& census, uint32_t id, bool fiber) {
  if (fiber) {
    // A fiber's id says its place (fiber.cpp).
    const uint32_t places = census.table == nullptr ? 0 : census.table->slots - FLAMELET_MAX_TRACKS;
    TrackRecord record;
    return places != 0 && census.table->get(census.table->user, FLAMELET_MAX_TRACKS + (id - 1) % places, &record) &&
           record.id == id && !record.ended;
  }
  if (id > census.newest_id) return true;
  for (uint32_t i = 0; i < census.live_count; ++i) {
    if (census.live[i] == id) return true;
  }
  return false;
}

void leave_in_gap(flamelet_capture* capture, const Lane& lane) {
  if (!capture->fiber_runs.holds(lane.open_run)) return;
  FiberRun& run = capture->fiber_runs[lane.open_run];
  run.end_ticks = lane.now_ticks;
  run.left_in_gap = true;
}

void forget_lane(flamelet_capture* capture, uint32_t index) {
  Lane& lane = capture->lanes[index];
  if (is_fiber(lane)) return;
  end_lane(capture, &lane, lane.next_event);
  capture->dropped_events += lane.next_event + lane.lost_after;
}

void copy_tracks(flamelet_capture* capture, const TrackTable& table, const TrackCensus& census) {
  end_lanes(capture, census);
  name_lanes(capture, table);
  settle_lanes(capture);
  settle_others(capture, census.ended_events);
  capture->settled_ticks = capture->newest_ticks;
}

// Capture lane eviction: which tracks and fibers keep a lane when there are more of them than places. The newest win,
// and threads win over fibers, whose events stand on the threads' lanes, too. What a new lane takes, in this order:
//   1. a place that is free, or that of a lane without a page that will not get one any more;
//   2. that of a fiber that has ended;
//   3. for a thread: that of any fiber. One that has pages of its own, as only files have them, keeps its place with them;
//   4. for a thread: that of an ended thread. The oldest pages of the capture go until one has none left.
// There are more places than tracks can be alive (kLeastLanes), so a thread always gets one. A fiber that loses its lane is
// counted (names_missing); the events of a thread that does are counted as evicted.

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
    PageId& no_place_since = lanes.no_place_since[fiber ? 1 : 0];
    if (no_place_since != capture->pages.oldest()) lane = find_place(capture, fiber);
    if (lane == kNoLane) {
      no_place_since = capture->pages.oldest();
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
  if (header.track == 0) return lane_for(capture, header.fiber, FLAMELET_LANE_FIBER);
  const flamelet_lane_kind kind = lane_kind(header.kind);
  const uint32_t lane = lane_for(capture, header.track, kind);
  // Pages of a file and of older versions do not say it.
  const bool is_news = lane != kNoLane && kind != FLAMELET_LANE_THREAD && capture->lanes[lane].kind != kind;
  if (is_news) capture->lanes.set_kind(lane, kind);
  return lane;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// capture_tracks.cpp: what the recorder's table of tracks adds to the pages: names, kinds, and the last word on loss.
//
// Events that were overwritten in front of a page show in that page's first_event. Those behind a track's last page show
// nowhere but in the table: once the track has ended, what it recorded and the reader has not seen is lost. A track that
// came and went between two looks at the table still shows in the sum over all tracks that ended. So, when nobody
// records: recorded = read + lost, exactly.
#include "capture/capture_data.h"

namespace flamelet {
namespace {

flamelet_lane_kind kind_of(const TrackRecord& record) {
  if (record.fiber != 0) return FLAMELET_LANE_FIBER;
  if (record.kind == FLAMELET_TRACK_GPU) return FLAMELET_LANE_GPU;
  return record.kind == FLAMELET_TRACK_EXTERNAL ? FLAMELET_LANE_EXTERNAL : FLAMELET_LANE_THREAD;
}

void end_lane(flamelet_capture* capture, Lane* lane, uint64_t final_events) {
  if (!lane->ended) capture->ended_events += final_events;
  lane->ended = true;
  lane->final_events = final_events;
}

}  // namespace

void find_ended_tracks(const TrackTable& table, uint64_t ended_events, EndedTracks* ended) {
  ended->count = 0;
  ended->events = ended_events;
  for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot) {
    TrackRecord record;
    if (table.get(table.user, slot, &record) && record.ended)
      ended->tracks[ended->count++] = {record.id, record.events};
  }
}

void copy_tracks(flamelet_capture* capture, const TrackTable& table, const EndedTracks& ended) {
  LaneTable& lanes = capture->lanes;
  for (uint32_t i = 0; i < ended.count; ++i) {
    uint32_t lane = lanes.find(ended.tracks[i].id, false);
    // A lane for nothing but its loss, if there is room for it.
    if (lane == kNoLane && !lanes.full() && ended.tracks[i].events != 0) {
      lane = lanes.add(ended.tracks[i].id, FLAMELET_LANE_THREAD, kNoLane);
      ++capture->version;
    }
    if (lane != kNoLane) end_lane(capture, &lanes[lane], ended.tracks[i].events);
  }

  for (uint32_t i = 0; i < lanes.count(); ++i) lanes[i].alive = false;
  for (uint32_t slot = 0; slot < table.slots; ++slot) {
    TrackRecord record;
    if (!table.get(table.user, slot, &record)) continue;
    const uint32_t index = lanes.find(record.id, record.fiber != 0);
    if (index == kNoLane) continue;
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

  for (uint32_t i = 0; i < lanes.count(); ++i) {
    Lane& lane = lanes[i];
    if (lane.kind == FLAMELET_LANE_FIBER) continue;
    const uint64_t known = lane.events_read + lane.events_lost;
    if (!lane.alive && !lane.ended) end_lane(capture, &lane, known);  // its place in the table was taken
    // Worked out anew each time: a page that another reader holds may still come.
    const uint64_t lost_after = lane.ended && lane.final_events > known ? lane.final_events - known : 0;
    capture->events_lost += lost_after - lane.events_lost_after;
    if (lost_after != lane.events_lost_after) ++capture->version;
    lane.events_lost_after = lost_after;
  }
  const uint64_t unattributed = ended.events > capture->ended_events ? ended.events - capture->ended_events : 0;
  if (unattributed != capture->unattributed_events) ++capture->version;
  capture->events_lost += unattributed - capture->unattributed_events;
  capture->unattributed_events = unattributed;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// Counters that begin just below where they need one more bit.
#include <vector>

#include "record/thread.h"
#include "record/track.h"
#include "stress.h"

using namespace recorder_test;

namespace {

flamelet::Track* own_track() {
  const uint32_t id = flamelet_thread_id();
  for (flamelet::Track& track : flamelet::tracks)
    if (track.state.load_relaxed() == flamelet::kTrackLive && track.id.load_relaxed() == id) return &track;
  return nullptr;
}

void record_scopes(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) FLAMELET_SCOPE("work");
}

}  // namespace

TEST_CASE("counters: tickets that pass 2^32 and come near 2^47 order pages as before") {
  for (uint64_t start :
       {(uint64_t{1} << 31) - 7, (uint64_t{1} << 32) - 7, (uint64_t{1} << 40) - 7, (uint64_t{1} << 47) - 7}) {
    CAPTURE(start);
    Recording recording(small_config(16));
    // Nothing but the frame track has a ticket yet. The reader begins behind the jump.
    flamelet::page_ring.next_ticket.store_relaxed(start);
    EventReader reader;
    reader.read();
    for (int i = 0; i < 100; ++i) {
      record_scopes(500);
      reader.read();
    }
    CHECK(reader.problem() == "");
    CHECK(reader.total_lost() == 0);
    CHECK(reader.total_read() == stats().events_recorded);
    record_scopes(100'000);
    CHECK(reader.read_problem() == "");
    CHECK(reader.total_read() + reader.total_lost() == stats().events_recorded);
  }
}

TEST_CASE("counters: events of a track are counted past 2^32 and 2^63, and past 2^64 from 0 on") {
  for (uint64_t start :
       {(uint64_t{1} << 31) - 300, (uint64_t{1} << 32) - 300, (uint64_t{1} << 63) - 300, uint64_t{0} - 300}) {
    CAPTURE(start);
    Recording recording;
    EventReader reader;
    flamelet::Track* track = own_track();
    REQUIRE(track != nullptr);
    // As if it had recorded, and lost, that many.
    track->first_event.store_relaxed(start);
    record_scopes(2000);
    CHECK(reader.read_problem() == "");
    const TrackState& read = reader.track(flamelet_thread_id());
    CHECK(read.next_index() == start + 4000);
    CHECK(read.read + read.lost == start + 4000);
    CHECK(stats().events_recorded == start + 4000 + 1);
  }
}

TEST_CASE("counters: sessions pass 2^32 without one that looks like a shut gate or an unregistered site") {
  const uint32_t before = flamelet::recorder.session.load_relaxed();
  flamelet::recorder.session.store_relaxed(UINT32_MAX - 3);
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    Recording recording;
    EventLog log;
    const uint32_t session = flamelet::recorder.session.load_relaxed();
    CHECK(session != 0);
    CHECK(session != UINT32_MAX);
    for (int k = 0; k < 3; ++k) {
      FLAMELET_SCOPE("work");
    }
    CHECK(own_events(&log) == "+work - +work - +work -");
  }
  // The numbers that tests before this one used must not come again.
  flamelet::recorder.session.store_relaxed(before);
}

TEST_CASE("counters: ids of threads pass 2^32 without one that means nothing, the frames or the switches") {
  Recording recording;
  EventLog log;
  flamelet::track_totals.newest_id.store_relaxed(UINT32_MAX - 3);
  std::vector<uint32_t> ids;
  for (int i = 0; i < 6; ++i)
    std::thread([&ids] {
      ids.push_back(flamelet_thread_id());
      FLAMELET_INSTANT("point");
    }).join();
  CHECK(ids == std::vector<uint32_t>{UINT32_MAX - 2, 1, 2, 3, 4, 5});
  CHECK(log.read_problem() == "");
  for (uint32_t id : ids) CHECK(log.text(id) == "!point");
  CHECK(log.text(flamelet::kFrameTrack) == "#0");
}

TEST_CASE("counters: ids of fibers pass 2^32 without one that means the thread or a fiber being made") {
  Recording recording(with_fibers(3));
  for (uint32_t i = 0; i < 3; ++i) flamelet::fibers.places[i].serial = (UINT32_MAX - 1) / 3 - 4;
  for (int i = 0; i < 30; ++i) {
    const uint32_t fiber = flamelet_fiber_create("fiber");
    CHECK(fiber != 0);
    CHECK(fiber != UINT32_MAX);
    flamelet_fiber_switch(0, fiber);
    flamelet_fiber_switch(fiber, 0);
    flamelet_fiber_destroy(fiber);
  }
  CHECK(stats().fiber_misuse == 0);
  CHECK(stats().dropped_fiber == 0);
}

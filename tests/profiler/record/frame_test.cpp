// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/frame.h"
#include "record/thread.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

std::string frames(EventLog* log) {
  log->read();
  return log->problem().empty() ? log->text(flamelet::kFrameTrack) : log->problem();
}

flamelet::Track* own_track() {
  for (flamelet::Track& each : flamelet::tracks)
    if (each.state.load_relaxed() == flamelet::kTrackLive && each.id.load_relaxed() == flamelet_thread_id())
      return &each;
  return nullptr;
}

}  // namespace

TEST_CASE("frame: frame 0 begins at init; each mark begins the next") {
  on_each_clock([](EventLog& log) {
    CHECK(frames(&log) == "#0");
    CHECK(stats().frames == 0);
    flamelet_frame();
    FLAMELET_FRAME();
    CHECK(frames(&log) == "#0 #1* #2");  // what came before the first mark is no whole frame
    CHECK(stats().frames == 2);
  });
}

TEST_CASE("frame: marks go on while recording is disabled") {
  flamelet_config config = small_config();
  config.start_disabled = true;
  Recording recording(config);
  EventLog log;
  flamelet_frame();
  flamelet_frame();
  CHECK(frames(&log) == "#0 #1* #2");
}

TEST_CASE("frame: marks belong to no thread, and may come from another one each time") {
  Recording recording;
  EventLog log;
  for (int i = 0; i < 5; ++i) std::thread([] { flamelet_frame(); }).join();
  CHECK(frames(&log) == "#0 #1* #2 #3 #4 #5");
  CHECK(stats().tracks_live == 0);
}

TEST_CASE("frame: of marks that meet, each is recorded or counted") {
  constexpr uint32_t kThreads = 4, kMarks = 2000;
  Recording recording;
  EventReader reader;
  on_threads(kThreads, [](uint32_t) {
    for (uint32_t i = 0; i < kMarks; ++i) flamelet_frame();
  });
  CHECK(reader.read_problem() == "");
  const TrackState& track = reader.track(flamelet::kFrameTrack);
  CHECK(stats().frames + stats().dropped_frame == kThreads * kMarks);
  CHECK(track.read + track.lost == 1 + stats().frames);
}

TEST_CASE("frame: many marks go round the ring, and the newest are there") {
  ManualClock clock;
  Recording recording(with_clock(small_config(), &clock));
  EventLog log;
  constexpr uint64_t kMarks = 100'000;
  for (uint64_t i = 0; i < kMarks; ++i) flamelet_frame();
  REQUIRE(log.read_problem() == "");
  const std::vector<LoggedEvent>& events = log.events(flamelet::kFrameTrack);
  CHECK(events.back().text == "#" + std::to_string(kMarks));
  CHECK(events.back().index == kMarks);
  CHECK(log.track(flamelet::kFrameTrack).lost > 0);
  CHECK(log.total_read() + log.total_lost() == stats().events_recorded);
}

TEST_CASE("frame: times are in full after a frame of any length") {
  ManualClock clock;
  clock.step = 0;
  Recording recording(with_clock(small_config(), &clock));
  EventLog log;
  std::vector<uint64_t> expected = {clock.ticks};
  for (uint32_t shift = 10; shift < 62; ++shift) {
    clock.ticks += uint64_t{1} << shift;
    flamelet_frame();
    expected.push_back(clock.ticks);
  }
  log.read();
  const std::vector<LoggedEvent>& events = log.events(flamelet::kFrameTrack);
  REQUIRE(events.size() == expected.size());
  for (size_t i = 0; i < events.size(); ++i) CHECK(events[i].ticks == expected[i]);
}

TEST_CASE("frame: a counter that is set back while a thread is on the inlined path spoils no event") {
  Recording recording;
  const auto record = [] {
    FLAMELET_SCOPE("outer");
    for (int i = 0; i < 20; ++i) {
      FLAMELET_SCOPE("inner");
      FLAMELET_INSTANT("point");
    }
  };
  record();
  record();
  flamelet::Track* track = own_track();
  REQUIRE(track != nullptr);
  // As if the page were from before that, and the counter had said five minutes more at 3 GHz.
  const uint64_t later = track->base_ticks.load_relaxed() + (uint64_t{1} << 40);
  track->base_ticks.store_relaxed(later);
  track->page->header.base_ticks = later;
  record();
  EventLog log;
  std::string expected;
  for (int i = 0; i < 3; ++i) {
    expected += "+outer ";
    for (int j = 0; j < 20; ++j) expected += "+inner !point - ";
    expected += "- ";
  }
  expected.pop_back();
  CHECK(own_events(&log) == expected);
}

TEST_CASE("frame: a thread that sits on an old page is sent to a new one before its times become ambiguous") {
  // Only the inlined path does not look at the page's age, so this asks for the gate that sends it away.
  Recording recording;
  { FLAMELET_SCOPE("registers"); }
  const flamelet_clock_kind kind = stats().clock;
  if (kind != FLAMELET_CLOCK_TSC && kind != FLAMELET_CLOCK_CNTVCT) return;
  flamelet::Track* track = own_track();
  REQUIRE(track != nullptr);
  { FLAMELET_SCOPE("settles"); }
  CHECK(track->head.mode == FLAMELET_MODE_INLINE_);
  const flamelet::Page* page = track->page;
  // As if the page and the last sweep were from long ago.
  track->base_ticks.store_relaxed(track->base_ticks.load_relaxed() - flamelet::kMaxPageAgeTicks - 1);
  flamelet::frame_marks.last_sweep_ticks.store_relaxed(flamelet::frame_marks.last_sweep_ticks.load_relaxed() -
                                                       flamelet::kMaxPageAgeTicks);
  flamelet_frame();
  CHECK(track->head.mode == FLAMELET_MODE_CALLS_);
  { FLAMELET_SCOPE("takes a new page"); }
  CHECK(track->page != page);
  CHECK(track->head.mode == FLAMELET_MODE_INLINE_);
}

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
using namespace flamelet;

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

TEST_CASE_ON_EACH_CLOCK("frame: frame 0 begins at init; each mark begins the next") {
  CHECK(frames(&log) == "#0");
  CHECK(stats().frames == 0);
  flamelet_frame();
  FLAMELET_FRAME();
  CHECK(frames(&log) == "#0 #1* #2");  // what came before the first mark is no whole frame
  CHECK(stats().frames == 2);
}

TEST_CASE("frame: marks go on while recording is disabled") {
  Recording recording(with(small_config(), &flamelet_config::start_disabled, true));
  EventLog log;
  flamelet_frame();
  flamelet_frame();
  CHECK(frames(&log) == "#0 #1* #2*");
  flamelet_set_enabled(true);
  flamelet_frame();
  flamelet_frame();
  CHECK(frames(&log) == "#0 #1* #2* #3* #4");
}

TEST_CASE_FIXTURE(LoggedRecording, "frame: marks belong to no thread, and may come from another one each time") {
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
  ManualClock clock(1000, 0);
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

TEST_CASE_FIXTURE(Recording,
                  "frame: a counter that is set back while a thread is on the inlined path spoils no event") {
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

// ---- When a frame mark asks for the threads' times, and that its own time is the one at which they were -----------

namespace {

// Two threads that run by turns on one processor. The one that marks the frame may lose it at any step.
struct Processor {
  static constexpr uint64_t kStep = 1, kStolen = 10'000, kMost = 100;
  int preempted_at;  // this step, from 0
  int preempted_again_at = -1;
  int steps = 0;
  uint64_t time = 1000, lost = 0;

  void step() {
    if (steps == preempted_at || steps == preempted_again_at) {
      time += kStolen;
      lost += kStolen;
    }
    ++steps;
    time += kStep;
  }
};

struct Mark {
  uint64_t time, lost_of_first, lost_of_second, lost_then;
  int steps;
};

Mark mark(Processor processor) {
  Mark mark = {};
  processor.step();
  mark.time = read_at_one_moment(
      Processor::kMost,
      [&processor, &mark] {
        processor.step();
        mark.lost_then = processor.lost;
        return processor.time;
      },
      [&processor, &mark] {
        processor.step();
        mark.lost_of_first = processor.lost;
        processor.step();
        mark.lost_of_second = processor.lost;
      });
  processor.step();
  mark.steps = processor.steps;
  return mark;
}

}  // namespace

TEST_CASE("frame mark: lost time and wall time stand in the same frame, wherever the mark is preempted") {
  const int steps = mark({-1}).steps;
  CHECK(steps == 6);
  for (int first = 0; first < 2 * steps; ++first) {
    for (int second = first; second < 2 * steps; ++second) {
      CAPTURE(first);
      CAPTURE(second);
      const Mark preempted = mark({first, second});
      CHECK(preempted.lost_of_first == preempted.lost_then);
      CHECK(preempted.lost_of_second == preempted.lost_then);
      CHECK(preempted.time - preempted.lost_then < 1100);  // the rest is steps
    }
  }
}

TEST_CASE("frame mark: where reading is always slow, it is read three times and no more") {
  uint64_t time = 0;
  int reads = 0;
  read_at_one_moment(
      10, [&time] { return time += 100; }, [&reads] { ++reads; });
  CHECK(reads == 3);
}

TEST_CASE("frame mark: the threads are asked once in a tenth of a millisecond a thread, and in two milliseconds") {
  AskPace pace;
  CHECK(pace.is_due(5, 1, 1e6));
  pace.asked(5);
  CHECK(!pace.is_due(5 + 199, 1, 1e6));
  CHECK(pace.is_due(5 + 201, 2, 1e6));
  CHECK(!pace.is_due(5 + 899, 9, 1e6));
  CHECK(pace.is_due(5 + 901, 9, 1e6));
  CHECK(!pace.is_due(5 + 1999, 250, 1e6));
  CHECK(pace.is_due(5 + 2001, 250, 1e6));
}

TEST_CASE("frame mark: an answer is told of a frame that it is of, and not of a short one with others before it") {
  AskPace pace;
  CHECK(!pace.asked(0));
  CHECK(pace.asked(16'000));
  pace.not_asked(16'100);
  CHECK(pace.asked(32'000));  // the mark of a library came in between
  for (uint64_t now = 32'010; now <= 32'200; now += 10) pace.not_asked(now);
  CHECK(!pace.asked(32'300));
  CHECK(pace.asked(33'000));
}

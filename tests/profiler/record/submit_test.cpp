// SPDX-License-Identifier: MIT
//
// Events of other clocks: what can be trusted is placed, everything else is kept out and counted.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "rounds.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

constexpr uint64_t kNow = uint64_t{1} << 50;

// A recorder at time kNow, 1 GHz, with one source whose clock reads 0 now and has the same rate.
struct Source {
  explicit Source(double rate = 1e9, const flamelet_config& config = small_config())
      : recording(at_now(config, &clock)), track(flamelet_track_create("gpu", FLAMELET_TRACK_GPU, rate)) {
    REQUIRE(track != 0);
    REQUIRE(flamelet_track_calibrate(track, 0, kNow) == FLAMELET_OK);
  }
  static flamelet_config at_now(const flamelet_config& config, ManualClock* clock) {
    clock->ticks = kNow;
    clock->step = 0;
    return with_clock(config, clock);
  }

  size_t submit(const std::vector<flamelet_event>& events) {
    return flamelet_submit(track, events.data(), events.size());
  }
  // What is on the track, with times from kNow on.
  std::string text() {
    if (!log.read_problem().empty()) return log.problem();
    const std::string all = log.text(track);
    std::string text;
    for (const char* at = all.c_str(); *at != 0;) {
      const bool is_time = !text.empty() && (text.back() == '[' || text.back() == '.') && *at != '.';
      char* end = nullptr;
      if (is_time) text += std::to_string(static_cast<int64_t>(std::strtoull(at, &end, 10) - kNow));
      if (!is_time) text += *at;
      at = is_time ? end : at + 1;
    }
    return text;
  }

  ManualClock clock;
  Recording recording;
  EventLog log;
  const uint32_t track;
};

flamelet_event numbered(flamelet_event event, uint16_t pair) {
  event.pair = pair;
  return event;
}

flamelet_config holding(uint32_t max_submit_open) {
  return with_pages(with(small_config(), &flamelet_config::max_submit_open, max_submit_open), 64);
}

// "B10:1 outer; E40:1": a begin at 10 with the id 1 and a name, and its end. A pair number stands behind the id: "B10:1/2".
// The type 0 is written as a digit.
std::vector<flamelet_event> events_of(const std::string& script) {
  static std::set<std::string> names;
  std::vector<flamelet_event> events;
  std::istringstream all(script);
  for (std::string each; std::getline(all >> std::ws, each, ';');) {
    std::istringstream in(each);
    char type = 0, colon = 0;
    uint64_t ticks = 0, id = 0;
    uint16_t pair = 0;
    std::string name;
    in >> type >> ticks >> colon >> id;
    REQUIRE(colon == ':');
    if (in.peek() == '/') in >> colon >> pair;
    std::getline(in >> std::ws, name);
    const char* text = name.empty() ? nullptr : names.insert(name).first->c_str();
    events.push_back(numbered(event(type == '0' ? '\0' : type, ticks, id, text), pair));
  }
  return events;
}

}  // namespace

TEST_CASE("submit: begins and ends find each other by id and pair number, in any order, in one call or in several") {
  struct Call {
    const char* events;
    size_t taken;
    uint64_t dropped, waiting;  // after it
  };
  struct Row {
    const char* what;
    std::vector<Call> calls;
    const char* text;
    uint32_t max_submit_open = flamelet_config_default().max_submit_open;
  };
  const Row rows[] = {
      {"pairs by id", {{"E40:1; B30:2 inner; B10:1 outer; E35:2", 4, 0, 0}}, "inner[30..35] outer[10..40]"},
      {"of duplicates the first is taken", {{"B5:1 second; B1:1 first; E9:1; E7:1", 2, 2, 0}}, "first[1..7]"},
      {"an end at its begin's time: no length", {{"B5:1 a; E5:1", 2, 0, 0}}, "a[5..5]"},
      {"... whose end is submitted first",
       {{"E5:1; B5:1 a", 2, 0, 0}, {"E6:1", 1, 0, 1}, {"B6:1 b", 1, 0, 0}},
       "a[5..5] b[6..6]"},
      {"passes of one CPU scope overlap and end in any order",
       {{"E40:9/1; B20:9/2 inner; E30:9/2; B10:9/1 outer", 4, 0, 0}},
       "inner[20..30] outer[10..40]"},
      {"a pair number alone pairs what no CPU scope submitted", {{"B1:0/3 a; E2:0/3", 2, 0, 0}}, "a[1..2]"},
      {"an end that comes a call before its begin", {{"E20:1", 1, 0, 1}, {"B10:1 late", 1, 0, 0}}, "late[10..20]"},
      {"an id is used again, in the same call and while its begin waits",
       {{"B10:1 a; E20:1; B20:1 b", 3, 0, 1}, {"E30:1; B40:1 c; E50:1", 3, 0, 0}},
       "a[10..20] b[20..30] c[40..50]"},
      {"an unmatched begin or end is never recorded",
       {{"B1:1 no end; E2:2", 2, 0, 2}, {"B1:3 good; E2:3; B3:4 no end", 3, 0, 3}},
       "good[1..2]"},
      {"of more than max_submit_open the oldest is dropped; an end of that one waits itself",
       {{"B1:1 held", 1, 0, 1},
        {"B2:2 held", 1, 0, 2},
        {"B3:3 held", 1, 0, 3},
        {"B4:4 held", 1, 0, 4},
        {"B5:5 one more", 1, 1, 4},
        {"E11:2; E10:5", 2, 1, 2},
        {"E12:1", 1, 1, 3}},
       "held[2..11] one more[5..10]",
       4},
      {"of one call's unmatched events as many as may wait are kept, the newest",
       {{"B1:1 a; B2:2 b; B3:3 c", 2, 1, 2}, {"E9:1; E9:2; E9:3", 3, 1, 1}},
       "b[2..9] c[3..9]",
       2},
      {"where nothing may wait, a begin and its end must be in one call",
       {{"B1:1 a", 0, 1, 0}, {"E2:1", 0, 2, 0}, {"B1:2 b; E2:2", 2, 2, 0}},
       "b[1..2]",
       0},
      {"a second begin while one waits is a duplicate: the earlier one counts",
       {{"B5:1 second", 1, 0, 1}, {"B1:1 first", 1, 1, 1}, {"B7:1 third", 0, 2, 1}, {"E9:1", 1, 2, 0}},
       "first[1..9]"},
      {"an end before its begin (which may have another), no id at all and an unknown type are kept out",
       {{"B5:1 a; E4:1", 1, 1, 1},
        {"E3:1", 0, 2, 1},
        {"B5:0 a; E6:0", 0, 4, 1},
        {"X5:1 a; 06:1 a; \xff"
         "6:1 a; b6:1 a",
         0, 8, 1}},
       ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Source source(1e9, holding(row.max_submit_open));
    uint64_t dropped = 0;
    for (const Call& call : row.calls) {
      CAPTURE(call.events);
      CHECK(source.submit(events_of(call.events)) == call.taken);
      CHECK(stats().submit_waiting == call.waiting);
      CHECK(stats().dropped_submit == call.dropped);
      dropped = call.dropped + call.waiting;
    }
    CHECK(source.text() == row.text);
    flamelet_track_destroy(source.track);  // what waits is counted then
    CHECK(stats().submit_waiting == 0);
    CHECK(stats().dropped_submit == dropped);
  }
}

TEST_CASE_FIXTURE(Source, "submit: late events go where they were, before what is there") {
  CHECK(submit({event('B', 1000, 1, "new"), event('E', 2000, 1, nullptr)}) == 2);
  clock.ticks += 5000;
  const uint64_t before = uint64_t{0} - 500;
  CHECK(submit({event('B', before, 2, "old"), event('E', before + 100, 2, nullptr)}) == 2);
  CHECK(text() == "new[1000..2000] old[-500..-400]");
}

TEST_CASE_FIXTURE(Source, "submit: instants, names, categories and objects are kept") {
  flamelet_event begin = event('B', 1, 7, "draw"), end = event('E', 3, 7, "ignored"), point = event('I', 2, 0, "flip");
  begin.object = "shadow";
  begin.category = "gpu";
  point.object = "vsync";
  CHECK(submit({begin, point, end}) == 3);
  CHECK(text() == "draw{shadow}[1..3] flip{vsync}[2]");
}

TEST_CASE("submit: a source's rate is its own") {
  Source source(1000);  // milliseconds
  CHECK(source.submit({event('B', 1, 1, "a"), event('E', 3, 1, nullptr)}) == 2);
  CHECK(source.text() == "a[1000000..3000000]");
}

TEST_CASE_ON_EACH_CLOCK("submit: 10 ms are 10 ms in a program that marks no frame and asks for no time") {
  const uint32_t track = calibrated_track("gpu", 1e6);
  const flamelet_event pass[] = {event('B', 0, 1, "pass"), event('E', 10'000, 1, nullptr)};
  REQUIRE(flamelet_submit(track, pass, 2) == 2);
  // Only now, because to ask measures the clock's rate. It was measured over 50 us at least by the submit, so it is
  // not exact, but not another unit either.
  log.read();
  const std::string text = log.text(track);
  unsigned long long begin = 0, end = 0;
  REQUIRE(std::sscanf(text.c_str(), "pass[%llu..%llu]", &begin, &end) == 2);
  const double ticks = flamelet_clock_info().ticks_per_second / 100;
  CHECK(static_cast<double>(end - begin) > 0.8 * ticks);
  CHECK(static_cast<double>(end - begin) < 1.2 * ticks);
}

TEST_CASE_FIXTURE(Source, "submit: the newest calibration places what comes after it") {
  CHECK(submit({event('I', 100, 0, "a")}) == 1);
  CHECK(flamelet_track_calibrate(track, 100, kNow + 150) == FLAMELET_OK);
  CHECK(submit({event('I', 100, 0, "b")}) == 1);
  CHECK(text() == "a[100] b[150]");
}

TEST_CASE_FIXTURE(Source, "submit: a source's clock may wrap around") {
  CHECK(flamelet_track_calibrate(track, UINT64_MAX - 10, kNow) == FLAMELET_OK);
  CHECK(submit({event('B', UINT64_MAX, 1, "a"), event('E', 9, 1, nullptr)}) == 2);
  CHECK(text() == "a[10..20]");
}

TEST_CASE_FIXTURE(Source, "submit: times within an hour from now are taken, others kept out") {
  constexpr uint64_t kHour = 3600ull * 1'000'000'000;
  CHECK(submit({event('I', kHour - 1, 0, "soon")}) == 1);
  CHECK(submit({event('I', uint64_t{0} - (kHour - 1), 0, "just")}) == 1);
  CHECK(submit({event('I', kHour + 1, 0, "future")}) == 0);
  CHECK(submit({event('I', uint64_t{0} - kHour - 1, 0, "past")}) == 0);
  CHECK(submit({event('I', uint64_t{1} << 63, 0, "absurd")}) == 0);
  CHECK(submit({event('I', (uint64_t{1} << 63) - 1, 0, "absurd")}) == 0);
  CHECK(submit({event('B', 0, 1, "half"), event('E', 2 * kHour, 1, nullptr)}) == 1);  // its begin waits
  CHECK(stats().submit_waiting == 1);
  CHECK(stats().dropped_submit == 5);
  CHECK(text() == "soon[3599999999999] just[-3599999999999]");
}

TEST_CASE("submit: no time is placed before the recorder's zero") {
  ManualClock clock(100, 0);
  Recording recording(with_clock(small_config(), &clock));
  EventLog log;
  const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
  CHECK(flamelet_track_calibrate(track, 1000, 100) == FLAMELET_OK);
  const flamelet_event events[] = {event('I', 900, 0, "zero"), event('I', 899, 0, "before")};
  CHECK(flamelet_submit(track, events, 2) == 1);
  log.read();
  CHECK(log.text(track) == "zero[0]");
}

TEST_CASE("submit: absurd rates, calibrations and kinds of tracks place nothing, and harm nothing") {
  for (double rate : {1e-300, 1e-3, 1e15}) {
    Source source(rate);
    for (uint64_t ticks : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63, UINT64_MAX})
      for (uint64_t at : {uint64_t{0}, kNow, uint64_t{1} << 63, UINT64_MAX}) {
        CHECK(flamelet_track_calibrate(source.track, ticks, at) == FLAMELET_OK);
        for (uint64_t time : {uint64_t{0}, uint64_t{1} << 62, UINT64_MAX})
          source.submit({event('B', time, 1, "a"), event('E', time + 1, 1, nullptr), event('I', time, 0, "b")});
      }
    source.text();
    CHECK(source.log.problem() == "");
  }
  Recording recording;
  for (double rate : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e300})
    CHECK(flamelet_track_create("bad", FLAMELET_TRACK_GPU, rate) == 0);
  CHECK(flamelet_track_create("bad", FLAMELET_TRACK_THREAD, 1e9) == 0);
  CHECK(flamelet_track_create("bad", static_cast<flamelet_track_kind>(3), 1e9) == 0);
  CHECK(stats().tracks_live == 0);
}

TEST_CASE_FIXTURE(Recording, "submit: without a calibration nothing can be placed") {
  const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
  const flamelet_event one = event('I', 0, 0, "a");
  CHECK(flamelet_submit(track, &one, 1) == 0);
  CHECK(stats().dropped_submit == 1);
  // Nor by the calibration of the track whose place it has.
  CHECK(flamelet_track_calibrate(track, 0, flamelet_now_ticks()) == FLAMELET_OK);
  CHECK(flamelet_submit(track, &one, 1) == 1);
  flamelet_track_destroy(track);
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    const uint32_t other = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
    CHECK(flamelet_submit(other, &one, 1) == 0);
    flamelet_track_destroy(other);
  }
}

TEST_CASE_FIXTURE(Source, "submit: only a live external track takes events") {
  const flamelet_event one = event('I', 0, 0, "a");
  const uint32_t thread = flamelet_thread_id();
  CHECK(flamelet_submit(thread, &one, 1) == 0);
  CHECK(flamelet_submit(0, &one, 1) == 0);
  CHECK(flamelet_submit(9999, &one, 1) == 0);
  CHECK(flamelet_submit(flamelet::kFrameTrack, &one, 1) == 0);
  CHECK(flamelet_submit(track, nullptr, 1) == 0);
  CHECK(flamelet_submit(track, &one, 0) == 0);
  CHECK(flamelet_track_calibrate(thread, 0, 0) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_track_calibrate(0, 0, 0) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_track_destroy(thread);
  flamelet_track_destroy(9999);
  flamelet_track_destroy(track);
  flamelet_track_destroy(track);
  CHECK(flamelet_submit(track, &one, 1) == 0);
  CHECK(flamelet_track_calibrate(track, 0, 0) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(text() == "");
  CHECK(stats().tracks_live == 1);
}

TEST_CASE_FIXTURE(Source, "submit: nothing is taken while disabled") {
  flamelet_set_enabled(false);
  CHECK(submit({event('I', 0, 0, "off")}) == 0);
  flamelet_set_enabled(true);
  CHECK(submit({event('I', 0, 0, "on")}) == 1);
  CHECK(text() == "on[0]");
}

TEST_CASE("submit: one call may fill many pages, however long it takes") {
  // Each reading of the clock takes 10 ms: interning a batch of names is not faster on a bad day.
  Source source(1e9, with_pages(with(small_config(), &flamelet_config::max_submit_events, 4000), 64));
  source.clock.step = 10'000'000;
  std::vector<flamelet_event> events;
  std::string expected;
  for (uint64_t i = 1; i <= 1500; ++i) {
    events.push_back(event('B', i, i, "a"));
    events.push_back(event('E', i, i, nullptr));
    expected += " a[" + std::to_string(i) + ".." + std::to_string(i) + "]";
  }
  for (uint64_t i = 1; i <= 900; ++i) {
    events.push_back(event('I', i, 0, "b"));
    expected += " b[" + std::to_string(i) + "]";
  }
  const uint64_t before = source.clock.ticks;
  CHECK(source.submit(events) == 3900);
  const uint64_t after = source.clock.ticks;
  const bool as_submitted = " " + source.text() == expected;  // too long to print
  CHECK(as_submitted);
  for (const LoggedEvent& logged : source.log.events(source.track)) {
    REQUIRE(logged.ticks >= before);
    REQUIRE(logged.ticks <= after);
  }
}

// Where a thread is kept from its core for 100 ms while it submits, another one's call is dropped. That is counted.
TEST_CASE("submit: from several threads at once, to tracks of their own, loses nothing uncounted") {
  constexpr uint32_t kThreads = 4, kRounds = 300;
  flamelet_config config = small_config(1500);
  Recording recording(config);
  EventReader reader;
  std::atomic<uint64_t> dropped{0};
  on_threads(kThreads, [&dropped](uint32_t) {
    const uint32_t track = flamelet_track_create("source", FLAMELET_TRACK_EXTERNAL, 1e9);
    CHECK(flamelet_track_calibrate(track, 0, flamelet_now_ticks()) == FLAMELET_OK);
    std::vector<flamelet_event> events;
    for (uint64_t i = 1; i <= 16; ++i) {
      events.push_back(event('B', i, i, "span"));
      events.push_back(event('E', i + 1, i, nullptr));
      events.push_back(event('I', i, 0, "point"));
    }
    for (uint32_t i = 0; i < kRounds; ++i)
      while (flamelet_submit(track, events.data(), events.size()) != events.size()) dropped += events.size();
    flamelet_track_destroy(track);
  });
  CHECK(reader.read_problem() == "");
  CHECK(stats().dropped_submit == dropped);
  // A pair is one event of the ring.
  CHECK(reader.total_read() == 1 + kThreads * kRounds * 32);
}

TEST_CASE("submit: a second thread on the same track gets 0, and is counted") {
  constexpr uint32_t kThreads = 3, kRounds = 2000;
  Recording recording(small_config(400));
  EventReader reader;
  const uint32_t track = flamelet_track_create("source", FLAMELET_TRACK_EXTERNAL, 1e9);
  CHECK(flamelet_track_calibrate(track, 0, flamelet_now_ticks()) == FLAMELET_OK);
  std::atomic<uint64_t> recorded{0};
  on_threads(kThreads, [&recorded, track](uint32_t) {
    const flamelet_event events[] = {event('I', 1, 0, "a"), event('I', 2, 0, "b")};
    for (uint32_t i = 0; i < kRounds; ++i) recorded += flamelet_submit(track, events, 2);
  });
  CHECK(reader.read_problem() == "");
  CHECK(recorded + stats().dropped_submit == kThreads * kRounds * 2);
  CHECK(reader.track(track).read == recorded);
}

TEST_CASE("submit: to a track that is destroyed and made again meanwhile never reaches another track") {
  constexpr uint32_t kRounds = 3000;
  flamelet_config config = small_config(400);
  config.max_tracks = 2;  // few places: the next track, or thread, takes the one that was given back
  Recording recording(config);
  EventReader reader;
  std::atomic<uint32_t> current{0};
  std::atomic<bool> stop{false};
  std::thread submitter([&] {
    const flamelet_event one = event('I', 1, 0, "a");
    while (!stop) {
      const uint32_t track = current;
      flamelet_submit(track, &one, 1);
      flamelet_track_calibrate(track, 0, flamelet_now_ticks());
    }
  });
  for (uint32_t i = 0; i < kRounds; ++i) {
    const uint32_t track = flamelet_track_create("source", FLAMELET_TRACK_EXTERNAL, 1e9);
    REQUIRE(track != 0);
    current = track;
    flamelet_track_calibrate(track, 0, flamelet_now_ticks());
    flamelet_track_destroy(track);
    std::thread([] { FLAMELET_SCOPE("takes the place"); }).join();
    if (i % 16 == 0) reader.read();
  }
  stop = true;
  submitter.join();
  CHECK(reader.read_problem() == "");
  CHECK(stats().tracks_live == 0);
}

// ---- Submit pairs -------------------------------------------------------------------------------------------------

namespace {

// The submitted spans of a track as they lie in the ring.
class SpanReader : public EventReader {
 public:
  struct Span {
    uint64_t begin, end, id;
  };
  const std::vector<Span>& read_spans() {
    read();
    return spans_;
  }

 private:
  void on_event(const TrackState&, const RawEvent& event) override {
    if (event.type == flamelet::WordType::kSpan)
      spans_.push_back({event.payload[0], event.payload[1], event.payload[2]});
  }
  std::vector<Span> spans_;
};
}  // namespace

TEST_CASE_FIXTURE(Source, "submit: an end in a later call ends its begin, with the begin's names") {
  flamelet_event begin = event('B', 10, 1, "pass");
  {
    std::string object = "shadow map";  // need not outlive the call
    begin.object = object.c_str();
    CHECK(submit({begin}) == 1);
  }
  CHECK(stats().submit_waiting == 1);
  CHECK(stats().submit_waiting_most == 1);
  CHECK(stats().submit_waiting_limit == flamelet_config_default().max_submit_open);
  CHECK(text() == "");
  clock.ticks += 1000;
  CHECK(submit({event('E', 500, 1, nullptr), event('B', 600, 2, "next")}) == 2);
  CHECK(text() == "pass{shadow map}[10..500]");
  CHECK(submit({event('E', 700, 2, nullptr)}) == 1);
  CHECK(text() == "pass{shadow map}[10..500] next[600..700]");
  CHECK(stats().submit_waiting == 0);
  CHECK(stats().dropped_submit == 0);
}

TEST_CASE_FIXTURE(Source, "submit: what waits on one track is not another's, nor that of the next track") {
  const uint32_t other = flamelet_track_create("other", FLAMELET_TRACK_GPU, 1e9);
  CHECK(flamelet_track_calibrate(other, 0, kNow) == FLAMELET_OK);
  const flamelet_event end = event('E', 5, 1, nullptr);
  CHECK(submit({event('B', 1, 1, "a")}) == 1);
  CHECK(flamelet_submit(other, &end, 1) == 1);
  CHECK(stats().submit_waiting == 2);
  flamelet_track_destroy(other);
  flamelet_track_destroy(track);
  CHECK(stats().dropped_submit == 2);
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    const uint32_t next = flamelet_track_create("next", FLAMELET_TRACK_GPU, 1e9);
    CHECK(flamelet_track_calibrate(next, 0, kNow) == FLAMELET_OK);
    CHECK(flamelet_submit(next, &end, 1) == 1);
    CHECK(stats().submit_waiting == 1);
    flamelet_track_destroy(next);
  }
  CHECK(log.read_problem() == "");
}

TEST_CASE_FIXTURE(Source, "submit: what has waited too long for a time to be sound goes with its end") {
  CHECK(submit({event('B', 0, 1, "yesterday")}) == 1);
  clock.ticks += 3601ull * 1'000'000'000;
  CHECK(submit({event('E', 3601ull * 1'000'000'000, 1, nullptr)}) == 0);
  CHECK(stats().dropped_submit == 2);
  CHECK(stats().submit_waiting == 0);
}

TEST_CASE_FIXTURE(Source, "submit: what waits is placed by the calibration that holds when its partner comes") {
  CHECK(submit({event('B', 100, 1, "a")}) == 1);
  CHECK(flamelet_track_calibrate(track, 100, kNow + 150) == FLAMELET_OK);
  CHECK(submit({event('E', 110, 1, nullptr)}) == 1);
  CHECK(text() == "a[150..160]");
}

TEST_CASE("submit: spans cut into calls at random and shuffled are those of one call, and every event is counted") {
  for (uint64_t seed = 1; seed <= rounds(200); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Source source(1e9, holding(64));
    std::vector<flamelet_event> events;
    std::map<std::pair<uint64_t, uint64_t>, int> expected;  // begin and end, on the recorder's clock
    for (uint16_t i = 0; i < 30; ++i) {
      const uint64_t begin = random() % 1000, end = begin + random() % 1000;
      events.push_back(numbered(event('B', begin, 1 + i % 3u, "span"), i));
      events.push_back(numbered(event('E', end, 1 + i % 3u, nullptr), i));
      ++expected[{kNow + begin, kNow + end}];
    }
    std::shuffle(events.begin(), events.end(), random);
    SpanReader reader;
    size_t taken = 0;
    for (size_t at = 0; at < events.size();) {
      const size_t count = std::min<size_t>(1 + random() % 9, events.size() - at);
      taken += flamelet_submit(source.track, events.data() + at, count);
      at += count;
      const flamelet_stats now = stats();
      REQUIRE(2 * reader.read_spans().size() + now.submit_waiting + now.dropped_submit == at);
    }
    CHECK(taken == events.size());
    CHECK(stats().submit_waiting == 0);
    CHECK(reader.problem() == "");
    for (const SpanReader::Span& span : reader.read_spans()) --expected[{span.begin, span.end}];
    for (const auto& [times, count] : expected) CHECK(count == 0);
  }
}

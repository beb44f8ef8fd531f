// SPDX-License-Identifier: MIT
#include "record/clock.h"
#include "platform/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "record/page.h"
#include "rounds.h"
#include "support/capture.h"
#include "support/recording.h"

using flamelet::Clock;
using namespace recorder_test;

namespace {

flamelet_config os_config() {
  return with(flamelet_config_default(), &flamelet_config::force_os_clock, true);
}

// Calls until `ns` have passed on the operating system's clock.
template <class Call>
void call_for(uint64_t ns, Call call) {
  const uint64_t start = flamelet::os_clock_ns();
  while (flamelet::os_clock_ns() - start < ns) call();
}

}  // namespace

TEST_CASE("clock: an injected clock is the time, and its rate is final at once") {
  ManualClock manual(12345, 0);
  Clock clock;
  clock.start(with_clock(flamelet_config_default(), &manual, 44100));
  CHECK(clock.kind() == FLAMELET_CLOCK_INJECTED);
  CHECK_FALSE(clock.is_inline());
  CHECK(clock.now_ticks() == 12345);
  manual.ticks = UINT64_MAX / 2;
  CHECK(clock.now_ticks() == UINT64_MAX / 2);
  manual.ticks = UINT64_MAX;  // one before 0
  CHECK(clock.now_ticks() == 0);
  clock.calibrate();
  const flamelet_clock info = clock.info();
  CHECK(info.kind == FLAMELET_CLOCK_INJECTED);
  CHECK(info.rate_is_final);
  CHECK(info.origin_ticks == 12345);
  CHECK(info.ticks_per_second == 44100);
  CHECK(info.origin_unix_ns > 0);
}

TEST_CASE_FIXTURE(Clock, "clock: the OS clock is taken when asked for, in nanoseconds") {
  start(os_config());
  CHECK(kind() == FLAMELET_CLOCK_OS);
  CHECK_FALSE(is_inline());
  CHECK(ticks_per_second() == 1e9);
  CHECK(info().rate_is_final);
  const uint64_t before = flamelet::os_clock_ns();
  const uint64_t now = now_ticks();
  CHECK(now >= before);
  CHECK(now <= flamelet::os_clock_ns());
}

TEST_CASE("clock: an injected clock wins over the OS clock") {
  ManualClock manual;
  Clock clock;
  clock.start(with_clock(os_config(), &manual));
  CHECK(clock.kind() == FLAMELET_CLOCK_INJECTED);
}

TEST_CASE_FIXTURE(Clock, "clock: the default is a clock of this machine, and does not go backwards") {
  start(flamelet_config_default());
  const bool known = kind() == FLAMELET_CLOCK_TSC || kind() == FLAMELET_CLOCK_CNTVCT || kind() == FLAMELET_CLOCK_OS;
  CHECK(known);
  CHECK(is_inline() == (kind() != FLAMELET_CLOCK_OS));
  uint64_t last = info().origin_ticks;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t now = now_ticks();
    CHECK(now >= last);
    last = now;
  }
}

TEST_CASE("clock: the measured rate brings ticks to the OS clock's time") {
  Clock clock;
  clock.start(flamelet_config_default());
  CHECK(clock.info().ticks_per_second > 1e6);  // right after the start
  call_for(20'000'000, [&] { clock.calibrate(); });
  const double rate = clock.ticks_per_second();
  CHECK(rate > 1e6);
  CHECK(rate < 1e11);
  // The clock's own span between two readings lies within the readings of the OS clock around them.
  const uint64_t os_0 = flamelet::os_clock_ns();
  const uint64_t ticks_0 = clock.now_ticks();
  const uint64_t os_1 = flamelet::os_clock_ns();
  call_for(20'000'000, [] {});
  const uint64_t os_2 = flamelet::os_clock_ns();
  const uint64_t ticks_1 = clock.now_ticks();
  const uint64_t os_3 = flamelet::os_clock_ns();
  const double ns = static_cast<double>(ticks_1 - ticks_0) / rate * 1e9;
  // A rate from 20 ms whose ends were read to within microseconds is good to one part in a thousand.
  CHECK(ns * 1.001 >= static_cast<double>(os_2 - os_1));
  CHECK(ns * 0.999 <= static_cast<double>(os_3 - os_0));
}

// ---- Clock failure ------------------------------------------------------------------------------------------------

// Clocks that do what a clock must not: stand still, go back, jump, and differ from thread to thread. What is recorded
// must be whole and counted all the same, and what a capture shows sound.

namespace {

// Whatever the clock did: nothing is lost, frames follow each other, spans end after they begin and nest.
void check(const Capture& capture) {
  const flamelet_capture_stats now = capture.stats();
  CHECK(now.events_read == stats().events_recorded);
  CHECK(now.events_lost + now.bad_words + now.extra_ends + now.missing_ends == 0);
  int64_t frame_end = INT64_MIN;
  for (const flamelet_frame_info& frame : capture.frames()) {
    REQUIRE(frame.begin_ns >= frame_end);
    REQUIRE(frame.end_ns >= frame.begin_ns);
    frame_end = frame.end_ns;
  }
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const std::vector<flamelet_span> found = capture.spans(lane);
    for (const flamelet_span& span : found) {
      REQUIRE(span.begin_ns <= span.end_ns);
      REQUIRE(span.self_ns >= 0);
      REQUIRE(span.self_ns <= span.end_ns - span.begin_ns);
      if (span.parent == FLAMELET_NO_PARENT) continue;
      REQUIRE(span.begin_ns >= found[span.parent].begin_ns);
      REQUIRE(span.end_ns <= found[span.parent].end_ns);
    }
  }
}

// 2 scopes and a frame mark.
void record_frame() {
  FLAMELET_SCOPE("outer");
  { FLAMELET_SCOPE("inner"); }
  flamelet_frame();
}

}  // namespace

TEST_CASE("clock failure: while the clock stands still, scopes and frames have no length, and none is missing") {
  for (const unsigned at : {0u, 1000u}) {  // an end at 0 is no word 0
    CAPTURE(at);
    ManualClock clock(at, 0);
    Recording recording(with_clock(small_config(), &clock));
    Capture capture;
    for (int i = 0; i < 100; ++i) record_frame();
    flamelet_end(flamelet_begin("call", "", nullptr));
    capture.update();
    check(capture);
    CHECK(capture.stats().times_clamped == 0);
    CHECK(capture.stats().missing_ends == 0);
    CHECK(capture.frames().size() == 100);
    const std::vector<flamelet_span> spans = capture.spans(0);
    REQUIRE(spans.size() == 201);
    for (size_t i = 0; i < spans.size(); ++i) {
      CHECK(spans[i].depth == i % 2);
      CHECK(spans[i].begin_ns == spans[i].end_ns);
    }
  }
}

TEST_CASE("clock failure: while the clock stands still, nested scopes of one site have ids of their own") {
  ManualClock clock(10'000, 0);
  Recording recording(with_clock(small_config(), &clock));
  Capture capture;
  const flamelet_id outer = flamelet_begin("same", "", nullptr);
  const flamelet_id inner = flamelet_begin("same", "", nullptr);
  const flamelet_id next = flamelet_next(flamelet_begin("other", "", nullptr), "same", "");
  const flamelet_id nested_next = flamelet_next(flamelet_begin("other", "", nullptr), "same", "");
  CHECK(inner != outer);
  CHECK(nested_next != next);
  flamelet_instant("point", "", nullptr);
  flamelet_end(outer);  // with all inside of it
  flamelet_end(inner);
  CHECK(flamelet_begin("same", "", nullptr) != 0);
  flamelet_end_top();
  capture.update();
  CHECK(capture.stats().missing_ends == 3);
  CHECK(capture.stats().extra_ends == 0);
  CHECK(stats().extra_ends == 1);  // that of inner
  CHECK(capture.stats().times_clamped == 0);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 7);
  for (size_t i = 0; i < spans.size(); ++i) CHECK(spans[i].end_ns - spans[0].begin_ns <= 3);
  CHECK(spans[0].id == outer);
  CHECK(spans[1].id == inner);
  CHECK((spans[0].flags & FLAMELET_SPAN_MISSING_END) == 0);
  CHECK((spans[1].flags & FLAMELET_SPAN_MISSING_END) != 0);
  CHECK(spans[6].depth == 0);
}

TEST_CASE("clock failure: nested scopes of one site in one tick begin and end when the clock says, and ids differ") {
  for (const bool over_pages : {false, true}) {
    for (const bool by_next : {false, true}) {
      CAPTURE(over_pages);
      CAPTURE(by_next);
      ManualClock clock(10'000, 0);
      flamelet_config config = small_config();
      keep_pages(&config, 64);
      Recording recording(with_clock(config, &clock));
      Capture capture;
      std::set<flamelet_id> ids;
      std::vector<flamelet_id> open;
      for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) {
        open.push_back(flamelet_begin(by_next ? "before" : "same", "", nullptr));
        if (by_next) open.back() = flamelet_next(open.back(), "same", "");
        ids.insert(open.back());
      }
      CHECK(ids.size() == FLAMELET_MAX_DEPTH);
      // They are open in pages that know their begins by the block at the page's start alone.
      for (int i = 0; over_pages && i < 2000; ++i) flamelet_instant("point", "", nullptr);
      clock.ticks = 20'000;
      for (; !open.empty(); open.pop_back()) flamelet_end(open.back());
      capture.update();
      check(capture);
      CHECK(capture.stats().missing_ends == 0);
      CHECK(stats().extra_ends == 0);
      size_t same = 0;
      const std::vector<flamelet_span> spans = capture.spans(0);
      for (const flamelet_span& span : spans) {
        CHECK(span.begin_ns == spans[0].begin_ns);
        if (span.end_ns == spans[0].begin_ns) continue;
        CHECK(span.end_ns == spans[0].begin_ns + 10'000);
        CHECK(ids.erase(span.id) == 1);  // those that the calls gave
        ++same;
      }
      CHECK(same == FLAMELET_MAX_DEPTH);
    }
  }
}

TEST_CASE("clock failure: what begins with the id of an earlier scope at the same level has its own time") {
  ManualClock clock(10'000, 0);
  flamelet_config config = small_config();
  keep_pages(&config, 64);
  Recording recording(with_clock(config, &clock));
  Capture capture;
  const flamelet_id outer = flamelet_begin("same", "", nullptr);
  flamelet_end(flamelet_begin("same", "", nullptr));
  constexpr uint64_t kLater = flamelet::kSameWordStep;
  clock.ticks = 10'000 + kLater;
  const flamelet_id inner = flamelet_begin("same", "", nullptr);
  for (int i = 0; i < 2000; ++i) flamelet_instant("point", "", nullptr);
  clock.ticks = 10'010 + kLater;
  flamelet_end(inner);
  flamelet_end(outer);
  capture.update();
  check(capture);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 3);
  CHECK(spans[1].end_ns == spans[0].begin_ns);
  CHECK(spans[2].begin_ns == spans[0].begin_ns + static_cast<int64_t>(kLater));
  CHECK(spans[2].end_ns == spans[2].begin_ns + 10);
}

TEST_CASE("clock failure: a time before the one before it on its thread counts as that one, and is counted") {
  ManualClock clock(10'000, 0);
  Recording recording(with_clock(small_config(), &clock));
  Capture capture;
  const auto begin_at = [&clock](uint64_t ticks) {
    clock.ticks = ticks;
    return flamelet_begin("scope", "", nullptr);
  };
  const auto end_at = [&clock](flamelet_id id, uint64_t ticks) {
    clock.ticks = ticks;
    flamelet_end(id);
  };
  const flamelet_id outer = begin_at(11'000);
  const flamelet_id inner = begin_at(10'900);  // early
  end_at(inner, 11'500);
  end_at(outer, 11'400);  // early
  capture.update();
  check(capture);
  CHECK(capture.stats().times_clamped == 2);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].begin_ns == 1000);
  CHECK(spans[0].end_ns == 1500);
  CHECK(spans[1].begin_ns == 1000);
  CHECK(spans[1].end_ns == 1500);
}

// Of a clock that went back by an hour, all later frames are marked: times never go back along a track, since pages are found
// by their times, so what is recorded until the clock has caught up stands at the newest time before.
TEST_CASE("clock failure: frames in which the clock jumps are marked, and whole ones are not") {
  constexpr uint64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;
  const struct {
    const char* name;
    int64_t jump;  // in the third of six frames
    size_t jumped;
  } cases[] = {{"none", 0, 0},
               {"a suspended machine", 59 * 60 * int64_t{kSecond}, 0},
               {"back a little", -int64_t{kSecond} * 3 / 2, 2},
               {"back to the time of a mark", -int64_t{kSecond} * 2, 2},
               {"back an hour", -int64_t{kHour}, 4},
               {"back to nothing", -int64_t{kHour} * 9, 4},
               {"back beyond nothing", -int64_t{kHour} * 11, 4},
               {"forward a day", 24 * int64_t{kHour}, 1},
               {"forward 73 years", int64_t{kHour} * 24 * 365 * 73, 1}};
  for (const auto& of : cases) {
    CAPTURE(of.name);
    ManualClock clock(10 * kHour, 0);
    Recording recording(with_clock(small_config(), &clock));
    Capture capture;
    flamelet_frame();
    for (int i = 0; i < 6; ++i) {
      {
        FLAMELET_SCOPE("step");
        clock.ticks += kSecond;
        if (i == 2) clock.ticks += static_cast<uint64_t>(of.jump);
      }
      flamelet_frame();
    }
    capture.update();
    for (const flamelet_span& span : capture.spans(0))
      CHECK(span.end_ns - span.begin_ns <= int64_t{kSecond} + std::max(of.jump, int64_t{0}));
    size_t jumped = 0;
    for (const flamelet_frame_info& frame : capture.frames()) {
      const bool is_marked = (frame.flags & FLAMELET_FRAME_CLOCK_JUMPED) != 0;
      jumped += is_marked;
      if (is_marked) CHECK((frame.flags & FLAMELET_FRAME_PARTIAL) != 0);
      const int64_t jump = frame.index == 3 ? of.jump : 0;
      if (!is_marked && frame.index != 0) CHECK(frame.end_ns - frame.begin_ns == int64_t{kSecond} + jump);
    }
    CHECK(jumped == of.jumped);
    CHECK(capture.frames().size() == 7);
  }
}

TEST_CASE("clock failure: a clock that runs backwards all the time leaves every scope whole") {
  ManualClock clock;
  clock.ticks = uint64_t{1} << 50;
  clock.step = ~uint64_t{0} - 999;  // -1000
  Recording recording(with_clock(small_config(), &clock));
  Capture capture;
  for (int i = 0; i < 100; ++i) record_frame();
  capture.update();
  check(capture);
  CHECK(capture.stats().times_clamped == 4 * 100 - 1);  // all but the first
  CHECK(capture.spans(0).size() == 200);
}

TEST_CASE("clock failure: threads whose clocks differ keep their own times") {
  static thread_local uint64_t skew = 0;
  static std::atomic<uint64_t> ticks{0};
  ticks = uint64_t{1} << 40;
  flamelet_config config = small_config();
  config.clock = [](void*) -> uint64_t { return ticks.fetch_add(1000) + skew; };
  config.clock_ticks_per_second = 1e9;
  Recording recording(config);
  Capture capture;
  const uint64_t behind = uint64_t{0} - 5'000'000;
  for (uint64_t offset : {uint64_t{0}, uint64_t{5'000'000}, behind})
    std::thread([offset] {
      skew = offset;
      for (int i = 0; i < 100; ++i) record_frame();
    }).join();
  capture.update();
  check(capture);
  CHECK(capture.stats().times_clamped == 0);
  for (size_t lane = 0; lane < 3; ++lane) {
    const std::vector<flamelet_span> spans = capture.spans(lane);
    REQUIRE(spans.size() == 200);
    for (size_t i = 0; i < spans.size(); ++i) CHECK(spans[i].begin_ns < spans[i].end_ns);
  }
}

TEST_CASE("clock failure: any steps, forwards and back, by nothing or by half of all there is, leave captures sound") {
  // FLAMELET_TEST_SEEDS asks for more than the usual number.
  const char* asked = std::getenv("FLAMELET_TEST_SEEDS");
  const uint64_t seeds = asked != nullptr ? std::strtoull(asked, nullptr, 10) : rounds(100);
  struct WildClock {
    uint64_t state;
    uint64_t ticks;
    static uint64_t read(void* self) {
      static constexpr int kShifts[] = {0, 1, 10, 20, 21, 42, 43, 44, 45, 62, 63};
      WildClock* clock = static_cast<WildClock*>(self);
      clock->state = clock->state * 6364136223846793005u + 1442695040888963407u;
      const uint64_t random = clock->state >> 33;
      const uint64_t step = uint64_t{1} << kShifts[random / 8 % (sizeof(kShifts) / sizeof(kShifts[0]))];
      if (random % 8 == 0) clock->ticks += step;
      if (random % 8 == 1) clock->ticks -= step;
      if (random % 8 >= 4) clock->ticks += random % 100;
      return clock->ticks;
    }
  };
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    WildClock clock = {seed, seed << 55};
    flamelet_config config = small_config(600);  // each jump takes a page
    config.clock = WildClock::read;
    config.clock_user = &clock;
    config.clock_ticks_per_second = 1e9;
    Recording recording(config);
    Capture capture;
    for (int i = 0; i < 100; ++i) {
      record_frame();
      if (i % 16 == 0) capture.update();
    }
    capture.update();
    check(capture);
  }
}

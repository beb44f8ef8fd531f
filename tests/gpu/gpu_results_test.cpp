// SPDX-License-Identifier: MIT
//
// What becomes of timestamps that come late, out of order, wrong, or never.
#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gpu/gpu_bench.h"
#include "rounds.h"

using namespace gpu_test;

TEST_CASE("results that come out of order are all taken, in order") {
  const uint64_t delays_ns[] = {5000, 1000, 4000, 0, 7000, 2000, 6000};
  Created<TimerBench> bench;
  bench.device.ready_at = [&](uint64_t command) { return bench.now_ns + delays_ns[command % 7]; };
  Names expected;
  for (int i = 0; i < 50; ++i) {
    const flamelet_id outer = bench.begin("Outer");
    bench.scope("Inner", 100);
    bench.end(outer);
    bench.frame();
    expected.insert(expected.end(), {"Outer", ".Inner"});
    bench.pass_ns(2000);
  }
  bench.pass_ns(10000);
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 100);
  CHECK(names(read(FLAMELET_LANE_GPU)) == expected);
}

TEST_CASE("results that never come are given up after max_frames, and their queries serve again") {
  TimerBench bench;
  bench.config().max_frames = 3;
  bench.config().max_scopes = 4;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.ready_at = [](uint64_t) { return FakeBackend::kNever; };
  for (int i = 0; i < 20; ++i) {
    bench.scope("Lost", 100);
    bench.frame();
  }
  CHECK(bench.stats().dropped_late == 17);
  CHECK(bench.stats().dropped_pool == 0);
  CHECK(bench.stats().frames_in_flight == 3);
  bench.device.ready_at = [](uint64_t) { return uint64_t{0}; };
  for (int i = 0; i < 5; ++i) {
    bench.scope("Found", 100);
    bench.frame();
  }
  CHECK(bench.stats().dropped_late == 20);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names(5 - 1, "Found"));
}

TEST_CASE("of a frame that is given up, the scopes that have come are taken") {
  TimerBench bench;
  bench.config().max_frames = 2;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.ready_at = [](uint64_t command) {
    return command == 2 ? FakeBackend::kNever : 0;
  };  // the begin of "Lost"
  bench.scope("First", 100);
  bench.scope("Lost", 100);
  bench.scope("Third", 100);
  for (int i = 0; i < 4; ++i) {
    bench.frame();
    bench.scope("Later", 100);
  }
  CHECK(bench.stats().dropped_late == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"First", "Third", "Later", "Later"});
}

TEST_CASE("a scope that finds no query keeps its CPU half and is counted, and the pool recovers") {
  TimerBench bench;
  bench.config().max_scopes = 3;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  for (int i = 0; i < 4; ++i) bench.scope("Inner", 100);
  CHECK(bench.stats().scopes_open == 1);
  CHECK(bench.stats().queries_in_flight == 5);  // the open one's end is not issued
  bench.end(outer);
  CHECK(bench.stats().queries_limit == 6);
  CHECK(bench.stats().queries_in_flight == 6);
  CHECK(bench.stats().dropped_pool == 2);
  CHECK(bench.device.commands == 6);
  bench.frame(2);
  bench.scope("Next", 100);
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Outer", ".Inner", ".Inner", "Next"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Outer", ".Inner", ".Inner", ".Inner", ".Inner", "Next"});
}

TEST_CASE("what is no time is kept out: zero, an end before its begin, before the commands, after now") {
  Created<TimerBench> bench;
  bench.device.result = [](uint64_t command, uint64_t time_ns) -> uint64_t {
    constexpr uint64_t kSecond = 1'000'000'000;
    switch (command) {
      case 0:
        return 0;  // begin of scope 0
      case 3:
        return 0;  // end of scope 1
      case 5:
        return time_ns - 10000;  // end of scope 2
      case 6:
        return time_ns - kSecond;  // begin of scope 3
      case 9:
        return time_ns + kSecond;  // end of scope 4
      default:
        return time_ns;
    }
  };
  for (int i = 0; i < 5; ++i) bench.scope("Bad", 100);
  bench.scope("Good", 100);
  bench.frame(2);
  CHECK(bench.stats().dropped_invalid == 5);
  CHECK(bench.stats().scopes_submitted == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Good"});
}

TEST_CASE("a time of 0 is none also where the GPU's clock has just begun") {
  TimerBench bench;
  bench.gpu_ahead_ns = 1000 - bench.now_ns;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.result = [](uint64_t command, uint64_t time_ns) { return command == 0 || command == 3 ? 0 : time_ns; };
  for (int i = 0; i < 3; ++i) bench.scope("Pass", 100);
  bench.frame(2);
  CHECK(bench.stats().dropped_invalid == 2);
  CHECK(bench.stats().scopes_submitted == 1);
}

TEST_CASE("results that come while recording is off are counted as not taken") {
  Created<TimerBench> bench;
  bench.scope("Pass", 100);
  bench.frame();
  flamelet_set_enabled(false);
  bench.frame();
  CHECK(bench.stats().dropped_recorder == 1);
  CHECK(bench.stats().scopes_submitted == 0);
}

TEST_CASE("more scopes in a frame than one submit takes all arrive, nested as they were") {
  Created<TimerBench> bench;
  Names expected = {"Frame"};
  const flamelet_id frame = bench.begin("Frame");
  for (int i = 0; i < 300; ++i) {
    const flamelet_id pass = bench.begin("Pass");
    bench.scope("Draw", 20);
    bench.end(pass);
    expected.insert(expected.end(), {".Pass", "..Draw"});
  }
  bench.end(frame);
  bench.frame(2);
  CHECK(bench.stats().scopes_submitted == 601);
  CHECK(names(read(FLAMELET_LANE_GPU)) == expected);
}

TEST_CASE("queries are reset before they are written again, round the pool and after they were given up") {
  TimerBench bench;
  bench.config().max_scopes = 5;
  bench.config().max_frames = 2;
  REQUIRE(bench.create() == FLAMELET_OK);
  for (int i = 0; i < 40; ++i) {
    bench.device.ready_at = [i](uint64_t) { return i % 3 == 0 ? FakeBackend::kNever : 0; };
    for (int scopes = 0; scopes < 1 + i % 2; ++scopes) bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(bench.stats().dropped_late > 0);
  CHECK(bench.stats().scopes_submitted > 0);
  CHECK(bench.device.resets == 2 * (bench.stats().scopes_submitted + bench.stats().dropped_late));
  CHECK(bench.device.misuses == 0);  // a write without a reset is one
}

TEST_CASE("a backend without resets is asked for none") {
  TimerBench bench;
  bench.device.needs_reset = false;
  REQUIRE(bench.create() == FLAMELET_OK);
  for (int i = 0; i < 5; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(bench.device.resets == 0);
  CHECK(bench.stats().scopes_submitted == 4);
}

TEST_CASE("results are not asked for before min_frames frames are over") {
  TimerBench bench;
  bench.config().min_frames = 3;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 100);
  bench.frame(3);
  CHECK(bench.stats().scopes_in_flight == 1);
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 1);
  CHECK(bench.stats().lag_frames == 3);
}

TEST_CASE("times of a disturbed clock are dropped and counted, and those after it are right") {
  Created<TimerBench> bench;
  bench.scope("Before", 100);
  bench.frame(2);
  bench.scope("During", 100);
  bench.frame();
  bench.scope("During, too", 100);
  bench.device.is_disturbed = true;
  const uint64_t calibrations = bench.stats().calibrations;
  bench.frame(2);
  CHECK(bench.stats().dropped_disjoint == 2);
  CHECK(bench.stats().calibrations > calibrations);
  bench.scope("After", 100);
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Before", "After"});
  CHECK(bench.stats().scopes_submitted == 2);
}

// ---- Gpu random ---------------------------------------------------------------------------------------------------

// Random use of the timer.

TEST_CASE("random use: every begin is counted once, and what arrives is right") {
  for (uint64_t seed = 1; seed <= rounds(100); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    uint64_t delay_ns = 0;
    TimerBench bench;
    bench.config().max_scopes = static_cast<uint32_t>(2 + random() % 20);
    bench.config().max_frames = static_cast<uint32_t>(1 + random() % 5);
    bench.config().calibration_interval_ns = 3000;
    REQUIRE(bench.create() == FLAMELET_OK);
    bench.device.ready_at = [&](uint64_t) {
      return random() % 50 == 0 ? FakeBackend::kNever : bench.now_ns + random() % (delay_ns + 1);
    };
    bench.device.result = [&](uint64_t, uint64_t time_ns) { return random() % 50 == 0 ? random() : time_ns; };

    std::map<flamelet_id, std::string> begun;
    std::vector<flamelet_id> open;
    for (int step = 0; step < 400; ++step) {
      switch (random() % 10) {
        case 0:
        case 1:
        case 2: {
          const char* const all[] = {"Shadow", "Scene", "Post"};
          const char* name = all[random() % 3];
          const flamelet_id id = bench.begin(name);
          if (id != 0) begun[id] = name;
          open.push_back(id);
          break;
        }
        case 3:
        case 4:
        case 5:
        case 6:
          if (!open.empty()) {
            // Mostly the innermost; sometimes one further out, whose inner ones then miss their ends.
            const size_t position = random() % 5 == 0 ? random() % open.size() : open.size() - 1;
            bench.end(open[position]);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(position));
          }
          break;
        case 7:
          delay_ns = random() % 1000;
          break;
        case 8:
          bench.device.is_disturbed = random() % 10 == 0;
          flamelet_set_enabled(random() % 4 != 0);
          break;
        default:
          bench.frame();
      }
      const flamelet_gpu_stats stats = bench.stats();
      REQUIRE(begun.size() == stats.scopes_submitted + stats.dropped_pool + stats.dropped_depth + stats.dropped_late +
                                  stats.dropped_invalid + stats.dropped_disjoint + stats.dropped_recorder +
                                  stats.scopes_open + stats.scopes_in_flight);
      REQUIRE(stats.queries_in_flight <= stats.queries_limit);
      REQUIRE(stats.frames_in_flight <= bench.config().max_frames);
    }
    std::map<flamelet_id, Span> cpu;
    for (const Span& span : read(FLAMELET_LANE_THREAD)) cpu[span.id] = span;
    const std::vector<Span> gpu = read(FLAMELET_LANE_GPU);
    CHECK(gpu.size() == bench.stats().scopes_submitted);
    for (const Span& span : gpu) {
      REQUIRE(begun.count(span.id) == 1);
      CHECK(span.text == begun[span.id]);
      REQUIRE(cpu.count(span.id) == 1);
      CHECK(span.begin_ns == cpu[span.id].begin_ns);
      CHECK(span.end_ns >= span.begin_ns);
      begun.erase(span.id);
    }
  }
}

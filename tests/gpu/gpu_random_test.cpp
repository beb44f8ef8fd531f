// SPDX-License-Identifier: MIT
//
// Random use of the timer.
#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gpu/gpu_bench.h"
#include "rounds.h"

using namespace gpu_test;

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

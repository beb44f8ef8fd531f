// SPDX-License-Identifier: MIT
//
// recording.h: what tests of a recorder start from: small configs, and a recorder that runs as long as an object lives.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "support/clock.h"
#include "support/with.h"

namespace recorder_test {

// Low limits, and `pages` pages beyond the least.
inline flamelet_config small_config(uint32_t pages = 64) {
  flamelet_config config = flamelet_config_default();
  config.max_tracks = 8;
  config.max_sites = 512;
  config.max_strings = 2048;
  config.string_bytes = 256 * 1024;
  config.max_submit_events = 256;
  config.budget_bytes = flamelet_memory_required(&config) + size_t{pages} * (FLAMELET_PAGE_BYTES + sizeof(uint64_t));
  return config;
}

// Room for more fibers, strings and so on takes nothing from the ring.
inline void keep_pages(flamelet_config* config, uint32_t pages) {
  config->budget_bytes = flamelet_memory_required(config) + size_t{pages} * (FLAMELET_PAGE_BYTES + sizeof(uint64_t));
}
inline flamelet_config with_pages(flamelet_config config, uint32_t pages) {
  keep_pages(&config, pages);
  return config;
}

// With room for so many fibers, or tracks, and for so many pages.
inline flamelet_config with_fibers(uint32_t max_fibers, uint32_t pages = 64,
                                   const flamelet_config& config = small_config()) {
  return with_pages(with(config, &flamelet_config::max_fibers, max_fibers), pages);
}
inline flamelet_config with_tracks(uint32_t max_tracks, uint32_t pages = 64,
                                   const flamelet_config& config = small_config()) {
  return with_pages(with(config, &flamelet_config::max_tracks, max_tracks), pages);
}

class Recording {
 public:
  explicit Recording(const flamelet_config& config = small_config()) { REQUIRE(flamelet_init(&config) == FLAMELET_OK); }
  ~Recording() { CHECK(flamelet_shutdown() == FLAMELET_OK); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
};

// A recorder whose clock, in nanoseconds, moves by ten with each reading; with room for some fibers.
class TickingRecording {
 public:
  explicit TickingRecording(size_t ring_bytes = size_t{4} << 20,
                            uint32_t max_tracks = flamelet_config_default().max_tracks)
      : recording_(config(&clock, ring_bytes, max_tracks)) {}

  ManualClock clock;

 private:
  static flamelet_config config(ManualClock* clock, size_t ring_bytes, uint32_t max_tracks) {
    flamelet_config config = with_clock(flamelet_config_default(), clock);
    config.max_fibers = 4;
    config.max_tracks = max_tracks;
    config.budget_bytes = flamelet_memory_required(&config) + ring_bytes;
    return config;
  }

  const Recording recording_;
};

// Ends a frame that is long enough for its threads to be asked how long they ran.
inline void mark_long_frame() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
  while (std::chrono::steady_clock::now() < until) {
  }
  flamelet_frame();
}

inline flamelet_stats stats() {
  flamelet_stats result;
  flamelet_get_stats(&result);
  return result;
}

template <class Work>
void on_thread(Work work) {
  std::thread(work).join();
}

// work(0), work(1) ... at one time, each on a thread of its own; returns when all have ended.
template <class Work>
void on_threads(uint32_t count, Work work) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// The same test on the CPU's counter (the inlined path), on the OS clock and on an injected one (function calls).
template <class Test>
void for_each_clock(flamelet_config config, Test test) {
  {
    INFO("counter");
    test(config);
  }
  {
    INFO("OS clock");
    config.force_os_clock = true;
    test(config);
  }
  {
    INFO("injected clock");
    ManualClock clock;
    test(with_clock(config, &clock));
  }
}
template <class Test>
void for_each_clock(Test test) {
  for_each_clock(small_config(), test);
}

inline flamelet_event event(char type, uint64_t ticks, uint64_t id, const char* name) {
  flamelet_event result = {};
  result.type = type;
  result.time_ticks = ticks;
  result.id = id;
  result.name = name;
  return result;
}

// A track of another clock, which reads `ticks` now.
inline uint32_t calibrated_track(const char* name = "gpu", double ticks_per_second = 1e9, uint64_t ticks = 0) {
  const uint32_t track = flamelet_track_create(name, FLAMELET_TRACK_GPU, ticks_per_second);
  CHECK(flamelet_track_calibrate(track, ticks, flamelet_now_ticks()) == FLAMELET_OK);
  return track;
}

// All drops: with the recorded events, every call.
inline uint64_t dropped(const flamelet_stats& stats) {
  return stats.dropped_no_track + stats.dropped_depth + stats.dropped_nested + stats.dropped_fiber +
         stats.dropped_frame + stats.dropped_submit;
}

}  // namespace recorder_test

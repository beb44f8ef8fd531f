// SPDX-License-Identifier: MIT
//
// submit_source.h: a recorder with one external source, and the events that it submits.
#ifndef FLAMELET_TESTS_SUBMIT_SOURCE_H
#define FLAMELET_TESTS_SUBMIT_SOURCE_H

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "profiler/record/event_log.h"
#include "support/recording.h"

namespace recorder_test {

constexpr uint64_t kNow = uint64_t{1} << 50;

// A recorder at time kNow, 1 GHz, with one source whose clock reads 0 now and has the same rate.
struct Source {
  explicit Source(double rate = 1e9) : Source(rate, small_config()) {}
  Source(double rate, const flamelet_config& config) : recording(at_now(config, &clock)) {
    track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, rate);
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
  std::string text() {
    log.read();
    return log.problem().empty() ? log.text(track) : log.problem();
  }
  static std::string at(int64_t from, int64_t to) {
    return "[" + std::to_string(kNow + static_cast<uint64_t>(from)) + ".." +
           std::to_string(kNow + static_cast<uint64_t>(to)) + "]";
  }

  ManualClock clock;
  Recording recording;
  EventLog log;
  uint32_t track;
};

}  // namespace recorder_test

#endif  // FLAMELET_TESTS_SUBMIT_SOURCE_H

// SPDX-License-Identifier: MIT
//
// game_capture.h: a capture whose every figure is known.
//
// Ten frames of 10 ms, from index 100; the eighth takes 30. In each, "Main" runs (milliseconds, in brackets those of the
// long frame):
//
//   Frame 9 (29)
//     Update 6 (26)
//       Physics 4 (24)
//       eval 2 > apply 1.5 > eval 1 > apply 0.5      recursion
//     Draw 3
//
// "Worker 1" runs Job for 4 ms, and the queue "GPU" runs Shadow for 2.
#ifndef FLAMELET_TESTS_GAME_CAPTURE_H
#define FLAMELET_TESTS_GAME_CAPTURE_H

#include <doctest/doctest.h>
#include <flamelet/capture_builder.h>
#include <flamelet/capture_file.h>

#include <string>

#include "tool_place.h"

namespace flamelet::tests {

class GameCapture {
 public:
  // `slow_job_ms` more of Job in each frame, and, unless it is "", a scope of that name in Draw.
  explicit GameCapture(int64_t slow_job_ms = 0, const std::string& more = "") {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{4} << 20;
    config.max_frames = config.max_tracks = config.max_sites = config.max_strings = 64;
    config.string_bytes = 4096;
    config.max_fiber_runs = config.max_intervals = 0;
    REQUIRE(flamelet_capture_builder_create(&config, &builder_) == FLAMELET_OK);
    main_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Main"));
    const uint32_t worker = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Worker 1"));
    const uint32_t gpu = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_GPU, string("GPU"));
    int64_t begin_ns = 0;
    for (uint64_t index = 100; index < 110; ++index) {
      const int64_t late_ms = index == 107 ? 20 : 0;
      const auto at = [&](double ms) { return begin_ns + static_cast<int64_t>(ms * 1e6); };
      const auto late = [&](double ms) { return at(ms + static_cast<double>(late_ms)); };
      open("Frame", at(0));
      open("Update", at(0));
      open("Physics", at(0));
      close(late(4));
      open("eval", late(4));
      open("apply", late(4.5));
      open("eval", late(5));
      open("apply", late(5.5));
      for (int i = 0; i < 4; ++i) close(late(6));
      close(late(6));
      open("Draw", late(6));
      if (!more.empty()) {
        open(more, late(7));
        close(late(8));
      }
      close(late(9));
      close(late(9));
      begin(worker, "Job", at(1));
      flamelet_capture_builder_end(builder_, worker, at(5 + static_cast<double>(slow_job_ms)));
      flamelet_span shadow = {};
      shadow.begin_ns = at(2);
      shadow.end_ns = at(4);
      shadow.site = site("Shadow");
      flamelet_capture_builder_span(builder_, gpu, &shadow);
      flamelet_capture_builder_frame(builder_, index, at(0), late(10), 0);
      begin_ns = late(10);
    }
  }
  ~GameCapture() { flamelet_capture_builder_destroy(builder_); }
  GameCapture(const GameCapture&) = delete;
  GameCapture& operator=(const GameCapture&) = delete;

  // Once.
  void save(const std::string& path) {
    flamelet_capture* capture = nullptr;
    flamelet_capture_builder_finish(builder_, &capture);
    builder_ = nullptr;
    CHECK(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str()) == FLAMELET_OK);
    flamelet_capture_destroy(capture);
  }

 private:
  uint32_t string(const std::string& text) {
    return flamelet_capture_builder_string(builder_, text.data(), text.size());
  }
  uint32_t site(const std::string& name) {
    return flamelet_capture_builder_site(builder_, string(name), 0, 0, 0, 0, 0);
  }
  void begin(uint32_t lane, const std::string& name, int64_t time_ns) {
    flamelet_capture_builder_begin(builder_, lane, time_ns, site(name), 0, 0);
  }
  void open(const std::string& name, int64_t time_ns) { begin(main_, name, time_ns); }
  void close(int64_t time_ns) { flamelet_capture_builder_end(builder_, main_, time_ns); }

  flamelet_capture_builder* builder_ = nullptr;
  uint32_t main_ = 0;
};

// A place to run the tool in, with such a capture as game.flamelet.
class GamePlace : public ToolPlace {
 public:
  GamePlace() { GameCapture().save(path("game.flamelet")); }
};

}  // namespace flamelet::tests

#endif  // FLAMELET_TESTS_GAME_CAPTURE_H

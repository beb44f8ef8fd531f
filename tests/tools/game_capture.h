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
#pragma once

#include <string>

#include "support/building.h"

namespace flamelet::tests {

class GameCapture : public recorder_test::Building {
 public:
  // `slow_job_ms` more of Job in each frame, and, unless it is "", a scope of that name in Draw.
  explicit GameCapture(int64_t slow_job_ms = 0, const std::string& more = "") {
    const uint32_t main = lane(FLAMELET_LANE_THREAD, "Main");
    const uint32_t worker = lane(FLAMELET_LANE_THREAD, "Worker 1");
    const uint32_t gpu = lane(FLAMELET_LANE_GPU, "GPU");
    const auto open = [&](const std::string& name, int64_t time_ns) { begin(main, time_ns, site(name)); };
    const auto close = [&](int64_t time_ns) { end(main, time_ns); };
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
      begin(worker, at(1), site("Job"));
      end(worker, at(5 + static_cast<double>(slow_job_ms)));
      span(gpu, at(2), at(4), site("Shadow"), 0, 0);
      flamelet_capture_builder_frame(builder, index, at(0), late(10), 0);
      begin_ns = late(10);
    }
    finish();
  }

  void save(const std::string& path) const {
    CHECK(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str()) == FLAMELET_OK);
  }
};

}  // namespace flamelet::tests

// SPDX-License-Identifier: MIT
//
// capture.h: a capture of the running recorder that is destroyed with the object, and its answers as texts and vectors.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "flamelet/capture.h"
#include "support/read.h"
#include "support/with.h"

namespace recorder_test {

// Less to touch than the default, and enough for most.
inline flamelet_capture_config small_capture_config() {
  return with(flamelet_capture_config_default(), &flamelet_capture_config::budget_bytes, size_t{12} << 20);
}

enum class Captured { kNothingYet, kNow };

class Capture {
 public:
  explicit Capture(const flamelet_capture_config& config = small_capture_config(),
                   Captured captured = Captured::kNothingYet) {
    REQUIRE(flamelet_capture_create(&config, &capture_) == FLAMELET_OK);
    if (captured == Captured::kNow) update();
  }
  // Of what was recorded so far.
  explicit Capture(Captured captured) : Capture(small_capture_config(), captured) {}
  ~Capture() { flamelet_capture_destroy(capture_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  operator flamelet_capture*() const { return capture_; }
  void update() { REQUIRE(flamelet_capture_update(capture_) == FLAMELET_OK); }

  std::string string(uint32_t id) const { return text_of(capture_, id); }
  size_t lane(const std::string& name) const { return find_lane(capture_, name); }
  std::string lane_name(size_t lane) const { return text_of(lane_of(capture_, lane).name); }
  std::vector<flamelet_span> spans(size_t lane) const { return read_spans(capture_, lane); }
  std::vector<flamelet_frame_info> frames() const {
    std::vector<flamelet_frame_info> frames(flamelet_capture_frame_count(capture_));
    for (size_t i = 0; i < frames.size(); ++i) frames[i] = frame_of(capture_, i);
    return frames;
  }
  // "outer(inner) next"
  std::string tree(size_t lane) const {
    const std::vector<flamelet_span> found = spans(lane);
    std::string text;
    uint32_t depth = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      for (; depth > found[i].depth; --depth) text += ")";
      if (i != 0) text += found[i].depth > depth ? "(" : " ";
      depth = found[i].depth;
      text += string(found[i].name);
    }
    for (; depth > 0; --depth) text += ")";
    return text;
  }
  flamelet_capture_stats stats() const { return stats_of(capture_); }

 private:
  flamelet_capture* capture_ = nullptr;
};

}  // namespace recorder_test

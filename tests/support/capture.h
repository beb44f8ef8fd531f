// SPDX-License-Identifier: MIT
//
// capture.h: a capture of the running recorder that is destroyed with the object, and its answers as texts and vectors.
#ifndef FLAMELET_TESTS_SUPPORT_CAPTURE_H
#define FLAMELET_TESTS_SUPPORT_CAPTURE_H

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "flamelet/capture.h"

namespace recorder_test {

// Less to touch than the default, and enough for most.
inline flamelet_capture_config small_capture_config() {
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{12} << 20;
  return config;
}

class Capture {
 public:
  explicit Capture(const flamelet_capture_config& config = small_capture_config()) {
    REQUIRE(flamelet_capture_create(&config, &capture_) == FLAMELET_OK);
  }
  ~Capture() { flamelet_capture_destroy(capture_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  operator flamelet_capture*() const { return capture_; }
  void update() { REQUIRE(flamelet_capture_update(capture_) == FLAMELET_OK); }

  std::string string(uint32_t id) const {
    const flamelet_string found = flamelet_capture_string(capture_, id);
    return std::string(found.text, found.size);
  }
  size_t lane(const std::string& name) const {
    for (size_t i = 0; i < flamelet_capture_lane_count(capture_); ++i)
      if (lane_name(i) == name) return i;
    FAIL("no lane ", name);
    return 0;
  }
  std::string lane_name(size_t lane) const {
    flamelet_lane_info info;
    REQUIRE(flamelet_capture_lane(capture_, lane, &info));
    return std::string(info.name.text, info.name.size);
  }
  std::vector<flamelet_span> spans(size_t lane) const {
    std::vector<flamelet_span> spans(flamelet_capture_read_spans(capture_, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_spans(capture_, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size());
    return spans;
  }
  std::vector<flamelet_frame_info> frames() const {
    std::vector<flamelet_frame_info> frames(flamelet_capture_frame_count(capture_));
    for (size_t i = 0; i < frames.size(); ++i) REQUIRE(flamelet_capture_frame(capture_, i, &frames[i]));
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
  flamelet_capture_stats stats() const {
    flamelet_capture_stats stats;
    flamelet_capture_get_stats(capture_, &stats);
    return stats;
  }

 private:
  flamelet_capture* capture_ = nullptr;
};

}  // namespace recorder_test

#endif  // FLAMELET_TESTS_SUPPORT_CAPTURE_H

// SPDX-License-Identifier: MIT
//
// building.h: a capture that a test puts together.
#pragma once

#include <string>
#include <string_view>

#include "flamelet/capture_builder.h"
#include "flamelet/capture_file.h"
#include "support/capture.h"
#include "support/string_io.h"

namespace recorder_test {

struct Building {
  flamelet_capture_builder* builder = nullptr;
  flamelet_capture* capture = nullptr;

  explicit Building(const flamelet_capture_config& config = small_capture_config()) {
    REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  }
  ~Building() {
    flamelet_capture_builder_destroy(builder);
    flamelet_capture_destroy(capture);
  }
  Building(const Building&) = delete;
  Building& operator=(const Building&) = delete;

  uint32_t string(std::string_view text) { return flamelet_capture_builder_string(builder, text.data(), text.size()); }
  uint32_t site(std::string_view name, std::string_view category = "") {
    return flamelet_capture_builder_site(builder, string(name), string(category), 0, 0, 0, 0);
  }
  uint32_t lane(flamelet_lane_kind kind, std::string_view name) {
    return flamelet_capture_builder_lane(builder, kind, string(name));
  }
  flamelet_id begin(uint32_t lane, int64_t time_ns, uint32_t site, uint32_t name = 0, uint32_t object = 0) {
    return flamelet_capture_builder_begin(builder, lane, time_ns, site, name, object);
  }
  void end(uint32_t lane, int64_t time_ns) { flamelet_capture_builder_end(builder, lane, time_ns); }
  void span(uint32_t lane, int64_t begin_ns, int64_t end_ns, uint32_t site, flamelet_id id = 0,
            uint16_t depth = FLAMELET_DEPTH_UNKNOWN, uint16_t flags = 0) {
    flamelet_span span = {};
    span.begin_ns = begin_ns;
    span.end_ns = end_ns;
    span.site = site;
    span.id = id;
    span.depth = depth;
    span.flags = flags;
    flamelet_capture_builder_span(builder, lane, &span);
  }
  void counter(uint32_t lane, int64_t time_ns, uint32_t site, double value) {
    flamelet_capture_builder_counter(builder, lane, time_ns, site, value);
  }
  void frame(uint64_t index, int64_t begin_ns, int64_t end_ns, uint32_t flags = 0) {
    flamelet_capture_builder_frame(builder, index, begin_ns, end_ns, flags);
  }
  flamelet_capture* finish() {
    flamelet_capture_builder_finish(builder, &capture);
    builder = nullptr;
    REQUIRE(capture != nullptr);
    return capture;
  }
};

inline std::string save(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) {
  std::string bytes;
  REQUIRE(flamelet_capture_save_to(capture, begin_ns, end_ns, sink_to(&bytes)) == FLAMELET_OK);
  return bytes;
}

}  // namespace recorder_test

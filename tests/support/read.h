// SPDX-License-Identifier: MIT
//
// read.h: what the query functions of a capture answer, as strings and vectors.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "flamelet/capture.h"

namespace recorder_test {

inline std::string text_of(flamelet_string text) {
  return std::string(text.text, text.size);
}

inline std::string text_of(const flamelet_capture* capture, uint32_t string) {
  return text_of(flamelet_capture_string(capture, string));
}

inline flamelet_lane_info lane_of(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info;
  REQUIRE(flamelet_capture_lane(capture, lane, &info));
  return info;
}

inline flamelet_frame_info frame_of(const flamelet_capture* capture, size_t position) {
  flamelet_frame_info info;
  REQUIRE(flamelet_capture_frame(capture, position, &info));
  return info;
}

inline flamelet_site_info site_of(const flamelet_capture* capture, uint32_t site) {
  flamelet_site_info info;
  REQUIRE(flamelet_capture_site(capture, site, &info));
  return info;
}

inline size_t find_lane(const flamelet_capture* capture, const std::string& name) {
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
    if (text_of(lane_of(capture, lane).name) == name) return lane;
  FAIL("no lane ", name);
  return 0;
}

inline std::vector<flamelet_span> read_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns = INT64_MIN,
                                             int64_t end_ns = INT64_MAX) {
  std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, lane, begin_ns, end_ns));
  REQUIRE(flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, spans.data(), spans.size(), nullptr) ==
          FLAMELET_OK);
  return spans;
}

inline std::vector<flamelet_point> read_points(const flamelet_capture* capture, size_t lane,
                                               int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) {
  std::vector<flamelet_point> points(flamelet_capture_count_points(capture, lane, begin_ns, end_ns));
  REQUIRE(flamelet_capture_read_points(capture, lane, begin_ns, end_ns, points.data(), points.size(), nullptr) ==
          FLAMELET_OK);
  return points;
}

inline std::vector<flamelet_interval> read_intervals(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN,
                                                     int64_t end_ns = INT64_MAX) {
  std::vector<flamelet_interval> all(flamelet_capture_read_intervals(capture, begin_ns, end_ns, nullptr, 0));
  REQUIRE(flamelet_capture_read_intervals(capture, begin_ns, end_ns, all.data(), all.size()) == all.size());
  return all;
}

inline std::vector<flamelet_flow> read_flows(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN,
                                             int64_t end_ns = INT64_MAX) {
  std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, begin_ns, end_ns));
  CHECK(flamelet_capture_read_flows(capture, begin_ns, end_ns, flows.data(), flows.size(), nullptr) == FLAMELET_OK);
  return flows;
}

// All that a span says, to compare it.
inline auto fields_of(const flamelet_span& s) {
  return std::tie(s.begin_ns, s.end_ns, s.self_ns, s.id, s.site, s.name, s.object, s.parent, s.subtree_end, s.depth,
                  s.flags);
}

inline flamelet_capture_stats stats_of(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  return stats;
}

}  // namespace recorder_test

// SPDX-License-Identifier: MIT
//
// imported.h: a trace that was imported from memory, and what is in the capture.
#ifndef FLAMELET_TESTS_IMPORT_IMPORTED_H
#define FLAMELET_TESTS_IMPORT_IMPORTED_H

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "flamelet/import.h"

struct Imported {
  flamelet_capture* capture = nullptr;
  flamelet_import_report report = {};
  flamelet_result result;

  // The bytes come in pieces of this size.
  Imported(const std::string& bytes, const flamelet_import_options& options, size_t piece = SIZE_MAX) {
    struct Source {
      const std::string& bytes;
      size_t piece, at;
    } whole = {bytes, piece, 0};
    const flamelet_import_source source = {[](void* user, void* to, size_t size, size_t* count) {
                                             Source& from = *static_cast<Source*>(user);
                                             *count = std::min({size, from.piece, from.bytes.size() - from.at});
                                             from.bytes.copy(static_cast<char*>(to), *count, from.at);
                                             from.at += *count;
                                             return true;
                                           },
                                           &whole};
    result = flamelet_import(source, &options, &capture, &report);
    CHECK((result == FLAMELET_OK) == (capture != nullptr));
    CHECK((result == FLAMELET_OK) == (report.message[0] == 0));
  }
  ~Imported() { flamelet_capture_destroy(capture); }
  Imported(const Imported&) = delete;
  Imported& operator=(const Imported&) = delete;

  std::string text(uint32_t string) const {
    const flamelet_string text = flamelet_capture_string(capture, string);
    return {text.text, text.size};
  }
  std::string lane_name(size_t lane) const {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    return {info.name.text, info.name.size};
  }
  size_t lane(const std::string& name) const {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      if (lane_name(lane) == name) return lane;
    FAIL("no lane ", name);
    return 0;
  }
  std::vector<flamelet_span> spans(size_t lane) const {
    std::vector<flamelet_span> spans(flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size());
    return spans;
  }
  std::vector<flamelet_point> points(size_t lane) const {
    std::vector<flamelet_point> points(flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, points.data(), points.size());
    return points;
  }
  std::vector<flamelet_interval> intervals() const {
    std::vector<flamelet_interval> all(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, all.data(), all.size());
    return all;
  }
};

#endif  // FLAMELET_TESTS_IMPORT_IMPORTED_H

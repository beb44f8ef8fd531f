// SPDX-License-Identifier: MIT
//
// imported.h: a trace that was imported from memory, and what is in the capture.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/import.h"
#include "support/read.h"
#include "support/string_io.h"

struct Imported {
  flamelet_capture* capture = nullptr;
  flamelet_import_report report = {};
  flamelet_result result;

  // The bytes come in pieces of this size.
  Imported(const std::string& bytes, const flamelet_import_options& options, size_t piece = SIZE_MAX) {
    StringSource source = {bytes, piece};
    result = flamelet_import(&options, source.stream(), &capture, &report);
    CHECK_FALSE(source.has_gaps);
    CHECK((result == FLAMELET_OK) == (capture != nullptr));
    CHECK((result == FLAMELET_OK) == (report.message[0] == 0));
  }
  ~Imported() { flamelet_capture_destroy(capture); }
  Imported(const Imported&) = delete;
  Imported& operator=(const Imported&) = delete;

  std::string text(uint32_t string) const { return recorder_test::text_of(capture, string); }
  std::string lane_name(size_t lane) const {
    return recorder_test::text_of(recorder_test::lane_of(capture, lane).name);
  }
  size_t lane(const std::string& name) const { return recorder_test::find_lane(capture, name); }
  std::vector<flamelet_span> spans(size_t lane) const { return recorder_test::read_spans(capture, lane); }
  std::vector<flamelet_point> points(size_t lane) const { return recorder_test::read_points(capture, lane); }
  std::vector<flamelet_interval> intervals() const { return recorder_test::read_intervals(capture); }
};

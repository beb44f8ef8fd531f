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
#include "support/read.h"

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

  std::string text(uint32_t string) const { return recorder_test::text_of(capture, string); }
  std::string lane_name(size_t lane) const {
    return recorder_test::text_of(recorder_test::lane_of(capture, lane).name);
  }
  size_t lane(const std::string& name) const { return recorder_test::find_lane(capture, name); }
  std::vector<flamelet_span> spans(size_t lane) const { return recorder_test::read_spans(capture, lane); }
  std::vector<flamelet_point> points(size_t lane) const { return recorder_test::read_points(capture, lane); }
  std::vector<flamelet_interval> intervals() const { return recorder_test::read_intervals(capture); }
};

#endif  // FLAMELET_TESTS_IMPORT_IMPORTED_H

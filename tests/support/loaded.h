// SPDX-License-Identifier: MIT
//
// loaded.h: captures that are read from bytes, from a file or from the file of a ring, and destroyed with the object.
#pragma once

#include <string>

#include "flamelet/capture_file.h"

namespace recorder_test {

template <class Report>
struct ReadCapture {
  flamelet_capture* capture = nullptr;
  Report report = {};
  flamelet_result result = FLAMELET_OK;

  ReadCapture() = default;
  ~ReadCapture() { flamelet_capture_destroy(capture); }
  ReadCapture(const ReadCapture&) = delete;
  ReadCapture& operator=(const ReadCapture&) = delete;
  operator flamelet_capture*() const { return capture; }
};

struct Loaded : ReadCapture<flamelet_load_report> {
  explicit Loaded(const std::string& bytes, const flamelet_load_options* options = nullptr) {
    result = flamelet_capture_load_bytes(options, bytes.data(), bytes.size(), &capture, &report);
  }
};

struct LoadedFile : ReadCapture<flamelet_load_report> {
  explicit LoadedFile(const std::string& path) {
    result = flamelet_capture_load(nullptr, path.c_str(), &capture, &report);
  }
};

struct Recovered : ReadCapture<flamelet_recover_report> {
  explicit Recovered(const std::string& path) {
    result = flamelet_capture_recover(nullptr, path.c_str(), &capture, &report);
  }
};

}  // namespace recorder_test

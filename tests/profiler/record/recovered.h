// SPDX-License-Identifier: MIT
//
// recovered.h: what is found in the file of a recorder's memory.
#ifndef FLAMELET_TESTS_RECOVERED_H
#define FLAMELET_TESTS_RECOVERED_H

#include <string>

#include "flamelet/capture_file.h"

namespace recorder_test {

struct Recovered {
  flamelet_capture* capture = nullptr;
  flamelet_recover_report report = {};
  flamelet_result result;

  explicit Recovered(const std::string& path) {
    result = flamelet_capture_recover(nullptr, path.c_str(), &capture, &report);
  }
  ~Recovered() { flamelet_capture_destroy(capture); }
  Recovered(const Recovered&) = delete;
  Recovered& operator=(const Recovered&) = delete;
};

}  // namespace recorder_test

#endif  // FLAMELET_TESTS_RECOVERED_H

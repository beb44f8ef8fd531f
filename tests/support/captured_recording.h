// SPDX-License-Identifier: MIT
//
// captured_recording.h: a recorder on a clock that the test moves, and a capture of what it recorded.
#pragma once

#include <optional>

#include "support/capture.h"
#include "support/recording.h"

namespace recorder_test {

class CapturedRecording {
 public:
  // Small, because there are many of them and their memory is touched: 4 MiB hold 100,000 scopes.
  explicit CapturedRecording(const char* thread = "Main", double ticks_per_second = 1e9, size_t bytes = size_t{4} << 20)
      : bytes_(bytes), recording_(with_still_clock(limited(bytes), 1000000, ticks_per_second)) {
    flamelet_set_thread_name(thread);
  }

  // With what was recorded so far.
  flamelet_capture* capture() {
    if (!capture_) {
      flamelet_capture_config config = flamelet_capture_config_default();
      config.budget_bytes = 2 * bytes_;
      config.max_sites = config.max_strings = 4096;
      config.string_bytes = size_t{1} << 20;
      capture_.emplace(config);
    }
    capture_->update();
    return *capture_;
  }

 private:
  static flamelet_config limited(size_t bytes) {
    flamelet_config config = flamelet_config_default();
    config.max_fibers = 4;
    config.budget_bytes = bytes;
    config.max_sites = config.max_strings = 4096;
    config.string_bytes = size_t{1} << 20;
    return config;
  }

  const size_t bytes_;
  const Recording recording_;
  std::optional<Capture> capture_;
};

}  // namespace recorder_test

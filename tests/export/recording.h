// SPDX-License-Identifier: MIT
//
// recording.h: a recorder with a clock that the test sets, and a capture of what the test records with it.
#ifndef FLAMELET_TESTS_EXPORT_RECORDING_H
#define FLAMELET_TESTS_EXPORT_RECORDING_H

#include <doctest/doctest.h>

#include "flamelet/flamelet.h"

class Recording {
 public:
  // Small, because there are many of them and their memory is touched: 4 MiB hold 100,000 scopes.
  explicit Recording(const char* thread = "Main", double ticks_per_second = 1e9, size_t bytes = size_t{4} << 20)
      : bytes_(bytes) {
    now_ns = 1000000;
    flamelet_config config = flamelet_config_default();
    config.clock = [](void*) { return now_ns; };
    config.clock_ticks_per_second = ticks_per_second;
    config.max_fibers = 4;
    config.budget_bytes = bytes_;
    config.max_sites = config.max_strings = 4096;
    config.string_bytes = size_t{1} << 20;
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
    flamelet_set_thread_name(thread);
  }
  ~Recording() {
    flamelet_capture_destroy(capture_);
    flamelet_shutdown();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // With what was recorded so far.
  flamelet_capture* capture() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = 2 * bytes_;
    config.max_sites = config.max_strings = 4096;
    config.string_bytes = size_t{1} << 20;
    if (capture_ == nullptr) REQUIRE(flamelet_capture_create(&config, &capture_) == FLAMELET_OK);
    REQUIRE(flamelet_capture_update(capture_) == FLAMELET_OK);
    return capture_;
  }

  static inline uint64_t now_ns = 0;

 private:
  const size_t bytes_;
  flamelet_capture* capture_ = nullptr;
};

inline flamelet_event gpu_event(char type, uint64_t ticks, uint64_t id, const char* name) {
  flamelet_event event = {};
  event.type = type;
  event.time_ticks = ticks;
  event.id = id;
  event.name = name;
  return event;
}

#endif  // FLAMELET_TESTS_EXPORT_RECORDING_H

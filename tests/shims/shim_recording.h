// SPDX-License-Identifier: MIT
//
// shim_recording.h: a recorder of the test's own in place of the one that the shim started, and what was recorded in it.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "flamelet_shim/calls.h"
#include "support/capture.h"
#include "support/recording.h"

namespace shim_test {

using recorder_test::on_threads;
using recorder_test::read_intervals;
using recorder_test::read_points;
using recorder_test::stats;
using recorder_test::text_of;

// Ends without a begin, and begins without an end.
inline uint64_t unmatched_ends() {
  return stats().extra_ends + stats().missing_ends;
}

// How often a thing was noted so far, by the beginning of its text.
inline uint64_t noted(const std::string& what) {
  std::vector<flamelet_shim_note> notes(flamelet_shim_notes(nullptr, 0));
  flamelet_shim_notes(notes.data(), notes.size());
  for (const flamelet_shim_note& note : notes)
    if (std::string(note.what).compare(0, what.size(), what) == 0) return note.count;
  return 0;
}

// A lambda's name, as g++ and as clang++ spell it.
inline bool is_lambda(const std::string& name) {
  return name.find("<lambda") != std::string::npos || name.find("::operator()") != std::string::npos;
}

inline flamelet_config roomy_config() {
  flamelet_config config = recorder_test::small_config(1024);
  config.max_fibers = 8;
  config.max_tracks = 32;
  config.max_sites = 16384;
  config.max_strings = 32768;
  config.string_bytes = size_t{2} << 20;
  recorder_test::keep_pages(&config, 1024);
  return config;
}

class Shim {
 public:
  Shim() {
    flamelet_shutdown();
    recording_.emplace(roomy_config());
    flamelet_set_thread_name("main");
  }

  // What was recorded so far.
  recorder_test::Capture& capture() {
    if (!capture_) {
      flamelet_capture_config config = flamelet_capture_config_default();
      config.max_intervals = 16384;
      capture_.emplace(config);
    }
    capture_->update();
    return *capture_;
  }
  std::string tree(const char* lane = "main") { return capture().tree(capture().lane(lane)); }
  flamelet_site_info site(uint32_t site) { return recorder_test::site_of(capture(), site); }
  // "name: object" of each instant.
  std::vector<std::string> instants(const char* lane = "main") {
    std::vector<std::string> texts;
    for (const flamelet_point& point : read_points(capture(), capture().lane(lane)))
      if (point.kind == FLAMELET_POINT_INSTANT)
        texts.push_back(text_of(capture(), point.name) + ": " + text_of(capture(), point.object));
    return texts;
  }
  std::vector<double> values(const std::string& name, const char* lane = "main") {
    std::vector<double> values;
    for (const flamelet_point& point : read_points(capture(), capture().lane(lane)))
      if (point.kind == FLAMELET_POINT_COUNTER && text_of(capture(), point.name) == name) values.push_back(point.value);
    return values;
  }
  std::vector<flamelet_interval> intervals(const std::string& name) {
    std::vector<flamelet_interval> found;
    for (const flamelet_interval& interval : read_intervals(capture()))
      if (text_of(capture(), interval.name) == name) found.push_back(interval);
    return found;
  }

 private:
  std::optional<recorder_test::Recording> recording_;
  std::optional<recorder_test::Capture> capture_;
};

// A pair that is opened on a fiber ends there, on whichever thread the fiber runs by then; one that is opened at home ends
// at home.
template <class Begin, class BeginHome, class End>
void check_pairs_of_fibers(Begin begin_kept, BeginHome begin_home, End end) {
  Shim shim;
  const uint32_t fiber = flamelet_fiber_create("fiber");
  flamelet_fiber_switch(0, fiber);
  begin_kept();
  flamelet_fiber_switch(fiber, 0);
  begin_home();
  std::thread([&] {
    flamelet_fiber_switch(0, fiber);
    end();
    flamelet_fiber_switch(fiber, 0);
  }).join();
  end();
  CHECK(shim.tree("fiber") == "kept");
  CHECK(shim.tree() == "kept home");
  CHECK(unmatched_ends() == 0);
}

}  // namespace shim_test

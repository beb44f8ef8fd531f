// SPDX-License-Identifier: MIT
//
// What a frame mark keeps open, and the child of a fork.
#include <doctest/doctest.h>

#include "flamelet/scope.h"
#include "support/capture.h"
#include "support/forked.h"
#include "support/open_files.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

// What this thread ran in the newest frame is known.
bool knows_own_time() {
  Capture capture;
  flamelet_set_thread_name("Main");
  FLAMELET_SCOPE("Anything");
  for (int i = 0; i < 3; ++i) mark_long_frame();
  capture.update();
  flamelet_thread_time time;
  return flamelet_capture_thread_time(capture, flamelet_capture_frame_count(capture) - 1, capture.lane("Main"), &time);
}

}  // namespace

TEST_CASE("thread times: a forked child keeps none of its parent's files") {
  Recording recording;
  const size_t before = open_files();
  flamelet_set_thread_name("Main");
  flamelet_frame();
  CHECK(forked([before] { return open_files() == before; }) == 1);
}

TEST_CASE("thread times: a forked child that records knows its own times") {
  Recording recording;
  if (!knows_own_time()) return;  // this system does not tell
  CHECK(forked([] {
          Recording again;
          return knows_own_time();
        }) == 1);
}

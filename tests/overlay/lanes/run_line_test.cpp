// SPDX-License-Identifier: MIT
//
// The line that says how much of a frame a thread ran.
#include <doctest/doctest.h>

#include "flamelet/capture.h"
#include "lanes/run_line.h"
#include "overlay/headless_imgui.h"
#include "platform/thread_account.h"
#include "support/recording.h"

using namespace flamelet_tests;

namespace {

bool this_system_tells() {
  flamelet::ThreadAccount account;
  const uint32_t thread = flamelet::this_thread_number();
  const intptr_t handle = flamelet::open_thread_account(thread);
  flamelet::read_thread_account(handle, thread, &account);
  flamelet::close_thread_account(handle);
  return (account.known & flamelet::kKnowsRan) != 0;
}

void record_frames() {
  flamelet_set_thread_name("Main");
  for (int frame = 0; frame < 10; ++frame) {
    for (int i = 0; i < 2000; ++i) {
      FLAMELET_SCOPE("Work");
    }
    flamelet_frame();
  }
}

}  // namespace

TEST_CASE("run line: it ran, it had no processor, and what is left of the frame") {
  const flamelet_frame_info frame = {1, 1000, 2000, 0, 1};
  flamelet::ui::RunShares shares;
  flamelet_thread_time time = {500, 300, 4, 0, 0, FLAMELET_TIME_RAN | FLAMELET_TIME_READY, 0};
  REQUIRE(flamelet::ui::run_shares(time, frame, &shares));
  CHECK(shares.ran == doctest::Approx(0.5));
  CHECK(shares.ready == doctest::Approx(0.3));
  CHECK(shares.knows_ready);
  time.ran_ns = 900;  // the sum is more than the frame
  REQUIRE(flamelet::ui::run_shares(time, frame, &shares));
  CHECK(shares.ran + shares.ready == doctest::Approx(1));
  time.known = FLAMELET_TIME_READY;
  CHECK_FALSE(flamelet::ui::run_shares(time, frame, &shares));
}

TEST_CASE("overlay lanes: a thread has a line where it is known how long it ran, and else none") {
  if (!this_system_tells()) return;
  for (const bool thread_times : {true, false}) {
    flamelet_config config = recorder_test::small_config(256);
    config.thread_times = thread_times;
    const recorder_test::Recording recording(config);
    record_frames();
    OverlayPlayer player;
    player.frames(3);
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 6));
    player.frames(2);
    if (thread_times) {
      CHECK(player.number("run_line_rects") >= 2);
      CHECK(player.number("run_line_rects") <= 12);
    } else {
      CHECK(player.number("run_line_rects") == 0);
    }
    CHECK(HeadlessImGui::vertices_sane());
  }
}

// SPDX-License-Identifier: MIT
//
// Pieces of a fiber's scopes on the lanes of threads.
#include <doctest/doctest.h>

#include <thread>

#include "overlay/headless_imgui.h"
#include "support/recording.h"

using namespace flamelet_tests;

namespace {

void pass(int readings) {
  for (int i = 0; i < readings; ++i) flamelet_now_ticks();
}

// A job with a scope inside of it goes from the main thread to another one and back, beside scopes of these threads.
void record_frame(uint32_t fiber) {
  const flamelet_id frame = flamelet_begin("Frame", "", nullptr);
  pass(100);
  flamelet_end(frame);
  flamelet_fiber_switch(0, fiber);
  const flamelet_id job = flamelet_begin("Job", "", nullptr);
  const flamelet_id inner = flamelet_begin("Inner", "", nullptr);
  pass(200);
  flamelet_fiber_switch(fiber, 0);
  pass(100);
  std::thread([fiber] {
    flamelet_fiber_switch(0, fiber);
    pass(200);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  pass(100);
  flamelet_fiber_switch(0, fiber);
  pass(200);
  flamelet_end(inner);
  flamelet_end(job);
  flamelet_fiber_switch(fiber, 0);
  flamelet_frame();
}

}  // namespace

TEST_CASE("overlay fibers: the pieces of a scope are joined, and of scopes inside each other the outermost alone") {
  const recorder_test::TickingRecording recording;
  const uint32_t fiber = flamelet_fiber_create("Job");
  REQUIRE(fiber != 0);
  for (int i = 0; i < 4; ++i) record_frame(fiber);
  OverlayPlayer player;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 2, 2));
  player.frames(3);
  CHECK(player.number("fiber_joins") == 2);
  CHECK(HeadlessImGui::vertices_sane());
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 1, 2));
  player.frames(3);
  CHECK(player.number("fiber_joins") == 4);
}

TEST_CASE("overlay fibers: pieces that are too narrow for a block of their own are joined, too") {
  const recorder_test::TickingRecording recording;
  const uint32_t fiber = flamelet_fiber_create("Job");
  REQUIRE(fiber != 0);
  for (int piece = 0; piece < 4; ++piece) {
    const flamelet_id frame = flamelet_begin("Frame", "", nullptr);
    pass(20000);
    flamelet_end(frame);
    flamelet_fiber_switch(0, fiber);
    if (piece == 0) flamelet_begin("Job", "", nullptr);
    const flamelet_id inner = flamelet_begin("Inner", "", nullptr);
    flamelet_end(inner);
    flamelet_fiber_switch(fiber, 0);
  }
  flamelet_frame();
  OverlayPlayer player;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 0));
  player.frames(3);
  CHECK(player.number("fiber_joins") == 3);
}

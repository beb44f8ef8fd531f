// SPDX-License-Identifier: MIT
//
// Lanes of intervals on the page Lanes.
#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "overlay/headless_imgui.h"
#include "support/recording.h"

namespace interval_lanes_test {

using namespace flamelet_tests;

namespace {

void pass(int readings) {
  for (int i = 0; i < readings; ++i) flamelet_now_ticks();
}

// Eight frames. Streaming block 1 goes through all of them, block 2 and 3 overlap in the fifth, block 4 never ends.
void record_frames() {
  flamelet_set_thread_name("Main");
  const flamelet_id first = flamelet_interval_begin("Stream block", "streaming", "block 1");
  for (int frame = 0; frame < 8; ++frame) {
    const flamelet_id scope = flamelet_begin("Frame", "", nullptr);
    pass(100);
    if (frame == 5) {
      const flamelet_id a = flamelet_interval_begin("Stream block", "streaming", "block 2");
      pass(100);
      const flamelet_id b = flamelet_interval_begin("Stream block", "streaming", "block 3");
      pass(100);
      flamelet_interval_end(a);
      pass(100);
      std::thread([b] {
        flamelet_set_thread_name("Loader");
        flamelet_interval_end(b);
      }).join();
      flamelet_interval_begin("Quest", "quests", nullptr);
    }
    pass(100);
    flamelet_end(scope);
    flamelet_frame();
  }
  flamelet_interval_end(first);
}

float lane_row_y(const OverlayPlayer& player, const std::string& lane, int row) {
  std::string text(flamelet::overlay_write_state(player.overlay, nullptr, 0) + 1, '\0');
  flamelet::overlay_write_state(player.overlay, text.data(), text.size());
  const size_t at = text.find("\"lane\": \"" + lane + "\", \"kind\": \"interval\"");
  REQUIRE(at != std::string::npos);
  const double top = atof(text.c_str() + text.find("\"top_px\": ", at) + strlen("\"top_px\": "));
  return static_cast<float>(top + (row + 0.5) * player.number("row_height_px"));
}

}  // namespace

TEST_CASE("overlay intervals: they have lanes by category, and do not stretch the frame") {
  const recorder_test::TickingRecording recording;
  record_frames();
  OverlayPlayer player;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 6, 6));
  player.frames(3);
  const double frame_ns = player.number("view_end_ns") - player.number("view_begin_ns");
  CHECK(frame_ns < 8000);
  CHECK(player.number("interval_lanes") == 2);
  CHECK(player.number("intervals") == 4);
  CHECK(player.number("intervals_drawn") + player.number("intervals_merged") == 2);  // block 1, and the quest
  CHECK(player.number("intervals_open") == 1);
  CHECK(player.number("zones_in_view") == 1);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  player.frames(3);
  CHECK(player.number("intervals_drawn") + player.number("intervals_merged") == 4);
}

TEST_CASE("overlay intervals: a click selects one, and says which threads began and ended it") {
  const recorder_test::TickingRecording recording;
  record_frames();
  OverlayPlayer player;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  player.frames(3);
  const float x = static_cast<float>(player.number("canvas_left_px") + 0.55 * player.number("canvas_width_px"));
  player.move(x, lane_row_y(player, "streaming", 2));
  CHECK(player.state("hovered_name") == "\"Stream block\"");
  player.click();
  CHECK(player.state("selected_name") == "\"Stream block\"");
  CHECK(player.state("interval_begun_on") == "\"Main\"");
  CHECK(player.state("interval_ended_on") == "\"Loader\"");
  CHECK(HeadlessImGui::vertices_sane());
  player.press(TestKey::kEscape);
  CHECK(player.state("interval_begun_on") == "null");
}

TEST_CASE("overlay intervals: reading them anew allocates nothing") {
  const recorder_test::TickingRecording recording;
  record_frames();
  OverlayPlayer player;
  player.frames(3);
  const auto play = [&] {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
    player.frames(3);
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 2, 4));
    player.frames(3);
  };
  play();
  play();
  const size_t before = player.gui.allocations();
  for (int i = 0; i < 5; ++i) play();
  CHECK(player.gui.allocations() == before);
}

}  // namespace interval_lanes_test

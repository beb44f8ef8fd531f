// SPDX-License-Identifier: MIT
//
// The page Messages.
#include <doctest/doctest.h>

#include "overlay/headless_imgui.h"
#include "support/recording.h"

using namespace flamelet_tests;

namespace {

void record_frame(int messages, const char* text = nullptr) {
  const flamelet_id id = flamelet_begin("Frame", "", nullptr);
  for (int i = 0; i < 50; ++i) flamelet_now_ticks();
  for (int i = 0; i < messages; ++i) flamelet_instant(i % 2 == 0 ? "Spawned" : "Died", "", text);
  flamelet_end(id);
  flamelet_frame();
}

float row_y(const OverlayPlayer& player, int row) {
  return static_cast<float>(player.number("message_rows_y_px")) + (static_cast<float>(row) + 0.5f) * 17;
}

}  // namespace

TEST_CASE("overlay messages: a click on one goes to its frame on the lanes") {
  const recorder_test::TickingRecording recording;
  for (int frame = 0; frame < 20; ++frame) record_frame(frame == 7 ? 2 : 0, "goblin");
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(10);
  CHECK(player.number("messages") == 2);
  REQUIRE(player.number("message_rows") == 2);
  player.settle();
  player.move(600, row_y(player, 1));
  player.click();
  CHECK(player.state("page") == "\"lanes\"");
  CHECK(player.state("paused") == "true");
  CHECK(player.number("first_frame") == 7);
  CHECK(player.number("last_frame") == 7);
  CHECK(player.number("message_selected_ns") > player.number("view_begin_ns"));
  CHECK(player.number("message_selected_ns") < player.number("view_end_ns"));
  player.press(TestKey::kEscape);
  CHECK(player.state("message_selected_ns") == "null");
}

TEST_CASE("overlay messages: the list begins at the frame that is shown, wherever one goes from there") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(20);
  DrawnPlayer player;
  for (const uint64_t frame : {40u, 10u}) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, frame, frame));
    player.open_page("messages");
    player.frames(60);
    CHECK(player.number("message_first_row") == static_cast<double>(frame * 20));
    player.move(600, 300);
    player.wheel(5);  // stays where the user scrolls to
    player.frames(5);
    CHECK(player.number("message_first_row") < static_cast<double>(frame * 20));
    player.open_page("lanes");
  }
}

TEST_CASE("overlay messages: live, the list follows the newest, until the user scrolls away") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(20);
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(60);
  CHECK(player.number("message_rows") == 2000);
  CHECK(player.state("messages_follow") == "true");
  const double first = player.number("message_first_row");
  CHECK(first > 1900);
  for (int frame = 0; frame < 10; ++frame) record_frame(20);
  player.frames(60);
  CHECK(player.number("message_first_row") == first + 200);
  player.move(600, 400);
  player.wheel(5);
  player.frames(10);
  CHECK(player.state("messages_follow") == "false");
  const double there = player.number("message_first_row");
  for (int frame = 0; frame < 10; ++frame) record_frame(20);
  player.frames(60);
  CHECK(player.number("message_first_row") == there);
}

TEST_CASE("overlay messages: the filter leaves those that match, by name or by text") {
  const recorder_test::TickingRecording recording;
  for (int frame = 0; frame < 10; ++frame) record_frame(2, frame == 3 ? "goblin" : "elf");
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(10);
  flamelet::overlay_set_filter(player.overlay, "gob");
  player.frames(2);
  CHECK(player.number("message_rows") == 2);
  flamelet::overlay_set_filter(player.overlay, "died");
  player.frames(2);
  CHECK(player.number("message_rows") == 10);
  flamelet::overlay_set_filter(player.overlay, nullptr);
  player.frames(2);
  CHECK(player.number("message_rows") == 20);
}

TEST_CASE("overlay messages: thousands of rows draw as much as a page of them, without an allocation") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(100, "text");
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(100);
  REQUIRE(player.number("message_rows") == 10000);
  CHECK(HeadlessImGui::vertices() < 20000);
  const size_t before = player.gui.allocations();
  for (int i = 0; i < 5; ++i) {
    record_frame(10, "text");
    player.frames(10);
  }
  CHECK(player.gui.allocations() == before);
}

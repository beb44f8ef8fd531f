// SPDX-License-Identifier: MIT
//
// The page Locks.
#include <doctest/doctest.h>

#include "flamelet/lock.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "support/building.h"
#include "support/recording.h"

using namespace flamelet_tests;

namespace {

// A wait of this thread for a lock, which takes some readings of the clock.
void wait_for(flamelet_lock* lock, int readings) {
  const flamelet_wait wait = flamelet_wait_begin(lock, FLAMELET_WAIT_LOCK);
  for (int i = 0; i < readings; ++i) flamelet_now_ticks();
  flamelet_wait_end(lock, wait, true);
}

void record_frame(flamelet_lock* lock, int readings) {
  const flamelet_id id = flamelet_begin("Frame", "", nullptr);
  for (int i = 0; i < 50; ++i) flamelet_now_ticks();
  if (lock != nullptr) wait_for(lock, readings);
  flamelet_end(id);
  flamelet_frame();
}

}  // namespace

TEST_CASE("overlay locks: a row for each lock of the shown frames, sorted by its headers") {
  const recorder_test::TickingRecording recording;
  flamelet_lock queue = {"queue", nullptr, 0, 0, 0}, log = {"log", nullptr, 0, 0, 0};
  for (int frame = 0; frame < 20; ++frame) {
    record_frame(frame == 7 ? &queue : nullptr, 500);
    record_frame(frame >= 5 && frame < 10 ? &log : nullptr, 20);
  }
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 39));
  player.open_page("locks");
  player.frames(20);
  CHECK(player.number("locks") == 2);
  CHECK(player.number("convoys") == 0);
  CHECK(player.number("lock_waits") == 6);
  CHECK(player.state("lock_first") == "\"queue\"");
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 13));
  player.frames(20);
  CHECK(player.number("locks") == 1);
  CHECK(player.state("lock_first") == "\"log\"");
}

TEST_CASE("overlay locks: in a narrow window, the name and the holder come before the kind") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t site = flamelet_capture_builder_site(building.builder, building.string("shared lock"),
                                                      building.string(FLAMELET_WAIT_CATEGORY), 0,
                                                      building.string(FLAMELET_WAIT_FUNCTION_), 0, 0);
  building.begin(lane, 100, site, building.string("registry"), building.string("Clerk 1"));
  building.end(lane, 900);
  building.frame(1, 0, 1000);
  DrawnPlayer player(flamelet::OverlayMode::kActive, 800, 600);
  player.load_settings("text_percent=135\npage=locks\n", 4);
  player.show(building.finish(), "locks", 20);
  CHECK(is_drawn("registry\n"));
  CHECK(is_drawn("Clerk1800ns\n"));
}

TEST_CASE("overlay locks: a click on a row goes to its longest wait on the lanes") {
  const recorder_test::TickingRecording recording;
  flamelet_lock queue = {"queue", nullptr, 0, 0, 0};
  for (int frame = 0; frame < 20; ++frame) record_frame(&queue, frame == 12 ? 300 : 10);
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 19));
  player.open_page("locks");
  player.frames(20);
  player.settle();
  REQUIRE(player.number("locks") == 1);
  player.move(600, static_cast<float>(player.number("lock_rows_y_px")) + 8);
  player.click();
  CHECK(player.state("page") == "\"lanes\"");
  CHECK(player.state("selected_name") == "\"queue\"");
}

TEST_CASE("overlay locks: arrows walk through the rows, and Enter opens one") {
  const recorder_test::TickingRecording recording;
  flamelet_lock queue = {"queue", nullptr, 0, 0, 0}, log = {"log", nullptr, 0, 0, 0};
  for (int frame = 0; frame < 20; ++frame) {
    record_frame(&queue, 30);
    record_frame(&log, 10);
  }
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 39));
  player.open_page("locks");
  player.frames(20);
  for (const char* name : {"\"queue\"", "\"log\""}) {
    if (!press_chord(&player, {flamelet::ui::Key::kDown})) return;  // an ImGui without such keys
    CHECK(player.state("page") == "\"locks\"");
    CHECK(player.state("scope_name") == name);
  }
  press_chord(&player, {flamelet::ui::Key::kEnter});
  CHECK(player.state("page") == "\"lanes\"");
  CHECK(player.state("selected_name") == "\"log\"");
}

TEST_CASE("overlay locks: live, a frame of more scopes than are read at once has its locks") {
  const recorder_test::TickingRecording recording;
  flamelet_lock queue = {"queue", nullptr, 0, 0, 0};
  DrawnPlayer player;
  player.open_page("locks");
  for (int frame = 0; frame < 40; ++frame) {
    for (int i = 0; i < 15000; ++i) flamelet_end(flamelet_begin("Item", "", nullptr));
    record_frame(&queue, 10);
    player.frames(1);
  }
  CHECK(player.number("locks") == 1);
}

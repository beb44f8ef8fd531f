// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/carved.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "shell/overlay_state.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

struct List {
  explicit List(uint32_t room) {
    memory = flamelet_tests::carved([&](Carver* carver) {
      messages.carve(carver, room);
      styles.carve(carver);
    });
    styles.reset(nullptr, {});
    messages.clear();
  }
  void add(int64_t time_ns) { messages.add({time_ns, 1, 1, 0, 1, FLAMELET_LANE_THREAD}); }
  void update(bool anew = false) { messages.update_rows(nullptr, &styles, {}, anew); }
  std::vector<char> memory;
  Messages messages;
  ScopeStyles styles;
};

}  // namespace

TEST_CASE("overlay messages: they stand by time, whatever lane they came from") {
  List list(64);
  list.messages.begin_replacing(0);
  for (const int64_t time_ns : {30, 10, 20}) list.add(time_ns);
  list.messages.end_replacing();
  list.update();
  REQUIRE(list.messages.row_count() == 3);
  for (uint32_t i = 0; i < 3; ++i) CHECK(list.messages.row(i).time_ns == 10 * (i + 1));
  CHECK(list.messages.row_at(20) == 1);
  CHECK(list.messages.row_at(21) == 2);
  CHECK(list.messages.row_at(99) == 3);
}

TEST_CASE("overlay messages: what is read again takes the place of what was read before") {
  List list(64);
  list.messages.begin_replacing(0);
  for (int64_t i = 0; i < 10; ++i) list.add(i * 10);
  list.messages.end_replacing();
  list.update();
  list.messages.begin_replacing(50);
  for (int64_t i = 5; i < 12; ++i) list.add(i * 10 + 1);
  list.messages.end_replacing();
  list.update();
  REQUIRE(list.messages.row_count() == 12);
  CHECK(list.messages.row(4).time_ns == 40);
  CHECK(list.messages.row(5).time_ns == 51);
}

TEST_CASE("overlay messages: when the list is full the oldest go, and are counted") {
  List list(64);
  for (int64_t piece = 0; piece < 20; ++piece) {
    list.messages.begin_replacing(piece * 1000);
    for (int64_t i = 9; i >= 0; --i) list.add(piece * 1000 + i);
    list.messages.end_replacing();
    list.update();
    CHECK(list.messages.count() + list.messages.left_out() == static_cast<uint64_t>(piece + 1) * 10);
    CHECK(list.messages.row_count() == list.messages.count());
    CHECK(list.messages[list.messages.count() - 1].time_ns == piece * 1000 + 9);
    for (uint32_t i = 1; i < list.messages.row_count(); ++i)
      REQUIRE(list.messages.row(i - 1).time_ns < list.messages.row(i).time_ns);
  }
}

TEST_CASE_FIXTURE(recorder_test::TickingRecording, "overlay messages: the filter finds names and texts") {
  flamelet_instant("Explosion", "", "tower");
  flamelet_instant("Rebuild", "", "town hall");
  flamelet_instant("Quake", "", nullptr);
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  PointHistory history;
  ScopeStyles styles;
  const std::vector<char> memory = flamelet_tests::carved([&](Carver* carver) {
    history.carve(carver, {4, 64, 64});
    styles.carve(carver);
  });
  history.clear();
  history.begin_round(capture);
  while (history.step(capture, 1000000)) {
  }
  const auto rows = [&](const char* filter) {
    styles.reset(capture, filter);
    history.messages().update_rows(capture, &styles, filter, true);
    return history.messages().row_count();
  };
  CHECK(rows("") == 3);
  CHECK(rows("qua") == 1);
  CHECK(rows("TOW") == 2);
  CHECK(rows("nothing") == 0);
}

// ---- The page Messages --------------------------------------------------------------------------------------------

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

TEST_CASE_FIXTURE(recorder_test::TickingRecording, "overlay messages: a click on one goes to its frame on the lanes") {
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

TEST_CASE("overlay messages: keys begin with the first message of the shown frame") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(20);
  DrawnPlayer player;
  for (const uint64_t frame : {40u, 10u}) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, frame, frame));
    player.open_page("messages");
    player.frames(60);
    const flamelet::ui::Messages& messages = player.overlay->points.messages();
    for (uint32_t row = static_cast<uint32_t>(frame) * 20; row < frame * 20 + 2; ++row) {
      press_chord(&player, {flamelet::ui::Key::kDown});
      CHECK(player.number("message_selected_ns") == static_cast<double>(messages.row(row).time_ns));
      CHECK(player.number("message_first_row") == static_cast<double>(frame * 20));
    }
    // Back on the page, it goes on from the selected one.
    player.open_page("lanes");
    player.open_page("messages");
    player.frames(5);
    press_chord(&player, {flamelet::ui::Key::kDown});
    CHECK(player.number("message_selected_ns") ==
          static_cast<double>(messages.row(static_cast<uint32_t>(frame) * 20 + 2).time_ns));
    player.open_page("lanes");
  }
}

TEST_CASE("overlay messages: the list stays at the shown frame as the filter changes") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(20);
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 40, 40));
  player.open_page("messages");
  player.frames(60);
  REQUIRE(player.number("message_first_row") == 800);
  player.filter("died");
  player.frames(5);
  REQUIRE(player.number("message_rows") == 1000);
  CHECK(player.number("message_first_row") == 400);
}

TEST_CASE("overlay messages: after a click on one, the list stands where it did") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(20);
  DrawnPlayer player;
  REQUIRE(player.select_frames(80, 80));
  player.open_page("messages");
  player.frames(60);
  player.move(600, row_y(player, 3));
  player.wheel(20);
  player.frames(5);
  const double there = player.number("message_first_row");
  REQUIRE(there < 1600);
  player.settle();
  player.click();
  REQUIRE(player.state("page") == "\"lanes\"");
  player.open_page("messages");
  player.frames(5);
  CHECK(player.number("message_first_row") == there);
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
  player.filter("gob");
  CHECK(player.number("message_rows") == 2);
  // No scope matches, but that is not what is filtered here, nor on the page Frames.
  player.frames(30);
  CHECK(is_drawn("2messagesmatch"));
  CHECK_FALSE(is_drawn("nomatch"));
  player.open_page("frames");
  player.frames(30);
  CHECK_FALSE(is_drawn("nomatch"));
  player.open_page("table");
  player.frames(30);
  CHECK(is_drawn("nomatch"));
  player.open_page("messages");
  player.frames(2);
  player.filter("died");
  CHECK(player.number("message_rows") == 10);
  player.filter(nullptr);
  CHECK(player.number("message_rows") == 20);
}

TEST_CASE_FIXTURE(recorder_test::TickingRecording, "overlay messages: times that differ are not the same on the page") {
  record_frame(2);
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(10);
  const Messages& messages = player.overlay->points.messages();
  REQUIRE(messages.count() == 2);
  const int64_t first_us = messages[0].time_ns / 1000 % 1000000, second_us = messages[1].time_ns / 1000 % 1000000;
  for (const int64_t us : {first_us, second_us}) {
    const std::string digits = std::to_string(1000000 + us).substr(1);
    CHECK(all_drawn_text().find("." + digits + "s\n") != std::string::npos);
  }
}

TEST_CASE_FIXTURE(recorder_test::TickingRecording, "overlay messages: a name of spaces or of line breaks is seen") {
  flamelet_instant("\n\t", "", "a\nb");
  flamelet_instant("   ", "", nullptr);
  record_frame(0);
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(10);
  REQUIRE(player.number("message_rows") == 2);
  const std::string all = all_drawn_text();
  CHECK(all.find("??\na?b\n") != std::string::npos);
  CHECK(all.find("\"\n\"\n") != std::string::npos);
}

TEST_CASE("overlay messages: thousands of rows draw as much as a page of them, without an allocation") {
  const recorder_test::TickingRecording recording(size_t{16} << 20);
  for (int frame = 0; frame < 100; ++frame) record_frame(100, "text");
  DrawnPlayer player;
  player.open_page("messages");
  player.frames(100);
  REQUIRE(player.number("message_rows") == 10000);
  CHECK(HeadlessImGui::vertices() < 20000);
  const auto play = [&] {
    record_frame(10, "text");
    player.frames(10);
  };
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

// SPDX-License-Identifier: MIT
//
// Captures between the overlay and files: by the public calls, and by the menu with the mouse and the keys.
#include <doctest/doctest.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/counting_allocator.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using namespace recorder_test;
using flamelet::overlay_open_capture;
using flamelet::overlay_save_capture;
using flamelet::overlay_select_frames;
using flamelet::overlay_show_capture;
using flamelet::overlay_shows_live_game;

namespace {

// What can be seen of these frames on each page.
std::string view_of_frames(OverlayPlayer& player, uint64_t first, uint64_t last) {
  std::string all;
  for (const char* page : {"page=lanes", "page=table", "page=tree", "page=flame"}) {
    flamelet::overlay_load_settings(player.overlay, page, strlen(page));
    REQUIRE(overlay_select_frames(player.overlay, first, last));
    player.filter("a", 40);
    for (const char* field :
         {"first_frame", "last_frame", "view_begin_ns", "view_end_ns", "filter_count", "filter_total_ns", "table_rows",
          "tree_paths", "tree_total", "flame_drawn", "flame_merged", "zones_in_view", "lanes", "gpu_lanes"})
      all += std::string(field) + " " + player.state(field) + "\n";
    flamelet::ui::GpuFrame gpu;
    if (player.overlay->gpu.find(first, &gpu)) all += "gpu " + std::to_string(gpu.busy_ns) + "\n";
  }
  return all;
}

// In the menu "File", the entry `row` from above.
void choose(OverlayPlayer& player, float row) {
  player.open_file_menu(row);
  player.click();
}

void type_path(OverlayPlayer& player, const std::string& path) {
  // Puts it in place of the proposal.
  player.overlay->files.path[0] = 0;
  for (const char c : path) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    player.frames();
  }
}

void wait_for_file(OverlayPlayer& player) {
  do player.frames();
  while (player.state("file_busy") == "true");
}

constexpr float kSaveFrames = 0, kSaveAll = 1, kOpen = 2;

// An overlay that shows a game of so many frames, and keeps its files in the folder.
template <int kFrames>
struct Shown : TemporaryFolder {
  RecordedGame game{small_game(), kFrames};
  DrawnPlayer player{active_overlay(path().c_str())};
};

}  // namespace

TEST_CASE_FIXTURE(TemporaryFolder, "overlay captures: an opened file looks exactly like the live game that was saved") {
  RecordedGame game(RecordedGame::Options{}, 420);  // more GPU passes than are taken in at a time
  DrawnPlayer player;
  const std::string live = view_of_frames(player, 30, 30) + view_of_frames(player, 200, 203);
  REQUIRE(live.find("gpu ") != std::string::npos);
  REQUIRE(overlay_save_capture(player.overlay, file("all").c_str()) == FLAMELET_OK);
  OverlayPlayer other;
  flamelet_load_report report;
  REQUIRE(overlay_open_capture(other.overlay, file("all").c_str(), &report) == FLAMELET_OK);
  CHECK(report.chunks_damaged == 0);
  CHECK_FALSE(overlay_shows_live_game(other.overlay));
  CHECK(view_of_frames(other, 30, 30) + view_of_frames(other, 200, 203) == live);
  CHECK(other.state("capture_frames") == player.state("capture_frames"));
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay captures: saved frames open paused on the longest of them") {
  RecordedGame game(small_game());
  for (int i = 0; i < 60; ++i) game.frame(i == 41 ? 4 : 1);
  DrawnPlayer player;
  REQUIRE(overlay_save_capture(player.overlay, file("hitch").c_str(), 40, 43) == FLAMELET_OK);
  REQUIRE(overlay_open_capture(player.overlay, file("hitch").c_str()) == FLAMELET_OK);
  player.frames(3);
  CHECK(player.state("paused") == "true");
  CHECK(player.state("first_frame") == "41");
  CHECK(player.state("last_frame") == "41");
  CHECK(player.number("capture_frames") < 10);
  CHECK(player.number("zones_in_view") > 50);
  CHECK(overlay_save_capture(player.overlay, file("none").c_str(), 1000, 2000) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(count() == 1);
}

TEST_CASE("overlay captures: a file opens on a hitch, and not on a longer frame in which the game started") {
  const TemporaryFolder folder;
  RecordedGame game(small_game());
  for (int i = 0; i < 60; ++i) game.frame(i == 2 ? 8 : i == 41 ? 4 : 1);
  DrawnPlayer player;
  REQUIRE(overlay_save_capture(player.overlay, folder.file("all").c_str()) == FLAMELET_OK);
  REQUIRE(overlay_open_capture(player.overlay, folder.file("all").c_str()) == FLAMELET_OK);
  player.frames(3);
  CHECK(player.state("first_frame") == "41");
  CHECK(player.state("last_frame") == "41");
}

TEST_CASE(
    "overlay captures: a file does not open on the time before the first frame, where all frames lost some events") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("Work");
  const int64_t ends_ms[] = {500, 510, 530, 540};
  for (uint64_t i = 0; i < 4; ++i) {
    const int64_t begin_ns = (i == 0 ? 0 : ends_ms[i - 1]) * 1000000, end_ns = ends_ms[i] * 1000000;
    building.begin(lane, begin_ns + 1000, site);
    building.end(lane, end_ns - 1000);
    building.frame(i, begin_ns, end_ns, FLAMELET_FRAME_LOSSY | (i == 0 ? FLAMELET_FRAME_PARTIAL : 0));
  }
  const flamelet_capture* capture = building.finish();
  DrawnPlayer player;
  player.show(capture, "lossy");
  CHECK(player.state("first_frame") == "2");
}

TEST_CASE("overlay captures: an event far away from all others is not in the time that a trace reaches over") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("Work");
  constexpr int64_t kHourNs = 3600000000000;
  for (const int64_t begin_ns : {int64_t{0}, 30 * kHourNs, 30 * kHourNs + 20000, 30 * kHourNs + 40000}) {
    building.begin(lane, begin_ns, site);
    building.end(lane, begin_ns + 10000);
  }
  const flamelet_capture* capture = building.finish();
  DrawnPlayer player;
  player.show(capture, "stray");
  CHECK(is_drawn("0frames,50.0us"));
}

TEST_CASE_FIXTURE(Building, "overlay captures: where there is no scope, none is asked for") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "Main"), scope = site("Work");
  begin(thread, 1000, scope);
  end(thread, 2000);
  finish();
  Building empty;
  empty.lane(FLAMELET_LANE_THREAD, "Main");
  flamelet_capture_builder_interval(empty.builder, 1, 1000, 1, 5000, 7, empty.site("Load"), 0, 0);
  const flamelet_capture* without = empty.finish();
  DrawnPlayer player;
  player.show(capture, "scopes", 60);
  CHECK(is_drawn("scopesovertime"));
  player.show(without, "intervals", 1);
  CHECK_FALSE(is_drawn("takes"));  // nor while it is not known yet
  player.frames(60);
  CHECK(is_drawn("noscopes"));
  CHECK_FALSE(is_drawn("takes"));
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay captures: the live game comes back, and goes on") {
  RecordedGame game(small_game(), 30);
  DrawnPlayer player;
  REQUIRE(overlay_save_capture(player.overlay, file("a").c_str()) == FLAMELET_OK);
  REQUIRE(overlay_open_capture(player.overlay, file("a").c_str()) == FLAMELET_OK);
  REQUIRE(overlay_open_capture(player.overlay, file("a").c_str()) == FLAMELET_OK);
  game.frames(10);
  player.frames(10);
  CHECK(player.state("capture_frames") == "30");
  player.move(640, 300);
  player.press(TestKey::kSpace);
  CHECK(player.state("paused") == "true");
  player.show(nullptr, nullptr, 10);
  CHECK(overlay_shows_live_game(player.overlay));
  CHECK(player.state("capture_title") == "null");
  CHECK(player.state("paused") == "false");
  CHECK(player.state("capture_frames") == "40");
  const double before = player.number("last_frame");
  game.frames(10);
  player.frames(10);
  CHECK(player.number("last_frame") > before);
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay captures: a file that is none, or is not there, changes nothing") {
  std::ofstream(file("text")) << "This is no capture.";
  RecordedGame game(small_game(), 30);
  DrawnPlayer player;
  CHECK(overlay_open_capture(player.overlay, file("text").c_str()) == FLAMELET_ERROR_FILE_FORMAT);
  CHECK(overlay_open_capture(player.overlay, file("nothing").c_str()) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(overlay_save_capture(player.overlay, file("no/such/folder").c_str()) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(overlay_shows_live_game(player.overlay));
  CHECK(player.state("capture_frames") == "30");
  CHECK(overlay_open_capture(nullptr, "x") == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(overlay_save_capture(nullptr, "x") == FLAMELET_ERROR_INVALID_ARGUMENT);
  overlay_show_capture(nullptr, nullptr, nullptr);
  CHECK_FALSE(overlay_shows_live_game(nullptr));
}

TEST_CASE("overlay captures: every block of an opened or saved capture is given back") {
  const TemporaryFolder folder;
  RecordedGame game(small_game(), 30);
  // The overlay's thread allocates, too, but never at the same time: it is joined before its results are used.
  CountingAllocator allocator;
  {
    flamelet::OverlayConfig config = active_overlay(folder.path().c_str());
    config.allocator = allocator.get();
    DrawnPlayer player(config);
    CHECK(allocator.blocks_held() == 1);
    REQUIRE(overlay_save_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);
    CHECK(allocator.blocks_held() == 1);
    const size_t alone = allocator.bytes_held();
    REQUIRE(overlay_open_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);
    player.frames(3);
    CHECK(allocator.blocks_held() == 2);
    CHECK(player.overlay->files.opened_bytes > 0);
    REQUIRE(overlay_open_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);
    CHECK(allocator.blocks_held() == 2);
    overlay_show_capture(player.overlay, nullptr, nullptr);
    CHECK(allocator.blocks_held() == 1);
    CHECK(allocator.bytes_held() == alone);
    REQUIRE(overlay_open_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);
  }
  CHECK(allocator.blocks_held() == 0);
  CHECK(allocator.bytes_held() == 0);
}

TEST_CASE_FIXTURE(Shown<60>, "overlay captures: the menu saves the shown frames, and opens them again") {
  REQUIRE(player.select_frames(20, 24));
  const flamelet::ui::TimeWindow saved = player.overlay->timeline.shown_window();
  choose(player, kSaveFrames);
  CHECK(player.state("file_dialog") == "\"save frames\"");
  CHECK(player.state("file_path").find(file("frames-20-24-")) == 1);
  CHECK(player.state("file_path").find(".flamelet\"") != std::string::npos);
  type_path(player, file("five"));
  CHECK(player.state("file_path") == '"' + file("five") + '"');
  player.press(TestKey::kEnter);
  wait_for_file(player);
  CHECK(player.state("file_dialog") == "\"none\"");
  CHECK(player.state("file_notice").find("\"Saved " + file("five")) == 0);
  CHECK(count() == 1);

  choose(player, kOpen);
  CHECK(player.state("file_dialog") == "\"open\"");
  player.press(TestKey::kEnter);  // the path of before stands there
  wait_for_file(player);
  CHECK(player.state("capture_title") == '"' + file("five") + '"');
  CHECK(player.state("live_game") == "false");
  CHECK(player.number("capture_frames") < 10);
  CHECK(player.number("zones_in_view") > 50);
  CHECK(player.overlay->timeline.recorded().begin_ns >= saved.begin_ns);
  CHECK(player.overlay->timeline.recorded().end_ns <= saved.end_ns);

  // "Live" is where "Pause" was.
  player.settle();
  player.move(20, 15);
  player.click();
  CHECK(player.state("live_game") == "true");
}

TEST_CASE_FIXTURE(Shown<30>, "overlay captures: the list of a folder leaves room for the buttons in a low window") {
  for (int i = 0; i < 20; ++i) std::ofstream(file("file") + std::to_string(i)) << "x";
  ImGui::GetIO().DisplaySize = ImVec2(400, 300);
  REQUIRE(player.select_frames(20, 24));
  choose(player, kSaveFrames);
  player.frames(5);
  CHECK(is_drawn("Cancel"));
  player.load_settings("text_percent=200\n", 8);
  CHECK(is_drawn("Cancel"));
}

TEST_CASE_FIXTURE(Shown<30>, "overlay captures: a name that was proposed and not taken is none to open") {
  std::ofstream(file("a.flamelet")) << "x";
  choose(player, kSaveAll);
  player.press(TestKey::kEscape);
  choose(player, kOpen);
  player.frames(3);
  CHECK(player.state("file_path") == '"' + path() + "/\"");
  CHECK(is_drawn("a.flamelet"));
}

TEST_CASE_FIXTURE(Shown<30>, "overlay captures: a dialog at the bottom that grows stays in the window") {
  REQUIRE(player.select_frames(20, 24));
  choose(player, kSaveFrames);
  player.frames(3);
  ImGui::GetIO().DisplaySize.y = HeadlessImGui::lowest("##Popup");
  std::ofstream(file("taken")) << "x";
  type_path(player, file("taken"));
  player.frames(3);
  CHECK(is_drawn("Afileofthisnameisthere"));
  CHECK(HeadlessImGui::lowest("##Popup") <= ImGui::GetIO().DisplaySize.y);
}

TEST_CASE_FIXTURE(Shown<60>, "overlay captures: a dialog goes with the capture that it is about") {
  REQUIRE(player.select_frames(20, 24));
  choose(player, kSaveFrames);
  REQUIRE(player.state("file_dialog") == "\"save frames\"");
  flamelet::overlay_show_capture(player.overlay, nullptr, nullptr);
  player.press(TestKey::kEnter);
  wait_for_file(player);
  CHECK(player.state("file_dialog") == "\"none\"");
  CHECK(count() == 0);
}

TEST_CASE_FIXTURE(Shown<60>, "overlay captures: the dialog lists the path's folder, and keys choose from it") {
  player.frames(5);
  std::filesystem::create_directory(file("sub"));
  for (const char* name : {"zero.flamelet", "alpha.flamelet"})
    REQUIRE(overlay_save_capture(player.overlay, file(name).c_str()) == FLAMELET_OK);
  for (const char* name : {"alpha notes", ".hidden", "trace.json"}) std::ofstream(file(name)) << "x";
  const auto listed = [&] {
    player.frames(2);
    const flamelet::ui::FolderList& list = player.overlay->files.list;
    std::string names;
    for (uint32_t i = 0; i < list.count; ++i) names += std::string(list.name(i)) + "|";
    return names;
  };
  const auto press = [&](flamelet::ui::Key key) { return press_chord(&player, {key}); };
  using flamelet::ui::Key;
  choose(player, kOpen);
  type_path(player, path() + "/");
  CHECK(listed() == "..|sub|alpha.flamelet|trace.json|zero.flamelet|alpha notes|");
  CHECK(player.number("file_entries") == 6);
  ImGui::GetIO().AddInputCharacter('a');
  player.frames(2);
  CHECK(player.number("file_entries") == 2);
  if (!press(Key::kUp)) return;  // an ImGui without such keys
  press(Key::kUp);
  press(Key::kEnter);
  wait_for_file(player);
  CHECK(player.state("capture_title") == '"' + file("alpha.flamelet") + '"');
  CHECK(player.state("file_dialog") == "\"none\"");
  // Into a folder, and out of it.
  choose(player, kOpen);
  type_path(player, path() + "/");
  player.frames(2);
  press(Key::kDown);
  press(Key::kDown);
  press(Key::kEnter);
  CHECK(player.state("file_path") == '"' + file("sub/") + '"');
  CHECK(player.state("file_dialog") == "\"open\"");
  CHECK(listed() == "..|");
  press(Key::kDown);
  press(Key::kEnter);
  player.frames(3);
  CHECK(player.state("file_path") == '"' + path() + "/\"");
  for (const char c : std::string("zero")) {  // behind the folder
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    player.frames();
  }
  CHECK(player.state("file_path") == '"' + file("zero") + '"');
  CHECK(player.number("file_entries") == 1);
  player.press(TestKey::kEscape);
  // Of more files than there is room for, the captures are there; a file to be saved may replace one.
  for (int i = 0; i < 1100; ++i) std::ofstream(file("a file " + std::to_string(i))) << "x";
  std::ofstream(file("alpha.flamelet")) << "x";
  choose(player, kSaveAll);
  CHECK(listed().find("..|sub|alpha.flamelet|trace.json|zero.flamelet|a file ") == 0);
  CHECK(player.overlay->files.list.is_full);
  CHECK(player.number("file_entries") == flamelet::ui::FolderList::kMostEntries);
  for (int i = 0; i < 3; ++i) press(Key::kDown);
  press(Key::kEnter);
  CHECK(player.state("file_path") == '"' + file("alpha.flamelet") + '"');
  CHECK(player.overlay->files.path_is_taken);
  // It is asked for, so that no Enter too many costs a capture.
  const auto size = [&] { return std::filesystem::file_size(file("alpha.flamelet")); };
  const auto before = size();
  press(Key::kEnter);
  CHECK(player.state("file_busy") == "false");
  CHECK(player.overlay->files.may_replace);
  CHECK(size() == before);
  press(Key::kEnter);
  wait_for_file(player);
  CHECK(player.state("file_dialog") != "\"save\"");
  CHECK(size() > before);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(Shown<30>, "overlay captures: what goes wrong is said in the dialog, which stays") {
  choose(player, kOpen);
  type_path(player, file("nothing"));
  player.press(TestKey::kEnter);
  wait_for_file(player);
  CHECK(player.state("file_dialog") == "\"open\"");
  CHECK(player.state("file_notice").find("No such file or directory") != std::string::npos);
  CHECK(player.state("live_game") == "true");
  // The path can be mended at once.
  player.frames(3);
  for (const char c : std::string(" else")) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    player.frames();
  }
  CHECK(player.state("file_path") == '"' + file("nothing else") + '"');
  player.press(TestKey::kEnter);
  wait_for_file(player);
  CHECK(player.state("file_notice").find("nothing else") != std::string::npos);
  snprintf(player.overlay->files.path, sizeof player.overlay->files.path, "%s/no%0600d", path().c_str(), 1);
  flamelet::ui::start_file_job(*player.overlay, player.overlay->files);
  wait_for_file(player);
  CHECK(player.state("file_notice").find("0001: ") != std::string::npos);
  // Out of the dialog, also from its text field; not out of the overlay.
  player.press(TestKey::kEscape);
  CHECK(player.state("file_dialog") == "\"none\"");
  CHECK(player.state("mode") == "\"active\"");
}

TEST_CASE_FIXTURE(Shown<30>, "overlay captures: a dialog that was open when the overlay went lets the save key save") {
  choose(player, kOpen);
  REQUIRE(player.state("file_dialog") == "\"open\"");
  flamelet::overlay_set_mode(player.overlay, flamelet::OverlayMode::kHud);
  player.frames();
  player.press(TestKey::kF2);
  wait_for_file(player);
  CHECK(count() == 1);
}

TEST_CASE_FIXTURE(Shown<30>, "overlay captures: without a path the dialog asks for one") {
  choose(player, kOpen);
  player.press(TestKey::kEnter);
  CHECK(player.state("file_dialog") == "\"open\"");
  CHECK(player.state("file_notice").find("path") != std::string::npos);
}

TEST_CASE("overlay captures: what the recorder dropped is told of a running game, and of a file") {
  const TemporaryFolder folder;
  RecordedGame game(RecordedGame::Options{}, 5);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 80; ++i) flamelet_begin("deep", "", nullptr);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 80; ++i) flamelet_end_top();
  game.frames(5);
  Building other;
  const uint32_t lane = other.lane(FLAMELET_LANE_THREAD, "Main");
  other.span(lane, 0, 10, other.site("a"));
  DrawnPlayer player(active_overlay(folder.path().c_str()));
  player.frames(20);
  CHECK(player.number("dropped") == 80);
  Capture capture(Captured::kNow);
  REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, folder.file("game").c_str()) == FLAMELET_OK);
  game.frames(5);
  REQUIRE(overlay_open_capture(player.overlay, folder.file("game").c_str()) == FLAMELET_OK);
  player.frames();
  CHECK(player.number("dropped") == 80);
  player.show(other.finish(), "of no recorder", 1);
  CHECK(player.number("dropped") == 0);
}

TEST_CASE("overlay captures: a game records and an overlay draws on while everything is saved") {
  const TemporaryFolder folder;
  RecordedGame game(RecordedGame::Options{}, 100);
  DrawnPlayer player(active_overlay(folder.path().c_str()));
  choose(player, kSaveAll);
  CHECK(player.state("file_dialog") == "\"save all\"");
  type_path(player, folder.file("all"));
  player.gui.key(TestKey::kEnter, true);
  // From ImGui 1.87 on, one event takes effect in each frame.
  for (int i = 0; i < 10 && player.state("file_busy") == "false"; ++i) player.frames();
  int frames_meanwhile = 0;
  do {
    // What is recorded meanwhile waits in the ring, which holds as many frames as were saved.
    if (frames_meanwhile < 50) game.frames(1), ++frames_meanwhile;
    player.frames();
    player.overlay->timeline.set_paused(false);
  } while (player.state("file_busy") == "true");
  player.gui.key(TestKey::kEnter, false);
  game.frames(5);
  player.frames(10);
  CHECK(player.state("file_notice").find("\"Saved ") == 0);
  CHECK(player.state("lost") == "0");
  flamelet_capture* saved = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, folder.file("all").c_str(), &saved, nullptr) == FLAMELET_OK);
  CHECK(flamelet_capture_frame_count(saved) >= 99);
  CHECK(player.number("capture_frames") >= static_cast<double>(flamelet_capture_frame_count(saved)) + 5);
  flamelet_capture_destroy(saved);
}

TEST_CASE("overlay captures: an overlay that is destroyed, or leaves a file, while it saves leaves a whole file") {
  for (const bool destroyed : {true, false}) {
    CAPTURE(destroyed);
    const TemporaryFolder folder;
    RecordedGame game(small_game(), 60);
    {
      DrawnPlayer player(active_overlay(folder.path().c_str()));
      REQUIRE(overlay_save_capture(player.overlay, folder.file("shown").c_str()) == FLAMELET_OK);
      if (!destroyed) REQUIRE(overlay_open_capture(player.overlay, folder.file("shown").c_str()) == FLAMELET_OK);
      choose(player, kSaveAll);
      type_path(player, folder.file("all"));
      flamelet::ui::start_file_job(*player.overlay, player.overlay->files);
      if (!destroyed) {
        flamelet::ui::show_live(*player.overlay, player.overlay->files);
        CHECK(player.state("file_notice").find("\"Saved ") == 0);
        CHECK(player.state("file_busy") == "false");
      }
    }
    flamelet_capture* saved = nullptr;
    flamelet_load_report report;
    REQUIRE(flamelet_capture_load(nullptr, folder.file("all").c_str(), &saved, &report) == FLAMELET_OK);
    CHECK_FALSE(report.truncated);
    flamelet_capture_destroy(saved);
  }
}

TEST_CASE_FIXTURE(
    Shown<60>, "overlay captures: of a file that was cut short, what is intact is shown, and that it was cut is said") {
  REQUIRE(overlay_save_capture(player.overlay, file("cut").c_str()) == FLAMELET_OK);
  std::filesystem::resize_file(file("cut"), std::filesystem::file_size(file("cut")) - 8);
  choose(player, kOpen);
  type_path(player, file("cut"));
  player.press(TestKey::kEnter);
  wait_for_file(player);
  CHECK(player.state("live_game") == "false");
  CHECK(player.state("file_notice").find("ends too early") != std::string::npos);
}

TEST_CASE("overlay captures: a capture of the program's own without frame marks is shown from end to end") {
  Building building;
  const uint32_t site = building.site("work");
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "work");
  for (int64_t i = 0; i < 10; ++i) {
    building.begin(lane, i * 1000000000, site);
    building.end(lane, i * 1000000000 + 400000000);
  }
  flamelet_capture* const capture = building.finish();
  OverlayPlayer player;
  player.show(capture, "made by hand");
  CHECK(player.state("capture_title") == "\"made by hand\"");
  CHECK(player.state("zones_in_view") == "10");
  CHECK(player.state("fitted") == "true");
  player.show(nullptr, nullptr);
  CHECK(player.state("zones_in_view") == "0");
}

TEST_CASE_FIXTURE(Shown<30>,
                  "overlay captures: Enter marks the first entry of the menu where none is, and then takes it") {
  REQUIRE(player.select_frames(5, 5));
  player.type('e');
  player.press(TestKey::kEnter);
  CHECK(player.state("file_dialog") == "\"none\"");
  player.press(TestKey::kEnter);
  CHECK(player.state("file_dialog") == "\"save frames\"");
}

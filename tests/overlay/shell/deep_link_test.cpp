// SPDX-License-Identifier: MIT
//
// Links: what one overlay writes leads another one to the same place; and the program's part of the menu "File".
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using flamelet::overlay_open_link;

namespace {

std::string link_of(const OverlayPlayer& player) {
  char link[2048];
  const size_t size = flamelet::overlay_write_link(player.overlay, link, sizeof link);
  REQUIRE(size < sizeof link);
  REQUIRE(flamelet::overlay_write_link(player.overlay, nullptr, 0) == size);
  return link;
}

std::string place_of(const OverlayPlayer& player) {
  std::string place;
  for (const char* field : {"page", "paused", "first_frame", "last_frame", "filter", "filter_count", "selected_name",
                            "selected_begin_ns", "selected_end_ns", "scope_name", "fitted"})
    place += std::string(field) + " " + player.state(field) + "\n";
  return place;
}

}  // namespace

TEST_CASE("overlay links: a scope that a link selects has the same time of its own as one that was chosen") {
  RecordedGame game(small_game(), 40);
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 10, 10));
  REQUIRE(player.select_scope("World::update"));
  const flamelet::ui::SelectedSpan chosen = player.overlay->selection.span;
  const std::string link = link_of(player);
  player.overlay->selection.clear();
  player.frames(3);
  REQUIRE(overlay_open_link(player.overlay, link.c_str()));
  player.frames(3);
  const flamelet::ui::SelectedSpan linked = player.overlay->selection.span;
  REQUIRE(linked.span.begin_ns == chosen.span.begin_ns);
  CHECK(linked.span.self_ns == chosen.span.self_ns);
  CHECK(linked.span.self_ns < (linked.span.end_ns - linked.span.begin_ns) / 2);
}

TEST_CASE("overlay links: a link leads to the page, the frames, the scope, the view and the filter") {
  const TemporaryFolder folder;
  RecordedGame game(small_game(), 40);
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_save_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);

  for (const char* name : {"World::update", "Island::solve", "no such scope"}) {
    CAPTURE(std::string(name));
    player.gui.make_current();  // the other one of the round before is gone
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 10, 12));
    flamelet::overlay_select_scope(player.overlay, name);
    flamelet::overlay_set_filter(player.overlay, "a&b=c%d");
    player.move(640, 300);
    player.wheel(2);
    player.frames(5);
    CHECK(player.state("fitted") == "false");

    OverlayPlayer other;
    REQUIRE(flamelet::overlay_open_capture(other.overlay, folder.file("a").c_str()) == FLAMELET_OK);
    const std::string link = link_of(player);
    CAPTURE(link);
    CHECK(overlay_open_link(other.overlay, ("#" + link).c_str()));
    other.frames(5);
    CHECK(place_of(other) == place_of(player));
    CHECK(link_of(other) == link);
    CHECK(other.number("view_begin_ns") == doctest::Approx(player.number("view_begin_ns")).epsilon(1e-6));
  }
}

TEST_CASE_FIXTURE(SmallGame<40>, "overlay links: a link has the measured time, and the whole history of a page") {
  DrawnPlayer player;
  for (const char* page : {"table", "tree", "flame", "scope"}) {
    const std::string whole = std::string(page) == "table" ? "" : "&whole=1";
    const std::string link = std::string("page=") + page + whole + "&frame=7&measured=1000-2000";
    CHECK(overlay_open_link(player.overlay, link.c_str()));
    player.frames(3);
    CHECK(link_of(player) == link);
    CHECK(player.number("measured_ns") == 1000);
  }
  CHECK(player.state("tree_whole_history") == "true");
  CHECK(player.overlay->settings.scope_history);
}

TEST_CASE_FIXTURE(SmallGame<40>, "overlay links: what a link names and the capture lacks is skipped") {
  DrawnPlayer player;
  for (const char* link : {"frame=12345", "frame=", "frame=9-8", "frame=-4", "frame=99999999999999999999", "frame=4x",
                           "scope=nothing&frame=5", "view=5", "view=9-2", "view=x", "page=none", "scope=%", "scope=%4",
                           "at=5&scope=", "page=", "unknown=7", "=&=", "frame"}) {
    CAPTURE(std::string(link));
    CHECK_FALSE(overlay_open_link(player.overlay, link));
    player.frames(2);
  }
  CHECK(player.state("first_frame") == "5");
  for (const char* link : {"", "#", "&&&", "frame=6&", "view=-5-100000"})
    CHECK(overlay_open_link(player.overlay, link));
  CHECK_FALSE(overlay_open_link(nullptr, "frame=1"));
  CHECK_FALSE(overlay_open_link(player.overlay, nullptr));
  CHECK(flamelet::overlay_write_link(nullptr, nullptr, 0) == 0);
  CHECK(player.state("first_frame") == "6");
}

TEST_CASE_FIXTURE(SmallGame<40>, "overlay links: a range may have dots in it, and what is wrong with a link is named") {
  DrawnPlayer player;
  CHECK(overlay_open_link(player.overlay, "frame=10..12"));
  player.frames(2);
  CHECK(player.state("first_frame") == "10");
  CHECK(player.state("last_frame") == "12");
  char why[128] = "old";
  const auto problem = [&](const char* link) {
    const bool good = overlay_open_link(player.overlay, link, why, sizeof why);
    CHECK(good == (why[0] == 0));
    return std::string(why);
  };
  CHECK(problem("page=lanes&frame=11") == "");
  CHECK(problem("page=lanes&frame=11...12") == "frame=11...12: this is no number and no range, such as 7 or 7-9");
  CHECK(problem("frame=12345") == "frame=12345: this is not in the capture");
  CHECK(problem("frame=11&scope=nothing") == "scope=nothing: this is not in the capture");
  CHECK(problem("view=x") == "view=x: this is no range of nanoseconds, such as 1200000-1300000");
  CHECK(problem("page=none") == "page=none: there is no such page");
  CHECK(problem("pge=why&frame=12") == "pge=why: a link has no such part");
  CHECK(player.state("first_frame") == "12");
  CHECK(
      problem("y&frame=9999&scope=nothing") ==
      "frame=9999: this is not in the capture; scope=nothing: this is not in the capture; y: a link has no such part");
}

TEST_CASE("overlay links: of a scope that is not in the shown frame, the nearest frame is named") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  for (int64_t frame = 0; frame < 10; ++frame) {
    const int64_t begin_ns = frame * 1000;
    if (frame == 2 || frame == 7) {
      building.begin(lane, begin_ns + 10, building.site("load"));
      building.end(lane, begin_ns + (frame == 2 ? 1200 : 500));
    }
    building.frame(static_cast<uint64_t>(frame) + 1, begin_ns, begin_ns + 1000, lane);
  }
  DrawnPlayer player;
  player.show(building.finish(), "built");
  char why[128];
  CHECK(overlay_open_link(player.overlay, "frame=8&scope=load", why, sizeof why));
  CHECK(overlay_open_link(player.overlay, "frame=4&scope=load", why, sizeof why));  // it began in the frame before
  player.frames(2);
  CHECK(player.number("selected_begin_ns") == 2010);
  CHECK(player.number("first_frame") == 4);
  for (const char* link : {"frame=5&scope=load", "frame=6&scope=load"}) {
    CHECK_FALSE(overlay_open_link(player.overlay, link, why, sizeof why));
    CHECK(std::string(why) == std::string("scope=load: this begins in no shown frame, the nearest is frame=") +
                                  (link[6] == '5' ? '3' : '8'));
  }
}

TEST_CASE(
    "overlay host: the menu leaves the choice of a file and the clipboard to the program, and tells what was saved") {
  const TemporaryFolder folder;
  RecordedGame game(small_game(), 40);
  struct Heard {
    std::vector<std::string> all;
    static void add(void* user, std::string what) { static_cast<Heard*>(user)->all.push_back(std::move(what)); }
  } heard;
  flamelet::OverlayConfig config = active_overlay(folder.path().c_str());
  config.host.user = &heard;
  config.host.choose_capture = [](void* user) { Heard::add(user, "choose"); };
  config.host.capture_saved = [](void* user, const char* path) { Heard::add(user, std::string("saved ") + path); };
  config.host.copy_link = [](void* user, const char* link) { Heard::add(user, std::string("link ") + link); };
  DrawnPlayer player(config);
  REQUIRE(player.select_frames(7, 7));

  const auto choose = [&](float row) {
    player.open_file_menu(row);
    player.click();
  };
  choose(2.5f);  // below a separator
  REQUIRE(heard.all.size() == 1);
  CHECK(heard.all[0] == "choose");
  CHECK(player.state("file_dialog") == "\"none\"");
  choose(3.5f);
  REQUIRE(heard.all.size() == 2);
  CHECK(heard.all[1] == "link page=lanes&frame=7");
  choose(1);
  CHECK(player.state("file_dialog") == "\"save all\"");
  player.press(TestKey::kEnter);
  do player.frames();
  while (player.state("file_busy") == "true");
  REQUIRE(heard.all.size() == 3);
  CHECK(heard.all[2].find("saved " + folder.path()) == 0);
  CHECK(folder.count() == 1);
}

TEST_CASE(
    "overlay host: the menu offers the calls of the selected scope as frames, with its lane where there are others") {
  for (const int lanes : {1, 2}) {
    CAPTURE(lanes);
    recorder_test::Building building;
    for (int i = 0; i < lanes; ++i) {
      const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "worker " + std::to_string(i));
      building.begin(lane, 1000, building.site("tick"));
      building.end(lane, 9000 + i);
    }
    std::string heard;
    flamelet::OverlayConfig config = active_overlay();
    config.host.user = &heard;
    config.host.frames_of = [](void* user, const char* name) {
      *static_cast<std::string*>(user) += *name != 0 ? name : "marks";
    };
    DrawnPlayer player(config);
    player.show(building.finish(), "foreign", 5);
    player.open_file_menu(3.5f);
    CHECK(is_drawn("Callsoftheselectedscopeasframes"));
    player.click();
    CHECK(heard.empty());
    player.press(TestKey::kEscape);
    REQUIRE(player.select_scope("tick"));
    CHECK(is_drawn("Filetakesthecalls"));
    player.open_file_menu(3.5f);
    player.click();
    CHECK(heard == (lanes == 1 ? "tick" : "worker 1: tick"));
    player.open_file_menu(4.5f);
    CHECK(is_drawn("Framemarksasframes"));
    player.click();
    CHECK(heard == (lanes == 1 ? "tick" : "worker 1: tick") + std::string("marks"));
    // Of a game that runs, frames are what it marks.
    player.show(nullptr, nullptr);
    player.open_file_menu(3.5f);
    CHECK_FALSE(is_drawn("asframes"));
  }
}

TEST_CASE("overlay links: a scope without a name, and each of the two scopes of a shared lock, is found again") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t nameless = building.site("");
  const uint32_t shared = building.site("shared lock", "wait"), exclusive = building.site("lock", "wait"),
                 world = building.string("world");
  building.begin(lane, 100, nameless);
  building.end(lane, 200);
  building.begin(lane, 300, shared, world);
  building.end(lane, 400);
  building.begin(lane, 500, exclusive, world);
  building.end(lane, 900);
  building.frame(0, 0, 1000);
  DrawnPlayer player;
  player.show(building.finish(), "built");
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 0));
  player.open_page("table");
  player.frames(3);
  CHECK(is_drawn("\nsharedlockwait\n"));
  CHECK(is_drawn("\nlockwait\n"));
  for (const uint32_t site : {nameless, shared, exclusive}) {
    CAPTURE(site);
    const uint32_t name = site == nameless ? player.overlay->store.lanes()[0].rows.spans[0].name : world;
    player.overlay->selection.select_scope({{site, name}, 0, false});
    const std::string link = link_of(player);
    CAPTURE(link);
    player.overlay->selection.clear();
    CHECK(overlay_open_link(player.overlay, link.c_str()));
    CHECK(player.overlay->selection.scope.key.site == site);
  }
}

TEST_CASE("overlay lanes: a scope without a length at the begin of the view is drawn") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("mark");
  for (const int64_t at_ns : {0, 500}) {
    building.begin(lane, at_ns, site);
    building.end(lane, at_ns);
  }
  DrawnPlayer player;
  player.show(building.finish(), "built");
  player.overlay->timeline.set_view({0, 600}, false);
  player.frames(3);
  CHECK(player.number("zones_in_view") == 2);
}

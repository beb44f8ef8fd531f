// SPDX-License-Identifier: MIT
//
// Names that nobody thought of, where a frame is explained: none is cut by an edge, or drawn over another text.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "overlay/drawn_text.h"
#include "shell/overlay_state.h"
#include "support/building.h"

using namespace flamelet_tests;
using recorder_test::Building;

namespace {

constexpr int64_t kFrameNs = 10000000;
constexpr uint64_t kSlow = 60;

const std::string kNames[] = {
    std::string(300, 'w'),
    "two\nlines\n\nand\ttabs\r",
    "no_spaces_but_" + std::string(90, '_') + "::operator()",
    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85",  // from right to left
    "\xE2\x80\xAE"
    "backwards",  // an override
    "\xF0\x9F\x94\xA5\xF0\x9F\x94\xA5 fire",
    "broken \xC3\x28 \xE2\x82",
    "%s%n{0} ##id ###id"};

// 60 frames that are alike, and one in which each of the names takes twenty times as long, in the one before it.
void record(Building* building, bool gpu, uint32_t threads) {
  const auto lane = [building](flamelet_lane_kind kind, const std::string& name) {
    return flamelet_capture_builder_span_lane(building->builder, kind, 0, building->string(name), false);
  };
  const uint32_t main = lane(FLAMELET_LANE_THREAD, kNames[0]);
  std::vector<uint32_t> others;
  for (uint32_t i = 0; i < threads; ++i)
    others.push_back(lane(FLAMELET_LANE_THREAD, kNames[i % 8] + std::to_string(i)));
  const uint32_t queue = gpu ? lane(FLAMELET_LANE_GPU, kNames[3]) : 0;
  int64_t at_ns = 0;
  for (uint64_t index = 1; index <= kSlow; ++index) {
    const int64_t took_ns = index == kSlow ? 20 * kFrameNs : kFrameNs;
    int64_t begin_ns = at_ns, end_ns = at_ns + took_ns;
    for (const std::string& name : kNames) {
      building->span(main, begin_ns, end_ns, building->site(name));
      begin_ns += took_ns / 20;
      end_ns -= took_ns / 40;
    }
    for (uint32_t i = 0; i < threads; ++i)
      building->span(others[i], at_ns, at_ns + took_ns / 2, building->site(kNames[i % 8]));
    if (gpu) building->span(queue, at_ns + 1000, at_ns + took_ns - 1000, building->site(kNames[5]));
    building->frame(index, at_ns, at_ns + took_ns, main);
    at_ns += took_ns;
  }
}

void check_texts(const std::string& scene) {
  CAPTURE(scene);
  const DrawnTexts drawn(0);
  CHECK(drawn.texts().size() > 3);
  for (const DrawnText& text : drawn.texts()) {
    CAPTURE(text.text);
    CAPTURE(text.window);
    CAPTURE(text.over);
    CAPTURE(text.x0);
    CAPTURE(text.x1);
    CAPTURE(text.y0);
    CAPTURE(text.y1);
    CAPTURE(text.ink);
    CAPTURE(text.behind);
    CHECK(text.contrast >= flamelet::ui::kLeastContrast);
    CHECK_FALSE(text.overlaps);
    CHECK_FALSE(text.cut);
  }
  CHECK(HeadlessImGui::vertices_sane());
}

void look(float width, float height, const std::string& settings, bool gpu, uint32_t threads) {
  Building building;
  record(&building, gpu, threads);
  OverlayPlayer player(flamelet::OverlayMode::kActive, width, height);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  flamelet::overlay_show_capture(player.overlay, building.finish(), kNames[1].c_str());
  for (const char* page : {"lanes", "why", "table", "tree", "scope"}) {
    const std::string text = settings + "critical_path=1\npage=" + page + "\n";
    player.load_settings(text, 2);
    REQUIRE(flamelet::overlay_select_frames(player.overlay, kSlow, kSlow));
    player.move(1, 1);
    player.frames(100);
    if (std::string(page) == "why") CHECK(player.state("why_known") == "true");
    check_texts(text + std::to_string(static_cast<int>(width)));
  }
}

}  // namespace

TEST_CASE("hostile names: in the Why line and on the pages, in small and large windows and each theme" *
          doctest::test_suite("gate")) {
  look(640, 360, "theme=0\n", true, 2);
  look(1280, 720, "theme=1\n", true, 2);
  look(1920, 1080, "theme=2\ntext_percent=200\n", true, 2);
}

TEST_CASE("hostile names: without a GPU, and with sixty threads") {
  look(640, 360, "theme=1\n", false, 60);
}

TEST_CASE_FIXTURE(Building, "hostile names: a block has all of a name with a line break, or of blanks, and its time") {
  const uint32_t main = flamelet_capture_builder_span_lane(builder, FLAMELET_LANE_THREAD, 0, string("main"), false);
  span(main, 0, kFrameNs / 2, site("a\nb"));
  span(main, kFrameNs / 2, kFrameNs, site("   "));
  flamelet_capture_builder_frame(builder, 1, 0, kFrameNs, main);
  DrawnPlayer player;
  flamelet::overlay_show_capture(player.overlay, finish(), "built");
  REQUIRE(player.select_frames(1, 1));
  const std::string all = all_drawn_text();
  CHECK(all.find("a?b") != std::string::npos);
  CHECK(all.find('"') != std::string::npos);
  CHECK(all.find("of1frame\n") != std::string::npos);
}

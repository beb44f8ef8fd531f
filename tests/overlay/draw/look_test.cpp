// SPDX-License-Identifier: MIT
//
// The look of the overlay: its theme, its palette, and a text size apart from the program's.
#include <doctest/doctest.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "draw/text.h"
#include "lanes/lanes_page.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/recording.h"

namespace look_test {

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

void load(OverlayPlayer* player, const char* text) {
  flamelet::overlay_load_settings(player->overlay, text, strlen(text));
  player->frames(2);
}

bool draws(Rgb rgb) {
  const ImU32 color = IM_COL32(rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF, 255);
  bool found = false;
  HeadlessImGui::for_each_list([&](const ImDrawList& list) {
    for (const ImDrawVert& vertex : list.VtxBuffer) found = found || vertex.col == color;
  });
  return found;
}

}  // namespace

TEST_CASE("overlay look: the theme changes what is drawn, scopes included, and each overlay has its own") {
  RecordedGame game(RecordedGame::Options{}, 30);
  OverlayPlayer player;
  player.frames(20);
  const Theme dark = make_theme(ThemeName::kDark, Palette::kAll);
  const Theme light = make_theme(ThemeName::kLight, Palette::kTritanopia);
  CHECK(draws(dark.colors[static_cast<uint32_t>(Role::kCanvas)]));
  load(&player, "theme=1\npalette=3\n");
  CHECK(theme() == light);
  CHECK(draws(light.colors[static_cast<uint32_t>(Role::kCanvas)]));
  CHECK_FALSE(draws(dark.colors[static_cast<uint32_t>(Role::kCanvas)]));
  const auto scopes_drawn = [](const Theme& of) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < kScopeColorCount; ++i) count += draws(of.scopes[i]) ? 1u : 0u;
    return count;
  };
  CHECK(scopes_drawn(light) > 3);
  flamelet::Overlay* other = nullptr;
  REQUIRE(flamelet::overlay_create(flamelet::OverlayConfig(), &other) == FLAMELET_OK);
  player.gui.frame([&] {
    flamelet::overlay_hud(other);
    CHECK(theme() == dark);
    flamelet::overlay_show(player.overlay);
    CHECK(theme() == light);
  });
  flamelet::overlay_destroy(other);
}

TEST_CASE("overlay look: the text size is a share of the program's, whose own text keeps its size") {
  RecordedGame game(RecordedGame::Options{}, 30);
  DrawnPlayer player;
  const float size = player.overlay->metrics.size;
  float host_size = 0;
  for (const int percent : {150, 75, 100, 300, 50}) {
    CAPTURE(percent);
    FixedText<64> text;
    load(&player, text.add("text_percent=").add_signed(percent).add('\n').c_str());
    CHECK(player.overlay->metrics.size ==
          doctest::Approx(drawn_font_size(size * static_cast<float>(percent) / 100)).epsilon(0.01));
    CHECK(player.overlay->unit == doctest::Approx(player.overlay->metrics.size / 13));
    player.gui.frame([&] {
      flamelet::overlay_show(player.overlay);
      host_size = ImGui::GetFontSize();
    });
    CHECK(host_size == size);
    CHECK(player.number("canvas_vertices") > 0);
  }
}

TEST_CASE("overlay look: every page has its button, also in a narrow window and with large text") {
  RecordedGame game(RecordedGame::Options{}, 30);
  const struct {
    float width;
    const char* look;
  } screens[] = {{640, "text_percent=100"}, {480, "text_percent=100"}, {640, "text_percent=150"}};
  for (const auto& screen : screens) {
    CAPTURE(screen.look);
    OverlayPlayer player(flamelet::OverlayMode::kActive, screen.width, 360);
    load(&player, screen.look);
    player.frames(5);
    for (uint32_t i = kPageCount; i-- > 0;) {
      const std::string name = kPages[i].name;
      CAPTURE(name);
      player.open_page(name);
      CHECK(player.state("page") == "\"" + name + "\"");
      CHECK(player.state("paused") == "false");  // it is not over a button that steps
    }
  }
}

TEST_CASE(
    "overlay look: two scopes side by side differ from the first frame on, also in colours of the program's own") {
  const recorder_test::Recording recording(recorder_test::with_thread_clock(flamelet_config_default(), 1000));
  for (int frame = 0; frame < 4; ++frame) {
    for (int i = 0; i < 4; ++i) {
      if (i % 2 == 0) {
        FLAMELET_SCOPE_WAIT("wait for a");
        thread_now_ns += 20000;
      } else {
        FLAMELET_SCOPE_WAIT("wait for b");
        thread_now_ns += 20000;
      }
    }
    flamelet_frame();
  }
  OverlayPlayer player;
  player.frames(30);
  const Array<Block>& blocks = lanes_of(*player.overlay).canvas.blocks;
  REQUIRE(blocks.count == 4);
  for (uint32_t i = 1; i < 4; ++i)
    CHECK((blocks[i].flags & kBlockOtherShade) != (blocks[i - 1].flags & kBlockOtherShade));
  CHECK(draws(color::kWait));
  CHECK(draws(other_shade(color::kWait)));
}

TEST_CASE(
    "overlay look: while the game runs, text does not flicker: the view moves ten times a second, numbers change four "
    "times") {
  RecordedGame game(RecordedGame::Options{}, 40);
  OverlayPlayer player;
  player.frames(30);
  // Where a character stands, and which one: by lines of text.
  std::map<std::pair<std::string, int>, std::pair<size_t, int>> lines;  // a hash of the line, and how often it changed
  constexpr int kSeconds = 3;
  for (int frame = 0; frame < kSeconds * 60; ++frame) {
    game.frames(1);
    player.frames();
    std::map<std::pair<std::string, int>, size_t> now;
    HeadlessImGui::for_each_list([&](const ImDrawList& list) {
      const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
      for (const ImDrawVert& vertex : list.VtxBuffer) {
        if (vertex.uv.x == white.x && vertex.uv.y == white.y) continue;
        size_t& hash = now[{list._OwnerName, static_cast<int>(vertex.pos.y / 16)}];
        hash = (hash ^ std::hash<float>()(vertex.uv.x * 7 + vertex.uv.y) ^ std::hash<float>()(vertex.pos.x)) * 31 + 1;
      }
    });
    for (const auto& [place, hash] : now) {
      auto& line = lines[place];
      if (frame != 0 && line.first != hash) ++line.second;
      line.first = hash;
    }
  }
  CHECK(lines.size() > 10);
  int changed = 0;
  int bottom = 0;
  for (const auto& [place, line] : lines)
    if (place.first == "Flamelet###flamelet_overlay") bottom = std::max(bottom, place.second);
  for (const auto& entry : lines) {
    const auto& place = entry.first;
    const auto& line = entry.second;
    CAPTURE(place.first);
    CAPTURE(place.second);
    // The truth line at the bottom has numbers of two paces; all other lines may belong to the view.
    const bool truth = place.first == "Flamelet###flamelet_overlay" && place.second == bottom;
    CHECK(line.second <= (truth ? 2 * (kSeconds * 4 + 1) : kSeconds * 14));
    changed += line.second != 0 ? 1 : 0;
  }
  CHECK(changed > 3);
}

}  // namespace look_test

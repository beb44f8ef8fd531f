// SPDX-License-Identifier: MIT
//
// The look of the overlay: its theme, its palette, and a text size apart from the program's.
#include <doctest/doctest.h>
#include <string.h>

#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "ui/overlay_state.h"
#include "view/text_buffer.h"

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
  RecordedGame game(RecordedGame::Options{});
  game.frames(30);
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
  RecordedGame game(RecordedGame::Options{});
  game.frames(30);
  OverlayPlayer player;
  player.frames(3);
  const float size = player.overlay->metrics.size;
  float host_size = 0;
  for (const int percent : {150, 75, 100, 300, 50}) {
    CAPTURE(percent);
    FixedText<64> text;
    load(&player, text.add("text_percent=").add_signed(percent).add('\n').c_str());
    CHECK(player.overlay->metrics.size == doctest::Approx(size * static_cast<float>(percent) / 100).epsilon(0.05));
    CHECK(player.overlay->unit == doctest::Approx(player.overlay->metrics.size / 13));
    player.gui.frame([&] {
      flamelet::overlay_show(player.overlay);
      host_size = ImGui::GetFontSize();
    });
    CHECK(host_size == size);
    CHECK(player.number("canvas_vertices") > 0);
  }
}

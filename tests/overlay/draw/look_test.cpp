// SPDX-License-Identifier: MIT
//
// The look of the overlay: its theme, its palette, and a text size apart from the program's.
#include <doctest/doctest.h>

#include <stdio.h>
#include <string.h>
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "draw/text.h"
#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/recording.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace look_test {

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

void load(OverlayPlayer* player, const char* text) {
  player->load_settings(text, 2);
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
  } screens[] = {
      {640, "text_percent=100"}, {480, "text_percent=100"}, {640, "text_percent=150"}, {640, "text_percent=200"}};
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

TEST_CASE("overlay look: in a small window with large text, what is around the page gives way to it") {
  RecordedGame game(RecordedGame::Options{}, 30);
  for (const char* look : {"text_percent=100", "text_percent=200"}) {
    CAPTURE(look);
    OverlayPlayer player(flamelet::OverlayMode::kActive, 640, 360);
    load(&player, "place=3");
    load(&player, look);
    player.frames(5);
    const auto& canvas = lanes_of(*player.overlay).canvas;
    CHECK(canvas.bottom - canvas.top >= 3 * player.number("row_height_px") - 1);
    CHECK(player.number("bars_height_px") >= player.overlay->metrics.size);
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

// ---- Eyes ---------------------------------------------------------------------------------------------------------

// Every text that the overlay draws, on every page, can be read: contrast (WCAG 2.1, 1.4.3), no text over another, none
// cut at a side.

namespace {

void check_texts(const std::string& scene, Rgb game) {
  CAPTURE(scene);
  const DrawnTexts drawn(game);
  CHECK(drawn.texts().size() > 3);
  for (const DrawnText& text : drawn.texts()) {
    CAPTURE(text.text);
    CAPTURE(text.window);
    CAPTURE(text.x0);
    CAPTURE(text.y0);
    CAPTURE(text.over);
    char hex[32];
    snprintf(hex, sizeof hex, "%06X on %06X", text.ink, text.behind);
    CAPTURE(hex);
    CHECK(text.contrast >= kLeastContrast);
    CHECK_FALSE(text.overlaps);
    CHECK_FALSE(text.cut);
  }
}

void load(OverlayPlayer* player, const std::string& text) {
  player->load_settings(text, 2);
}

// Over a game of the colour that the theme's surfaces are furthest from.
Rgb worst_game() {
  return theme().colors == make_theme(ThemeName::kLight, Palette::kAll).colors ? 0x000000u : 0xFFFFFFu;
}

// Each page with a scope selected; on the lanes also what comes up over them.
void check_pages(OverlayPlayer* player, const std::string& look) {
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  load(player, look);
  REQUIRE(player->select_frames(12, 14));
  const Rgb game = worst_game();
  for (uint32_t i = 0; i < kPageCount; ++i) {
    load(player, "page=" + std::string(kPages[i].name));
    flamelet::overlay_select_scope(player->overlay, "Physics");
    player->move(1, 1);
    player->frames(20);
    check_texts(look + kPages[i].name, game);
  }
  load(player, "page=lanes");
  const flamelet::Overlay& o = *player->overlay;
  player->filter("phys", 20);
  check_texts(look + "filter", game);
  flamelet::overlay_set_filter(player->overlay, "");
  player->move(lanes_of(o).canvas.x + lanes_of(o).canvas.width * 0.3f, lanes_of(o).canvas.y + 14 * o.unit);
  player->frames(3);
  check_texts(look + "tooltip", game);
  player->click(1);
  player->frames(3);
  check_texts(look + "menu", game);
  player->press(TestKey::kEscape);
  player->drag(lanes_of(o).canvas.x + lanes_of(o).canvas.width * 0.3f, lanes_of(o).canvas.y + 4 * o.unit,
               lanes_of(o).canvas.x + lanes_of(o).canvas.width * 0.6f, lanes_of(o).canvas.y + 4 * o.unit);
  player->move(1, 1);
  check_texts(look + "measured", game);
  for (const char* open : {"help", "settings"}) {
    player->overlay->window.help_open = open[0] == 'h';
    player->overlay->panel.open = open[0] == 's';
    player->frames(3);
    check_texts(look + open, game);
  }
  player->overlay->panel.open = false;
  player->move(o.history.x + o.history.width - 20, o.history.y + 10);
  player->frames(3);
  check_texts(look + "bars", game);
  player->move(1, 1);
}

}  // namespace

TEST_CASE("overlay eyes: every text of every page can be read, in every theme" * doctest::test_suite("gate")) {
  RecordedGame game(RecordedGame::Options{}, 40);
  for (const char* look : {"theme=0\n", "theme=1\n", "theme=2\n"}) {
    OverlayPlayer player;
    player.frames(20);
    check_pages(&player, look);
  }
}

TEST_CASE("overlay eyes: every text can be read in small and large windows, and at twice the text size" *
          doctest::test_suite("gate")) {
  RecordedGame game(RecordedGame::Options{}, 40);
  const struct {
    float width, height;
    const char* look;
  } screens[] = {{640, 360, "text_percent=100\n"},
                 {640, 360, "text_percent=200\n"},
                 {1920, 1080, "text_percent=150\n"},
                 {1920, 1080, "text_percent=200\n"}};
  for (const auto& screen : screens) {
    OverlayPlayer player(flamelet::OverlayMode::kActive, screen.width, screen.height);
    player.frames(20);
    check_pages(&player, screen.look);
  }
}

TEST_CASE_FIXTURE(FullGame<40>, "overlay eyes: the HUD can be read over a black game and over a white one") {
  for (const char* look : {"theme=0\n", "theme=1\n", "theme=2\n"}) {
    OverlayPlayer player(flamelet::OverlayMode::kHud);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    load(&player, look);
    player.frames(20);
    for (const Rgb behind : {0x000000u, 0xFFFFFFu}) check_texts(look, behind);
  }
}

TEST_CASE("overlay eyes: every text can be read in a window of the program's own, whatever its colours are") {
  RecordedGame game(RecordedGame::Options{}, 40);
  for (const char* look : {"theme=0\n", "theme=1\n"}) {
    OverlayPlayer player(flamelet::OverlayMode::kOff);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    const bool light = look[6] == '1';
    ImGui::GetStyle().Colors[ImGuiCol_WindowBg] = light ? ImVec4(0, 0, 0, 1) : ImVec4(1, 1, 1, 1);
    flamelet::overlay_load_settings(player.overlay, look, 8);
    for (int i = 0; i < 20; ++i) {
      player.gui.frame([&] {
        ImGui::SetNextWindowPos(ImVec2(0, 0));
        ImGui::SetNextWindowSize(ImVec2(1280, 720));
        ImGui::Begin("mine", nullptr, ImGuiWindowFlags_NoTitleBar);
        flamelet::overlay_content(player.overlay);
        ImGui::End();
      });
    }
    check_texts(look, light ? 0x000000u : 0xFFFFFFu);
    // Its surface reaches from edge to edge, but for the line around the program's window.
    const DrawnTexts drawn(light ? 0x000000u : 0xFFFFFFu);
    for (const int x : {1, 2, 3, 4, 7, 1272, 1275, 1276, 1278}) {
      CAPTURE(x);
      CHECK(drawn.pixel(x, 3) == color::kWindow);
      CHECK(drawn.pixel(x, 715) == color::kWindow);
    }
  }
}

TEST_CASE_FIXTURE(SmallGame<10>, "overlay eyes: in a window that scrolls sideways, the surface stays inside of it") {
  OverlayPlayer player(flamelet::OverlayMode::kOff);
  constexpr Rgb kGame = 0x00FF00;
  for (int i = 0; i < 10; ++i) {
    player.gui.frame([&] {
      ImGui::SetNextWindowPos(ImVec2(200, 100));
      ImGui::SetNextWindowSize(ImVec2(600, 500));
      ImGui::Begin("mine", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_HorizontalScrollbar);
      ImGui::BeginChild("content", ImVec2(1200, 400), true);
      flamelet::overlay_content(player.overlay);
      ImGui::EndChild();
      ImGui::SetScrollX(300);
      ImGui::End();
    });
  }
  const DrawnTexts drawn(kGame);
  CHECK(drawn.pixel(400, 109) == color::kWindow);
  for (int x = 0; x < 1280; ++x) {
    if (x >= 200 && x < 800) continue;
    CAPTURE(x);
    CHECK(drawn.pixel(x, 300) == kGame);
  }
}

TEST_CASE("overlay eyes: the check sees text that is too faint, cut, or over another text") {
  HeadlessImGui gui(300, 200);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  gui.frame([] {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRectFilled(ImVec2(0, 0), ImVec2(300, 200), IM_COL32(0x20, 0x20, 0x20, 255));
    list->AddText(ImVec2(10, 10), IM_COL32(255, 255, 255, 255), "clear");
    list->AddText(ImVec2(10, 40), IM_COL32(0x60, 0x60, 0x60, 255), "faint");
    list->AddText(ImVec2(10, 70), IM_COL32(255, 255, 255, 255), "below");
    list->AddText(ImVec2(12, 72), IM_COL32(255, 255, 0, 255), "above");
    list->AddText(ImVec2(10, 100), IM_COL32(255, 255, 255, 255), "hidden");
    list->AddRectFilled(ImVec2(0, 95), ImVec2(300, 120), IM_COL32(0, 0, 0, 255));
    list->AddText(ImVec2(10, 100), IM_COL32(255, 255, 255, 255), "shown");
    list->PushClipRect(ImVec2(0, 130), ImVec2(28, 150));
    list->AddText(ImVec2(10, 130), IM_COL32(255, 255, 255, 255), "cut off");
    list->PopClipRect();
  });
  const DrawnTexts drawn(0);
  std::vector<const DrawnText*> found;
  for (const DrawnText& text : drawn.texts()) found.push_back(&text);
  REQUIRE(found.size() == 7);
  CHECK(found[0]->contrast > 15);
  CHECK_FALSE(found[0]->overlaps);
  CHECK(found[1]->contrast < kLeastContrast);
  CHECK_FALSE(found[2]->overlaps);
  CHECK(found[3]->overlaps);
  CHECK_FALSE(found[5]->overlaps);
  CHECK_FALSE(found[5]->cut);
  CHECK(found[6]->cut);
}

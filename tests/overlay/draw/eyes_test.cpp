// SPDX-License-Identifier: MIT
//
// Every text that the overlay draws, on every page, can be read: contrast (WCAG 2.1, 1.4.3), no text over another, none
// cut at a side.
#include <doctest/doctest.h>
#include <stdio.h>

#include <string>
#include <vector>

#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

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
  flamelet::overlay_load_settings(player->overlay, text.data(), text.size());
  player->frames(2);
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
  flamelet::overlay_set_filter(player->overlay, "phys");
  player->frames(20);
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
  } screens[] = {
      {640, 360, "text_percent=100\n"}, {1920, 1080, "text_percent=150\n"}, {1920, 1080, "text_percent=200\n"}};
  for (const auto& screen : screens) {
    OverlayPlayer player(flamelet::OverlayMode::kActive, screen.width, screen.height);
    player.frames(20);
    check_pages(&player, screen.look);
  }
}

TEST_CASE("overlay eyes: the HUD can be read over a black game and over a white one") {
  RecordedGame game(RecordedGame::Options{}, 40);
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

TEST_CASE("overlay eyes: in a window that scrolls sideways, the surface stays inside of it") {
  RecordedGame game(small_game(), 10);
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

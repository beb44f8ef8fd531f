// SPDX-License-Identifier: MIT
//
// Several ImGui contexts in one program: an editor's and its game's, or one that is made anew.
#include <doctest/doctest.h>

#include <string.h>

#include <memory>

#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;

namespace {

// Frames of all, one after the other, as a program with several windows draws them.
template <typename... Players>
void frames(int count, Players&... players) {
  for (int i = 0; i < count; ++i) (..., (players.gui.make_current(), players.frames()));
}

}  // namespace

TEST_CASE("overlay contexts: two overlays in two contexts live side by side, each with its own mouse and keys") {
  RecordedGame game(small_game(), 60);
  OverlayPlayer editor;
  OverlayPlayer window(flamelet::OverlayMode::kActive, 900, 600);
  frames(3, editor, window);
  CHECK(editor.number("canvas_width_px") > window.number("canvas_width_px"));

  const std::string before = editor.state("view_begin_ns") + editor.state("view_end_ns");
  const double length = window.number("view_end_ns") - window.number("view_begin_ns");
  window.gui.mouse(450, static_cast<float>(window.number("canvas_top_px") + 10));
  frames(2, editor, window);
  window.gui.make_current();
  window.press(TestKey::kSpace);
  window.wheel(3);
  frames(3, editor, window);
  CHECK(window.state("paused") == "true");
  CHECK(window.number("view_end_ns") - window.number("view_begin_ns") < length / 1.5);
  CHECK(editor.state("paused") == "false");
  CHECK(editor.state("view_begin_ns") + editor.state("view_end_ns") == before);

  game.frames(5);
  frames(10, editor, window);
  CHECK(editor.number("last_frame") > window.number("last_frame"));
  for (OverlayPlayer* player : {&editor, &window}) {
    player->gui.make_current();
    player->frames();
    CHECK(HeadlessImGui::drawn("flamelet").vertices > 500);
    CHECK(HeadlessImGui::vertices_sane());
  }
}

TEST_CASE("overlay contexts: the overlay of one context goes while the other is drawn on") {
  const SmallGame<60> game;
  OverlayPlayer stays;
  auto goes = std::make_unique<OverlayPlayer>();
  frames(3, stays, *goes);
  stays.gui.make_current();
  goes.reset();
  stays.frames(3);
  CHECK(HeadlessImGui::drawn("flamelet").vertices > 500);
  CHECK(stays.number("zones_in_view") > 0);
}

TEST_CASE_FIXTURE(SmallGame<60>, "overlay contexts: an overlay outlives its context, and goes on in another one") {
  flamelet::Overlay* overlay = nullptr;
  flamelet::OverlayConfig config = active_overlay();
  config.toggle_key = HeadlessImGui::mode_key();
  REQUIRE(flamelet::overlay_create(config, &overlay) == FLAMELET_OK);  // before there is any context
  int vertices[2] = {};
  for (int& drawn : vertices) {
    HeadlessImGui gui;
    for (int i = 0; i < 10; ++i) gui.frame([&] { flamelet::overlay_show(overlay); });
    drawn = HeadlessImGui::drawn("flamelet").vertices;
    CHECK(HeadlessImGui::vertices_sane());
  }
  CHECK(vertices[0] > 500);
  CHECK(vertices[1] > 500);
  flamelet::overlay_destroy(overlay);  // after the last one
}

TEST_CASE("overlay contexts: in a context whose clock begins anew, what is shown goes on at once") {
  RecordedGame game(small_game(), 20);
  flamelet::Overlay* overlay = nullptr;
  flamelet::OverlayConfig config = active_overlay();
  config.toggle_key = HeadlessImGui::mode_key();
  REQUIRE(flamelet::overlay_create(config, &overlay) == FLAMELET_OK);
  overlay->panel.open = true;
  const auto draw = [overlay](float step_s, int frames) {
    HeadlessImGui gui;
    ImGui::GetIO().DeltaTime = step_s;
    for (int i = 0; i < frames; ++i) gui.frame([overlay] { flamelet::overlay_show(overlay); });
  };
  const auto told_frames = [overlay] {
    for (uint32_t i = 0; i < flamelet::ui::kLimitCount; ++i)
      if (strcmp(flamelet::ui::kLimitTable[i].name, "max_frames") == 0) return overlay->panel.told.fills[i].used;
    return uint64_t{0};
  };
  draw(1, 100);  // its clock ends at 100 s
  CHECK(told_frames() == 20);
  const uint64_t shown = overlay->timeline.shown().last;
  game.frames(10);
  draw(1.0f / 60, 3);
  CHECK(told_frames() == 30);
  CHECK(overlay->timeline.shown().last >= shown + 10);
  flamelet::overlay_destroy(overlay);
}

// SPDX-License-Identifier: MIT
//
// Where the overlay's window stands: at the top or the bottom, with a height that is dragged, or over all of the screen.
#include <doctest/doctest.h>

#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;
using flamelet::ui::key_of;
using flamelet::ui::WindowPlaceChoice;

namespace {

void place(OverlayPlayer* player, WindowPlaceChoice choice) {
  player->overlay->settings.place = static_cast<int>(choice);
  player->frames(4);
}

float page_height(const OverlayPlayer& player) {
  return static_cast<float>(player.number("window_height_px"));
}

}  // namespace

TEST_CASE("overlay window: it stands at the top or the bottom, as high as its edge was dragged") {
  DrawnPlayer player;
  place(&player, WindowPlaceChoice::kBottom);
  const float height = page_height(player);
  CHECK(player.number("window_y_px") == doctest::Approx(720 - height));
  player.drag(640, 720 - height + 2, 640, 720 - height + 102);  // the upper edge
  player.frames(3);
  CHECK(page_height(player) == doctest::Approx(height - 100).epsilon(0.02));
  CHECK(player.number("window_y_px") + player.number("window_height_px") == doctest::Approx(720));
  place(&player, WindowPlaceChoice::kTop);
  CHECK(player.number("window_y_px") == 0);
  CHECK(page_height(player) == doctest::Approx(height - 100).epsilon(0.02));
}

TEST_CASE("overlay window: full screen goes along with the screen, and the height before it comes back") {
  DrawnPlayer player;
  place(&player, WindowPlaceChoice::kTop);
  const float height = page_height(player);
  const double bars = player.number("bars_width_px");
  place(&player, WindowPlaceChoice::kFullScreen);
  const double lanes_top = player.number("canvas_top_px");
  CHECK(player.number("bars_width_px") == bars);
  ImGui::GetIO().DisplaySize = ImVec2(1600, 900);
  player.frames(4);
  CHECK(player.number("bars_width_px") == doctest::Approx(bars + 320));
  CHECK(player.number("canvas_top_px") == lanes_top);
  ImGui::GetIO().DisplaySize = ImVec2(1280, 720);
  player.frames(4);
  place(&player, WindowPlaceChoice::kTop);
  CHECK(page_height(player) == height);
}

TEST_CASE("overlay window: from full screen it goes back to where it was, by its key") {
  DrawnPlayer player;
  player.drag(1278, 517, 1000, 401);  // the lower right corner
  const float height = page_height(player);
  const double bars = player.number("bars_width_px");
  REQUIRE(height < 450);
  const auto press_full = [&] {
    press_chord(&player, {key_of('y')});
    player.frames(3);
  };
  press_full();
  CHECK(page_height(player) == 720);
  press_full();
  CHECK(page_height(player) == height);
  CHECK(player.number("bars_width_px") == bars);
  place(&player, WindowPlaceChoice::kBottom);
  press_full();
  CHECK(page_height(player) == 720);
  press_full();
  CHECK(player.overlay->settings.place == static_cast<int>(WindowPlaceChoice::kBottom));
  CHECK(player.number("window_y_px") + page_height(player) == 720);
  place(&player, WindowPlaceChoice::kFree);
  CHECK(page_height(player) == height);
}

TEST_CASE("overlay window: one that begins in full screen has its usual height at the top, and where it is free") {
  OverlayPlayer player;
  place(&player, WindowPlaceChoice::kFullScreen);
  place(&player, WindowPlaceChoice::kTop);
  CHECK(page_height(player) == 518);
  OverlayPlayer other;
  place(&other, WindowPlaceChoice::kFullScreen);
  place(&other, WindowPlaceChoice::kFree);
  CHECK(page_height(other) == 518);
}

TEST_CASE("overlay window: the height that its edge was dragged to is kept in the settings") {
  DrawnPlayer player;
  place(&player, WindowPlaceChoice::kBottom);
  flamelet::overlay_settings_changed(player.overlay);
  player.drag(640, 720 - 518 + 2, 640, 720 - 518 + 102);
  player.frames(3);
  CHECK(flamelet::overlay_settings_changed(player.overlay));
  char text[4096];
  REQUIRE(flamelet::overlay_save_settings(player.overlay, text, sizeof text) < sizeof text);
  OverlayPlayer later;
  later.load_settings(text, 4);
  CHECK(page_height(later) == page_height(player));
  CHECK(page_height(later) < 430);
}

// ---- What only ImGui's docking branch has: docked windows, and windows outside of the program's own ---------------

#ifdef IMGUI_HAS_DOCK

using namespace flamelet_tests;

namespace {

// A backend that has windows of the system in name only: they are where ImGui puts them.
struct SystemWindows {
  SystemWindows() {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_ViewportsEnable;
    io.BackendFlags |= ImGuiBackendFlags_PlatformHasViewports | ImGuiBackendFlags_RendererHasViewports;
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_CreateWindow = [](ImGuiViewport*) { ++windows; };
    platform.Platform_DestroyWindow = [](ImGuiViewport* viewport) {
      if (viewport != ImGui::GetMainViewport()) --windows;
    };
    platform.Platform_ShowWindow = [](ImGuiViewport*) {};
    platform.Platform_SetWindowPos = [](ImGuiViewport*, ImVec2) {};
    platform.Platform_GetWindowPos = [](ImGuiViewport* v) { return v == ImGui::GetMainViewport() ? kMain : v->Pos; };
    platform.Platform_SetWindowSize = [](ImGuiViewport*, ImVec2) {};
    platform.Platform_GetWindowSize = [](ImGuiViewport* viewport) { return viewport->Size; };
    platform.Platform_SetWindowFocus = [](ImGuiViewport*) {};
    platform.Platform_GetWindowFocus = [](ImGuiViewport*) { return true; };
    platform.Platform_GetWindowMinimized = [](ImGuiViewport*) { return false; };
    platform.Platform_SetWindowTitle = [](ImGuiViewport*, const char*) {};
    ImGuiPlatformMonitor monitor;
    monitor.MainPos = monitor.WorkPos = ImVec2(0, 0);
    monitor.MainSize = monitor.WorkSize = ImVec2(3840, 2160);
    platform.Monitors.push_back(monitor);
    ImGui::GetMainViewport()->PlatformHandle = this;
    windows = 0;
  }
  ~SystemWindows() { ImGui::DestroyPlatformWindows(); }
  static constexpr ImVec2 kMain{300, 200};  // where the program's window stands on the desktop
  static inline int windows = 0;            // besides it
};

void frames(OverlayPlayer& player, int count) {
  for (int i = 0; i < count; ++i) {
    player.frames();
    ImGui::UpdatePlatformWindows();
  }
}

}  // namespace

TEST_CASE("overlay docking: a docked overlay fills its dock, follows it, and answers the mouse") {
  RecordedGame game(small_game(), 60);
  OverlayPlayer player;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_DockingEnable;
  const auto docked_frames = [&](int count) {
    for (int i = 0; i < count; ++i)
      player.gui.frame([&] {
        ImGui::SetNextWindowPos(ImVec2(0, 0));
        ImGui::SetNextWindowSize(ImVec2(ImGui::GetIO().DisplaySize.x, 400));
        ImGui::Begin("editor");
        ImGui::DockSpace(1);
        ImGui::End();
        ImGui::SetNextWindowDockID(1);
        flamelet::overlay_show(player.overlay);
      });
  };
  docked_frames(6);
  CHECK_FALSE(player.overlay->window.place.inside);
  CHECK(player.overlay->window.place.height < 400);
  const double width = player.number("canvas_width_px");
  CHECK(width > 1100);
  ImGui::GetIO().DisplaySize.x = 900;
  docked_frames(6);
  CHECK(player.number("canvas_width_px") == doctest::Approx(width - 380));

  const double length = player.number("view_end_ns") - player.number("view_begin_ns");
  player.gui.mouse(450, static_cast<float>(player.number("canvas_top_px") + 10));
  docked_frames(2);
  player.gui.wheel(4);
  docked_frames(3);
  CHECK(player.number("view_end_ns") - player.number("view_begin_ns") < length / 2);
}

TEST_CASE("overlay docking: an overlay dragged out of the program's window stays where it was put") {
  RecordedGame game(small_game(), 60);
  OverlayPlayer player;
  const SystemWindows system;
  frames(player, 4);
  CHECK(SystemWindows::windows == 0);
  CHECK(player.overlay->window.place.inside);
  CHECK(player.number("canvas_left_px") >= static_cast<double>(SystemWindows::kMain.x));

  ImGui::SetWindowPos("###flamelet_overlay", ImVec2(2000, 300));
  frames(player, 4);
  CHECK(SystemWindows::windows == 1);
  CHECK_FALSE(player.overlay->window.place.inside);
  const double left = player.number("canvas_left_px");
  const double width = player.number("canvas_width_px");
  CHECK(left > 2000);
  ImGui::GetIO().DisplaySize = ImVec2(800, 600);
  frames(player, 4);
  CHECK(player.number("canvas_left_px") == left);
  CHECK(player.number("canvas_width_px") == width);

  // The mouse moves in the desktop's coordinates.
  const double length = player.number("view_end_ns") - player.number("view_begin_ns");
  player.gui.mouse(static_cast<float>(left + width / 2), static_cast<float>(player.number("canvas_top_px") + 10));
  frames(player, 2);
  player.gui.wheel(4);
  frames(player, 3);
  CHECK(player.number("view_end_ns") - player.number("view_begin_ns") < length / 2);
}

#endif  // IMGUI_HAS_DOCK

TEST_CASE("overlay window: large text in a small window says what it leaves out, and what is shown comes first") {
  RecordedGame game(small_game(), 30);
  const auto shown = [](const std::string& settings, float width, float height) {
    DrawnPlayer player(flamelet::OverlayMode::kActive, width, height);
    flamelet::overlay_load_settings(player.overlay, settings.data(), settings.size());
    player.select_frames(20, 20);
    flamelet::overlay_select_scope(player.overlay, "ai_think");
    player.frames(20);
    return all_drawn_text();
  };
  CHECK(shown("text_percent=200\npage=scope\n", 800, 420).find("toolowforitspicturesandlists\n") != std::string::npos);
  CHECK(shown("text_percent=200\npage=table\n", 800, 480).find("scope\n?\n") != std::string::npos);  // an ellipsis
  CHECK(shown("place=3\ntext_percent=300\n", 400, 420).find("\n234\n56789\nQ\n") != std::string::npos);
  CHECK(shown("place=3\ntext_percent=200\n", 400, 220).find("toolowforthispage\n") != std::string::npos);
  CHECK(shown("page=table\n", 1280, 720).find("scope\n?\n") == std::string::npos);
  CHECK(shown("text_percent=300\npage=lanes\n", 1280, 720).find("#20") != std::string::npos);
}

// SPDX-License-Identifier: MIT
//
// What only ImGui's docking branch has: docked windows, and windows outside of the program's own.
#include <doctest/doctest.h>

#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"

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

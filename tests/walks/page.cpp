// SPDX-License-Identifier: MIT
//
// The page of page.patch is opened by its name, remembers the frames that passed, and forgets them with their capture.
#include <flamelet/flamelet.h>
#include <flamelet/overlay.h>
#include <imgui.h>
#include <stdlib.h>

#include <string>

static int frames_remembered(const flamelet::Overlay* overlay) {
  std::string state(flamelet::overlay_write_state(overlay, nullptr, 0) + 1, 0);
  flamelet::overlay_write_state(overlay, state.data(), state.size());
  const std::string field = "\"toy_frames\": ";
  const size_t at = state.find(field);
  return at != std::string::npos ? atoi(state.c_str() + at + field.size()) : -1;
}

int main() {
  flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  ImGuiContext* context = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = ImVec2(1280, 720);
  io.DeltaTime = 0.125f;
  unsigned char* pixels;
  int width, height;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  flamelet::OverlayConfig overlay_config;
  overlay_config.mode = flamelet::OverlayMode::kActive;
  flamelet::Overlay* overlay = nullptr;
  if (flamelet::overlay_create(overlay_config, &overlay) != FLAMELET_OK) return 2;
  const char page[] = "page=toy";
  flamelet::overlay_load_settings(overlay, page, sizeof page - 1);
  for (int i = 0; i < 10; ++i) {
    flamelet_frame();
    ImGui::NewFrame();
    flamelet::overlay_show(overlay);
    ImGui::Render();
  }
  if (frames_remembered(overlay) < 8 || ImGui::GetDrawData()->TotalVtxCount == 0) return 3;
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* other = nullptr;
  if (flamelet_capture_create(&capture_config, &other) != FLAMELET_OK) return 4;
  flamelet::overlay_show_capture(overlay, other, "other");
  if (frames_remembered(overlay) != 0) return 5;
  flamelet::overlay_destroy(overlay);
  flamelet_capture_destroy(other);
  ImGui::DestroyContext(context);
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 6;
}

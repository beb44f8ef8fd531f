// SPDX-License-Identifier: MIT
#include "overlay_host.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <flamelet/flamelet.h>
#include <imgui.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace demo {
namespace {

// As if the mouse had left the window.
void forget_mouse() {
  const ImVec2 nowhere(-FLT_MAX, -FLT_MAX);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(nowhere.x, nowhere.y);
#else
  ImGui::GetIO().MousePos = nowhere;
#endif
}

}  // namespace

OverlayHost::OverlayHost(const Window& window, const Options& options) {
  flamelet::OverlayConfig config;
  config.mode = options.overlay;
  const flamelet_result result = flamelet::overlay_create(config, &overlay_);
  if (result != FLAMELET_OK) throw std::runtime_error(flamelet_result_message(result));

  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // every run begins with the same layout
  ImGui::StyleColorsDark();
  const float scale = window.content_scale();
  if (scale > 1.0f) {
    ImFontConfig font;
    font.SizePixels = std::round(13.0f * scale);  // the built-in font is a bitmap of 13 pixels
    ImGui::GetIO().Fonts->AddFontDefault(&font);
    ImGui::GetStyle().ScaleAllSizes(scale);
  }
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

OverlayHost::~OverlayHost() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  flamelet::overlay_destroy(overlay_);
}

void OverlayHost::show_tree(const char* name, flamelet_call_tree* tree) {
  flamelet::overlay_show_tree(overlay_, name, tree);
}

void OverlayHost::build(const std::string& line) {
  FLAMELET_SCOPE("Build UI");
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (ignore_mouse_) forget_mouse();
  ImGui::NewFrame();
  const float margin = ImGui::GetFontSize() * 0.75f;
  const ImVec2 at(margin, ImGui::GetIO().DisplaySize.y - ImGui::GetFontSize() - margin);
  ImDrawList* background = ImGui::GetBackgroundDrawList();
  background->AddText(ImVec2(at.x + 1, at.y + 1), IM_COL32(0, 0, 0, 160), line.data(), line.data() + line.size());
  background->AddText(at, IM_COL32(255, 240, 220, 220), line.data(), line.data() + line.size());
  {
    FLAMELET_SCOPE("Overlay");
    flamelet::overlay_show(overlay_);
  }
  ImGui::Render();
}

void OverlayHost::draw() {
  FLAMELET_SCOPE("Draw UI");
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool OverlayHost::takes_keyboard() const {
  return ImGui::GetIO().WantCaptureKeyboard;
}
bool OverlayHost::takes_mouse() const {
  return ImGui::GetIO().WantCaptureMouse;
}

void OverlayHost::show_frame(uint64_t index) {
  flamelet::overlay_select_frames(overlay_, index, index);
  ignore_mouse_ = true;
}

void OverlayHost::select_culprit() {
  // From the likeliest to what every frame has.
  for (const char* name : {"Plan all paths", "Plan paths", "Physics", "Render"}) {
    if (flamelet::overlay_select_scope(overlay_, name)) return;
  }
}

flamelet::OverlayStats OverlayHost::stats() const {
  flamelet::OverlayStats stats = {};
  flamelet::overlay_get_stats(overlay_, &stats);
  return stats;
}

void OverlayHost::write_dump(const std::string& path) const {
  FLAMELET_FUNCTION();
  std::string text(flamelet::overlay_write_state(overlay_, nullptr, 0) + 1, '\0');
  flamelet::overlay_write_state(overlay_, text.data(), text.size());
  text.pop_back();  // the closing 0
  const std::string beside = path + ".part";
  std::ofstream(beside, std::ios::binary) << text;
  if (std::rename(beside.c_str(), path.c_str()) != 0) throw std::runtime_error("Cannot write " + path + ".");
}

}  // namespace demo

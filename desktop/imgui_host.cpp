// SPDX-License-Identifier: MIT
#include "desktop/imgui_host.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cmath>

#include "desktop/gamepad.h"

namespace flamelet::desktop {

ImGuiHost::ImGuiHost(const GlWindow& window, float scale) {
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;                             // every run begins with the same layout
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableGamepad;  // or the backend does not read it
  ImGui::StyleColorsDark();
  if (!(scale > 0)) scale = window.content_scale();
  scale = std::fmax(scale, 1.0f);
  if (scale > 1.0f) ImGui::GetStyle().ScaleAllSizes(scale);
  fonts_.start(std::round(13.0f * scale));
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  ImGui_ImplOpenGL3_Init(window.shader_version());
}

ImGuiHost::~ImGuiHost() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

// The backend reads no gamepad without the flag, and ImGui listens to one with it.
void ImGuiHost::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  if (fonts_.update()) {
#if IMGUI_VERSION_NUM < 19200  // later ones upload it by themselves
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
  }
  ImGui_ImplOpenGL3_NewFrame();
  io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableGamepad;
  ImGui_ImplGlfw_NewFrame();
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableGamepad;
  Gamepad pad;
  put_gamepad(read_gamepad(&pad) ? &pad : nullptr);
}

void ImGuiHost::draw() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace flamelet::desktop

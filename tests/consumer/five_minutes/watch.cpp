// SPDX-License-Identifier: MIT
//
// The linker sends the game's calls of glfwSwapBuffers, glfwWindowShouldClose and flamelet::overlay_show here (--wrap).
// F1 is pressed three times: the overlay is active. After some frames its state must have the frames and the scopes.
#include <GLFW/glfw3.h>
#include <flamelet_overlay.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int kLastFrame = 90;
int frames = 0;
flamelet::Overlay* shown = nullptr;

// As a user does; the backend of ImGui has the callback.
void press_f1(GLFWwindow* window, int action) {
  const GLFWkeyfun key = glfwSetKeyCallback(window, nullptr);
  glfwSetKeyCallback(window, key);
  key(window, GLFW_KEY_F1, 0, action, 0);
}

[[noreturn]] void fail(const char* what, const std::string& state) {
  std::fprintf(stderr, "%s: %s\n", what, state.c_str());
  std::exit(1);
}

void check_overlay() {
  std::string state(shown == nullptr ? 0 : flamelet::overlay_write_state(shown, nullptr, 0), ' ');
  if (shown != nullptr) flamelet::overlay_write_state(shown, &state[0], state.size() + 1);
  if (state.find("\"mode\": \"active\"") == std::string::npos) fail("The overlay is not shown", state);
  const char* count = std::strstr(state.c_str(), "\"capture_frames\": ");
  if (count == nullptr || std::atoi(count + std::strlen("\"capture_frames\": ")) < kLastFrame / 2)
    fail("Frames are missing", state);
  for (const char* scope : {"update", "draw", "present"}) {
    if (!flamelet::overlay_select_scope(shown, scope)) fail(scope, state);
  }
  std::printf("%d frames, and all scopes are in the overlay\n", std::atoi(count + std::strlen("\"capture_frames\": ")));
}

}  // namespace

extern "C" {

void __real_glfwSwapBuffers(GLFWwindow* window);
int __real_glfwWindowShouldClose(GLFWwindow* window);
void __real__ZN8flamelet12overlay_showEPNS_7OverlayE(flamelet::Overlay* overlay);

void __wrap__ZN8flamelet12overlay_showEPNS_7OverlayE(flamelet::Overlay* overlay) {
  shown = overlay;
  __real__ZN8flamelet12overlay_showEPNS_7OverlayE(overlay);
}

void __wrap_glfwSwapBuffers(GLFWwindow* window) {
  ++frames;
  if (frames <= 24 && frames % 4 == 0) press_f1(window, frames % 8 == 4 ? GLFW_PRESS : GLFW_RELEASE);
  if (frames == kLastFrame) check_overlay();
  __real_glfwSwapBuffers(window);
}

int __wrap_glfwWindowShouldClose(GLFWwindow* window) {
  return frames >= kLastFrame || __real_glfwWindowShouldClose(window);
}

}  // extern "C"

// SPDX-License-Identifier: MIT
#include "window.h"

#include <GLFW/glfw3.h>
#include <flamelet/flamelet.h>
#include <imgui.h>

#include <cfloat>
#include <stdexcept>
#include <utility>

#include "desktop/saved_settings.h"

namespace demo {

// ---- window

namespace {

Window& window_of(GLFWwindow* handle) {
  return *static_cast<Window*>(glfwGetWindowUserPointer(handle));
}

glm::vec2 cursor_pixels(GLFWwindow* handle) {
  double x = 0.0;
  double y = 0.0;
  glfwGetCursorPos(handle, &x, &y);
  return {x, y};
}

}  // namespace

Window::Window(const Options& options)
    : gl_("Flamelet demo", options.width, options.height, !options.headless), window_(gl_.handle()) {
  glfwSwapInterval(options.vsync ? 1 : 0);
  glfwSetWindowUserPointer(window_, this);
  // ImGui's backend chains these: they are called after its own.
  glfwSetKeyCallback(window_,
                     [](GLFWwindow* w, int key, int, int action, int mods) { window_of(w).on_key(key, action, mods); });
  glfwSetScrollCallback(window_,
                        [](GLFWwindow* w, double, double y) { window_of(w).input_.wheel += static_cast<float>(y); });
}

void Window::on_key(int key, int action, int modifiers) {
  if (action != GLFW_PRESS) return;
  if (key == GLFW_KEY_B) input_.bomb = true;
  if (key == GLFW_KEY_H) input_.quake = true;
  if (key == GLFW_KEY_P) input_.pause = true;
  if (key == GLFW_KEY_F9) input_.dump = true;
  if (key == GLFW_KEY_F10) input_.screenshot = true;
  // Not Escape: in an active overlay it goes back step by step, and one step too many must not end a recording.
  if (key == GLFW_KEY_Q && (modifiers & GLFW_MOD_CONTROL) != 0) input_.quit = true;
}

Input Window::poll(bool wait, bool ui_takes_keyboard, bool ui_takes_mouse) {
  FLAMELET_SCOPE("Input");
  if (wait) {
    glfwWaitEventsTimeout(0.1);
  } else {
    glfwPollEvents();
  }
  const glm::vec2 cursor = cursor_pixels(window_);
  const bool held = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
  if (held) input_.turn = cursor - last_cursor_;
  last_cursor_ = cursor;

  Input input = std::exchange(input_, Input{});
  if (ui_takes_keyboard) input.bomb = input.quake = input.pause = false;
  if (ui_takes_mouse) {
    input.turn = glm::vec2(0.0f);
    input.wheel = 0.0f;
  }
  return input;
}

void Window::present() {
  FLAMELET_SCOPE_WAIT("Present");
  glfwSwapBuffers(window_);
}

void Window::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

bool Window::closing() const {
  return glfwWindowShouldClose(window_);
}

glm::ivec2 Window::size() const {
  glm::ivec2 size(0);
  gl_.size(&size.x, &size.y);
  return size;
}

glm::vec2 Window::cursor() const {
  glm::ivec2 size(1);
  glfwGetWindowSize(window_, &size.x, &size.y);
  const glm::vec2 at = cursor_pixels(window_) / glm::vec2(size.x > 0 ? size.x : 1, size.y > 0 ? size.y : 1);
  return glm::clamp(glm::vec2(at.x, 1.0f - at.y) * 2.0f - 1.0f, -1.0f, 1.0f);
}

// ---- overlay

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

OverlayHost::OverlayHost(const Window& window, const Options& options, flamelet_capture* capture,
                         flamelet_flight* flight)
    : imgui_(window.gl()) {
  flamelet::OverlayConfig config = options.small_memory ? flamelet::overlay_config_small() : flamelet::OverlayConfig();
  config.mode = options.overlay;
  config.shared_capture = capture;
  config.flight = flight;
  config.host.user = &imgui_;
  config.host.needs_characters = [](void* imgui, const char* text, size_t size) {
    static_cast<flamelet::desktop::ImGuiHost*>(imgui)->need_characters({text, size});
  };
  if (!options.flight.empty()) config.capture_folder = options.flight.c_str();
  const flamelet_result result = flamelet::overlay_create(config, &overlay_);
  if (result != FLAMELET_OK) throw std::runtime_error(flamelet_result_message(result));
  if (options.keeps_settings()) settings_.emplace(overlay_, "demo");
}

OverlayHost::~OverlayHost() {
  settings_.reset();
  flamelet::overlay_destroy(overlay_);
}

void OverlayHost::show_tree(const char* name, flamelet_call_tree* tree) {
  flamelet::overlay_show_tree(overlay_, name, tree);
}

void OverlayHost::build(const std::string& line) {
  FLAMELET_SCOPE("Build UI");
  imgui_.begin_frame();
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
  if (settings_) settings_->update();
  ImGui::Render();
}

void OverlayHost::draw() {
  FLAMELET_SCOPE("Draw UI");
  imgui_.draw();
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

void OverlayHost::select_scope(const std::string& name) {
  if (name.empty() || !flamelet::overlay_select_scope(overlay_, name.c_str()))
    flamelet::overlay_select_scope(overlay_, "Render");
}

flamelet::OverlayMode OverlayHost::mode() const {
  return flamelet::overlay_mode(overlay_);
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
  flamelet::desktop::write_file(path, text);
}

}  // namespace demo

// SPDX-License-Identifier: MIT
//
// page.cpp: a browser's page as the window, and what a program asks of it.
#include "desktop/gl_window.h"

#include <GLES3/gl3.h>
#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "desktop/platform/system.h"

// clang-format off
EM_JS(void, flamelet_page_choose_file, (), { Module.page.chooseFile(); });
EM_JS(void, flamelet_page_download, (const char* path), { Module.page.download(UTF8ToString(path)); });
EM_JS(void, flamelet_page_copy_link, (const char* link), { Module.page.copyLink(UTF8ToString(link)); });
EM_JS(void, flamelet_page_say, (const char* text), { Module.page.say(UTF8ToString(text)); });
EM_JS(void, flamelet_page_drawn, (), { Module.page.drawn(); });
EM_JS(void, flamelet_page_copy, (const char* text), { Module.page.copy(UTF8ToString(text)); });
// What the user pasted last, in memory that the caller frees.
EM_JS(char*, flamelet_page_pasted, (), {
  const size = lengthBytesUTF8(Module.page.pasted) + 1;
  const text = _malloc(size);
  stringToUTF8(Module.page.pasted, text, size);
  return text;
});
EM_JS(float, flamelet_draw_character, (uint32_t character, float em, float ascent, int width, int height,
                                       unsigned char* alpha), {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.font = em + 'px sans-serif';
  const text = String.fromCodePoint(character);
  context.fillText(text, 0, ascent);
  const { data } = context.getImageData(0, 0, width, height);
  for (let i = 0; i < width * height; ++i) HEAPU8[alpha + i] = data[4 * i + 3];
  return context.measureText(text).width;
});
// Emscripten's glfwSetWindowSize() takes a window as large as the screen for one that wants to be full screen, which a page may
// not do by itself: it would throw in each frame.
EM_JS(void, flamelet_page_set_size, (int width, int height), {
  Browser.setCanvasSize(width, height);
  GLFW.active.width = width;
  GLFW.active.height = height;
});
// clang-format on

namespace flamelet::desktop {

void page_choose_file() {
  flamelet_page_choose_file();
}

void page_download(const char* path) {
  flamelet_page_download(path);
}

void page_copy_link(const char* link) {
  flamelet_page_copy_link(link);
}

void page_say(const char* text) {
  flamelet_page_say(text);
}

void page_drawn() {
  flamelet_page_drawn();
}

void page_take_over(const GlWindow& window) {
  ImGuiIO& io = ImGui::GetIO();
  io.SetClipboardTextFn = [](void*, const char* text) { flamelet_page_copy(text); };
  io.GetClipboardTextFn = [](void*) -> const char* {
    static char* pasted = nullptr;  // ImGui reads it until it asks again
    std::free(pasted);
    return pasted = flamelet_page_pasted();
  };
  glfwSetScrollCallback(window.handle(), nullptr);
  const auto turn = [](int, const EmscriptenWheelEvent* event, void*) -> EM_BOOL {
    // What browsers make of a step: 100 pixels, 3 lines, or a page.
    const double step = event->deltaMode == DOM_DELTA_PIXEL ? 100 : event->deltaMode == DOM_DELTA_LINE ? 3 : 1;
    const float x = static_cast<float>(-event->deltaX / step), y = static_cast<float>(-event->deltaY / step);
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseWheelEvent(x, y);
#else
    ImGui::GetIO().MouseWheelH += x;
    ImGui::GetIO().MouseWheel += y;
#endif
    return EM_TRUE;
  };
  emscripten_set_wheel_callback("#canvas", nullptr, false, turn);
}

std::vector<FontFile> find_system_fonts(std::set<uint32_t>) {
  return {};
}

DrawnCharacter draw_character(uint32_t character, float em, float ascent, int height) {
  DrawnCharacter drawn;
  drawn.width = std::max(static_cast<int>(std::ceil(2 * em)), 1);
  drawn.alpha.resize(static_cast<size_t>(drawn.width) * static_cast<size_t>(height));
  drawn.advance = std::round(flamelet_draw_character(character, em, ascent, drawn.width, height, drawn.alpha.data()));
  return drawn;
}

// ---- The canvas of the page ("#canvas"), with WebGL 2. Its size is what the page's style gives it; a pixel of it is one of
// the display.

GlWindow::GlWindow(const char* title, int width, int height, bool) {
  if (!glfwInit()) throw std::runtime_error("This page needs a browser's window.");
  glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_ALPHA_BITS, 0);  // what lies behind the canvas does not shine through
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  window_ = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (window_ == nullptr) throw std::runtime_error("This page needs WebGL 2, which this browser does not give it.");
  glfwMakeContextCurrent(window_);
}

GlWindow::~GlWindow() {
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlWindow::size(int* width, int* height) const {
  double css_width = 0, css_height = 0;
  emscripten_get_element_css_size("#canvas", &css_width, &css_height);
  const double scale = emscripten_get_device_pixel_ratio();
  *width = static_cast<int>(std::lround(css_width * scale));
  *height = static_cast<int>(std::lround(css_height * scale));
  int old_width = 0, old_height = 0;
  glfwGetWindowSize(window_, &old_width, &old_height);
  if (*width != old_width || *height != old_height) flamelet_page_set_size(*width, *height);
}

float GlWindow::content_scale() const {
  return static_cast<float>(emscripten_get_device_pixel_ratio());
}

const char* GlWindow::shader_version() const {
  return "#version 300 es";
}

void GlWindow::clear(int width, int height) const {
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

// The W3C's "standard gamepad" (https://www.w3.org/TR/gamepad/#remapping), in whose order our buttons are.
bool read_gamepad(Gamepad* pad) {
  if (emscripten_sample_gamepad_data() != EMSCRIPTEN_RESULT_SUCCESS) return false;
  EmscriptenGamepadEvent state;
  for (int i = 0; i < emscripten_get_num_gamepads(); ++i) {
    if (emscripten_get_gamepad_status(i, &state) != EMSCRIPTEN_RESULT_SUCCESS) continue;
    if (std::strcmp(state.mapping, "standard") != 0 || state.numButtons < kPadButtonCount || state.numAxes < 4)
      continue;
    for (int button = 0; button < kPadButtonCount; ++button) pad->down[button] = state.digitalButton[button];
    pad->left_x = static_cast<float>(state.axis[0]);
    pad->left_y = static_cast<float>(state.axis[1]);
    pad->right_x = static_cast<float>(state.axis[2]);
    pad->right_y = static_cast<float>(state.axis[3]);
    return true;
  }
  return false;
}

}  // namespace flamelet::desktop

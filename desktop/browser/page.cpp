// SPDX-License-Identifier: MIT
#include "desktop/gl_window.h"

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

}  // namespace flamelet::desktop

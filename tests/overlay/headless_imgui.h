// SPDX-License-Identifier: MIT
//
// headless_imgui.h: an ImGui without a window or a renderer, driven by hand, over all versions that the overlay knows.
// It counts ImGui's allocations.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <string>

#include "flamelet/overlay.h"
#include "imgui.h"

namespace flamelet_tests {

enum class TestKey { kF1, kF2, kSpace, kLeft, kRight, kTab, kBackspace, kEscape, kHome, kEnter };

// What ImGui makes of a font size: whole pixels since 1.92.
inline float drawn_font_size(float size) {
#if IMGUI_VERSION_NUM >= 19200
  return floorf(size + 0.5f);
#else
  return size;
#endif
}

class HeadlessImGui {
 public:
  explicit HeadlessImGui(float width = 1280, float height = 720) {
    ImGui::SetAllocatorFunctions(
        &count_allocation, [](void* memory, void*) { free(memory); }, nullptr);
    context_ = ImGui::CreateContext();
    make_current();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(width, height);
    io.DeltaTime = 1.0f / 60;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
    unsigned char* pixels;
    int texture_width, texture_height;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &texture_width, &texture_height);
#endif
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
  }
  ~HeadlessImGui() {
    ImGui::DestroyContext(context_);
  }
  HeadlessImGui(const HeadlessImGui&) = delete;
  HeadlessImGui& operator=(const HeadlessImGui&) = delete;

  // Input and frames go to this one of several contexts; at first, to the newest.
  void make_current() {
    ImGui::SetCurrentContext(context_);
  }

  // The mode key that an overlay must be given: in 1.86 every backend has its own numbers.
  static int mode_key() {
#if IMGUI_VERSION_NUM < 18700
    return kModeKeyIndex;
#else
    return 0;
#endif
  }

  static int save_key() {
    return mode_key() == 0 ? 0 : mode_key() + 1;
  }

  template <typename Draw>
  void frame(Draw draw) {
    ImGui::NewFrame();
    draw();
    ImGui::Render();
  }

  void mouse(float x, float y) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MousePos = ImVec2(x, y);
#else
    ImGui::GetIO().AddMousePosEvent(x, y);
#endif
  }
  void button(int button, bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MouseDown[button] = down;
#else
    ImGui::GetIO().AddMouseButtonEvent(button, down);
#endif
  }
  void wheel(float steps) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MouseWheel = steps;
#else
    ImGui::GetIO().AddMouseWheelEvent(0, steps);
#endif
  }
  void key(TestKey key, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
    static constexpr int kKeys[] = {kModeKeyIndex,       kModeKeyIndex + 1, ImGuiKey_Space,     ImGuiKey_LeftArrow,
                                    ImGuiKey_RightArrow, ImGuiKey_Tab,      ImGuiKey_Backspace, ImGuiKey_Escape,
                                    ImGuiKey_Home,       ImGuiKey_Enter};
    io.KeysDown[kKeys[static_cast<int>(key)]] = down;
#else
    static constexpr ImGuiKey kKeys[] = {ImGuiKey_F1,         ImGuiKey_F2,   ImGuiKey_Space,     ImGuiKey_LeftArrow,
                                         ImGuiKey_RightArrow, ImGuiKey_Tab,  ImGuiKey_Backspace, ImGuiKey_Escape,
                                         ImGuiKey_Home,       ImGuiKey_Enter};
    io.AddKeyEvent(kKeys[static_cast<int>(key)], down);
#endif
  }
  // A lower-case letter, a digit or one of . , / pressed and typed.
  void letter(char c, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    if (down) io.AddInputCharacter(static_cast<unsigned>(c));
#if IMGUI_VERSION_NUM < 18700
    io.KeysDown[static_cast<unsigned char>(c)] = down;  // beyond the named keys above
#else
    const ImGuiKey key = c >= 'a' && c <= 'z' ? static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'))
                         : c == '.'           ? ImGuiKey_Period
                         : c == ','           ? ImGuiKey_Comma
                         : c == '/'           ? ImGuiKey_Slash
                                              : static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'));
    io.AddKeyEvent(key, down);
#endif
  }
  // What the operating system does while a letter is held.
  void repeat_letter(char c) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  }
  void shift(bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyShift = down;
#elif IMGUI_VERSION_NUM >= 18900
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
#else
    ImGui::GetIO().AddKeyEvent(ImGuiKey_ModShift, down);
#endif
  }

  static size_t allocations() {
    return allocations_;
  }
  template <class Play>
  static size_t allocations_in(Play play) {
    const size_t before = allocations_;
    play();
    return allocations_ - before;
  }
  // When all that is kept for later is there: the least of three tries. ImGui's lists grow with the longest text that they
  // had, and measured times are longer texts on a busy machine.
  template <class Play>
  static size_t allocations_when_repeated(Play play) {
    for (int i = 0; i < 2; ++i) play();
    size_t least = SIZE_MAX;
    for (int tries = 0; tries < 3 && least != 0; ++tries) {
      const size_t made = allocations_in([&] {
        for (int i = 0; i < 5; ++i) play();
      });
      least = made < least ? made : least;
    }
    return least;
  }

  template <typename Visit>
  static void for_each_list(Visit visit) {
    const ImDrawData* data = ImGui::GetDrawData();
#if IMGUI_VERSION_NUM >= 18980
    for (const ImDrawList* list : data->CmdLists) visit(*list);
#else
    for (int i = 0; i < data->CmdListsCount; ++i) visit(*data->CmdLists[i]);
#endif
  }
  // What the windows drew whose name has this in it.
  struct Drawn {
    int windows = 0, commands = 0, vertices = 0;
  };
  static Drawn drawn(const char* name) {
    Drawn drawn;
    for_each_list([&](const ImDrawList& list) {
      if (list._OwnerName == nullptr || strstr(list._OwnerName, name) == nullptr) return;
      ++drawn.windows;
      drawn.commands += list.CmdBuffer.Size;
      drawn.vertices += list.VtxBuffer.Size;
    });
    return drawn;
  }
  // How far down the windows reach whose name has this in it.
  static float lowest(const char* name) {
    float lowest = 0;
    for_each_list([&](const ImDrawList& list) {
      if (list._OwnerName == nullptr || strstr(list._OwnerName, name) == nullptr) return;
      for (const ImDrawVert& vertex : list.VtxBuffer) lowest = vertex.pos.y > lowest ? vertex.pos.y : lowest;
    });
    return lowest;
  }
  static int commands() {
    int commands = 0;
    for_each_list([&](const ImDrawList& list) { commands += list.CmdBuffer.Size; });
    return commands;
  }
  static int vertices() {
    return ImGui::GetDrawData()->TotalVtxCount;
  }
  // No NaN, no infinity, nothing miles away.
  static bool vertices_sane() {
    bool sane = true;
    for_each_list([&](const ImDrawList& list) {
      for (const ImDrawVert& vertex : list.VtxBuffer)
        if (!(fabsf(vertex.pos.x) < 1e5f) || !(fabsf(vertex.pos.y) < 1e6f)) sane = false;
    });
    return sane;
  }

 private:
  static constexpr int kModeKeyIndex = 300;

  static void* count_allocation(size_t size, void*) {
    ++allocations_;
    return malloc(size);
  }

  static inline size_t allocations_ = 0;  // of all contexts: ImGui's allocator serves them all

  ImGuiContext* context_;
};

// An overlay in a headless ImGui, and short ways to play with it.
inline flamelet::OverlayConfig active_overlay(const char* capture_folder = nullptr) {
  flamelet::OverlayConfig config;
  config.mode = flamelet::OverlayMode::kActive;
  config.capture_folder = capture_folder;
  return config;
}

class OverlayPlayer {
 public:
  explicit OverlayPlayer(flamelet::OverlayMode mode = flamelet::OverlayMode::kActive, float width = 1280,
                         float height = 720)
      : OverlayPlayer(config_of(mode), width, height) {}
  explicit OverlayPlayer(flamelet::OverlayConfig config, float width = 1280, float height = 720) : gui(width, height) {
    config.toggle_key = HeadlessImGui::mode_key();
    config.save_key = HeadlessImGui::save_key();
    flamelet::overlay_create(config, &overlay);
  }
  ~OverlayPlayer() { flamelet::overlay_destroy(overlay); }

  void frames(int count = 1) {
    for (int i = 0; i < count; ++i) gui.frame([this] { flamelet::overlay_show(overlay); });
  }
  void move(float x, float y) {
    gui.mouse(x, y);
    frames(2);
  }
  void click(int button = 0) {
    gui.button(button, true);
    frames();
    gui.button(button, false);
    frames(2);
  }
  void double_click() {
    for (int i = 0; i < 2; ++i) {
      gui.button(0, true);
      frames();
      gui.button(0, false);
      frames();
    }
    frames();
  }
  void drag(float x0, float y0, float x1, float y1, int button = 0) {
    move(x0, y0);
    gui.button(button, true);
    frames();
    move((x0 + x1) / 2, (y0 + y1) / 2);
    move(x1, y1);
    gui.button(button, false);
    frames(2);
  }
  void wheel(float steps) {
    gui.wheel(steps);
    frames();
#if IMGUI_VERSION_NUM < 18700
    gui.wheel(0);
#endif
    frames();
  }
  void press(TestKey key) {
    gui.key(key, true);
    frames();
    gui.key(key, false);
    frames(2);
  }
  void type(char c) {
    gui.letter(c, true);
    frames();
    gui.letter(c, false);
    frames(2);
  }
  bool select_frames(uint64_t first, uint64_t last) {
    const bool are_there = flamelet::overlay_select_frames(overlay, first, last);
    frames(3);
    return are_there;
  }
  bool select_scope(const char* name, int count = 3) {
    const bool is_there = flamelet::overlay_select_scope(overlay, name);
    frames(count);
    return is_there;
  }
  // The menu "File" opens, and the mouse is at its entry `row` from above.
  void open_file_menu(float row) {
    const float x = static_cast<float>(number("file_button_x_px")), y = static_cast<float>(number("file_button_y_px"));
    settle();
    move(x, y);
    click();
    move(x - 30, y + 16 + 17 * (row + 0.5f));
  }
  void show(const flamelet_capture* capture, const char* name, int count = 3) {
    flamelet::overlay_show_capture(overlay, capture, name);
    frames(count);
  }
  void filter(const char* text, int count = 2) {
    flamelet::overlay_set_filter(overlay, text);
    frames(count);
  }
  void load_settings(const std::string& text, int count = 3) {
    flamelet::overlay_load_settings(overlay, text.data(), text.size());
    frames(count);
  }
  // The state has where NAME is.
  void move_to(const std::string& name, float right = 0, float down = 0) {
    move(static_cast<float>(number(name + "_x_px")) + right, static_cast<float>(number(name + "_y_px")) + down);
  }
  // By its button.
  void open_page(const std::string& name) {
    const std::string text = whole_state();
    const size_t button = text.find("\"button\": \"" + name + "\"");
    if (button == std::string::npos) return;
    const auto number = [&](const char* field) {
      return atof(text.c_str() + text.find(field, button) + strlen(field));
    };
    move(static_cast<float>(number("\"x_px\": ")), static_cast<float>(number("\"y_px\": ")));
    click();
  }
  // Until the clicks before do not make the next one a double click.
  void settle() {
    frames(40);
  }

  flamelet::OverlayStats stats() const {
    flamelet::OverlayStats stats;
    flamelet::overlay_get_stats(overlay, &stats);
    return stats;
  }
  std::string whole_state() const {
    std::string text(flamelet::overlay_write_state(overlay, nullptr, 0) + 1, '\0');
    flamelet::overlay_write_state(overlay, text.data(), text.size());
    return text;
  }
  // The value of a field of the state, as it is written there.
  std::string state(const std::string& field) const {
    const std::string text = whole_state();
    const size_t name = text.find("\"" + field + "\": ");
    if (name == std::string::npos) return "(no such field)";
    const size_t begin = name + field.size() + 4;
    return text.substr(begin, text.find_first_of(",\n}", begin) - begin);
  }
  double number(const std::string& field) const {
    return atof(state(field).c_str());
  }

  HeadlessImGui gui;
  flamelet::Overlay* overlay = nullptr;

 private:
  static flamelet::OverlayConfig config_of(flamelet::OverlayMode mode) {
    flamelet::OverlayConfig config;
    config.mode = mode;
    return config;
  }
};

// One that was drawn: places and sizes are known.
class DrawnPlayer : public OverlayPlayer {
 public:
  explicit DrawnPlayer(flamelet::OverlayMode mode = flamelet::OverlayMode::kActive, float width = 1280,
                       float height = 720)
      : OverlayPlayer(mode, width, height) {
    frames(3);
  }
  explicit DrawnPlayer(const flamelet::OverlayConfig& config) : OverlayPlayer(config) { frames(3); }
};

}  // namespace flamelet_tests

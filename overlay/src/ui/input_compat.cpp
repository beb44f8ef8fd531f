// SPDX-License-Identifier: MIT
#include "ui/input_compat.h"

#include <string.h>

#include "imgui.h"

namespace flamelet::ui {

#if IMGUI_VERSION_NUM >= 18700

namespace {

constexpr ImGuiKey kDefaultModeKey = ImGuiKey_F1;
constexpr ImGuiKey kDefaultSaveKey = ImGuiKey_F2;

#if IMGUI_VERSION_NUM >= 18920
constexpr int kFirstKey = ImGuiKey_NamedKey_BEGIN;
constexpr int kEndKey = ImGuiKey_GamepadStart;
#else
constexpr int kFirstKey = ImGuiKey_Tab;
constexpr int kEndKey = ImGuiKey_GamepadStart;
#endif

bool pressed(ImGuiKey key, bool repeat) {
  return ImGui::IsKeyPressed(key, repeat);
}

}  // namespace

bool key_pressed(Key key, bool repeat) {
  const bool shift = ImGui::GetIO().KeyShift;
  const bool ctrl = ImGui::GetIO().KeyCtrl;
  switch (key) {
    case Key::kSpace:
      return pressed(ImGuiKey_Space, repeat);
    case Key::kLeft:
      return pressed(ImGuiKey_LeftArrow, repeat);
    case Key::kRight:
      return pressed(ImGuiKey_RightArrow, repeat);
    case Key::kUp:
      return pressed(ImGuiKey_UpArrow, repeat);
    case Key::kDown:
      return pressed(ImGuiKey_DownArrow, repeat);
    case Key::kTab:
      return !ctrl && pressed(ImGuiKey_Tab, repeat);
    case Key::kBackspace:
      return pressed(ImGuiKey_Backspace, repeat);
    case Key::kEscape:
      return pressed(ImGuiKey_Escape, repeat);
    case Key::kHome:
      return pressed(ImGuiKey_Home, repeat);
    case Key::kEnter:
      return pressed(ImGuiKey_Enter, repeat);
    case Key::kPeriod:
      return pressed(ImGuiKey_Period, repeat);
    case Key::kComma:
      return pressed(ImGuiKey_Comma, repeat);
    case Key::kSlash:
      return !shift && (pressed(ImGuiKey_Slash, repeat) || pressed(ImGuiKey_KeypadDivide, repeat));
    case Key::kQuestion:
      return shift && pressed(ImGuiKey_Slash, repeat);
    case Key::kZero:
      return pressed(ImGuiKey_0, repeat) || pressed(ImGuiKey_Keypad0, repeat);
    case Key::kPlus:
      return pressed(ImGuiKey_Equal, repeat) || pressed(ImGuiKey_KeypadAdd, repeat);
    case Key::kMinus:
      return pressed(ImGuiKey_Minus, repeat) || pressed(ImGuiKey_KeypadSubtract, repeat);
    case Key::kCount:
      break;
  }
  return false;
}

bool character_pressed(char c, bool repeat) {
  const ImGuiKey key = c >= '0' && c <= '9' ? static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'))
                                            : static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'));
  return !ImGui::GetIO().KeyCtrl && pressed(key, repeat);
}

bool find_shortcut_pressed() {
  return ImGui::GetIO().KeyCtrl && pressed(ImGuiKey_F, false);
}

bool escape_held() {
  return ImGui::IsKeyDown(ImGuiKey_Escape);
}

bool mode_key_pressed(int key) {
  if (key < 0) return false;
  return pressed(key == 0 ? kDefaultModeKey : static_cast<ImGuiKey>(key), false);
}

bool save_key_pressed(int key) {
  if (key < 0) return false;
  return pressed(key == 0 ? kDefaultSaveKey : static_cast<ImGuiKey>(key), false);
}

int find_pressed_key() {
  for (int key = kFirstKey; key < kEndKey; ++key)
    if (pressed(static_cast<ImGuiKey>(key), false)) return key;
  return 0;
}

const char* mode_key_name(int key) {
  if (key < 0) return "none";
  return ImGui::GetKeyName(key == 0 ? kDefaultModeKey : static_cast<ImGuiKey>(key));
}

const char* save_key_name(int key) {
  return mode_key_name(key == 0 ? static_cast<int>(kDefaultSaveKey) : key);
}

#else  // 1.86

namespace {

// What the backends that come with ImGui 1.86 use as indices of io.KeysDown.
struct NativeKeys {
  const char* backend;
  int f1;
  int f;
};
constexpr NativeKeys kBackends[] = {
    {"imgui_impl_glfw", 290, 'F'},   // GLFW_KEY_*
    {"imgui_impl_sdl", 58, 9},       // SDL_SCANCODE_*
    {"imgui_impl_win32", 0x70, 'F'}  // VK_*
};

const NativeKeys* native_keys() {
  const char* name = ImGui::GetIO().BackendPlatformName;
  if (name == nullptr) return nullptr;
  for (const NativeKeys& keys : kBackends)
    if (strncmp(name, keys.backend, strlen(keys.backend)) == 0) return &keys;
  return nullptr;
}

bool pressed(ImGuiKey key, bool repeat) {
  const int index = ImGui::GetKeyIndex(key);
  return index >= 0 && ImGui::IsKeyPressed(index, repeat);
}

// Whether the characters of this frame come from a key that was held: the operating system types them again and again,
// after a delay that a slow frame outlasts. Not so if a key went down in this frame, or if none was down before it but
// modifiers: a key that went down and up between two frames has typed, and KeysDown does not show it.
bool only_repeated() {
  const ImGuiIO& io = ImGui::GetIO();
  int held = 0;
  for (int key = 0; key < IM_ARRAYSIZE(io.KeysDown); ++key) {
    const bool was_down = io.KeysDownDurationPrev[key] >= 0;
    if (io.KeysDown[key] && !was_down) return false;
    if (was_down) ++held;
  }
  const int modifiers = int{io.KeyCtrl} + int{io.KeyShift} + int{io.KeyAlt} + int{io.KeySuper};
  return held > modifiers;
}

// In either case, because Caps Lock is not a modifier here.
bool typed(char lower, char upper, bool repeat) {
  const ImVector<ImWchar>& characters = ImGui::GetIO().InputQueueCharacters;
  for (int i = 0; i < characters.Size; ++i)
    if (characters[i] == static_cast<ImWchar>(lower) || characters[i] == static_cast<ImWchar>(upper))
      return repeat || !only_repeated();
  return false;
}

int index_of_mode_key(int key) {
  if (key != 0) return key;
  const NativeKeys* keys = native_keys();
  return keys != nullptr ? keys->f1 : -1;
}

int index_of_save_key(int key) {
  const int f1 = index_of_mode_key(0);
  return key != 0 ? key : f1 < 0 ? -1 : f1 + 1;
}

}  // namespace

bool key_pressed(Key key, bool repeat) {
  switch (key) {
    case Key::kSpace:
      return pressed(ImGuiKey_Space, repeat);
    case Key::kLeft:
      return pressed(ImGuiKey_LeftArrow, repeat);
    case Key::kRight:
      return pressed(ImGuiKey_RightArrow, repeat);
    case Key::kUp:
      return pressed(ImGuiKey_UpArrow, repeat);
    case Key::kDown:
      return pressed(ImGuiKey_DownArrow, repeat);
    case Key::kTab:
      return !ImGui::GetIO().KeyCtrl && pressed(ImGuiKey_Tab, repeat);
    case Key::kBackspace:
      return pressed(ImGuiKey_Backspace, repeat);
    case Key::kEscape:
      return pressed(ImGuiKey_Escape, repeat);
    case Key::kHome:
      return pressed(ImGuiKey_Home, repeat);
    case Key::kEnter:
      return pressed(ImGuiKey_Enter, repeat);
    case Key::kPeriod:
      return typed('.', '>', repeat);
    case Key::kComma:
      return typed(',', '<', repeat);
    case Key::kSlash:
      return typed('/', '/', repeat);
    case Key::kQuestion:
      return typed('?', '?', repeat);
    case Key::kZero:
      return typed('0', '0', repeat);
    case Key::kPlus:
      return typed('=', '+', repeat);
    case Key::kMinus:
      return typed('-', '-', repeat);
    case Key::kCount:
      break;
  }
  return false;
}

bool character_pressed(char c, bool repeat) {
  const char shifted = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return typed(c, shifted, repeat);
}

bool find_shortcut_pressed() {
  const NativeKeys* keys = native_keys();
  return keys != nullptr && ImGui::GetIO().KeyCtrl && ImGui::IsKeyPressed(keys->f, false);
}

bool escape_held() {
  const int index = ImGui::GetKeyIndex(ImGuiKey_Escape);
  return index >= 0 && ImGui::IsKeyDown(index);
}

bool mode_key_pressed(int key) {
  const int index = index_of_mode_key(key);
  return index >= 0 && index < IM_ARRAYSIZE(ImGuiIO::KeysDown) && ImGui::IsKeyPressed(index, false);
}

bool save_key_pressed(int key) {
  return mode_key_pressed(index_of_save_key(key));
}

const char* save_key_name(int key) {
  return mode_key_name(index_of_save_key(key));
}

int find_pressed_key() {
  for (int key = 1; key < IM_ARRAYSIZE(ImGuiIO::KeysDown); ++key)
    if (ImGui::IsKeyPressed(key, false)) return key;
  return 0;
}

const char* mode_key_name(int key) {
  const int index = index_of_mode_key(key);
  if (index < 0) return "none";
  const NativeKeys* keys = native_keys();
  if (keys != nullptr && index >= keys->f1 && index < keys->f1 + 12) {
    static constexpr const char* kNames[] = {"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"};
    return kNames[index - keys->f1];
  }
  return "your key";
}

#endif

void claim_keyboard() {
#if IMGUI_VERSION_NUM >= 18950
  ImGui::SetNextFrameWantCaptureKeyboard(true);
#else
  ImGui::CaptureKeyboardFromApp(true);
#endif
}

}  // namespace flamelet::ui

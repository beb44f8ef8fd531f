// SPDX-License-Identifier: MIT
#include "input/input_compat.h"

#include <float.h>
#include <string.h>

#include <algorithm>

#include "imgui.h"
#if IMGUI_VERSION_NUM >= 18700
#include "imgui_internal.h"  // the events of a frame, in their order
#endif

namespace flamelet::ui {

namespace {

uint8_t modifiers_down() {
  const ImGuiIO& io = ImGui::GetIO();
  return static_cast<uint8_t>((io.KeyShift ? kShift : 0) | (io.KeyCtrl ? kCtrl : 0) | (io.KeyAlt ? kAlt : 0));
}

bool modifiers_fit(Chord chord, uint8_t modifiers) {
  const char c = static_cast<char>(chord.key);
  const bool is_sign = chord.key < Key::kSpace && !(c >= 'a' && c <= 'z');
  const uint8_t ignored = is_sign ? kShift : 0;
  return (modifiers | ignored) == (chord.modifiers | ignored);
}

}  // namespace

#if IMGUI_VERSION_NUM >= 18700

namespace {

constexpr ImGuiKey kDefaultModeKey = ImGuiKey_F1;
constexpr ImGuiKey kDefaultSaveKey = ImGuiKey_F2;

#if IMGUI_VERSION_NUM >= 18920
constexpr int kFirstKey = ImGuiKey_NamedKey_BEGIN, kKeysEnd = ImGuiKey_NamedKey_END;
constexpr int kEndKey = ImGuiKey_GamepadStart;
#else
constexpr int kFirstKey = ImGuiKey_Tab, kKeysEnd = ImGuiKey_COUNT;
constexpr int kEndKey = ImGuiKey_GamepadStart;
#endif

uint8_t modifier_of(ImGuiKey key) {
#if IMGUI_VERSION_NUM >= 18900
  return key == ImGuiMod_Shift ? kShift : key == ImGuiMod_Ctrl ? kCtrl : key == ImGuiMod_Alt ? kAlt : 0;
#else
  return key == ImGuiKey_ModShift ? kShift : key == ImGuiKey_ModCtrl ? kCtrl : key == ImGuiKey_ModAlt ? kAlt : 0;
#endif
}

// Those that were down when the key was pressed: ImGui takes many events into one frame, also that a modifier is let go.
uint8_t modifiers_at(ImGuiKey key) {
  uint8_t modifiers = modifiers_down(), met = 0;
  bool before = true;
  for (const ImGuiInputEvent& event : ImGui::GetCurrentContext()->InputEventsTrail) {
    if (event.Type != ImGuiInputEventType_Key) continue;
    if (event.Key.Key == key && event.Key.Down) before = false;
    const uint8_t modifier = modifier_of(event.Key.Key);
    if (modifier == 0 || (!before && (met & modifier) != 0)) continue;
    met |= modifier;
    const bool was_down = event.Key.Down == before;  // behind the press, the first change tells what was before it
    modifiers = static_cast<uint8_t>(was_down ? modifiers | modifier : modifiers & ~modifier);
  }
  return before ? modifiers_down() : modifiers;  // a repeat
}

bool pressed(ImGuiKey key, bool repeat) {
  return ImGui::IsKeyPressed(key, repeat);
}

// What is pressed behind / in the same frame is typed into the filter, and no command.
bool follows_slash(ImGuiKey key) {
  bool follows = false;
  for (const ImGuiInputEvent& event : ImGui::GetCurrentContext()->InputEventsTrail) {
    if (event.Type != ImGuiInputEventType_Key || !event.Key.Down) continue;
    if (event.Key.Key == key) return follows;
    follows = follows || event.Key.Key == ImGuiKey_KeypadDivide ||
              (event.Key.Key == ImGuiKey_Slash && modifiers_at(ImGuiKey_Slash) == 0);
  }
  return false;  // a repeat
}

bool pressed(Chord chord, ImGuiKey key, bool repeat) {
  if (!pressed(key, repeat) || follows_slash(key)) return false;
  const uint8_t modifiers = modifiers_at(key);
  if (key == ImGuiKey_Slash && ((modifiers & kShift) != 0) != (chord.key == Key::kQuestion)) return false;
  return modifiers_fit(chord, modifiers);
}

bool sign_pressed(Chord chord, bool repeat) {
  const auto either = [&](ImGuiKey key, ImGuiKey other) {
    return pressed(chord, key, repeat) || pressed(chord, other, repeat);
  };
  switch (chord.key) {
    case Key::kPeriod:
      return pressed(chord, ImGuiKey_Period, repeat);
    case Key::kComma:
      return pressed(chord, ImGuiKey_Comma, repeat);
    case Key::kSlash:
      return either(ImGuiKey_Slash, ImGuiKey_KeypadDivide);
    case Key::kQuestion:
      return pressed(chord, ImGuiKey_Slash, repeat);
    case Key::kZero:
      return either(ImGuiKey_0, ImGuiKey_Keypad0);
    case Key::kPlus:
      return either(ImGuiKey_Equal, ImGuiKey_KeypadAdd);
    case Key::kMinus:
      return either(ImGuiKey_Minus, ImGuiKey_KeypadSubtract);
    default:
      break;
  }
  const char c = static_cast<char>(chord.key);
  if (c >= '0' && c <= '9') return pressed(chord, static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0')), repeat);
  return c >= 'a' && c <= 'z' && pressed(chord, static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a')), repeat);
}

constexpr ImGuiKey kNamedKeys[] = {ImGuiKey_Space,     ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                                   ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,   ImGuiKey_Tab,
                                   ImGuiKey_Backspace, ImGuiKey_Escape,    ImGuiKey_Home,       ImGuiKey_Enter};

constexpr ImGuiKey kPadKeys[] = {ImGuiKey_None,
                                 ImGuiKey_GamepadFaceDown,
                                 ImGuiKey_GamepadFaceRight,
                                 ImGuiKey_GamepadFaceLeft,
                                 ImGuiKey_GamepadFaceUp,
                                 ImGuiKey_GamepadDpadUp,
                                 ImGuiKey_GamepadDpadDown,
                                 ImGuiKey_GamepadDpadLeft,
                                 ImGuiKey_GamepadDpadRight,
                                 ImGuiKey_GamepadL1,
                                 ImGuiKey_GamepadR1,
                                 ImGuiKey_GamepadL2,
                                 ImGuiKey_GamepadR2,
                                 ImGuiKey_GamepadL3,
                                 ImGuiKey_GamepadR3,
                                 ImGuiKey_GamepadBack,
                                 ImGuiKey_GamepadStart};
constexpr size_t kPadKeyCount = sizeof kPadKeys / sizeof kPadKeys[0];

ImGuiKey pad_key(Pad button) {
  const size_t i = static_cast<size_t>(button);
  return i < kPadKeyCount ? kPadKeys[i] : ImGuiKey_None;
}

float analog(ImGuiKey key) {
#if IMGUI_VERSION_NUM < 19150
  const ImGuiKeyData* data = ImGui::GetIO().KeysData + (key - ImGuiKey_KeysData_OFFSET);
#else
  const ImGuiKeyData* data = ImGui::GetIO().KeysData + (key - ImGuiKey_NamedKey_BEGIN);
#endif
  return data->Down ? data->AnalogValue : 0;
}

}  // namespace

bool chord_pressed(Chord chord, bool repeat) {
  if (chord.key == Key::kNone) return false;
  if (chord.key < Key::kSpace) return sign_pressed(chord, repeat);
  if (chord.key == Key::kEnter && pressed(chord, ImGuiKey_KeypadEnter, repeat)) return true;
  return pressed(chord, kNamedKeys[static_cast<int>(chord.key) - static_cast<int>(Key::kSpace)], repeat);
}

// Of a setting. The number may be any, or of another version of ImGui.
static bool is_key(int key) {
  return key >= kFirstKey && key < kKeysEnd;
}

bool mode_key_pressed(int key) {
  if (key == 0) key = kDefaultModeKey;
  return is_key(key) && pressed(static_cast<ImGuiKey>(key), false);
}

bool save_key_pressed(int key) {
  return mode_key_pressed(key == 0 ? static_cast<int>(kDefaultSaveKey) : key);
}

// ImGui takes one change of a key into a frame, and at few frames a second they queue up. The newest counts.
bool setting_key_held(int key) {
  if (!is_key(key)) return false;
  bool held = ImGui::IsKeyDown(static_cast<ImGuiKey>(key));
  for (const ImGuiInputEvent& event : ImGui::GetCurrentContext()->InputEventsQueue)
    if (event.Type == ImGuiInputEventType_Key && event.Key.Key == key) held = event.Key.Down;
  return held;
}

bool acts_while_typing(int key) {
  return key == 0 || (key >= ImGuiKey_F1 && key <= ImGuiKey_F12) || (key >= ImGuiKey_CapsLock && key <= ImGuiKey_Pause);
}

int find_pressed_key() {
  for (int key = kFirstKey; key < kEndKey; ++key)
    if (pressed(static_cast<ImGuiKey>(key), false)) return key;
  return 0;
}

const char* mode_key_name(int key) {
  if (key == 0) key = kDefaultModeKey;
  return is_key(key) ? ImGui::GetKeyName(static_cast<ImGuiKey>(key)) : "none";
}

const char* save_key_name(int key) {
  return mode_key_name(key == 0 ? static_cast<int>(kDefaultSaveKey) : key);
}

bool pad_pressed(Pad button, bool repeat) {
  const ImGuiKey key = pad_key(button);
  return key != ImGuiKey_None && pressed(key, repeat);
}

bool pad_down(Pad button) {
  const ImGuiKey key = pad_key(button);
  return key != ImGuiKey_None && ImGui::IsKeyDown(key);
}

PadSticks pad_sticks() {
  return {analog(ImGuiKey_GamepadLStickRight) - analog(ImGuiKey_GamepadLStickLeft),
          analog(ImGuiKey_GamepadLStickUp) - analog(ImGuiKey_GamepadLStickDown),
          analog(ImGuiKey_GamepadRStickUp) - analog(ImGuiKey_GamepadRStickDown)};
}

void put_mouse(float x, float y) {
#if IMGUI_VERSION_NUM >= 18950
  ImGui::GetIO().AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
#endif
  ImGui::GetIO().AddMousePosEvent(x, y);
}

void put_mouse_button(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}

#else  // 1.86

namespace {

// What the backends that come with ImGui 1.86 use as indices of io.KeysDown.
struct NativeKeys {
  const char* backend;
  int f1, a, zero, one;
  int comma, minus, period, slash, equal;
};
constexpr NativeKeys kBackends[] = {
    {"imgui_impl_glfw", 290, 'A', '0', '1', ',', '-', '.', '/', '='},         // GLFW_KEY_*
    {"imgui_impl_sdl", 58, 4, 39, 30, 54, 45, 55, 56, 46},                    // SDL_SCANCODE_*
    {"imgui_impl_win32", 0x70, 'A', '0', '1', 0xBC, 0xBD, 0xBE, 0xBF, 0xBB},  // VK_*
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

// A letter, a digit or a sign as the key that it is on an American keyboard.
int native_index(const NativeKeys& keys, Key key) {
  const char c = static_cast<char>(key);
  if (c >= 'a' && c <= 'z') return keys.a + (c - 'a');
  if (c >= '1' && c <= '9') return keys.one + (c - '1');
  switch (key) {
    case Key::kZero:
      return keys.zero;
    case Key::kComma:
      return keys.comma;
    case Key::kMinus:
      return keys.minus;
    case Key::kPeriod:
      return keys.period;
    case Key::kSlash:
    case Key::kQuestion:
      return keys.slash;
    case Key::kPlus:
      return keys.equal;
    default:
      return -1;
  }
}

// Whether keys type: SDL stops that after SDL_StopTextInput(), which games call. The newest key that types tells it.
bool keys_type(const NativeKeys& keys) {
  static int frame = -1;
  static bool types = true;
  const ImGuiIO& io = ImGui::GetIO();
  if (frame == ImGui::GetFrameCount()) return types;
  frame = ImGui::GetFrameCount();
  bool went_down = false;
  for (int i = 0; i < 26; ++i) went_down = went_down || ImGui::IsKeyPressed(keys.a + i, false);
  for (const Key key :
       {key_of('0'), key_of('1'), key_of('2'), key_of('3'), key_of('4'), key_of('5'), key_of('6'), key_of('7'),
        key_of('8'), key_of('9'), Key::kComma, Key::kMinus, Key::kPeriod, Key::kSlash, Key::kPlus})
    went_down = went_down || ImGui::IsKeyPressed(native_index(keys, key), false);
  const bool typed = !io.InputQueueCharacters.empty();
  if (typed || (went_down && !io.KeyCtrl)) types = typed;
  return types;
}

bool typed(char lower, char upper, bool repeat) {
  const ImVector<ImWchar>& characters = ImGui::GetIO().InputQueueCharacters;
  for (int i = 0; i < characters.Size; ++i)
    if (characters[i] == static_cast<ImWchar>(lower) || characters[i] == static_cast<ImWchar>(upper))
      return repeat || !only_repeated();
  return false;
}

// In either case, because Caps Lock is not a modifier here. Ctrl types nothing.
bool sign_pressed(Chord chord, bool repeat) {
  const char c = static_cast<char>(chord.key);
  const bool letter = c >= 'a' && c <= 'z', on_slash = c == '/' || c == '?';
  const NativeKeys* keys = native_keys();
  const int index = keys != nullptr ? native_index(*keys, chord.key) : -1;
  if (index >= 0 && ((chord.modifiers & kCtrl) != 0 || !keys_type(*keys)))
    return ImGui::IsKeyPressed(index, repeat) && (!on_slash || ImGui::GetIO().KeyShift == (c == '?'));
  if ((chord.modifiers & kCtrl) != 0) return false;
  const char shifted = letter ? static_cast<char>(c - 'a' + 'A') : c == '.' ? '>' : c == ',' ? '<' : c == '=' ? '+' : c;
  return typed(c, shifted, repeat);
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

bool held(int index) {
  return index > 0 && index < IM_ARRAYSIZE(ImGuiIO::KeysDown) && ImGui::GetIO().KeysDown[index];
}

constexpr ImGuiKey_ kNamedKeys[] = {ImGuiKey_Space,     ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                                    ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,   ImGuiKey_Tab,
                                    ImGuiKey_Backspace, ImGuiKey_Escape,    ImGuiKey_Home,       ImGuiKey_Enter};

constexpr int kPadInputs[] = {-1,
                              ImGuiNavInput_Activate,
                              ImGuiNavInput_Cancel,
                              ImGuiNavInput_Menu,
                              ImGuiNavInput_Input,
                              ImGuiNavInput_DpadUp,
                              ImGuiNavInput_DpadDown,
                              ImGuiNavInput_DpadLeft,
                              ImGuiNavInput_DpadRight,
                              ImGuiNavInput_FocusPrev,
                              ImGuiNavInput_FocusNext};

// ImGui's keyboard navigation writes Space, Enter and Escape into the gamepad's inputs.
int pad_input(Pad button) {
  const size_t i = static_cast<size_t>(button);
  if (i >= sizeof kPadInputs / sizeof kPadInputs[0]) return -1;
  const bool keyboard = (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
  if (keyboard && (button == Pad::kA || button == Pad::kB || button == Pad::kY))
    for (const ImGuiKey_ key : {ImGuiKey_Space, ImGuiKey_Enter, ImGuiKey_Escape})
      if (held(ImGui::GetKeyIndex(key))) return -1;
  return kPadInputs[i];
}

}  // namespace

bool chord_pressed(Chord chord, bool repeat) {
  if (chord.key == Key::kNone || !modifiers_fit(chord, modifiers_down())) return false;
  if (chord.key < Key::kSpace) return sign_pressed(chord, repeat);
  if (chord.key == Key::kSpace && typed(' ', ' ', repeat)) return true;  // also down and up between two frames
  return pressed(kNamedKeys[static_cast<int>(chord.key) - static_cast<int>(Key::kSpace)], repeat);
}

bool mode_key_pressed(int key) {
  const int index = index_of_mode_key(key);
  return index >= 0 && index < IM_ARRAYSIZE(ImGuiIO::KeysDown) && ImGui::IsKeyPressed(index, false);
}

bool save_key_pressed(int key) {
  return mode_key_pressed(index_of_save_key(key));
}

bool setting_key_held(int key) {
  return held(key);
}

const char* save_key_name(int key) {
  return mode_key_name(index_of_save_key(key));
}

bool acts_while_typing(int key) {
  constexpr int kFunctionKeys = 12, kBeyondCharacters = 128;
  const NativeKeys* keys = native_keys();
  if (key == 0) return keys != nullptr;
  if (keys != nullptr) return key >= keys->f1 && key < keys->f1 + kFunctionKeys;
  const ImGuiIO& io = ImGui::GetIO();
  const int* end = io.KeyMap + IM_ARRAYSIZE(io.KeyMap);
  return key >= kBeyondCharacters && std::find(io.KeyMap + 0, end, key) == end && io.InputQueueCharacters.empty();
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

bool pad_pressed(Pad button, bool repeat) {
  const int input = pad_input(button);
  if (input < 0) return false;
  const float s = ImGui::GetIO().NavInputsDownDuration[input];
  const float before_s = s - ImGui::GetIO().DeltaTime;
  // As keys repeat: after a delay, then at a rate.
  const float delay_s = ImGui::GetIO().KeyRepeatDelay, rate_s = ImGui::GetIO().KeyRepeatRate;
  const auto steps = [&](float at_s) { return at_s < delay_s ? 0 : 1 + static_cast<int>((at_s - delay_s) / rate_s); };
  return s == 0 || (repeat && s > 0 && rate_s > 0 && steps(s) != steps(before_s));
}

bool pad_down(Pad button) {
  const int input = pad_input(button);
  return input >= 0 && ImGui::GetIO().NavInputs[input] > 0;
}

PadSticks pad_sticks() {
  const float* inputs = ImGui::GetIO().NavInputs;
  PadSticks sticks = {inputs[ImGuiNavInput_LStickRight] - inputs[ImGuiNavInput_LStickLeft],
                      inputs[ImGuiNavInput_LStickUp] - inputs[ImGuiNavInput_LStickDown], 0};
  if (pad_down(Pad::kL1)) std::swap(sticks.left_y, sticks.right_y);
  return sticks;
}

void put_mouse(float x, float y) {
  ImGui::GetIO().MousePos = ImVec2(x, y);
}

void put_mouse_button(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}

#endif

bool key_pressed(Key key, bool repeat) {
  return chord_pressed({key, 0}, repeat);
}

const char* held_key_name(int key) {
  return key > 0 ? mode_key_name(key) : "none";
}

void put_mouse_nowhere() {
  put_mouse(-FLT_MAX, -FLT_MAX);
}

void EarlyText::hold(int begin) {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  for (int i = begin; i < typed.Size && count_ < kMost; ++i)
    if (count_ != 0 || typed[i] != static_cast<ImWchar>(sign_))
      characters_[count_++] = typed[i];  // newer ones type it late
  typed.resize(std::min(begin, typed.Size));
}

void EarlyText::begin() {
  const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  const ImWchar* at = std::find(typed.begin(), typed.end(), static_cast<ImWchar>(sign_));
  count_ = 0;
  if (at != typed.end()) hold(static_cast<int>(at - typed.begin()) + 1);
}

void EarlyText::pass(bool has_keyboard) {
  if (!has_keyboard) return hold(0);
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  for (int i = 0; i < count_; ++i) typed.insert(typed.begin() + i, static_cast<ImWchar>(characters_[i]));
  count_ = 0;
}

void claim_keyboard() {
#if IMGUI_VERSION_NUM >= 18950
  ImGui::SetNextFrameWantCaptureKeyboard(true);
#else
  ImGui::CaptureKeyboardFromApp(true);
#endif
  ImGui::GetIO().WantCaptureKeyboard = true;  // for what comes before that frame begins
}

}  // namespace flamelet::ui

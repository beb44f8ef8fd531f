// SPDX-License-Identifier: MIT
#include "desktop/imgui_host.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#if IMGUI_VERSION_NUM >= 18700
#include <imgui_internal.h>  // the events that wait
#endif
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <map>

#include "desktop/platform/system.h"

namespace flamelet::desktop {
namespace {

constexpr float kDeadZone = 0.25f;  // a stick at rest is never exactly in the middle

// How far a stick is pushed into one of its directions.
float push(float axis, float sign) {
  return std::clamp((axis * sign - kDeadZone) / (1 - kDeadZone), 0.0f, 1.0f);
}

#if IMGUI_VERSION_NUM >= 18700

constexpr ImGuiKey kKeys[kPadButtonCount] = {
    ImGuiKey_GamepadFaceDown, ImGuiKey_GamepadFaceRight, ImGuiKey_GamepadFaceLeft, ImGuiKey_GamepadFaceUp,
    ImGuiKey_GamepadL1,       ImGuiKey_GamepadR1,        ImGuiKey_GamepadL2,       ImGuiKey_GamepadR2,
    ImGuiKey_GamepadBack,     ImGuiKey_GamepadStart,     ImGuiKey_GamepadL3,       ImGuiKey_GamepadR3,
    ImGuiKey_GamepadDpadUp,   ImGuiKey_GamepadDpadDown,  ImGuiKey_GamepadDpadLeft, ImGuiKey_GamepadDpadRight};

void tell(const Gamepad& pad) {
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < kPadButtonCount; ++i) io.AddKeyEvent(kKeys[i], pad.down[i]);
  const auto stick = [&](ImGuiKey key, float axis, float sign) {
    io.AddKeyAnalogEvent(key, push(axis, sign) > 0.1f, push(axis, sign));
  };
  stick(ImGuiKey_GamepadLStickLeft, pad.left_x, -1);
  stick(ImGuiKey_GamepadLStickRight, pad.left_x, 1);
  stick(ImGuiKey_GamepadLStickUp, pad.left_y, -1);
  stick(ImGuiKey_GamepadLStickDown, pad.left_y, 1);
  stick(ImGuiKey_GamepadRStickLeft, pad.right_x, -1);
  stick(ImGuiKey_GamepadRStickRight, pad.right_x, 1);
  stick(ImGuiKey_GamepadRStickUp, pad.right_y, -1);
  stick(ImGuiKey_GamepadRStickDown, pad.right_y, 1);
}

#else  // 1.86 knows fewer

void tell(const Gamepad& pad) {
  float* inputs = ImGui::GetIO().NavInputs;
  std::fill(inputs, inputs + ImGuiNavInput_COUNT, 0.0f);
  const auto button = [&](ImGuiNavInput_ input, GamepadButton which) {
    if (pad.down[which]) inputs[input] = 1;
  };
  button(ImGuiNavInput_Activate, kPadA);
  button(ImGuiNavInput_Cancel, kPadB);
  button(ImGuiNavInput_Menu, kPadX);
  button(ImGuiNavInput_Input, kPadY);
  button(ImGuiNavInput_FocusPrev, kPadL1);
  button(ImGuiNavInput_TweakSlow, kPadL1);
  button(ImGuiNavInput_FocusNext, kPadR1);
  button(ImGuiNavInput_TweakFast, kPadR1);
  button(ImGuiNavInput_DpadUp, kPadUp);
  button(ImGuiNavInput_DpadDown, kPadDown);
  button(ImGuiNavInput_DpadLeft, kPadLeft);
  button(ImGuiNavInput_DpadRight, kPadRight);
  inputs[ImGuiNavInput_LStickLeft] = push(pad.left_x, -1);
  inputs[ImGuiNavInput_LStickRight] = push(pad.left_x, 1);
  inputs[ImGuiNavInput_LStickUp] = push(pad.left_y, -1);
  inputs[ImGuiNavInput_LStickDown] = push(pad.left_y, 1);
}

#endif

}  // namespace

void put_gamepad(const Gamepad* pad) {
  ImGuiIO& io = ImGui::GetIO();
  if (pad != nullptr)
    io.BackendFlags |= ImGuiBackendFlags_HasGamepad;
  else
    io.BackendFlags &= ~ImGuiBackendFlags_HasGamepad;
  tell(pad != nullptr ? *pad : Gamepad());
}

namespace {
ImGuiHost* host_of_keys = nullptr;
}

ImGuiHost::ImGuiHost(const GlWindow& window, float scale) : window_(window.handle()) {
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
#if IMGUI_VERSION_NUM < 18700  // later ones do this by themselves
  host_of_keys = this;
  glfwSetKeyCallback(window_, [](GLFWwindow*, int key, int scancode, int action, int modifiers) {
    if (host_of_keys != nullptr) host_of_keys->take({key, scancode, action, modifiers, 0});
  });
  glfwSetCharCallback(window_, [](GLFWwindow*, unsigned character) {
    if (host_of_keys != nullptr) host_of_keys->take({0, 0, 0, 0, character});
  });
#endif
}

ImGuiHost::~ImGuiHost() {
  host_of_keys = nullptr;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

// ImGui sees only how each key is when a frame begins. One that is pressed and released in between would be lost, and a key
// would go with a modifier that came or went after it. So each further change of a key, and that of a modifier after
// another key's, waits for the next frame, and everything behind it: also what is typed, or it would overtake its key.
void ImGuiHost::take(const KeyEvent& event) {
  const auto is_modifier = [](int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; };
  const bool after_other =
      is_modifier(event.key) && !std::all_of(changed_keys_.begin(), changed_keys_.end(), is_modifier);
  if (!late_keys_.empty() || after_other || changed_keys_.count(event.key) != 0) {
    late_keys_.push_back(event);
    return;
  }
  if (event.character != 0) {
    ImGui_ImplGlfw_CharCallback(window_, event.character);
    return;
  }
  changed_keys_.insert(event.key);
  ImGui_ImplGlfw_KeyCallback(window_, event.key, event.scancode, event.action, event.modifiers);
}

bool ImGuiHost::has_late_input() const {
#if IMGUI_VERSION_NUM >= 18700
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#else
  return !late_keys_.empty();
#endif
}

// The backend reads no gamepad without the flag, and ImGui listens to one with it.
void ImGuiHost::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  if (changed_keys_.empty()) {
    std::deque<KeyEvent> late;
    late.swap(late_keys_);
    for (const KeyEvent& event : late) take(event);
  }
  changed_keys_.clear();
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
  if (ignores_mouse_) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
#else
    io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
#endif
  }
  Gamepad pad;
  put_gamepad(read_gamepad(&pad) ? &pad : nullptr);
}

void ImGuiHost::draw() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace flamelet::desktop

// ---- Fonts --------------------------------------------------------------------------------------------------------

#ifdef FLAMELET_FONT_BYTES
extern "C" const char flamelet_font[];
#endif

namespace flamelet::desktop {
namespace {

constexpr uint32_t kFirstNeeded = 0x100;  // Latin-1 is always there
constexpr size_t kMostNeeded = 1u << 14;  // of one size they fit into a texture of 4096 x 4096
constexpr size_t kMostBytes = 64u << 20;  // of a font's file

// The code point that begins at *at, which moves behind it; 0 for a byte that is no UTF-8.
uint32_t next_character(std::string_view text, size_t* at) {
  const auto lead = static_cast<unsigned char>(text[(*at)++]);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0) return lead < 0x80 ? lead : 0;
  uint32_t character = lead & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    if (*at >= text.size() || (static_cast<unsigned char>(text[*at]) & 0xC0) != 0x80) return 0;
    character = character << 6 | (static_cast<unsigned char>(text[(*at)++]) & 0x3F);
  }
  return character;
}

uint32_t big_endian(const unsigned char* bytes, size_t size, size_t at, int count) {
  uint32_t number = 0;
  for (int i = 0; i < count; ++i) number = number << 8 | (at + 4 <= size ? bytes[at + static_cast<size_t>(i)] : 0);
  return number;
}

// The height of a line in a font's em (OpenType: hhea's ascender and descender over head's unitsPerEm). Dear ImGui takes a
// font's size for that height, so letters of two fonts at one size differ by it. 1 where the file does not say.
float line_of_em(const unsigned char* bytes, size_t size, int face) {
  const auto number = [&](size_t at, int count) { return big_endian(bytes, size, at, count); };
  size_t font = number(0, 4) == 0x74746366 ? number(12 + 4 * static_cast<size_t>(face), 4) : 0;  // "ttcf"
  size_t head = 0, hhea = 0;
  for (uint32_t i = 0; i < number(font + 4, 2); ++i) {
    const size_t entry = font + 12 + 16 * size_t{i};
    if (number(entry, 4) == 0x68656164) head = number(entry + 8, 4);  // "head"
    if (number(entry, 4) == 0x68686561) hhea = number(entry + 8, 4);  // "hhea"
  }
  const auto ascender = static_cast<int16_t>(number(hhea + 4, 2)),
             descender = static_cast<int16_t>(number(hhea + 6, 2));
  const uint32_t units = number(head + 18, 2);
  const float line =
      head != 0 && hhea != 0 && units != 0 ? static_cast<float>(ascender - descender) / static_cast<float>(units) : 1;
  return line > 0.5f && line < 4 ? line : 1;
}

float own_line_of_em() {
#ifdef FLAMELET_FONT_BYTES
  return line_of_em(reinterpret_cast<const unsigned char*>(flamelet_font), FLAMELET_FONT_BYTES, 0);
#else
  return 1;
#endif
}

// The whole file, in memory that the atlas frees; NULL: it cannot be read.
void* read_font(const char* path, int* size) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return nullptr;
  void* bytes = nullptr;
  std::fseek(file, 0, SEEK_END);
  const long length = std::ftell(file);
  if (length > 0 && static_cast<size_t>(length) <= kMostBytes) {
    std::rewind(file);
    bytes = IM_ALLOC(static_cast<size_t>(length));
    if (bytes != nullptr && std::fread(bytes, 1, static_cast<size_t>(length), file) != static_cast<size_t>(length)) {
      IM_FREE(bytes);
      bytes = nullptr;
    }
    *size = static_cast<int>(length);
  }
  std::fclose(file);
  return bytes;
}

}  // namespace

void Fonts::start(float size) {
  size_ = size;
  build();
}

void Fonts::need(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const uint32_t character = next_character(text, &at);
    std::set<uint32_t>& letters = character > IM_UNICODE_CODEPOINT_MAX ? beyond_ : needed_;
    if (character < kFirstNeeded || letters.size() == kMostNeeded) continue;
    is_outdated_ = letters.insert(character).second || is_outdated_;
  }
}

#if IMGUI_VERSION_NUM >= 19200

// Characters are drawn when they are first asked for, and fonts may come at any time.
bool Fonts::update() {
  if (!is_outdated_) return false;
  add_system_fonts(nullptr);
  count_lacking();
  return is_outdated_ = false;
}

void Fonts::build() {
  add_own_font(nullptr);
}

#else

bool Fonts::update() {
  if (!is_outdated_) return false;
  is_outdated_ = false;
  ImGui::GetIO().Fonts->Clear();
  files_.clear();
  build();
  count_lacking();
  return true;
}

void Fonts::build() {
  ImFontAtlas* const atlas = ImGui::GetIO().Fonts;
  // The atlas reads them when it is built, which is after this.
  static ImVector<ImWchar> ranges;
  ImFontGlyphRangesBuilder characters;
  characters.AddRanges(atlas->GetGlyphRangesDefault());
  for (const uint32_t character : needed_) characters.AddChar(static_cast<ImWchar>(character));
  ranges.clear();
  characters.BuildRanges(&ranges);

  add_own_font(ranges.Data);
  add_system_fonts(ranges.Data);
  atlas->Build();
  draw_what_lacks();
}

// Room in the atlas is made when it is built, so the characters are copied into it after that.
void Fonts::draw_what_lacks() {
  ImFontAtlas* const atlas = ImGui::GetIO().Fonts;
  ImFont* const font = atlas->Fonts[0];
  const int height = static_cast<int>(std::ceil(size_));
  std::map<int, DrawnCharacter> places;
  for (const uint32_t character : needed_) {
    if (font->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr) continue;
    DrawnCharacter drawn = draw_character(character, size_ / own_line_of_em(), font->Ascent, height);
    if (drawn.width == 0) continue;
    const int place =
        atlas->AddCustomRectFontGlyph(font, static_cast<ImWchar>(character), drawn.width, height, drawn.advance);
    places.emplace(place, std::move(drawn));
  }
  if (places.empty()) return;
  unsigned char* pixels;
  int columns;
  atlas->Build();
  atlas->GetTexDataAsAlpha8(&pixels, &columns, nullptr);
  for (const auto& [place, drawn] : places) {
    const ImFontAtlasCustomRect& rect = *atlas->GetCustomRectByIndex(place);
    for (int row = 0; row < height; ++row)
      std::copy_n(drawn.alpha.begin() + row * drawn.width, drawn.width, pixels + (rect.Y + row) * columns + rect.X);
  }
}

#endif

void Fonts::count_lacking() {
  ImFont* const font = ImGui::GetIO().Fonts->Fonts[0];
  const auto lacks = [font](uint32_t character) {
#if IMGUI_VERSION_NUM >= 19200
    return !font->IsGlyphInFont(static_cast<ImWchar>(character));
#else
    return font->FindGlyphNoFallback(static_cast<ImWchar>(character)) == nullptr;
#endif
  };
  lacking_ = beyond_.size() + static_cast<size_t>(std::count_if(needed_.begin(), needed_.end(), lacks));
  const auto first = std::find_if(needed_.begin(), needed_.end(), lacks);
  first_lacking_ = first != needed_.end() ? *first : 0;
}

std::string Fonts::lacking_text() const {
  if (lacking_ == 0) return {};
  const uint32_t shown = first_lacking_ != 0 ? first_lacking_ : *beyond_.begin();
  const bool one = lacking_ == 1;
  // Chinese, Japanese and Korean.
  const bool is_cjk = (shown >= 0x1100 && shown < 0x1200) || (shown >= 0x2E80 && shown < 0xA000) ||
                      (shown >= 0xAC00 && shown < 0xD800) || (shown >= 0xF900 && shown < 0xFB00) ||
                      (shown >= 0xFF00 && shown < 0xFFF0) || (shown >= 0x20000 && shown < 0x40000);
  char number[16];
  snprintf(number, sizeof number, "U+%04X", shown);
  std::string text = std::to_string(lacking_) + (one ? " letter in names is" : " letters in names are") +
                     " shown as ?, " + number + (one ? ": " : " for one: ");
  if (first_lacking_ == 0) return text + "this program has none beyond U+FFFF";
  return text + "no font here has it; install one that does" + (is_cjk ? ", such as Noto Sans CJK" : "");
}

void Fonts::add_own_font([[maybe_unused]] const ImWchar* ranges) {
  ImFontConfig config;
  config.SizePixels = size_;
#ifdef FLAMELET_FONT_BYTES
  config.FontDataOwnedByAtlas = false;
  ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(flamelet_font), FLAMELET_FONT_BYTES, size_, &config,
                                             ranges);
#else
  ImGui::GetIO().Fonts->AddFontDefault(&config);  // a bitmap of 13 pixels
#endif
}

void Fonts::add_system_fonts(const ImWchar* ranges) {
  ImFontConfig config;
  config.MergeMode = true;
  const float own = own_line_of_em();
  for (const FontFile& font : find_system_fonts(needed_)) {
    int size = 0;
    if (!files_.insert(font.path).second) continue;
    void* const bytes = read_font(font.path.c_str(), &size);
    if (bytes == nullptr) continue;
    config.FontNo = font.face;
    const float line = line_of_em(static_cast<const unsigned char*>(bytes), static_cast<size_t>(size), font.face);
    ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, size, std::round(size_ * line / own), &config, ranges);
  }
}

}  // namespace flamelet::desktop

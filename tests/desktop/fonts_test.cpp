// SPDX-License-Identifier: MIT
#include "desktop/imgui_host.h"

#include <doctest/doctest.h>

#include "desktop/platform/system.h"

namespace {

struct Text {
  ImGuiContext* const context = ImGui::CreateContext();
  flamelet::desktop::Fonts fonts;

  Text() {
    ImGui::SetCurrentContext(context);
    fonts.start(13);
  }
  ~Text() { ImGui::DestroyContext(context); }

  static bool has(uint32_t character) {
    return ImGui::GetIO().Fonts->Fonts[0]->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
  }
};

}  // namespace

TEST_CASE("fonts: letters come when a name needs them, from the program's font and from those of the system") {
  Text text;
  CHECK(Text::has('A'));
  CHECK(Text::has(0xE9));
  CHECK_FALSE(text.fonts.update());
  text.fonts.need("ASCII and \xC3\xA9");
  CHECK_FALSE(text.fonts.update());
  struct Case {
    const char* name;
    uint32_t last;  // its last letter
  };
  bool has_all = true;
  for (const Case& of : {Case{"\xD0\x93\xD0\xB4\xD0\xB5", 0x435}, Case{"\xCE\xA9\xCF\x89", 0x3C9},
                         Case{"\xE6\x9B\xB4\xE6\x96\xB0", 0x65B0}, Case{"\xED\x95\x9C\xEA\xB8\x80", 0xAE00}}) {
    CAPTURE(of.name);
    text.fonts.need(of.name);
    CHECK(text.fonts.update());
    CHECK_FALSE(text.fonts.update());
    // Where nothing on this machine has the letter, it stays '?'.
    const bool is_drawable = of.last < 0x500 || !flamelet::desktop::find_system_fonts({of.last}).empty();
    if (!is_drawable) MESSAGE("no font of this machine has U+" << of.last);
    CHECK(Text::has(of.last) == is_drawable);
    has_all = has_all && is_drawable;
    CHECK((text.fonts.lacking() == 0) == has_all);
  }
  text.fonts.need("\xEF\xB7\x90");  // U+FDD0, which no font has
  CHECK(text.fonts.update());
  CHECK(text.fonts.lacking() >= 1);
  CHECK(Text::has('A'));
  CHECK(Text::has(0x435));
}

TEST_CASE("fonts: text that is no UTF-8 needs nothing; characters that Dear ImGui has no number for are lacking") {
  Text text;
  for (const char* bytes : {"\xFF\xFE", "\xE4\xB8", "\xC0\x80", "\x80\x80", "\xE4", "a\xF0\x9F"}) {
    text.fonts.need(bytes);
    CHECK_FALSE(text.fonts.update());
  }
  if (IM_UNICODE_CODEPOINT_MAX < 0x10000) {
    text.fonts.need("\xF0\x9F\x94\xA5 \xF0\x9F\x8E\xAE \xF0\x9F\x94\xA5");
    CHECK(text.fonts.update());
    CHECK(text.fonts.lacking() == 2);
    CHECK(text.fonts.lacking_text() ==
          "2 letters in names are shown as ?, U+1F3AE for one: this program has none beyond U+FFFF");
    text.fonts.need("\xEF\xB7\x90");
    CHECK(text.fonts.update());
    CHECK(text.fonts.lacking_text() ==
          "3 letters in names are shown as ?, U+FDD0 for one: no font here has it; install one that does");
  }
}

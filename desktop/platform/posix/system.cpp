// SPDX-License-Identifier: MIT
//
// system.cpp: fontconfig is asked for fonts, if it is there: programs that never open a window run without it.
#include "desktop/platform/system.h"

#include <cstdlib>

#if __has_include(<fontconfig/fontconfig.h>)
#include <dlfcn.h>
#include <fontconfig/fontconfig.h>

#include <string_view>

namespace flamelet::desktop {
namespace {

class Fontconfig {
 public:
  Fontconfig() : library_(dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL)) {
    is_there_ = library_ != nullptr && find(&load, "FcInitLoadConfigAndFonts") && find(&unload, "FcConfigDestroy") &&
                find(&make_pattern, "FcPatternCreate") && find(&free_pattern, "FcPatternDestroy") &&
                find(&add_characters, "FcPatternAddCharSet") && find(&add_bool, "FcPatternAddBool") &&
                find(&substitute_in_config, "FcConfigSubstitute") &&
                find(&substitute_defaults, "FcDefaultSubstitute") && find(&sort, "FcFontSort") &&
                find(&free_set, "FcFontSetDestroy") && find(&get_text, "FcPatternGetString") &&
                find(&get_number, "FcPatternGetInteger") && find(&get_bool, "FcPatternGetBool") &&
                find(&get_characters, "FcPatternGetCharSet") && find(&make_characters, "FcCharSetCreate") &&
                find(&add_character, "FcCharSetAddChar") && find(&has_character, "FcCharSetHasChar") &&
                find(&free_characters, "FcCharSetDestroy");
  }
  bool is_there() const { return is_there_; }

  decltype(&FcInitLoadConfigAndFonts) load;
  decltype(&FcConfigDestroy) unload;
  decltype(&FcPatternCreate) make_pattern;
  decltype(&FcPatternDestroy) free_pattern;
  decltype(&FcPatternAddCharSet) add_characters;
  decltype(&FcPatternAddBool) add_bool;
  decltype(&FcConfigSubstitute) substitute_in_config;
  decltype(&FcDefaultSubstitute) substitute_defaults;
  decltype(&FcFontSort) sort;
  decltype(&FcFontSetDestroy) free_set;
  decltype(&FcPatternGetString) get_text;
  decltype(&FcPatternGetInteger) get_number;
  decltype(&FcPatternGetBool) get_bool;
  decltype(&FcPatternGetCharSet) get_characters;
  decltype(&FcCharSetCreate) make_characters;
  decltype(&FcCharSetAddChar) add_character;
  decltype(&FcCharSetHasChar) has_character;
  decltype(&FcCharSetDestroy) free_characters;

 private:
  template <class Function>
  bool find(Function* function, const char* name) {
    return (*function = reinterpret_cast<Function>(dlsym(library_, name))) != nullptr;
  }
  void* library_;  // stays: it does not like to be unloaded
  bool is_there_ = false;
};

// What Dear ImGui's rasterizer reads: outlines in one color, not those of a variable font's axes.
bool is_readable(const Fontconfig& fc, FcPattern* font, FontFile* file) {
  FcChar8* path = nullptr;
  FcChar8* format = nullptr;
  FcBool is_colored = FcFalse, is_variable = FcFalse;
  if (fc.get_text(font, FC_FILE, 0, &path) != FcResultMatch) return false;
  if (fc.get_text(font, FC_FONTFORMAT, 0, &format) != FcResultMatch) return false;
  fc.get_bool(font, FC_COLOR, 0, &is_colored);
  fc.get_bool(font, FC_VARIABLE, 0, &is_variable);
  const std::string_view outlines(reinterpret_cast<const char*>(format));
  file->path = reinterpret_cast<const char*>(path);
  fc.get_number(font, FC_INDEX, 0, &file->face);
  return is_colored == FcFalse && is_variable == FcFalse && (outlines == "TrueType" || outlines == "CFF");
}

}  // namespace

std::vector<FontFile> find_system_fonts(std::set<uint32_t> characters) {
  static const Fontconfig fc;
  std::vector<FontFile> files;
  if (!fc.is_there() || characters.empty()) return files;
  FcConfig* const config = fc.load();  // and not the one of the process, which would stay
  if (config == nullptr) return files;
  FcCharSet* const wanted = fc.make_characters();
  for (const uint32_t character : characters) fc.add_character(wanted, character);
  FcPattern* const pattern = fc.make_pattern();
  fc.add_characters(pattern, FC_CHARSET, wanted);
  fc.add_bool(pattern, FC_SCALABLE, FcTrue);
  fc.substitute_in_config(config, pattern, FcMatchPattern);
  fc.substitute_defaults(pattern);
  FcResult result;
  FcFontSet* const found = fc.sort(config, pattern, FcTrue, nullptr, &result);
  for (int i = 0; found != nullptr && i < found->nfont && !characters.empty(); ++i) {
    FontFile file;
    FcCharSet* has = nullptr;
    if (!is_readable(fc, found->fonts[i], &file)) continue;
    if (fc.get_characters(found->fonts[i], FC_CHARSET, 0, &has) != FcResultMatch) continue;
    const size_t before = characters.size();
    for (auto at = characters.begin(); at != characters.end();)
      at = fc.has_character(has, *at) ? characters.erase(at) : std::next(at);
    if (characters.size() != before) files.push_back(file);
  }
  if (found != nullptr) fc.free_set(found);
  fc.free_pattern(pattern);
  fc.free_characters(wanted);
  fc.unload(config);
  return files;
}

}  // namespace flamelet::desktop

#else

namespace flamelet::desktop {

std::vector<FontFile> find_system_fonts(std::set<uint32_t>) {
  return {};
}

}  // namespace flamelet::desktop

#endif

namespace flamelet::desktop {

std::string user_folder() {
  const char* const folder = std::getenv("XDG_CONFIG_HOME");
  if (folder != nullptr && folder[0] == '/') return folder;  // others are to be ignored, says the XDG specification
  const char* const home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.config" : "";
}

// Fonts are files here.
DrawnCharacter draw_character(uint32_t, float, float, int) {
  return {};
}

}  // namespace flamelet::desktop

// SPDX-License-Identifier: MIT
#include "draw/theme.h"

#include <math.h>
#include <algorithm>

#include "content/filter.h"
#include "draw/text.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/site.h"

namespace flamelet::ui {

namespace {

// Found by a search for the 24 colours whose closest two are the furthest apart.
constexpr Rgb kDarkColors[kPaletteCount][kScopeColorCount] = {
    // kAll
    {0x6AA0C4, 0xCADC76, 0x6A7C28, 0xB2A634, 0x5ED6FA, 0x2EBE94, 0xBE6A76, 0xFAB2E2,
     0xC482AC, 0xAC8828, 0x9AB2FA, 0x8E76D0, 0xD6C49A, 0xE2B246, 0x82A076, 0xAC8EE8,
     0x9AC476, 0x70CABE, 0x946458, 0xFA8EA0, 0x289A8E, 0xA0E2BE, 0xD0A0DC, 0xDC7C5E},
    // kDeuteranopia
    {0xB8F4F4, 0xE88828, 0x707C64, 0x28ACF4, 0x5888F4, 0xC4707C, 0x7CA0C4, 0xAC6428,
     0xF4E8B8, 0xE87CAC, 0xC4A0F4, 0x28F4C4, 0xA0E888, 0x949428, 0xF4E84C, 0xB8A070,
     0xC4D0F4, 0xF4A0A0, 0x3494A0, 0x64D0D0, 0xF4C428, 0xB8C458, 0xAC3428, 0xA070D0},
    // kProtanopia
    {0xC4F4DC, 0xA0F4A0, 0xF47094, 0x28E8F4, 0x70C464, 0xE8ACA0, 0xC4D034, 0x34ACB8,
     0xC47CC4, 0xAC7C64, 0xC45870, 0xF4B8F4, 0xF4E84C, 0xE8D094, 0xDC6428, 0x889428,
     0xAC3428, 0x8870DC, 0x4094F4, 0xA0D0C4, 0xDCA028, 0x7C6434, 0x28AC70, 0x88ACF4},
    // kTritanopia
    {0xA0ACF4, 0xD0D0F4, 0x885828, 0xB8F4F4, 0xD04C40, 0x28B87C, 0x4088D0, 0xF4D028,
     0xACA028, 0xC4B894, 0x7CA094, 0xE8647C, 0xD070D0, 0x947070, 0x9470DC, 0xF494F4,
     0x647C28, 0xAC3428, 0x28F4D0, 0xF4E8AC, 0xB87028, 0x28C4F4, 0x94DC70, 0xF49428},
};
constexpr Rgb kLightColors[kPaletteCount][kScopeColorCount] = {
    // kAll
    {0x7C88C4, 0x405888, 0x283494, 0x6440AC, 0x2870D0, 0x642870, 0xDCD034, 0xA04CAC,
     0x942858, 0xC47C28, 0x888864, 0xA0C4F4, 0xB84C28, 0xF4B87C, 0xB8AC28, 0xDC947C,
     0xAC88F4, 0xE86494, 0x702828, 0x7C6470, 0x58DCA0, 0x287C40, 0x34A0A0, 0x704C28},
    // kDeuteranopia
    {0x5888F4, 0x4C2888, 0x344CAC, 0xA07C58, 0x6464D0, 0x643428, 0x645828, 0xE8A028,
     0x34DCA0, 0xAC88F4, 0xAC7094, 0x883494, 0xA0C4F4, 0xE8D028, 0x647094, 0xE86494,
     0x88A028, 0x704C64, 0x4C7C64, 0xF4C494, 0x284C64, 0xAC4C28, 0x2894C4, 0xE88870},
    // kProtanopia
    {0x4C70DC, 0x40A0A0, 0x7C4088, 0x94644C, 0xA0C4F4, 0xF4A088, 0x4C2888, 0x643428,
     0xDC6488, 0xB858AC, 0x4CD07C, 0x345828, 0xB88864, 0x58647C, 0x642858, 0x94E8A0,
     0x88A028, 0xA03458, 0x288828, 0xAC88F4, 0x7C88C4, 0xDCD028, 0x4C4CB8, 0xF4AC28},
    // kTritanopia
    {0xE8644C, 0x587C28, 0x948840, 0xA02828, 0x287CB8, 0x585828, 0xF49428, 0x94AC28,
     0xE8D07C, 0x70C4F4, 0xC464B8, 0x284C58, 0xF4AC94, 0x887CE8, 0x94E87C, 0x404CB8,
     0xA0644C, 0x28AC70, 0x884070, 0x702828, 0xC49494, 0xC44064, 0x58287C, 0x884CB8},
};

float channel(Rgb rgb, int shift) {
  return static_cast<float>(rgb >> shift & 0xFF) / 255.0f;
}

float linear(float value) {
  return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

#define FLAMELET_DARK(name, dark, light, high) dark,
#define FLAMELET_LIGHT(name, dark, light, high) light,
#define FLAMELET_HIGH(name, dark, light, high) high,
constexpr Rgb kColors[kThemeCount][static_cast<uint32_t>(Role::kCount)] = {{FLAMELET_THEME_ROLES(FLAMELET_DARK)},
                                                                           {FLAMELET_THEME_ROLES(FLAMELET_LIGHT)},
                                                                           {FLAMELET_THEME_ROLES(FLAMELET_HIGH)}};

Theme in_use = make_theme(ThemeName::kDark, Palette::kAll);

// Never 0.
uint32_t hash_of(std::string_view name) {
  uint32_t hash = fnv_of_text<uint32_t>(name.data(), name.size());
  hash = (hash ^ hash >> 14) * 0x9E3779B1u;
  hash ^= hash >> 16;
  return hash != 0 ? hash : 1;
}

// From a name's choice to its next one. Prime to the number of colours, so that a name can come to each of them.
constexpr uint32_t kColorSteps[] = {5, 7, 11, 13, 17, 19};
static_assert(kScopeColorCount == 24, "the steps are prime to it");

// kScopeColorCount colours, for a dark or a light background.
const Rgb* scope_colors(Palette palette, bool light) {
  return (light ? kLightColors : kDarkColors)[static_cast<uint32_t>(palette)];
}

}  // namespace

float luminance(Rgb rgb) {
  return 0.2126f * linear(channel(rgb, 16)) + 0.7152f * linear(channel(rgb, 8)) + 0.0722f * linear(channel(rgb, 0));
}

Rgb ink_on(Rgb background) {
  return contrast(background, kDarkInk) >= contrast(background, kLightInk) ? kDarkInk : kLightInk;
}

// Away from the ink, or towards it where there is no room on the other side.
Rgb other_shade(Rgb fill) {
  const float light = luminance(fill);
  const bool dark_ink = ink_on(fill) == kDarkInk;
  const bool darker = dark_ink ? light > 0.5f : light > 0.05f;
  return mix(fill, darker ? 0x000000 : 0xFFFFFF, 0.22f);
}

Rgb mix(Rgb a, Rgb b, float share_of_b) {
  Rgb mixed = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const float value = channel(a, shift) + (channel(b, shift) - channel(a, shift)) * share_of_b;
    mixed |= static_cast<Rgb>(value * 255.0f + 0.5f) << shift;
  }
  return mixed;
}

float contrast(Rgb a, Rgb b) {
  const float la = luminance(a);
  const float lb = luminance(b);
  return la > lb ? (la + 0.05f) / (lb + 0.05f) : (lb + 0.05f) / (la + 0.05f);
}

Theme make_theme(ThemeName name, Palette palette) {
  return {kColors[static_cast<uint32_t>(name)], scope_colors(palette, name == ThemeName::kLight)};
}

const Theme& theme() {
  return in_use;
}

void use_theme(const Theme& theme) {
  in_use = theme;
}

Rgb ScopeColors::color_of(uint32_t hash) const {
  const Moved* moved = moved_.find(hash);
  if (moved == nullptr) return theme().scopes[hash % kScopeColorCount];
  const uint32_t step = kColorSteps[(hash >> 8) % (sizeof kColorSteps / sizeof kColorSteps[0])];
  return theme().scopes[(hash + uint64_t{moved->moves} * step) % kScopeColorCount];
}

Rgb ScopeColors::of(std::string_view name) const {
  return color_of(hash_of(name));
}

bool ScopeColors::move(uint32_t hash) {
  Moved* moved = moved_.insert(hash);
  if (moved == nullptr || moved->moves == kMostMoves) return false;
  ++moved->moves;
  return true;
}

bool ScopeColors::separate(std::string_view a, std::string_view b) {
  const uint32_t hash_a = hash_of(a), hash_b = hash_of(b);
  if (hash_a == hash_b || color_of(hash_a) != color_of(hash_b)) return false;
  return move(std::max(hash_a, hash_b)) || move(std::min(hash_a, hash_b));
}

void ScopeStyles::reset(const flamelet_capture* capture, std::string_view filter) {
  capture_ = capture;
  filter_ = filter;
  entries_.count = entries_.capacity;
  forget();
}

void ScopeStyles::fill(uint64_t key, ScopeStyle* entry) const {
  flamelet_site_info site;
  flamelet_capture_site(capture_, static_cast<uint32_t>(key >> 32), &site);
  entry->key = key;
  entry->name = view_of(flamelet_capture_string(capture_, static_cast<uint32_t>(key)));
  if (entry->name.empty()) entry->name = kNoName;
  const bool waits = is_wait(site);
  entry->own_color = waits || site.color != 0;
  entry->fill = waits ? color::kWait : site.color != 0 ? site.color & 0xFFFFFF : colors_.of(entry->name);
  entry->ink = ink_on(entry->fill);
  entry->matches = matches(entry->name, filter_);
}

void ScopeStyles::separate(ScopeKey a, ScopeKey b) {
  const ScopeStyle style_a = of(a);
  const ScopeStyle style_b = of(b);
  if (style_a.own_color || style_b.own_color || !colors_.separate(style_a.name, style_b.name)) return;
  forget();
}

}  // namespace flamelet::ui

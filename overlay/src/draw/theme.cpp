// SPDX-License-Identifier: MIT
#include "draw/theme.h"

namespace flamelet::ui {

namespace {

#define FLAMELET_DARK(name, dark, light, high) dark,
#define FLAMELET_LIGHT(name, dark, light, high) light,
#define FLAMELET_HIGH(name, dark, light, high) high,
constexpr Rgb kColors[kThemeCount][static_cast<uint32_t>(Role::kCount)] = {{FLAMELET_THEME_ROLES(FLAMELET_DARK)},
                                                                           {FLAMELET_THEME_ROLES(FLAMELET_LIGHT)},
                                                                           {FLAMELET_THEME_ROLES(FLAMELET_HIGH)}};

Theme in_use = make_theme(ThemeName::kDark, Palette::kAll);

}  // namespace

Theme make_theme(ThemeName name, Palette palette) {
  return {kColors[static_cast<uint32_t>(name)], scope_colors(palette, name == ThemeName::kLight)};
}

const Theme& theme() {
  return in_use;
}

void use_theme(const Theme& theme) {
  in_use = theme;
}

}  // namespace flamelet::ui

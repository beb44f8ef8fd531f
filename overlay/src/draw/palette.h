// SPDX-License-Identifier: MIT
//
// palette.h: colours, the arithmetic on them, and the colours that scopes take.
//
// A palette has 24 colours. Any two of palette kAll differ for eyes that see all colours and under protanopia,
// deuteranopia and tritanopia. Each of the others is made for one of these and keeps its colours further apart for it.
// A test simulates all three, and computes the distances.
#ifndef FLAMELET_OVERLAY_SRC_PALETTE_H
#define FLAMELET_OVERLAY_SRC_PALETTE_H

#include <stdint.h>

namespace flamelet::ui {

using Rgb = uint32_t;  // 0xRRGGBB

// The least contrast of a text and what it stands on: WCAG 2.1, success criterion 1.4.3.
constexpr float kLeastContrast = 4.5f;

enum class Palette : uint32_t { kAll, kDeuteranopia, kProtanopia, kTritanopia };
constexpr uint32_t kPaletteCount = 4;
constexpr uint32_t kScopeColorCount = 24;

// kScopeColorCount colours, for a dark or a light background.
const Rgb* scope_colors(Palette palette, bool light);

// Relative luminance and its contrast, 1 to 21, as WCAG 2.1 defines them.
float luminance(Rgb rgb);
float contrast(Rgb a, Rgb b);

Rgb mix(Rgb a, Rgb b, float share_of_b);

// On blocks of any colour: the ink that reads better on it.
constexpr Rgb kDarkInk = 0x040507;
constexpr Rgb kLightInk = 0xFFFFFF;
Rgb ink_on(Rgb background);

// Another shade of this colour, which differs from it and takes the same ink.
Rgb other_shade(Rgb fill);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PALETTE_H

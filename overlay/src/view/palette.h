// SPDX-License-Identifier: MIT
//
// palette.h: every colour of the overlay, and the arithmetic on them.
//
// Safe for colour-blind readers: the scope colours were chosen so that any two of them stay apart under protanopia,
// deuteranopia and tritanopia, which takes differences in lightness as well as in hue (the test simulates all three).
// What a colour means is always said a second way: over budget also reaches over a line, a selection also has a frame,
// a merged block also has a count and another height.
// Every text has at least kLeastContrast against what it stands on (WCAG 2.1, success criterion 1.4.3).
#ifndef FLAMELET_OVERLAY_SRC_PALETTE_H
#define FLAMELET_OVERLAY_SRC_PALETTE_H

#include <stdint.h>

namespace flamelet::ui {

using Rgb = uint32_t;  // 0xRRGGBB

namespace color {

// Surfaces, from back to front.
constexpr Rgb kWindow = 0x14171D;
constexpr Rgb kCanvas = 0x0E1116;
constexpr Rgb kStripe = 0x12161C;  // every other lane, every other row of a table
constexpr Rgb kPanel = 0x1B2028;
constexpr Rgb kControl = 0x252C37;
constexpr Rgb kControlHot = 0x333D4C;
constexpr Rgb kControlOn = 0x2B5F8F;
constexpr Rgb kLine = 0x2B323D;
constexpr Rgb kGrid = 0x1F252E;
constexpr Rgb kGridFrame = 0x4A5566;

// Text on them.
constexpr Rgb kText = 0xDCE2EC;
constexpr Rgb kTextMid = 0xAEB8C7;
constexpr Rgb kTextDim = 0x8B97A8;
constexpr Rgb kInk = 0x040507;       // on light blocks
constexpr Rgb kInkLight = 0xFFFFFF;  // on dark blocks

// Meanings.
constexpr Rgb kSelect = 0xFFFFFF;
constexpr Rgb kHover = 0xC9D4E4;
constexpr Rgb kAccent = 0x5AB4F0;
constexpr Rgb kCritical = 0xFFE14D;  // the critical path; it has an edge of kInk
constexpr Rgb kFlow = 0x8CF0D0;      // arrows of flows, with the same edge
// Compared: warm is slower, cold is faster, and the sign says it, too.
constexpr Rgb kSlower = 0xE06A3C;
constexpr Rgb kFaster = 0x5AA0F0;
constexpr Rgb kUnchanged = 0x3A4250;
constexpr Rgb kFrameGood = 0x5F87A6;
constexpr Rgb kFrameOver = 0xE3A13A;
constexpr Rgb kFrameFar = 0xF0684E;
constexpr Rgb kBudget = 0xE3A13A;
constexpr Rgb kMerged = 0x4B5667;
constexpr Rgb kMergedMatch = 0x5078A0;  // with a match of the filter inside
constexpr Rgb kMergedText = 0xDCE2EC;
constexpr Rgb kTableBar = 0x1A3044;
constexpr Rgb kGpu = 0xB9A7E8;  // the GPU's time in the frame bars
constexpr Rgb kInstant = 0xE8D9A8;
constexpr Rgb kWait = 0x39424F;    // scopes of the category "wait"
constexpr Rgb kDimmed = 0x272D37;  // what the filter leaves out
constexpr Rgb kDimmedText = 0x8B97A8;

}  // namespace color

// The least contrast of a text and what it stands on.
constexpr float kLeastContrast = 4.5f;

constexpr uint32_t kScopeColorCount = 24;
extern const Rgb kScopeColors[kScopeColorCount];

// Black or white ink, whichever reads better on this.
Rgb ink_on(Rgb background);

Rgb mix(Rgb a, Rgb b, float share_of_b);

// Relative luminance contrast, 1 to 21 (WCAG 2.1).
float contrast(Rgb a, Rgb b);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PALETTE_H

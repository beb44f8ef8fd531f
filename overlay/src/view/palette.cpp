// SPDX-License-Identifier: MIT
#include "view/palette.h"

#include <math.h>

namespace flamelet::ui {

const Rgb kScopeColors[kScopeColorCount] = {0x6AA0C4, 0xCADC76, 0x6A7C28, 0xB2A634, 0x5ED6FA, 0x2EBE94,
                                            0xBE6A76, 0xFAB2E2, 0xC482AC, 0xAC8828, 0x9AB2FA, 0x8E76D0,
                                            0xD6C49A, 0xE2B246, 0x82A076, 0xAC8EE8, 0x9AC476, 0x70CABE,
                                            0x946458, 0xFA8EA0, 0x289A8E, 0xA0E2BE, 0xD0A0DC, 0xDC7C5E};

namespace {

float channel(Rgb rgb, int shift) {
  return static_cast<float>(rgb >> shift & 0xFF) / 255.0f;
}

float linear(float value) {
  return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

float luminance(Rgb rgb) {
  return 0.2126f * linear(channel(rgb, 16)) + 0.7152f * linear(channel(rgb, 8)) + 0.0722f * linear(channel(rgb, 0));
}

}  // namespace

Rgb ink_on(Rgb background) {
  return contrast(background, color::kInk) >= contrast(background, color::kInkLight) ? color::kInk : color::kInkLight;
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

}  // namespace flamelet::ui

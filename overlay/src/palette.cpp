// SPDX-License-Identifier: MIT
#include "palette.h"

#include <math.h>

namespace flamelet::ui {

const Rgb kScopeColors[kScopeColorCount] = {0x6D88C8, 0xB5BB70, 0xB8708E, 0x62BFC4,
                                            0xC89989, 0xA6ABEE, 0x8E9346, 0x4FA0B8};

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

Rgb scope_color(std::string_view name) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  hash ^= hash >> 15;
  // Three shades of each, so that neighbours with the same hue can mostly be told apart.
  const float tint = 0.11f * static_cast<float>(hash / kScopeColorCount % 3);
  return mix(kScopeColors[hash % kScopeColorCount], 0xFFFFFF, tint);
}

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

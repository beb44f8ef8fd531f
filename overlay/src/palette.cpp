// SPDX-License-Identifier: MIT
#include "palette.h"

#include <math.h>

namespace flamelet::ui {

const Rgb kScopeColors[kScopeColorCount] = {0x7CBE88, 0xAC5846, 0xE2C4E8, 0x947CD0, 0xC4DC88, 0x6A9482,
                                            0xCA883A, 0xD0A6D6, 0xE2A052, 0x70D6B8, 0x58ACA6, 0x94646A,
                                            0xAC7C5E, 0x94A076, 0x94D08E, 0xEEB85E, 0xB2A6FA, 0x4694A6,
                                            0x28C4B2, 0x8E8228, 0x88E8B2, 0x889AE8, 0xC4B8FA, 0xB888CA};

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
  hash = (hash ^ hash >> 14) * 0x9E3779B1u;
  hash ^= hash >> 16;
  return kScopeColors[hash % kScopeColorCount];
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

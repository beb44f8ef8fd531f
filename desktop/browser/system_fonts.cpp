// SPDX-License-Identifier: MIT
#include "desktop/platform/system_fonts.h"

#include <emscripten.h>

#include <algorithm>
#include <cmath>

// clang-format off
EM_JS(float, flamelet_draw_character, (uint32_t character, float em, float ascent, int width, int height,
                                       unsigned char* alpha), {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.font = em + 'px sans-serif';
  const text = String.fromCodePoint(character);
  context.fillText(text, 0, ascent);
  const { data } = context.getImageData(0, 0, width, height);
  for (let i = 0; i < width * height; ++i) HEAPU8[alpha + i] = data[4 * i + 3];
  return context.measureText(text).width;
});
// clang-format on

namespace flamelet::desktop {

std::vector<FontFile> find_system_fonts(std::set<uint32_t>) {
  return {};
}

DrawnCharacter draw_character(uint32_t character, float em, float ascent, int height) {
  DrawnCharacter drawn;
  drawn.width = std::max(static_cast<int>(std::ceil(2 * em)), 1);
  drawn.alpha.resize(static_cast<size_t>(drawn.width) * static_cast<size_t>(height));
  drawn.advance = std::round(flamelet_draw_character(character, em, ascent, drawn.width, height, drawn.alpha.data()));
  return drawn;
}

}  // namespace flamelet::desktop

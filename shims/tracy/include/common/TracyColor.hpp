// SPDX-License-Identifier: MIT
//
// common/TracyColor.hpp: the colours of X11 and of the web by name, as 0xRRGGBB. Gray, Green, Maroon and Purple are X11's;
// the web's other values have the prefix Web.
#ifndef FLAMELET_TRACY_COLOR_HPP
#define FLAMELET_TRACY_COLOR_HPP

#include "flamelet_shim/x11_colors.h"

namespace tracy {

struct Color {
#define FLAMELET_TRACY_COLOR_(name, NAME, rgb) name = rgb,
#define FLAMELET_TRACY_SHADES_(name, NAME, rgb1, rgb2, rgb3, rgb4) \
  name##1 = rgb1, name##2 = rgb2, name##3 = rgb3, name##4 = rgb4,
#define FLAMELET_TRACY_GREY_(number, level) Gray##number = level * 0x010101, Grey##number = level * 0x010101,
  // clang-format off
  enum ColorType {
    FLAMELET_SHIM_X11_COLORS_(FLAMELET_TRACY_COLOR_)
    FLAMELET_SHIM_X11_SHADES_(FLAMELET_TRACY_SHADES_)
    FLAMELET_SHIM_X11_GREYS_(FLAMELET_TRACY_GREY_)
    WebGray = 0x808080, WebGreen = 0x008000, WebGrey = 0x808080, WebMaroon = 0x800000, WebPurple = 0x800080,
    X11Gray = 0xbebebe, X11Green = 0x00ff00, X11Grey = 0xbebebe, X11Maroon = 0xb03060, X11Purple = 0xa020f0,
  };
  // clang-format on
#undef FLAMELET_TRACY_COLOR_
#undef FLAMELET_TRACY_SHADES_
#undef FLAMELET_TRACY_GREY_
};

}  // namespace tracy

#endif  // FLAMELET_TRACY_COLOR_HPP

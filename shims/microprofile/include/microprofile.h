// SPDX-License-Identifier: MIT
//
// microprofile.h: the macros of microprofile for C++, recorded by Flamelet. docs/microprofile.md says what becomes of
// each. With MICROPROFILE_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing.
#ifndef FLAMELET_MICROPROFILE_H
#define FLAMELET_MICROPROFILE_H

#include "flamelet_microprofile/api.hpp"
#include "flamelet_shim/x11_colors.h"

// The colours of X11 by name, as 0xRRGGBB.
#define FLAMELET_MICROPROFILE_COLOR_(name, NAME, rgb) MP_##NAME = rgb,
#define FLAMELET_MICROPROFILE_SHADES_(name, NAME, rgb1, rgb2, rgb3, rgb4) \
  MP_##NAME##1 = rgb1, MP_##NAME##2 = rgb2, MP_##NAME##3 = rgb3, MP_##NAME##4 = rgb4,
#define FLAMELET_MICROPROFILE_GREY_(number, level) \
  MP_GRAY##number = level * 0x010101, MP_GREY##number = level * 0x010101,
// clang-format off
enum {
  MP_AUTO = 0,  // the viewer chooses
  FLAMELET_SHIM_X11_COLORS_(FLAMELET_MICROPROFILE_COLOR_)
  FLAMELET_SHIM_X11_SHADES_(FLAMELET_MICROPROFILE_SHADES_)
  FLAMELET_SHIM_X11_GREYS_(FLAMELET_MICROPROFILE_GREY_)
};
// clang-format on
#undef FLAMELET_MICROPROFILE_COLOR_
#undef FLAMELET_MICROPROFILE_SHADES_
#undef FLAMELET_MICROPROFILE_GREY_

#ifndef MICROPROFILE_ENABLED
#define MICROPROFILE_ENABLED 1
#endif

#define MICROPROFILE_TOKEN_PASTE0(a, b) a##b
#define MICROPROFILE_TOKEN_PASTE(a, b) MICROPROFILE_TOKEN_PASTE0(a, b)

#include "flamelet_microprofile/macros.hpp"

#endif  // FLAMELET_MICROPROFILE_H

// SPDX-License-Identifier: MIT
//
// microprofile.h: the macros of microprofile for C++, recorded by Flamelet. docs/microprofile.md says what becomes of
// each. With MICROPROFILE_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing.
#ifndef FLAMELET_MICROPROFILE_H
#define FLAMELET_MICROPROFILE_H

#include "flamelet_microprofile/api.hpp"
#include "flamelet_microprofile/color_shades.h"
#include "flamelet_microprofile/colors.h"
#include "flamelet_microprofile/grays.h"

#ifndef MICROPROFILE_ENABLED
#define MICROPROFILE_ENABLED 1
#endif

#define MICROPROFILE_TOKEN_PASTE0(a, b) a##b
#define MICROPROFILE_TOKEN_PASTE(a, b) MICROPROFILE_TOKEN_PASTE0(a, b)

#if MICROPROFILE_ENABLED && !defined(FLAMELET_DISABLED)
#include "flamelet_microprofile/macros.hpp"
#else
#include "flamelet_microprofile/no_macros.hpp"
#endif

#endif  // FLAMELET_MICROPROFILE_H

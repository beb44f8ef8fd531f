// SPDX-License-Identifier: MIT
//
// microprofile.h: the macros of microprofile for C++, recorded by Flamelet. docs/microprofile.md says what becomes of
// each. With MICROPROFILE_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing.
#ifndef FLAMELET_MICROPROFILE_H
#define FLAMELET_MICROPROFILE_H

#include "flamelet_microprofile/api.hpp"
#include "flamelet_microprofile/colors.h"

#ifndef MICROPROFILE_ENABLED
#define MICROPROFILE_ENABLED 1
#endif

#define MICROPROFILE_TOKEN_PASTE0(a, b) a##b
#define MICROPROFILE_TOKEN_PASTE(a, b) MICROPROFILE_TOKEN_PASTE0(a, b)

#include "flamelet_microprofile/macros.hpp"

#endif  // FLAMELET_MICROPROFILE_H

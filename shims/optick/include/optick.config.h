// SPDX-License-Identifier: MIT
//
// optick.config.h: USE_OPTICK 0 makes every macro nothing.
#ifndef FLAMELET_OPTICK_CONFIG_H
#define FLAMELET_OPTICK_CONFIG_H

#ifndef USE_OPTICK
#define USE_OPTICK 1
#endif

#endif  // FLAMELET_OPTICK_CONFIG_H

// SPDX-License-Identifier: MIT
//
// driver_call.h: FLAMELET_DRIVER_CALL_, how the functions of a graphics driver are called. 32-bit Windows has a convention
// of its own for them; 64-bit Windows accepts the word and ignores it.
#ifndef FLAMELET_PLATFORM_DRIVER_CALL_H
#define FLAMELET_PLATFORM_DRIVER_CALL_H

#ifdef _WIN32
#define FLAMELET_DRIVER_CALL_ __stdcall
#else
#define FLAMELET_DRIVER_CALL_
#endif

#endif  // FLAMELET_PLATFORM_DRIVER_CALL_H

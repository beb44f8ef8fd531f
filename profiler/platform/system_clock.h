// SPDX-License-Identifier: MIT
//
// system_clock.h: the clocks of the operating system, in nanoseconds.
#ifndef FLAMELET_PLATFORM_SYSTEM_CLOCK_H
#define FLAMELET_PLATFORM_SYSTEM_CLOCK_H

#include <stdint.h>

namespace flamelet {

uint64_t os_clock_ns();    // monotonic; its origin means nothing
uint64_t unix_clock_ns();  // since 1970, as somebody set it

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_SYSTEM_CLOCK_H

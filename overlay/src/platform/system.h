// SPDX-License-Identifier: MIT
//
// system.h: what the overlay asks of an operating system. Paths are UTF-8.
#ifndef FLAMELET_OVERLAY_SRC_PLATFORM_SYSTEM_H
#define FLAMELET_OVERLAY_SRC_PLATFORM_SYSTEM_H

#include <stdint.h>

namespace flamelet {

bool path_exists(const char* path);
uint64_t size_of_file(const char* path);  // 0: nobody knows

struct LocalTime {
  int year, month, day, hour, minute, second;  // month and day from 1
};
LocalTime local_time();

}  // namespace flamelet

#endif  // FLAMELET_OVERLAY_SRC_PLATFORM_SYSTEM_H

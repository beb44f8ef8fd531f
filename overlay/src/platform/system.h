// SPDX-License-Identifier: MIT
//
// system.h: what the overlay asks of an operating system. Paths are UTF-8. Not profiler/platform, because a program compiles
// the overlay from an installed package, which has only the profiler's public headers.
#ifndef FLAMELET_OVERLAY_SRC_PLATFORM_SYSTEM_H
#define FLAMELET_OVERLAY_SRC_PLATFORM_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <thread>

namespace flamelet::ui {

void* allocate_aligned(size_t size, size_t alignment);  // NULL: there is no more
void free_aligned(void* memory);

bool path_exists(const char* path);
uint64_t size_of_file(const char* path);  // 0: nobody knows

// visit() for each entry of a folder, in any order. False: it cannot be read.
using VisitEntry = void (*)(void* user, const char* name, bool is_folder);
bool list_folder(const char* path, VisitEntry visit, void* user);

struct LocalTime {
  int year, month, day, hour, minute, second;  // month and day from 1
};
LocalTime local_time();

// Calls run(user) on a thread of its own. False: there are no threads here.
bool start_thread(void (*run)(void* user), void* user, std::thread* thread);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PLATFORM_SYSTEM_H

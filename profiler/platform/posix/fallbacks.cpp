// SPDX-License-Identifier: MIT
//
// fallbacks.cpp: what is done where POSIX has no call for it. Linux has calls, in files of its own.
#include <stdlib.h>
#include <unistd.h>

#include "platform/aligned_memory.h"
#include "platform/process.h"
#include "platform/process_barrier.h"

namespace flamelet {

const char* environment_of_user(const char* name) {
  if (getuid() != geteuid() || getgid() != getegid()) return nullptr;
  const char* value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

void* allocate_huge_pages(size_t size, size_t alignment) {
  return allocate_aligned(size, alignment);
}

bool prepare_process_barrier() {
  return false;
}
bool process_barrier() {
  return false;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/process.h"

namespace flamelet {

// ---- environment

const char* environment_of_user(const char* name) {
  if (getauxval(AT_SECURE) != 0) return nullptr;  // also for file capabilities, which no user id tells
  const char* value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

// ---- huge pages

void* allocate_huge_pages(size_t size, size_t alignment) {
  constexpr size_t kHugePageBytes = size_t{2} << 20;
  if (size < kHugePageBytes || alignment > kHugePageBytes) return allocate_aligned(size, alignment);
  void* memory = allocate_aligned(size, kHugePageBytes);
  if (memory != nullptr) madvise(memory, size & ~(kHugePageBytes - 1), MADV_HUGEPAGE);
  return memory;
}

// ---- process barrier

bool prepare_process_barrier() {
  return syscall(__NR_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0;
}

bool process_barrier() {
  return syscall(__NR_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0;
}

}  // namespace flamelet

// ---- process symbol

// Before glibc 2.34 it is in a library of its own, which a program need not link.
#pragma weak dlsym

namespace flamelet {

void* symbol_of_process(const char* name) {
  return &dlsym != nullptr ? dlsym(nullptr, name) : nullptr;  // NULL: all that is loaded
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include "platform/aligned_memory.h"

namespace flamelet {

void* allocate_huge_pages(size_t size, size_t alignment) {
  constexpr size_t kHugePageBytes = size_t{2} << 20;
  if (size < kHugePageBytes || alignment > kHugePageBytes) return allocate_aligned(size, alignment);
  void* memory = allocate_aligned(size, kHugePageBytes);
  if (memory != nullptr) madvise(memory, size & ~(kHugePageBytes - 1), MADV_HUGEPAGE);
  return memory;
}

}  // namespace flamelet

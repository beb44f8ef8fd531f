// SPDX-License-Identifier: MIT
#include "platform/aligned_memory.h"

#include <malloc.h>

namespace flamelet {

void* allocate_aligned(size_t size, size_t alignment) {
  return _aligned_malloc(size, alignment);
}

void free_aligned(void* memory) {
  _aligned_free(memory);
}

// Large pages need a privilege that few processes have.
void* allocate_huge_pages(size_t size, size_t alignment) {
  return allocate_aligned(size, alignment);
}

}  // namespace flamelet

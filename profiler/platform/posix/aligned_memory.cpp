// SPDX-License-Identifier: MIT
#include "platform/aligned_memory.h"

#include <stdlib.h>

namespace flamelet {

void* allocate_aligned(size_t size, size_t alignment) {
  void* memory = nullptr;  // posix_memalign() and not aligned_alloc(), which wants a multiple of the alignment
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void free_aligned(void* memory) {
  free(memory);
}

}  // namespace flamelet

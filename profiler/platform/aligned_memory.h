// SPDX-License-Identifier: MIT
//
// aligned_memory.h: memory of the C library at any alignment that is a power of two.
#ifndef FLAMELET_PLATFORM_ALIGNED_MEMORY_H
#define FLAMELET_PLATFORM_ALIGNED_MEMORY_H

#include <stddef.h>

namespace flamelet {

// Exactly that large, so that AddressSanitizer sees its end. NULL: there is no more.
void* allocate_aligned(size_t size, size_t alignment);
void free_aligned(void* memory);
// The same for a block that is touched at once: it asks for huge pages where the system has them, so that touching
// 32 MiB takes 16 page faults instead of 8192.
void* allocate_huge_pages(size_t size, size_t alignment);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_ALIGNED_MEMORY_H

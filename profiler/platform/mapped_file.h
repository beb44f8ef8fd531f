// SPDX-License-Identifier: MIT
//
// mapped_file.h: a new file as memory. What is stored there is in the file at once, also if the process dies with its next
// step; only a power failure can lose it.
#ifndef FLAMELET_PLATFORM_MAPPED_FILE_H
#define FLAMELET_PLATFORM_MAPPED_FILE_H

#include <stddef.h>

#include "flamelet/base.h"

namespace flamelet {

// Makes a file of zeros (mode 0600; a path that exists, also as a link, is refused) whose space is reserved, so that no
// store meets a full disk. The memory is aligned to the system's pages. After an error nothing is left behind.
flamelet_result map_new_file(const char* path, size_t bytes, void** memory);
// The file stays.
void unmap_file(void* memory, size_t bytes);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_MAPPED_FILE_H

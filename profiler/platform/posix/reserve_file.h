// SPDX-License-Identifier: MIT
#ifndef FLAMELET_PLATFORM_POSIX_RESERVE_FILE_H
#define FLAMELET_PLATFORM_POSIX_RESERVE_FILE_H

#include <stddef.h>

namespace flamelet {

// Makes an empty file one of so many zeros, on the disk, so that no write to a mapping of it finds that full. Returns an
// errno; 0 = done.
int reserve_file_bytes(int descriptor, size_t bytes);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_POSIX_RESERVE_FILE_H

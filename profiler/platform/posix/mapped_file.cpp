// SPDX-License-Identifier: MIT
#include "platform/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/posix/reserve_file.h"
#include "platform/posix/retried.h"

namespace flamelet {
flamelet_result map_new_file(const char* path, size_t bytes, void** memory) {
  const int descriptor = retried([&] { return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600); });
  if (descriptor < 0) return FLAMELET_ERROR_FILE_OPEN;
  flamelet_result result = FLAMELET_OK;
  int why = reserve_file_bytes(descriptor, bytes);
  if (why != 0) {
    result = FLAMELET_ERROR_FILE_WRITE;
  } else {
    *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    why = errno;
    if (*memory == MAP_FAILED) result = FLAMELET_ERROR_OUT_OF_MEMORY;
  }
  close(descriptor);  // the mapping keeps the file
  if (result != FLAMELET_OK) {
    unlink(path);
    errno = why;
  }
  return result;
}

void unmap_file(void* memory, size_t bytes) {
  munmap(memory, bytes);
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "platform/posix/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace flamelet {

int reserve_file_bytes(int descriptor, size_t bytes) {
  fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(bytes), 0};
  if (fcntl(descriptor, F_PREALLOCATE, &store) != 0) return errno;
  return ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

}  // namespace flamelet

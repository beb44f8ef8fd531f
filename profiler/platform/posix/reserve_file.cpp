// SPDX-License-Identifier: MIT
#include "platform/posix/file_calls.h"

#include <errno.h>
#include <fcntl.h>

namespace flamelet {

int reserve_file_bytes(int descriptor, size_t bytes) {
  const HoldFileLimitSignal held;
  int why;
  do why = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  while (why == EINTR);  // not retried(): it answers with the error itself
  return why;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "platform/old_file.h"

#include <errno.h>

namespace flamelet {

size_t OldFile::read(uint64_t offset, void* bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    const int64_t got = file_.read_at(offset + done, static_cast<char*>(bytes) + done, count - done);
    if (got < 0) why_failed_ = errno;
    if (got == 0) why_failed_ = EIO;  // it was longer before
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

flamelet_result OldFile::done(flamelet_result result) const {
  if (result == FLAMELET_ERROR_FILE_READ) errno = why_failed_;
  return result;
}

}  // namespace flamelet

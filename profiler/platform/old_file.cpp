// SPDX-License-Identifier: MIT
#include "platform/old_file.h"

#include <errno.h>

namespace flamelet {

bool OldFile::read(uint64_t offset, void* bytes, size_t size, size_t* count) {
  const int64_t got = file_.read_at(offset, bytes, size);
  if (got < 0) why_failed_ = errno;
  if (got == 0) why_failed_ = EIO;  // it was longer before
  *count = got < 0 ? 0 : static_cast<size_t>(got);
  return got >= 0;
}

flamelet_result OldFile::done(flamelet_result result) const {
  if (result == FLAMELET_ERROR_FILE_READ) errno = why_failed_;
  return result;
}

}  // namespace flamelet

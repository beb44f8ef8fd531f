// SPDX-License-Identifier: MIT
#include "platform/old_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/retried.h"

namespace flamelet {

OldFile::~OldFile() {
  if (descriptor_ < 0) return;
  const int why = errno;
  close(descriptor_);
  errno = why;
}

bool OldFile::open(const char* path) {
  descriptor_ = retried([&] { return ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); });
  struct stat status;
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) {
    errno = EINVAL;
    return false;
  }
  size_ = static_cast<uint64_t>(status.st_size);
  return true;
}

size_t OldFile::read(uint64_t offset, void* bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    const ssize_t got = retried([&] {
      return pread(descriptor_, static_cast<char*>(bytes) + done, count - done, static_cast<off_t>(offset + done));
    });
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

// SPDX-License-Identifier: MIT
#include "platform/append_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/retried.h"

namespace flamelet {

bool AppendFile::failed() {
  last_errno_ = errno;
  return false;
}

bool AppendFile::open(const char* path) {
  const int flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  descriptor_ = retried([&] { return ::open(path, flags, 0600); });
  if (descriptor_ < 0) return failed();
  struct stat status;
  bool good = fstat(descriptor_, &status) == 0;
  if (good && !S_ISREG(status.st_mode)) {
    errno = EINVAL;
    good = false;
  }
  if (good) {
    size_ = static_cast<uint64_t>(status.st_size);
    char last = '\n';
    if (size_ != 0) {
      const ssize_t got = retried([&] { return pread(descriptor_, &last, 1, status.st_size - 1); });
      if (got == 0) errno = EIO;  // it was longer before
      good = got == 1;
    }
    // A process that was killed while it wrote may have left half a line.
    if (good && last != '\n') good = append("\n", 1);
  }
  if (good) return true;
  failed();
  ::close(descriptor_);
  descriptor_ = -1;
  errno = last_errno_;
  return false;
}

bool AppendFile::append(const char* bytes, size_t count) {
  while (count != 0) {
    const ssize_t written = retried([&] { return write(descriptor_, bytes, count); });
    if (written == 0) errno = EIO;  // no file system should; not again and again
    if (written <= 0) return failed();
    size_ += static_cast<uint64_t>(written);
    bytes += written;
    count -= static_cast<size_t>(written);
  }
  return true;
}

bool AppendFile::truncate(uint64_t size) {
  if (retried([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) return failed();
  size_ = size;
  return true;
}

bool AppendFile::close() {
  if (descriptor_ < 0) return true;
  bool good = retried([&] { return fsync(descriptor_); }) == 0 || failed();
  if (::close(descriptor_) != 0 && errno != EINTR) good = failed();
  descriptor_ = -1;
  return good;
}

}  // namespace flamelet

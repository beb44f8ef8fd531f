// SPDX-License-Identifier: MIT
#include "append_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace flamelet {

bool AppendFile::failed() {
  last_errno_ = errno;
  return false;
}

bool AppendFile::open(const char* path) {
  const int flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  do descriptor_ = ::open(path, flags, 0600);
  while (descriptor_ < 0 && errno == EINTR);
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
    // A process that was killed while it wrote may have left half a line.
    good = size_ == 0 || pread(descriptor_, &last, 1, status.st_size - 1) == 1;
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
    const ssize_t written = write(descriptor_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed();
    size_ += static_cast<uint64_t>(written);
    bytes += written;
    count -= static_cast<size_t>(written);
  }
  return true;
}

bool AppendFile::truncate(uint64_t size) {
  if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return failed();
  size_ = size;
  return true;
}

bool AppendFile::close() {
  if (descriptor_ < 0) return true;
  bool good = fsync(descriptor_) == 0 || failed();
  if (::close(descriptor_) != 0) good = failed();
  descriptor_ = -1;
  return good;
}

}  // namespace flamelet

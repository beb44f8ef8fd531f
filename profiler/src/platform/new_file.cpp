// SPDX-License-Identifier: MIT
#include "platform/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "platform/retried.h"

namespace flamelet {

bool NewFile::open(const char* path) {
  constexpr size_t kSuffixBytes = 8;  // ".tmp-99" and the end
  path_size_ = strlen(path);
  if (path_size_ == 0 || path_size_ > kMaxPath - kSuffixBytes) {
    errno = path_size_ == 0 ? ENOENT : ENAMETOOLONG;
    return false;
  }
  memcpy(temporary_, path, path_size_);
  // A process that was killed while it saved has left its temporary file: take the next name.
  for (int i = 0; i < 100 && descriptor_ < 0; ++i) {
    const char suffix[] = {'.', 't', 'm', 'p', '-', static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10),
                           0};
    static_assert(sizeof suffix == kSuffixBytes, "the room that is kept");
    memcpy(temporary_ + path_size_, suffix, sizeof suffix);
    descriptor_ =
        retried([&] { return ::open(temporary_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600); });
    if (descriptor_ < 0 && errno != EEXIST) return false;
  }
  return descriptor_ >= 0;
}

bool NewFile::write(const void* bytes, size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    const ssize_t written = retried([&] { return ::write(descriptor_, at, count); });
    if (written == 0) errno = EIO;  // no file system should; not again and again
    if (written <= 0) return false;
    at += written;
    count -= static_cast<size_t>(written);
  }
  return true;
}

bool NewFile::commit() {
  bool good = retried([&] { return fsync(descriptor_); }) == 0;
  if (good) {
    // An error of close() is one of a write that was put off; a signal there stops nothing that was not flushed.
    good = ::close(descriptor_) == 0 || errno == EINTR;
    descriptor_ = -1;
  }
  char path[kMaxPath];
  memcpy(path, temporary_, path_size_);
  path[path_size_] = 0;
  good = good && rename(temporary_, path) == 0;
  if (!good) {
    const int why = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    unlink(temporary_);
    errno = why;
    return false;
  }
  // So that the new name, too, survives a power failure. A folder that cannot be opened or flushed is no failure: the new
  // file is there, and whoever were told otherwise would save it once more for nothing.
  while (path_size_ != 0 && path[path_size_ - 1] != '/') --path_size_;
  path[path_size_] = 0;
  const int folder = retried([&] { return ::open(path_size_ == 0 ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (folder >= 0) {
    retried([&] { return fsync(folder); });
    ::close(folder);
  }
  return true;
}

void NewFile::discard() {
  if (descriptor_ < 0) return;
  const int why = errno;
  ::close(descriptor_);
  unlink(temporary_);
  descriptor_ = -1;
  errno = why;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "platform/append_file.h"

#include <errno.h>

namespace flamelet {

bool AppendFile::failed() {
  last_errno_ = errno;
  return false;
}

bool AppendFile::open(const char* path) {
  if (!file_.open(path, FileUse::kAppend)) return failed();
  bool good = file_.get_size(&size_);
  if (good) {
    char last = '\n';
    if (size_ != 0) {
      const int64_t got = file_.read_at(size_ - 1, &last, 1);
      if (got == 0) errno = EIO;  // it was longer before
      good = got == 1;
    }
    // A process that was killed while it wrote may have left half a line.
    if (good && last != '\n') good = append("\n", 1);
  }
  if (good) return true;
  failed();
  file_.close();
  errno = last_errno_;
  return false;
}

bool AppendFile::append(const char* bytes, size_t count) {
  return file_.write(bytes, count, &size_) || failed();
}

bool AppendFile::truncate(uint64_t size) {
  if (!file_.truncate(size)) return failed();
  size_ = size;
  return true;
}

bool AppendFile::close() {
  if (!file_.is_open()) return true;
  bool good = file_.flush() || failed();
  if (!file_.close()) good = failed();
  return good;
}

}  // namespace flamelet

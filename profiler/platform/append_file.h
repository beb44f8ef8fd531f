// SPDX-License-Identifier: MIT
//
// append_file.h: a log file that grows. Every failure is an answer with its errno, and leaves the file usable.
#ifndef FLAMELET_PLATFORM_APPEND_FILE_H
#define FLAMELET_PLATFORM_APPEND_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "platform/file.h"

namespace flamelet {

class AppendFile {
 public:
  // Makes the file (mode 0600) or appends to it; never follows a symbolic link, never waits for a pipe. A file that does
  // not end with a line gets a line's end. False: errno says why.
  bool open(const char* path);
  bool is_open() const { return file_.is_open(); }
  // False: some of it may have been written. A signal is no failure.
  bool append(const char* bytes, size_t count);
  // Takes back what was written behind `size`.
  bool truncate(uint64_t size);
  uint64_t size() const { return size_; }
  // On its way to the disk, and closed in any case.
  bool close();
  int last_errno() const { return last_errno_; }

 private:
  bool failed();

  File file_;
  uint64_t size_ = 0;
  int last_errno_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_APPEND_FILE_H

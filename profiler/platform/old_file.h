// SPDX-License-Identifier: MIT
//
// old_file.h: a regular file that is read at any offset.
#ifndef FLAMELET_PLATFORM_OLD_FILE_H
#define FLAMELET_PLATFORM_OLD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/base.h"
#include "platform/file.h"

namespace flamelet {

class OldFile {
 public:
  // False: errno says why. Never waits for a pipe.
  bool open(const char* path) { return file_.open(path, FileUse::kRead) && file_.get_size(&size_); }
  uint64_t size() const { return size_; }
  // As flamelet_source::read.
  bool read(uint64_t offset, void* bytes, size_t size, size_t* count);
  // Passes on what came of the reading, with errno as the read that failed left it.
  flamelet_result done(flamelet_result result) const;

 private:
  File file_;
  uint64_t size_ = 0;
  int why_failed_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_OLD_FILE_H

// SPDX-License-Identifier: MIT
//
// old_file.h: a regular file that is read at any offset.
#ifndef FLAMELET_SRC_OLD_FILE_H
#define FLAMELET_SRC_OLD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/base.h"

namespace flamelet {

class OldFile {
 public:
  OldFile() = default;
  ~OldFile();
  OldFile(const OldFile&) = delete;
  OldFile& operator=(const OldFile&) = delete;

  // False: errno says why. Never waits for a pipe.
  bool open(const char* path);
  uint64_t size() const { return size_; }
  // Returns how many bytes were there.
  size_t read(uint64_t offset, void* bytes, size_t count);
  // Passes on what came of the reading, with errno as the read that failed left it.
  flamelet_result done(flamelet_result result) const;

 private:
  int descriptor_ = -1;
  uint64_t size_ = 0;
  int why_failed_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_OLD_FILE_H

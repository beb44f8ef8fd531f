// SPDX-License-Identifier: MIT
//
// file_source.h: a file of known size that is read through the caller's function. All of it is there, so a read that
// gives less failed, and so did everything that wanted the bytes.
#ifndef FLAMELET_SRC_FILE_SOURCE_H
#define FLAMELET_SRC_FILE_SOURCE_H

#include "flamelet/capture_file.h"

namespace flamelet {

class FileSource {
 public:
  FileSource(flamelet_read_function read, void* user, uint64_t size) : read_(read), user_(user), size_(size) {}

  uint64_t size() const { return size_; }
  bool has(uint64_t offset, uint64_t count) const { return offset <= size_ && count <= size_ - offset; }
  // False if the file has no such bytes, or if reading them failed.
  bool get(uint64_t offset, void* bytes, size_t count) {
    if (!has(offset, count)) return false;
    if (read_(user_, offset, bytes, count) == count) return true;
    failed_ = true;
    return false;
  }
  bool failed() const { return failed_; }

 private:
  const flamelet_read_function read_;
  void* const user_;
  const uint64_t size_;
  bool failed_ = false;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_FILE_SOURCE_H

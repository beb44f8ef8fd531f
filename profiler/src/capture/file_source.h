// SPDX-License-Identifier: MIT
//
// file_source.h: a file of known size that is read through the caller's source. All of it is there, so a source that
// ends early failed, and so did everything that wanted the bytes.
#ifndef FLAMELET_SRC_FILE_SOURCE_H
#define FLAMELET_SRC_FILE_SOURCE_H

#include "flamelet/io.h"

namespace flamelet {

class FileSource {
 public:
  explicit FileSource(flamelet_source source) : source_(source) {}

  uint64_t size() const { return source_.size; }
  bool has(uint64_t offset, uint64_t count) const { return offset <= size() && count <= size() - offset; }
  // False if the file has no such bytes, or if reading them failed.
  bool get(uint64_t offset, void* bytes, size_t count) {
    if (!has(offset, count)) return false;
    for (size_t done = 0, more = 0; done < count && !failed_; done += more) {
      more = 0;
      const bool good =
          source_.read(source_.user, offset + done, static_cast<char*>(bytes) + done, count - done, &more);
      failed_ = !good || more == 0 || more > count - done;
    }
    return !failed_;
  }
  bool failed() const { return failed_; }

 private:
  const flamelet_source source_;
  bool failed_ = false;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_FILE_SOURCE_H

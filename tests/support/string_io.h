// SPDX-License-Identifier: MIT
//
// string_io.h: strings as sinks and sources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "flamelet/io.h"

inline flamelet_sink sink_to(std::string* bytes) {
  return {[](void* user, const void* more, size_t size) {
            static_cast<std::string*>(user)->append(static_cast<const char*>(more), size);
            return true;
          },
          bytes};
}

// Bytes that come in pieces of at most `piece`. Whoever reads them may ask for no more than there is.
struct StringSource {
  std::string_view bytes;
  size_t piece = SIZE_MAX;
  uint64_t next = 0;      // of a stream
  bool has_gaps = false;  // it was read in another order

  flamelet_source file() { return {read_file, bytes.size(), this}; }
  flamelet_source stream() { return {read_stream, FLAMELET_SIZE_UNKNOWN, this}; }

 private:
  static bool read_file(void* user, uint64_t offset, void* to, size_t size, size_t* count) {
    const StringSource& self = *static_cast<StringSource*>(user);
    if (offset > self.bytes.size() || size > self.bytes.size() - offset || size == 0) return false;
    *count = self.bytes.copy(static_cast<char*>(to), std::min(size, self.piece), static_cast<size_t>(offset));
    return true;
  }
  static bool read_stream(void* user, uint64_t offset, void* to, size_t size, size_t* count) {
    StringSource& self = *static_cast<StringSource*>(user);
    if (offset != self.next || size == 0) self.has_gaps = true;
    *count = self.bytes.copy(static_cast<char*>(to), std::min(size, self.piece), static_cast<size_t>(self.next));
    self.next += *count;
    return true;
  }
};

// SPDX-License-Identifier: MIT
//
// json_values.h: the values of a JSON text one by one, each whole in memory, for texts of any length. It only finds where a
// value ends: strings are skipped, and brackets counted. Whether what lies between is JSON, its reader says; so a value
// that is damaged harms no other one.
#ifndef FLAMELET_IMPORT_SRC_JSON_VALUES_H
#define FLAMELET_IMPORT_SRC_JSON_VALUES_H

#include <cstddef>
#include <string_view>
#include <vector>

#include "input.h"

namespace flamelet::formats {

class JsonValues {
 public:
  // A value longer than this is passed over. An event of ours with three names of 64 KiB, all escaped, has 1.2 MiB.
  static constexpr size_t kMaxValueBytes = size_t{4} << 20;
  // Bytes behind a value that may be read, though they are not part of it.
  static constexpr size_t kPadding = 64;

  explicit JsonValues(Input& in);

  // The next byte that is no white space, without taking it; -1 at the end.
  int next();
  void take() { ++at_; }  // the byte that next() told

  enum class Found { kValue, kTooLong, kCutOff };
  // The value that begins at next(), valid until the next call of anything here. It may be changed in place.
  Found value(char** begin, size_t* size);

 private:
  bool more();  // bytes behind those that are there, which may move; false at the end
  // From the value's first byte, at at_, to behind its last one.
  bool find_bracket_end(size_t* end);
  bool find_scalar_end(size_t* end);

  Input& in_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the value, while one is being looked at; else at_
  size_t at_ = 0;
  size_t end_ = 0;
  bool too_long_ = false;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_JSON_VALUES_H

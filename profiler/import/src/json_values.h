// SPDX-License-Identifier: MIT
//
// json_values.h: the values of a JSON text, each whole in memory, for texts of any length. It only finds where a value ends:
// strings are skipped, and brackets counted. Whether what lies between is JSON, its reader says; so a value that is damaged
// harms no other one.
#ifndef FLAMELET_IMPORT_SRC_JSON_VALUES_H
#define FLAMELET_IMPORT_SRC_JSON_VALUES_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gzip_input.h"

namespace flamelet::formats {

class JsonValues {
 public:
  // A value longer than this is passed over. An event of ours with three names of 64 KiB, all escaped, has 1.2 MiB.
  static constexpr size_t kMaxValueBytes = size_t{4} << 20;
  // Bytes behind a value that may be read, though they are not part of it.
  static constexpr size_t kPadding = 64;

  explicit JsonValues(Input& in);

  // The next byte that is neither white space nor in a comment (//, /* */), without taking it; -1 at the end.
  int next();
  void take() { ++at_; }  // the byte that next() told

  enum class Found { kValue, kTooLong, kCutOff };
  // The value that begins at next(). Texts are valid until the next call of anything here but go_back().
  Found value(std::string_view* text) { return find(/*only_one=*/true, text); }
  // The object that begins at next(), and those behind it that are in memory, with a comma in front of each.
  Found objects(std::string_view* text) { return find(/*only_one=*/false, text); }
  // Where next() stands in the text, and where what was found last begins.
  uint64_t offset() const { return offset_ + at_; }
  uint64_t found_offset() const { return found_offset_; }
  // What is in memory from the byte on that next() told: the first 64 KiB of the text, if there are as many.
  std::string_view ahead() const { return {buffer_.data() + at_, end_ - at_}; }
  // To `size` bytes in front of the end of what was found last.
  void go_back(size_t size) { begin_ = at_ -= size; }

 private:
  static constexpr size_t kBatchBytes = size_t{16} << 10;  // of objects(), and the last one

  Found find(bool only_one, std::string_view* text);
  bool is_comment();
  void skip_comment();
  bool more();  // bytes behind those that are there, which may move; false at the end
  // Behind the last byte of the value whose first one is at at_, or of the last one of several. kNoEnd: it is cut off.
  static constexpr size_t kNoEnd = SIZE_MAX;
  size_t find_bracket_end(bool only_one);
  size_t find_scalar_end();
  bool is_next_object(size_t end, size_t at) const;

  Input& in_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the value, while one is being looked at; else at_
  size_t at_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;  // of the buffer in the text
  uint64_t found_offset_ = 0;
  bool too_long_ = false;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_JSON_VALUES_H

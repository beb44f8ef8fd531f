// SPDX-License-Identifier: MIT
//
// perf_text.h: text into a fixed buffer that is written out when it is full. Independent of the locale.
#ifndef FLAMELET_PERF_SRC_TEXT_H
#define FLAMELET_PERF_SRC_TEXT_H

#include "flamelet/io.h"

namespace flamelet {

class TextBuffer {
 public:
  void attach(char* bytes, size_t capacity, flamelet_sink sink);

  void put(char c) {
    if (count_ == capacity_) flush();
    bytes_[count_++] = c;
  }
  void put(const char* text);
  void put_number(int64_t number);
  // A name as the log has it: bare, or in quotes with escapes if it contains a comma, a quote, a backslash or a control
  // character, or if it is empty or begins or ends with a space.
  void put_name(flamelet_string name);
  void put_quoted(flamelet_string name);  // in quotes in any case

  // For tables. Aligned to the right:
  void put_right(const char* text, size_t width);
  void put_count(uint64_t number, size_t width);
  void put_duration(double ns, size_t width);  // four digits, in the unit that fits
  // Aligned to the left: cut to `width` characters of UTF-8, control characters as '?'.
  void put_left(flamelet_string text, size_t width);

  size_t count() const { return count_; }
  // Writes what is there. Once that failed, everything is thrown away until reset().
  bool flush();
  bool ok() const { return ok_; }
  void reset();

 private:
  char* bytes_ = nullptr;
  size_t capacity_ = 0;
  flamelet_sink sink_ = {};
  size_t count_ = 0;
  bool ok_ = true;
};

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_TEXT_H

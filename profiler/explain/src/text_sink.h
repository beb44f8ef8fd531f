// SPDX-License-Identifier: MIT
//
// text_sink.h: text for a buffer that may be too short, or for a sink.
#ifndef FLAMELET_EXPLAIN_SRC_TEXT_SINK_H
#define FLAMELET_EXPLAIN_SRC_TEXT_SINK_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "flamelet/io.h"

namespace flamelet::explain {

class TextSink {
 public:
  TextSink(char* text, size_t size) : text_(text), size_(text == nullptr ? 0 : size) {}
  explicit TextSink(flamelet_sink sink) : sink_(sink) {}

  void add(const char* text, size_t size) {
    if (sink_.write != nullptr) {
      is_good_ = is_good_ && sink_.write(sink_.user, text, size);
    } else if (length_ < size_) {
      memcpy(text_ + length_, text, size < size_ - length_ ? size : size_ - length_);
    }
    length_ += size;
  }
  void add(const char* text) { add(text, strlen(text)); }
  void add(flamelet_string text) { add(text.text, text.size); }
  // At most 255 bytes.
  __attribute__((format(printf, 2, 3))) void print(const char* format, ...) {
    char part[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    if (length > 0)
      add(part, static_cast<size_t>(length) < sizeof part ? static_cast<size_t>(length) : sizeof part - 1);
  }

  // Ends the text in the buffer; returns how long it would be.
  size_t finish() {
    if (size_ != 0) text_[length_ < size_ ? length_ : size_ - 1] = 0;
    return length_;
  }
  bool is_good() const { return is_good_; }

 private:
  char* text_ = nullptr;
  size_t size_ = 0, length_ = 0;
  flamelet_sink sink_ = {};
  bool is_good_ = true;
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_TEXT_SINK_H

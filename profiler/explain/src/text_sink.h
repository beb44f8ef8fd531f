// SPDX-License-Identifier: MIT
//
// text_sink.h: text for a buffer that may be too short, or for a sink. It has hundreds of calls, so nothing is inlined.
#ifndef FLAMELET_EXPLAIN_SRC_TEXT_SINK_H
#define FLAMELET_EXPLAIN_SRC_TEXT_SINK_H

#include <stdarg.h>
#include <string.h>

#include "flamelet/io.h"
#include "platform/number_text.h"

namespace flamelet::explain {

class TextSink {
 public:
  TextSink(char* text, size_t size) : text_(text), size_(text == nullptr ? 0 : size) {}
  explicit TextSink(flamelet_sink sink) : sink_(sink) {}

  __attribute__((noinline)) void add(const char* text, size_t size) {
    if (sink_.write != nullptr) {
      is_good_ = is_good_ && sink_.write(sink_.user, text, size);
    } else if (length_ < size_) {
      memcpy(text_ + length_, text, size < size_ - length_ ? size : size_ - length_);
    }
    length_ += size;
  }
  __attribute__((noinline)) void add(const char* text) { add(text, strlen(text)); }
  // A name. A control character of it, such as the end of a line, is U+FFFD.
  __attribute__((noinline)) void add(flamelet_string name) {
    size_t begin = 0;
    for (size_t at = 0; at < name.size; ++at) {
      const auto byte = static_cast<unsigned char>(name.text[at]);
      if (byte >= 0x20 && byte != 0x7F) continue;
      add(name.text + begin, at - begin);
      add("\xEF\xBF\xBD");
      begin = at + 1;
    }
    add(name.text + begin, name.size - begin);
  }
  // As printf() in the C locale, with only these: %%, %s, %u, %llu, %lld and %.Nf, N below 10.
  // A time that has its unit in %s takes no " ms" behind it.
  __attribute__((noinline, format(printf, 2, 3))) void print(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    while (*format != 0) {
      const size_t plain = strcspn(format, "%");
      if (plain != 0) add(format, plain);
      format += plain;
      if (*format == 0) break;
      ++format;
      int decimals = 0;
      if (*format == '.') {
        decimals = format[1] - '0';
        format += 2;
      }
      const bool is_long = format[0] == 'l';
      if (is_long) format += 2;
      switch (*format++) {
        case '%':
          add("%");
          break;
        case 's': {
          const char* const text = va_arg(arguments, const char*);
          const size_t size = strlen(text);
          add(text, size);
          if (size != 0 && text[size - 1] > '9' && strncmp(format, " ms", 3) == 0) format += 3;
          break;
        }
        case 'u':
          add_unsigned(is_long ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned));
          break;
        case 'd': {
          const long long number = va_arg(arguments, long long);
          if (number < 0) add("-");
          add_unsigned(number < 0 ? 0 - static_cast<unsigned long long>(number)
                                  : static_cast<unsigned long long>(number));
          break;
        }
        case 'f': {
          const double number = va_arg(arguments, double);
          char digits[400];  // of the largest double there are 309 before the point
          const char* const end = write_fixed(digits, digits + sizeof digits, number, decimals);
          if (end != nullptr) add(digits, static_cast<size_t>(end - digits));
          break;
        }
      }
    }
    va_end(arguments);
  }

  // Ends the text in the buffer; returns how long it would be.
  size_t finish() {
    if (size_ != 0) text_[length_ < size_ ? length_ : size_ - 1] = 0;
    return length_;
  }
  bool is_good() const { return is_good_; }

 private:
  void add_unsigned(unsigned long long number) {
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    add(digits + at, sizeof digits - at);
  }

  char* text_ = nullptr;
  size_t size_ = 0, length_ = 0;
  flamelet_sink sink_ = {};
  bool is_good_ = true;
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_TEXT_SINK_H

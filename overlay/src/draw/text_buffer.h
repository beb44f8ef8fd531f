// SPDX-License-Identifier: MIT
//
// text_buffer.h: short texts with numbers in them, written without printf: a frame of the overlay has hundreds of them,
// and a scope's name is never a format string.
//
// Times keep three or four digits and a unit of two letters, so that columns line up: "16.42 ms", "812.0 us", "640 ns".
#ifndef FLAMELET_OVERLAY_SRC_TEXT_BUFFER_H
#define FLAMELET_OVERLAY_SRC_TEXT_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include <string_view>

namespace flamelet::ui {

// Appends to memory that somebody else owns. What does not fit is dropped, but counted in wanted(). Always ends with 0.
class TextWriter {
 public:
  TextWriter(char* data, size_t capacity) : data_(data), capacity_(capacity) { clear(); }

  TextWriter& add(std::string_view text);
  TextWriter& add(char c) { return add(std::string_view(&c, 1)); }
  TextWriter& add_unsigned(uint64_t value);
  TextWriter& add_signed(int64_t value);
  TextWriter& add_grouped(uint64_t value);            // 12,345,678
  TextWriter& add_fixed(double value, int decimals);  // rounded; 0 to 6 decimals; "-" if it is not finite
  TextWriter& add_time(int64_t ns);                   // the unit that suits it
  TextWriter& add_ms(int64_t ns);                     // 16.42, without the unit
  TextWriter& add_bytes(uint64_t bytes);              // 12.3 MiB
  TextWriter& add_percent(double share);              // 0.197 -> 19.7%

  void clear() {
    size_ = 0;
    wanted_ = 0;
    if (capacity_ != 0) data_[0] = 0;
  }
  std::string_view view() const { return std::string_view(data_, size_); }
  const char* c_str() const { return data_; }
  size_t wanted() const { return wanted_; }

 private:
  char* data_;
  size_t capacity_;
  size_t size_ = 0;
  size_t wanted_ = 0;
};

template <size_t N>
class FixedText : public TextWriter {
 public:
  FixedText() : TextWriter(storage_, N) {}
  FixedText(const FixedText&) = delete;
  FixedText& operator=(const FixedText&) = delete;

 private:
  char storage_[N];
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TEXT_BUFFER_H

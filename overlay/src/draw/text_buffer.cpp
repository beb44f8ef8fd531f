// SPDX-License-Identifier: MIT
#include "draw/text_buffer.h"

#include <math.h>
#include <string.h>

namespace flamelet::ui {

namespace {

// Writes the digits of `value` before `end`; returns where they begin.
char* write_digits(char* end, uint64_t value) {
  do {
    *--end = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return end;
}

}  // namespace

TextWriter& TextWriter::add(std::string_view text) {
  wanted_ += text.size();
  if (capacity_ == 0) return *this;
  const size_t room = capacity_ - 1 - size_;
  const size_t size = text.size() < room ? text.size() : room;
  if (size != 0) memcpy(data_ + size_, text.data(), size);
  size_ += size;
  data_[size_] = 0;
  return *this;
}

TextWriter& TextWriter::add_unsigned(uint64_t value) {
  char digits[20];
  char* first = write_digits(digits + sizeof digits, value);
  return add(std::string_view(first, static_cast<size_t>(digits + sizeof digits - first)));
}

TextWriter& TextWriter::add_signed(int64_t value) {
  if (value >= 0) return add_unsigned(static_cast<uint64_t>(value));
  add('-');
  return add_unsigned(~static_cast<uint64_t>(value) + 1);  // also right for INT64_MIN
}

TextWriter& TextWriter::add_grouped(uint64_t value) {
  char digits[26];
  char* first = digits + sizeof digits;
  for (int count = 0; count == 0 || value != 0; ++count, value /= 10) {
    if (count != 0 && count % 3 == 0) *--first = ',';
    *--first = static_cast<char>('0' + value % 10);
  }
  return add(std::string_view(first, static_cast<size_t>(digits + sizeof digits - first)));
}

TextWriter& TextWriter::add_fixed(double value, int decimals) {
  static constexpr double kScale[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  decimals = decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
  const double scaled = value * kScale[decimals];
  if (!(fabs(scaled) < 9e18)) return add('-');  // not a number fails every comparison
  const uint64_t rounded = static_cast<uint64_t>(fabs(scaled) + 0.5);
  const uint64_t scale = static_cast<uint64_t>(kScale[decimals]);
  if (value < 0 && rounded != 0) add('-');
  add_unsigned(rounded / scale);
  if (decimals == 0) return *this;
  char digits[7];
  digits[0] = '.';
  uint64_t fraction = rounded % scale;
  for (int i = decimals; i > 0; --i, fraction /= 10) digits[i] = static_cast<char>('0' + fraction % 10);
  return add(std::string_view(digits, static_cast<size_t>(decimals) + 1));
}

TextWriter& TextWriter::add_time(int64_t ns) {
  const double magnitude = fabs(static_cast<double>(ns));
  const double value = static_cast<double>(ns);
  // The limits are where rounding would show the next unit's 1000.
  if (magnitude < 999.5) return add_signed(ns).add(" ns");
  if (magnitude < 999950) return add_fixed(value * 1e-3, 1).add(" us");
  if (magnitude < 999.995e6) return add_fixed(value * 1e-6, 2).add(" ms");
  return add_fixed(value * 1e-9, 2).add(" s");
}

TextWriter& TextWriter::add_ms(int64_t ns) {
  return add_fixed(static_cast<double>(ns) * 1e-6, 2);
}

TextWriter& TextWriter::add_bytes(uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes < 1024) return add_unsigned(bytes).add(" B");
  if (value < 1023.95 * 1024) return add_fixed(value / 1024, 1).add(" KiB");
  if (value < 1023.95 * 1048576) return add_fixed(value / 1048576, 1).add(" MiB");
  return add_fixed(value / 1073741824, 2).add(" GiB");
}

TextWriter& TextWriter::add_percent(double share) {
  return add_fixed(share * 100, 1).add('%');
}

}  // namespace flamelet::ui

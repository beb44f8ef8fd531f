// SPDX-License-Identifier: MIT
#include "draw/text.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <algorithm>

#include "flamelet/detail/text.h"

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

constexpr uint32_t kLeastCharacters = 2;  // in front of an ellipsis; a single letter says nothing

struct Character {
  uint32_t bytes;  // 0: a control character
  float width;
};

Character next_character(const FontMetrics& font, std::string_view text, size_t at) {
  const unsigned char lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x20 || lead == 0x7F) return {0, 0};
  if (lead < 0x80) return {1, font.advance[lead]};
  // A sequence that is cut short or malformed counts as one byte: ImGui draws its replacement for it.
  uint32_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  for (uint32_t i = 1; i < bytes; ++i)
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) bytes = 1;
  const char* begin = text.data() + at;
  return {bytes, font.measure != nullptr ? font.measure(font.user, begin, begin + bytes) : font.of('?')};
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
  if (magnitude < 59.995e9) return add_fixed(value * 1e-9, 2).add(" s");
  return add_long_time(ns);
}

// The limits are those of above.
TextWriter& TextWriter::add_time(int64_t ns, int64_t apart_ns) {
  const double magnitude = fabs(static_cast<double>(ns));
  const bool is_us = magnitude < 999950, is_ms = magnitude < 999.995e6;
  if (magnitude < 999.5 || magnitude >= 59.995e9) return add_time(ns);
  int decimals = is_us ? 1 : 2;
  const int most = is_us ? 3 : 6;
  double last_ns = is_us ? 100 : is_ms ? 1e4 : 1e7;
  for (; last_ns > static_cast<double>(apart_ns) && decimals < most; last_ns *= 0.1) ++decimals;
  return add_fixed(static_cast<double>(ns) * (is_us   ? 1e-3
                                              : is_ms ? 1e-6
                                                      : 1e-9),
                   decimals)
      .add(is_us   ? " us"
           : is_ms ? " ms"
                   : " s");
}

// Beyond a minute, in the two units that matter: "59 d 1 h", "1 h 25 min", "2 min 5 s".
TextWriter& TextWriter::add_long_time(int64_t ns) {
  constexpr struct {
    uint64_t seconds;
    const char* name;
  } kTimeUnits[] = {{86400, " d "}, {3600, " h "}, {60, " min "}, {1, " s"}};
  const uint64_t magnitude = ns < 0 ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  const uint64_t exact = (magnitude + 500000000) / 1000000000;
  uint32_t unit = 0;
  while (unit < 2 && exact < kTimeUnits[unit].seconds) ++unit;
  const uint64_t least = kTimeUnits[unit + 1].seconds;
  const uint64_t seconds = (exact + least / 2) / least * least;
  if (unit != 0 && seconds >= kTimeUnits[unit - 1].seconds) --unit;
  if (ns < 0) add('-');
  add_unsigned(seconds / kTimeUnits[unit].seconds).add(kTimeUnits[unit].name);
  add_unsigned(seconds % kTimeUnits[unit].seconds / kTimeUnits[unit + 1].seconds);
  std::string_view last = kTimeUnits[unit + 1].name;
  return add(last.substr(0, last.find_last_not_of(' ') + 1));
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

TextWriter& TextWriter::add_line(uint32_t line) {
  return line == 0 ? *this : add(':').add_unsigned(line);
}

TextWriter& TextWriter::add_percent(double share) {
  return add_fixed(share * 100, 1).add('%');
}

TextFit fit_text(const FontMetrics& font, std::string_view text, float max_width) {
  float width = 0;
  TextFit with_ellipsis;  // the longest that leaves room for the ellipsis
  uint32_t characters = 0;
  size_t at = 0;
  for (; at < text.size(); ++characters) {
    if (characters >= kLeastCharacters && width + font.ellipsis_width <= max_width)
      with_ellipsis = {static_cast<uint32_t>(at), true, width + font.ellipsis_width};
    const Character next = next_character(font, text, at);
    if (next.bytes == 0 || width + next.width > max_width) return with_ellipsis;
    width += next.width;
    at += next.bytes;
  }
  return {static_cast<uint32_t>(at), false, width};
}

size_t fit_words(const FontMetrics& font, std::string_view text, float max_width) {
  float width = 0;
  size_t last_break = 0;
  bool after_word = false;
  for (size_t at = 0; at < text.size();) {
    const Character next = next_character(font, text, at);
    width += next.width;
    if (text[at] != ' ' && width > max_width && last_break != 0) return last_break;
    if (text[at] == ' ' && after_word) last_break = at;
    after_word = text[at] != ' ';
    at += next.bytes != 0 ? next.bytes : 1;
  }
  return text.size();
}

float text_width(const FontMetrics& font, std::string_view text) {
  return fit_text(font, text, FLT_MAX).width;
}

void JsonObject::key(std::string_view name) {
  if (!first_) text_->add(',');
  text_->add(first_ && between_ == " " ? std::string_view() : between_).add('"').add(name).add("\": ");
  first_ = false;
}

void JsonObject::add(std::string_view name, std::string_view value) {
  key(name);
  text_->add('"');
  add_json_text(value, [this](std::string_view part) { text_->add(part); });
  text_->add('"');
}

void JsonObject::add(std::string_view name, int64_t value) {
  key(name);
  text_->add_signed(value);
}

void JsonObject::add(std::string_view name, uint64_t value) {
  key(name);
  text_->add_unsigned(value);
}

void JsonObject::add(std::string_view name, bool value) {
  key(name);
  text_->add(value ? "true" : "false");
}

void JsonObject::add_number(std::string_view name, double value) {
  if (!isfinite(value)) return add_null(name);
  key(name);
  constexpr double kFixed = 9e15,
                   kWhole = 9e18;  // add_fixed() has room for the one with decimals, int64_t for the other
  if (fabs(value) >= kFixed)
    text_->add_signed(static_cast<int64_t>(std::min(std::max(value, -kWhole), kWhole)));
  else
    text_->add_fixed(value, 3);
}

void JsonObject::add_null(std::string_view name) {
  key(name);
  text_->add("null");
}

JsonList JsonObject::add_list(std::string_view name) {
  key(name);
  return JsonList(text_);
}

JsonObject JsonList::add_object() {
  text_->add(first_ ? "\n    " : ",\n    ");
  first_ = false;
  return JsonObject(text_, " ");
}

}  // namespace flamelet::ui

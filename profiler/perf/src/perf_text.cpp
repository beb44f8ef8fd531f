// SPDX-License-Identifier: MIT
#include "perf_text.h"

#include <math.h>
#include <string.h>

namespace flamelet {

namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

bool needs_quotes(flamelet_string name) {
  if (name.size == 0 || name.text[0] == ' ' || name.text[name.size - 1] == ' ') return true;
  for (size_t i = 0; i < name.size; ++i) {
    const char c = name.text[i];
    if (c == ',' || c == '"' || c == '\\' || is_control(c)) return true;
  }
  return false;
}

// Digits from the end of `digits`; returns where they begin.
char* spell(uint64_t number, char* end) {
  do *--end = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  return end;
}

}  // namespace

void TextBuffer::attach(char* bytes, size_t capacity, flamelet_sink sink) {
  bytes_ = bytes;
  capacity_ = capacity;
  sink_ = sink;
  reset();
}

void TextBuffer::reset() {
  count_ = 0;
  ok_ = true;
}

bool TextBuffer::flush() {
  if (ok_ && count_ != 0) ok_ = sink_.write(sink_.user, bytes_, count_);
  count_ = 0;
  return ok_;
}

void TextBuffer::put(const char* text) {
  while (*text != '\0') put(*text++);
}

void TextBuffer::put_number(int64_t number) {
  char digits[24];
  char* const end = digits + sizeof(digits) - 1;
  *end = '\0';
  if (number < 0) put('-');
  put(spell(number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number), end));
}

void TextBuffer::put_name(flamelet_string name) {
  if (!needs_quotes(name)) {
    for (size_t i = 0; i < name.size; ++i) put(name.text[i]);
  } else {
    put_quoted(name);
  }
}

void TextBuffer::put_quoted(flamelet_string name) {
  static const char kHex[] = "0123456789abcdef";
  put('"');
  for (size_t i = 0; i < name.size; ++i) {
    const char c = name.text[i];
    if (c == '"' || c == '\\') {
      put('\\');
      put(c);
    } else if (c == '\n') {
      put("\\n");
    } else if (c == '\r') {
      put("\\r");
    } else if (c == '\t') {
      put("\\t");
    } else if (is_control(c)) {
      put("\\x");
      put(kHex[static_cast<unsigned char>(c) >> 4]);
      put(kHex[c & 15]);
    } else {
      put(c);
    }
  }
  put('"');
}

void TextBuffer::put_right(const char* text, size_t width) {
  for (size_t size = strlen(text); size < width; ++size) put(' ');
  put(text);
}

void TextBuffer::put_count(uint64_t number, size_t width) {
  char digits[24];
  char* const end = digits + sizeof(digits) - 1;
  *end = '\0';
  put_right(spell(number, end), width);
}

void TextBuffer::put_duration(double ns, size_t width) {
  struct Unit {
    double ns;
    double limit_ns;  // from there on it has too many digits
    const char* name;
  };
  static constexpr Unit kUnits[] = {
      {1, 999.5, " ns"}, {1e3, 999.95e3, " us"}, {1e6, 999.95e6, " ms"}, {1e9, INFINITY, " s "}};
  // Neither negative nor above INT64_MAX: a duration. (The comparison takes care of a NaN, too.)
  const double size = ns >= 0 && ns <= 9.2e18 ? ns : 0;
  const Unit* unit = kUnits;
  while (size >= unit->limit_ns) ++unit;
  const double number = size / unit->ns;
  const int decimals = unit == kUnits ? 0 : number < 9.9995 ? 3 : number < 99.995 ? 2 : 1;
  double scaled = number;
  for (int i = 0; i < decimals; ++i) scaled *= 10;

  char text[40];
  char* at = text + sizeof(text) - 1;
  *at = '\0';
  at -= strlen(unit->name);
  memcpy(at, unit->name, strlen(unit->name));
  uint64_t rest = static_cast<uint64_t>(scaled + 0.5);
  for (int i = 0; i < decimals; ++i, rest /= 10) *--at = static_cast<char>('0' + rest % 10);
  if (decimals != 0) *--at = '.';
  put_right(spell(rest, at), width);
}

void TextBuffer::put_left(flamelet_string text, size_t width) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const char c = text.text[i];
    const bool continues = (c & 0xC0) == 0x80;
    if (!continues && ++characters > width) return;
    put(is_control(c) ? '?' : c);
  }
  for (; characters < width; ++characters) put(' ');
}

// ---- perf statistics

void PerfStatistics::add(uint32_t name, uint32_t depth, int64_t duration_ns) {
  Row& row = rows_[name];
  if (row.stamp != frame_) {
    row.stamp = frame_;
    row.frame_ns = 0;
  }
  ++row.blocks;
  // Backwards, parents come before their children: the path to this block stands above it.
  path_[depth] = name;
  for (uint32_t above = 1; above < depth; ++above)
    if (path_[above] == name) return;
  row.frame_ns += duration_ns;
}

void PerfStatistics::end(uint32_t name) {
  Row& row = rows_[name];
  if (row.stamp != frame_) return;
  row.stamp = 0;
  if (row.frames == 0) rows_[count_++].listed = name;
  const int64_t ns = row.frame_ns;
  row.last_ns = ns;
  if (row.frames == 0 || ns < row.min_ns) row.min_ns = ns;
  if (row.frames == 0 || ns > row.max_ns) row.max_ns = ns;
  ++row.frames;
  const double distance = static_cast<double>(ns) - row.mean_ns;
  row.mean_ns += distance / static_cast<double>(row.frames);
  row.squares += distance * (static_cast<double>(ns) - row.mean_ns);
}

double PerfStatistics::deviation_ns(uint32_t name) const {
  const Row& row = rows_[name];
  return row.frames < 2 ? 0 : sqrt(row.squares / static_cast<double>(row.frames - 1));
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "display_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "flamelet/detail/text.h"
#include "platform/number_text.h"

namespace flamelet::tools {
namespace {

struct CodeRange {
  uint32_t first, last;
};

template <size_t kCount>
bool is_in(const CodeRange (&ranges)[kCount], uint32_t code) {
  for (const CodeRange& range : ranges)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

// Columns of a terminal: Unicode's East Asian Width W and F take two (UAX #11), what stands on the character before none.
size_t columns_of(uint32_t code) {
  constexpr CodeRange kOnOthers[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
                                     {0x64B, 0x65F},   {0x93C, 0x93C},   {0x94D, 0x94D},   {0xE31, 0xE31},
                                     {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                                     {0x200C, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
  constexpr CodeRange kWide[] = {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},
                                 {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},
                                 {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
                                 {0xFFE0, 0xFFE6},   {0x17000, 0x18CFF}, {0x1B000, 0x1B2FB}, {0x1F300, 0x1F64F},
                                 {0x1F680, 0x1F6FC}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
  if (code < 0x300) return 1;
  return is_in(kOnOthers, code) ? 0 : is_in(kWide, code) ? 2 : 1;
}

// Steps over the character there and returns its columns.
size_t take_character(std::string_view text, size_t* at) {
  const std::string_view rest = text.substr(*at);
  const size_t length = utf8_sequence_bytes(rest);
  *at += length == 0 ? 1 : length;
  return length == 0 ? 1 : columns_of(utf8_code_point(rest.substr(0, length)));
}

std::string four_digits(double number) {
  const double size = std::fabs(number);
  return fixed(number, size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0);
}

// "<U+202E>", as less(1) shows it.
std::string escaped(uint32_t code) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string digits;
  for (; code != 0 || digits.size() < 4; code >>= 4) digits.insert(digits.begin(), kDigits[code & 15]);
  return "<U+" + digits + ">";
}

bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

// The characters of `text` as show(character, code point) says; U+FFFD for what is no text.
template <typename Show>
std::string characters_of(std::string_view text, const Show& show) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_sequence_bytes(text);
    const std::string_view character = text.substr(0, length);
    const uint32_t code = length == 0 ? 0 : utf8_code_point(character);
    const bool is_none = length == 0 || code == 0xFFFE || code == 0xFFFF;  // XML must not have them
    result += is_none ? std::string(kReplacement) : show(character, code);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string valid_utf8(std::string_view text) {
  return characters_of(text, [](std::string_view character, uint32_t) { return std::string(character); });
}

std::string printable(std::string_view text) {
  return characters_of(text, [](std::string_view character, uint32_t code) {
    return is_control(code) ? std::string(kReplacement) : is_invisible(code) ? escaped(code) : std::string(character);
  });
}

std::string printable_lines(std::string_view text) {
  std::string lines;
  for (;;) {
    const size_t end = text.find('\n');
    lines += printable(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string json_printable(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const size_t length = std::max<size_t>(utf8_sequence_bytes(json), 1);
    const std::string_view character = json.substr(0, length);
    const uint32_t code = utf8_code_point(character);
    // Those below U+0020 are escaped already; between values, they part lines.
    const bool is_escaped = is_invisible(code) || (is_control(code) && code >= 0x20);
    result += is_escaped ? JsonCharacter(code).view() : character;
    json.remove_prefix(length);
  }
  return result;
}

size_t column_count(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size();) count += take_character(text, &at);
  return count;
}

std::string cut_to(std::string_view text, size_t columns) {
  if (column_count(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  size_t at = 0, end = 0;
  for (size_t count = 0; count < columns; count += take_character(text, &at)) end = at;
  return std::string(text.substr(0, end)) + "…";
}

std::string cut_front_to(std::string_view text, size_t columns) {
  size_t count = column_count(text);
  if (count <= columns) return std::string(text);
  if (columns == 0) return "";
  size_t at = 0;
  while (count > columns - 1) count -= take_character(text, &at);
  while (at < text.size()) {  // accents of what is left out
    size_t behind = at;
    if (take_character(text, &behind) != 0) break;
    at = behind;
  }
  return "…" + std::string(text.substr(at));
}

std::string wrapped(std::string_view text, size_t columns) {
  std::string result;
  size_t used = 0;  // of a line that can go on
  const auto add_words = [&](std::string_view line, size_t indent) {
    while (!line.empty()) {
      const std::string_view word = line.substr(0, line.find(' '));
      line.remove_prefix(std::min(word.size() + 1, line.size()));
      if (word.empty()) continue;
      const size_t size = column_count(word);
      const bool fits = used + 1 + size <= columns;
      if (used != 0) result += fits ? " " : "\n" + std::string(indent, ' ');
      used = used == 0 ? size : (fits ? used + 1 : indent) + size;
      result += word;
    }
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && line[0] != ' ') {
      add_words(line, 0);
      continue;
    }
    if (used != 0) result += '\n';
    used = 0;
    if (column_count(line) <= columns) {
      result += line;
    } else {  // its first word stays where it is
      const size_t indent = std::min(line.find_first_not_of(' '), line.size());
      const size_t first = std::min(line.find(' ', indent), line.size());
      result += line.substr(0, first);
      used = column_count(line.substr(0, first));
      add_words(line.substr(first), indent + 2);
      used = 0;
    }
    result += '\n';
  }
  if (used == 0 && !result.empty()) result.pop_back();
  return result;
}

std::string left(std::string_view text, size_t columns) {
  std::string result = cut_to(text, columns);
  result.append(columns - column_count(result), ' ');
  return result;
}

std::string right(std::string_view text, size_t columns) {
  const std::string result = cut_to(text, columns);
  return std::string(columns - column_count(result), ' ') + result;
}

std::string percent(double share, bool has_sign) {
  return (has_sign && share >= 0 ? "+" : "") + fixed(share * 100, 1) + " %";
}

std::string times_text(double ratio) {
  return fixed(ratio, ratio < 100 ? 1 : 0);
}

std::string ratio_text(double ratio, bool has_sign) {
  return ratio < kManyTimes ? percent(ratio - 1, has_sign) : times_text(ratio) + " times";
}

std::string counted(uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void append(std::string* text, uint64_t count, const char* one, const char* many) {
  if (count != 0) *text += (text->empty() ? "" : ", ") + counted(count, one, many);
}

std::string fixed(double number, int decimals) {
  if (!std::isfinite(number)) return "-";
  char digits[400];  // of the largest double there are 309 before the point
  char* const end = write_fixed(digits, digits + sizeof(digits), number, decimals);
  return end != nullptr ? std::string(digits, static_cast<size_t>(end - digits)) : "-";
}

std::string counter_text(double value) {
  const double size = std::fabs(value);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (size == 0) return "0";  // also -0
  if (size >= 1e15 || size < 0.1) {
    char digits[32];
    return {digits, static_cast<size_t>(write_general(digits, digits + sizeof digits, value, 4) - digits)};
  }
  const bool is_whole = size >= 1000 || size == std::floor(size);
  return fixed(value, is_whole ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

TimeUnit unit_for(double ns) {
  if (ns >= 86400e9) return {"d", 86400e9};
  if (ns >= 3600e9) return {"h", 3600e9};
  if (ns >= 60e9) return {"min", 60e9};
  if (ns >= 1e10) return {"s", 1e9};
  if (ns >= 1e6) return {"ms", 1e6};
  if (ns >= 1e3) return {"us", 1e3};
  return {"ns", 1};
}

namespace {

// Beyond a minute, in the two units that matter: "59 d 1 h", "1 h 25 min", "2 min 5 s".
std::string long_duration_text(double ns) {
  constexpr struct {
    double seconds;
    const char* name;
  } kUnits[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  size_t unit = 0;
  double seconds = std::fabs(ns) / 1e9;
  while (unit < 2 && seconds < kUnits[unit].seconds) ++unit;
  const double least = kUnits[unit + 1].seconds;
  seconds = std::round(seconds / least) * least;
  if (unit != 0 && seconds >= kUnits[unit - 1].seconds) --unit;
  const double whole = std::floor(seconds / kUnits[unit].seconds);
  const double rest = std::floor((seconds - whole * kUnits[unit].seconds) / kUnits[unit + 1].seconds);
  return (ns < 0 ? "-" : "") + fixed(whole, 0) + " " + kUnits[unit].name + " " + fixed(rest, 0) + " " +
         kUnits[unit + 1].name;
}

bool is_long(double ns) {
  return std::fabs(ns) >= 60e9 && std::isfinite(ns);
}

}  // namespace

std::string short_duration_text(double ns) {
  const double size = std::fabs(ns);
  if (is_long(ns)) return long_duration_text(ns);
  if (size < 999.5) return fixed(std::round(ns), 0) + " ns";
  if (size < 999.95e3) return four_digits(ns / 1e3) + " us";
  if (size < 999.95e6) return four_digits(ns / 1e6) + " ms";
  return four_digits(ns / 1e9) + " s ";
}

std::string short_count_text(double count) {
  const double size = std::fabs(count);
  if (size < 9999.5) return fixed(count, 0) + "  ";
  if (size < 999.95e3) return four_digits(count / 1e3) + " k";
  if (size < 999.95e6) return four_digits(count / 1e6) + " M";
  if (size < 999.95e9) return four_digits(count / 1e9) + " G";
  return four_digits(count / 1e12) + " T";
}

std::string duration_text(double ns) {
  if (is_long(ns)) return long_duration_text(ns);
  const TimeUnit unit = unit_for(std::fabs(ns));
  return (unit.ns == 1 ? fixed(std::round(ns), 0) : fixed(ns / unit.ns, 3)) + " " + unit.name;
}

}  // namespace flamelet::tools

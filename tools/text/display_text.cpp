// SPDX-License-Identifier: MIT
#include "display_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "flamelet/detail/text.h"
#include "platform/number_text.h"

namespace flamelet::tools {
namespace {

bool is_continuation(char c) {
  return (c & 0xC0) == 0x80;
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

// The characters of `text` as show(character, code point) says; U+FFFD for controls and for what is no text.
template <typename Show>
std::string characters_of(std::string_view text, const Show& show) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_sequence_bytes(text);
    const std::string_view character = text.substr(0, length);
    const uint32_t code = length == 0 ? 0 : utf8_code_point(character);
    const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool is_none = code == 0xFFFE || code == 0xFFFF;  // XML must not have them
    result += is_control || is_none ? std::string(kReplacement) : show(character, code);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace

std::string without_controls(std::string_view text) {
  return characters_of(text, [](std::string_view character, uint32_t) { return std::string(character); });
}

std::string printable(std::string_view text) {
  return characters_of(text, [](std::string_view character, uint32_t code) {
    return is_invisible(code) ? escaped(code) : std::string(character);
  });
}

std::string json_printable(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const size_t length = std::max<size_t>(utf8_sequence_bytes(json), 1);
    const std::string_view character = json.substr(0, length);
    const uint32_t code = utf8_code_point(character);
    result += is_invisible(code) ? JsonCharacter(code).view() : character;
    json.remove_prefix(length);
  }
  return result;
}

size_t character_count(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += !is_continuation(c);
  return count;
}

std::string cut_to(std::string_view text, size_t characters) {
  if (character_count(text) <= characters) return std::string(text);
  if (characters == 0) return "";
  size_t at = 0;
  for (size_t count = 0; at < text.size(); ++at)
    if (!is_continuation(text[at]) && ++count == characters) break;
  return std::string(text.substr(0, at)) + "…";
}

std::string cut_front_to(std::string_view text, size_t characters) {
  const size_t count = character_count(text);
  if (count <= characters) return std::string(text);
  if (characters == 0) return "";
  size_t at = 0;
  for (size_t left_out = 0; at < text.size(); ++at)
    if (!is_continuation(text[at]) && ++left_out > count - characters + 1) break;
  return "…" + std::string(text.substr(at));
}

std::string left(std::string_view text, size_t characters) {
  std::string result = cut_to(text, characters);
  result.append(characters - character_count(result), ' ');
  return result;
}

std::string right(std::string_view text, size_t characters) {
  const std::string result = cut_to(text, characters);
  return std::string(characters - character_count(result), ' ') + result;
}

std::string fixed(double number, int decimals) {
  if (!std::isfinite(number)) return "-";
  char digits[400];  // of the largest double there are 309 before the point
  char* const end = write_fixed(digits, digits + sizeof(digits), number, decimals);
  return end != nullptr ? std::string(digits, static_cast<size_t>(end - digits)) : "-";
}

TimeUnit unit_for(double ns) {
  if (ns >= 1e10) return {"s", 1e9};
  if (ns >= 1e5) return {"ms", 1e6};
  if (ns >= 1e3) return {"µs", 1e3};
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
  if (size < 999.5) return fixed(ns, 0) + " ns";
  if (size < 999.95e3) return four_digits(ns / 1e3) + " µs";
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
  const TimeUnit unit = unit_for(ns);
  return fixed(ns / unit.ns, unit.ns == 1 ? 0 : 3) + " " + unit.name;
}

}  // namespace flamelet::tools

// SPDX-License-Identifier: MIT
//
// decimal.h: numbers as they are written, in integers: a double would lose nanoseconds of a time since 1970.
#ifndef FLAMELET_IMPORT_SRC_DECIMAL_H
#define FLAMELET_IMPORT_SRC_DECIMAL_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace flamelet::formats {

// text * 10^shift, rounded to the nearest integer, halves away from 0; beyond what an int64_t holds, its largest or
// smallest value. False if the text is no number of JSON's form (a sign + and leading zeros are forgiven).
inline bool parse_decimal(std::string_view text, int shift, int64_t* value) {
  size_t at = 0;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  uint64_t digits = 0;
  int64_t exponent = shift;
  bool any = false, fraction = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (digits <= (UINT64_MAX - 9) / 10) {
      digits = digits * 10 + static_cast<uint64_t>(c - '0');
      exponent -= fraction;
    } else {
      exponent += !fraction;  // further digits are below what an int64_t can tell
    }
  }
  if (!any) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool down = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (at == text.size()) return false;
    int64_t power = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      if (power < 1000000) power = power * 10 + (text[at] - '0');
    exponent += down ? -power : power;
  }
  if (at != text.size()) return false;

  constexpr uint64_t kMost = INT64_MAX;
  for (; exponent > 0 && digits != 0; --exponent) {
    if (digits > kMost / 10) {
      digits = kMost;
      break;
    }
    digits *= 10;
  }
  if (exponent < 0) {
    uint64_t divisor = 1;
    for (; exponent < 0 && divisor <= UINT64_MAX / 10; ++exponent) divisor *= 10;
    if (exponent < 0) digits = 0;  // less than a half, whatever the digits
    const uint64_t rest = digits % divisor;
    digits = digits / divisor + (rest >= divisor - rest);
  }
  if (digits > kMost) digits = kMost;
  *value = negative ? -static_cast<int64_t>(digits) : static_cast<int64_t>(digits);
  return true;
}

// A number of JSON's form as it is written without an exponent and needless zeros: 1.0, 1e0 and 10e-1 are "1". So equal numbers
// are equal texts. What is no such number stays, and one of very many zeros has an exponent.
inline std::string plain_number(std::string_view text) {
  constexpr int64_t kMostZeros = 32;
  std::string digits;
  int64_t exponent = 0, power = 0;
  size_t at = text.substr(0, 1) == "-";
  for (bool fraction = false; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9') break;
    digits += text[at];
    exponent -= fraction;
  }
  if (digits.empty()) return std::string(text);
  if (at < text.size() && ((text[at] | 0x20) != 'e' || !parse_decimal(text.substr(at + 1), 0, &power)))
    return std::string(text);
  exponent += std::clamp<int64_t>(power, INT32_MIN, INT32_MAX);
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";
  const size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
  digits.resize(digits.size() - zeros);
  exponent += static_cast<int64_t>(zeros);
  const std::string sign = text[0] == '-' ? "-" : "";
  if (exponent >= 0 && exponent <= kMostZeros) return sign + digits.append(static_cast<size_t>(exponent), '0');
  if (exponent > 0 || exponent < -kMostZeros) return sign + digits + 'e' + std::to_string(exponent);
  const auto places = static_cast<size_t>(-exponent);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  return sign + digits.insert(digits.size() - places, ".");
}

// Reads a number that should be a count or an id; 0 if it is none.
inline uint64_t parse_count(std::string_view text) {
  int64_t value;
  return parse_decimal(text, 0, &value) && value > 0 ? static_cast<uint64_t>(value) : 0;
}
inline uint32_t parse_id(std::string_view text) {
  const uint64_t value = parse_count(text);
  return value <= UINT32_MAX ? static_cast<uint32_t>(value) : 0;
}

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_DECIMAL_H

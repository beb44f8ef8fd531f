// SPDX-License-Identifier: MIT
#include "platform/number_text.h"

#include <charconv>
#include <limits>
#include <string_view>

namespace flamelet {

char* write_double(char* at, char* end, double value) {
  const auto answer = std::to_chars(at, end, value);
  return answer.ec == std::errc() ? answer.ptr : nullptr;
}

char* write_fixed(char* at, char* end, double value, int decimals) {
  const auto answer = std::to_chars(at, end, value, std::chars_format::fixed, decimals);
  return answer.ec == std::errc() ? answer.ptr : nullptr;
}

char* write_general(char* at, char* end, double value, int digits) {
  const auto answer = std::to_chars(at, end, value, std::chars_format::general, digits);
  return answer.ec == std::errc() ? answer.ptr : nullptr;
}

bool read_double(const char* begin, size_t size, double* value) {
  const std::string_view text(begin, size);
  double number = 0;
  const auto answer = std::from_chars(begin, begin + size, number);
  if (answer.ptr != begin + size || answer.ec == std::errc::invalid_argument) return false;
  // As strtod() has it; from_chars() gives nothing.
  if (answer.ec == std::errc::result_out_of_range) {
    const size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos ? text[exponent + 1] == '-' : text.find('.') <= 2;
    number = tiny ? 0 : std::numeric_limits<double>::infinity();
    if (text[0] == '-') number = -number;
  }
  *value = number;
  return true;
}

}  // namespace flamelet

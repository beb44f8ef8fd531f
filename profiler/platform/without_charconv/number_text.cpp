// SPDX-License-Identifier: MIT
//
// For a C++ library without numbers with a fraction in <charconv>. The locale is taken to be "C", as it is in a browser.
#include "platform/number_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace flamelet {
namespace {

constexpr size_t kLongest = 4096;  // a number of more characters is taken for none

// What snprintf() wrote; it needs room for its closing 0, too.
char* end_of(char* at, char* end, int size) {
  return size >= 0 && size < end - at ? at + size : nullptr;
}

}  // namespace

char* write_double(char* at, char* end, double value) {
  char* after = nullptr;
  for (int digits = 15; digits <= 17; ++digits) {
    after = end_of(at, end, snprintf(at, static_cast<size_t>(end - at), "%.*g", digits, value));
    if (after == nullptr || strtod(at, nullptr) == value) break;
  }
  return after;
}

char* write_fixed(char* at, char* end, double value, int decimals) {
  return end_of(at, end, snprintf(at, static_cast<size_t>(end - at), "%.*f", decimals, value));
}

bool read_double(const char* text, size_t size, double* value) {
  char copy[kLongest + 1];
  if (size == 0 || size > kLongest) return false;
  memcpy(copy, text, size);
  copy[size] = 0;
  // What strtod() takes besides: spaces, a plus, hexadecimal digits.
  if (copy[0] == '+' || strspn(copy, "0123456789+-.einftyaEINFTYA") != size) return false;
  char* end = nullptr;
  const double number = strtod(copy, &end);
  if (end != copy + size) return false;
  *value = number;
  return true;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// For a C++ library without numbers with a fraction in <charconv>: by printf() and strtod(), whose point is the locale's.
#include "platform/number_text.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace flamelet {
namespace {

constexpr size_t kLongest = 4096;  // a number of more characters is taken for none
constexpr size_t kLongestPoint = 16;

// The locale's point becomes ".". Returns the text's new end; NULL stays NULL.
char* with_point(char* at, char* end) {
  const char* const point = localeconv()->decimal_point;
  const size_t size = strlen(point);
  char* const found = end == nullptr || size == 0 ? nullptr : strstr(at, point);
  if (found == nullptr) return end;
  *found = '.';
  memmove(found + 1, found + size, static_cast<size_t>(end - (found + size)));
  return end - (size - 1);
}

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
  return with_point(at, after);
}

char* write_fixed(char* at, char* end, double value, int decimals) {
  return with_point(at, end_of(at, end, snprintf(at, static_cast<size_t>(end - at), "%.*f", decimals, value)));
}

char* write_general(char* at, char* end, double value, int digits) {
  return with_point(at, end_of(at, end, snprintf(at, static_cast<size_t>(end - at), "%.*g", digits, value)));
}

bool read_double(const char* text, size_t size, double* value) {
  char copy[kLongest + kLongestPoint + 1];
  const char* const point = localeconv()->decimal_point;
  const size_t point_size = strlen(point);
  if (size == 0 || size > kLongest || point_size == 0 || point_size > kLongestPoint) return false;
  memcpy(copy, text, size);
  copy[size] = 0;
  // What strtod() takes besides: spaces, a plus, hexadecimal digits.
  if (copy[0] == '+' || strspn(copy, "0123456789+-.einftyaEINFTYA") != size) return false;
  if (char* const found = strchr(copy, '.')) {
    const char* const rest = text + (found - copy) + 1;
    memcpy(found, point, point_size);
    memcpy(found + point_size, rest, static_cast<size_t>(text + size - rest));
    size += point_size - 1;
    copy[size] = 0;
  }
  char* end = nullptr;
  const double number = strtod(copy, &end);
  if (end != copy + size) return false;
  *value = number;
  return true;
}

}  // namespace flamelet

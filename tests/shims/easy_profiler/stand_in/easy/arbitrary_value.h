// SPDX-License-Identifier: MIT
//
// The stand-in for easy/arbitrary_value.h.
#pragma once
#include <sstream>
#include <string>

#include "profiler.h"

template <class Number>
void count_array(const char* name, const Number* values, size_t count) {
  std::ostringstream text;
  for (size_t i = 0; i < count; ++i) text << (i == 0 ? "" : ", ") << values[i];
  counting_tag(name, text.str().c_str());
}
template <class Number, class... Options>
void count_value(const char* name, Number value, Options... options) {
  if (all_on(options...)) counting_plot(name, static_cast<double>(value));
}
template <class Number, size_t count, class... Options>
void count_value(const char* name, const Number (&values)[count], Options...) {
  count_array(name, values, count);
}
inline void count_text(const char* name, const std::string& text) {
  counting_tag(name, text.c_str());
}

#define EASY_VIN(m) 0
#define EASY_UNIQUE_VIN 0
#define EASY_GLOBAL_VIN 0
#define STAND_IN_TWO(call, a, b, ...) call(a, b);
#define EASY_VALUE(...) count_value(__VA_ARGS__);
#define STAND_IN_ARRAY(n, v, s, ...) count_array(n, v, s);
#define EASY_ARRAY(...) STAND_IN_ARRAY(__VA_ARGS__, 0)
#define EASY_TEXT(...) STAND_IN_TWO(count_text, __VA_ARGS__, 0)
// Up to the size, or to the zero that it counts.
#define STAND_IN_STRING(n, t, s, ...) count_text(n, std::string(t, s).c_str());
#define EASY_STRING(...) STAND_IN_STRING(__VA_ARGS__, 0)

// SPDX-License-Identifier: MIT
#include "content/filter.h"

#include <string.h>

#include <algorithm>

namespace flamelet::ui {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool matches(std::string_view name, std::string_view pattern) {
  const char* found = std::search(name.data(), name.data() + name.size(), pattern.data(),
                                  pattern.data() + pattern.size(), [](char a, char b) { return lower(a) == lower(b); });
  return pattern.empty() || found != name.data() + name.size();
}

void Filter::set(std::string_view wanted) {
  const size_t size = std::min(wanted.size(), sizeof text - 1);
  if (size != 0) memmove(text, wanted.data(), size);  // no text has no address
  text[size] = 0;
  stale = true;
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
//
// default_name.h: what a lane without a name is called: "thread 3".
#ifndef FLAMELET_SRC_DEFAULT_NAME_H
#define FLAMELET_SRC_DEFAULT_NAME_H

#include <stddef.h>
#include <stdint.h>

namespace flamelet {

constexpr size_t kDefaultNameBytes = 24;

// By the number of a flamelet_lane_kind. Without the locale that printf would bring in.
inline void write_default_name(char* text, uint32_t kind, uint32_t id) {
  static const char* const words[] = {"thread ", "GPU ", "external ", "fiber "};
  const char* word = words[kind];
  while (*word != 0) *text++ = *word++;
  char digits[10];
  uint32_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + id % 10);
    id /= 10;
  } while (id != 0);
  while (count != 0) *text++ = digits[--count];
  *text = 0;
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_DEFAULT_NAME_H

// SPDX-License-Identifier: MIT
#pragma once
#include "counting.h"
namespace tracy {
inline void SetThreadName(const char* name) {
  counting_thread(name);
}
inline void SetThreadNameWithHint(const char* name, int) {
  counting_thread(name);
}
}  // namespace tracy

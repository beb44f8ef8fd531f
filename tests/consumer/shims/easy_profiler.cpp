// SPDX-License-Identifier: MIT
#include <easy/profiler.h>

void run_easy_profiler() {
  EASY_FUNCTION(profiler::colors::Gold);
}

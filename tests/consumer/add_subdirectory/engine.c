// SPDX-License-Identifier: MIT
#include <flamelet/flamelet.h>

void engine_tick(void);

void engine_tick(void) {
  FLAMELET_BEGIN_FUNCTION();
  FLAMELET_END_FUNCTION();
}

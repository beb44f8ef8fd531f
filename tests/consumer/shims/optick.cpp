// SPDX-License-Identifier: MIT
#include <optick.h>

void run_optick() {
  OPTICK_EVENT();
}

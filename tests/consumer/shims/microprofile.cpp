// SPDX-License-Identifier: MIT
#include <microprofile.h>

void run_microprofile() {
  MICROPROFILE_SCOPEI("group", "microprofile", MP_GOLD1);
}

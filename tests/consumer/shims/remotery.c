/* SPDX-License-Identifier: MIT */
#include <Remotery.h>

void run_remotery(void);
void run_remotery(void) {
  rmt_BeginCPUSample(remotery, 0);
  rmt_EndCPUSample();
}

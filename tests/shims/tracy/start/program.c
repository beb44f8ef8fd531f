/* SPDX-License-Identifier: MIT */
/* program.c: a program of C alone. */
#include <stdio.h>
#include <tracy/TracyC.h>

int main(void) {
  TracyCZoneN(zone, "zone", 1);
  printf("connected %d, records %d\n", TracyCIsConnected, zone.active);
  TracyCZoneEnd(zone);
  return 0;
}

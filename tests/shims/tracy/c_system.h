/* SPDX-License-Identifier: MIT */
/* */
/* c_system.h: what a system does, of systems.c. */
static void UPDATE(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, NAME ": first", 1);
  TracyCZoneText(first, NAME, sizeof NAME - 1);
  TracyCZoneValue(first, 17 * NUMBER);
  TracyCAllocN(&space[0], 32 + 32 * NUMBER, NAME);
  TracyCZoneEnd(first);
  TracyCZoneNC(second, NAME ": second", 0x334455 + 0x111111 * NUMBER, frame % (1 + NUMBER % 3) == 0);
  TracyCZoneName(second, NAME " again", sizeof NAME + 5);
  TracyCAlloc(&space[1], 1 + NUMBER);
  if (frame == NUMBER) {
    TracyCMessageLC(NAME " was slow", 0x445566);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], NAME);
  TracyCPlot(NAME " load", frame * (1.25 + NUMBER));
  TracyCPlotI(NAME " count", frame * (3 + NUMBER));
  TracyCMessageL(NAME " done");
  TracyCZoneEnd(whole);
}

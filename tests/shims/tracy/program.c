/* SPDX-License-Identifier: MIT */
/* */
/* program.c: Tracy's macros for C, in C99. */
#include <stdlib.h>
#include <string.h>
#include <tracy/TracyC.h>

#include "program.h"

static void zones(int frame) {
  TracyCZone(plain, 1);
  TracyCZoneN(named, "c named", 1);
  TracyCZoneC(colored, 0x123456, 1);
  TracyCZoneNC(both, "c both", 0x654321, frame % 2);
  TracyCZoneText(named, "some text", 9);
  TracyCZoneTextF(named, "frame %d", frame);
  TracyCZoneName(named, "c renamed", 9);
  TracyCZoneNameF(named, "c renamed %d", frame);
  TracyCZoneValue(named, 99);
  TracyCZoneColor(named, 0xff);
  TracyCZoneText(both, "only every other frame", 22);
  TracyCZoneEnd(both);
  TracyCZoneEnd(colored);
  TracyCZoneEnd(named);
  TracyCZoneEnd(plain);
  TracyCZoneS(deep, 3, 1);
  TracyCZoneNS(deep_named, "c deep", 3, 1);
  TracyCZoneCS(deep_colored, 0x10, 3, 1);
  TracyCZoneNCS(deep_both, "c deep both", 0x20, 3, 1);
  TracyCZoneEnd(deep_both);
  TracyCZoneEnd(deep_colored);
  TracyCZoneEnd(deep_named);
  TracyCZoneEnd(deep);
}

#ifdef TRACY_ENABLE
static void places_of_the_run(void) {
  static const char* const names[] = {"Enemy.update", "Door.open", "Enemy.update"};
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t place = ___tracy_alloc_srcloc_name(10, "enemy.lua", 9, "lua", 3, names[i], strlen(names[i]), 0);
    const TracyCZoneCtx zone = ___tracy_emit_zone_begin_alloc(place, 1);
    const TracyCZoneCtx inner =
        ___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc(20, "door.lua", 8, "inner", 5, 0xff), i != 1);
    ___tracy_emit_zone_end(inner);
    ___tracy_emit_zone_end(zone);
  }
}
#else
static void places_of_the_run(void) {}
#endif

static void memory(int frame) {
  static char space[16];
  TracyCAlloc(&space[0], 100);
  TracyCAllocN(&space[0], 200, "c pool");
  TracyCAllocS(&space[1], 300, 2);
  TracyCAllocNS(&space[1], 400, 2, "c pool");
  TracyCSecureAlloc(&space[2], 500);
  TracyCFree(&space[0]);
  TracyCFreeN(&space[0], "c pool");
  TracyCFreeS(&space[1], 2);
  if (frame == 2) {
    TracyCMemoryDiscard("c pool");
  } else {
    TracyCFreeNS(&space[1], 2, "c pool");
  }
  TracyCSecureFree(&space[2]);
}

static void messages_and_plots(int frame) {
  TracyCMessage("from c, cut", 6);
  TracyCMessageL("from c");
  TracyCMessageC("from c in colour", 16, 0xabcdef);
  TracyCMessageLC("from c in red", 0xff0000);
  TracyCMessageS("from c, deep", 12, 4);
  TracyCMessageLS("from c, deep", 4);
  TracyCMessageCS("from c, all", 11, 0x11, 4);
  TracyCMessageLCS("from c, all", 0x11, 4);
  TracyCAppInfo("c part", 6);
  TracyCPlotConfig("c plot", TracyPlotFormatNumber, 0, 1, 0);
  TracyCPlot("c plot", 1.5 * frame);
  TracyCPlotF("c floats", 0.5f);
  TracyCPlotI("c integers", -frame);
}

static void locks(void) {
  TracyCLockCtx lock;
  TracyCSharedLockCtx shared;
  TracyCLockAnnounce(lock);
  TracyCLockCustomName(lock, "c lock", 6);
  TracyCLockBeforeLock(lock);
  TracyCLockAfterLock(lock);
  TracyCLockMark(lock);
  TracyCLockAfterUnlock(lock);
  TracyCLockAfterTryLock(lock, 0);
  TracyCLockAfterTryLock(lock, 1);
  TracyCLockAfterUnlock(lock);
  TracyCLockTerminate(lock);
  TracyCSharedLockAnnounce(shared);
  TracyCSharedLockCustomName(shared, "c shared", 8);
  TracyCSharedLockBeforeSharedLock(shared);
  TracyCSharedLockAfterSharedLock(shared);
  TracyCSharedLockAfterSharedUnlock(shared);
  TracyCSharedLockTerminate(shared);
}

static void fibers(void) {
  static const char* const name = "c fiber";
  TracyCFiberEnter(name);
  TracyCZoneN(inside, "in the c fiber", 1);
  TracyCZoneEnd(inside);
  TracyCFiberLeave;
}

void play_in_c(void) {
  TracyCSetThreadName("c thread");
  for (int frame = 0; frame < 4; ++frame) {
    TracyCFrameMarkStart("c frame");
    zones(frame);
    update_c_systems(frame);
    places_of_the_run();
    memory(frame);
    messages_and_plots(frame);
    locks();
    fibers();
    TracyCFrameMarkEnd("c frame");
    TracyCFrameImage(NULL, 0, 0, 0, 0);
    TracyCFrameMarkNamed("c set");
    TracyCFrameMark;
  }
  if (!TracyCIsConnected || !TracyCIsStarted) TracyCMessageL("not connected");
}

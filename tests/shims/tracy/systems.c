/* SPDX-License-Identifier: MIT */
/* */
/* systems.c: the systems of the game in program.c. What each does is in c_system.h. */
#include "systems.h"

#include <string.h>
#include <tracy/TracyC.h>

#include "program.h"

#define SYSTEM_BODY "tracy/c_system.h"
#include "each_system.h"

void update_c_systems(int frame) {
  FOR_EACH_SYSTEM(UPDATE_SYSTEM)
}

// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp. What each does is in system.h.
#include "systems.h"

#include <Remotery.h>

rmt_PropertyExtern(Game);

#define SYSTEM_BODY "remotery/system.h"
#include "each_system.h"

// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp. What each does is in system.h.
#include "systems.h"

#include <optick.h>

#define SYSTEM_BODY "optick/system.h"
#include "each_system.h"

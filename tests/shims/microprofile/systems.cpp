// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp. What each does is in system.h.
#include "systems.h"

#include <microprofile.h>

MICROPROFILE_DEFINE(physics_timer, "physics group", "physics: declared elsewhere", MP_RED);

#define SYSTEM_BODY "microprofile/system.h"
#include "each_system.h"

// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp. What each does is in system.h.
#include "systems.h"

#include <tracy/Tracy.hpp>

#include <cstdlib>

#define SYSTEM_BODY "tracy/system.h"
#include "each_system.h"

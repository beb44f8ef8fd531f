// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp. What each does is in system.h.
#include "systems.h"

#include <easy/arbitrary_value.h>
#include <easy/profiler.h>

#include <string>

#define SYSTEM_BODY "easy_profiler/system.h"
#include "each_system.h"

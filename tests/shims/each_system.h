/* SPDX-License-Identifier: MIT */
/* */
/* each_system.h: the file SYSTEM_BODY, once for each system of systems.h. Included last: these names are short. */
#define NAME SYSTEM_TEXT(SYSTEM) /* "input" */
#define NUMBER (0 + SYSTEM_JOIN(number_of_, SYSTEM))
#define UPDATE SYSTEM_JOIN(SYSTEM, _update) /* its function */

#define SYSTEM input
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM physics
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM animation
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM particles
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM audio
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM network
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM scripts
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM culling
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM shadows
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM terrain
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM water
#include SYSTEM_BODY
#undef SYSTEM
#define SYSTEM sky
#include SYSTEM_BODY
#undef SYSTEM

#undef NAME
#undef NUMBER
#undef UPDATE

/* SPDX-License-Identifier: MIT */
/* */
/* each_system.h: the file SYSTEM_BODY, once for each system of systems.h, and in C++ update_systems(). Included last: these
   names are short. */
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

#undef NAME
#undef NUMBER
#undef UPDATE

#ifdef __cplusplus
void update_systems(int frame) {
  FOR_EACH_SYSTEM(UPDATE_SYSTEM)
}
#endif

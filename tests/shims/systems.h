/* SPDX-License-Identifier: MIT */
/* */
/* systems.h: the systems of the game that the shims' programs play. each_system.h stamps the file SYSTEM_BODY once for each,
   where SYSTEM is its name. */
#pragma once

#define FOR_EACH_SYSTEM(X) X(input) X(physics) X(animation)

#define SYSTEM_NUMBER(name) number_of_##name,
enum { FOR_EACH_SYSTEM(SYSTEM_NUMBER) system_count };

#define SYSTEM_TEXT0(name) #name
#define SYSTEM_TEXT(name) SYSTEM_TEXT0(name)
#define SYSTEM_JOIN0(a, b) a##b
#define SYSTEM_JOIN(a, b) SYSTEM_JOIN0(a, b)

#define UPDATE_SYSTEM(name) name##_update(frame);

#ifdef __cplusplus
void update_systems(int frame);
#endif

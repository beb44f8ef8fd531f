/* SPDX-License-Identifier: MIT */
/* program.h: the parts of the program that is measured. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void play(void);
void play_in_c(void);
void update_c_systems(int frame);
#ifdef __cplusplus
}
#endif

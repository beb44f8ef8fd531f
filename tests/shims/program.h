/* SPDX-License-Identifier: MIT */
/* program.h: the parts of the program that is measured. */
#ifndef FLAMELET_TESTS_SHIMS_PROGRAM_H
#define FLAMELET_TESTS_SHIMS_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif
void play(void);
void play_in_c(void);
void update_c_systems(int frame);
#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: MIT
//
// recordings.h: what the viewers' tests record, the same each time. The recorder must run with clock() and with room for
// fibers; everything is recorded by the time that a function returns.
#ifndef FLAMELET_TESTS_VIEWERS_RECORDINGS_H
#define FLAMELET_TESTS_VIEWERS_RECORDINGS_H

#include <cstdint>

#include "flamelet/call_tree.h"

namespace recordings {

// The calling thread's time. Each thread has its own, so that threads that run one after the other overlap.
uint64_t clock(void*);
void restart_clock();

// Frames on a main thread, jobs on workers, a fiber that goes from one worker to another, a GPU queue, an external
// source, instants, counters, overlapping intervals, recursion, scopes of no length, without an end, and still open.
void known();

// Scopes whose names are hard on formats and on those who show them.
void names();

// A script's calls, with instructions as samples, tail calls and mutual recursion.
void call_tree(flamelet_call_tree* tree);

}  // namespace recordings

#endif  // FLAMELET_TESTS_VIEWERS_RECORDINGS_H

// SPDX-License-Identifier: MIT
//
// recordings.h: what the viewers' tests record, the same each time. The recorder must run on the clock of threads and with room for
// fibers; everything is recorded by the time that a function returns.
#pragma once

#include <cstdint>

#include "flamelet/call_tree.h"

namespace recordings {

// Frames on a main thread, jobs on workers, a fiber that goes from one worker to another, a GPU queue, an external
// source, instants, counters, overlapping intervals, recursion, scopes of no length, without an end, and still open.
void known();

// Scopes whose names are hard on formats and on those who show them.
void names();

// A script's calls, with instructions as samples, tail calls and mutual recursion.
void call_tree(flamelet_call_tree* tree);

}  // namespace recordings

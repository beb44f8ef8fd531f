// SPDX-License-Identifier: MIT
//
// flamelet/detail/fiber_local.h: what a fiber carries besides its open scopes. A library on top of the recorder that
// keeps something for each thread (flamelet::perf and flamelet::shim: what an end belongs to) asks for a slot. From then on
// flamelet_fiber_switch() swaps the thread's bytes together with the open scopes. Not part of the API.
#ifndef FLAMELET_DETAIL_FIBER_LOCAL_H
#define FLAMELET_DETAIL_FIBER_LOCAL_H

#include "flamelet/base.h"

// There are two slots. Each fiber has room for both, so they are no larger than what they were made for.
#define FLAMELET_SMALL_FIBER_LOCAL_BYTES_ 648u
#define FLAMELET_FIBER_LOCAL_BYTES_ 1456u

FLAMELET_EXTERN_C_BEGIN

// Gives the address of the calling thread's bytes.
typedef void* (*flamelet_fiber_local_)(void);

// Copies what is in use of `from` to `to`: the bytes behind it keep what they had. Called twice at each switch.
typedef void (*flamelet_fiber_local_copy_)(void* to, const void* from);

// Takes a slot for `bytes` bytes. All zeros must mean "nothing": fibers begin with that, and so do those that exist
// already. `copy` NULL: all bytes are copied. To be called once, when the caller's library is loaded; a recorder may run
// or not. Any thread. False: no slot of that size is left.
FLAMELET_API bool flamelet_fiber_local_add_(flamelet_fiber_local_ address, size_t bytes,
                                            flamelet_fiber_local_copy_ copy);

// Gives the slot back when the caller's library is unloaded; what fibers hold in it is forgotten. No thread may switch
// fibers meanwhile.
FLAMELET_API void flamelet_fiber_local_remove_(flamelet_fiber_local_ address);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_DETAIL_FIBER_LOCAL_H

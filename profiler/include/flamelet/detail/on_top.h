// SPDX-License-Identifier: MIT
//
// flamelet/detail/on_top.h: what a library on top of the recorder asks of it. Not part of the API.
#ifndef FLAMELET_DETAIL_ON_TOP_H
#define FLAMELET_DETAIL_ON_TOP_H

#include "flamelet/base.h"

// ---- Fiber local

// What a fiber carries besides its open scopes. A library that keeps something for each thread (flamelet::perf and
// flamelet::shim: what an end belongs to) asks for a slot. From then on flamelet_fiber_switch() swaps the thread's bytes
// together with the open scopes.

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

// ---- Session

// A number for each run of the recorder, from flamelet_init() to flamelet_shutdown(); 0 while none runs. What the library
// keeps of it, such as tracks and fibers, ends with that run. Any thread.
FLAMELET_API uint32_t flamelet_session_(void);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_DETAIL_ON_TOP_H

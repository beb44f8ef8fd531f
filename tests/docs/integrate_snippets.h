// SPDX-License-Identifier: MIT
//
// integrate_snippets.h: the C code of docs/integrate.md, as functions.
#pragma once

#include <flamelet/capture.h>

#ifdef __cplusplus
extern "C" {
#endif

// Blocks that the guide's own allocator has given and not got back.
extern int guide_blocks;

flamelet_result guide_start(void);
// How many spans the newest frame has, all lanes together.
size_t guide_read(void);
// What mix_audio() returned, or -1 if it did not do what it should.
int guide_mix(bool paused, int samples);
// How many begins were sent.
size_t guide_ship(void);
size_t guide_submit(flamelet_id cpu_scope, uint64_t gpu_begin, uint64_t gpu_end, uint64_t gpu_now);
// With a small budget.
flamelet_result guide_keep_ring(const char* ring_path, const char* crash_path);

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: MIT */
/* */
/* counting.h: what the stand-in's macros call. Knows nothing of Flamelet. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
int counting_begin(const char* name, int active); /* active */
void counting_end(int active);
void counting_zone(const char* kind, int active, const char* text, size_t size);
void counting_value(int active, uint64_t value);
void counting_frame(const char* name);
void counting_frame_end(const char* name);
void counting_plot(const char* name, double value);
void counting_message(const char* severity, uint32_t color, const char* text, size_t size);
void counting_app_info(const char* text, size_t size);
void counting_alloc(const void* address, size_t size, const char* pool);
void counting_free(const void* address, const char* pool);
void counting_discard(const char* pool);
void counting_mark(const char* lock);
void counting_fiber(const char* name); /* NULL: the thread's own stack */
void counting_thread(const char* name);
void counting_tag(const char* name, const char* value);
void counting_section(const char* name);
#ifdef __cplusplus
}
#endif

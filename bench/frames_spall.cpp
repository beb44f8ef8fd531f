// SPDX-License-Identifier: MIT
//
// frames_spall.cpp: Spall's manual tracing, as its examples use it: a buffer of the thread's own, written out when it is
// full. Here it goes to /dev/null. Those writes are in the times.
#include <spall.h>

#include "frames.h"
#include "limit.h"

namespace flamelet_bench {
namespace {

SpallProfile profile;
thread_local SpallBuffer buffer;
unsigned char buffer_bytes[1 << 20];

void flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    spall_buffer_begin(&profile, &buffer, "flat", 4, __builtin_ia32_rdtsc());
    spall_buffer_end(&profile, &buffer, __builtin_ia32_rdtsc());
    forget();
  }
}

}  // namespace

std::vector<Row> spall_rows() {
  if (!spall_init_file("/dev/null", 1, &profile)) return {};
  buffer.data = buffer_bytes;
  buffer.length = sizeof(buffer_bytes);
  if (!spall_buffer_init(&profile, &buffer)) return {};
  return {{"Spall, flat", flat, limit_flat}};
}

}  // namespace flamelet_bench

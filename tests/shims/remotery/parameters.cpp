// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <Remotery.h>

#if RMT_ENABLED
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) ()
#endif

void logged PARAMETERS(const char* text, const char* name, unsigned flags);
void logged PARAMETERS(const char* text, const char* name, unsigned flags) {
  rmt_LogText(text);
  rmt_SetCurrentThreadName(name);
  rmt_BeginCPUSample(sample, flags);
  rmt_EndCPUSample();
}

void hashed PARAMETERS(const char* name, rmtU32* hash);
void hashed PARAMETERS(const char* name, rmtU32* hash) {
  _rmt_BeginCPUSample(name, 0, hash);
  rmt_EndCPUSample();
}
rmtU32 hash_of(const char* text);
rmtU32 hash_of(const char* text) {
  return _rmt_HashString32(text, 3, 0);
}

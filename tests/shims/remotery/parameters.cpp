// SPDX-License-Identifier: MIT
//
// Parameters that only macros use: compiled with the macros off, too, none is unused.
#include <Remotery.h>

void logged(const char* text, const char* name, unsigned flags);
void logged(const char* text, const char* name, unsigned flags) {
  rmt_LogText(text);
  rmt_SetCurrentThreadName(name);
  rmt_BeginCPUSample(sample, flags);
  rmt_EndCPUSample();
}

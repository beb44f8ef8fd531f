// SPDX-License-Identifier: MIT
//
// Parameters that only macros use: compiled with the macros off, too, none is unused.
#include <Remotery.h>

rmt_PropertyDefine_S32(voices, 0, NoFlags, "voices");

void c_named(const char* name, int count, void* queue);
void c_named(const char* name, int count, void* queue) {
  rmt_BeginCPUSampleDynamic(name, 0);
  rmt_PropertySet_S32(voices, count);
  rmt_PropertyAdd_S32(voices, count);
  rmt_EndCPUSample();
  rmt_BeginCUDASample(sample, queue);
  rmt_EndCUDASample(queue);
}

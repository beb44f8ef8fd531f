/* SPDX-License-Identifier: MIT */
/* */
/* part.c: the part of the program that is C. */
#include <Remotery.h>

#include "program.h"

rmt_PropertyExtern(Frames);
rmt_PropertyDefine_Group(Scripts, "scripts of the game");
rmt_PropertyDefine_Bool(Loaded, RMT_FALSE, NoFlags, "whether they are there", &Scripts);
rmt_PropertyDefine_F64(Heap, 1.5, FrameReset, "megabytes", &Scripts);
rmt_PropertyDefine_S32(Calls, -2, NoFlags, "calls");

static void call(int depth) {
  rmt_BeginCPUSample(call, RMTSF_Recursive);
  rmt_PropertyAdd_S32(Calls, 1);
  if (depth > 0) call(depth - 1);
  rmt_EndCPUSample();
}

void update_c_systems(int frame) {
  rmt_BeginCPUSample(scripts_in_c, 0);
  rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "even %s" : "odd %s", RMTSF_Aggregate);
  call(frame);
  rmt_PropertySet_Bool(Loaded, frame > 2);
  rmt_PropertyAdd_F64(Heap, 0.25);
  if (frame == 1)
    rmt_LogText("in C");
  else
    rmt_LogText("100 %s %d");
  rmt_EndCPUSample();
  rmt_PropertyAdd_U64(Frames, 1u);
  rmt_EndCPUSample();
}

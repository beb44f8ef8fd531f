// SPDX-License-Identifier: MIT
//
// system.h: what a system does, of systems.cpp. The name of a sample is a bare word, so those of all systems are the same.
namespace SYSTEM {

rmt_PropertyDefine_Group(group, "what " NAME " does", &Game);
rmt_PropertyDefine_U32(parts, 0, FrameReset, "parts of a frame", &group);
rmt_PropertyDefine_F32(load, 0.5f + NUMBER, NoFlags, "load", &group);
rmt_PropertyDefine_S64(latest, -1, NoFlags, "the frame", &group);

}  // namespace SYSTEM

static void UPDATE(int frame) {
  using namespace SYSTEM;
  rmt_ScopedCPUSample(system, NUMBER % 2 == 0 ? RMTSF_None : RMTSF_SendOnClose);
  rmt_PropertySet_S64(latest, frame);
  {
    rmt_BeginCPUSample(all, RMTSF_Recursive);
    for (int i = 0; i < 1 + NUMBER % 4; ++i) {
      rmt_ScopedCPUSample(part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? NAME ": even" : NAME ": odd", 0);
    rmt_LogText(NAME " %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(last, 0);
    rmt_PropertyAdd_F32(load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(load);
  rmt_ScopedOpenGLSample(draw);
}

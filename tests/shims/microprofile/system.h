// SPDX-License-Identifier: MIT
//
// system.h: what a system does, of systems.cpp.
namespace SYSTEM {

MICROPROFILE_DEFINE(timer, NAME " group", NAME ": defined", 0x123456 + NUMBER);

}  // namespace SYSTEM

static void UPDATE(int frame) {
  using namespace SYSTEM;
  MICROPROFILE_SCOPEI(NAME " group", NAME, MP_GRAY50);
  MICROPROFILE_COUNTER_ADD(NAME "/bytes", NUMBER + 1);
  {
    MICROPROFILE_SCOPE(timer);
    for (int i = 0; i < 1 + NUMBER % 3; ++i) {
      MICROPROFILE_SCOPEI(NAME " group", NAME ": part", MP_STEELBLUE4);
      MICROPROFILE_COUNTER_SET(NAME "/part", i);
    }
    MICROPROFILE_ENTER(timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? NAME ": even" : NAME ": odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % (1 + NUMBER % 3) == 0, NAME " group", NAME ": sometimes", MP_AUTO);
    MICROPROFILE_ENTERI(NAME " group", NAME ": entered", 0x123456 + NUMBER);
    MICROPROFILE_COUNTER_SUB(NAME "/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE(NAME "/load", frame * 0.5);
  MICROPROFILE_META_CPU(NAME, frame);
}

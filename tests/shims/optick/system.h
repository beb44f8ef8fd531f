// SPDX-License-Identifier: MIT
//
// system.h: what a system does, of systems.cpp.
static void UPDATE(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG(NAME " frame", frame);
  {
    OPTICK_CATEGORY(NAME ": all", Optick::Category::AI);
    OPTICK_TAG(NAME " load", 0.5f + NUMBER);
    for (int i = 0; i < 1 + NUMBER % 3; ++i) {
      OPTICK_EVENT(NAME ": part");
      OPTICK_TAG(NAME " part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH(NAME ": pushed");
    { OPTICK_EVENT(Optick::Category::Physics); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? NAME ": even" : NAME ": odd");
    OPTICK_TAG(NAME " place", 1.0f, 0.0f + NUMBER, 0.5f);
  }
  {
    OPTICK_EVENT(NAME ": last", Optick::Category::Wait);
    OPTICK_TAG(NAME " name", NAME " %s");
    OPTICK_TAG(NAME " cut", NAME " and more", sizeof NAME - 1);
    OPTICK_GPU_EVENT(NAME ": draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

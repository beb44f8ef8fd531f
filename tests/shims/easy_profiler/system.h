// SPDX-License-Identifier: MIT
//
// system.h: what a system does, of systems.cpp.
static void UPDATE(int frame) {
  EASY_FUNCTION(profiler::colors::Red);
  EASY_VALUE(NAME "/frame", frame);
  {
    EASY_BLOCK(NAME ": all", profiler::colors::Blue500);
    EASY_TEXT(NAME "/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 1 + NUMBER % 4; ++i) {
      EASY_BLOCK(NAME ": part");
      EASY_VALUE(NAME "/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK(NAME ": open", profiler::colors::DeepPurpleA400);
    EASY_EVENT(NAME ": event", profiler::colors::Null);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string(NAME ": frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK(NAME ": off", profiler::OFF); }
  }
  {
    EASY_BLOCK(NAME ": early", profiler::ON, profiler::colors::Coral);
    EASY_END_BLOCK;
    EASY_STRING(NAME "/name", NAME " %s", static_cast<uint32_t>(sizeof NAME + 3));
  }
  const int parts[] = {NUMBER, frame, NUMBER + 1};
  EASY_ARRAY(NAME "/parts", parts, 3u);
  EASY_EVENT((NAME ": ends " + std::to_string(frame)).c_str());
}

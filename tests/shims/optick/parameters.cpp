// SPDX-License-Identifier: MIT
//
// Parameters that only macros use: compiled with the macros off, too, none is unused.
#include <optick.h>

void tagged(int voices, const char* text, uint64_t count);
void tagged(int voices, const char* text, uint64_t count) {
  OPTICK_EVENT();
  OPTICK_TAG("voices", voices);
  OPTICK_TAG("text", text);
  OPTICK_TAG("count", count)
}

void named(const char* name, const char* pushed);
void named(const char* name, const char* pushed) {
  OPTICK_EVENT_DYNAMIC(name);
  OPTICK_PUSH_DYNAMIC(pushed);
  OPTICK_POP();
}

void started(const char* thread, const char* path);
void started(const char* thread, const char* path) {
  OPTICK_START_THREAD(thread);
  OPTICK_SAVE_CAPTURE(path);
  OPTICK_STOP_THREAD();
}

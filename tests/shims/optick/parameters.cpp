// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <optick.h>

#if USE_OPTICK
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) ()
#endif

void tagged PARAMETERS(int voices, const char* text, uint64_t count);
void tagged PARAMETERS(int voices, const char* text, uint64_t count) {
  OPTICK_EVENT();
  OPTICK_TAG("voices", voices);
  OPTICK_TAG("text", text);
  OPTICK_TAG("count", count)
}

void named PARAMETERS(const char* name, const char* pushed);
void named PARAMETERS(const char* name, const char* pushed) {
  OPTICK_EVENT_DYNAMIC(name);
  OPTICK_PUSH_DYNAMIC(pushed);
  OPTICK_POP();
}

void started PARAMETERS(const char* thread, const char* path);
void started PARAMETERS(const char* thread, const char* path) {
  OPTICK_START_THREAD(thread);
  OPTICK_SAVE_CAPTURE(path);
  OPTICK_STOP_THREAD();
}

// Names of the namespace that no other test has.
#if USE_OPTICK && !defined(FLAMELET_DISABLED)
bool functions();
bool functions() {
  const Optick::OptickApp app("Main");
  const Optick::Event frame(*Optick::GetFrameDescription());
  const Optick::GPUContext before = Optick::SetGpuContext(Optick::GPUContext());
  Optick::SetAllocator([](size_t) -> void* { return nullptr; }, [](void*) {}, []() {});
  Optick::EventStorage* storage = nullptr;
  return Optick::RegisterFiber(1, &storage) || storage != nullptr || before.node != 0;
}
#endif

// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <easy/arbitrary_value.h>
#include <easy/profiler.h>

#ifndef DISABLE_EASY_PROFILER
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) ()
#endif

void valued PARAMETERS(int voices, const char* text, double load);
void valued PARAMETERS(int voices, const char* text, double load) {
  EASY_FUNCTION();
  EASY_VALUE("voices", voices);
  EASY_VALUE("load", load, EASY_VIN(load));
  EASY_TEXT("text", text);
}

void arrays PARAMETERS(const float* values, uint16_t count, const char* text, uint16_t size);
void arrays PARAMETERS(const float* values, uint16_t count, const char* text, uint16_t size) {
  EASY_FUNCTION();
  EASY_ARRAY("values", values, count);
  EASY_STRING("text", text, size);
}

void named PARAMETERS(const char* name, const char* thread, bool tracing);
void named PARAMETERS(const char* name, const char* thread, bool tracing) {
  EASY_THREAD(thread)
  EASY_BLOCK(name, profiler::colors::Red)
  EASY_SET_EVENT_TRACING_ENABLED(tracing);
  EASY_EVENT(name);
}

// Names of the namespace that no other test has.
const char* functions();
const char* functions() {
  profiler::ThreadGuard guard;
  const profiler::BaseBlockDescriptor* const place = profiler::registerDescription(
      profiler::ON, "id", "name", "file", 1, profiler::BlockType::Block, profiler::color_t(0));
  profiler::storeEvent(place);
  profiler::storeBlock(place, "", profiler::now(), profiler::currentTime());
  profiler::beginNonScopedBlock(place);
  profiler::setValue(place, 1, profiler::ValueId());
  profiler::setText(place, "text", profiler::ValueId());
  profiler::storeValue(place, profiler::DataType::Bool, place, 1, false, profiler::ValueId());
  profiler::Block block(place, "");
  profiler::beginBlock(block);
  profiler::main_thread::frameTime();
  if (profiler::isCapturing() && place->status() == profiler::ON) profiler::this_thread::registrate(block.name());
  return profiler::registerThreadScoped("Worker", guard);
}

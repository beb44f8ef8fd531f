// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <cstddef>
#include <tracy/Tracy.hpp>

#ifdef TRACY_ENABLE
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) ()
#endif

void valued PARAMETERS(int voices, const char* text, std::size_t size, double load);
void valued PARAMETERS(int voices, const char* text, std::size_t size, double load) {
  ZoneScoped;
  ZoneValue(static_cast<uint64_t>(voices));
  ZoneText(text, size);
  TracyPlot("load", load);
}

void formatted PARAMETERS(const char* name, int index);
void formatted PARAMETERS(const char* name, int index) {
  ZoneScoped;
  ZoneNameF("%s %d", name, index);
}

void allocated PARAMETERS(const void* address, std::size_t size);
void allocated PARAMETERS(const void* address, std::size_t size) {
  TracyAllocN(address, size, "pool");
  TracyFreeN(address, "pool");
}

void switched PARAMETERS(bool active, const char* name, const char* fiber);
void switched PARAMETERS(bool active, const char* name, const char* fiber) {
  TracyFiberEnter(fiber);
  {
    ZoneNamedN(zone, "zone", active);
    ZoneTransientN(named, name, active);
  }
  TracyMessageL("a message");
  TracyFiberLeave;
}

void messaged PARAMETERS(const char* text, std::size_t size);
void messaged PARAMETERS(const char* text, std::size_t size) {
  TracyMessage(text, size);
  TracyAppInfo(text, size);
}

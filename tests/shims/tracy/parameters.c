// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <tracy/TracyC.h>

#ifdef TRACY_ENABLE
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) (void)
#endif

void c_valued PARAMETERS(int active, const char* text, size_t size, uint64_t value);
void c_valued PARAMETERS(int active, const char* text, size_t size, uint64_t value) {
  TracyCZone(zone, active);
  TracyCZoneText(zone, text, size);
  TracyCZoneValue(zone, value);
  TracyCZoneEnd(zone);
}

// The macros that end with a semicolon of their own, without another.
void c_unended PARAMETERS(int active, const char* text, size_t size, uint64_t value, const void* image, double load);
void c_unended PARAMETERS(int active, const char* text, size_t size, uint64_t value, const void* image, double load) {
  // clang-format off
  TracyCZoneN(zone, "zone", active)
  TracyCZoneText(zone, text, size)
  TracyCZoneName(zone, text, size)
  TracyCZoneValue(zone, value)
  TracyCAppInfo(text, size)
  TracyCFrameImage(image, 4, 4, 0, 0)
  TracyCPlot("load", load)
  TracyCPlotF("load", (float)load)
  TracyCPlotI("value", (int64_t)value)
  TracyCZoneNS(deep, "deep", 4, active)
  TracyCZoneEnd(deep)
  TracyCZoneEnd(zone)
  // clang-format on
}

void c_allocated PARAMETERS(const void* address, size_t size);
void c_allocated PARAMETERS(const void* address, size_t size) {
  TracyCAllocN(address, size, "pool");
  TracyCFreeN(address, "pool");
}

void c_messaged PARAMETERS(const char* text, size_t size, double load);
void c_messaged PARAMETERS(const char* text, size_t size, double load) {
  TracyCMessage(text, size);
  TracyCPlot("load", load);
}

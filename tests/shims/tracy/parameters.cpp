// SPDX-License-Identifier: MIT
//
// Parameters that only macros use: compiled with the macros off, too, none is unused.
#include <cstddef>
#include <tracy/Tracy.hpp>

void valued(int voices, const char* text, std::size_t size, double load);
void valued(int voices, const char* text, std::size_t size, double load) {
  ZoneScoped;
  ZoneValue(static_cast<uint64_t>(voices));
  ZoneText(text, size);
  TracyPlot("load", load);
}

void formatted(const char* name, int index);
void formatted(const char* name, int index) {
  ZoneScoped;
  ZoneNameF("%s %d", name, index);
}

void allocated(const void* address, std::size_t size);
void allocated(const void* address, std::size_t size) {
  TracyAllocN(address, size, "pool");
  TracyFreeN(address, "pool");
}

void switched(bool active, const char* name, const char* fiber);
void switched(bool active, const char* name, const char* fiber) {
  TracyFiberEnter(fiber);
  {
    ZoneNamedN(zone, "zone", active);
    ZoneTransientN(named, name, active);
  }
  TracyMessageL("a message");
  TracyFiberLeave;
}

void messaged(const char* text, std::size_t size);
void messaged(const char* text, std::size_t size) {
  TracyMessage(text, size);
  TracyAppInfo(text, size);
}

// SPDX-License-Identifier: MIT
//
// Parameters that only macros use: compiled with the macros off, too, none is unused.
#include <tracy/TracyC.h>

void c_valued(int active, const char* text, size_t size, uint64_t value);
void c_valued(int active, const char* text, size_t size, uint64_t value) {
  TracyCZone(zone, active);
  TracyCZoneText(zone, text, size);
  TracyCZoneValue(zone, value);
  TracyCZoneEnd(zone);
}

void c_allocated(const void* address, size_t size);
void c_allocated(const void* address, size_t size) {
  TracyCAllocN(address, size, "pool");
  TracyCFreeN(address, "pool");
}

void c_messaged(const char* text, size_t size, double load);
void c_messaged(const char* text, size_t size, double load) {
  TracyCMessage(text, size);
  TracyCPlot("load", load);
}

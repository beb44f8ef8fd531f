// SPDX-License-Identifier: MIT
//
// A calloc() that tells of itself: the linker puts it in front of the C library's, also for the table of live addresses.
#include <tracy/Tracy.hpp>

#include "shim_recording.h"

using namespace shim_test;

extern "C" void* __real_calloc(size_t count, size_t size);
extern "C" void* __wrap_calloc(size_t count, size_t size);

static bool tells = false;

void* __wrap_calloc(size_t count, size_t size) {
  void* memory = __real_calloc(count, size);
  if (tells) TracyAllocN(memory, count * size, "calloc");
  return memory;
}

TEST_CASE("tracy memory: what malloc tells from inside an event is counted and left out, and nothing waits") {
  Shim shim;
  static char space[20000];
  const uint64_t before = noted("memory events told");
  tells = true;
  for (char& place : space) TracyAllocN(&place, 1, "places");
  tells = false;
  CHECK(noted("memory events told") > before);
  CHECK(shim.values("places (B)").back() == 20000);
  TracyMemoryDiscard("places");
  CHECK(shim.values("places (B)").back() == 0);
}

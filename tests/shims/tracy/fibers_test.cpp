// SPDX-License-Identifier: MIT
#include <tracy/Tracy.hpp>

#include <thread>

#include "shim_recording.h"

using namespace shim_test;

TEST_CASE_FIXTURE(Shim, "tracy fibers: a zone of a fiber goes on where the fiber does") {
  const char* const name = "fiber";
  alignas(tracy::ScopedZone) static char memory[sizeof(tracy::ScopedZone)];
  static flamelet_site site = {0, "zone of the fiber", "", "", "", 0, 0};
  TracyFiberEnter(name);
  tracy::ScopedZone* zone = new (memory) tracy::ScopedZone(&site, true);
  TracyFiberLeave;
  { ZoneScopedN("of the thread"); }
  std::thread([&] {
    TracyFiberEnter(name);
    zone->~ScopedZone();
    TracyFiberLeave;
  }).join();
  CHECK(tree("fiber") == "zone of the fiber");
  CHECK(stats().extra_ends == 0);
  CHECK(stats().fiber_misuse == 0);
}

TEST_CASE_FIXTURE(Shim, "tracy fibers: from one fiber to the next, and another name at the same address") {
  char name[16] = "first";
  TracyFiberEnter(name);
  { ZoneScopedN("a"); }
  TracyFiberEnter("second");
  { ZoneScopedN("b"); }
  std::snprintf(name, sizeof(name), "third");
  TracyFiberEnter(name);
  { ZoneScopedN("c"); }
  TracyFiberLeave;
  TracyFiberLeave;
  CHECK(tree("second") == "b");
  CHECK(tree("third") == "c");
  CHECK(stats().fiber_misuse == 0);
}

TEST_CASE_FIXTURE(Shim, "tracy fibers: more than there is room for are counted, and their zones stay on the thread") {
  const uint64_t before = noted("fibers beyond");
  static char names[12][16];
  for (int i = 0; i < 12; ++i) {
    std::snprintf(names[i], sizeof(names[i]), "fiber %d", i);
    TracyFiberEnter(names[i]);
    { ZoneScopedN("zone"); }
    TracyFiberLeave;
  }
  CHECK(noted("fibers beyond") == before + 4);
  CHECK(stats().dropped_fiber == 4);
  CHECK(stats().events_recorded >= 24);
}

TEST_CASE("tracy fibers: a recorder that starts again knows none of the fibers before") {
  const char* const name = "fiber";
  for (int round = 0; round < 2; ++round) {
    Shim shim;
    TracyFiberEnter(name);
    { ZoneScopedN("zone"); }
    CHECK(shim.tree("fiber") == "zone");
    CHECK(stats().fiber_misuse == 0);
    if (round == 1) TracyFiberLeave;
  }
}

TEST_CASE("tracy fibers: nor does one whose clock says the same as before") {
  const char* const name = "fiber";
  flamelet_config config = roomy_config();
  config.clock = [](void*) { return uint64_t{1000}; };
  config.clock_ticks_per_second = 1e9;
  for (int round = 0; round < 2; ++round) {
    flamelet_shutdown();
    const recorder_test::Recording recording(config);
    TracyFiberEnter(name);
    { ZoneScopedN("zone"); }
    CHECK(stats().fibers_live == 1);
    CHECK(stats().fiber_misuse == 0);
    if (round == 1) TracyFiberLeave;
  }
}

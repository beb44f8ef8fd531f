// SPDX-License-Identifier: MIT
#include <tracy/Tracy.hpp>

#include <cstdlib>
#include <new>
#include <random>

#include "shim_recording.h"

using namespace shim_test;

namespace {

thread_local bool counts_new = false;
const char* const kHeap = "operator new";

}  // namespace

// As programs do it.
void* operator new(size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  if (counts_new) TracyAllocN(memory, size, kHeap);
  return memory;
}
void operator delete(void* memory) noexcept {
  if (counts_new) TracyFreeN(memory, kHeap);
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  operator delete(memory);
}

TEST_CASE_FIXTURE(Shim, "tracy memory: each event has its size, and the pool its live bytes") {
  char space[4];
  TracyAlloc(&space[0], 100);
  TracyAllocN(&space[0], 7, "pool");
  TracyAlloc(&space[1], 50);
  TracyFree(&space[0]);
  TracyFreeN(&space[0], "pool");
  TracyFree(nullptr);
  CHECK(values("memory alloc (B each)") == std::vector<double>{100, 50});
  CHECK(values("memory free (B each)") == std::vector<double>{100});
  CHECK(values("memory (B)") == std::vector<double>{100, 150, 50});
  CHECK(values("pool (B)") == std::vector<double>{7, 0});
  TracyFree(&space[1]);
}

TEST_CASE_FIXTURE(Shim, "tracy memory: a free of an unknown address, and a second allocation at one, are counted") {
  const uint64_t frees = noted("frees"), twice = noted("allocations at");
  char space[2];
  TracyFreeN(&space[0], "odd");
  TracyAllocN(&space[0], 10, "odd");
  TracyFreeN(&space[0], "another");
  TracyAllocN(&space[0], 30, "odd");  // the first one's end was missed
  TracyFreeN(&space[0], "odd");
  TracyFreeN(&space[0], "odd");
  CHECK(noted("frees") == frees + 3);
  CHECK(noted("allocations at") == twice + 1);
  CHECK(values("odd (B)") == std::vector<double>{10, 30, 0});
}

TEST_CASE_FIXTURE(Shim, "tracy memory: discard frees what is live in a pool, and nothing of others") {
  static char space[10000];
  double bytes = 0;
  for (size_t i = 0; i < sizeof(space); ++i) {
    TracyAllocN(&space[i], i % 13, i % 3 == 0 ? "kept" : "arena");
    if (i % 3 != 0) bytes += static_cast<double>(i % 13);
  }
  TracyMemoryDiscard("arena");
  CHECK(values("arena (B)").back() == 0);
  CHECK(values("arena free (B each)") == std::vector<double>{bytes});
  const uint64_t frees = noted("frees");
  for (size_t i = 0; i < sizeof(space); ++i)
    if (i % 3 == 0) TracyFreeN(&space[i], "kept");
  CHECK(noted("frees") == frees);
  CHECK(values("kept (B)").back() == 0);
  TracyMemoryDiscard("arena");  // empty
  CHECK(values("arena free (B each)").size() == 1);
}

TEST_CASE_FIXTURE(Shim, "tracy memory: random events, beside a map") {
  static char space[3000];
  std::map<size_t, double> live;
  std::mt19937 random(7);
  double bytes = 0;
  const uint64_t frees = noted("frees"), twice = noted("allocations at");
  uint64_t unknown = 0, again = 0;
  for (int i = 0; i < 20000; ++i) {
    const size_t place = random() % sizeof(space);
    if (random() % 2 == 0) {
      const size_t size = random() % 1000;
      again += live.count(place);
      bytes += static_cast<double>(size) - live[place];
      live[place] = static_cast<double>(size);
      TracyAllocN(&space[place], size, "random");
    } else {
      if (live.count(place) == 0) ++unknown;
      bytes -= live.count(place) == 0 ? 0 : live[place];
      live.erase(place);
      TracyFreeN(&space[place], "random");
    }
  }
  CHECK(values("random (B)").back() == bytes);
  CHECK(noted("frees") - frees == unknown);
  CHECK(noted("allocations at") - twice == again);
  TracyMemoryDiscard("random");
  CHECK(values("random (B)").back() == 0);
}

TEST_CASE_FIXTURE(Shim, "tracy memory: inside a program's own operator new, on many threads") {
  on_threads(4, [](uint32_t t) {
    tracy::SetThreadName(("t" + std::to_string(t)).c_str());
    counts_new = true;
    for (int i = 0; i < 500; ++i) {
      const std::vector<int> ints(static_cast<size_t>(i + 1));
      const std::string text(static_cast<size_t>(100 + i), 'x');
    }
    counts_new = false;
  });
  double allocated = 0, freed = 0;
  for (int t = 0; t < 4; ++t) {
    const std::string lane = "t" + std::to_string(t);
    const std::vector<double> allocations = values("operator new alloc (B each)", lane.c_str());
    CHECK(allocations.size() == 1000);
    for (const double size : allocations) allocated += size;
    for (const double size : values("operator new free (B each)", lane.c_str())) freed += size;
  }
  CHECK(allocated == 4 * (500.0 * 501 / 2 * sizeof(int) + 500 * 101 + 500.0 * 499 / 2));
  CHECK(freed == allocated);
}

TEST_CASE_FIXTURE(Shim, "tracy memory: more pools than there is room for share one") {
  static char space[100];
  const uint64_t before = noted("memory pools");
  for (size_t i = 0; i < 100; ++i) TracyAllocN(&space[i], 1, ("pool " + std::to_string(i)).c_str());
  CHECK(noted("memory pools") > before);
  CHECK(values("other pools (B)").size() == noted("memory pools") - before);
  for (size_t i = 0; i < 100; ++i) TracyFreeN(&space[i], ("pool " + std::to_string(i)).c_str());
  CHECK(values("other pools (B)").back() == 0);
}

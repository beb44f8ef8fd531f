// SPDX-License-Identifier: MIT
//
// After init the recorder never allocates: counted at the C library, with everything that the process does.
#include <cstdlib>

#include "stress.h"

#if FLAMELET_TESTS_SANITIZED
// <sanitizer/allocator_interface.h>, which g++ 12 does not install, declares it so.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*, size_t),
                                                         void (*freed)(const volatile void*));
#else
extern "C" void* __libc_malloc(size_t size);
extern "C" void* __libc_calloc(size_t count, size_t size);
extern "C" void* __libc_realloc(void* memory, size_t size);
extern "C" void* __libc_memalign(size_t alignment, size_t size);
#endif

namespace {

std::atomic<uint64_t> allocations{0};

}  // namespace

#if !FLAMELET_TESTS_SANITIZED
extern "C" {
void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

using namespace recorder_test;

namespace {

// Everything that may be called after init. From a fresh thread: its first event, and its exit.
void call_everything(uint32_t fiber, uint32_t track) {
  flamelet_set_thread_name("thread");
  flamelet_set_track_name(flamelet_thread_id(), "other name");
  for (int i = 0; i < 2000; ++i) {
    FLAMELET_SCOPE_VAR(scope, "scope");
    FLAMELET_NEXT(scope, "next");
    { FLAMELET_SCOPE_OBJECT("object", "object"); }
    { FLAMELET_SCOPE_DYNAMIC("dynamic"); }
    FLAMELET_INSTANT("instant");
    FLAMELET_COUNTER("counter", i);
    flamelet_end(flamelet_begin("call", "category", "object"));
    flamelet_finish(flamelet_start("interval", "", nullptr));
    char name[8] = {'n', static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26 % 26)};
    flamelet_intern(name);
    flamelet_fiber_switch(0, fiber);
    flamelet_fiber_switch(fiber, 0);
    flamelet_frame();
    flamelet_end(12345);
  }
  flamelet_event events[3] = {};
  events[0].type = 'B';
  events[1].type = 'E';
  events[2].type = 'I';
  events[0].id = events[1].id = 1;
  flamelet_submit(track, events, 3);
  flamelet_fiber_destroy(flamelet_fiber_create("fiber"));
  flamelet_track_destroy(flamelet_track_create("track", FLAMELET_TRACK_EXTERNAL, 1e9));
  flamelet_set_enabled(false);
  flamelet_set_enabled(true);
  stats();
  flamelet_clock_info();
  flamelet_now_ticks();
  flamelet_measure_scope_ns();
  flamelet_begin("left open", "", nullptr);
}

}  // namespace

TEST_CASE("allocation: nothing is allocated after init, by whatever call, first event or exit") {
#if FLAMELET_TESTS_SANITIZED
  static bool installed = false;
  if (!installed)
    installed = __sanitizer_install_malloc_and_free_hooks([](const volatile void*, size_t) { ++allocations; },
                                                          [](const volatile void*) {}) != 0;
  REQUIRE(installed);
#endif
  for_each_clock([](const flamelet_config& given) {
    PoisonedHeap heap;
    flamelet_config config = heap.in(given);
    config.max_fibers = 4;
    keep_pages(&config, 64);
    std::atomic<int> step{0};
    std::atomic<uint64_t> of_thread{0};
    Recording recording(config);
    const uint32_t fiber = flamelet_fiber_create("fiber");
    const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
    flamelet_track_calibrate(track, 0, flamelet_now_ticks());
    // The thread is there, and waits, before anything is counted.
    std::thread thread([&] {
      step = 1;
      while (step != 2) std::this_thread::yield();
      const uint64_t before = allocations;
      call_everything(fiber, track);
      of_thread = allocations - before;
      step = 3;
    });
    flamelet::RingReader reader;
    while (step != 1) std::this_thread::yield();
    const uint64_t before_poll = allocations;
    step = 2;
    while (step != 3) reader.poll([](void*, const flamelet::PagePart&) {}, nullptr);
    thread.join();
    const uint64_t after = allocations;
    CHECK(of_thread == 0);
    CHECK(after == before_poll);
    CHECK(heap.allocations == 1);
    CHECK(heap.frees == 0);
  });
  // The counter counts.
  const uint64_t before = allocations;
  void* volatile memory = std::malloc(10);  // volatile: or the compiler sees that nobody needs it
  std::free(memory);
  CHECK(allocations > before);
}

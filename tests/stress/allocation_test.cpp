// SPDX-License-Identifier: MIT
//
// After init the recorder never allocates: counted at the C library, with everything that the process does.
#include <cstdlib>
#include <string>

#include "flamelet/capture_builder.h"
#include "flamelet/capture_file.h"
#include "flamelet/perf_log.h"
#include "stress.h"
#include "support/string_io.h"

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
    FLAMELET_BEGIN(scope, "scope");
    FLAMELET_NEXT(scope, "next");
    { FLAMELET_SCOPE_OBJECT("object", "object"); }
    { FLAMELET_SCOPE_DYNAMIC("dynamic"); }
    FLAMELET_INSTANT("instant");
    FLAMELET_COUNTER("counter", i);
    flamelet_end(flamelet_begin("call", "category", "object"));
    flamelet_interval_end(flamelet_interval_begin("interval", "", nullptr));
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
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind)
    flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind));
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

namespace {

// Gives no memory at one call, and counts what it gave.
struct FailingHeap {
  uint32_t fail_at = 0;
  uint32_t calls = 0;
  uint32_t held = 0;

  flamelet_allocator get() { return {allocate, free, this}; }
  static void* allocate(void* self, size_t size, size_t alignment) {
    FailingHeap* heap = static_cast<FailingHeap*>(self);
    if (heap->calls++ == heap->fail_at) return nullptr;
    ++heap->held;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  static void free(void* self, void* memory, size_t, size_t) {
    --static_cast<FailingHeap*>(self)->held;
    std::free(memory);
  }
};

// Everything that takes memory, one after the other, as far as it gets. Returns how many calls said that there was none.
uint32_t use_all(FailingHeap* heap) {
  uint32_t refused = 0;
  const auto works = [&refused](flamelet_result result) {
    REQUIRE((result == FLAMELET_OK || result == FLAMELET_ERROR_OUT_OF_MEMORY));
    refused += result == FLAMELET_OK ? 0 : 1;
    return result == FLAMELET_OK;
  };
  flamelet_config config = small_config();
  config.allocator = heap->get();
  const bool started = works(flamelet_init(&config));
  { FLAMELET_SCOPE("scope"); }

  flamelet_capture_config capture_config = flamelet_capture_config_default();
  capture_config.allocator = heap->get();
  capture_config.budget_bytes = size_t{8} << 20;
  flamelet_capture* capture = nullptr;
  std::string file;
  if (works(flamelet_capture_create(&capture_config, &capture))) {
    CHECK(flamelet_capture_update(capture) == (started ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED));
    works(flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, sink_to(&file)));
  }
  flamelet_capture_destroy(capture);
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = heap->get();
  capture = nullptr;
  if (!file.empty()) works(flamelet_capture_load_bytes(&options, file.data(), file.size(), &capture, nullptr));
  flamelet_capture_destroy(capture);

  flamelet_capture_builder* builder = nullptr;
  works(flamelet_capture_builder_create(&capture_config, &builder));
  flamelet_capture_builder_destroy(builder);

  flamelet_perf_log_config log_config = flamelet_perf_log_config_default();
  log_config.allocator = heap->get();
  flamelet_perf_log* log = nullptr;
  works(flamelet_perf_log_create(&log_config, &log));
  flamelet_perf_log_destroy(log);

  if (started) CHECK(flamelet_shutdown() == FLAMELET_OK);
  return refused;
}

}  // namespace

TEST_CASE("allocation: whichever one fails, its call says so, and everything else works and gives its memory back") {
  FailingHeap heap;
  heap.fail_at = UINT32_MAX;
  CHECK(use_all(&heap) == 0);
  CHECK(heap.held == 0);
  const uint32_t allocations_in_all = heap.calls;
  CHECK(allocations_in_all >= 6);
  for (uint32_t k = 0; k < allocations_in_all; ++k) {
    CAPTURE(k);
    heap = FailingHeap();
    heap.fail_at = k;
    CHECK(use_all(&heap) == 1);
    CHECK(heap.held == 0);
  }
}

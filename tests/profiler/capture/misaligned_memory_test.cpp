// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <flamelet/capture_builder.h>
#include <flamelet/capture_file.h>
#include <flamelet/perf_log.h>

#include <cstdint>
#include <string>

#include "platform/process.h"
#include "support/building.h"

namespace {

// Counts what is out, and gives memory that is half as aligned as it was asked for.
struct Heap {
  bool misaligns = true;
  int out = 0;

  flamelet_allocator allocator() {
    return {[](void* user, size_t size, size_t alignment) -> void* {
              Heap& heap = *static_cast<Heap*>(user);
              ++heap.out;
              const size_t shift = heap.misaligns ? alignment / 2 : 0;
              return static_cast<char*>(flamelet::allocate_aligned(size + alignment, alignment)) + shift;
            },
            [](void* user, void* memory, size_t, size_t alignment) {
              --static_cast<Heap*>(user)->out;
              const uintptr_t past = reinterpret_cast<uintptr_t>(memory) % alignment;
              flamelet::free_aligned(static_cast<char*>(memory) - past);
            },
            this};
  }
};

}  // namespace

TEST_CASE("misaligned memory: a capture and its builder refuse it, and give it back") {
  Heap heap;
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{8} << 20;
  config.allocator = heap.allocator();
  flamelet_capture* capture = nullptr;
  CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(capture == nullptr);
  flamelet_capture_builder* builder = nullptr;
  CHECK(flamelet_capture_builder_create(&config, &builder) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(builder == nullptr);
  CHECK(heap.out == 0);
}

TEST_CASE("misaligned memory: saving and loading refuse it, and give it back") {
  Heap heap;
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{8} << 20;
  config.allocator = heap.allocator();
  heap.misaligns = false;
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  const std::string bytes = recorder_test::save(capture);
  heap.misaligns = true;
  const flamelet_sink never = {[](void*, const void*, size_t) { return false; }, nullptr};
  CHECK(flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, never) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = heap.allocator();
  flamelet_capture* loaded = nullptr;
  CHECK(flamelet_capture_load_bytes(&options, bytes.data(), bytes.size(), &loaded, nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(loaded == nullptr);
  CHECK(heap.out == 1);
  heap.misaligns = false;
  flamelet_capture_destroy(capture);
  CHECK(heap.out == 0);
}

TEST_CASE("misaligned memory: a performance log refuses it, and gives it back") {
  Heap heap;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.allocator = heap.allocator();
  flamelet_perf_log* log = nullptr;
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(log == nullptr);
  CHECK(heap.out == 0);
}

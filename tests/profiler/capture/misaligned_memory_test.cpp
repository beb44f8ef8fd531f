// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <flamelet/capture_builder.h>
#include <flamelet/capture_file.h>
#include <flamelet/perf_log.h>

#include <cstdint>
#include <string>

#include "support/building.h"
#include "support/counting_allocator.h"

namespace {

struct Heap : recorder_test::CountingAllocator {
  Heap() { misaligns = true; }
};

}  // namespace

TEST_CASE("misaligned memory: a capture and its builder refuse it, and give it back") {
  Heap heap;
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{8} << 20;
  config.allocator = heap.get();
  flamelet_capture* capture = nullptr;
  CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(capture == nullptr);
  flamelet_capture_builder* builder = nullptr;
  CHECK(flamelet_capture_builder_create(&config, &builder) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(builder == nullptr);
  CHECK(heap.allocations == 2);
  CHECK(heap.blocks_held() == 0);
}

TEST_CASE("misaligned memory: saving and loading refuse it, and give it back") {
  Heap heap;
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{8} << 20;
  config.allocator = heap.get();
  heap.misaligns = false;
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  const std::string bytes = recorder_test::save(capture);
  heap.misaligns = true;
  const flamelet_sink never = {[](void*, const void*, size_t) { return false; }, nullptr};
  CHECK(flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, never) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = heap.get();
  flamelet_capture* loaded = nullptr;
  CHECK(flamelet_capture_load_bytes(&options, bytes.data(), bytes.size(), &loaded, nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(loaded == nullptr);
  CHECK(heap.blocks_held() == 1);
  heap.misaligns = false;
  flamelet_capture_destroy(capture);
  CHECK(heap.blocks_held() == 0);
}

TEST_CASE("misaligned memory: a performance log refuses it, and gives it back") {
  Heap heap;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.allocator = heap.get();
  flamelet_perf_log* log = nullptr;
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(log == nullptr);
  CHECK(heap.blocks_held() == 0);
}

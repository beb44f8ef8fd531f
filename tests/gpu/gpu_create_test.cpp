// SPDX-License-Identifier: MIT
//
// Making and ending a GPU object: arguments, memory, failures.
#include <doctest/doctest.h>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

TEST_CASE("create without a recorder says so") {
  FakeBackend device;
  const flamelet_gpu_config config = flamelet_gpu_config_default();
  flamelet_gpu* gpu = nullptr;
  CHECK(flamelet_gpu_create(&config, device.table(), &device, &gpu) == FLAMELET_ERROR_NOT_INITIALIZED);
  CHECK(gpu == nullptr);
}

TEST_CASE("create refuses a config that was not made, and values out of range") {
  TimerBench bench;
  flamelet_gpu_config& config = bench.config();
  SUBCASE("cookie") {
    config.cookie = 0;
  }
  SUBCASE("no scopes") {
    config.max_scopes = 0;
  }
  SUBCASE("too many scopes") {
    config.max_scopes = 65537;
  }
  SUBCASE("no frames") {
    config.max_frames = 0;
  }
  SUBCASE("too many frames") {
    config.max_frames = 65;
  }
  SUBCASE("results at once") {
    config.min_frames = 0;
  }
  SUBCASE("results after they were given up") {
    config.min_frames = 9;
  }
  SUBCASE("interval") {
    config.calibration_interval_ns = -1;
  }
  SUBCASE("half an allocator") {
    config.allocator.free = [](void*, void*, size_t, size_t) {};
  }
  CHECK(bench.create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bench.gpu == nullptr);
  const flamelet_gpu_backend* table = bench.device.table();
  CHECK(flamelet_gpu_create(nullptr, table, &bench.device, &bench.gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_create(&config, nullptr, &bench.device, &bench.gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_create(&config, table, &bench.device, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bench.device.calls == 0);
}

TEST_CASE("create that fails half-way leaves nothing behind") {
  CountingAllocator allocator;
  TimerBench bench(1);
  bench.config().allocator = allocator.get();
  SUBCASE("memory") {
    allocator.blocks_left = 0;
    CHECK(bench.create() == FLAMELET_ERROR_OUT_OF_MEMORY);
  }
  SUBCASE("tracks") {
    flamelet_instant("takes the only track", "", nullptr);
    CHECK(bench.create() == FLAMELET_ERROR_LIMIT);
  }
  SUBCASE("backend") {
    bench.device.create_result = FLAMELET_ERROR_NO_GPU_TIMESTAMPS;
    CHECK(bench.create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  }
  SUBCASE("clock") {
    bench.device.clock_works = false;
    CHECK(bench.create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  }
  SUBCASE("a clock of no bits") {
    bench.device.counter_bits = 0;
    CHECK(bench.create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  }
  SUBCASE("a clock that stands") {
    bench.device.ticks_per_second = 0;
    CHECK(bench.create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  }
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.tracks_live <= 1);
  CHECK(bench.gpu == nullptr);
  CHECK(bench.device.queries.empty());
  CHECK(allocator.bytes_held() == 0);
}

TEST_CASE("who asks for the stats of a GPU object and has no place for them gets none") {
  TimerBench bench;
  flamelet_gpu_get_stats(nullptr, nullptr);
  REQUIRE(bench.create() == FLAMELET_OK);
  flamelet_gpu_get_stats(bench.gpu, nullptr);
}

// SPDX-License-Identifier: MIT
//
// What holds on any backend: tried on the scripted one, and through OpenGL and Vulkan.
#include <doctest/doctest.h>

#include <vector>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

TEST_CASE_TEMPLATE("GPU spans nest, lie at their place in the recorder's time, and carry their CPU scopes' ids", Bench,
                   TimerBench, GlBench, VulkanBench) {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id scene = bench.begin("Scene");  // at 10
  bench.scope("Opaque", 1000);                     // 20 .. 1030
  bench.scope("Sky", 500);                         // 1040 .. 1550
  bench.end(scene);                                // 1560
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 0);  // the frame that just ended is left alone
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 3);
  CHECK(bench.stats().lag_frames == 1);

  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"Scene", ".Opaque", ".Sky"});
  CHECK(spans[0].begin_ns == 10);
  CHECK(spans[0].end_ns == 1560);
  CHECK(spans[1].begin_ns == 20);
  CHECK(spans[1].end_ns == 1030);
  CHECK(spans[2].begin_ns == 1040);
  CHECK(spans[2].end_ns == 1550);
  CHECK(spans[0].id == scene);

  const std::vector<Span> cpu = read(FLAMELET_LANE_THREAD);
  REQUIRE(names(cpu) == names(spans));
  for (size_t i = 0; i < cpu.size(); ++i) CHECK(cpu[i].id == spans[i].id);
}

TEST_CASE_TEMPLATE("results that come late are waited for by no one, and none is lost", Bench, TimerBench, GlBench,
                   VulkanBench) {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.ready_at = [&](uint64_t) { return bench.now_ns + 3'500'000; };
  for (int i = 0; i < 10; ++i) {
    bench.scope("Pass", 1000);
    bench.pass_ns(1'000'000);
    bench.frame();
  }
  CHECK(bench.stats().lag_frames == 3);
  CHECK(bench.stats().scopes_submitted == 7);
  CHECK(bench.stats().scopes_in_flight == 3);
  CHECK(bench.stats().queries_in_flight == 6);
  CHECK(bench.stats().frames_in_flight == 3);
  bench.pass_ns(3'500'000);
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 10);
  CHECK(bench.stats().queries_in_flight == 0);
  CHECK(read(FLAMELET_LANE_GPU).size() == 10);
}

TEST_CASE_TEMPLATE("a clock of 32 bits that wraps in a scope and between frames gives right times", Bench, TimerBench,
                   GlBench, VulkanBench) {
  Bench bench;
  const uint64_t turn = uint64_t{1} << 32;
  bench.device.counter_bits = 32;
  bench.gpu_ahead_ns = turn - bench.now_ns % turn - 500;  // wraps 500 ns from now
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.stats().counter_bits == 32);
  std::vector<int64_t> begins_ns;
  for (int i = 0; i < 100; ++i) {
    begins_ns.push_back(static_cast<int64_t>(bench.now_ns - kStartNs) + 10);
    bench.scope("Pass", 1000);
    bench.frame();
    bench.pass_ns(150'000'000);
  }
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 100);
  for (size_t i = 0; i < spans.size(); ++i) {
    CHECK(spans[i].begin_ns == begins_ns[i]);
    CHECK(spans[i].end_ns == begins_ns[i] + 1010);
  }
  CHECK(bench.stats().calibrations > 10);
  CHECK(bench.stats().calibration_drift_ns == 0);
}

TEST_CASE_TEMPLATE("one allocation, whose size is in the stats, and one free", Bench, TimerBench, GlBench,
                   VulkanBench) {
  CountingAllocator allocator;
  Bench bench;
  bench.config().allocator = allocator.get();
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.stats().memory_bytes == allocator.bytes_held());
  CHECK(bench.device.queries.size() == 2 * bench.config().max_scopes);
  for (int i = 0; i < 100; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(allocator.allocations == 1);
  flamelet_gpu_destroy(bench.gpu);
  bench.gpu = nullptr;
  CHECK(allocator.bytes_held() == 0);
  CHECK(bench.device.queries.empty());
}

TEST_CASE_TEMPLATE("abandon frees the memory and the track without a call of the backend", Bench, TimerBench, GlBench,
                   VulkanBench) {
  CountingAllocator allocator;
  Bench bench(1);
  bench.config().allocator = allocator.get();
  REQUIRE(bench.create() == FLAMELET_OK);
  const uint64_t calls = bench.device.calls;
  flamelet_gpu_abandon(bench.gpu);
  bench.gpu = nullptr;
  CHECK(bench.device.calls == calls);
  CHECK(allocator.bytes_held() == 0);
  CHECK(bench.create() == FLAMELET_OK);  // the only track is free again
}

// ---- Making and ending a GPU object: arguments, memory, failures --------------------------------------------------

TEST_CASE("create without a recorder says so") {
  FakeBackend device;
  const flamelet_gpu_config config = flamelet_gpu_config_default();
  flamelet_gpu* gpu = nullptr;
  CHECK(flamelet_gpu_create(&config, device.table(), &device, &gpu) == FLAMELET_ERROR_NOT_INITIALIZED);
  FakeGl gl;
  flamelet_gpu_opengl_config opengl = flamelet_gpu_opengl_config_default();
  opengl.get_proc = FakeGl::get_proc;
  CHECK(flamelet_gpu_opengl_create(&opengl, &gpu) == FLAMELET_ERROR_NOT_INITIALIZED);
  CHECK(gpu == nullptr);
}

TEST_CASE("create refuses a config that was not made, and values out of range") {
  TimerBench bench;
  flamelet_gpu_config& config = bench.config();
  SUBCASE("no scopes") config.max_scopes = 0;
  SUBCASE("too many scopes") config.max_scopes = 65537;
  SUBCASE("no frames") config.max_frames = 0;
  SUBCASE("too many frames") config.max_frames = 65;
  SUBCASE("results at once") config.min_frames = 0;
  SUBCASE("results after they were given up") config.min_frames = 9;
  SUBCASE("interval") config.calibration_interval_ns = -1;
  SUBCASE("half an allocator") config.allocator.free = [](void*, void*, size_t, size_t) {};
  CHECK(bench.create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bench.gpu == nullptr);
  const flamelet_gpu_backend* table = bench.device.table();
  CHECK(flamelet_gpu_create(nullptr, table, &bench.device, &bench.gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_create(&config, nullptr, &bench.device, &bench.gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_create(&config, table, &bench.device, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bench.device.calls == 0);
}

TEST_CASE_FIXTURE(CountingAllocator, "create that fails half-way leaves nothing behind") {
  TimerBench bench(1);
  bench.config().allocator = get();
  SUBCASE("memory") {
    blocks_left = 0;
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
  CHECK(bytes_held() == 0);
}

TEST_CASE_FIXTURE(TimerBench, "who asks for the stats of a GPU object and has no place for them gets none") {
  flamelet_gpu_get_stats(nullptr, nullptr);
  REQUIRE(create() == FLAMELET_OK);
  flamelet_gpu_get_stats(gpu, nullptr);
}

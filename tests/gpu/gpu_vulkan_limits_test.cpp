// SPDX-License-Identifier: MIT
//
// The Vulkan backend's queries: when they are reset, and what happens to those whose times do not come.
#include <doctest/doctest.h>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

TEST_CASE("Vulkan: scopes without a command buffer keep their CPU half, and are counted") {
  VulkanBench bench;
  bench.context = nullptr;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 100);
  bench.frame(2);
  CHECK(bench.stats().dropped_invalid == 1);
  CHECK(bench.stats().queries_in_flight == 0);
  CHECK(bench.device.commands == 0);
  CHECK(read(FLAMELET_LANE_THREAD).size() == 1);
}

TEST_CASE("Vulkan: a frame forgets its command buffer") {
  VulkanBench bench;
  bench.context = nullptr;
  REQUIRE(bench.create() == FLAMELET_OK);
  flamelet_gpu_set_context(bench.gpu, bench.device.command_buffer());
  bench.scope("Pass", 100);
  bench.frame();
  bench.scope("Pass", 100);
  CHECK(bench.device.commands == 2);
}

TEST_CASE("Vulkan: every query is reset before it is written again, for many rounds") {
  VulkanBench bench;
  bench.config().max_scopes = 5;
  SUBCASE("by the host") {}
  SUBCASE("by commands") {
    bench.vulkan().host_query_reset = false;
  }
  REQUIRE(bench.create() == FLAMELET_OK);
  for (int i = 0; i < 50; ++i) {
    bench.scope("Shadows", 1000);
    bench.scope("Scene", 500);
    bench.frame();
  }
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 100);
  CHECK(bench.device.misuses == 0);
}

TEST_CASE("Vulkan: a time from before a reset that the GPU has not executed is not taken for a new one") {
  VulkanBench bench;
  bench.vulkan().host_query_reset = false;
  bench.config().max_scopes = 1;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.runs_when_told = true;
  bench.scope("First", 0);
  bench.device.run();
  bench.frame();
  bench.frame();  // reads its times, and records the reset
  REQUIRE(bench.stats().scopes_submitted == 1);
  bench.scope("Second", 0);  // recorded behind the reset; neither is submitted yet
  bench.frame(2);
  CHECK(bench.stats().scopes_submitted == 1);
  bench.device.run();
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"First", "Second"});
  CHECK(spans[1].begin_ns > spans[0].end_ns);
}

TEST_CASE("Vulkan: without a command buffer to reset queries in, their next scopes are dropped, and they come back") {
  VulkanBench bench;
  bench.vulkan().host_query_reset = false;
  bench.config().max_scopes = 1;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Good", 100);
  bench.frame();
  const auto frame_without_buffer = [&] {
    flamelet_gpu_set_context(bench.gpu, nullptr);
    flamelet_gpu_frame(bench.gpu);
  };
  frame_without_buffer();
  CHECK(bench.stats().scopes_submitted == 1);
  bench.scope("Unreset", 100);
  bench.frame(2);
  CHECK(bench.stats().dropped_invalid == 1);
  bench.scope("Good", 100);
  bench.frame(2);
  CHECK(bench.stats().scopes_submitted == 2);
}

TEST_CASE("Vulkan: a query in flight is not reset when its frame is given up, and is used again once its time came") {
  VulkanBench bench;
  SUBCASE("by the host") {}
  SUBCASE("by commands") {
    bench.vulkan().host_query_reset = false;
  }
  bench.config().max_scopes = 2;
  bench.config().max_frames = 1;
  REQUIRE(bench.create() == FLAMELET_OK);
  uint64_t done_at = bench.now_ns + 1'000'000;
  bench.device.ready_at = [&](uint64_t) { return done_at; };
  bench.scope("Slow", 100);
  bench.frame();
  bench.scope("Slow", 100);
  bench.frame();  // gives up the first one
  CHECK(bench.stats().dropped_late == 1);
  bench.scope("In use", 100);  // its queries are still in flight
  bench.frame();
  CHECK(bench.device.commands == 4);
  CHECK(bench.device.misuses == 0);
  bench.pass_ns(1'000'000);
  bench.frame();
  CHECK(bench.stats().dropped_invalid == 1);
  for (int i = 0; i < 4; ++i) {
    bench.scope("Again", 100);
    bench.frame(2);
  }
  const flamelet_gpu_stats stats = bench.stats();
  CHECK(stats.dropped_late == 2);     // both slow ones
  CHECK(stats.dropped_invalid == 2);  // those behind them, on their queries
  CHECK(stats.scopes_submitted == 3);
  CHECK(bench.device.misuses == 0);
}

TEST_CASE("Vulkan: queries of buffers that are never submitted come back after one more round") {
  VulkanBench bench;
  bench.config().max_scopes = 2;
  bench.config().max_frames = 1;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.ready_at = [&](uint64_t) { return FakeVulkan::kNever; };
  for (int i = 0; i < 6; ++i) {
    bench.scope("Never submitted", 100);
    bench.frame();
  }
  bench.device.ready_at = [](uint64_t) { return uint64_t{0}; };
  for (int i = 0; i < 8; ++i) {
    bench.scope("Pass", 100);
    bench.frame(2);
  }
  const flamelet_gpu_stats stats = bench.stats();
  CHECK(stats.scopes_submitted >= 6);
  CHECK(stats.scopes_submitted + stats.dropped_late + stats.dropped_invalid == 14);
}

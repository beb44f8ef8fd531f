// SPDX-License-Identifier: MIT
//
// The Vulkan backend, on a device that a test scripts: what the device can do, its clock, labels, and its loss.
#include <doctest/doctest.h>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: ticks of any period become times") {
  device.period_ns = 52.0833320617676F;
  device.counter_bits = 36;
  REQUIRE(create() == FLAMELET_OK);
  pass_ns(1'000'000);
  scope("Pass", 1'000'000);
  frame(2);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 1);
  CHECK(std::abs(spans[0].begin_ns - 1'000'010) <= 200);
  CHECK(std::abs(spans[0].end_ns - 2'000'020) <= 200);
  CHECK(stats().counter_bits == 36);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: a device without timestamps makes no GPU object and no lane") {
  SUBCASE("the family has no bits") device.counter_bits = 0;
  SUBCASE("no period") device.period_ns = 0;
  SUBCASE("a function is missing") device.missing_functions = {"vkCmdWriteTimestamp"};
  SUBCASE("it is lost") device.is_lost = true;
  SUBCASE("it is lost, and has no extension") {
    vulkan().calibrated_timestamps = false;
    device.is_lost = true;
  }
  CHECK(create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  CHECK(gpu == nullptr);
  CHECK(device.objects == 0);
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.tracks_live == 0);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: create refuses what it cannot use") {
  flamelet_gpu_vulkan_config& config = vulkan();
  SUBCASE("cookie") config.cookie = 0;
  SUBCASE("loader") config.get_proc = nullptr;
  SUBCASE("instance") config.instance = nullptr;
  SUBCASE("physical device") config.physical_device = nullptr;
  SUBCASE("device") config.device = nullptr;
  SUBCASE("family") config.queue_family = 1;
  SUBCASE("no queue to read the clock with") {
    config.calibrated_timestamps = false;
    config.queue = nullptr;
  }
  SUBCASE("no queue to reset queries with") {
    config.host_query_reset = false;
    config.queue = nullptr;
  }
  SUBCASE("a host reset that the device does not have") device.missing_functions = {"vkResetQueryPool"};
  CHECK(create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(gpu == nullptr);
  CHECK(device.objects == 0);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: with calibrated timestamps nothing is ever submitted, and no queue is needed") {
  vulkan().queue = nullptr;
  config().calibration_interval_ns = 0;
  REQUIRE(create() == FLAMELET_OK);
  frame(5);
  CHECK(stats().calibrations == 6);
  CHECK(device.submits == 0);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: without calibrated timestamps the clock is read by submits") {
  config().calibration_interval_ns = 0;
  SUBCASE("no extension") device.missing_functions = {"vkGetCalibratedTimestampsEXT"};
  SUBCASE("not the device's clock") device.time_domains = {1, 2};
  SUBCASE("not wanted") vulkan().calibrated_timestamps = false;
  REQUIRE(create() == FLAMELET_OK);
  CHECK(device.submits == 5);
  scope("Pass", 1000);
  frame(2);
  CHECK(device.submits == 15);
  CHECK(stats().calibration_drift_ns == 0);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].begin_ns == 10);
}

TEST_CASE("Vulkan: a command buffer of the program's is submitted by create only, and no pool is made") {
  VulkanBench bench;
  bench.vulkan().buffer = bench.device.lent_command_buffer();
  bench.vulkan().calibrated_timestamps = false;
  bench.config().calibration_interval_ns = 0;
  SUBCASE("host reset") {}
  SUBCASE("reset by commands") bench.vulkan().host_query_reset = false;
  REQUIRE(bench.create() == FLAMELET_OK);
  const uint64_t submits = bench.device.submits;
  CHECK(submits == (bench.vulkan().host_query_reset ? 1u : 2u));
  CHECK(bench.device.objects == 3);  // a fence and two query pools
  for (int i = 0; i < 5; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(bench.device.submits == submits);
  CHECK(bench.stats().calibrations == 1);
  CHECK(bench.stats().scopes_submitted == 4);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: a busy GPU is not waited for to read its clock; the calibration before stays") {
  vulkan().calibrated_timestamps = false;
  config().calibration_interval_ns = 0;
  REQUIRE(create() == FLAMELET_OK);
  device.is_busy = true;
  frame(16);
  CHECK(device.submits == 6);  // one try
  CHECK(stats().calibrations == 1);
  device.is_busy = false;
  frame();
  CHECK(stats().calibrations == 2);
  CHECK(stats().calibration_drift_ns == 0);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: a GPU that is busy when the object is destroyed is waited for") {
  vulkan().calibrated_timestamps = false;
  config().calibration_interval_ns = 0;
  REQUIRE(create() == FLAMELET_OK);
  device.is_busy = true;
  frame();
  device.is_busy = false;
  flamelet_gpu_destroy(gpu);
  gpu = nullptr;
  CHECK(device.objects == 0);
}

TEST_CASE("Vulkan: on a lost device scopes are counted as late, and nothing else happens") {
  VulkanBench bench;
  SUBCASE("calibrated timestamps") {}
  SUBCASE("submits, and reset by commands") {
    bench.vulkan().calibrated_timestamps = false;
    bench.vulkan().host_query_reset = false;
  }
  bench.config().max_scopes = 4;
  bench.config().max_frames = 2;
  bench.config().calibration_interval_ns = 0;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Before", 100);
  bench.frame(2);
  const uint64_t calibrations = bench.stats().calibrations;
  bench.device.is_lost = true;
  for (int i = 0; i < 20; ++i) {
    bench.scope("After", 100);
    bench.frame();
  }
  const flamelet_gpu_stats stats = bench.stats();
  CHECK(stats.scopes_submitted == 1);
  CHECK(stats.calibrations == calibrations);
  CHECK(stats.dropped_late + stats.dropped_invalid + stats.scopes_in_flight == 20);
  CHECK(stats.dropped_late >= 2);
  CHECK(bench.device.lost_answers < 10);  // after one calibration nothing is asked any more
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: GPU scopes are labels of their command buffers") {
  SUBCASE("from one buffer") {
    REQUIRE(create() == FLAMELET_OK);
    const flamelet_id outer = begin("Outer");
    begin("Inner");
    CHECK(device.buffer.labels == Names{"Outer", "Inner"});
    end(outer);
    CHECK(device.buffer.labels.empty());
  }
  SUBCASE("a secondary buffer has its own") {
    REQUIRE(create() == FLAMELET_OK);
    const flamelet_id outer = begin("Outer");
    context = &device.other_buffer;
    const flamelet_id inner = begin("Inner");
    CHECK(device.other_buffer.labels == Names{"Inner"});
    end(inner);
    CHECK(device.other_buffer.labels.empty());
    context = &device.buffer;
    end(outer);
    CHECK(device.buffer.labels.empty());
  }
  SUBCASE("one that would end in another buffer is not ended") {
    REQUIRE(create() == FLAMELET_OK);
    const flamelet_id outer = begin("Outer");
    context = &device.other_buffer;
    end(outer);
    CHECK(device.buffer.labels == Names{"Outer"});
    device.groups.clear();
  }
  SUBCASE("not where they are not wanted") {
    vulkan().debug_labels = false;
    REQUIRE(create() == FLAMELET_OK);
    scope("Pass", 10);
    CHECK(device.all_groups.empty());
  }
  SUBCASE("nor without the extension") {
    device.missing_functions = {"vkCmdEndDebugUtilsLabelEXT"};
    REQUIRE(create() == FLAMELET_OK);
    scope("Pass", 10);
    CHECK(device.all_groups.empty());
  }
}

TEST_CASE_FIXTURE(Created<VulkanBench>, "Vulkan: open scopes at destroy write into no command buffer") {
  begin("Open");
  flamelet_gpu_destroy(gpu);
  gpu = nullptr;
  CHECK(device.commands == 1);
  device.groups.clear();
}

// ---- The Vulkan backend's queries: when they are reset, and what happens to those whose times do not come ---------

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: scopes without a command buffer keep their CPU half, and are counted") {
  context = nullptr;
  REQUIRE(create() == FLAMELET_OK);
  scope("Pass", 100);
  frame(2);
  CHECK(stats().dropped_invalid == 1);
  CHECK(stats().queries_in_flight == 0);
  CHECK(device.commands == 0);
  CHECK(read(FLAMELET_LANE_THREAD).size() == 1);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: a frame forgets its command buffer") {
  context = nullptr;
  REQUIRE(create() == FLAMELET_OK);
  flamelet_gpu_set_context(gpu, device.command_buffer());
  scope("Pass", 100);
  frame();
  scope("Pass", 100);
  CHECK(device.commands == 2);
}

TEST_CASE_FIXTURE(VulkanBench, "Vulkan: every query is reset before it is written again, for many rounds") {
  config().max_scopes = 5;
  SUBCASE("by the host") {}
  SUBCASE("by commands") vulkan().host_query_reset = false;
  REQUIRE(create() == FLAMELET_OK);
  for (int i = 0; i < 50; ++i) {
    scope("Shadows", 1000);
    scope("Scene", 500);
    frame();
  }
  frame();
  CHECK(stats().scopes_submitted == 100);
  CHECK(device.misuses == 0);
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
  SUBCASE("by commands") bench.vulkan().host_query_reset = false;
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

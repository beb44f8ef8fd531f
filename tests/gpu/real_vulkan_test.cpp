// SPDX-License-Identifier: MIT
//
// GPU scopes on a real Vulkan device: Mesa's lavapipe where there is no GPU. Nothing here depends on how fast it is.
#include <doctest/doctest.h>

#include <map>

#include "vulkan_drift.h"
#include "vulkan_run.h"

using gpu_test::Names;
using gpu_test::read;
using gpu_test::Span;

namespace {

// Frames of two passes, three in flight; every scope arrives once, nested, and in order.
void check_frames(VulkanRun& run) {
  constexpr int kFrames = 20;
  for (int frame = 0; frame < kFrames; ++frame) {
    VkCommandBuffer buffer = run.begin_frame();
    {
      FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Frame");
      {
        FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Heavy");
        run.device.work(buffer, 8);
      }
      run.device.begin_render_pass(buffer);
      {
        FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "In a render pass");
        run.device.clear_in_render_pass(buffer);
      }
      run.device.end_render_pass(buffer);
    }
    run.end_frame();
  }
  run.finish();
  const flamelet_gpu_stats stats = run.stats();
  CHECK(stats.scopes_submitted == 3 * kFrames);
  CHECK(stats.queries_in_flight == 0);
  CHECK(stats.dropped_invalid == 0);
  CHECK(stats.dropped_late == 0);

  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  std::map<flamelet_id, Span> cpu;
  for (const Span& span : read(FLAMELET_LANE_THREAD)) cpu[span.id] = span;
  REQUIRE(spans.size() == 3 * kFrames);
  for (size_t i = 0; i < spans.size(); i += 3) {
    const Span &frame = spans[i], &heavy = spans[i + 1], &pass = spans[i + 2];
    CHECK(gpu_test::names({frame, heavy, pass}) == Names{"Frame", ".Heavy", ".In a render pass"});
    CHECK(heavy.begin_ns < heavy.end_ns);
    CHECK(heavy.end_ns <= pass.begin_ns);
    CHECK(pass.end_ns <= frame.end_ns);
    if (i > 0) CHECK(spans[i - 3].end_ns <= frame.begin_ns);
    for (const Span* span : {&frame, &heavy, &pass}) {
      REQUIRE(cpu.count(span->id) == 1);
      CHECK(cpu[span->id].text == span->text);
      CHECK(span->begin_ns + vulkan_drift::kAllowedNs + stats.calibration_error_ns >= cpu[span->id].begin_ns);
    }
  }
}

}  // namespace

TEST_CASE("a real Vulkan device: frames in flight, reset by the host, calibrated by the extension") {
  VulkanRun run;
  if (!run.ok()) return;
  CHECK(run.device.has_calibrated_timestamps());
  check_frames(run);
}

TEST_CASE("a real Vulkan device: frames in flight, reset by commands, calibrated by submits") {
  VulkanRun run({false, false});
  if (run.ok()) check_frames(run);
}

TEST_CASE("a real Vulkan device: a full pool drops scopes, counts them, and is used again") {
  VulkanRun run({}, 4);
  if (!run.ok()) return;
  uint64_t begun = 0;
  for (int frame = 0; frame < 10; ++frame) {
    VkCommandBuffer buffer = run.begin_frame();
    for (int i = 0; i < 3; ++i, ++begun) {
      FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Pass");
      run.device.work(buffer, 1);
    }
    run.end_frame();
  }
  run.finish();
  const flamelet_gpu_stats stats = run.stats();
  CHECK(stats.dropped_pool > 0);
  CHECK(stats.scopes_submitted >= 4);
  CHECK(stats.scopes_submitted + stats.dropped_pool == begun);
  CHECK(read(FLAMELET_LANE_THREAD).size() == begun);
}

TEST_CASE("a real Vulkan device: times lie where the CPU's clock says, by the extension and by submits") {
  VulkanDevice::Wish wish;
  SUBCASE("extension") {}
  SUBCASE("submits") {
    wish = {false, false};
  }
  VulkanRun run(wish);
  if (!run.ok()) return;
  const vulkan_drift::Result result = vulkan_drift::measure(run.device, run.gpu, 200, [](int) { return true; });
  CHECK(result.scopes == 200);
  MESSAGE("at most " << result.worst_ns << " ns outside, calibrated within " << result.error_ns << " ns");
  CHECK(result.worst_ns <= vulkan_drift::kAllowedNs + result.error_ns);
}

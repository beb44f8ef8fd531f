// SPDX-License-Identifier: MIT
//
// GPU scopes on a real Vulkan device: Mesa's lavapipe where there is no GPU. Nothing here depends on how fast it is.
#include <doctest/doctest.h>

#include <map>

#include "vulkan_drift.h"
#include "vulkan_run.h"

using namespace gpu_test;

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

TEST_CASE("a real Vulkan device: times lie where the CPU's clock says, by the extension and by submits") {
  VulkanDevice::Wish wish;
  SUBCASE("extension") {}
  SUBCASE("submits") wish = {false, false};
  VulkanRun run(wish);
  if (!run.ok()) return;
  const vulkan_drift::Result result = vulkan_drift::measure(run.device, run.gpu, 200, [](int) { return true; });
  CHECK(result.scopes == 200);
  MESSAGE("at most " << result.worst_ns << " ns outside, calibrated within " << result.error_ns << " ns");
  CHECK(result.worst_ns <= vulkan_drift::kAllowedNs + result.error_ns);
}

// ---- command buffers of all kinds

TEST_CASE("a real Vulkan device: scopes in secondary buffers lie inside those of the buffer that executes them") {
  VulkanRun run;
  if (!run.ok()) return;
  VkCommandBuffer secondary = run.device.new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  // Recorded before the scope around it begins, as by a program that records in parallel.
  run.device.begin(secondary, true);
  {
    FLAMELET_VULKAN_SCOPE(run.gpu, secondary, "Secondary");
    run.device.clear_in_render_pass(secondary);
  }
  run.device.end(secondary);
  VkCommandBuffer buffer = run.begin_frame();
  {
    FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Pass");
    run.device.work(buffer, 1);
    run.device.begin_render_pass(buffer, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    run.device.execute(buffer, secondary);
    run.device.end_render_pass(buffer);
  }
  run.end_frame();
  run.finish();
  CHECK(gpu_test::names(read(FLAMELET_LANE_GPU)) == Names{"Pass", ".Secondary"});
}

TEST_CASE_FIXTURE(VulkanRun, "a real Vulkan device: a buffer that is recorded anew has new scopes each time") {
  if (!ok()) return;
  VkCommandBuffer buffer = device.new_buffer();
  for (int i = 0; i < 12; ++i) {
    device.begin(buffer);
    {
      FLAMELET_VULKAN_SCOPE(gpu, buffer, "Recorded anew");
      device.work(buffer, 1);
    }
    device.end(buffer);
    device.run(buffer);
    flamelet_gpu_frame(gpu);
  }
  finish();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 12);
  for (size_t i = 1; i < spans.size(); ++i) CHECK(spans[i - 1].end_ns <= spans[i].begin_ns);
}

TEST_CASE_FIXTURE(VulkanRun, "a real Vulkan device: a scope may begin in one buffer and end in another") {
  if (!ok()) return;
  VkCommandBuffer first = device.new_buffer();
  device.begin(first);
  flamelet_gpu_set_context(gpu, first);
  const flamelet_id id = flamelet_gpu_begin(gpu, "Both", "");
  device.work(first, 1);
  device.end(first);
  VkCommandBuffer second = begin_frame();
  device.work(second, 1);
  flamelet_gpu_set_context(gpu, second);
  flamelet_gpu_end(gpu, id);
  device.run(first);
  end_frame();
  finish();
  CHECK(gpu_test::names(read(FLAMELET_LANE_GPU)) == Names{"Both"});
}

TEST_CASE("a real Vulkan device: buffers that are never submitted are given up, and their queries come back") {
  VulkanRun run({}, 16);
  if (!run.ok()) return;
  VkCommandBuffer dropped = run.device.new_buffer();
  for (int i = 0; i < 40; ++i) {
    run.device.begin(dropped);
    { FLAMELET_VULKAN_SCOPE(run.gpu, dropped, "Never submitted"); }
    run.device.end(dropped);
    flamelet_gpu_frame(run.gpu);
  }
  for (int i = 0; i < 40; ++i) run.play_frame();
  run.finish();
  const flamelet_gpu_stats stats = run.stats();
  CHECK(stats.scopes_submitted >= 20);
  CHECK(stats.scopes_submitted + stats.dropped_late + stats.dropped_invalid + stats.dropped_pool +
            stats.scopes_in_flight ==
        80);
}

TEST_CASE("a real Vulkan device: queries that are used again in every fourth frame are reset in between") {
  VulkanDevice::Wish wish;
  SUBCASE("by the host") {}
  SUBCASE("by commands") wish = {false, true};
  VulkanRun run(wish, 4);
  if (!run.ok()) return;
  for (int i = 0; i < 40; ++i) run.play_frame();
  run.finish();
  CHECK(run.stats().scopes_submitted + run.stats().dropped_pool == 40);
  CHECK(run.stats().scopes_submitted >= 30);
}

// ---- the page about Vulkan
//
// The code of docs/vulkan.md, taken from the page, on a real device.

namespace {

VulkanRun* run;
int complaints = 0;

// What the page's code stands in.
PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
struct Renderer {
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  uint32_t graphics_family;
  VkQueue graphics_queue;

  VkCommandBuffer begin_frame() const { return run->begin_frame(); }
  void record_shadows(VkCommandBuffer commands) const { run->device.work(commands, 1); }
  void record_scene(VkCommandBuffer commands) const { run->device.work(commands, 2); }
  void end_frame(VkCommandBuffer) const { run->submit_frame(); }
};
void log(const char*) {
  ++complaints;
}
#include "vulkan/start.inc"

#include "vulkan/frame.inc"

}  // namespace

TEST_CASE("the page about Vulkan: its code times the frames of a renderer") {
  VulkanRun vulkan;
  if (!vulkan.ok()) return;
  run = &vulkan;
  const flamelet_gpu_vulkan_config config = vulkan.device.config();
  vkGetInstanceProcAddr = config.get_proc;
  const Renderer renderer = {config.instance, config.physical_device, config.device, config.queue_family, config.queue};
  flamelet_gpu* gpu = start_gpu_timer(renderer);
  REQUIRE(gpu != nullptr);
  CHECK(complaints == 0);
  for (int i = 0; i < 8; ++i) draw_frame(renderer, gpu);
  vulkan.device.wait_idle();
  flamelet_gpu_frame(gpu);
  const std::vector<gpu_test::Span> spans = gpu_test::read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() >= 15);
  CHECK(gpu_test::names({spans[0], spans[1], spans[2]}) == gpu_test::Names{"Frame", ".Shadows", ".Scene"});
  flamelet_gpu_destroy(gpu);
}

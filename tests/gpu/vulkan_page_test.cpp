// SPDX-License-Identifier: MIT
//
// The code of docs/vulkan.md, taken from the page, on a real device.
#include <doctest/doctest.h>

#include "vulkan_run.h"

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

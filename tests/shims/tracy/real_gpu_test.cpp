// SPDX-License-Identifier: MIT
//
// The zones of Tracy's macros on real devices without a window: Mesa's software renderers where there is no GPU. Functions
// are found by name, as by a loader that makes the names macros.
#include "gpu/offscreen_gl.h"
#include "gpu/vulkan_device.h"
#include "shim_recording.h"

namespace {

flamelet_gl_get_proc gl_proc;
flamelet_gpu_vulkan_config vulkan;

flamelet_vulkan_function vulkan_proc(const char* name) {
  return vulkan.get_proc(vulkan.instance, name);
}

}  // namespace

#define glGenQueries gl_proc("glGenQueries")
#define glDeleteQueries gl_proc("glDeleteQueries")
#define glQueryCounter gl_proc("glQueryCounter")
#define glGetQueryiv gl_proc("glGetQueryiv")
#define glGetQueryObjectuiv gl_proc("glGetQueryObjectuiv")
#define glGetQueryObjectui64v gl_proc("glGetQueryObjectui64v")
#define glGetInteger64v gl_proc("glGetInteger64v")
#define glGetStringi gl_proc("glGetStringi")
#define glGetError gl_proc("glGetError")
#define vkGetDeviceProcAddr vulkan_proc("vkGetDeviceProcAddr")
#define vkGetPhysicalDeviceProperties vulkan_proc("vkGetPhysicalDeviceProperties")
#define vkGetPhysicalDeviceQueueFamilyProperties vulkan_proc("vkGetPhysicalDeviceQueueFamilyProperties")
#include <tracy/TracyOpenGL.hpp>
#include <tracy/TracyVulkan.hpp>

using namespace shim_test;

TEST_CASE_FIXTURE(Shim, "tracy GPU: zones of a real OpenGL context") {
  OffscreenGl gl;
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  gl_proc = gl.get_proc;
  TracyGpuContext;
  REQUIRE(tracy::ThisGpuCtx().gpu() != nullptr);
  TracyGpuContextName("renderer", 8);
  for (int i = 0; i < 3; ++i) {
    {
      TracyGpuZone("frame");
      {
        TracyGpuZone("shadows");
        gl.draw(0, 10);
      }
      gl.draw(1, 1);
    }
    TracyGpuCollect;
    gl.finish();
  }
  TracyGpuCollect;
  CHECK(tree("renderer") == "frame(shadows) frame(shadows) frame(shadows)");
  CHECK(gl.error() == 0);
}

TEST_CASE("tracy Vulkan: zones of a real device, with each kind of context, and a silent validation layer") {
  Shim shim;
  VulkanDevice::Wish wish;
  SUBCASE("plain") wish = {false, false};
  SUBCASE("calibrated") wish = {false, true};
  SUBCASE("host calibrated") {}
  VulkanDevice device(wish);
  if (!device.ok()) {
    MESSAGE("skipped: " << device.why_not());
    return;
  }
  vulkan = device.config();
  VkCommandBuffer buffer = device.new_buffer();
  const auto time_domains = vulkan_proc("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
  TracyVkCtx context = nullptr;
  if (wish.host_query_reset)
    context = TracyVkContextHostCalibrated(vulkan.physical_device, vulkan.device, nullptr, time_domains, nullptr);
  else if (wish.calibrated_timestamps)
    context =
        TracyVkContextCalibrated(vulkan.physical_device, vulkan.device, vulkan.queue, buffer, time_domains, nullptr);
  else
    context = TracyVkContext(vulkan.physical_device, vulkan.device, vulkan.queue, buffer);
  REQUIRE(context->gpu() != nullptr);
  TracyVkContextName(context, "renderer", 8);
  for (int i = 0; i < 7; ++i) {
    device.begin(buffer);
    if (i < 3) {
      TracyVkZone(context, buffer, "frame");
      TracyVkNamedZone(context, shadows, buffer, "shadows", true);
      device.work(buffer, 1);
    }
    TracyVkCollect(context, buffer);
    device.end(buffer);
    device.run(buffer);
  }
  CHECK(shim.tree("renderer") == "frame(shadows) frame(shadows) frame(shadows)");
  TracyVkDestroy(context);
  device.close();
  CHECK(device.complaints().empty());
}

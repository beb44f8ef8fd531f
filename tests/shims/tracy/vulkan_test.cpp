// SPDX-License-Identifier: MIT
//
// Vulkan's functions are those of a fake one, under the names that a loader gives.
#include <chrono>
#include <thread>

#include "gpu/fake_vulkan.h"
#include "shim_recording.h"

#define vkGetDeviceProcAddr FakeVulkan::proc("vkGetDeviceProcAddr")
#define vkGetPhysicalDeviceProperties FakeVulkan::proc("vkGetPhysicalDeviceProperties")
#define vkGetPhysicalDeviceQueueFamilyProperties FakeVulkan::proc("vkGetPhysicalDeviceQueueFamilyProperties")
#include <tracy/TracyVulkan.hpp>

using namespace shim_test;

namespace {

struct Device : FakeVulkan {
  Device() {
    clock = [] {
      return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
    };
    fill(&config);
  }
  flamelet_gpu_vulkan_config config;
};

// A frame of all zones. They are fetched when their frame is three frames old.
void draw(TracyVkCtx context, VkCommandBuffer buffer, bool by_host) {
  {
    TracyVkZone(context, buffer, "frame");
    { TracyVkZoneC(context, buffer, "shadows", 0x112233); }
    { TracyVkNamedZone(context, off, buffer, "off", false); }
    const std::string name = "pass 1";
    { TracyVkZoneTransient(context, pass, buffer, name.c_str(), true); }
    { TracyVkNamedZoneCS(context, deep, buffer, "deep", 0x10, 4, true); }
  }
  for (int i = 0; i < 4; ++i) {
    if (by_host)
      TracyVkCollectHost(context);
    else
      TracyVkCollect(context, buffer);
  }
}

const char* const kFrame = "frame(shadows pass 1 deep)";

}  // namespace

TEST_CASE("tracy Vulkan: zones on a lane of the GPU, beside those of the thread, with each kind of context") {
  Shim shim;
  Device device;
  const flamelet_gpu_vulkan_config& config = device.config;
  VkCommandBuffer lent = device.lent_command_buffer();
  const auto time_domains = FakeVulkan::proc("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
  const auto timestamps = FakeVulkan::proc("vkGetCalibratedTimestampsEXT");
  TracyVkCtx context = nullptr;
  bool by_host = false;
  uint64_t submits = 0;
  SUBCASE("plain: reset and read by submits") {
    context = TracyVkContext(config.physical_device, config.device, config.queue, lent);
    submits = 2;
  }
  SUBCASE("calibrated: reset by a submit") {
    context =
        TracyVkContextCalibrated(config.physical_device, config.device, config.queue, lent, time_domains, timestamps);
    submits = 1;
  }
  SUBCASE("host calibrated: no submits") {
    const auto query_reset = FakeVulkan::proc("vkResetQueryPool");
    context =
        TracyVkContextHostCalibrated(config.physical_device, config.device, query_reset, time_domains, timestamps);
    (void)query_reset;
    by_host = true;
  }
  TracyVkContextName(context, "renderer, cut", 8);
  draw(context, device.command_buffer(), by_host);
  CHECK(shim.tree() == kFrame);
  REQUIRE(context->gpu() != nullptr);
  CHECK(shim.tree("renderer") == kFrame);
  CHECK(device.commands == 8);
  CHECK(device.submits == submits);
  CHECK(device.misuses == 0);
  CHECK(recorder_test::lane_of(shim.capture(), shim.capture().lane("renderer")).kind == FLAMELET_LANE_GPU);
  TracyVkDestroy(context);
  CHECK(device.objects == 0);
  (void)timestamps;
}

TEST_CASE_FIXTURE(Shim, "tracy Vulkan: without timestamps, zones are those of the thread") {
  Device device;
  device.counter_bits = 0;
  const flamelet_gpu_vulkan_config& config = device.config;
  TracyVkCtx context =
      TracyVkContext(config.physical_device, config.device, config.queue, device.lent_command_buffer());
  TracyVkContextName(context, "nothing", 7);
  draw(context, device.command_buffer(), false);
  CHECK(context->gpu() == nullptr);
  CHECK(tree() == kFrame);
  CHECK(device.commands == 0);
  TracyVkDestroy(context);
}

TEST_CASE("tracy Vulkan: of zones that two threads have open at one time, the second thread's are only its own") {
  Shim shim;
  Device device;
  const flamelet_gpu_vulkan_config& config = device.config;
  TracyVkCtx context =
      TracyVkContext(config.physical_device, config.device, config.queue, device.lent_command_buffer());
  TracyVkContextName(context, "renderer", 8);
  VkCommandBuffer buffer = device.command_buffer();
  {
    TracyVkZone(context, buffer, "main's");
    std::thread([&] {
      flamelet_set_thread_name("worker");
      TracyVkZone(context, buffer, "worker's");
    }).join();
  }
  std::thread([&] { TracyVkZone(context, buffer, "alone"); }).join();
  for (int i = 0; i < 4; ++i) TracyVkCollect(context, buffer);
  CHECK(shim.tree("renderer") == "main's alone");
  CHECK(shim.tree("worker") == "worker's");
  CHECK(noted("zones in Vulkan's command buffers") == 1);
  TracyVkDestroy(context);
}

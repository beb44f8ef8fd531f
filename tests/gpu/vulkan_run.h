// SPDX-License-Identifier: MIT
//
// vulkan_run.h: a recorder and frames on a Vulkan device, three of them in flight, as programs have them. At its end a
// test fails if the validation layer complained of anything.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>

#include "flamelet/flamelet.h"
#include "gpu/gpu_bench.h"
#include "vulkan_device.h"

class VulkanRun {
 public:
  explicit VulkanRun(const VulkanDevice::Wish& wish = {}, uint32_t max_scopes = 1024) : device(wish) {
    const flamelet_config recorder = flamelet_config_default();
    REQUIRE(flamelet_init(&recorder) == FLAMELET_OK);
    if (!device.ok()) {
      const bool is_needed = std::getenv("FLAMELET_TESTS_NEED_DEVICES") != nullptr;
      CHECK_MESSAGE(!is_needed, device.why_not());
      MESSAGE("skipped: " << device.why_not());
      return;
    }
    MESSAGE(device.name() << std::string(device.is_validated() ? ", validated" : ", no validation layer"));
    flamelet_gpu_vulkan_config config = device.config();
    config.gpu.name = "Vulkan";
    config.gpu.max_scopes = max_scopes;
    REQUIRE(flamelet_gpu_vulkan_create(&config, &gpu) == FLAMELET_OK);
    for (Slot& slot : slots_) slot = {device.new_buffer(), device.new_fence(), false};
  }
  ~VulkanRun() {
    if (device.ok()) device.wait_idle();
    flamelet_gpu_destroy(gpu);
    device.close();
    CHECK(device.complaints() == std::vector<std::string>());
    CHECK(flamelet_shutdown() == FLAMELET_OK);
  }

  bool ok() const { return gpu != nullptr; }

  // Waits until the frame three ago is done, and returns a buffer that records.
  VkCommandBuffer begin_frame() {
    Slot& slot = slots_[frame_ % kFramesInFlight];
    if (slot.is_submitted) device.wait(slot.fence);
    slot.is_submitted = true;
    device.begin(slot.buffer);
    return slot.buffer;
  }
  void end_frame() {
    flamelet_gpu_set_context(gpu, slots_[frame_ % kFramesInFlight].buffer);
    flamelet_gpu_frame(gpu);
    submit_frame();
    flamelet_frame();
  }
  void play_frame() {
    VkCommandBuffer buffer = begin_frame();
    {
      FLAMELET_VULKAN_SCOPE(gpu, buffer, "Pass");
      device.work(buffer, 1);
    }
    end_frame();
  }
  void submit_frame() {
    const Slot& slot = slots_[frame_++ % kFramesInFlight];
    device.end(slot.buffer);
    device.submit(slot.buffer, slot.fence);
  }
  // All frames are done, and their times fetched.
  void finish() {
    device.wait_idle();
    for (int i = 0; i < 4; ++i) {
      begin_frame();
      end_frame();
      device.wait_idle();
    }
  }
  flamelet_gpu_stats stats() const {
    flamelet_gpu_stats stats;
    flamelet_gpu_get_stats(gpu, &stats);
    return stats;
  }

  VulkanDevice device;
  flamelet_gpu* gpu = nullptr;

 private:
  static constexpr uint64_t kFramesInFlight = 3;
  struct Slot {
    VkCommandBuffer buffer;
    VkFence fence;
    bool is_submitted;
  };
  Slot slots_[kFramesInFlight] = {};
  uint64_t frame_ = 0;
};

// SPDX-License-Identifier: MIT
//
// vulkan_clock.h: reads the clock of a device: by VK_EXT_calibrated_timestamps, or by submitting a timestamp and waiting
// for its fence. The submit also serves to reset queries before there is a command buffer of the program's.
#ifndef FLAMELET_GPU_SRC_VULKAN_CLOCK_H
#define FLAMELET_GPU_SRC_VULKAN_CLOCK_H

#include "flamelet/gpu_vulkan.h"
#include "vulkan_calls.h"

namespace flamelet::vulkan {

// A part of a backend's state: zeroed memory, without constructor.
struct Clock {
  // False if the device has no such extension, or its clock is none that it can read.
  bool use_extension(const Loader& loader, VkPhysicalDevice physical_device);
  // False if something cannot be made; destroy() then takes back what was.
  bool use_submits(const Loader& loader, const flamelet_gpu_vulkan_config& config);
  void destroy();

  // By submits: resets the pool's queries, and waits until that is done.
  bool reset_by_submit(Handle pool, uint32_t count);

  // The device's time now. False: not to be had now. The first read by submit may wait long, later ones 0.1 ms.
  bool read(uint64_t* ticks);

 private:
  bool make_buffer(uint32_t queue_family);
  bool record_timestamp();
  bool submit(uint64_t timeout_ns);

  VkDevice device_;
  GetCalibratedTimestamps get_calibrated_timestamps_;  // NULL: by submits
  SubmitCalls calls_;
  VkQueue queue_;
  Handle command_pool_;
  VkCommandBuffer buffer_;  // resets its query, and writes a timestamp
  Handle fence_;
  Handle query_pool_;
  bool is_loaded_;
  bool is_borrowed_;  // the buffer is the program's, for one read
  bool is_recorded_;
  bool is_in_flight_;       // a submit whose fence was not seen yet
  uint32_t reads_to_skip_;  // after one that took too long
};

}  // namespace flamelet::vulkan

#endif  // FLAMELET_GPU_SRC_VULKAN_CLOCK_H

// SPDX-License-Identifier: MIT
//
// vulkan_clock.h: reads the clock of a device: by VK_EXT_calibrated_timestamps, or by submitting a timestamp and waiting
// for its fence. The submit also serves to reset queries before there is a command buffer of the program's.
#ifndef FLAMELET_GPU_SRC_VULKAN_CLOCK_H
#define FLAMELET_GPU_SRC_VULKAN_CLOCK_H

#include <cstddef>
#include <cstdint>

#include "flamelet/gpu_vulkan.h"
#include "platform/process.h"

namespace flamelet::vulkan {

// Vulkan calls: the few functions, structs and constants of Vulkan that timing needs, with the values of the Khronos
// registry, so that no header of Vulkan is needed to build. A test compares all of them with vulkan_core.h.

using Handle = uint64_t;  // that is not dispatchable: a pointer or a number of 64 bits

using Result = int32_t;
constexpr Result kSuccess = 0;
constexpr Result kTimeout = 2;
constexpr Result kDeviceLost = -4;

constexpr uint32_t kStageBottomOfPipe = 0x2000;
constexpr uint32_t kQueryResult64 = 1;
constexpr uint32_t kQueryResultWithAvailability = 4;
constexpr uint32_t kCommandPoolResetCommandBuffer = 2;
constexpr uint32_t kQueryTypeTimestamp = 2;
constexpr uint32_t kLevelPrimary = 0;
constexpr uint32_t kTimeDomainDevice = 0;

using StructureType = uint32_t;
constexpr StructureType kTypeSubmitInfo = 4;
constexpr StructureType kTypeFenceCreateInfo = 8;
constexpr StructureType kTypeQueryPoolCreateInfo = 11;
constexpr StructureType kTypeCommandPoolCreateInfo = 39;
constexpr StructureType kTypeCommandBufferAllocateInfo = 40;
constexpr StructureType kTypeCommandBufferBeginInfo = 42;
constexpr StructureType kTypeDebugUtilsLabel = 1000128002;
constexpr StructureType kTypeCalibratedTimestampInfo = 1000184000;

struct QueryPoolCreateInfo {
  StructureType type;
  const void* next;
  uint32_t flags;
  uint32_t query_type;
  uint32_t query_count;
  uint32_t statistics;
};

struct CommandPoolCreateInfo {
  StructureType type;
  const void* next;
  uint32_t flags;
  uint32_t queue_family;
};

struct CommandBufferAllocateInfo {
  StructureType type;
  const void* next;
  Handle pool;
  uint32_t level;
  uint32_t count;
};

struct CommandBufferBeginInfo {
  StructureType type;
  const void* next;
  uint32_t flags;
  const void* inheritance;
};

struct FenceCreateInfo {
  StructureType type;
  const void* next;
  uint32_t flags;
};

struct SubmitInfo {
  StructureType type;
  const void* next;
  uint32_t wait_count;
  const Handle* wait_semaphores;
  const uint32_t* wait_stages;
  uint32_t buffer_count;
  const VkCommandBuffer* buffers;
  uint32_t signal_count;
  const Handle* signal_semaphores;
};

struct DebugUtilsLabel {
  StructureType type;
  const void* next;
  const char* name;
  float color[4];
};

struct CalibratedTimestampInfo {
  StructureType type;
  const void* next;
  uint32_t time_domain;
};

struct QueueFamilyProperties {
  uint32_t flags;
  uint32_t queue_count;
  uint32_t timestamp_valid_bits;
  uint32_t min_image_transfer_granularity[3];
};

// Members that nobody asks for are only counted.
struct PhysicalDeviceLimits {
  uint32_t limits_1[11];
  uint64_t limits_2[2];
  uint32_t limits_3[51];
  float limits_4[2];
  uint32_t limits_5[3];
  float limits_6[2];
  uint32_t limits_7[1];
  size_t limits_8[1];
  uint64_t limits_9[3];
  uint32_t limits_10[4];
  float limits_11[2];
  uint32_t limits_12[16];
  float timestamp_period;  // ns a tick
  uint32_t limits_13[4];
  float limits_14[6];
  uint32_t limits_15[2];
  uint64_t limits_16[3];
};

struct PhysicalDeviceProperties {
  uint32_t versions_and_ids[5];
  char name[256];
  uint8_t pipeline_cache_uuid[16];
  PhysicalDeviceLimits limits;
  uint32_t sparse[5];
};

// ---- Functions

using GetInstanceProcAddr = flamelet_vulkan_function(FLAMELET_DRIVER_CALL_*)(VkInstance, const char*);
using GetDeviceProcAddr = flamelet_vulkan_function(FLAMELET_DRIVER_CALL_*)(VkDevice, const char*);
using GetPhysicalDeviceProperties = void(FLAMELET_DRIVER_CALL_*)(VkPhysicalDevice, PhysicalDeviceProperties*);
using GetPhysicalDeviceQueueFamilyProperties = void(FLAMELET_DRIVER_CALL_*)(VkPhysicalDevice, uint32_t*,
                                                                            QueueFamilyProperties*);
using GetCalibrateableTimeDomains = Result(FLAMELET_DRIVER_CALL_*)(VkPhysicalDevice, uint32_t*, uint32_t*);
using GetCalibratedTimestamps = Result(FLAMELET_DRIVER_CALL_*)(VkDevice, uint32_t, const CalibratedTimestampInfo*,
                                                               uint64_t*, uint64_t*);

struct QueryCalls {
  Result(FLAMELET_DRIVER_CALL_* create_query_pool)(VkDevice, const QueryPoolCreateInfo*, const void*, Handle*);
  void(FLAMELET_DRIVER_CALL_* destroy_query_pool)(VkDevice, Handle, const void*);
  Result(FLAMELET_DRIVER_CALL_* get_query_pool_results)(VkDevice, Handle pool, uint32_t first, uint32_t count,
                                                        size_t bytes, void* data, uint64_t stride, uint32_t flags);
  void(FLAMELET_DRIVER_CALL_* cmd_write_timestamp)(VkCommandBuffer, uint32_t stage, Handle pool, uint32_t query);
  void(FLAMELET_DRIVER_CALL_* cmd_reset_query_pool)(VkCommandBuffer, Handle pool, uint32_t first, uint32_t count);
};

struct SubmitCalls {
  QueryCalls query;
  Result(FLAMELET_DRIVER_CALL_* create_command_pool)(VkDevice, const CommandPoolCreateInfo*, const void*, Handle*);
  void(FLAMELET_DRIVER_CALL_* destroy_command_pool)(VkDevice, Handle, const void*);
  Result(FLAMELET_DRIVER_CALL_* allocate_command_buffers)(VkDevice, const CommandBufferAllocateInfo*, VkCommandBuffer*);
  Result(FLAMELET_DRIVER_CALL_* begin_command_buffer)(VkCommandBuffer, const CommandBufferBeginInfo*);
  Result(FLAMELET_DRIVER_CALL_* end_command_buffer)(VkCommandBuffer);
  Result(FLAMELET_DRIVER_CALL_* queue_submit)(VkQueue, uint32_t count, const SubmitInfo*, Handle fence);
  Result(FLAMELET_DRIVER_CALL_* create_fence)(VkDevice, const FenceCreateInfo*, const void*, Handle*);
  void(FLAMELET_DRIVER_CALL_* destroy_fence)(VkDevice, Handle, const void*);
  Result(FLAMELET_DRIVER_CALL_* reset_fences)(VkDevice, uint32_t count, const Handle*);
  Result(FLAMELET_DRIVER_CALL_* wait_for_fences)(VkDevice, uint32_t count, const Handle*, uint32_t all, uint64_t ns);
};

// Finds functions by name.
struct Loader {
  GetInstanceProcAddr instance_proc;
  GetDeviceProcAddr device_proc;
  VkInstance instance;
  VkDevice device;

  bool open(const flamelet_gpu_vulkan_config& config) {
    instance_proc = reinterpret_cast<GetInstanceProcAddr>(config.get_proc);
    instance = config.instance;
    device = config.device;
    return of_instance("vkGetDeviceProcAddr", &device_proc);
  }
  template <typename Function>
  bool of_instance(const char* name, Function* function) const {
    *function = reinterpret_cast<Function>(instance_proc(instance, name));
    return *function != nullptr;
  }
  template <typename Function>
  bool of_device(const char* name, Function* function) const {
    *function = reinterpret_cast<Function>(device_proc(device, name));
    return *function != nullptr;
  }
  bool load(QueryCalls* to) const {
    return of_device("vkCreateQueryPool", &to->create_query_pool) &&
           of_device("vkDestroyQueryPool", &to->destroy_query_pool) &&
           of_device("vkGetQueryPoolResults", &to->get_query_pool_results) &&
           of_device("vkCmdWriteTimestamp", &to->cmd_write_timestamp) &&
           of_device("vkCmdResetQueryPool", &to->cmd_reset_query_pool);
  }
  bool load(SubmitCalls* to) const {
    return load(&to->query) && of_device("vkCreateCommandPool", &to->create_command_pool) &&
           of_device("vkDestroyCommandPool", &to->destroy_command_pool) &&
           of_device("vkAllocateCommandBuffers", &to->allocate_command_buffers) &&
           of_device("vkBeginCommandBuffer", &to->begin_command_buffer) &&
           of_device("vkEndCommandBuffer", &to->end_command_buffer) && of_device("vkQueueSubmit", &to->queue_submit) &&
           of_device("vkCreateFence", &to->create_fence) && of_device("vkDestroyFence", &to->destroy_fence) &&
           of_device("vkResetFences", &to->reset_fences) && of_device("vkWaitForFences", &to->wait_for_fences);
  }
};

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

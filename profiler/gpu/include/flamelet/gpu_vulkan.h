// SPDX-License-Identifier: MIT
//
// flamelet/gpu_vulkan.h: GPU scopes (gpu.h) in Vulkan's command buffers, by timestamp queries. Needs no header of Vulkan
// and links no loader: every function comes from `get_proc`.
//
//   flamelet_gpu_vulkan_config config = flamelet_gpu_vulkan_config_default();
//   config.get_proc = vkGetInstanceProcAddr;                     // volk's, glfwGetInstanceProcAddress, ...
//   config.instance = instance;  config.physical_device = physical_device;  config.device = device;
//   config.queue_family = queue_family;  config.queue = queue;
//   config.host_query_reset = true;                              // if the device was created with that feature
//   flamelet_gpu* gpu = NULL;
//   flamelet_result result = flamelet_gpu_vulkan_create(&config, &gpu);      // on failure gpu stays NULL, see gpu.h
//   each frame:
//     { FLAMELET_VULKAN_SCOPE(gpu, command_buffer, "Shadows"); record_shadows(command_buffer); }
//     flamelet_gpu_set_context(gpu, command_buffer);             // needed only without host_query_reset
//     flamelet_gpu_frame(gpu);                                   // then vkEndCommandBuffer(), submit, flamelet_frame()
//
// Buffers:   primary and secondary, of the queue's family, inside and outside of render passes. A scope may begin in one
//            buffer and end in another. Record each buffer anew for each submit: the scopes in a buffer that is
//            submitted again would write into queries of others. To time such a buffer, put the scope around it, into
//            the primary buffer that executes it. Not in render passes with a view mask (multiview), whose timestamps
//            take one query a view.
// Threads:   every call with this object on one thread. One object for each queue; if several threads record for a
//            queue, one for each of them.
// Reset:     with host_query_reset, queries are reset by the host. Otherwise flamelet_gpu_frame() records the reset into
//            the command buffer of flamelet_gpu_set_context(), which must be recording, outside of a render pass, of a
//            queue for graphics or compute, and submitted before those of the next frame.
// Frames:    results are asked for config.gpu.min_frames frames later (default 3). Set it to the frames that you have in
//            flight, if they are more: the validation layer takes a query for done when you have waited for its fence.
// Clocks:    with VK_EXT_calibrated_timestamps (or KHR's), if it was enabled, reading the GPU's clock is one call. Without
//            it, flamelet_gpu_frame() submits a timestamp to `queue` and waits for it, but at most 0.1 ms; if the GPU is
//            busy, the calibration before stays, and it tries again 16 frames later. So no other thread may use the
//            queue during flamelet_gpu_frame().
// Losses:    as in gpu.h. A buffer that is never submitted, a GPU that is far behind and a lost device give no times:
//            dropped_late. A scope without a command buffer (NULL), or whose query is still used by a buffer in flight:
//            dropped_invalid.
// Lifetime:  destroy it when the GPU is done with its buffers, and before the device. After the device is destroyed, use
//            flamelet_gpu_abandon().
#ifndef FLAMELET_GPU_VULKAN_H
#define FLAMELET_GPU_VULKAN_H

#include "flamelet/gpu.h"

FLAMELET_EXTERN_C_BEGIN

// As in vulkan_core.h, which may be included, too, before or after.
typedef struct VkInstance_T* VkInstance;
typedef struct VkPhysicalDevice_T* VkPhysicalDevice;
typedef struct VkDevice_T* VkDevice;
typedef struct VkQueue_T* VkQueue;
typedef struct VkCommandBuffer_T* VkCommandBuffer;

// Any function, and vkGetInstanceProcAddr(). It is called as a function of Vulkan: on Windows of 32 bits, cast yours.
typedef void (*flamelet_vulkan_function)(void);
typedef flamelet_vulkan_function (*flamelet_vulkan_get_proc)(VkInstance instance, const char* name);

// Where the queue's family is not known. Submits then need config.buffer.
#define FLAMELET_VULKAN_ANY_FAMILY 0xFFFFFFFFu

// Made by flamelet_gpu_vulkan_config_default(), then changed.
typedef struct flamelet_gpu_vulkan_config {
  uint32_t cookie;                    // set by flamelet_gpu_vulkan_config_default()
  flamelet_gpu_config gpu;            // lane, limits, memory
  flamelet_vulkan_get_proc get_proc;  // required, as are the next three; used by create only
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  uint32_t queue_family;  // of the queue that runs the command buffers, or FLAMELET_VULKAN_ANY_FAMILY
  VkQueue queue;          // that queue. May be NULL with host_query_reset and calibrated timestamps
  // NULL: for its own submits, create makes a command pool. Else create submits this buffer, which can be begun again, and
  // nothing is submitted later: without the extension the GPU's clock is read only once.
  VkCommandBuffer buffer;
  bool host_query_reset;  // the device has the feature hostQueryReset enabled (Vulkan 1.2, VK_EXT_host_query_reset)
  bool calibrated_timestamps;  // default true: use the extension if the device has it enabled
  bool debug_labels;           // default true: GPU scopes are debug labels, too, if VK_EXT_debug_utils is enabled
} flamelet_gpu_vulkan_config;

FLAMELET_API flamelet_gpu_vulkan_config flamelet_gpu_vulkan_config_default(void);

// What flamelet_gpu_vulkan_create() allocates, or 0 if the config is invalid.
FLAMELET_API size_t flamelet_gpu_vulkan_memory_required(const flamelet_gpu_vulkan_config* config);

// Sets `*gpu`, to NULL after an error. One allocation, and one query pool of 2 * max_scopes; without the extension or
// without host_query_reset also a command pool, a fence, and a submit that is waited for, up to 1 s.
// FLAMELET_ERROR_NO_GPU_TIMESTAMPS (no lane is made): the queue's family has no timestamps, get_proc lacks a function of
// queries, command buffers, fences or submits that is needed, the device is lost, or a pool, the fence or the submit fails.
// FLAMELET_ERROR_INVALID_ARGUMENT: `config` or `gpu` is NULL, the config is not made by its default function, a required
// field is NULL, a limit is out of range, there is no such family, get_proc finds no vkGetDeviceProcAddr or no
// vkGetPhysicalDeviceQueueFamilyProperties, host_query_reset is set and there is no vkResetQueryPool, or submits are needed and
// queue is NULL, or both buffer and queue_family are missing.
// FLAMELET_ERROR_NOT_INITIALIZED: no recorder runs. FLAMELET_ERROR_LIMIT: the recorder has no free track.
// FLAMELET_ERROR_OUT_OF_MEMORY: the allocator gave none.
FLAMELET_API flamelet_result flamelet_gpu_vulkan_create(const flamelet_gpu_vulkan_config* config, flamelet_gpu** gpu);

FLAMELET_EXTERN_C_END

#ifdef __cplusplus

namespace flamelet {

// One open GPU scope in a command buffer, with its CPU scope.
class VulkanScope {
 public:
  FLAMELET_NOT_INSTRUMENTED_ VulkanScope(flamelet_gpu* gpu, VkCommandBuffer buffer, flamelet_site* site) noexcept
      : gpu_(gpu), buffer_(buffer), id_(flamelet_scope_begin_(site)) {
    flamelet_gpu_set_context(gpu, buffer);
    flamelet_gpu_attach(gpu, id_, site->name, site->category);
  }
  FLAMELET_NOT_INSTRUMENTED_ ~VulkanScope() noexcept {
    flamelet_gpu_set_context(gpu_, buffer_);
    flamelet_gpu_end(gpu_, id_);
  }
  VulkanScope(const VulkanScope&) = delete;
  VulkanScope& operator=(const VulkanScope&) = delete;

 private:
  flamelet_gpu* gpu_;
  VkCommandBuffer buffer_;
  flamelet_id id_;
};

}  // namespace flamelet

// A GPU scope in `command_buffer` until the end of the enclosing braces. `gpu` may be NULL. The rules of FLAMELET_SCOPE()
// hold. In C: flamelet_gpu_set_context(), then FLAMELET_GPU_BEGIN() or FLAMELET_GPU_END().
#ifndef FLAMELET_DISABLED
#define FLAMELET_VULKAN_SCOPE(gpu, command_buffer, name)                                          \
  const ::flamelet::VulkanScope FLAMELET_UNIQUE_(flamelet_vulkan_scope_)((gpu), (command_buffer), \
                                                                         FLAMELET_SITE_(name, FLAMELET_CATEGORY, 0u))
#else
#define FLAMELET_VULKAN_SCOPE(gpu, command_buffer, name)                                                      \
  ((void)sizeof(static_cast<flamelet_gpu*>(gpu)), (void)sizeof(static_cast<VkCommandBuffer>(command_buffer)), \
   FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name)))
#endif

#endif  // __cplusplus

#endif  // FLAMELET_GPU_VULKAN_H

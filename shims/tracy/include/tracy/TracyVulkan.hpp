// SPDX-License-Identifier: MIT
//
// tracy/TracyVulkan.hpp: Tracy's zones in Vulkan's command buffers, by flamelet::gpu_vulkan. Include it behind Vulkan's
// header or volk: without TRACY_VK_USE_SYMBOL_TABLE the macros that make a context take vkGetDeviceProcAddr,
// vkGetPhysicalDeviceProperties and vkGetPhysicalDeviceQueueFamilyProperties as they are visible where they stand.
//
// A GPU zone is also a zone of its thread. Without timestamps, or without a recorder, it is only that. Zones of one context
// may come from several threads, but while one thread has zones open, those of others are only zones of their threads
// (counted in the notes): make a context for each thread that records.
#ifndef FLAMELET_TRACY_VULKAN_HPP
#define FLAMELET_TRACY_VULKAN_HPP

#include "Tracy.hpp"

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)

#include <string.h>

#include <mutex>

#include "flamelet/gpu_vulkan.h"

namespace tracy {

// What the macros know of a queue. Its family is not among it.
struct VkQueueOf {
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  VkQueue queue;
  VkCommandBuffer buffer;  // for create alone
  bool host_query_reset;
  bool calibrated;
};

// vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(), while the calling thread makes a context.
FLAMELET_NOT_INSTRUMENTED_ inline flamelet_vulkan_function& VkTimeDomains() {
  static thread_local flamelet_vulkan_function function = nullptr;
  return function;
}

class VkCtx {
 public:
  FLAMELET_NOT_INSTRUMENTED_ VkCtx(const VkQueueOf& of, flamelet_vulkan_get_proc get_proc) {
    flamelet_gpu_vulkan_config config = flamelet_gpu_vulkan_config_default();
    config.get_proc = get_proc;
    // Only given to get_proc, which looks at it only where the program told it.
    config.instance = of.instance != nullptr ? of.instance : reinterpret_cast<VkInstance>(this);
    config.physical_device = of.physical_device;
    config.device = of.device;
    config.queue = of.queue;
    config.buffer = of.buffer;
    config.host_query_reset = of.host_query_reset;
    config.calibrated_timestamps = of.calibrated;
    config.debug_labels = false;
    config.gpu.max_scopes = 8192;
    config.queue_family = FLAMELET_VULKAN_ANY_FAMILY;
    flamelet_gpu_vulkan_create(&config, &gpu_);  // on failure it stays NULL
  }
  FLAMELET_NOT_INSTRUMENTED_ ~VkCtx() { flamelet_gpu_destroy(gpu_); }
  VkCtx(const VkCtx&) = delete;
  VkCtx& operator=(const VkCtx&) = delete;

  FLAMELET_NOT_INSTRUMENTED_ void Name(const char* text, size_t size) {
    flamelet_gpu_set_name(gpu_, flamelet_intern_bytes(text, size));
  }
  FLAMELET_NOT_INSTRUMENTED_ void Collect(VkCommandBuffer buffer) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (open_zones_ > 0) return;  // another thread records: the next call does it
    flamelet_gpu_set_context(gpu_, buffer);
    flamelet_gpu_frame(gpu_);
  }
  // False: another thread has zones open.
  FLAMELET_NOT_INSTRUMENTED_ bool begin(VkCommandBuffer buffer, flamelet_id id, const char* name) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const void* const thread = this_thread();
    if (open_zones_ > 0 && thread_ != thread) {
      flamelet_shim_note_(FLAMELET_SHIM_NOTE_VULKAN_PARALLEL_);
      return false;
    }
    thread_ = thread;
    ++open_zones_;
    flamelet_gpu_set_context(gpu_, buffer);
    flamelet_gpu_attach(gpu_, id, name, "");
    return true;
  }
  FLAMELET_NOT_INSTRUMENTED_ void end(VkCommandBuffer buffer, flamelet_id id) {
    const std::lock_guard<std::mutex> guard(mutex_);
    --open_zones_;
    flamelet_gpu_set_context(gpu_, buffer);
    flamelet_gpu_detach(gpu_, id);
  }
  FLAMELET_NOT_INSTRUMENTED_ flamelet_gpu* gpu() const { return gpu_; }

 private:
  FLAMELET_NOT_INSTRUMENTED_ static const void* this_thread() {
    static thread_local const char here = 0;
    return &here;
  }

  std::mutex mutex_;
  flamelet_gpu* gpu_ = nullptr;
  const void* thread_ = nullptr;  // of the zones that are open
  unsigned open_zones_ = 0;
};

FLAMELET_NOT_INSTRUMENTED_ inline VkCtx* CreateVkContext(const VkQueueOf& of, flamelet_vulkan_get_proc get_proc) {
  return new VkCtx(of, get_proc);
}
template <typename Function>
FLAMELET_NOT_INSTRUMENTED_ VkCtx* CreateVkContext(const VkQueueOf& of, flamelet_vulkan_get_proc get_proc,
                                                  Function time_domains) {
  VkTimeDomains() = reinterpret_cast<flamelet_vulkan_function>(time_domains);
  VkCtx* const context = new VkCtx(of, get_proc);
  VkTimeDomains() = nullptr;
  return context;
}
FLAMELET_NOT_INSTRUMENTED_ inline void DestroyVkContext(VkCtx* context) {
  delete context;
}

class VkCtxScope {
 public:
  FLAMELET_NOT_INSTRUMENTED_ VkCtxScope(VkCtx* context, VkCommandBuffer buffer, flamelet_site* site, bool active)
      : buffer_(buffer), id_(active ? flamelet_scope_begin_(site) : 0) {
    begin(context, site->name);
  }
  FLAMELET_NOT_INSTRUMENTED_ VkCtxScope(VkCtx* context, VkCommandBuffer buffer, flamelet_site* site, int32_t depth,
                                        bool active)
      : VkCtxScope(context, buffer, site, active) {
    if (depth > 0 && id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }
  FLAMELET_NOT_INSTRUMENTED_ VkCtxScope(VkCtx* context, uint32_t line, const char* file, size_t file_size,
                                        const char* function, size_t function_size, const char* name, size_t name_size,
                                        VkCommandBuffer buffer, int32_t depth, bool active)
      : buffer_(buffer), id_(0) {
    const flamelet_shim_place place = {name, name_size, function, function_size, file, file_size, line, 0};
    if (active) id_ = flamelet_shim_begin_at(&place, nullptr);
    if (id_ != 0) begin(context, flamelet_intern_bytes(name, name_size));
    if (depth > 0 && id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }
  FLAMELET_NOT_INSTRUMENTED_ ~VkCtxScope() {
    if (context_ != nullptr) context_->end(buffer_, id_);
    if (id_ != 0) flamelet_scope_end_(id_);
  }
  VkCtxScope(const VkCtxScope&) = delete;
  VkCtxScope& operator=(const VkCtxScope&) = delete;

 private:
  FLAMELET_NOT_INSTRUMENTED_ void begin(VkCtx* context, const char* name) {
    if (id_ != 0 && context->gpu() != nullptr && context->begin(buffer_, id_, name)) context_ = context;
  }

  VkCtx* context_ = nullptr;  // NULL: the zone is on the CPU only
  VkCommandBuffer buffer_;
  flamelet_id id_;
};

}  // namespace tracy

using TracyVkCtx = tracy::VkCtx*;

#ifdef TRACY_VK_USE_SYMBOL_TABLE
#define TracyVkContext(instance, physdev, device, queue, buffer, instance_proc, device_proc) \
  ::tracy::CreateVkContext({instance, physdev, device, queue, buffer, false, false}, instance_proc)
#define TracyVkContextCalibrated(instance, physdev, device, queue, buffer, instance_proc, device_proc) \
  ::tracy::CreateVkContext({instance, physdev, device, queue, buffer, false, true}, instance_proc)
#define TracyVkContextHostCalibrated(instance, physdev, device, instance_proc, device_proc) \
  ::tracy::CreateVkContext({instance, physdev, device, nullptr, nullptr, true, true}, instance_proc)
#else
// Answers by name what the backend asks for: loaders make these names functions or pointers. It has no instance.
#define FLAMELET_TRACY_VK_(text, function) \
  if (strcmp(flamelet_name, text) == 0) return reinterpret_cast<flamelet_vulkan_function>(function);
#define FLAMELET_TRACY_VK_PROC_                                                                              \
  [](VkInstance, const char* flamelet_name) -> flamelet_vulkan_function {                                    \
    FLAMELET_TRACY_VK_("vkGetDeviceProcAddr", vkGetDeviceProcAddr)                                           \
    FLAMELET_TRACY_VK_("vkGetPhysicalDeviceProperties", vkGetPhysicalDeviceProperties)                       \
    FLAMELET_TRACY_VK_("vkGetPhysicalDeviceQueueFamilyProperties", vkGetPhysicalDeviceQueueFamilyProperties) \
    FLAMELET_TRACY_VK_("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", ::tracy::VkTimeDomains())           \
    return nullptr;                                                                                          \
  }
#define TracyVkContext(physdev, device, queue, buffer) \
  ::tracy::CreateVkContext({nullptr, physdev, device, queue, buffer, false, false}, FLAMELET_TRACY_VK_PROC_)
#define TracyVkContextCalibrated(physdev, device, queue, buffer, time_domains, timestamps)                  \
  ::tracy::CreateVkContext({nullptr, physdev, device, queue, buffer, false, true}, FLAMELET_TRACY_VK_PROC_, \
                           time_domains)
#define TracyVkContextHostCalibrated(physdev, device, query_reset, time_domains, timestamps)                  \
  ::tracy::CreateVkContext({nullptr, physdev, device, nullptr, nullptr, true, true}, FLAMELET_TRACY_VK_PROC_, \
                           time_domains)
#endif
#define TracyVkDestroy(context) ::tracy::DestroyVkContext(context)
#define TracyVkContextName(context, name, size) (context)->Name(name, size)
#define TracyVkCollect(context, buffer) (context)->Collect(buffer)
#define TracyVkCollectHost(context) (context)->Collect(nullptr)

#define FLAMELET_TRACY_VK_ZONE_(context, variable, buffer, name, color, ...)                    \
  FLAMELET_TRACY_HIDES_(FLAMELET_TRACY_PLACE_(name, color); const ::tracy::VkCtxScope variable( \
                            context, buffer, &TracyConcat(flamelet_tracy_place_, TracyLine), __VA_ARGS__))
#define TracyVkNamedZoneC(context, variable, buffer, name, color, active) \
  FLAMELET_TRACY_VK_ZONE_(context, variable, buffer, name, color, active)
#define TracyVkNamedZoneCS(context, variable, buffer, name, color, depth, active) \
  FLAMELET_TRACY_VK_ZONE_(context, variable, buffer, name, color, depth, active)
#define TracyVkZoneTransientS(context, variable, buffer, name, depth, active)                                        \
  FLAMELET_TRACY_HIDES_(const ::tracy::VkCtxScope variable(context, TracyLine, TracyFile, strlen(TracyFile),         \
                                                           TracyFunction, strlen(TracyFunction), name, strlen(name), \
                                                           buffer, depth, active))

#else

using TracyVkCtx = void*;

#ifdef TRACY_VK_USE_SYMBOL_TABLE
#define TracyVkContext(instance, physdev, device, queue, buffer, instance_proc, device_proc) nullptr
#define TracyVkContextCalibrated(instance, physdev, device, queue, buffer, instance_proc, device_proc) nullptr
#define TracyVkContextHostCalibrated(instance, physdev, device, instance_proc, device_proc) nullptr
#else
#define TracyVkContext(physdev, device, queue, buffer) nullptr
#define TracyVkContextCalibrated(physdev, device, queue, buffer, time_domains, timestamps) nullptr
#define TracyVkContextHostCalibrated(physdev, device, query_reset, time_domains, timestamps) nullptr
#endif
#define TracyVkDestroy(context)
#define TracyVkContextName(context, name, size)
#define TracyVkCollect(context, buffer)
#define TracyVkCollectHost(context)
#define TracyVkNamedZoneC(context, variable, buffer, name, color, active)
#define TracyVkNamedZoneCS(context, variable, buffer, name, color, depth, active)
#define TracyVkZoneTransientS(context, variable, buffer, name, depth, active)

#endif

#define TracyVkNamedZone(context, variable, buffer, name, active) \
  TracyVkNamedZoneC(context, variable, buffer, name, 0, active)
#define TracyVkNamedZoneS(context, variable, buffer, name, depth, active) \
  TracyVkNamedZoneCS(context, variable, buffer, name, 0, depth, active)
#define TracyVkZone(context, buffer, name) TracyVkZoneC(context, buffer, name, 0)
#define TracyVkZoneC(context, buffer, name, color) \
  TracyVkNamedZoneC(context, ___tracy_gpu_zone, buffer, name, color, true)
#define TracyVkZoneS(context, buffer, name, depth) TracyVkZoneCS(context, buffer, name, 0, depth)
#define TracyVkZoneCS(context, buffer, name, color, depth) \
  TracyVkNamedZoneCS(context, ___tracy_gpu_zone, buffer, name, color, depth, true)
#define TracyVkZoneTransient(context, variable, buffer, name, active) \
  TracyVkZoneTransientS(context, variable, buffer, name, 0, active)

#endif  // FLAMELET_TRACY_VULKAN_HPP

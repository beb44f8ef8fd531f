// SPDX-License-Identifier: MIT
//
// flamelet_tracy/vulkan.hpp: contexts and zones of tracy/TracyVulkan.hpp.
#ifndef FLAMELET_TRACY_VULKAN_CONTEXT_HPP
#define FLAMELET_TRACY_VULKAN_CONTEXT_HPP

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

#endif  // FLAMELET_TRACY_VULKAN_CONTEXT_HPP

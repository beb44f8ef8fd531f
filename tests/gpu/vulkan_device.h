// SPDX-License-Identifier: MIT
//
// vulkan_device.h: a Vulkan device without a window, its validation layer, and work to time on it. Vulkan's loader is
// opened at run time.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <string>
#include <vector>

#include "flamelet/gpu_vulkan.h"

#define FLAMELET_VULKAN_FUNCTIONS(of)                                                                               \
  of(CreateBuffer) of(GetBufferMemoryRequirements) of(BindBufferMemory) of(AllocateMemory) of(FreeMemory)           \
      of(DestroyBuffer) of(CreateImage) of(GetImageMemoryRequirements) of(BindImageMemory) of(DestroyImage)         \
          of(CreateImageView) of(DestroyImageView) of(CreateRenderPass) of(DestroyRenderPass) of(CreateFramebuffer) \
              of(DestroyFramebuffer) of(CreateCommandPool) of(DestroyCommandPool) of(AllocateCommandBuffers)        \
                  of(BeginCommandBuffer) of(EndCommandBuffer) of(CmdFillBuffer) of(CmdBeginRenderPass)              \
                      of(CmdEndRenderPass) of(CmdClearAttachments) of(CmdExecuteCommands) of(CmdPipelineBarrier)    \
                          of(CreateFence) of(DestroyFence) of(ResetFences) of(WaitForFences) of(QueueSubmit)        \
                              of(DeviceWaitIdle) of(GetDeviceQueue) of(DestroyDevice)

class VulkanDevice {
 public:
  struct Wish {
    bool host_query_reset = true;
    bool calibrated_timestamps = true;
  };
  // Check ok().
  explicit VulkanDevice(const Wish& wish);
  ~VulkanDevice() { close(); }
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;

  bool ok() const { return why_not_.empty(); }
  const std::string& why_not() const { return why_not_; }
  const std::string& name() const { return name_; }
  bool is_validated() const { return is_validated_; }
  bool has_calibrated_timestamps() const { return wish_.calibrated_timestamps; }
  // Destroys everything; complaints() stay.
  void close();

  // What the validation layer complained of so far.
  const std::vector<std::string>& complaints() const { return complaints_; }

  flamelet_gpu_vulkan_config config() const;

  VkCommandBuffer new_buffer(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  void begin(VkCommandBuffer buffer, bool in_render_pass = false);
  void end(VkCommandBuffer buffer) { EndCommandBuffer(buffer); }
  // Fills memory this often.
  void work(VkCommandBuffer buffer, int times);
  void begin_render_pass(VkCommandBuffer buffer, VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE);
  void clear_in_render_pass(VkCommandBuffer buffer);
  void end_render_pass(VkCommandBuffer buffer) { CmdEndRenderPass(buffer); }
  void execute(VkCommandBuffer buffer, VkCommandBuffer secondary) { CmdExecuteCommands(buffer, 1, &secondary); }
  VkFence new_fence();
  void submit(VkCommandBuffer buffer, VkFence fence);
  // Waits for it, and resets it.
  void wait(VkFence fence);
  // Submits, and waits.
  void run(VkCommandBuffer buffer);
  void wait_idle() { DeviceWaitIdle(device_); }

 private:
#define FLAMELET_DECLARE_(name) PFN_vk##name name = nullptr;
  FLAMELET_VULKAN_FUNCTIONS(FLAMELET_DECLARE_)
#undef FLAMELET_DECLARE_

  template <typename Function>
  Function of_instance(const char* name) const {
    return reinterpret_cast<Function>(get_proc_(instance_, name));
  }
  bool make_instance();
  bool make_device();
  void make_objects();
  VkDeviceMemory allocate(const VkMemoryRequirements& needed);
  void make_target();

  static VKAPI_ATTR VkBool32 VKAPI_CALL complain(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                 VkDebugUtilsMessageTypeFlagsEXT,
                                                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* user);

  Wish wish_;
  std::string why_not_;
  std::string name_;
  bool is_validated_ = false;
  std::vector<std::string> complaints_;
  PFN_vkGetInstanceProcAddr get_proc_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  uint32_t family_ = 0;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkBuffer memory_ = VK_NULL_HANDLE;
  VkImage image_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  std::vector<VkDeviceMemory> allocations_;
  std::vector<VkFence> fences_;
};

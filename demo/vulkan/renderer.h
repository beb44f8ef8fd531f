// SPDX-License-Identifier: MIT
//
// renderer.h: what a game with a Vulkan renderer has already: a device, a swapchain, frames, and some work for the GPU. It
// knows nothing of Flamelet.
#pragma once

#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_vulkan.h>
#include <imgui.h>

namespace demo {

class Renderer {
 public:
  static constexpr int kMips = 6;

  // Also ImGui's backend. Throws std::runtime_error with a reason.
  explicit Renderer(GLFWwindow* window);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  VkInstance instance() const { return instance_; }
  VkPhysicalDevice physical_device() const { return physical_device_; }
  VkDevice device() const { return device_; }
  uint32_t queue_family() const { return family_; }
  VkQueue queue() const { return queue_; }

  // Waits for a frame of the swapchain, and returns its command buffer, which records. NULL: the window has no frame now.
  VkCommandBuffer begin_frame();
  // An image is cleared, and made smaller again and again.
  void clear_light(VkCommandBuffer commands, float time);
  void shrink_light(VkCommandBuffer commands, int mip);
  // What ImGui drew, in a render pass onto the window.
  void draw_imgui(VkCommandBuffer commands);
  // Submits, and shows the frame.
  void end_frame(VkCommandBuffer commands);
  void wait_idle() { vkDeviceWaitIdle(device_); }

 private:
  void make_instance();
  void make_device();
  void make_light();
  void start_imgui();
  void make_swapchain();

  GLFWwindow* glfw_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  uint32_t family_ = 0;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
  VkImage light_ = VK_NULL_HANDLE;
  VkDeviceMemory light_memory_ = VK_NULL_HANDLE;
  ImGui_ImplVulkanH_Window window_;  // swapchain, render pass and frames
  bool is_swapchain_old_ = false;
};

}  // namespace demo

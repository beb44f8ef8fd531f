// SPDX-License-Identifier: MIT
#include "renderer.h"

#include <backends/imgui_impl_glfw.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {
namespace {

constexpr uint32_t kLightSize = 1024;
constexpr uint32_t kMinImages = 2;

void check(VkResult result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + " failed: " + std::to_string(result));
}

void imgui_check(VkResult result) {
  check(result, "Dear ImGui's backend");
}

// Transfers before it are done before those behind it begin.
void barrier(VkCommandBuffer commands) {
  VkMemoryBarrier all = {};
  all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  all.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &all, 0, nullptr,
                       0, nullptr);
}

}  // namespace

Renderer::Renderer(GLFWwindow* window) : glfw_(window) {
  make_instance();
  check(glfwCreateWindowSurface(instance_, glfw_, nullptr, &window_.Surface), "glfwCreateWindowSurface");
  make_device();
  make_light();
  const VkFormat formats[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM};
  window_.SurfaceFormat = ImGui_ImplVulkanH_SelectSurfaceFormat(physical_device_, window_.Surface, formats, 2,
                                                                VK_COLORSPACE_SRGB_NONLINEAR_KHR);
  window_.PresentMode = VK_PRESENT_MODE_FIFO_KHR;
  make_swapchain();
  start_imgui();
}

Renderer::~Renderer() {
  vkDeviceWaitIdle(device_);
  ImGui_ImplVulkan_Shutdown();
  ImGui_ImplVulkanH_DestroyWindow(instance_, device_, &window_, nullptr);
  vkDestroyImage(device_, light_, nullptr);
  vkFreeMemory(device_, light_memory_, nullptr);
  vkDestroyDescriptorPool(device_, descriptors_, nullptr);
  vkDestroyDevice(device_, nullptr);
  vkDestroyInstance(instance_, nullptr);
}

void Renderer::make_instance() {
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  info.ppEnabledExtensionNames = glfwGetRequiredInstanceExtensions(&info.enabledExtensionCount);
  check(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
}

void Renderer::make_device() {
  uint32_t count = 1;
  check(vkEnumeratePhysicalDevices(instance_, &count, &physical_device_), "vkEnumeratePhysicalDevices");
  if (count == 0) throw std::runtime_error("There is no Vulkan device.");
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, families.data());
  VkBool32 can_show = VK_FALSE;
  for (family_ = 0; family_ < count; ++family_) {
    vkGetPhysicalDeviceSurfaceSupportKHR(physical_device_, family_, window_.Surface, &can_show);
    if (can_show && (families[family_].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0) break;
  }
  if (family_ == count) throw std::runtime_error("No queue can draw to the window.");

  VkPhysicalDeviceVulkan12Features features = {};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features.hostQueryReset = VK_TRUE;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  // A game asks whether the device has the second one.
  const char* const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME};
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 2;
  info.ppEnabledExtensionNames = extensions;
  check(vkCreateDevice(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, family_, 0, &queue_);
}

void Renderer::make_light() {
  VkImageCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {kLightSize, kLightSize, 1};
  info.mipLevels = kMips;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  check(vkCreateImage(device_, &info, nullptr, &light_), "vkCreateImage");
  VkMemoryRequirements needed;
  vkGetImageMemoryRequirements(device_, light_, &needed);
  VkMemoryAllocateInfo memory = {};
  memory.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  memory.allocationSize = needed.size;
  while ((needed.memoryTypeBits >> memory.memoryTypeIndex & 1) == 0) ++memory.memoryTypeIndex;
  check(vkAllocateMemory(device_, &memory, nullptr, &light_memory_), "vkAllocateMemory");
  check(vkBindImageMemory(device_, light_, light_memory_, 0), "vkBindImageMemory");
}

void Renderer::make_swapchain() {
  int width = 0, height = 0;
  glfwGetFramebufferSize(glfw_, &width, &height);
  ImGui_ImplVulkanH_CreateOrResizeWindow(instance_, physical_device_, device_, &window_, family_, nullptr, width,
                                         height, kMinImages);
  window_.FrameIndex = 0;
  is_swapchain_old_ = false;
}

void Renderer::start_imgui() {
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8};
  VkDescriptorPoolCreateInfo pool = {};
  pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  pool.maxSets = 8;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  check(vkCreateDescriptorPool(device_, &pool, nullptr, &descriptors_), "vkCreateDescriptorPool");
  ImGui_ImplGlfw_InitForVulkan(glfw_, true);
  ImGui_ImplVulkan_InitInfo info = {};
  info.Instance = instance_;
  info.PhysicalDevice = physical_device_;
  info.Device = device_;
  info.QueueFamily = family_;
  info.Queue = queue_;
  info.DescriptorPool = descriptors_;
  info.MinImageCount = kMinImages;
  info.ImageCount = window_.ImageCount;
  info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
  info.CheckVkResultFn = imgui_check;
  ImGui_ImplVulkan_Init(&info, window_.RenderPass);

  VkCommandBuffer commands = window_.Frames[0].CommandBuffer;
  VkCommandBufferBeginInfo begin = {};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  ImGui_ImplVulkan_CreateFontsTexture(commands);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSubmitInfo submit = {};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  check(vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkDeviceWaitIdle(device_), "vkDeviceWaitIdle");
  ImGui_ImplVulkan_DestroyFontUploadObjects();
}

VkCommandBuffer Renderer::begin_frame() {
  int width = 0, height = 0;
  glfwGetFramebufferSize(glfw_, &width, &height);
  if (width == 0 || height == 0) return VK_NULL_HANDLE;
  if (is_swapchain_old_ || width != window_.Width || height != window_.Height) make_swapchain();
  const ImGui_ImplVulkanH_FrameSemaphores& semaphores = window_.FrameSemaphores[window_.SemaphoreIndex];
  const VkResult acquired = vkAcquireNextImageKHR(
      device_, window_.Swapchain, UINT64_MAX, semaphores.ImageAcquiredSemaphore, VK_NULL_HANDLE, &window_.FrameIndex);
  is_swapchain_old_ = acquired == VK_ERROR_OUT_OF_DATE_KHR || acquired == VK_SUBOPTIMAL_KHR;
  if (acquired == VK_ERROR_OUT_OF_DATE_KHR) return VK_NULL_HANDLE;
  check(acquired, "vkAcquireNextImageKHR");
  const ImGui_ImplVulkanH_Frame& frame = window_.Frames[window_.FrameIndex];
  check(vkWaitForFences(device_, 1, &frame.Fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(vkResetFences(device_, 1, &frame.Fence), "vkResetFences");
  check(vkResetCommandPool(device_, frame.CommandPool, 0), "vkResetCommandPool");
  VkCommandBufferBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(frame.CommandBuffer, &info), "vkBeginCommandBuffer");
  return frame.CommandBuffer;
}

void Renderer::clear_light(VkCommandBuffer commands, float time) {
  VkImageMemoryBarrier discard = {};
  discard.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  discard.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  discard.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  discard.srcQueueFamilyIndex = discard.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  discard.image = light_;
  discard.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, kMips, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &discard);
  const VkClearColorValue color = {{0.5f + 0.5f * std::sin(time), 0.4f, 0.2f, 1}};
  const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, light_, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

void Renderer::shrink_light(VkCommandBuffer commands, int mip) {
  barrier(commands);
  const int32_t from = static_cast<int32_t>(kLightSize) >> (mip - 1);
  VkImageBlit blit = {};
  blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, static_cast<uint32_t>(mip) - 1, 0, 1};
  blit.srcOffsets[1] = {from, from, 1};
  blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, static_cast<uint32_t>(mip), 0, 1};
  blit.dstOffsets[1] = {from / 2, from / 2, 1};
  vkCmdBlitImage(commands, light_, VK_IMAGE_LAYOUT_GENERAL, light_, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                 VK_FILTER_LINEAR);
}

void Renderer::draw_imgui(VkCommandBuffer commands) {
  VkRenderPassBeginInfo pass = {};
  pass.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  pass.renderPass = window_.RenderPass;
  pass.framebuffer = window_.Frames[window_.FrameIndex].Framebuffer;
  pass.renderArea.extent = {static_cast<uint32_t>(window_.Width), static_cast<uint32_t>(window_.Height)};
  pass.clearValueCount = 1;
  pass.pClearValues = &window_.ClearValue;
  vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
  ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
  vkCmdEndRenderPass(commands);
}

void Renderer::end_frame(VkCommandBuffer commands) {
  ImGui_ImplVulkanH_FrameSemaphores& semaphores = window_.FrameSemaphores[window_.SemaphoreIndex];
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  VkSubmitInfo submit = {};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.waitSemaphoreCount = 1;
  submit.pWaitSemaphores = &semaphores.ImageAcquiredSemaphore;
  submit.pWaitDstStageMask = &stage;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  submit.signalSemaphoreCount = 1;
  submit.pSignalSemaphores = &semaphores.RenderCompleteSemaphore;
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  check(vkQueueSubmit(queue_, 1, &submit, window_.Frames[window_.FrameIndex].Fence), "vkQueueSubmit");
  VkPresentInfoKHR present = {};
  present.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
  present.waitSemaphoreCount = 1;
  present.pWaitSemaphores = &semaphores.RenderCompleteSemaphore;
  present.swapchainCount = 1;
  present.pSwapchains = &window_.Swapchain;
  present.pImageIndices = &window_.FrameIndex;
  const VkResult presented = vkQueuePresentKHR(queue_, &present);
  if (presented == VK_ERROR_OUT_OF_DATE_KHR || presented == VK_SUBOPTIMAL_KHR)
    is_swapchain_old_ = true;
  else
    check(presented, "vkQueuePresentKHR");
  window_.SemaphoreIndex = (window_.SemaphoreIndex + 1) % window_.ImageCount;
}

}  // namespace demo

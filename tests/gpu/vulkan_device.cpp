// SPDX-License-Identifier: MIT
#include "vulkan_device.h"

#include <dlfcn.h>

#include <cstring>

#include "loaded_drivers.h"

namespace {

constexpr VkDeviceSize kBytes = 1 << 20;
constexpr uint32_t kSize = 64;
const char* const kValidation = "VK_LAYER_KHRONOS_validation";

}  // namespace

VkBool32 VulkanDevice::complain(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  static_cast<VulkanDevice*>(user)->complaints_.push_back(data->pMessage);
  return VK_FALSE;
}

VulkanDevice::VulkanDevice(const Wish& wish) : wish_(wish) {
  // The layer's memory would look lost to a leak checker once it is unloaded.
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library != nullptr)
    get_proc_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (get_proc_ == nullptr) {
    why_not_ = "libvulkan.so.1 is not here";
    return;
  }
  if (make_instance() && make_device()) make_objects();
  keep_loaded_drivers();
}

bool VulkanDevice::make_instance() {
  uint32_t count = 0;
  const auto get_layers = of_instance<PFN_vkEnumerateInstanceLayerProperties>("vkEnumerateInstanceLayerProperties");
  get_layers(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  get_layers(&count, layers.data());
  for (const VkLayerProperties& layer : layers) is_validated_ |= std::strcmp(layer.layerName, kValidation) == 0;

  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_2;
  VkDebugUtilsMessengerCreateInfoEXT messenger = {};
  messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = complain;
  messenger.pUserData = this;
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = &messenger;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = is_validated_;
  info.ppEnabledLayerNames = &kValidation;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = extensions;
  if (of_instance<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &instance_) != VK_SUCCESS) {
    instance_ = VK_NULL_HANDLE;
    why_not_ = "no Vulkan 1.2 instance with VK_EXT_debug_utils";
    return false;
  }
  of_instance<PFN_vkCreateDebugUtilsMessengerEXT>("vkCreateDebugUtilsMessengerEXT")(instance_, &messenger, nullptr,
                                                                                    &messenger_);
  return true;
}

bool VulkanDevice::make_device() {
  why_not_ = "no Vulkan 1.2 device with timestamps and host query reset";
  uint32_t count = 1;
  of_instance<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance_, &count, &physical_device_);
  if (count == 0) return false;
  VkPhysicalDeviceProperties properties;
  of_instance<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(physical_device_, &properties);
  name_ = properties.deviceName;
  const auto get_families =
      of_instance<PFN_vkGetPhysicalDeviceQueueFamilyProperties>("vkGetPhysicalDeviceQueueFamilyProperties");
  get_families(physical_device_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  get_families(physical_device_, &count, families.data());
  while (family_ < count &&
         ((families[family_].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0 || families[family_].timestampValidBits == 0))
    ++family_;
  if (family_ == count || properties.apiVersion < VK_API_VERSION_1_2) return false;

  const auto get_extensions =
      of_instance<PFN_vkEnumerateDeviceExtensionProperties>("vkEnumerateDeviceExtensionProperties");
  get_extensions(physical_device_, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  get_extensions(physical_device_, nullptr, &count, extensions.data());
  const char* const calibrated = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
  bool has_calibrated = false;
  for (const VkExtensionProperties& extension : extensions)
    has_calibrated |= std::strcmp(extension.extensionName, calibrated) == 0;
  wish_.calibrated_timestamps &= has_calibrated;

  VkPhysicalDeviceVulkan12Features features = {};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features.hostQueryReset = wish_.host_query_reset;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = wish_.calibrated_timestamps;
  info.ppEnabledExtensionNames = &calibrated;
  if (of_instance<PFN_vkCreateDevice>("vkCreateDevice")(physical_device_, &info, nullptr, &device_) != VK_SUCCESS) {
    device_ = VK_NULL_HANDLE;
    return false;
  }
  const auto get_device_proc = of_instance<PFN_vkGetDeviceProcAddr>("vkGetDeviceProcAddr");
#define FLAMELET_LOAD_(name) name = reinterpret_cast<PFN_vk##name>(get_device_proc(device_, "vk" #name));
  FLAMELET_VULKAN_FUNCTIONS(FLAMELET_LOAD_)
#undef FLAMELET_LOAD_
  GetDeviceQueue(device_, family_, 0, &queue_);
  why_not_.clear();
  return true;
}

VkDeviceMemory VulkanDevice::allocate(const VkMemoryRequirements& needed) {
  uint32_t type = 0;
  while ((needed.memoryTypeBits >> type & 1) == 0) ++type;
  VkMemoryAllocateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = needed.size;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  AllocateMemory(device_, &info, nullptr, &memory);
  allocations_.push_back(memory);
  return memory;
}

void VulkanDevice::make_objects() {
  VkCommandPoolCreateInfo pool = {};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = family_;
  CreateCommandPool(device_, &pool, nullptr, &pool_);
  VkBufferCreateInfo buffer = {};
  buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  buffer.size = kBytes;
  buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  CreateBuffer(device_, &buffer, nullptr, &memory_);
  VkMemoryRequirements needed;
  GetBufferMemoryRequirements(device_, memory_, &needed);
  BindBufferMemory(device_, memory_, allocate(needed), 0);
  make_target();
}

void VulkanDevice::make_target() {
  VkImageCreateInfo image = {};
  image.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  image.imageType = VK_IMAGE_TYPE_2D;
  image.format = VK_FORMAT_R8G8B8A8_UNORM;
  image.extent = {kSize, kSize, 1};
  image.mipLevels = 1;
  image.arrayLayers = 1;
  image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  CreateImage(device_, &image, nullptr, &image_);
  VkMemoryRequirements needed;
  GetImageMemoryRequirements(device_, image_, &needed);
  BindImageMemory(device_, image_, allocate(needed), 0);
  VkImageViewCreateInfo view = {};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = image_;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = image.format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  CreateImageView(device_, &view, nullptr, &view_);

  VkAttachmentDescription attachment = {};
  attachment.format = image.format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  VkRenderPassCreateInfo pass = {};
  pass.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
  pass.attachmentCount = 1;
  pass.pAttachments = &attachment;
  pass.subpassCount = 1;
  pass.pSubpasses = &subpass;
  CreateRenderPass(device_, &pass, nullptr, &render_pass_);
  VkFramebufferCreateInfo framebuffer = {};
  framebuffer.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
  framebuffer.renderPass = render_pass_;
  framebuffer.attachmentCount = 1;
  framebuffer.pAttachments = &view_;
  framebuffer.width = kSize;
  framebuffer.height = kSize;
  framebuffer.layers = 1;
  CreateFramebuffer(device_, &framebuffer, nullptr, &framebuffer_);
}

void VulkanDevice::close() {
  if (device_ != VK_NULL_HANDLE) {
    DeviceWaitIdle(device_);
    for (VkFence fence : fences_) DestroyFence(device_, fence, nullptr);
    DestroyFramebuffer(device_, framebuffer_, nullptr);
    DestroyRenderPass(device_, render_pass_, nullptr);
    DestroyImageView(device_, view_, nullptr);
    DestroyImage(device_, image_, nullptr);
    DestroyBuffer(device_, memory_, nullptr);
    for (VkDeviceMemory memory : allocations_) FreeMemory(device_, memory, nullptr);
    DestroyCommandPool(device_, pool_, nullptr);
    DestroyDevice(device_, nullptr);
    device_ = VK_NULL_HANDLE;
  }
  if (instance_ == VK_NULL_HANDLE) return;
  of_instance<PFN_vkDestroyDebugUtilsMessengerEXT>("vkDestroyDebugUtilsMessengerEXT")(instance_, messenger_, nullptr);
  of_instance<PFN_vkDestroyInstance>("vkDestroyInstance")(instance_, nullptr);
  instance_ = VK_NULL_HANDLE;
}

flamelet_gpu_vulkan_config VulkanDevice::config() const {
  flamelet_gpu_vulkan_config config = flamelet_gpu_vulkan_config_default();
  config.get_proc = get_proc_;
  config.instance = instance_;
  config.physical_device = physical_device_;
  config.device = device_;
  config.queue_family = family_;
  config.queue = queue_;
  config.host_query_reset = wish_.host_query_reset;
  return config;
}

VkCommandBuffer VulkanDevice::new_buffer(VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool_;
  info.level = level;
  info.commandBufferCount = 1;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  AllocateCommandBuffers(device_, &info, &buffer);
  return buffer;
}

void VulkanDevice::begin(VkCommandBuffer buffer, bool in_render_pass) {
  VkCommandBufferInheritanceInfo inheritance = {};
  inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  inheritance.renderPass = in_render_pass ? render_pass_ : VK_NULL_HANDLE;
  VkCommandBufferBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  if (in_render_pass) info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  info.pInheritanceInfo = &inheritance;
  BeginCommandBuffer(buffer, &info);
}

void VulkanDevice::work(VkCommandBuffer buffer, int times) {
  VkMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  for (int i = 0; i < times; ++i) {
    CmdFillBuffer(buffer, memory_, 0, kBytes, static_cast<uint32_t>(i));
    CmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
  }
}

void VulkanDevice::begin_render_pass(VkCommandBuffer buffer, VkSubpassContents contents) {
  const VkClearValue clear = {};
  VkRenderPassBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  info.renderPass = render_pass_;
  info.framebuffer = framebuffer_;
  info.renderArea.extent = {kSize, kSize};
  info.clearValueCount = 1;
  info.pClearValues = &clear;
  CmdBeginRenderPass(buffer, &info, contents);
}

void VulkanDevice::clear_in_render_pass(VkCommandBuffer buffer) {
  VkClearAttachment clear = {};
  clear.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkClearRect rect = {{{0, 0}, {kSize / 2, kSize / 2}}, 0, 1};
  CmdClearAttachments(buffer, 1, &clear, 1, &rect);
}

VkFence VulkanDevice::new_fence() {
  VkFenceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  CreateFence(device_, &info, nullptr, &fence);
  fences_.push_back(fence);
  return fence;
}

void VulkanDevice::submit(VkCommandBuffer buffer, VkFence fence) {
  VkSubmitInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &buffer;
  QueueSubmit(queue_, 1, &info, fence);
}

void VulkanDevice::wait(VkFence fence) {
  WaitForFences(device_, 1, &fence, VK_TRUE, UINT64_MAX);
  ResetFences(device_, 1, &fence);
}

void VulkanDevice::run(VkCommandBuffer buffer) {
  if (fences_.empty()) new_fence();
  submit(buffer, fences_[0]);
  wait(fences_[0]);
}

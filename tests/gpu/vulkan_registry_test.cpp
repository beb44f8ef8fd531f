// SPDX-License-Identifier: MIT
//
// What vulkan_clock.h declares is what Khronos declares. Checked while this is compiled.
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <doctest/doctest.h>

#include <type_traits>

#include "vulkan_clock.h"

using namespace flamelet::vulkan;

static_assert(kSuccess == VK_SUCCESS && kTimeout == VK_TIMEOUT && kDeviceLost == VK_ERROR_DEVICE_LOST);
static_assert(kStageBottomOfPipe == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
static_assert(kQueryResult64 == VK_QUERY_RESULT_64_BIT);
static_assert(kQueryResultWithAvailability == VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
static_assert(kCommandPoolResetCommandBuffer == VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
static_assert(kQueryTypeTimestamp == VK_QUERY_TYPE_TIMESTAMP);
static_assert(kLevelPrimary == VK_COMMAND_BUFFER_LEVEL_PRIMARY);
static_assert(kTimeDomainDevice == VK_TIME_DOMAIN_DEVICE_EXT);

static_assert(kTypeSubmitInfo == VK_STRUCTURE_TYPE_SUBMIT_INFO);
static_assert(kTypeFenceCreateInfo == VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
static_assert(kTypeQueryPoolCreateInfo == VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
static_assert(kTypeCommandPoolCreateInfo == VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
static_assert(kTypeCommandBufferAllocateInfo == VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
static_assert(kTypeCommandBufferBeginInfo == VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
static_assert(kTypeDebugUtilsLabel == VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT);
static_assert(kTypeCalibratedTimestampInfo == VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT);

// The same size and the same places of members.
#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs))
#define SAME_PLACE(ours, member, theirs, their_member) \
  static_assert(offsetof(ours, member) == offsetof(theirs, their_member))
SAME_SIZE(Handle, VkQueryPool);
SAME_SIZE(QueryPoolCreateInfo, VkQueryPoolCreateInfo);
SAME_PLACE(QueryPoolCreateInfo, query_type, VkQueryPoolCreateInfo, queryType);
SAME_PLACE(QueryPoolCreateInfo, query_count, VkQueryPoolCreateInfo, queryCount);
SAME_SIZE(CommandPoolCreateInfo, VkCommandPoolCreateInfo);
SAME_PLACE(CommandPoolCreateInfo, flags, VkCommandPoolCreateInfo, flags);
SAME_PLACE(CommandPoolCreateInfo, queue_family, VkCommandPoolCreateInfo, queueFamilyIndex);
SAME_SIZE(CommandBufferAllocateInfo, VkCommandBufferAllocateInfo);
SAME_PLACE(CommandBufferAllocateInfo, pool, VkCommandBufferAllocateInfo, commandPool);
SAME_PLACE(CommandBufferAllocateInfo, level, VkCommandBufferAllocateInfo, level);
SAME_PLACE(CommandBufferAllocateInfo, count, VkCommandBufferAllocateInfo, commandBufferCount);
SAME_SIZE(CommandBufferBeginInfo, VkCommandBufferBeginInfo);
SAME_PLACE(CommandBufferBeginInfo, flags, VkCommandBufferBeginInfo, flags);
SAME_PLACE(CommandBufferBeginInfo, inheritance, VkCommandBufferBeginInfo, pInheritanceInfo);
SAME_SIZE(FenceCreateInfo, VkFenceCreateInfo);
SAME_PLACE(FenceCreateInfo, flags, VkFenceCreateInfo, flags);
SAME_SIZE(SubmitInfo, VkSubmitInfo);
SAME_PLACE(SubmitInfo, wait_count, VkSubmitInfo, waitSemaphoreCount);
SAME_PLACE(SubmitInfo, buffer_count, VkSubmitInfo, commandBufferCount);
SAME_PLACE(SubmitInfo, buffers, VkSubmitInfo, pCommandBuffers);
SAME_PLACE(SubmitInfo, signal_count, VkSubmitInfo, signalSemaphoreCount);
SAME_SIZE(DebugUtilsLabel, VkDebugUtilsLabelEXT);
SAME_PLACE(DebugUtilsLabel, name, VkDebugUtilsLabelEXT, pLabelName);
SAME_PLACE(DebugUtilsLabel, color, VkDebugUtilsLabelEXT, color);
SAME_SIZE(CalibratedTimestampInfo, VkCalibratedTimestampInfoEXT);
SAME_PLACE(CalibratedTimestampInfo, time_domain, VkCalibratedTimestampInfoEXT, timeDomain);
SAME_SIZE(QueueFamilyProperties, VkQueueFamilyProperties);
SAME_PLACE(QueueFamilyProperties, timestamp_valid_bits, VkQueueFamilyProperties, timestampValidBits);
SAME_SIZE(PhysicalDeviceProperties, VkPhysicalDeviceProperties);
SAME_PLACE(PhysicalDeviceProperties, limits, VkPhysicalDeviceProperties, limits);
SAME_SIZE(PhysicalDeviceLimits, VkPhysicalDeviceLimits);
SAME_PLACE(PhysicalDeviceLimits, timestamp_period, VkPhysicalDeviceLimits, timestampPeriod);

// Each function takes as many arguments, of the same sizes.
template <typename Ours, typename Theirs>
constexpr bool kSame = false;
template <typename Ours, typename... OurArguments, typename Theirs, typename... TheirArguments>
constexpr bool kSame<Ours (*)(OurArguments...), Theirs (*)(TheirArguments...)> =
    sizeof...(OurArguments) == sizeof...(TheirArguments) &&
    ((sizeof(OurArguments) == sizeof(TheirArguments)) && ...) && std::is_void_v<Ours> == std::is_void_v<Theirs>;
static_assert(kSame<GetInstanceProcAddr, PFN_vkGetInstanceProcAddr>);
static_assert(kSame<flamelet_vulkan_get_proc, PFN_vkGetInstanceProcAddr>);
static_assert(kSame<GetDeviceProcAddr, PFN_vkGetDeviceProcAddr>);
static_assert(kSame<GetPhysicalDeviceProperties, PFN_vkGetPhysicalDeviceProperties>);
static_assert(kSame<GetPhysicalDeviceQueueFamilyProperties, PFN_vkGetPhysicalDeviceQueueFamilyProperties>);
static_assert(kSame<GetCalibrateableTimeDomains, PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>);
static_assert(kSame<GetCalibratedTimestamps, PFN_vkGetCalibratedTimestampsEXT>);
static_assert(kSame<decltype(QueryCalls::create_query_pool), PFN_vkCreateQueryPool>);
static_assert(kSame<decltype(QueryCalls::destroy_query_pool), PFN_vkDestroyQueryPool>);
static_assert(kSame<decltype(QueryCalls::get_query_pool_results), PFN_vkGetQueryPoolResults>);
static_assert(kSame<decltype(QueryCalls::cmd_write_timestamp), PFN_vkCmdWriteTimestamp>);
static_assert(kSame<decltype(QueryCalls::cmd_reset_query_pool), PFN_vkCmdResetQueryPool>);
static_assert(kSame<decltype(SubmitCalls::create_command_pool), PFN_vkCreateCommandPool>);
static_assert(kSame<decltype(SubmitCalls::destroy_command_pool), PFN_vkDestroyCommandPool>);
static_assert(kSame<decltype(SubmitCalls::allocate_command_buffers), PFN_vkAllocateCommandBuffers>);
static_assert(kSame<decltype(SubmitCalls::begin_command_buffer), PFN_vkBeginCommandBuffer>);
static_assert(kSame<decltype(SubmitCalls::end_command_buffer), PFN_vkEndCommandBuffer>);
static_assert(kSame<decltype(SubmitCalls::queue_submit), PFN_vkQueueSubmit>);
static_assert(kSame<decltype(SubmitCalls::create_fence), PFN_vkCreateFence>);
static_assert(kSame<decltype(SubmitCalls::destroy_fence), PFN_vkDestroyFence>);
static_assert(kSame<decltype(SubmitCalls::reset_fences), PFN_vkResetFences>);
static_assert(kSame<decltype(SubmitCalls::wait_for_fences), PFN_vkWaitForFences>);

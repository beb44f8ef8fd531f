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

#include "../flamelet_tracy/vulkan.hpp"

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

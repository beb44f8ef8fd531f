// SPDX-License-Identifier: MIT
//
// fake_vulkan.h: a Vulkan device whose clock, delays and failures a test scripts. It counts what a driver may rely on not
// to happen: a query written without a reset, or reset while it is in flight; a result asked for that was never recorded.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "flamelet/gpu_vulkan.h"
#include "gpu/fake_backend.h"
#include "vulkan_clock.h"

struct FakeVulkan : ScriptedGpu {
  static constexpr flamelet::vulkan::Handle kClockPool = 7, kMainPool = 8;

  struct Query {
    bool known = false;  // reset or written at least once
    bool reset = false;
    bool issued = false;
    uint64_t time = 0;
    uint64_t ready_at = 0;  // in `now`
  };
  struct Buffer {
    std::vector<std::string> labels;  // open now
    std::vector<std::function<void()>> commands;
  };

  FakeVulkan() { current() = this; }
  ~FakeVulkan() { current() = nullptr; }
  FakeVulkan(const FakeVulkan&) = delete;
  FakeVulkan& operator=(const FakeVulkan&) = delete;

  // ---- The script
  float period_ns = 1;
  uint32_t family_count = 1;
  std::set<std::string> missing_functions;
  std::vector<uint32_t> time_domains = {1, 0};
  bool is_lost = false;
  bool is_busy = false;         // what is submitted is not done in time
  bool runs_when_told = false;  // command buffers run when run() says so, instead of while they are recorded

  // ---- What happened. Groups are labels.
  std::vector<Query> queries;  // of the main pool; empty before create and after destroy
  uint64_t submits = 0;
  uint64_t lost_answers = 0;    // calls that were told that the device is lost
  uint64_t objects = 0;         // that exist
  Buffer buffer, other_buffer;  // the program's

  VkCommandBuffer command_buffer() { return reinterpret_cast<VkCommandBuffer>(&buffer); }

  // One that create may submit.
  VkCommandBuffer lent_command_buffer() { return reinterpret_cast<VkCommandBuffer>(&clock_buffer_); }

  // As a program finds functions by their names.
  static flamelet_vulkan_function proc(const char* name) { return instance_proc(nullptr, name); }

  void fill(flamelet_gpu_vulkan_config* config) {
    config->get_proc = reinterpret_cast<flamelet_vulkan_get_proc>(&instance_proc);
    config->instance = reinterpret_cast<VkInstance>(this);
    config->physical_device = reinterpret_cast<VkPhysicalDevice>(this);
    config->device = reinterpret_cast<VkDevice>(this);
    config->queue = reinterpret_cast<VkQueue>(this);
  }

  // The program submits its buffer, and the GPU is done with it.
  void run() {
    std::vector<std::function<void()>> all;
    all.swap(buffer.commands);
    for (const auto& command : all) command();
  }

  static FakeVulkan*& current() {
    static FakeVulkan* fake = nullptr;
    return fake;
  }

 private:
  using Handle = flamelet::vulkan::Handle;
  using Result = flamelet::vulkan::Result;

  static FakeVulkan& of() {
    ++current()->calls;
    return *current();
  }
  Result status() {
    lost_answers += is_lost;
    return is_lost ? flamelet::vulkan::kDeviceLost : flamelet::vulkan::kSuccess;
  }
  Result make(Handle* to, Handle value) {
    if (is_lost) return status();
    ++objects;
    *to = value;
    return flamelet::vulkan::kSuccess;
  }
  void forget(Handle value) {
    if (value != 0) --objects;
  }
  std::vector<Query>& pool(Handle handle) { return handle == kClockPool ? clock_queries_ : queries; }
  uint64_t ticks(uint64_t time_ns) const {
    const uint64_t all = static_cast<uint64_t>(static_cast<double>(time_ns) / static_cast<double>(period_ns));
    const uint64_t whole = period_ns == 1 ? time_ns : all;
    return cut(whole);
  }
  void record(VkCommandBuffer handle, std::function<void()> command) {
    Buffer* to = reinterpret_cast<Buffer*>(handle);
    if (to == &clock_buffer_ || runs_when_told)
      to->commands.push_back(std::move(command));
    else
      command();
  }

  static flamelet_vulkan_function FLAMELET_DRIVER_CALL_ instance_proc(VkInstance, const char* name) {
    FakeVulkan& fake = of();
#define FLAMELET_FAKE_(name, function) \
  { name, reinterpret_cast<flamelet_vulkan_function>(&function) }
    static const std::map<std::string, flamelet_vulkan_function> functions = {
        FLAMELET_FAKE_("vkGetDeviceProcAddr", device_proc),
        FLAMELET_FAKE_("vkGetPhysicalDeviceProperties", get_properties),
        FLAMELET_FAKE_("vkGetPhysicalDeviceQueueFamilyProperties", get_families),
        FLAMELET_FAKE_("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", get_time_domains),
        FLAMELET_FAKE_("vkCmdBeginDebugUtilsLabelEXT", begin_label),
        FLAMELET_FAKE_("vkCmdEndDebugUtilsLabelEXT", end_label),
        FLAMELET_FAKE_("vkCreateQueryPool", create_query_pool),
        FLAMELET_FAKE_("vkDestroyQueryPool", destroy_query_pool),
        FLAMELET_FAKE_("vkGetQueryPoolResults", get_results),
        FLAMELET_FAKE_("vkCmdWriteTimestamp", write_timestamp),
        FLAMELET_FAKE_("vkCmdResetQueryPool", cmd_reset),
        FLAMELET_FAKE_("vkResetQueryPool", host_reset),
        FLAMELET_FAKE_("vkGetCalibratedTimestampsEXT", get_calibrated),
        FLAMELET_FAKE_("vkCreateCommandPool", create_command_pool),
        FLAMELET_FAKE_("vkDestroyCommandPool", destroy_object),
        FLAMELET_FAKE_("vkAllocateCommandBuffers", allocate_buffers),
        FLAMELET_FAKE_("vkBeginCommandBuffer", begin_buffer),
        FLAMELET_FAKE_("vkEndCommandBuffer", end_buffer),
        FLAMELET_FAKE_("vkQueueSubmit", submit),
        FLAMELET_FAKE_("vkCreateFence", create_fence),
        FLAMELET_FAKE_("vkDestroyFence", destroy_object),
        FLAMELET_FAKE_("vkResetFences", reset_fences),
        FLAMELET_FAKE_("vkWaitForFences", wait_for_fences),
    };
#undef FLAMELET_FAKE_
    const auto found = functions.find(name);
    return found == functions.end() || fake.missing_functions.count(name) != 0 ? nullptr : found->second;
  }
  static flamelet_vulkan_function FLAMELET_DRIVER_CALL_ device_proc(VkDevice, const char* name) {
    return instance_proc(nullptr, name);
  }

  static void FLAMELET_DRIVER_CALL_ get_properties(VkPhysicalDevice,
                                                   flamelet::vulkan::PhysicalDeviceProperties* properties) {
    std::memset(properties, 0x5A, sizeof *properties);
    properties->limits.timestamp_period = of().period_ns;
  }
  static void FLAMELET_DRIVER_CALL_ get_families(VkPhysicalDevice, uint32_t* count,
                                                 flamelet::vulkan::QueueFamilyProperties* families) {
    *count = of().family_count;
    for (uint32_t i = 0; i < *count; ++i) families[i] = {1, 1, current()->counter_bits, {1, 1, 1}};
  }
  static Result FLAMELET_DRIVER_CALL_ get_time_domains(VkPhysicalDevice, uint32_t* count, uint32_t* domains) {
    *count = static_cast<uint32_t>(of().time_domains.size());
    for (uint32_t i = 0; i < *count; ++i) domains[i] = current()->time_domains[i];
    return 0;
  }

  static Result FLAMELET_DRIVER_CALL_ create_query_pool(VkDevice, const flamelet::vulkan::QueryPoolCreateInfo* info,
                                                        const void*, Handle* made) {
    FakeVulkan& fake = of();
    const Handle which = info->query_count == 1 ? kClockPool : kMainPool;
    fake.misuses += info->type != 11 || info->query_type != 2;
    const Result result = fake.make(made, which);
    if (result == 0) fake.pool(which).assign(info->query_count, {});
    return result;
  }
  static void FLAMELET_DRIVER_CALL_ destroy_query_pool(VkDevice, Handle made, const void*) {
    FakeVulkan& fake = of();
    fake.forget(made);
    if (made != 0) fake.pool(made).clear();
  }
  static Result FLAMELET_DRIVER_CALL_ get_results(VkDevice, Handle from, uint32_t first, uint32_t count, size_t bytes,
                                                  void* data, uint64_t, uint32_t flags) {
    FakeVulkan& fake = of();
    if (fake.is_lost) return fake.status();
    uint64_t* values = static_cast<uint64_t*>(data);
    if (count != 1 || first >= fake.pool(from).size() || bytes != ((flags & 4) != 0 ? 16 : 8) ||
        !fake.pool(from)[first].known) {
      ++fake.misuses;
      return 1;
    }
    const Query& query = fake.pool(from)[first];
    const bool is_there = query.issued && query.ready_at <= fake.now;
    if ((flags & 4) != 0) values[1] = is_there;
    if (is_there) values[0] = query.time;
    return is_there ? 0 : 1;
  }
  static void FLAMELET_DRIVER_CALL_ write_timestamp(VkCommandBuffer buffer, uint32_t stage, Handle to,
                                                    uint32_t number) {
    FakeVulkan& fake = of();
    fake.misuses += stage != 0x2000 || buffer == nullptr || number >= fake.pool(to).size();
    fake.record(buffer, [&fake, to, number] {
      Query& query = fake.pool(to)[number];
      fake.misuses += !query.reset;
      if (to == kClockPool) {
        ++fake.clock_reads;
        fake.on_clock_read();
        query = {true, false, true, fake.ticks(fake.clock()), 0};
        return;
      }
      const uint64_t command = fake.commands++;
      query = {true, false, true, fake.ticks(fake.result(command, fake.clock())), fake.ready_at(command)};
    });
  }
  static void FLAMELET_DRIVER_CALL_ cmd_reset(VkCommandBuffer buffer, Handle to, uint32_t first, uint32_t count) {
    FakeVulkan& fake = of();
    fake.misuses += buffer == nullptr || count == 0 || first + count > fake.pool(to).size();
    fake.record(buffer, [&fake, to, first, count] {
      for (uint32_t i = first; i < first + count; ++i) fake.pool(to)[i] = {true, true, false, 0, 0};
    });
  }
  static void FLAMELET_DRIVER_CALL_ host_reset(VkDevice, Handle to, uint32_t first, uint32_t count) {
    FakeVulkan& fake = of();
    fake.misuses += count == 0 || first + count > fake.pool(to).size();
    for (uint32_t i = first; i < first + count; ++i) {
      Query& query = fake.pool(to)[i];
      fake.misuses += query.issued && query.ready_at > fake.now && query.ready_at != kNever;  // in flight
      query = {true, true, false, 0, 0};
    }
  }
  static Result FLAMELET_DRIVER_CALL_ get_calibrated(VkDevice, uint32_t count,
                                                     const flamelet::vulkan::CalibratedTimestampInfo* info,
                                                     uint64_t* times, uint64_t* deviation) {
    FakeVulkan& fake = of();
    fake.misuses += count != 1 || info->time_domain != 0 || info->type != 1000184000;
    ++fake.clock_reads;
    fake.on_clock_read();
    *times = fake.ticks(fake.clock());
    *deviation = 0;
    return fake.status();
  }

  static Result FLAMELET_DRIVER_CALL_ create_command_pool(VkDevice, const flamelet::vulkan::CommandPoolCreateInfo*,
                                                          const void*, Handle* made) {
    return of().make(made, 1);
  }
  static Result FLAMELET_DRIVER_CALL_ create_fence(VkDevice, const flamelet::vulkan::FenceCreateInfo*, const void*,
                                                   Handle* made) {
    return of().make(made, 2);
  }
  static void FLAMELET_DRIVER_CALL_ destroy_object(VkDevice, Handle made, const void*) {
    of().forget(made);
  }
  static Result FLAMELET_DRIVER_CALL_ allocate_buffers(VkDevice, const flamelet::vulkan::CommandBufferAllocateInfo*,
                                                       VkCommandBuffer* made) {
    *made = reinterpret_cast<VkCommandBuffer>(&of().clock_buffer_);
    return 0;
  }
  static Result FLAMELET_DRIVER_CALL_ begin_buffer(VkCommandBuffer, const flamelet::vulkan::CommandBufferBeginInfo*) {
    FakeVulkan& fake = of();
    fake.misuses += fake.fence_waits_;
    fake.clock_buffer_.commands.clear();
    return 0;
  }
  static Result FLAMELET_DRIVER_CALL_ end_buffer(VkCommandBuffer) {
    ++current()->calls;
    return 0;
  }
  static Result FLAMELET_DRIVER_CALL_ submit(VkQueue, uint32_t, const flamelet::vulkan::SubmitInfo*, Handle) {
    FakeVulkan& fake = of();
    if (fake.is_lost) return fake.status();
    ++fake.submits;
    fake.misuses += fake.fence_waits_;
    fake.fence_waits_ = true;
    for (const auto& command : fake.clock_buffer_.commands) command();
    return 0;
  }
  static Result FLAMELET_DRIVER_CALL_ reset_fences(VkDevice, uint32_t, const Handle*) {
    FakeVulkan& fake = of();
    fake.misuses += fake.fence_waits_;
    return fake.status();
  }
  static Result FLAMELET_DRIVER_CALL_ wait_for_fences(VkDevice, uint32_t, const Handle*, uint32_t, uint64_t) {
    FakeVulkan& fake = of();
    if (fake.is_lost) return fake.status();
    if (fake.is_busy) return flamelet::vulkan::kTimeout;
    fake.fence_waits_ = false;
    return 0;
  }

  static void FLAMELET_DRIVER_CALL_ begin_label(VkCommandBuffer buffer,
                                                const flamelet::vulkan::DebugUtilsLabel* label) {
    FakeVulkan& fake = of();
    reinterpret_cast<Buffer*>(buffer)->labels.push_back(label->name);
    fake.groups.push_back(label->name);
    fake.all_groups.push_back(label->name);
  }
  static void FLAMELET_DRIVER_CALL_ end_label(VkCommandBuffer buffer) {
    FakeVulkan& fake = of();
    std::vector<std::string>& open = reinterpret_cast<Buffer*>(buffer)->labels;
    fake.misuses += open.empty();
    if (!open.empty()) open.pop_back();
    if (!fake.groups.empty()) fake.groups.pop_back();
  }

  std::vector<Query> clock_queries_;
  Buffer clock_buffer_;
  bool fence_waits_ = false;
};

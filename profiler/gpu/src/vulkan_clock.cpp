// SPDX-License-Identifier: MIT
#include "vulkan_clock.h"

namespace flamelet::vulkan {
namespace {

constexpr uint64_t kFirstTimeoutNs = 1'000'000'000;
constexpr uint64_t kTimeoutNs = 100'000;
// 16 frames, each with the five reads of a calibration.
constexpr uint32_t kReadsToSkip = 80;

bool reads_device_clock(const Loader& loader, VkPhysicalDevice physical_device) {
  GetCalibrateableTimeDomains get_time_domains;
  if (!loader.of_instance("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", &get_time_domains) &&
      !loader.of_instance("vkGetPhysicalDeviceCalibrateableTimeDomainsKHR", &get_time_domains))
    return false;
  uint32_t domains[16];
  uint32_t count = 16;
  if (get_time_domains(physical_device, &count, domains) < kSuccess) return false;
  for (uint32_t i = 0; i < count; ++i)
    if (domains[i] == kTimeDomainDevice) return true;
  return false;
}

}  // namespace

bool Clock::use_extension(const Loader& loader, VkPhysicalDevice physical_device) {
  device_ = loader.device;
  // A device gives these only if the extension was enabled.
  if ((loader.of_device("vkGetCalibratedTimestampsEXT", &get_calibrated_timestamps_) ||
       loader.of_device("vkGetCalibratedTimestampsKHR", &get_calibrated_timestamps_)) &&
      reads_device_clock(loader, physical_device))
    return true;
  get_calibrated_timestamps_ = nullptr;
  return false;
}

bool Clock::make_buffer(uint32_t queue_family) {
  const CommandPoolCreateInfo pool = {kTypeCommandPoolCreateInfo, nullptr, kCommandPoolResetCommandBuffer,
                                      queue_family};
  if (calls_.create_command_pool(device_, &pool, nullptr, &command_pool_) != kSuccess) return false;
  const CommandBufferAllocateInfo buffer = {kTypeCommandBufferAllocateInfo, nullptr, command_pool_, kLevelPrimary, 1};
  return calls_.allocate_command_buffers(device_, &buffer, &buffer_) == kSuccess;
}

bool Clock::use_submits(const Loader& loader, const flamelet_gpu_vulkan_config& config) {
  device_ = loader.device;
  queue_ = config.queue;
  buffer_ = config.buffer;
  is_borrowed_ = buffer_ != nullptr;
  is_loaded_ = loader.load(&calls_);
  if (!is_loaded_ || (!is_borrowed_ && !make_buffer(config.queue_family))) return false;
  const FenceCreateInfo fence = {kTypeFenceCreateInfo, nullptr, 0};
  const QueryPoolCreateInfo query = {kTypeQueryPoolCreateInfo, nullptr, 0, kQueryTypeTimestamp, 1, 0};
  return calls_.create_fence(device_, &fence, nullptr, &fence_) == kSuccess &&
         calls_.query.create_query_pool(device_, &query, nullptr, &query_pool_) == kSuccess;
}

void Clock::destroy() {
  if (!is_loaded_) return;
  if (is_in_flight_) calls_.wait_for_fences(device_, 1, &fence_, 1, kFirstTimeoutNs);
  // What is 0 is ignored.
  calls_.query.destroy_query_pool(device_, query_pool_, nullptr);
  calls_.destroy_fence(device_, fence_, nullptr);
  calls_.destroy_command_pool(device_, command_pool_, nullptr);
  is_loaded_ = false;
}

// False: not done in this time. Then the next call waits for the same submit.
bool Clock::submit(uint64_t timeout_ns) {
  if (!is_in_flight_) {
    if (calls_.reset_fences(device_, 1, &fence_) != kSuccess) return false;
    const SubmitInfo info = {kTypeSubmitInfo, nullptr, 0, nullptr, nullptr, 1, &buffer_, 0, nullptr};
    if (calls_.queue_submit(queue_, 1, &info, fence_) != kSuccess) return false;
    is_in_flight_ = true;
  }
  const Result result = calls_.wait_for_fences(device_, 1, &fence_, 1, timeout_ns);
  is_in_flight_ = result == kTimeout;
  return result == kSuccess;
}

bool Clock::reset_by_submit(Handle pool, uint32_t count) {
  const CommandBufferBeginInfo begin = {kTypeCommandBufferBeginInfo, nullptr, 0, nullptr};
  if (calls_.begin_command_buffer(buffer_, &begin) != kSuccess) return false;
  calls_.query.cmd_reset_query_pool(buffer_, pool, 0, count);
  return calls_.end_command_buffer(buffer_) == kSuccess && submit(kFirstTimeoutNs);
}

bool Clock::record_timestamp() {
  const CommandBufferBeginInfo begin = {kTypeCommandBufferBeginInfo, nullptr, 0, nullptr};
  if (calls_.begin_command_buffer(buffer_, &begin) != kSuccess) return false;
  calls_.query.cmd_reset_query_pool(buffer_, query_pool_, 0, 1);
  calls_.query.cmd_write_timestamp(buffer_, kStageBottomOfPipe, query_pool_, 0);
  is_recorded_ = calls_.end_command_buffer(buffer_) == kSuccess;
  return is_recorded_;
}

bool Clock::read(uint64_t* ticks) {
  if (get_calibrated_timestamps_ != nullptr) {
    const CalibratedTimestampInfo info = {kTypeCalibratedTimestampInfo, nullptr, kTimeDomainDevice};
    uint64_t deviation;  // what the caller measures, too, by its own clock
    return get_calibrated_timestamps_(device_, 1, &info, ticks, &deviation) == kSuccess;
  }
  if (is_borrowed_ && is_recorded_) return false;
  if (reads_to_skip_ > 0) {
    --reads_to_skip_;
    return false;
  }
  const bool was_in_flight = is_in_flight_;  // of an earlier read: its time is too old
  const uint64_t timeout_ns = is_recorded_ ? kTimeoutNs : kFirstTimeoutNs;
  if (!is_recorded_ && !record_timestamp()) return false;
  if (!submit(timeout_ns)) {
    reads_to_skip_ = kReadsToSkip;
    return false;
  }
  return !was_in_flight && calls_.query.get_query_pool_results(device_, query_pool_, 0, 1, sizeof *ticks, ticks,
                                                               sizeof *ticks, kQueryResult64) == kSuccess;
}

}  // namespace flamelet::vulkan

// SPDX-License-Identifier: MIT
//
// gpu_vulkan.cpp: the Vulkan backend of gpu.h: one pool of timestamp queries.
//
// A query may be written only after it was reset, and reset only when the GPU is done with it. The timer gives queries
// back with their frame, whether their times came or not, so the backend remembers for each where it stands. A query
// whose time has not come when it is given back stays out of use for one more round of the ring; if it has not come then,
// its buffer was never submitted.
#include "flamelet/gpu_vulkan.h"

#include "flamelet/gpu_backend.h"
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

namespace {

constexpr uint32_t kCookie = 0x47505556u;

enum class QueryState : uint8_t {
  kReset,    // may be written
  kWritten,  // its time has not come yet
  kRead,     // and it came
  kUnreset,  // written again without a reset: there was no command buffer to record it into
  kPending,  // given back without its time: the GPU may still write it
};

struct Query {
  uint64_t ticks;  // read last. A reset that is recorded and not yet executed leaves them to be read again
  QueryState state;
};

struct Vulkan {
  VkDevice device;
  QueryCalls calls;
  void(FLAMELET_DRIVER_CALL_* reset_query_pool)(VkDevice, Handle pool, uint32_t first,
                                                uint32_t count);                      // NULL: commands
  void(FLAMELET_DRIVER_CALL_* begin_label)(VkCommandBuffer, const DebugUtilsLabel*);  // both NULL: no labels
  void(FLAMELET_DRIVER_CALL_* end_label)(VkCommandBuffer);
  Clock clock;
  Handle pool;
  uint32_t query_count;
  bool is_lost;
  uint32_t label_count;
  VkCommandBuffer labels[FLAMELET_MAX_DEPTH];  // where the open ones began

  Query* queries() { return reinterpret_cast<Query*>(this + 1); }
};
static_assert(sizeof(Vulkan) % alignof(Query) == 0);

Vulkan& vulkan_of(void* state) {
  return *static_cast<Vulkan*>(state);
}

// ---- What the device can do

// The least among the families that have timestamps: a clock with more bits may be read as one with fewer.
uint32_t fewest_bits(const QueueFamilyProperties* families, uint32_t count) {
  uint32_t fewest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bits = families[i].timestamp_valid_bits;
    if (bits != 0 && (fewest == 0 || bits < fewest)) fewest = bits;
  }
  return fewest;
}

// The bits of the family's timestamps. False: there is no such family.
bool timestamp_bits(const Loader& loader, const flamelet_gpu_vulkan_config& config, uint32_t* bits) {
  constexpr uint32_t kMaxFamilies = 64;
  GetPhysicalDeviceQueueFamilyProperties get_families;
  if (!loader.of_instance("vkGetPhysicalDeviceQueueFamilyProperties", &get_families)) return false;
  QueueFamilyProperties families[kMaxFamilies];
  uint32_t count = kMaxFamilies;
  get_families(config.physical_device, &count, families);
  if (config.queue_family == FLAMELET_VULKAN_ANY_FAMILY) {
    *bits = fewest_bits(families, count);
    return true;
  }
  if (config.queue_family >= count) return false;
  *bits = families[config.queue_family].timestamp_valid_bits;
  return true;
}

float timestamp_period_ns(const Loader& loader, VkPhysicalDevice physical_device) {
  GetPhysicalDeviceProperties get_properties;
  if (!loader.of_instance("vkGetPhysicalDeviceProperties", &get_properties)) return 0;
  PhysicalDeviceProperties properties;
  get_properties(physical_device, &properties);
  return properties.limits.timestamp_period;
}

bool load_reset(const Loader& loader, Vulkan* vulkan) {
  return loader.of_device("vkResetQueryPool", &vulkan->reset_query_pool) ||
         loader.of_device("vkResetQueryPoolEXT", &vulkan->reset_query_pool);
}

void load_labels(const Loader& loader, Vulkan* vulkan) {
  if (!loader.of_instance("vkCmdBeginDebugUtilsLabelEXT", &vulkan->begin_label) ||
      !loader.of_instance("vkCmdEndDebugUtilsLabelEXT", &vulkan->end_label))
    vulkan->begin_label = nullptr;
}

// ---- The backend

void destroy(void* state) {
  Vulkan& vulkan = vulkan_of(state);
  vulkan.clock.destroy();
  if (vulkan.pool != 0) vulkan.calls.destroy_query_pool(vulkan.device, vulkan.pool, nullptr);
}

// The queries, all reset.
bool make_queries(Vulkan* vulkan) {
  const QueryPoolCreateInfo pool = {kTypeQueryPoolCreateInfo, nullptr, 0, kQueryTypeTimestamp, vulkan->query_count, 0};
  if (vulkan->calls.create_query_pool(vulkan->device, &pool, nullptr, &vulkan->pool) != kSuccess) return false;
  if (vulkan->reset_query_pool == nullptr) return vulkan->clock.reset_by_submit(vulkan->pool, vulkan->query_count);
  vulkan->reset_query_pool(vulkan->device, vulkan->pool, 0, vulkan->query_count);
  return true;
}

flamelet_result create(void* state, const void* setup, uint32_t query_count, flamelet_gpu_clock* clock) {
  const flamelet_gpu_vulkan_config& config = *static_cast<const flamelet_gpu_vulkan_config*>(setup);
  Vulkan& vulkan = vulkan_of(state);
  vulkan.device = config.device;
  vulkan.query_count = query_count;
  Loader loader;
  uint32_t bits = 0;
  if (!loader.open(config) || !timestamp_bits(loader, config, &bits)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const float period_ns = timestamp_period_ns(loader, config.physical_device);
  if (bits == 0 || !(period_ns > 0) || !loader.load(&vulkan.calls)) return FLAMELET_ERROR_NO_GPU_TIMESTAMPS;
  if (config.host_query_reset && !load_reset(loader, &vulkan)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (config.debug_labels) load_labels(loader, &vulkan);
  const bool has_extension = config.calibrated_timestamps && vulkan.clock.use_extension(loader, config.physical_device);
  const bool needs_submits = !has_extension || vulkan.reset_query_pool == nullptr;
  const bool has_buffer = config.buffer != nullptr || config.queue_family != FLAMELET_VULKAN_ANY_FAMILY;
  if (needs_submits && (config.queue == nullptr || !has_buffer)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if ((needs_submits && !vulkan.clock.use_submits(loader, config)) || !make_queries(&vulkan)) {
    destroy(state);
    return FLAMELET_ERROR_NO_GPU_TIMESTAMPS;
  }
  *clock = {1e9 / static_cast<double>(period_ns), bits < 64 ? bits : 64};
  return FLAMELET_OK;
}

void write_timestamp(void* state, void* context, uint32_t number) {
  Vulkan& vulkan = vulkan_of(state);
  Query& query = vulkan.queries()[number];
  if (query.state == QueryState::kRead) query.state = QueryState::kUnreset;
  if (query.state != QueryState::kReset || context == nullptr) return;  // poll_timestamp() says 0
  vulkan.calls.cmd_write_timestamp(static_cast<VkCommandBuffer>(context), kStageBottomOfPipe, vulkan.pool, number);
  query.state = QueryState::kWritten;
}

// True: its time has come.
bool fetch(Vulkan& vulkan, uint32_t number) {
  Query& query = vulkan.queries()[number];
  if (vulkan.is_lost) return false;
  uint64_t result[2] = {0, 0};  // the time, and whether it is there
  const Result status =
      vulkan.calls.get_query_pool_results(vulkan.device, vulkan.pool, number, 1, sizeof result, result, sizeof result,
                                          kQueryResult64 | kQueryResultWithAvailability);
  vulkan.is_lost = status == kDeviceLost;
  if (status != kSuccess || result[1] == 0) return false;
  // The time from before a reset that the GPU has not executed yet. No two times of one clock are the same.
  if (vulkan.reset_query_pool == nullptr && result[0] == query.ticks) return false;
  query.ticks = result[0];
  return true;
}

bool poll_timestamp(void* state, uint32_t number, uint64_t* ticks) {
  Vulkan& vulkan = vulkan_of(state);
  Query& query = vulkan.queries()[number];
  if (query.state == QueryState::kWritten && fetch(vulkan, number)) query.state = QueryState::kRead;
  *ticks = query.state == QueryState::kRead ? query.ticks : 0;
  return query.state != QueryState::kWritten;
}

bool read_clock(void* state, uint64_t* ticks) {
  Vulkan& vulkan = vulkan_of(state);
  return !vulkan.is_lost && vulkan.clock.read(ticks);
}

// ---- Resets

// Whether the GPU is done with a query that the timer gives back, and it has to be reset.
bool take_back(Vulkan& vulkan, uint32_t number) {
  Query& query = vulkan.queries()[number];
  if (query.state == QueryState::kReset) return false;
  if (query.state == QueryState::kWritten && !fetch(vulkan, number)) {
    query.state = QueryState::kPending;
    return false;
  }
  if (query.state == QueryState::kPending) fetch(vulkan, number);
  return true;
}

void reset_run(Vulkan& vulkan, VkCommandBuffer buffer, uint32_t first, uint32_t end) {
  if (first == end) return;
  if (vulkan.reset_query_pool != nullptr)
    vulkan.reset_query_pool(vulkan.device, vulkan.pool, first, end - first);
  else
    vulkan.calls.cmd_reset_query_pool(buffer, vulkan.pool, first, end - first);
  for (uint32_t number = first; number < end; ++number) vulkan.queries()[number].state = QueryState::kReset;
}

void reset_queries(void* state, void* context, uint32_t first, uint32_t count) {
  Vulkan& vulkan = vulkan_of(state);
  VkCommandBuffer buffer = static_cast<VkCommandBuffer>(context);
  const bool can_reset = vulkan.reset_query_pool != nullptr || buffer != nullptr;
  uint32_t run = first;
  for (uint32_t number = first; number < first + count; ++number) {
    if (take_back(vulkan, number) && can_reset) continue;
    reset_run(vulkan, buffer, run, number);
    run = number + 1;
  }
  reset_run(vulkan, buffer, run, first + count);
}

// ---- Labels: one that would end in another buffer than it began in is not ended, because it might be a secondary one.

void begin_group(void* state, void* context, const char* name, size_t) {
  Vulkan& vulkan = vulkan_of(state);
  if (vulkan.begin_label == nullptr) return;
  VkCommandBuffer buffer = static_cast<VkCommandBuffer>(context);
  vulkan.labels[vulkan.label_count++] = buffer;
  const DebugUtilsLabel label = {kTypeDebugUtilsLabel, nullptr, name, {0, 0, 0, 0}};
  if (buffer != nullptr) vulkan.begin_label(buffer, &label);
}

void end_group(void* state, void* context) {
  Vulkan& vulkan = vulkan_of(state);
  if (vulkan.begin_label == nullptr) return;
  VkCommandBuffer buffer = vulkan.labels[--vulkan.label_count];
  if (buffer != nullptr && buffer == context) vulkan.end_label(buffer);
}

constexpr flamelet_gpu_backend kBackend = {sizeof(Vulkan),  sizeof(Query),  create,     destroy,
                                           write_timestamp, poll_timestamp, read_clock, reset_queries,
                                           begin_group,     end_group,      nullptr};

bool is_complete(const flamelet_gpu_vulkan_config& config) {
  return config.get_proc != nullptr && config.instance != nullptr && config.physical_device != nullptr &&
         config.device != nullptr;
}

}  // namespace

}  // namespace flamelet::vulkan

flamelet_gpu_vulkan_config flamelet_gpu_vulkan_config_default() {
  using namespace flamelet::vulkan;
  flamelet_gpu_vulkan_config config = {};
  config.cookie = kCookie;
  config.gpu = flamelet_gpu_config_default();
  config.gpu.min_frames = 3;
  config.calibrated_timestamps = true;
  config.debug_labels = true;
  return config;
}

size_t flamelet_gpu_vulkan_memory_required(const flamelet_gpu_vulkan_config* config) {
  using namespace flamelet::vulkan;
  if (config == nullptr || config->cookie != kCookie) return 0;
  return flamelet_gpu_memory_required(&config->gpu, &kBackend);
}

flamelet_result flamelet_gpu_vulkan_create(const flamelet_gpu_vulkan_config* config, flamelet_gpu** gpu) {
  using namespace flamelet::vulkan;
  if (gpu != nullptr) *gpu = nullptr;
  if (config == nullptr || config->cookie != kCookie || !is_complete(*config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  return flamelet_gpu_create(&config->gpu, &kBackend, config, gpu);
}

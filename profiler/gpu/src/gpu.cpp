// SPDX-License-Identifier: MIT
//
// gpu.cpp: the C interface of GpuTimer: arguments checked, memory taken and given back.
#include "flamelet/gpu.h"

#include <cstddef>
#include <cstring>
#include <new>

#include "flamelet/gpu_backend.h"
#include "gpu_timer.h"
#include "platform/engine_memory.h"

struct flamelet_gpu {
  flamelet::GpuTimer timer;
};

using namespace flamelet;

namespace {

constexpr uint32_t kGpuCookie = 0x47505554u;
constexpr uint32_t kMaxScopes = 65536;
constexpr uint32_t kMaxFrames = 64;
constexpr size_t kGpuAlignment = 16;  // what a backend's state is promised
static_assert(alignof(flamelet_gpu) <= kGpuAlignment);

bool is_valid(const flamelet_gpu_config& config) {
  return config.cookie == kGpuCookie && config.max_scopes >= 1 && config.max_scopes <= kMaxScopes &&
         config.max_frames >= 1 && config.max_frames <= kMaxFrames && config.min_frames >= 1 &&
         config.min_frames <= config.max_frames && config.calibration_interval_ns >= 0 &&
         (config.allocator.allocate == nullptr) == (config.allocator.free == nullptr);
}

bool is_valid(const flamelet_gpu_clock& clock) {
  return clock.ticks_per_second > 0 && clock.ticks_per_second <= 1e15 && clock.counter_bits >= 1 &&
         clock.counter_bits <= 64;
}

// The one block.
struct Block {
  ScopeInFlight* scopes;
  FrameInFlight* frames;
  void* state;  // the backend's
  size_t state_bytes;
};

size_t lay_out(const flamelet_gpu_config& config, const flamelet_gpu_backend& backend, char* base, Block* to) {
  Carver carver(base);
  carver.take<flamelet_gpu>(1);
  to->scopes = carver.take<ScopeInFlight>(config.max_scopes);
  to->frames = carver.take<FrameInFlight>(config.max_frames);
  to->state_bytes = backend.state_bytes + backend.state_bytes_per_query * 2 * config.max_scopes;
  to->state = carver.take_bytes(to->state_bytes, kGpuAlignment);
  return carver.used();
}

size_t memory_bytes(const flamelet_gpu_config& config, const flamelet_gpu_backend& backend) {
  Block measured;
  return lay_out(config, backend, nullptr, &measured);
}

void destroy(flamelet_gpu* gpu) {
  gpu->timer.close_track();
  const flamelet_allocator allocator = allocator_or_default(gpu->timer.config().allocator, BlockUse::kFilledOnce);
  const size_t bytes = memory_bytes(gpu->timer.config(), gpu->timer.backend());
  gpu->~flamelet_gpu();
  allocator.free(allocator.user, gpu, bytes, kGpuAlignment);
}

}  // namespace

flamelet_gpu_config flamelet_gpu_config_default() {
  flamelet_gpu_config config = {};
  config.cookie = kGpuCookie;
  config.name = "GPU";
  config.max_scopes = 1024;
  config.max_frames = 8;
  config.min_frames = 1;
  config.calibration_interval_ns = 1'000'000'000;
  return config;
}

size_t flamelet_gpu_memory_required(const flamelet_gpu_config* config, const flamelet_gpu_backend* backend) {
  return config == nullptr || backend == nullptr || !is_valid(*config) ? 0 : memory_bytes(*config, *backend);
}

flamelet_result flamelet_gpu_create(const flamelet_gpu_config* config, const flamelet_gpu_backend* backend,
                                    const void* setup, flamelet_gpu** gpu) {
  if (gpu == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *gpu = nullptr;
  if (config == nullptr || backend == nullptr || !is_valid(*config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (flamelet_clock_info().kind == FLAMELET_CLOCK_NONE) return FLAMELET_ERROR_NOT_INITIALIZED;
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kFilledOnce);
  const size_t bytes = memory_bytes(*config, *backend);
  void* memory;
  flamelet_result result = take_memory(allocator, bytes, kGpuAlignment, &memory);
  if (result != FLAMELET_OK) return result;
  Block block;
  lay_out(*config, *backend, static_cast<char*>(memory), &block);
  std::memset(block.state, 0, block.state_bytes);
  flamelet_gpu_clock clock = {0, 0};
  result = backend->create(block.state, setup, 2 * config->max_scopes, &clock);
  if (result == FLAMELET_OK && !is_valid(clock)) {
    backend->destroy(block.state);
    result = FLAMELET_ERROR_INVALID_ARGUMENT;
  }
  if (result != FLAMELET_OK) {
    allocator.free(allocator.user, memory, bytes, kGpuAlignment);
    return result;
  }
  flamelet_gpu* created =
      new (memory) flamelet_gpu{GpuTimer(*config, *backend, clock, block.scopes, block.frames, block.state)};
  result = created->timer.open_track();
  if (result != FLAMELET_OK) {
    flamelet_gpu_destroy(created);
    return result;
  }
  *gpu = created;
  return FLAMELET_OK;
}

void flamelet_gpu_destroy(flamelet_gpu* gpu) {
  if (gpu == nullptr) return;
  gpu->timer.delete_queries();
  destroy(gpu);
}

void flamelet_gpu_abandon(flamelet_gpu* gpu) {
  if (gpu != nullptr) destroy(gpu);
}

void flamelet_gpu_set_name(flamelet_gpu* gpu, const char* name) {
  if (gpu != nullptr) gpu->timer.set_name(name);
}

void flamelet_gpu_set_context(flamelet_gpu* gpu, void* context) {
  if (gpu != nullptr) gpu->timer.set_context(context);
}

flamelet_id flamelet_gpu_begin(flamelet_gpu* gpu, const char* name, const char* category) {
  const flamelet_id id = flamelet_begin(name, category, nullptr);
  flamelet_gpu_attach(gpu, id, name, category);
  return id;
}

void flamelet_gpu_end(flamelet_gpu* gpu, flamelet_id id) {
  flamelet_gpu_detach(gpu, id);
  if (id != 0) flamelet_scope_end_(id);
}

void flamelet_gpu_attach(flamelet_gpu* gpu, flamelet_id id, const char* name, const char* category) {
  if (gpu != nullptr && id != 0) gpu->timer.begin(id, name, category);
}

void flamelet_gpu_detach(flamelet_gpu* gpu, flamelet_id id) {
  if (gpu != nullptr && id != 0) gpu->timer.end(id);
}

void flamelet_gpu_frame(flamelet_gpu* gpu) {
  if (gpu != nullptr) gpu->timer.frame();
}

void flamelet_gpu_get_stats(const flamelet_gpu* gpu, flamelet_gpu_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (gpu == nullptr) return;
  gpu->timer.get_stats(stats);
  stats->memory_bytes = memory_bytes(gpu->timer.config(), gpu->timer.backend());
}

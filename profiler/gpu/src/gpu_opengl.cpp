// SPDX-License-Identifier: MIT
//
// gpu_opengl.cpp: the C interface of GpuTimer: arguments checked, memory taken and given back.
#include "flamelet/gpu_opengl.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#include "gpu_timer.h"

struct flamelet_gpu_opengl {
  flamelet::GpuTimer timer;
};

using namespace flamelet;

namespace {

constexpr uint32_t kCookie = 0x4750554Fu;
constexpr uint32_t kMaxScopes = 65536;
constexpr uint32_t kMaxFrames = 64;
static_assert(sizeof(flamelet_gpu_opengl) == sizeof(GpuTimer), "GpuTimer::bytes() is the whole block");
static_assert(alignof(flamelet_gpu_opengl) <= alignof(max_align_t), "malloc's alignment will do");

void* allocate(const flamelet_allocator& allocator, size_t size) {
  const size_t alignment = alignof(max_align_t);
  return allocator.allocate == nullptr ? std::malloc(size) : allocator.allocate(allocator.user, size, alignment);
}

void release(const flamelet_allocator& allocator, void* memory, size_t size) {
  if (allocator.free == nullptr)
    std::free(memory);
  else
    allocator.free(allocator.user, memory, size, alignof(max_align_t));
}

bool is_valid(const flamelet_gpu_opengl_config& config) {
  return config.cookie == kCookie && config.get_proc != nullptr && config.max_scopes >= 1 &&
         config.max_scopes <= kMaxScopes && config.max_frames >= 1 && config.max_frames <= kMaxFrames &&
         config.calibration_interval_ns >= 0 &&
         (config.allocator.allocate == nullptr) == (config.allocator.free == nullptr);
}

void destroy(flamelet_gpu_opengl* gpu) {
  gpu->timer.close_track();
  const flamelet_allocator allocator = gpu->timer.allocator();
  const size_t bytes = gpu->timer.bytes();
  gpu->~flamelet_gpu_opengl();
  release(allocator, gpu, bytes);
}

}  // namespace

flamelet_gpu_opengl_config flamelet_gpu_opengl_config_default() {
  flamelet_gpu_opengl_config config = {};
  config.cookie = kCookie;
  config.name = "GPU";
  config.max_scopes = 1024;
  config.max_frames = 8;
  config.calibration_interval_ns = 1'000'000'000;
  config.debug_groups = true;
  return config;
}

flamelet_result flamelet_gpu_opengl_create(const flamelet_gpu_opengl_config* config, flamelet_gpu_opengl** gpu) {
  if (gpu == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *gpu = nullptr;
  if (config == nullptr || !is_valid(*config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (flamelet_clock_info().kind == FLAMELET_CLOCK_NONE) return FLAMELET_ERROR_NOT_INITIALIZED;
  GlFunctions gl;
  if (!load_gl_functions(config->get_proc, config->debug_groups, &gl)) return FLAMELET_ERROR_NO_GPU_TIMESTAMPS;
  const size_t bytes = sizeof(flamelet_gpu_opengl) + GpuTimer::array_bytes(*config);
  void* memory = allocate(config->allocator, bytes);
  if (memory == nullptr) return FLAMELET_ERROR_OUT_OF_MEMORY;
  void* arrays = static_cast<flamelet_gpu_opengl*>(memory) + 1;
  flamelet_gpu_opengl* created = new (memory) flamelet_gpu_opengl{GpuTimer(*config, gl, arrays)};
  if (!created->timer.open_track()) {
    flamelet_gpu_opengl_destroy(created);
    return FLAMELET_ERROR_LIMIT;
  }
  *gpu = created;
  return FLAMELET_OK;
}

void flamelet_gpu_opengl_destroy(flamelet_gpu_opengl* gpu) {
  if (gpu == nullptr) return;
  gpu->timer.delete_queries();
  destroy(gpu);
}

void flamelet_gpu_opengl_abandon(flamelet_gpu_opengl* gpu) {
  if (gpu != nullptr) destroy(gpu);
}

flamelet_id flamelet_gpu_opengl_begin(flamelet_gpu_opengl* gpu, const char* name, const char* category) {
  const flamelet_id id = flamelet_begin(name, category, nullptr);
  flamelet_gpu_opengl_attach_(gpu, id, name, category);
  return id;
}

void flamelet_gpu_opengl_attach_(flamelet_gpu_opengl* gpu, flamelet_id id, const char* name, const char* category) {
  if (gpu != nullptr && id != 0) gpu->timer.begin(id, name, category);
}

void flamelet_gpu_opengl_end(flamelet_gpu_opengl* gpu, flamelet_id id) {
  if (id == 0) return;
  if (gpu != nullptr) gpu->timer.end(id);
  flamelet_scope_end_(id);
}

void flamelet_gpu_opengl_frame(flamelet_gpu_opengl* gpu) {
  if (gpu != nullptr) gpu->timer.frame();
}

void flamelet_gpu_opengl_get_stats(const flamelet_gpu_opengl* gpu, flamelet_gpu_opengl_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (gpu != nullptr) gpu->timer.get_stats(stats);
}

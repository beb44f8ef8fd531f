// SPDX-License-Identifier: MIT
#pragma once

#include <GLFW/glfw3.h>
#include <flamelet/gpu_opengl.h>

#include <cstdio>

namespace demo {

// The profiler's lane for the GPU. Without one, GPU scopes are CPU scopes only.
class GpuTimer {
 public:
  GpuTimer() {
    flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
    config.get_proc = glfwGetProcAddress;
    const flamelet_result result = flamelet_gpu_opengl_create(&config, &gpu_);
    if (result != FLAMELET_OK) std::fprintf(stderr, "No GPU times: %s\n", flamelet_result_message(result));
  }
  ~GpuTimer() { flamelet_gpu_destroy(gpu_); }
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  flamelet_gpu* get() const { return gpu_; }

 private:
  flamelet_gpu* gpu_ = nullptr;
};

}  // namespace demo

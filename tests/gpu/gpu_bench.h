// SPDX-License-Identifier: MIT
//
// gpu_bench.h: a recorder on a clock that the test moves, and a GPU whose clock runs with it.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/gpu.h"
#include "flamelet/gpu_opengl.h"
#include "flamelet/gpu_vulkan.h"
#include "gpu/fake_backend.h"
#include "gpu/fake_gl.h"
#include "gpu/fake_vulkan.h"
#include "support/capture.h"
#include "support/counting_allocator.h"
#include "support/recording.h"

namespace doctest {
template <>
struct StringMaker<std::vector<std::string>> {
  static String convert(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all.c_str();
  }
};
}  // namespace doctest

namespace gpu_test {

constexpr uint64_t kStartNs = 1'000'000'000'000;  // of the recorder's clock
constexpr uint64_t kGpuAheadNs = 50'000'000'000;  // the GPU's clock is another one

// What both benches share: `now_ns` is "now", and the device's results become ready by it.
template <class Device>
class Bench {
 public:
  explicit Bench(uint32_t max_tracks = 8) : max_tracks_(max_tracks) {
    start_recorder();
    device.clock = [this] { return now_ns + gpu_ahead_ns; };
    device.now = now_ns;
  }
  ~Bench() {
    flamelet_gpu_destroy(gpu);
    CHECK(device.misuses == 0);
    CHECK(device.groups.empty());
    CHECK(flamelet_shutdown() == FLAMELET_OK);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void start_recorder() {
    flamelet_config config = flamelet_config_default();
    config.budget_bytes = 4 << 20;
    config.max_tracks = max_tracks_;
    config.clock = [](void* user) { return static_cast<Bench*>(user)->now_ns; };
    config.clock_user = this;
    config.clock_ticks_per_second = 1e9;
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  }
  void pass_ns(uint64_t ns) { device.now = now_ns += ns; }
  flamelet_id begin(const char* name) {
    pass_ns(10);
    if (context != nullptr) flamelet_gpu_set_context(gpu, context);
    return flamelet_gpu_begin(gpu, name, "pass");
  }
  void end(flamelet_id id) {
    pass_ns(10);
    if (context != nullptr) flamelet_gpu_set_context(gpu, context);
    flamelet_gpu_end(gpu, id);
  }
  void scope(const char* name, uint64_t ns) {
    const flamelet_id id = begin(name);
    pass_ns(ns);
    end(id);
  }
  void frame(int count = 1) {
    for (; count > 0; --count) {
      pass_ns(100);
      if (context != nullptr) flamelet_gpu_set_context(gpu, context);
      flamelet_gpu_frame(gpu);
      flamelet_frame();
    }
  }
  flamelet_gpu_stats stats() const {
    flamelet_gpu_stats stats;
    flamelet_gpu_get_stats(gpu, &stats);
    return stats;
  }

  Device device;
  uint64_t now_ns = kStartNs;
  uint64_t gpu_ahead_ns = kGpuAheadNs;
  void* context = nullptr;  // of all commands; NULL: the test sets it itself
  flamelet_gpu* gpu = nullptr;

 private:
  uint32_t max_tracks_;
};

// The timer on a scripted backend.
class TimerBench : public Bench<FakeBackend> {
 public:
  using Bench::Bench;
  flamelet_gpu_config& config() { return config_; }
  flamelet_result create() { return flamelet_gpu_create(&config_, device.table(), &device, &gpu); }

 private:
  flamelet_gpu_config config_ = flamelet_gpu_config_default();
};

// The timer through OpenGL, on a scripted driver.
class GlBench : public Bench<FakeGl> {
 public:
  explicit GlBench(uint32_t max_tracks = 8) : Bench(max_tracks) { opengl_.get_proc = FakeGl::get_proc; }
  ~GlBench() { CHECK(device.waits == 0); }
  flamelet_gpu_opengl_config& opengl() { return opengl_; }
  flamelet_gpu_config& config() { return opengl_.gpu; }
  flamelet_result create() { return flamelet_gpu_opengl_create(&opengl_, &gpu); }

 private:
  flamelet_gpu_opengl_config opengl_ = flamelet_gpu_opengl_config_default();
};

// The timer through Vulkan, on a scripted device.
class VulkanBench : public Bench<FakeVulkan> {
 public:
  explicit VulkanBench(uint32_t max_tracks = 8) : Bench(max_tracks) {
    device.fill(&vulkan_);
    vulkan_.host_query_reset = true;
    vulkan_.gpu.min_frames = 1;
    context = device.command_buffer();
  }
  ~VulkanBench() {
    if (gpu == nullptr) return;
    flamelet_gpu_destroy(gpu);
    gpu = nullptr;
    CHECK(device.objects == objects_before_);
  }
  flamelet_gpu_vulkan_config& vulkan() { return vulkan_; }
  flamelet_gpu_config& config() { return vulkan_.gpu; }
  flamelet_result create() {
    objects_before_ = device.objects;
    return flamelet_gpu_vulkan_create(&vulkan_, &gpu);
  }

 private:
  uint64_t objects_before_ = 0;  // those of a device that was abandoned
  flamelet_gpu_vulkan_config vulkan_ = flamelet_gpu_vulkan_config_default();
};

// One of them, and its timer is there.
template <class Bench>
struct Created : Bench {
  Created() { REQUIRE(this->create() == FLAMELET_OK); }
};

struct Span : flamelet_span {
  std::string text;
};

// Everything recorded on lanes of this kind.
inline std::vector<Span> read(flamelet_lane_kind kind) {
  recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
  std::vector<Span> all;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    if (recorder_test::lane_of(capture, lane).kind != kind) continue;
    for (const flamelet_span& span : capture.spans(lane)) all.push_back({span, capture.string(span.name)});
  }
  return all;
}

inline std::vector<std::string> names(const std::vector<Span>& spans) {
  std::vector<std::string> all;
  for (const Span& span : spans) all.push_back(std::string(span.depth, '.') + span.text);
  return all;
}

using Names = std::vector<std::string>;

using recorder_test::CountingAllocator;

}  // namespace gpu_test

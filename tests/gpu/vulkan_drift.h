// SPDX-License-Identifier: MIT
//
// vulkan_drift.h: how far GPU times lie from where the CPU's clock says that they must be. Each scope is submitted and
// waited for, so its span lies between two reads of the recorder's clock. What lies outside is drift, or an error of
// the calibration; how fast the machine is does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "vulkan_device.h"

namespace vulkan_drift {

constexpr int64_t kAllowedNs = 20'000;

struct Result {
  size_t scopes = 0;     // that arrived, and were looked at
  int64_t worst_ns = 0;  // outside of the CPU's reads
  int64_t error_ns = 0;  // of the newest calibration, at most, as it says itself
  int64_t drift_ns = 0;  // between the last two calibrations, as they say themselves
  uint64_t calibrations = 0;
};

struct Bounds {
  uint64_t before_ticks, after_ticks;
};

inline int64_t ns_of(uint64_t ticks) {
  const flamelet_clock clock = flamelet_clock_info();
  return static_cast<int64_t>(static_cast<double>(static_cast<int64_t>(ticks - clock.origin_ticks)) /
                              clock.ticks_per_second * 1e9);
}

// How far the lane's spans lie outside of the bounds of their ids.
inline void compare(const flamelet_capture* capture, const std::map<flamelet_id, Bounds>& bounds, Result* result) {
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    if (info.kind != FLAMELET_LANE_GPU) continue;
    std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, lane, INT64_MIN, INT64_MAX));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
    for (const flamelet_span& span : spans) {
      const auto found = bounds.find(span.id);
      if (found == bounds.end()) continue;
      ++result->scopes;
      result->worst_ns = std::max({result->worst_ns, ns_of(found->second.before_ticks) - span.begin_ns,
                                   span.end_ns - ns_of(found->second.after_ticks)});
    }
  }
}

// Submits up to `count` scopes one by one, as long as go_on(number) says so.
template <typename GoOn>
Result measure(VulkanDevice& device, flamelet_gpu* gpu, int count, GoOn go_on) {
  std::map<flamelet_id, Bounds> bounds;
  VkCommandBuffer buffer = device.new_buffer();
  const auto frame = [&] {
    device.begin(buffer);
    flamelet_gpu_set_context(gpu, buffer);
    flamelet_gpu_frame(gpu);  // and its resets, where it records any
    device.end(buffer);
    device.run(buffer);
  };
  for (int i = 0; i < count && go_on(i); ++i) {
    device.begin(buffer);
    flamelet_gpu_set_context(gpu, buffer);
    const flamelet_id id = flamelet_gpu_begin(gpu, "Measured", "");
    flamelet_gpu_end(gpu, id);
    device.end(buffer);
    const uint64_t before = flamelet_now_ticks();
    device.run(buffer);
    bounds[id] = {before, flamelet_now_ticks()};
    frame();
    flamelet_frame();
  }
  for (int i = 0; i < 4; ++i) frame();
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  Result result;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return result;
  flamelet_capture_update(capture);
  compare(capture, bounds, &result);
  flamelet_capture_destroy(capture);
  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(gpu, &stats);
  result.error_ns = stats.calibration_error_ns;
  result.drift_ns = stats.calibration_drift_ns;
  result.calibrations = stats.calibrations;
  return result;
}

}  // namespace vulkan_drift

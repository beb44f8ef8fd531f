// SPDX-License-Identifier: MIT
//
// The backend of gpu.patch times a scope.
#include <flamelet/capture.h>
#include <flamelet/flamelet.h>
#include <flamelet/gpu_toy.h>

#include <string>

static bool has_gpu_span(const flamelet_capture* capture) {
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    flamelet_span span;
    size_t count = 0;
    if (flamelet_capture_lane(capture, lane, &info) && info.kind == FLAMELET_LANE_GPU &&
        flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, &span, 1, &count) == FLAMELET_OK && count == 1)
      return flamelet_capture_string(capture, span.name).text == std::string("Pass");
  }
  return false;
}

int main() {
  flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  flamelet_gpu_config gpu_config = flamelet_gpu_config_default();
  flamelet_gpu* gpu = nullptr;
  if (flamelet_gpu_toy_create(&gpu_config, &gpu) != FLAMELET_OK) return 2;
  { FLAMELET_GPU_SCOPE(gpu, "Pass"); }
  for (int frame = 0; frame < 4; ++frame) {
    flamelet_gpu_frame(gpu);
    flamelet_frame();
  }
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) return 3;
  if (flamelet_capture_update(capture) != FLAMELET_OK || !has_gpu_span(capture)) return 4;
  flamelet_capture_destroy(capture);
  flamelet_gpu_destroy(gpu);
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 5;
}

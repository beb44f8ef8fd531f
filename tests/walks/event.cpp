// SPDX-License-Identifier: MIT
//
// The event of event.patch is recorded, read back, saved and loaded.
#include <flamelet/capture_file.h>
#include <flamelet/recorder.h>

#include <string>

static bool holds_the_reading(const flamelet_capture* capture) {
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_point point;
    size_t count = 0;
    if (flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, &point, 1, &count) == FLAMELET_OK &&
        count == 1)
      return point.kind == FLAMELET_POINT_READING && point.value == 0.5 &&
             flamelet_capture_string(capture, point.name).text == std::string("battery");
  }
  return false;
}

int main() {
  flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  flamelet_reading("battery", "", 0.5);
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture *capture = nullptr, *loaded = nullptr;
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) return 2;
  if (flamelet_capture_update(capture) != FLAMELET_OK || !holds_the_reading(capture)) return 3;
  if (flamelet_capture_save(capture, INT64_MIN, INT64_MAX, "event.flamelet") != FLAMELET_OK) return 4;
  if (flamelet_capture_load(nullptr, "event.flamelet", &loaded, nullptr) != FLAMELET_OK || !holds_the_reading(loaded))
    return 5;
  flamelet_capture_destroy(loaded);
  flamelet_capture_destroy(capture);
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 6;
}

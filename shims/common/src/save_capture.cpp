// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "flamelet/capture_file.h"
#include "flamelet_shim/calls.h"

bool flamelet_shim_save_capture(const char* path, uint64_t* scopes) {
  char file[4096];
  const int size = snprintf(file, sizeof(file), "%s.flamelet", path);
  if (size < 0 || static_cast<size_t>(size) >= sizeof(file)) return false;
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return false;
  const bool saved = flamelet_capture_update(capture) == FLAMELET_OK &&
                     flamelet_capture_save(capture, INT64_MIN, INT64_MAX, file) == FLAMELET_OK;
  flamelet_lane_info lane;
  for (size_t i = 0; saved && scopes != nullptr && flamelet_capture_lane(capture, i, &lane); ++i)
    if (lane.kind == FLAMELET_LANE_THREAD) *scopes += flamelet_capture_count_spans(capture, i, INT64_MIN, INT64_MAX);
  flamelet_capture_destroy(capture);
  return saved;
}

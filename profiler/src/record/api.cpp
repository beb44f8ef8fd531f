// SPDX-License-Identifier: MIT
#include "flamelet/api.h"

const flamelet_api* flamelet_get_api(uint32_t version) {
  static const flamelet_api kApi = {
      FLAMELET_API_VERSION,     sizeof(flamelet_api),  flamelet_enabled,
      flamelet_begin,           flamelet_end,          flamelet_next,
      flamelet_end_top,         flamelet_instant,      flamelet_counter,
      flamelet_interval_begin,  flamelet_interval_end, flamelet_frame,
      flamelet_intern,          flamelet_intern_bytes, flamelet_set_thread_name,
      flamelet_thread_id,       flamelet_fiber_create, flamelet_fiber_destroy,
      flamelet_fiber_switch,    flamelet_track_create, flamelet_track_destroy,
      flamelet_track_calibrate, flamelet_submit,       flamelet_now_ticks,
      flamelet_signal_enter,    flamelet_signal_leave,
  };
  return version <= FLAMELET_API_VERSION ? &kApi : nullptr;
}

// SPDX-License-Identifier: MIT
#include "flamelet/api.h"

// The header inlines these.
static flamelet_id site_begin_of_table(flamelet_site* site) {
  return flamelet_site_begin(site);
}
static void site_end_of_table(flamelet_id id) {
  flamelet_site_end(id);
}
static flamelet_id site_next_of_table(flamelet_id id, flamelet_site* site) {
  return flamelet_site_next(id, site);
}

const flamelet_api* flamelet_get_api(uint32_t version) {
  static const flamelet_api kApi = {
      FLAMELET_API_VERSION,
      sizeof(flamelet_api),
      flamelet_config_default,
      flamelet_memory_required,
      flamelet_init,
      flamelet_shutdown,
      flamelet_set_enabled,
      flamelet_enabled,
      flamelet_result_message,
      flamelet_begin,
      flamelet_end,
      flamelet_next,
      flamelet_end_top,
      flamelet_instant,
      flamelet_counter,
      flamelet_interval_begin,
      flamelet_interval_end,
      flamelet_frame,
      flamelet_frame_named,
      flamelet_intern,
      flamelet_intern_bytes,
      flamelet_set_thread_name,
      flamelet_set_track_name,
      flamelet_thread_id,
      flamelet_fiber_create,
      flamelet_fiber_destroy,
      flamelet_fiber_switch,
      flamelet_signal_enter,
      flamelet_signal_leave,
      flamelet_track_create,
      flamelet_track_destroy,
      flamelet_track_calibrate,
      flamelet_submit,
      flamelet_now_ticks,
      flamelet_clock_info,
      flamelet_get_stats,
      flamelet_events_config_default,
      flamelet_events_memory_required,
      flamelet_events_create,
      flamelet_events_destroy,
      flamelet_events_copy,
      flamelet_events_buffer,
      flamelet_events_pin_page,
      flamelet_events_unpin_page,
      flamelet_events_decode_page,
      flamelet_event_value,
      flamelet_flow_begin,
      flamelet_flow_end,
      flamelet_category_set_enabled,
      flamelet_category_enabled,
      flamelet_categories_apply,
      flamelet_categories,
      flamelet_site_create,
      site_begin_of_table,
      site_end_of_table,
      site_next_of_table,
      flamelet_measure_scope_ns,
  };
  return version <= FLAMELET_API_VERSION ? &kApi : nullptr;
}

// SPDX-License-Identifier: MIT
#include "headers/enum_calls.h"

#include "flamelet/explain.h"
#include "flamelet/file.h"
#include "flamelet/flight.h"
#include "flamelet/statistics.h"
#include "flamelet/waits.h"

static uint64_t events_recorded(void) {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

static bool budget_kind_name(const enum_scene* scene, int number) {
  (void)scene;
  return flamelet_budget_kind_name((flamelet_budget_kind)number)[0] == 0;
}

static bool budget_is_watched(const enum_scene* scene, int number) {
  flamelet_budget budget = scene->budgets[0];
  budget.kind = (flamelet_budget_kind)number;
  return !flamelet_budget_is_watched(&budget, 1, 0);
}

static bool call_tree_blocks(const enum_scene* scene, int number) {
  flamelet_call_totals first = {0, 0, 0, 0};
  return flamelet_call_tree_blocks(scene->tree, (flamelet_call_order)number, &first, 1) == 0 && first.id == 0;
}

static bool call_tree_incoming(const enum_scene* scene, int number) {
  const uint32_t id = 2;
  flamelet_call_totals first = {0, 0, 0, 0};
  return flamelet_call_tree_incoming(scene->tree, &id, 1, (flamelet_call_order)number, &first, 1) == 0 && first.id == 0;
}

static bool call_tree_outgoing(const enum_scene* scene, int number) {
  const uint32_t id = 1;
  flamelet_call_totals first = {0, 0, 0, 0};
  return flamelet_call_tree_outgoing(scene->tree, &id, 1, (flamelet_call_order)number, &first, 1) == 0 && first.id == 0;
}

static bool export_capture(const enum_scene* scene, int number) {
  const size_t before = *scene->bytes;
  return flamelet_export(scene->capture, (flamelet_export_format)number, NULL, scene->sink, NULL) ==
             FLAMELET_ERROR_INVALID_ARGUMENT &&
         *scene->bytes == before;
}

static bool export_file(const enum_scene* scene, int number) {
  return flamelet_export_file(scene->capture, (flamelet_export_format)number, NULL, scene->export_path, NULL) ==
         FLAMELET_ERROR_INVALID_ARGUMENT;
}

static bool export_call_tree(const enum_scene* scene, int number) {
  const size_t before = *scene->bytes;
  return flamelet_export_call_tree(scene->tree, (flamelet_export_format)number, "time", "nanoseconds", false,
                                   scene->sink, NULL) == FLAMELET_ERROR_INVALID_ARGUMENT &&
         *scene->bytes == before;
}

static bool file_end(const enum_scene* scene, int number) {
  (void)scene;
  const uint64_t before = events_recorded();
  flamelet_file_end(flamelet_file_begin(), (flamelet_file_kind)number, "a file", 0);
  return events_recorded() == before;
}

static bool flight_cause_name(const enum_scene* scene, int number) {
  (void)scene;
  return flamelet_flight_cause_name((flamelet_flight_cause)number)[0] == 0;
}

static bool capture_builder_lane(const enum_scene* scene, int number) {
  return flamelet_capture_builder_lane(scene->builder, (flamelet_lane_kind)number, 0) == 0;
}

static bool capture_builder_span_lane(const enum_scene* scene, int number) {
  return flamelet_capture_builder_span_lane(scene->builder, (flamelet_lane_kind)number, 0, 0, false) == 0;
}

static bool capture_builder_switch(const enum_scene* scene, int number) {
  return !flamelet_capture_builder_switch(scene->builder, scene->thread_lane, 1000, (flamelet_state_kind)number, 0);
}

static bool statistics_value(const enum_scene* scene, int number) {
  (void)scene;
  flamelet_scope_statistics row = {0};
  row.count = 7;
  row.total_ns = row.self_ns = row.duration.min_ns = row.duration.mean_ns = row.duration.median_ns = 8;
  row.duration.p95_ns = row.duration.p99_ns = row.duration.max_ns = 8;
  return flamelet_statistics_value(&row, (flamelet_statistics_column)number) == 0;
}

// By their names' numbers, as equal rows are.
static bool statistics_sort(const enum_scene* scene, int number) {
  (void)scene;
  flamelet_scope_statistics rows[2] = {{0}, {0}};
  uint32_t order[2] = {7, 7};
  rows[0].name = 1, rows[0].count = 5;
  rows[1].name = 2, rows[1].count = 3;
  flamelet_statistics_sort(rows, 2, (flamelet_statistics_column)number, false, NULL, order);
  return order[0] == 0 && order[1] == 1;
}

static bool track_create(const enum_scene* scene, int number) {
  (void)scene;
  const uint32_t track = flamelet_track_create("track", (flamelet_track_kind)number, 1e9);
  flamelet_track_destroy(track);
  return track == 0;
}

static bool verdict_name(const enum_scene* scene, int number) {
  (void)scene;
  return flamelet_verdict_name((flamelet_verdict)number)[0] == 0;
}

static bool wait_begin(const enum_scene* scene, int number) {
  (void)scene;
  flamelet_lock lock = {"a lock", NULL, 0, 0, 0};
  const flamelet_wait wait = flamelet_wait_begin(&lock, (flamelet_wait_kind)number);
  flamelet_wait_end(&lock, wait, true);
  return wait.id == 0 && lock.waiting_ == 0;
}

static bool waits_value(const enum_scene* scene, int number) {
  (void)scene;
  flamelet_lock_waits row = {0};
  row.waits = row.threads = 7;
  row.total_ns = row.longest_ns = row.begin_ns = 8;
  return flamelet_waits_value(&row, (flamelet_waits_column)number) == 0;
}

// By where they begin, as equal rows are.
static bool waits_sort(const enum_scene* scene, int number) {
  (void)scene;
  flamelet_lock_waits rows[2] = {{0}, {0}};
  uint32_t order[2] = {7, 7};
  rows[0].begin_ns = 1, rows[0].waits = 5;
  rows[1].begin_ns = 2, rows[1].waits = 3;
  flamelet_waits_sort(rows, 2, (flamelet_waits_column)number, false, NULL, order);
  return order[0] == 0 && order[1] == 1;
}

static bool measure_scope_ns(const enum_scene* scene, int number) {
  (void)scene;
  const double took_ns = flamelet_measure_scope_ns((flamelet_scope_kind)number);
  // It measures nothing where the clock is the system's.
  if (number == FLAMELET_SCOPE_KIND_MACRO && took_ns == 0) return flamelet_clock_info().kind != FLAMELET_CLOCK_OS;
  return took_ns == 0;
}

const enum_call enum_calls[] = {
    {"flamelet_budget_kind_name", FLAMELET_BUDGET_MAX, FLAMELET_BUDGET_KIND_COUNT, budget_kind_name},
    {"flamelet_budget_is_watched", FLAMELET_BUDGET_P99, FLAMELET_BUDGET_KIND_COUNT, budget_is_watched},
    {"flamelet_call_tree_blocks", FLAMELET_CALL_ORDER_SELF, FLAMELET_CALL_ORDER_CALLS + 1, call_tree_blocks},
    {"flamelet_call_tree_incoming", FLAMELET_CALL_ORDER_SELF, FLAMELET_CALL_ORDER_CALLS + 1, call_tree_incoming},
    {"flamelet_call_tree_outgoing", FLAMELET_CALL_ORDER_SELF, FLAMELET_CALL_ORDER_CALLS + 1, call_tree_outgoing},
    {"flamelet_export", FLAMELET_EXPORT_PERFETTO, FLAMELET_EXPORT_FORMAT_COUNT, export_capture},
    {"flamelet_export_file", FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_FORMAT_COUNT, export_file},
    {"flamelet_export_call_tree", FLAMELET_EXPORT_COLLAPSED, FLAMELET_EXPORT_FORMAT_COUNT, export_call_tree},
    {"flamelet_file_end", FLAMELET_FILE_SYNC, FLAMELET_FILE_KINDS, file_end},
    {"flamelet_flight_cause_name", FLAMELET_FLIGHT_MEMORY, FLAMELET_FLIGHT_CAUSE_COUNT, flight_cause_name},
    {"flamelet_capture_builder_lane", FLAMELET_LANE_EXTERNAL, FLAMELET_LANE_FIBER + 1, capture_builder_lane},
    {"flamelet_capture_builder_span_lane", FLAMELET_LANE_FIBER, FLAMELET_LANE_FIBER + 1, capture_builder_span_lane},
    {"flamelet_capture_builder_switch", FLAMELET_STATE_ASLEEP, FLAMELET_STATE_COUNT, capture_builder_switch},
    {"flamelet_statistics_value", FLAMELET_COLUMN_MAX, FLAMELET_COLUMN_MAX + 1, statistics_value},
    {"flamelet_statistics_sort", FLAMELET_COLUMN_COUNT, FLAMELET_COLUMN_MAX + 1, statistics_sort},
    {"flamelet_track_create", FLAMELET_TRACK_GPU, FLAMELET_TRACK_EXTERNAL + 1, track_create},
    {"flamelet_verdict_name", FLAMELET_VERDICT_COUNT - 1, FLAMELET_VERDICT_COUNT, verdict_name},
    {"flamelet_wait_begin", FLAMELET_WAIT_SHARED_LOCK, FLAMELET_WAIT_KINDS, wait_begin},
    {"flamelet_waits_value", FLAMELET_WAITS_BEGIN, FLAMELET_WAITS_BEGIN + 1, waits_value},
    {"flamelet_waits_sort", FLAMELET_WAITS_COUNT, FLAMELET_WAITS_BEGIN + 1, waits_sort},
    {"flamelet_measure_scope_ns", FLAMELET_SCOPE_KIND_MACRO, FLAMELET_SCOPE_KINDS, measure_scope_ns},
};
const size_t enum_call_count = sizeof enum_calls / sizeof enum_calls[0];

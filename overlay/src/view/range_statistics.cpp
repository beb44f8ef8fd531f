// SPDX-License-Identifier: MIT
#include "view/range_statistics.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace flamelet::ui {

void RangeStatistics::carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans) {
  carver->take(&scratch_, max_spans);
  carver->take(&order_, max_scopes);
  carver->take(&gpu_sites_, FLAMELET_MAX_SITES + 1);
  const size_t bytes = flamelet_statistics_memory_required(max_scopes, std::max(max_spans, max_scopes));
  for (Table* table : {&shown_, &next_}) {
    table->object_names.carve(carver, max_scopes * 2);
    void* memory = carver->take_bytes(bytes, 8);
    if (memory != nullptr) flamelet_statistics_create(max_scopes, memory, bytes, &table->statistics);
  }
}

void RangeStatistics::clear(Table* table) {
  flamelet_statistics_clear(table->statistics);
  table->summary = {};
  table->range = {};
  table->filter_sum = {};
  table->left_out = 0;
  table->object_names.clear();
}

void RangeStatistics::clear() {
  clear(&shown_);
  clear(&next_);
  reading_ = false;
  order_.clear();
  memset(gpu_sites_.data, 0, gpu_sites_.capacity);
}

void RangeStatistics::begin(const flamelet_capture* capture, TimeWindow range, ScopeLooks* looks, bool filtered,
                            bool objects_apart) {
  clear(&next_);
  capture_ = capture;
  looks_ = looks;
  next_.range = range;
  next_.filtered = filtered;
  next_.objects_apart = objects_apart;
  next_lane_ = 0;
  reading_ = true;
}

bool RangeStatistics::step(uint32_t max_zones) {
  if (!reading_) return false;
  const size_t lanes = next_.range.end_ns > next_.range.begin_ns ? flamelet_capture_lane_count(capture_) : 0;
  uint64_t zones = 0;
  while (next_lane_ < lanes) {
    if (zones >= max_zones && zones != 0) return false;
    zones += read_lane(next_lane_++);
  }
  if (zones != 0 && zones + next_.summary.span_count > max_zones) return false;
  finish();
  return true;
}

uint64_t RangeStatistics::object_key(uint32_t site, uint32_t object) {
  const uint64_t key = (uint64_t{site} << 32 | object) * 0x9E3779B97F4A7C15ull;
  return key ^ key >> 29;
}

// Spans of objects for whose names there is no room stay with their scope.
void RangeStatistics::part_objects(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_span& span = scratch_[i];
    if (span.object == 0) continue;
    ObjectName* name = next_.object_names.insert(object_key(span.site, span.object));
    if (name == nullptr) continue;
    name->name = span.name;
    span.name = span.object;
  }
}

ScopePart RangeStatistics::part(const flamelet_scope_statistics& row) const {
  const ObjectName* name = shown_.objects_apart ? shown_.object_names.find(object_key(row.site, row.name)) : nullptr;
  if (name == nullptr) return {key_of(row), 0};
  return {{row.site, name->name}, row.name};
}

// Returns how many spans it has added.
uint32_t RangeStatistics::read_lane(size_t lane) {
  flamelet_lane_info info;
  // A fiber's spans stand on the lanes of its threads too, and must not count twice.
  if (!flamelet_capture_lane(capture_, lane, &info) || info.kind == FLAMELET_LANE_FIBER) return 0;
  const size_t found = flamelet_capture_read_spans(capture_, lane, next_.range.begin_ns, next_.range.end_ns,
                                                   scratch_.data, scratch_.capacity);
  const uint32_t count = static_cast<uint32_t>(std::min<size_t>(found, scratch_.capacity));
  next_.left_out += found - count;
  next_.summary.span_count += count;
  if (info.kind == FLAMELET_LANE_GPU)
    for (uint32_t i = 0; i < count; ++i)
      if (scratch_[i].site < gpu_sites_.capacity) gpu_sites_[scratch_[i].site] = 1;
  if (next_.filtered) sum_filter(count);
  if (next_.objects_apart) part_objects(count);
  flamelet_statistics_add(next_.statistics, scratch_.data, count);
  return count;
}

void RangeStatistics::sum_filter(uint32_t count) {
  const auto is_match = [this](const flamelet_span& span) { return looks_->look(key_of(span)).matches; };
  sum_matches(scratch_.data, count, is_match, &next_.filter_sum);
}

void RangeStatistics::finish() {
  next_.summary = flamelet_statistics_finish(next_.statistics);
  next_.left_out += next_.summary.left_out_count;
  std::swap(shown_, next_);
  reading_ = false;
  sort();
}

void RangeStatistics::sort_by(flamelet_statistics_column column, bool descending) {
  column_ = column;
  descending_ = descending;
  if (capture_ != nullptr) sort();
}

void RangeStatistics::sort() {
  const flamelet_statistics_summary& summary = shown_.summary;
  flamelet_statistics_sort(summary.rows, summary.row_count, column_, descending_, capture_, order_.data);
  order_.count = static_cast<uint32_t>(summary.row_count);
  if (!shown_.filtered) return;
  const auto left_out = [&](uint32_t i) { return !looks_->look(part(summary.rows[i]).key).matches; };
  order_.count = static_cast<uint32_t>(std::remove_if(order_.begin(), order_.end(), left_out) - order_.begin());
}

const flamelet_scope_statistics* RangeStatistics::find(ScopePart scope) const {
  const flamelet_statistics_summary& summary = shown_.summary;
  for (size_t i = 0; i < summary.row_count; ++i)
    if (part(summary.rows[i]) == scope) return &summary.rows[i];
  return nullptr;
}

}  // namespace flamelet::ui

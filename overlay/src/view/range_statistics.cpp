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
}

void RangeStatistics::clear() {
  clear(&shown_);
  clear(&next_);
  reading_ = false;
  order_.clear();
  memset(gpu_sites_.data, 0, gpu_sites_.capacity);
}

void RangeStatistics::begin(const flamelet_capture* capture, TimeWindow range, ScopeLooks* looks, bool filtered) {
  clear(&next_);
  capture_ = capture;
  looks_ = looks;
  next_.range = range;
  next_.filtered = filtered;
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
  flamelet_statistics_add(next_.statistics, scratch_.data, count);
  if (info.kind == FLAMELET_LANE_GPU)
    for (uint32_t i = 0; i < count; ++i)
      if (scratch_[i].site < gpu_sites_.capacity) gpu_sites_[scratch_[i].site] = 1;
  const auto is_match = [this](const flamelet_span& span) { return looks_->look(key_of(span)).matches; };
  if (next_.filtered) sum_matches(scratch_.data, count, is_match, &next_.filter_sum);
  return count;
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
  const auto left_out = [&](uint32_t i) { return !looks_->look(key_of(summary.rows[i])).matches; };
  order_.count = static_cast<uint32_t>(std::remove_if(order_.begin(), order_.end(), left_out) - order_.begin());
}

const flamelet_scope_statistics* RangeStatistics::find(ScopeKey scope) const {
  const flamelet_statistics_summary& summary = shown_.summary;
  for (size_t i = 0; i < summary.row_count; ++i)
    if (key_of(summary.rows[i]) == scope) return &summary.rows[i];
  return nullptr;
}

}  // namespace flamelet::ui

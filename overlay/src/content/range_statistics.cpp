// SPDX-License-Identifier: MIT
#include "content/range_statistics.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace flamelet::ui {

void RangeStatistics::carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans) {
  carver->take(&scratch_, std::max<uint32_t>(max_spans, FLAMELET_CURSOR_LEAST));
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
  table->object_names.clear();
}

void RangeStatistics::clear() {
  clear(&shown_);
  clear(&next_);
  reading_ = false;
  order_.clear();
  memset(gpu_sites_.data, 0, gpu_sites_.capacity);
}

void RangeStatistics::begin(const flamelet_capture* capture, TimeWindow range, ScopeStyles* styles, bool filtered,
                            bool objects_apart) {
  clear(&next_);
  capture_ = capture;
  styles_ = styles;
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
void RangeStatistics::part_objects(const flamelet_span_cursor& piece) {
  for (size_t i = 0; i < piece.count; ++i) {
    flamelet_span& span = piece.spans[i];
    if (span.object == 0) continue;
    ObjectName* name = next_.object_names.insert(object_key(span.site, span.object));
    if (name == nullptr) continue;
    name->name = span.name;
    span.name = span.object;
  }
}

// Gives the spans their scopes' names back: the cursor goes on from them.
void RangeStatistics::join_objects(const flamelet_span_cursor& piece) {
  for (size_t i = 0; i < piece.count; ++i) {
    flamelet_span& span = piece.spans[i];
    const ObjectName* name = span.object != 0 ? next_.object_names.find(object_key(span.site, span.object)) : nullptr;
    if (name != nullptr) span.name = name->name;
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
  uint32_t count = 0;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture_, lane, next_.range.begin_ns, next_.range.end_ns, scratch_.data,
                             scratch_.capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    add_piece(cursor, info.kind == FLAMELET_LANE_GPU);
    count += static_cast<uint32_t>(cursor.count - cursor.again);
  }
  next_.summary.span_count += count;
  return count;
}

void RangeStatistics::add_piece(const flamelet_span_cursor& piece, bool gpu) {
  for (size_t i = 0; gpu && i < piece.count; ++i)
    if (piece.spans[i].site < gpu_sites_.capacity) gpu_sites_[piece.spans[i].site] = 1;
  const auto is_match = [this](const flamelet_span& span) { return styles_->of(key_of(span)).matches; };
  if (next_.filtered) sum_matches(piece.spans, static_cast<uint32_t>(piece.count), is_match, &next_.filter_sum);
  if (next_.objects_apart) part_objects(piece);
  flamelet_statistics_add(next_.statistics, piece.spans, piece.count);
  if (next_.objects_apart) join_objects(piece);
}

void RangeStatistics::finish() {
  next_.summary = flamelet_statistics_finish(next_.statistics);
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
  const auto left_out = [&](uint32_t i) { return !styles_->of(part(summary.rows[i]).key).matches; };
  order_.count = static_cast<uint32_t>(std::remove_if(order_.begin(), order_.end(), left_out) - order_.begin());
}

const flamelet_scope_statistics* RangeStatistics::find(ScopePart scope) const {
  const flamelet_statistics_summary& summary = shown_.summary;
  for (size_t i = 0; i < summary.row_count; ++i)
    if (part(summary.rows[i]) == scope) return &summary.rows[i];
  return nullptr;
}

}  // namespace flamelet::ui

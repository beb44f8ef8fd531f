// SPDX-License-Identifier: MIT
#include "range_statistics.h"

#include <string.h>

#include <algorithm>

namespace flamelet::ui {

void RangeStatistics::carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans) {
  carver->take(&scratch_, max_spans);
  carver->take(&order_, max_scopes);
  carver->take(&gpu_sites_, FLAMELET_MAX_SITES + 1);
  const size_t bytes = flamelet_statistics_required_bytes(max_scopes, std::max(max_spans, max_scopes));
  void* memory = carver->take_bytes(bytes, 8);
  if (memory != nullptr) statistics_ = flamelet_statistics_init(memory, bytes, max_scopes);
}

void RangeStatistics::clear() {
  flamelet_statistics_clear(statistics_);
  summary_ = flamelet_statistics_finish(statistics_);
  order_.clear();
  memset(gpu_sites_.data, 0, gpu_sites_.capacity);
  range_ = {};
  filter_sum_ = {};
  left_out_ = 0;
}

void RangeStatistics::read(const flamelet_capture* capture, TimeWindow range, ScopeLooks* looks, bool filtered) {
  clear();
  capture_ = capture;
  looks_ = looks;
  range_ = range;
  filtered_ = filtered;
  if (range.end_ns <= range.begin_ns) return;
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(capture, lane, &info)) continue;
    // A fiber's spans stand on the lanes of its threads too, and must not count twice.
    if (info.kind == FLAMELET_LANE_FIBER) continue;
    const size_t found =
        flamelet_capture_read_spans(capture, lane, range.begin_ns, range.end_ns, scratch_.data, scratch_.capacity);
    const uint32_t count = static_cast<uint32_t>(std::min<size_t>(found, scratch_.capacity));
    left_out_ += found - count;
    flamelet_statistics_add(statistics_, scratch_.data, count);
    if (info.kind == FLAMELET_LANE_GPU)
      for (uint32_t i = 0; i < count; ++i)
        if (scratch_[i].site < gpu_sites_.capacity) gpu_sites_[scratch_[i].site] = 1;
    if (!filtered) continue;
    const auto is_match = [looks](const flamelet_span& span) { return looks->look(span.site, span.name).matches; };
    sum_matches(scratch_.data, count, is_match, &filter_sum_);
  }
  summary_ = flamelet_statistics_finish(statistics_);
  left_out_ += summary_.left_out_count;
  sort();
}

void RangeStatistics::sort_by(flamelet_statistics_column column, bool descending) {
  column_ = column;
  descending_ = descending;
  if (capture_ != nullptr) sort();
}

void RangeStatistics::sort() {
  flamelet_statistics_sort(summary_.rows, summary_.row_count, column_, descending_, capture_, order_.data);
  order_.count = static_cast<uint32_t>(summary_.row_count);
  if (!filtered_) return;
  const auto left_out = [this](uint32_t i) {
    return !looks_->look(summary_.rows[i].site, summary_.rows[i].name).matches;
  };
  order_.count = static_cast<uint32_t>(std::remove_if(order_.begin(), order_.end(), left_out) - order_.begin());
}

const flamelet_scope_statistics* RangeStatistics::find(uint32_t site, uint32_t name) const {
  for (size_t i = 0; i < summary_.row_count; ++i)
    if (summary_.rows[i].site == site && summary_.rows[i].name == name) return &summary_.rows[i];
  return nullptr;
}

}  // namespace flamelet::ui

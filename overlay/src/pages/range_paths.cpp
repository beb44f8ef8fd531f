// SPDX-License-Identifier: MIT
#include "pages/range_paths.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

constexpr uint32_t kSpansAtOnce = 4096;
constexpr int64_t kFirstSliceNs = 1000000;
constexpr int64_t kLeastSliceNs = 1000;
constexpr int64_t kMostSliceNs = 10000000000;

flamelet_call_tree_config shown_config(uint32_t max_paths, uint32_t max_scopes) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = max_paths + 1;  // and the root
  config.max_blocks = max_scopes;
  config.max_threads = 0;
  config.max_jumps = 0;
  config.keep_recursion = true;
  return config;
}

}  // namespace

flamelet_span_tree_config RangePaths::config() const {
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_nodes = max_paths_ + 1;
  config.max_scopes = max_scopes_;
  config.max_lanes = max_lanes_;
  config.max_spans = kSpansAtOnce;
  return config;
}

void RangePaths::carve(Carver* carver, uint32_t max_paths, uint32_t max_scopes, uint32_t max_lanes) {
  max_paths_ = max_paths;
  max_scopes_ = max_scopes;
  max_lanes_ = max_lanes;
  const flamelet_span_tree_config reader = config();
  const flamelet_call_tree_config shown = shown_config(max_paths, max_scopes);
  carver->take(&reader_memory_, flamelet_span_tree_memory_required(&reader));
  carver->take(&shown_memory_, flamelet_call_tree_memory_required(&shown));
  if (reader_memory_.data != nullptr) reset();
}

void RangePaths::reset() {
  const flamelet_span_tree_config reader = config();
  const flamelet_call_tree_config shown = shown_config(max_paths_, max_scopes_);
  flamelet_span_tree_create(&reader, reader_memory_.data, reader_memory_.capacity, &reader_);
  flamelet_call_tree_create(&shown, shown_memory_.data, shown_memory_.capacity, &shown_);
  range_ = {};
  reading_ = false;
}

void RangePaths::begin(const flamelet_capture* capture, TimeWindow range, uint32_t lane_kinds, bool keep_recursion) {
  flamelet_span_tree_select(reader_, lane_kinds, 0, keep_recursion);
  capture_ = capture;
  range_ = range;
  read_until_ns_ = range.begin_ns;
  slice_ns_ = kFirstSliceNs;
  reading_ = true;
}

void RangePaths::extend(int64_t end_ns) {
  if (capture_ == nullptr || end_ns <= range_.end_ns) return;
  range_.end_ns = end_ns;
  reading_ = true;
}

bool RangePaths::step(uint32_t max_zones) {
  if (!reading_) return false;
  const uint32_t share = std::max(max_zones / 8, 1u);
  for (size_t zones = 0; read_until_ns_ < range_.end_ns;) {
    if (zones >= max_zones) return false;
    const int64_t slice_ns = std::min(slice_ns_, range_.end_ns - read_until_ns_);
    const size_t looked = flamelet_span_tree_add_window(reader_, capture_, read_until_ns_, read_until_ns_ + slice_ns);
    read_until_ns_ += slice_ns;
    if (looked > share) slice_ns_ = std::max(slice_ns_ / 2, kLeastSliceNs);
    if (looked < share / 4) slice_ns_ = std::min(slice_ns_ * 2, kMostSliceNs);
    zones += looked + 1;  // so that stretches without a span end, too
  }
  flamelet_call_tree_clear(shown_);
  flamelet_call_tree_merge(shown_, flamelet_span_tree_calls(reader_));
  reading_ = false;
  return true;
}

}  // namespace flamelet::ui

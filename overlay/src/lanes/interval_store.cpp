// SPDX-License-Identifier: MIT
#include "lanes/interval_store.h"

#include <algorithm>
#include <utility>

namespace flamelet::ui {

void IntervalStore::carve(Carver* carver, uint32_t max_intervals) {
  carver->take(&intervals_, max_intervals);
  carver->take(&places_, max_intervals);
  carver->take(&before_, max_intervals);
  carver->take(&groups_, kMostGroups);
  carver->take(&packings_, kMostGroups);
  spans_.carve(carver, max_intervals, max_intervals);
  carver->take(&interval_of_, max_intervals);
  carver->take(&order_, max_intervals);
  carver->take(&row_begins_, size_t{max_intervals} + kMostGroups);
}

void IntervalStore::clear() {
  intervals_.clear();
  places_.clear();
  before_.clear();
  groups_.clear();
  left_out_ = 0;
}

void IntervalStore::read(const flamelet_capture* capture, TimeWindow window) {
  std::swap(places_, before_);
  size_t found = flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, intervals_.data, intervals_.capacity);
  if (found > intervals_.capacity)
    found =
        flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, intervals_.data, intervals_.capacity);
  intervals_.count = static_cast<uint32_t>(std::min<size_t>(found, intervals_.capacity));
  left_out_ = found - intervals_.count;
  pack(capture);
  make_rows();
}

uint32_t IntervalStore::find_group(const flamelet_capture* capture, uint32_t site) {
  flamelet_site_info info;
  flamelet_capture_site(capture, site, &info);
  const std::string_view category(info.category.text, info.category.size);
  for (uint32_t i = 0; i < groups_.count; ++i)
    if (groups_[i].category == category) return i;
  if (!groups_.push({category, LaneRows()})) return groups_.count - 1;
  packings_[groups_.count - 1].row_count = 0;
  return groups_.count - 1;
}

// The wanted row if it is free, else the first free one.
uint32_t IntervalStore::pack_into(Packing* packing, const flamelet_interval& interval, uint32_t wanted) {
  const auto is_free = [&](uint32_t row) {
    return row >= packing->row_count || packing->ends_ns[row] <= interval.begin_ns;
  };
  uint32_t row = wanted;
  if (row >= kMostRows || !is_free(row)) {
    row = 0;
    while (row < kMostRows - 1 && !is_free(row)) ++row;
  }
  while (packing->row_count <= row) packing->ends_ns[packing->row_count++] = INT64_MIN;
  return row;
}

// A row is kept for an interval of the read before only from its own begin on, so a new one that began earlier may take it.
void IntervalStore::pack(const flamelet_capture* capture) {
  groups_.clear();
  places_.clear();
  uint32_t known = 0;
  for (flamelet_interval& interval : intervals_) {
    while (known < before_.count && before_[known].begin_ns < interval.begin_ns) ++known;
    uint32_t same = known;
    while (same < before_.count && before_[same].begin_ns == interval.begin_ns && before_[same].id != interval.id)
      ++same;
    const bool was_there = same < before_.count && before_[same].begin_ns == interval.begin_ns;
    const uint32_t group = find_group(capture, interval.site);
    Packing& packing = packings_[group];
    const uint32_t row = pack_into(&packing, interval, was_there ? before_[same].row : UINT32_MAX);
    // Only the last row can have no room.
    interval.begin_ns = std::max(interval.begin_ns, packing.ends_ns[row]);
    interval.end_ns = std::max(interval.end_ns, interval.begin_ns);
    packing.ends_ns[row] = std::max(interval.end_ns, interval.begin_ns + 1);
    places_.push({interval.begin_ns, interval.id, group, row});
  }
}

// A stable sort by group and row: within a row, intervals stay in the order of their begins.
void IntervalStore::make_rows() {
  uint32_t* row_begin = row_begins_.data;
  uint32_t position = 0;
  spans_.clear();
  for (uint32_t g = 0; g < groups_.count; ++g) {
    IntervalGroup& group = groups_[g];
    const uint32_t row_count = packings_[g].row_count;
    LaneRows& rows = group.rows;
    rows.independent = true;
    rows.spans = LaneSpans(&spans_, position);
    rows.order = order_.data + position;
    rows.row_begin = row_begin;
    rows.row_count = row_count;
    std::fill(row_begin, row_begin + row_count + 1, 0u);
    for (const Place& place : places_)
      if (place.group == g) ++row_begin[place.row + 1];
    for (uint32_t row = 0; row < row_count; ++row) row_begin[row + 1] += row_begin[row];
    rows.span_count = row_begin[row_count];
    uint32_t next[kMostRows];
    std::copy(row_begin, row_begin + row_count, next);
    for (uint32_t i = 0; i < intervals_.count; ++i)
      if (places_[i].group == g) interval_of_[position + next[places_[i].row]++] = i;
    for (uint32_t at = 0; at < rows.span_count; ++at) {
      const uint32_t i = interval_of_[position + at];
      const flamelet_interval& interval = intervals_[i];
      spans_.push({interval.begin_ns, interval.end_ns, interval.name, interval.object,
                   static_cast<uint16_t>(interval.site), static_cast<uint16_t>(places_[i].row),
                   static_cast<uint8_t>(interval.flags)});
      rows.order[at] = at;
    }
    position += rows.span_count;
    row_begin += row_count + 1;
  }
}

const flamelet_interval* IntervalStore::find(flamelet_id id) const {
  for (const flamelet_interval& interval : intervals_)
    if (interval.id == id) return &interval;
  return nullptr;
}

}  // namespace flamelet::ui

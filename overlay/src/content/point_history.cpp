// SPDX-License-Identifier: MIT
#include "content/point_history.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

constexpr int64_t kLateNs = 100000000;  // points may come so much late

}  // namespace

void PointHistory::carve(Carver* carver, const Limits& limits) {
  counters_.carve(carver, limits.counters);
  bins_.carve(carver, limits.bins, limits.counters, false);
  messages_.carve(carver, limits.messages);
  carver->take(&scratch_, kPointsAPiece);
}

void PointHistory::clear() {
  counters_.clear();
  bins_.clear();
  messages_.clear();
  next_ns_ = end_ns_ = INT64_MIN;
  begun_ = false;
}

void PointHistory::begin_round(const flamelet_capture* capture) {
  TimeWindow extent;
  if (!flamelet_capture_extent(capture, &extent.begin_ns, &extent.end_ns)) return;
  next_ns_ = begun_ ? std::max(extent.begin_ns, next_ns_ - kLateNs) : extent.begin_ns;
  end_ns_ = extent.end_ns + 1;
  begun_ = true;
  bins_.forget_before(extent.begin_ns);
}

bool PointHistory::step(const flamelet_capture* capture, int64_t piece_ns) {
  if (!reading()) return false;
  const TimeWindow piece = {next_ns_, end_ns_ - next_ns_ > piece_ns ? next_ns_ + piece_ns : end_ns_};
  messages_.begin_replacing(piece.begin_ns);
  for_each_source(capture, [&](const flamelet_lane_info& info, size_t lane) {
    for_each_point(capture, lane, piece, &scratch_, [&](const flamelet_point& point) {
      if (point.kind == FLAMELET_POINT_INSTANT) {
        messages_.add({point.time_ns, point.site, point.name, point.object, info.id, info.kind});
        return;
      }
      const uint32_t counter = counters_.find_or_add(capture, point.name);
      if (counter == CounterTable::kNone) return;
      if (point.time_ns < counters_[counter].last_ns) return;  // it was read in the round before
      counters_.set_last(counter, point.time_ns, point.value);
      bins_.add(counter, point.time_ns, point.value);
    });
  });
  messages_.end_replacing();
  next_ns_ = piece.end_ns;
  return reading();
}

void PointHistory::bins_before(int64_t time_ns, Array<const CounterBin*>* bins) const {
  bins->clear();
  for (uint32_t i = 0; i < counters_.count(); ++i) bins->push(nullptr);
  for (const CounterBin& bin : bins_.unsorted()) {
    const CounterBin*& newest = (*bins)[bin.counter];
    if (bin.first_ns < time_ns && (newest == nullptr || bin.first_ns >= newest->first_ns)) newest = &bin;
  }
}

}  // namespace flamelet::ui

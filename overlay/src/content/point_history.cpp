// SPDX-License-Identifier: MIT
#include "content/point_history.h"

#include <algorithm>

#include "content/filter.h"

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
  points_read_ = 0;
  for_each_source(capture, [&](const flamelet_lane_info& info, size_t lane) {
    for_each_point(capture, lane, piece, &scratch_, [&](const flamelet_point& point) {
      ++points_read_;
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

// ---- Messages -----------------------------------------------------------------------------------------------------

namespace {

bool before(const Message& a, const Message& b) {
  return a.time_ns < b.time_ns;
}

}  // namespace

void Messages::carve(Carver* carver, uint32_t max_messages) {
  carver->take(&messages_, max_messages);
  carver->take(&rows_, max_messages);
}

void Messages::clear() {
  messages_.clear();
  rows_.clear();
  rows_until_ = replaced_from_ = 0;
  left_out_ = 0;
}

void Messages::begin_replacing(int64_t begin_ns) {
  while (messages_.count != 0 && messages_[messages_.count - 1].time_ns >= begin_ns) --messages_.count;
  replaced_from_ = messages_.count;
  rows_until_ = std::min(rows_until_, messages_.count);
  while (rows_.count != 0 && rows_[rows_.count - 1] >= rows_until_) --rows_.count;
}

void Messages::add(const Message& message) {
  if (messages_.push(message)) return;
  // An eighth at once: so it is seldom.
  const uint32_t away = std::max(messages_.capacity / 8, 1u);
  std::sort(messages_.begin() + std::min(replaced_from_, messages_.count), messages_.end(), before);
  std::move(messages_.begin() + away, messages_.end(), messages_.begin());
  messages_.count -= away;
  left_out_ += away;
  replaced_from_ = replaced_from_ > away ? replaced_from_ - away : 0;
  rows_until_ = 0;
  rows_.clear();
  messages_.push(message);
}

void Messages::end_replacing() {
  std::sort(messages_.begin() + replaced_from_, messages_.end(), before);
  replaced_from_ = messages_.count;
}

void Messages::update_rows(const flamelet_capture* capture, ScopeStyles* styles, std::string_view filter, bool anew) {
  if (anew) {
    rows_.clear();
    rows_until_ = 0;
  }
  for (; rows_until_ < messages_.count; ++rows_until_) {
    const Message& message = messages_[rows_until_];
    const auto matches_text = [&] {
      return message.object != 0 && matches(view_of(flamelet_capture_string(capture, message.object)), filter);
    };
    if (filter.empty() || styles->of(key_of(message)).matches || matches_text()) rows_.push(rows_until_);
  }
}

uint32_t Messages::row_at(int64_t time_ns) const {
  return static_cast<uint32_t>(
      std::partition_point(rows_.begin(), rows_.end(), [&](uint32_t i) { return messages_[i].time_ns < time_ns; }) -
      rows_.begin());
}

uint32_t Messages::find_row(const Message& message) const {
  for (uint32_t i = row_at(message.time_ns); i < rows_.count && row(i).time_ns == message.time_ns; ++i)
    if (row(i) == message) return i;
  return kNone;
}

}  // namespace flamelet::ui

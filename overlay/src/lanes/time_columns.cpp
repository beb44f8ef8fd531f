// SPDX-License-Identifier: MIT
#include "lanes/time_columns.h"

#include <algorithm>

namespace flamelet::ui {

double TimeColumns::column_of(int64_t ns) const {
  const double width = static_cast<double>(width_);
  const double x = x_at(view_, static_cast<double>(ns), width);
  return std::min(std::max(x, 0.0), width) / static_cast<double>(column_px_);
}

void TimeColumns::add(int64_t begin_ns, int64_t end_ns, uint32_t value) {
  const double begin = std::max(column_of(begin_ns), static_cast<double>(column_) + filled_);
  const double end = column_of(end_ns);
  if (!(end > begin)) return;
  const uint32_t first = static_cast<uint32_t>(begin), last = static_cast<uint32_t>(end);
  if (first > column_) {
    close_column();
    fill_to(first, kNothing);
  }
  const double offset = begin - static_cast<double>(first);
  if (offset > filled_) give(kNothing, offset - filled_);
  filled_ = std::min(end - static_cast<double>(first), 1.0);
  give(value, filled_ - offset);
  if (last == first) return;
  close_column();
  fill_to(last, value);
  filled_ = end - static_cast<double>(last);
  if (filled_ > 0) give(value, filled_);
}

bool TimeColumns::finish() {
  close_column();
  return complete_;
}

// A value that comes into a stretch of shared columns gets one of them, however short it is.
void TimeColumns::give(uint32_t value, double columns) {
  Share* share = std::find_if(shares_, shares_ + share_count_, [&](const Share& of) { return of.value == value; });
  if (share == shares_ + share_count_) {
    constexpr uint32_t kMost = sizeof shares_ / sizeof shares_[0];
    if (share_count_ == kMost)
      share = std::min_element(shares_, shares_ + kMost,
                               [](const Share& a, const Share& b) { return a.columns < b.columns; });
    else
      ++share_count_;
    *share = {value, value == quiet_ || value == kNothing ? 0.0f : 1.0f};
  }
  share->columns += static_cast<float>(columns);
}

void TimeColumns::close_column() {
  if (!(filled_ > 0)) return;
  if (filled_ < 1) give(kNothing, 1 - filled_);
  filled_ = 0;
  Share* most = std::max_element(shares_, shares_ + share_count_,
                                 [](const Share& a, const Share& b) { return a.columns < b.columns; });
  most->columns -= 1;
  const uint32_t value = most->value;
  if (share_count_ == 1) share_count_ = 0;
  put(column_ + 1, value);
}

// Whole columns of one value end a stretch of shared ones.
void TimeColumns::fill_to(uint32_t end, uint32_t value) {
  if (end == column_) return;
  share_count_ = 0;
  put(end, value);
}

void TimeColumns::put(uint32_t end, uint32_t value) {
  const float x0 = std::min(static_cast<float>(column_) * column_px_, width_);
  const float x1 = std::min(static_cast<float>(end) * column_px_, width_);
  column_ = end;
  if (value == kNothing || !(x1 > x0)) return;
  TimeBlock* before = last_ != UINT32_MAX ? &(*blocks_)[last_] : nullptr;
  if (before != nullptr && before->value == value && !(before->x1 < x0)) {
    before->x1 = x1;
    return;
  }
  complete_ = blocks_->push({x0, x1, row_, value}) && complete_;
  last_ = blocks_->count - 1;
}

}  // namespace flamelet::ui

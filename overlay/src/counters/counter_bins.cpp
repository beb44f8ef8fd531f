// SPDX-License-Identifier: MIT
#include "counters/counter_bins.h"

#include <math.h>

#include <algorithm>

namespace flamelet::ui {

namespace {

constexpr uint32_t kBits = 64;

uint32_t bit_length(uint64_t value) {
  uint32_t length = 0;
  for (uint32_t step = 32; step != 0; step /= 2) {
    if (value >> step == 0) continue;
    value >>= step;
    length += step;
  }
  return length + (value != 0);
}

// The level from which on both times lie in one bin.
uint32_t common_level(int64_t a_ns, int64_t b_ns) {
  return bit_length(static_cast<uint64_t>(a_ns) ^ static_cast<uint64_t>(b_ns));
}

bool same_bin(int64_t a_ns, int64_t b_ns, uint32_t level) {
  return a_ns >> level == b_ns >> level;
}

// How many bins there are at each level, counted in one pass over the finest ones.
struct LevelCounts {
  uint32_t always = 0;  // the first one of each counter
  uint32_t ends_at[kBits + 1] = {};

  void add(uint32_t level) { ++ends_at[level]; }
  // The first level with at most this many bins; kBits if there is none.
  uint32_t level_with(uint32_t most) const {
    uint32_t level = kBits;
    uint32_t count = always;
    while (level > 0 && count + ends_at[level] <= most) count += ends_at[level--];
    return level;
  }
};

}  // namespace

void CounterBin::merge(const CounterBin& other) {
  if (other.last_ns >= last_ns) {
    last_ns = other.last_ns;
    last = other.last;
  }
  first_ns = std::min(first_ns, other.first_ns);
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  count += other.count;
}

void CounterBins::carve(Carver* carver, uint32_t max_bins, uint32_t max_counters, bool levels) {
  if (!levels) {
    carver->take(&bins_, max_bins);
  } else {
    // Bins come in where the coarser levels will stand: these are made when all bins were sorted into the first half.
    carver->take(&sorted_, size_t{max_bins} * 2);
    bins_ = {sorted_.data != nullptr ? sorted_.data + max_bins : nullptr, 0, max_bins};
  }
  carver->take(&newest_, max_counters);
  carver->take(&levels_, levels ? size_t{max_counters} * kMostLevels : 0);
  carver->take(&level_count_, max_counters);
}

void CounterBins::clear() {
  bins_.clear();
  sorted_.clear();
  newest_.count = newest_.capacity;
  std::fill(newest_.begin(), newest_.end(), kNone);
  level_count_.count = level_count_.capacity;
  std::fill(level_count_.begin(), level_count_.end(), 0u);
  level_ = 0;
  left_out_ = not_finite_ = 0;
  forget_ns_ = INT64_MIN;
}

void CounterBins::add(uint32_t counter, int64_t time_ns, double value) {
  if (!isfinite(value)) {
    ++not_finite_;
    return;
  }
  const CounterBin bin = {time_ns, time_ns, value, value, value, counter, 1};
  for (;;) {
    const uint32_t newest = newest_[counter];
    if (newest != kNone && same_bin(bins_[newest].first_ns, time_ns, level_)) return bins_[newest].merge(bin);
    if (bins_.push(bin)) {
      newest_[counter] = bins_.count - 1;
      return;
    }
    if (!make_room()) {
      ++left_out_;
      return;
    }
  }
}

// The first level with at most this many of the bins that there are, in their order.
uint32_t CounterBins::level_for(uint32_t most_bins) const {
  LevelCounts counts;
  uint32_t* newest = newest_.data;
  std::fill(newest, newest + newest_.count, kNone);
  for (uint32_t i = 0; i < bins_.count; ++i) {
    const CounterBin& bin = bins_[i];
    const uint32_t before = newest[bin.counter];
    if (before == kNone)
      ++counts.always;
    else
      counts.add(common_level(bins_[before].first_ns, bin.first_ns));
    newest[bin.counter] = i;
  }
  return counts.level_with(most_bins);
}

// False if there is none to be made.
bool CounterBins::make_room() {
  bins_.count = static_cast<uint32_t>(
      std::remove_if(bins_.begin(), bins_.end(), [this](const CounterBin& bin) { return bin.last_ns < forget_ns_; }) -
      bins_.begin());
  const uint32_t enough = bins_.capacity - bins_.capacity / 4;
  level_ = std::min(std::max(level_, level_for(enough)), kBits - 2);
  std::fill(newest_.begin(), newest_.end(), kNone);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < bins_.count; ++i) {
    const CounterBin bin = bins_[i];
    const uint32_t before = newest_[bin.counter];
    if (before != kNone && same_bin(bins_[before].first_ns, bin.first_ns, level_)) {
      bins_[before].merge(bin);
    } else {
      newest_[bin.counter] = kept;
      bins_[kept++] = bin;
    }
  }
  bins_.count = kept;
  return !bins_.full();
}

// Stable, so each counter's bins stay in the order in which they came; that is by time unless several lanes had values.
void CounterBins::sort() {
  sorted_.count = bins_.count;
  std::fill(newest_.begin(), newest_.end(), 0u);
  for (const CounterBin& bin : bins_) ++newest_[bin.counter];
  uint32_t position = 0;
  for (uint32_t counter = 0; counter < newest_.count; ++counter) {
    Level& finest = levels_[counter * kMostLevels];
    finest = {position, newest_[counter], level_};
    level_count_[counter] = newest_[counter] != 0;
    newest_[counter] = position;
    position += finest.count;
  }
  for (const CounterBin& bin : bins_) sorted_[newest_[bin.counter]++] = bin;
  const auto before = [](const CounterBin& a, const CounterBin& b) { return a.first_ns < b.first_ns; };
  for (uint32_t counter = 0; counter < newest_.count; ++counter) {
    const Level& finest = levels_[counter * kMostLevels];
    CounterBin* begin = sorted_.data + finest.begin;
    if (!std::is_sorted(begin, begin + finest.count, before)) std::sort(begin, begin + finest.count, before);
  }
}

void CounterBins::build_levels(uint32_t counter) {
  Level* levels = &levels_[counter * kMostLevels];
  uint32_t& count = level_count_[counter];
  if (count == 0) return;
  LevelCounts counts;
  counts.always = 1;
  for (uint32_t i = levels->begin + 1; i < levels->begin + levels->count; ++i)
    counts.add(common_level(sorted_[i - 1].first_ns, sorted_[i].first_ns));
  while (count < kMostLevels && levels[count - 1].count > kFewBins) {
    const Level finer = levels[count - 1];
    Level coarser = {sorted_.count, 0, std::max(counts.level_with(finer.count / 2), finer.level + 1)};
    if (coarser.level >= kBits) return;
    for (uint32_t i = finer.begin; i < finer.begin + finer.count; ++i) {
      const CounterBin bin = sorted_[i];
      if (coarser.count != 0 && same_bin(sorted_[sorted_.count - 1].first_ns, bin.first_ns, coarser.level)) {
        sorted_[sorted_.count - 1].merge(bin);
      } else if (sorted_.push(bin)) {
        ++coarser.count;
      } else {
        sorted_.count = coarser.begin;
        return;
      }
    }
    levels[count++] = coarser;
  }
}

void CounterBins::build() {
  sort();
  for (uint32_t counter = 0; counter < level_count_.count; ++counter) build_levels(counter);
}

CounterBinRange CounterBins::bins(uint32_t counter, uint32_t level) const {
  uint32_t i = level_count_[counter];
  if (i == 0) return {};
  const Level* levels = &levels_[counter * kMostLevels];
  while (i > 1 && levels[i - 1].level > level) --i;
  const CounterBin* begin = sorted_.data + levels[i - 1].begin;
  return {begin, begin + levels[i - 1].count};
}

const CounterBin* CounterBins::last_before(uint32_t counter, int64_t time_ns) const {
  const CounterBinRange range = bins(counter, 0);
  const CounterBin* next = std::partition_point(range.begin(), range.end(),
                                                [time_ns](const CounterBin& bin) { return bin.first_ns < time_ns; });
  return next != range.begin() ? next - 1 : nullptr;
}

}  // namespace flamelet::ui

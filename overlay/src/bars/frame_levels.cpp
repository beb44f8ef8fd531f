// SPDX-License-Identifier: MIT
#include "bars/frame_levels.h"

#include <algorithm>

namespace flamelet::ui {

void FrameSum::add(const FrameSum& later) {
  if (later.longest_ns > longest_ns) {
    longest = later.longest;
    longest_ns = later.longest_ns;
  }
  last = later.last;
  sum_ns += later.sum_ns;
  count += later.count;
}

void FrameLevels::carve(Carver* carver, uint32_t sums_per_level) {
  for (Level& level : levels_) carver->take(&level.sums, sums_per_level);
  clear();
}

void FrameLevels::clear() {
  for (uint32_t i = 0; i < kLevels; ++i) {
    levels_[i].sums.clear();
    levels_[i].oldest = 0;
    levels_[i].shift = kFirstShift + i * kShiftStep;
  }
  next_index_ = frame_count_ = 0;
}

// Only the coarsest level merges, and it never drops: its ring begins at 0.
void FrameLevels::Level::merge_pairs() {
  ++shift;
  uint32_t kept = 0;
  for (uint32_t i = 1; i < sums.count; ++i) {
    if (sums[i].first >> shift == sums[kept].first >> shift)
      sums[kept].add(sums[i]);
    else
      sums[++kept] = sums[i];
  }
  sums.count = kept + 1;
}

void FrameLevels::Level::add(const FrameSum& frame, bool drops_oldest) {
  const auto into_newest = [&] {
    if (sums.count == 0) return false;
    FrameSum& newest = sums[(oldest + sums.count - 1) % sums.capacity];
    if (newest.first >> shift != frame.first >> shift) return false;
    newest.add(frame);
    return true;
  };
  if (into_newest()) return;
  while (!drops_oldest && sums.full()) {
    merge_pairs();
    if (into_newest()) return;
  }
  if (sums.full()) {
    sums[oldest] = frame;
    oldest = (oldest + 1) % sums.capacity;
  } else {
    sums.push(frame);
  }
}

void FrameLevels::add(uint64_t index, int64_t duration_ns) {
  if (index < next_index_) return;
  next_index_ = index + 1;
  ++frame_count_;
  const FrameSum frame = {index, index, index, duration_ns, duration_ns, 1};
  for (uint32_t i = 0; i < kLevels; ++i) levels_[i].add(frame, i + 1 < kLevels);
}

uint64_t FrameLevels::first_index() const {
  const Level& coarsest = levels_[kLevels - 1];
  return coarsest.sums.empty() ? next_index_ : coarsest.at(0).first;
}

void FrameLevels::read(uint32_t shift, uint64_t newest, uint32_t most, Array<FrameSum>* sums) const {
  sums->clear();
  const Level* level = &levels_[0];
  for (const Level& coarser : levels_)
    if (coarser.shift <= shift) level = &coarser;
  shift = std::max(shift, level->shift);
  uint32_t end = 0;  // of those that begin at or before `newest`
  for (uint32_t size = level->sums.count; size > 0;) {
    const uint32_t half = size / 2;
    if (level->at(end + half).first <= newest) {
      end += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  // Back to the first sum of the oldest group that still fits.
  uint32_t first = end;
  uint32_t groups = 0;
  uint64_t group = 0;
  for (; first > 0; --first) {
    const uint64_t next = level->at(first - 1).first >> shift;
    if (groups != 0 && next == group) continue;
    if (groups == std::min(most, sums->capacity)) break;
    group = next;
    ++groups;
  }
  for (uint32_t i = first; i < end; ++i) {
    const FrameSum& sum = level->at(i);
    if (!sums->empty() && sums->data[sums->count - 1].first >> shift == sum.first >> shift)
      sums->data[sums->count - 1].add(sum);
    else
      sums->push(sum);
  }
}

void fit_sums(uint32_t most, Array<FrameSum>* sums) {
  if (most == 0 || sums->count <= most) return;
  const uint32_t frames = (sums->count + most - 1) / most;
  uint32_t kept = 0;
  for (uint32_t i = 1; i < sums->count; ++i) {
    const FrameSum sum = (*sums)[i];
    if ((*sums)[kept].first / frames == sum.first / frames)
      (*sums)[kept].add(sum);
    else
      (*sums)[++kept] = sum;
  }
  sums->count = kept + 1;
}

uint32_t find_sum(const Array<FrameSum>& sums, uint64_t index) {
  const FrameSum* found =
      std::partition_point(sums.begin(), sums.end(), [index](const FrameSum& sum) { return sum.last < index; });
  return found != sums.end() && found->contains(index) ? static_cast<uint32_t>(found - sums.begin()) : sums.count;
}

}  // namespace flamelet::ui

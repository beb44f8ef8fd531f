// SPDX-License-Identifier: MIT
#include "pages/scope/scope_graph.h"

#include <algorithm>

namespace flamelet::ui {

void ScopeGraph::carve(Carver* carver) {
  // Where the first and the last bar are not whole, there are two more than fit; and one more while a frame is added.
  carver->take(&groups_, kMostBars + 3);
  carver->take(&sums_, kMostBars + 3);
  carver->take(&marks_, kMostBars + 3);
}

void ScopeGraph::clear() {
  forget();
  generation_ = looked_ = 0;
  list();
}

void ScopeGraph::forget() {
  groups_.count = groups_.capacity;
  for (Group& group : groups_) group = Group();
  shift_ = 0;
  oldest_ = 1;
  newest_ = 0;
  changed_ = true;
}

void ScopeGraph::add(const ScopeFrames& frames, uint64_t index) {
  ++looked_;
  const ScopeFrame* frame = frames.find(index);
  if (frame == nullptr) return;
  Group& group = group_of(index);
  group.mark = std::max(group.mark, frame->mark);
  FrameSum& sum = group.sum;
  if (sum.count == 0) sum = {index, index, index, frame->time_ns, 0, 0};
  if (frame->time_ns > sum.longest_ns) {
    sum.longest = index;
    sum.longest_ns = frame->time_ns;
  }
  sum.first = std::min(sum.first, index);
  sum.last = std::max(sum.last, index);
  ++sum.count;
  changed_ = true;
}

void ScopeGraph::add_range(const ScopeFrames& frames, uint64_t oldest, uint64_t newest) {
  for (uint64_t i = oldest; i <= newest; ++i) add(frames, i);
}

void ScopeGraph::drop_before(const ScopeFrames& frames, uint64_t oldest) {
  if (oldest <= oldest_) return;
  changed_ = true;
  if (oldest > newest_) return forget();
  for (; oldest_ >> shift_ < oldest >> shift_; oldest_ = ((oldest_ >> shift_) + 1) << shift_)
    group_of(oldest_) = Group();
  oldest_ = oldest;
  Group& group = group_of(oldest);
  FrameSum& sum = group.sum;
  if (sum.count == 0 || sum.first >= oldest) return;
  if (sum.longest >= oldest && group.mark == 0) {
    sum.count = static_cast<uint32_t>(std::min<uint64_t>(sum.count, sum.last - oldest + 1));
    sum.first = oldest;
    return;
  }
  const uint64_t last = sum.last;
  group = Group();
  add_range(frames, oldest, last);
}

void ScopeGraph::merge_pairs() {
  list();
  const uint32_t shift = shift_ + 1;
  const uint64_t oldest = oldest_, newest = newest_;
  forget();
  shift_ = shift;
  oldest_ = oldest;
  newest_ = newest;
  for (uint32_t i = 0; i < sums_.count; ++i) {
    Group& group = group_of(sums_[i].first);
    group.mark = std::max(group.mark, marks_[i]);
    if (group.sum.count == 0)
      group.sum = sums_[i];
    else
      group.sum.add(sums_[i]);
  }
}

// Coarser at once, finer only when it is far too coarse or the room has changed: or it would change to and fro.
void ScopeGraph::choose_shift(uint64_t oldest, uint64_t newest, uint32_t most) {
  const uint64_t groups = groups_from(oldest, newest);
  const uint64_t few = most_ == most ? most / 4 : most / 2;
  most_ = most;
  if (shift_ > 0 && groups <= few) forget();
  while (groups_from(oldest, newest) > uint64_t{most} + 1) {
    if (newest_ >= oldest_)
      merge_pairs();
    else
      ++shift_;
  }
}

void ScopeGraph::update(const ScopeFrames& frames, uint64_t oldest_held, uint32_t most) {
  if (generation_ != frames.generation()) forget();
  generation_ = frames.generation();
  const uint64_t oldest = std::max(frames.oldest(), oldest_held), newest = frames.newest();
  if (!frames.any() || oldest > newest) {
    forget();
  } else {
    drop_before(frames, oldest);
    choose_shift(oldest, newest, std::min(std::max(most, 1u), kMostBars));
    if (newest_ < oldest_) {
      add_range(frames, oldest, newest);
    } else {
      add_range(frames, newest_ + 1, newest);
      if (oldest < oldest_) add_range(frames, oldest, oldest_ - 1);
    }
    oldest_ = oldest;
    newest_ = newest;
  }
  if (changed_) list();
}

void ScopeGraph::mark(uint64_t index, uint32_t value) {
  if (index < oldest_ || index > newest_) return;
  Group& group = group_of(index);
  changed_ = changed_ || value > group.mark;
  group.mark = std::max(group.mark, value);
}

void ScopeGraph::list() {
  changed_ = false;
  sums_.clear();
  marks_.clear();
  frame_count_ = 0;
  longest_ns_ = 1;
  if (newest_ < oldest_) return;
  for (uint64_t i = oldest_ >> shift_; i <= newest_ >> shift_; ++i) {
    const Group& group = group_of(i << shift_);
    if (group.sum.count == 0) continue;
    sums_.push(group.sum);
    marks_.push(group.mark);
    frame_count_ += group.sum.count;
    longest_ns_ = std::max(longest_ns_, group.sum.longest_ns);
  }
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
#include "baseline.h"

#include <algorithm>

#include "platform/engine_memory.h"

namespace flamelet::explain {

constexpr uint32_t kLeastRanked = 50;

Usual usual_of(double* values, uint32_t count) {
  if (count == 0) return {0, 0};
  double* const middle = values + (count - 1) / 2;
  std::nth_element(values, middle, values + count);
  const double median = *middle;
  double nearly_all = 0;
  if (count >= kLeastRanked) {
    double* const at = values + (count - 1 - count / kLeastRanked);
    std::nth_element(middle, at, values + count);
    nearly_all = *at;
  }
  for (uint32_t i = 0; i < count; ++i) values[i] = values[i] < median ? median - values[i] : values[i] - median;
  std::nth_element(values, middle, values + count);
  return {median, *middle * 1.4826, nearly_all};  // which is the standard deviation, if they are distributed normally
}

void Baseline::lay_out(Carver* carver, const flamelet_explain_config& config) {
  max_frames_ = 2 * config.baseline_frames;
  max_samples_ = config.max_samples;
  frames_ = carver->take<KnownFrame>(max_frames_);
  samples_ = carver->take<Sample>(max_samples_);
  values_ = carver->take<double>(size_t{3} * max_frames_);
  picked_ = carver->take<uint32_t>(max_frames_);
}

void Baseline::clear() {
  first_ = end_;
  picked_count_ = 0;
  knows_off_ = false;
}

void Baseline::add(const flamelet_frame_info& frame, bool is_whole, const CriticalPath& path) {
  const uint32_t count = path.touched_count();
  const bool has_room = count <= max_samples_;
  if (end_ - first_ == max_frames_) ++first_;
  // The oldest samples give way, and the frames that they belong to.
  const uint64_t end_sample = end_sample_ + (has_room ? count : 0);
  while (first_ != end_ && frames_[first_ % max_frames_].first_sample + max_samples_ < end_sample) ++first_;
  KnownFrame& known = frames_[end_++ % max_frames_];
  known = {frame.index,          frame.end_ns - frame.begin_ns, end_sample_,
           has_room ? count : 0, is_whole && has_room,          path.version()};
  for (uint32_t i = 0; i < known.sample_count; ++i) {
    const uint32_t at = path.touched()[i];
    const PathTime& time = path.time_of(at);
    samples_[end_sample_++ % max_samples_] = {static_cast<float>(time.total_ns),
                                              static_cast<float>(time.self_ns),
                                              time.total_off_ns,
                                              time.self_off_ns,
                                              at,
                                              time.calls};
    knows_off_ = knows_off_ || time.total_off_ns > 0;
  }
}

const KnownFrame* Baseline::find(uint64_t index) const {
  for (uint64_t i = end_; i != first_; --i) {
    const KnownFrame& frame = frames_[(i - 1) % max_frames_];
    if (frame.index == index) return &frame;
  }
  return nullptr;
}

void Baseline::forget(uint64_t index) {
  for (uint64_t i = first_; i != end_; ++i) {
    KnownFrame& frame = frames_[i % max_frames_];
    if (frame.index != index) continue;
    frame.index = UINT64_MAX;
    frame.is_whole = false;
  }
}

uint32_t Baseline::pick(uint64_t first_index, uint64_t end_index, uint64_t but_index) {
  picked_count_ = 0;
  for (uint64_t i = first_; i != end_; ++i) {
    const KnownFrame& frame = frames_[i % max_frames_];
    if (frame.is_whole && frame.index >= first_index && frame.index < end_index && frame.index != but_index)
      picked_[picked_count_++] = static_cast<uint32_t>(i % max_frames_);
  }
  // They were read in any order.
  std::sort(picked_, picked_ + picked_count_,
            [this](uint32_t a, uint32_t b) { return frames_[a].index < frames_[b].index; });
  return picked_count_;
}

// The durations of the frames whose index is even, or odd.
Usual Baseline::durations_of(uint64_t parity, uint32_t* count) {
  *count = 0;
  for (uint32_t i = 0; i < picked_count_; ++i)
    if (frames_[picked_[i]].index % 2 == parity)
      values_[(*count)++] = static_cast<double>(frames_[picked_[i]].duration_ns);
  return usual_of(values_, *count);
}

bool Baseline::pick_every_second(uint64_t index, uint32_t* count) {
  constexpr uint32_t kLeast = 8;  // of each
  uint32_t counts[2];
  const Usual even = durations_of(0, &counts[0]), odd = durations_of(1, &counts[1]);
  const double shorter = std::min(even.middle, odd.middle), longer = std::max(even.middle, odd.middle);
  if (counts[0] < kLeast || counts[1] < kLeast || longer < 2 * shorter ||
      longer - shorter < 5 * (even.spread + odd.spread))
    return false;
  picked_count_ =
      static_cast<uint32_t>(std::remove_if(picked_, picked_ + picked_count_,
                                           [&](uint32_t at) { return (frames_[at].index ^ index) % 2 != 0; }) -
                            picked_);
  *count = picked_count_;
  return true;
}

uint64_t Baseline::range_before(uint64_t end_index) const {
  uint64_t first_index = end_index;
  for (uint32_t i = 0; i < picked_count_; ++i) first_index = std::min(first_index, frames_[picked_[i]].index);
  return end_index - first_index;
}

Usual Baseline::durations() {
  for (uint32_t i = 0; i < picked_count_; ++i) values_[i] = static_cast<double>(frames_[picked_[i]].duration_ns);
  return usual_of(values_, picked_count_);
}

int64_t Baseline::duration_above(uint32_t longer) {
  if (picked_count_ == 0) return 0;
  for (uint32_t i = 0; i < picked_count_; ++i) values_[i] = static_cast<double>(frames_[picked_[i]].duration_ns);
  double* const at = values_ + (picked_count_ - 1 - longer);
  std::nth_element(values_, at, values_ + picked_count_);
  return static_cast<int64_t>(*at);
}

int64_t Baseline::longest_usual(const Usual& durations, int64_t nearly_all_ns) {
  // A limiter makes half of the frames equally long, and the scatter next to nothing: then the longer ones tell it, up to a tenth.
  const double above = static_cast<double>(duration_above(picked_count_ / 4)) - durations.middle;
  const double spread = above > 3 * durations.spread ? std::min(above, durations.middle / 10) : durations.spread;
  const double limit = durations.middle + std::max(5 * spread, durations.middle / 20);
  if (picked_count_ < FLAMELET_EXPLAIN_MIN_BASELINE) return static_cast<int64_t>(limit);
  return static_cast<int64_t>(std::min(limit, std::max(1.5 * durations.middle, static_cast<double>(nearly_all_ns))));
}

// By path, rising.
const Sample* Baseline::find(const KnownFrame& frame, uint32_t path) const {
  uint32_t low = 0, high = frame.sample_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (samples_[(frame.first_sample + middle) % max_samples_].path < path)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == frame.sample_count) return nullptr;
  const Sample& sample = samples_[(frame.first_sample + low) % max_samples_];
  return sample.path == path ? &sample : nullptr;
}

Baseline::PathUsual Baseline::of(uint32_t path) {
  PathUsual usual = {};
  double* const total = values_;
  double* const self = total + max_frames_;
  double* const calls = self + max_frames_;
  const auto read = [&](bool is_on) {
    for (uint32_t i = 0; i < picked_count_; ++i) {
      const Sample* const found = find(frames_[picked_[i]], path);
      const Sample sample = found == nullptr ? Sample{} : *found;
      usual.seen += found != nullptr && !is_on;
      total[i] = static_cast<double>(sample.total_ns) - (is_on ? static_cast<double>(sample.total_off_ns) : 0);
      self[i] = static_cast<double>(sample.self_ns) - (is_on ? static_cast<double>(sample.self_off_ns) : 0);
      calls[i] = sample.calls;
    }
  };
  read(false);
  usual.total = usual.total_on = usual_of(total, picked_count_);
  usual.self = usual.self_on = usual_of(self, picked_count_);
  usual.calls = usual_of(calls, picked_count_);
  if (!knows_off_) return usual;
  read(true);
  usual.total_on = usual_of(total, picked_count_);
  usual.self_on = usual_of(self, picked_count_);
  return usual;
}

uint32_t Baseline::seen(uint32_t path) const {
  return static_cast<uint32_t>(std::count_if(picked_, picked_ + picked_count_,
                                             [this, path](uint32_t at) { return find(frames_[at], path) != nullptr; }));
}

double Baseline::time_in(uint32_t back, uint32_t path, bool is_own) const {
  const Sample* const sample = find(frames_[picked_[picked_count_ - 1 - back]], path);
  if (sample == nullptr) return 0;
  return static_cast<double>(is_own ? sample->self_ns - sample->self_off_ns : sample->total_ns - sample->total_off_ns);
}

int64_t Baseline::growth_of(uint32_t path) {
  const uint32_t quarter = picked_count_ / 4;
  const auto middle = [&](uint32_t back) {
    for (uint32_t i = 0; i < quarter; ++i) values_[i] = time_in(back + i, path, true);
    return usual_of(values_, quarter).middle;
  };
  return static_cast<int64_t>(middle(0) - middle(picked_count_ - quarter));
}

int64_t Baseline::usual_where_seen(uint32_t path) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < picked_count_; ++i) {
    const Sample* sample = find(frames_[picked_[i]], path);
    if (sample != nullptr) values_[seen++] = static_cast<double>(sample->total_ns);
  }
  return static_cast<int64_t>(usual_of(values_, seen).middle);
}

double Baseline::calls_inside(uint32_t path, const PathTable& paths) {
  for (uint32_t i = 0; i < picked_count_; ++i) {
    const KnownFrame& frame = frames_[picked_[i]];
    values_[i] = 0;
    for (uint32_t at = 0; at < frame.sample_count; ++at) {
      const Sample& sample = samples_[(frame.first_sample + at) % max_samples_];
      if (paths[sample.path].parent == path) values_[i] += sample.calls;
    }
  }
  return usual_of(values_, picked_count_).middle;
}

}  // namespace flamelet::explain

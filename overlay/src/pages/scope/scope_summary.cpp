// SPDX-License-Identifier: MIT
#include "pages/scope/scope_summary.h"

#include <math.h>

#include <algorithm>
#include <utility>

namespace flamelet::ui {

DurationAxis::DurationAxis(int64_t least_ns, int64_t most_ns, bool log) : log_(log) {
  const double least = static_cast<double>(log ? std::max<int64_t>(least_ns, 1) : least_ns);
  const double most = std::max(static_cast<double>(most_ns), least);
  from_ = log ? ::log(least) : least;
  length_ = !(most > least) ? 0 : (log ? ::log(most) : most) - from_;
}

double DurationAxis::share_of(int64_t ns) const {
  if (!(length_ > 0)) return 0.5;
  const double value = log_ ? ::log(static_cast<double>(std::max<int64_t>(ns, 1))) : static_cast<double>(ns);
  return std::min(std::max((value - from_) / length_, 0.0), 1.0);
}

int64_t DurationAxis::at(double share) const {
  const double value = from_ + length_ * std::min(std::max(share, 0.0), 1.0);
  return static_cast<int64_t>((log_ ? exp(value) : value) + 0.5);
}

void ScopeSummary::carve(Carver* carver) {
  shown_.groups.carve(carver);
  next_.groups.carve(carver);
  carver->take(&bins_, kBins);
  carver->take(&durations_, kExact);
}

void ScopeSummary::clear(Summary* summary) {
  const ScopeGroups groups = summary->groups;  // its memory
  *summary = Summary();
  summary->groups = groups;
  summary->groups.clear();
}

void ScopeSummary::clear() {
  clear(&shown_);
  clear(&next_);
  choice_ = SummaryChoice();
  busy_ = false;
  version_ = 0;
}

uint32_t ScopeSummary::bin_of(int64_t ns) {
  const uint64_t value = ns > 0 ? static_cast<uint64_t>(ns) : 0;
  if (value < 1u << kSubBits) return static_cast<uint32_t>(value);
  uint32_t octave = kSubBits;
  while (value >> octave > 1) ++octave;
  const uint32_t below = static_cast<uint32_t>(value >> (octave - kSubBits)) & ((1u << kSubBits) - 1);
  return std::min(((octave - kSubBits + 1) << kSubBits) + below, kBins - 1);
}

int64_t ScopeSummary::middle_of(uint32_t bin) {
  if (bin < 1u << kSubBits) return bin;
  const uint32_t shift = (bin >> kSubBits) - 1;
  const int64_t begin = static_cast<int64_t>((1u << kSubBits) + (bin & ((1u << kSubBits) - 1))) << shift;
  return begin + ((int64_t{1} << shift) >> 1);
}

void ScopeSummary::begin(const SummaryChoice& choice, const ScopeInstances& instances) {
  clear(&next_);
  choice_ = choice;
  choice_.bars = std::min(std::max(choice.bars, 1u), kMostBars);
  version_ = instances.version();
  next_.group_by = choice.group_by;
  next_.chosen = choice.chosen;
  next_.calls = choice.calls;
  at_ = bar_at_ = 0;
  bins_.count = bins_.capacity;
  std::fill(bins_.begin(), bins_.end(), 0u);
  durations_.clear();
  busy_ = true;
}

void ScopeSummary::add_group(const ScopeInstance& instance) {
  const int64_t ns = std::max<int64_t>(instance.duration_ns(), 0);
  const bool counts = choice_.calls.contains(instance.lane, instance.object);
  switch (choice_.group_by) {
    case GroupBy::kCaller:
      if (counts) next_.groups.add(instance.caller, ns);
      return;
    case GroupBy::kObject:
      if (counts || choice_.calls.of == CallChoice::Of::kObject) next_.groups.add(instance.object, ns);
      return;
    case GroupBy::kThread:
      if (counts || choice_.calls.of == CallChoice::Of::kThread) next_.groups.add(instance.lane, ns);
      return;
    case GroupBy::kCallee:
      return;  // counted where they were read
  }
}

void ScopeSummary::add_figures(const ScopeInstance& instance) {
  ScopeFigures& figures = next_.figures;
  const int64_t ns = std::max<int64_t>(instance.duration_ns(), 0);
  figures.min_ns = figures.count == 0 ? ns : std::min(figures.min_ns, ns);
  figures.max_ns = std::max(figures.max_ns, ns);
  ++figures.count;
  figures.total_ns += ns;
  ++bins_[bin_of(ns)];
  durations_.push(ns);
  if (choice_.chosen.contains(ns)) ++next_.chosen_count;
}

void ScopeSummary::begin_bars() {
  next_.axis = {next_.figures.min_ns, next_.figures.max_ns, choice_.log_axis};
  next_.bar_count = choice_.bars;
}

void ScopeSummary::add_bar(const ScopeInstance& instance) {
  const double share = next_.axis.share_of(instance.duration_ns());
  const uint32_t bar = std::min(static_cast<uint32_t>(share * next_.bar_count), next_.bar_count - 1);
  next_.most_in_a_bar = std::max(next_.most_in_a_bar, ++next_.bars[bar]);
}

// By nearest rank.
int64_t ScopeSummary::percentile(double percent) {
  const ScopeFigures& figures = next_.figures;
  const uint64_t rank =
      std::max<uint64_t>(static_cast<uint64_t>(ceil(percent / 100 * static_cast<double>(figures.count))), 1);
  if (figures.count <= durations_.capacity) {
    int64_t* wanted = durations_.begin() + (rank - 1);
    std::nth_element(durations_.begin(), wanted, durations_.end());
    return *wanted;
  }
  uint64_t below = 0;
  for (uint32_t bin = 0; bin < bins_.count; ++bin) {
    below += bins_[bin];
    if (below >= rank) return std::min(std::max(middle_of(bin), figures.min_ns), figures.max_ns);
  }
  return figures.max_ns;
}

void ScopeSummary::finish(const ScopeInstances& instances) {
  ScopeFigures& figures = next_.figures;
  if (figures.count != 0) {
    figures.mean_ns = figures.total_ns / static_cast<int64_t>(figures.count);
    figures.median_ns = percentile(50);
    figures.p95_ns = percentile(95);
    figures.p99_ns = percentile(99);
    figures.p999_ns = percentile(99.9);
  }
  if (choice_.group_by == GroupBy::kCallee) {
    for (uint32_t i = 0; i < instances.callees().count(); ++i) next_.groups.add(instances.callees()[i]);
    next_.groups.add_others(instances.callees().others());
  }
  next_.groups.sort();
  std::swap(shown_, next_);
  busy_ = false;
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
//
// scope_summary.h: what the calls of one scope come to: figures, a histogram, groups, and which calls are in a chosen range
// of durations. It is worked out a piece in each frame of the overlay; the one before is shown meanwhile.
//
// Percentiles are by nearest rank, as in flamelet/statistics.h. They are exact for up to kExact calls. Of more calls they
// are known to within 0.4 %; everything else stays exact.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_SUMMARY_H
#define FLAMELET_OVERLAY_SRC_SCOPE_SUMMARY_H

#include "pages/scope/scope_instances.h"

namespace flamelet::ui {

enum class GroupBy : uint32_t { kCaller, kCallee, kObject, kThread };
constexpr uint32_t kGroupByCount = 4;

// Both included; empty if most_ns < least_ns.
struct DurationRange {
  int64_t least_ns = 0;
  int64_t most_ns = -1;

  bool any() const { return most_ns >= least_ns; }
  bool contains(int64_t ns) const { return ns >= least_ns && ns <= most_ns; }
  bool operator==(const DurationRange& other) const { return least_ns == other.least_ns && most_ns == other.most_ns; }
};

struct ScopeFigures {
  uint64_t count = 0;
  flamelet_state_times states = {};  // sums; all unknown without states of threads
  int64_t total_ns = 0, mean_ns = 0;
  int64_t min_ns = 0, median_ns = 0, p95_ns = 0, p99_ns = 0, p999_ns = 0, max_ns = 0;
};

// A histogram's axis, from the shortest call to the longest.
class DurationAxis {
 public:
  DurationAxis() = default;
  DurationAxis(int64_t least_ns, int64_t most_ns, bool log);

  // Where a duration stands, 0 to 1; and back.
  double share_of(int64_t ns) const;
  int64_t at(double share) const;
  bool log() const { return log_; }

 private:
  bool log_ = false;
  double from_ = 0, length_ = 0;  // logarithms, if log_
};

struct SummaryChoice {
  GroupBy group_by = GroupBy::kCaller;
  bool log_axis = false;
  uint32_t bars = 64;  // at most ScopeSummary::kMostBars
  DurationRange chosen;
  CallChoice calls;  // the groups of their own kind stay all there, to choose another one

  bool operator==(const SummaryChoice& other) const {
    return group_by == other.group_by && log_axis == other.log_axis && bars == other.bars && chosen == other.chosen &&
           calls == other.calls;
  }
};

class ScopeSummary {
 public:
  static constexpr uint32_t kMostBars = 160;
  static constexpr uint32_t kExact = 8192;

  void carve(Carver* carver);
  void clear();

  void begin(const SummaryChoice& choice, const ScopeInstances& instances);
  // Looks at about so many calls; mark(instance) is called for those in the chosen range, and add_states(instance, &sums) for
  // all. True once the new summary is shown. The instances must not change before.
  template <typename Mark, typename AddStates>
  bool step(const ScopeInstances& instances, uint32_t most, const Mark& mark, const AddStates& add_states) {
    if (!busy_) return false;
    const uint32_t count = instances.count();
    for (uint32_t looked = 0; looked < most && at_ < count; ++looked) {
      const ScopeInstance& instance = instances[at_++];
      add_group(instance);
      if (!choice_.calls.contains(instance.lane, instance.object)) continue;
      add_figures(instance);
      if (add_states(instance, &next_.figures.states)) looked += 8;
      if (!choice_.chosen.contains(instance.duration_ns())) continue;
      mark(instance);
      looked += 8;  // finding its frame
    }
    if (at_ < count) return false;
    if (bar_at_ == 0) begin_bars();
    for (uint32_t looked = 0; looked < most && bar_at_ < count; ++looked) {
      const ScopeInstance& instance = instances[bar_at_++];
      if (choice_.calls.contains(instance.lane, instance.object)) add_bar(instance);
    }
    if (bar_at_ < count) return false;
    finish(instances);
    return true;
  }
  bool busy() const { return busy_; }
  // What the next or the last begin() was told.
  const SummaryChoice& choice() const { return choice_; }
  uint64_t version() const { return version_; }  // of the instances

  // These describe the summary that is shown:
  const ScopeFigures& figures() const { return shown_.figures; }
  const DurationAxis& axis() const { return shown_.axis; }
  uint32_t bar_count() const { return shown_.bar_count; }
  uint32_t bar(uint32_t i) const { return shown_.bars[i]; }
  uint32_t most_in_a_bar() const { return shown_.most_in_a_bar; }
  const DurationRange& chosen() const { return shown_.chosen; }
  uint64_t chosen_count() const { return shown_.chosen_count; }
  const CallChoice& calls() const { return shown_.calls; }
  GroupBy grouped_by() const { return shown_.group_by; }
  const ScopeGroups& groups() const { return shown_.groups; }

 private:
  static constexpr uint32_t kSubBits = 7;  // bins of an octave: 128
  static constexpr uint32_t kBins = 48u << kSubBits;

  struct Summary {
    ScopeFigures figures;
    DurationAxis axis;
    uint32_t bar_count = 0;
    uint32_t bars[kMostBars] = {};
    uint32_t most_in_a_bar = 0;
    DurationRange chosen;
    uint64_t chosen_count = 0;
    CallChoice calls;
    GroupBy group_by = GroupBy::kCaller;
    ScopeGroups groups;
  };

  static uint32_t bin_of(int64_t ns);
  static int64_t middle_of(uint32_t bin);
  static void clear(Summary* summary);
  void add_group(const ScopeInstance& instance);
  void add_figures(const ScopeInstance& instance);
  void begin_bars();
  void add_bar(const ScopeInstance& instance);
  void finish(const ScopeInstances& instances);
  int64_t percentile(double percent);

  SummaryChoice choice_;
  uint64_t version_ = 0;
  bool busy_ = false;
  uint32_t at_ = 0, bar_at_ = 0;
  Summary shown_, next_;
  Array<uint32_t> bins_;
  Array<int64_t> durations_;  // the first kExact
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_SUMMARY_H

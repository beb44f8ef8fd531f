// SPDX-License-Identifier: MIT
#include "log_analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace flamelet::tools {

// ---- frame costs

namespace {

int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

}  // namespace

const std::vector<RoutineCost>& FrameCosts::of(const LogFrame& frame) {
  for (const RoutineCost& cost : costs_) entry_[cost.name] = 0;
  costs_.clear();
  for (const Open& open : path_) --open_[open.name];
  path_.clear();

  // What the frame took, for blocks without times: its outermost blocks.
  uint32_t outermost = LogLine::kMaxDepth + 1;
  int64_t frame_ns = 0;
  for (const LogBlock& block : frame.blocks) {
    if (block.has_times || block.depth > outermost) continue;
    if (block.depth < outermost) frame_ns = 0;
    outermost = block.depth;
    frame_ns = sum(frame_ns, block.duration_ns);
  }
  frames_end_ns_ = sum(frames_end_ns_, frame_ns);
  int64_t free_until_ns = frames_end_ns_;

  // Backwards, blocks come before what ran inside them, so the path to a block is known. Where the blocks around one are
  // not in the file, the path has holes.
  for (size_t i = frame.blocks.size(); i-- > 0;) {
    const LogBlock& block = frame.blocks[i];
    while (!path_.empty() && path_.back().depth >= block.depth) {
      --open_[path_.back().name];
      path_.pop_back();
    }
    int64_t begin_ns = block.begin_ns;
    int64_t end_ns = block.end_ns;
    if (!block.has_times) {
      int64_t& end = path_.empty() ? free_until_ns : path_.back().free_until_ns;
      end_ns = end;
      begin_ns = end_ns - std::min(block.duration_ns, end_ns);
      end = begin_ns;
    }
    if (entry_.size() <= block.name) {
      entry_.resize(block.name + 1);
      open_.resize(block.name + 1);
    }
    if (entry_[block.name] == 0) {
      costs_.push_back({block.name, 0, 0, begin_ns, end_ns});
      entry_[block.name] = static_cast<uint32_t>(costs_.size());
    }
    RoutineCost& cost = costs_[entry_[block.name] - 1];
    ++cost.block_count;
    cost.begin_ns = std::min(cost.begin_ns, begin_ns);
    cost.end_ns = std::max(cost.end_ns, end_ns);
    if (open_[block.name]++ == 0) cost.cost_ns = sum(cost.cost_ns, block.duration_ns);
    path_.push_back({block.name, block.depth, end_ns});
  }
  return costs_;
}

namespace {

// Inserts into a sorted list of at most `limit`.
template <class Before>
void keep(std::vector<FrameCost>* list, const FrameCost& cost, size_t limit, Before before) {
  if (limit == 0 || (list->size() == limit && !before(cost, list->back()))) return;
  if (list->size() == limit) list->pop_back();
  list->insert(std::upper_bound(list->begin(), list->end(), cost, before), cost);
}

// Halves a full list by joining neighbours.
template <class Range, class Join>
void make_room(std::vector<Range>* ranges, Join join) {
  if (ranges->size() < RoutineAnalysis::kMaxRanges) return;
  size_t count = 0;
  for (size_t i = 0; i < ranges->size(); i += 2) (*ranges)[count++] = join((*ranges)[i], (*ranges)[i + 1]);
  ranges->resize(count);
}
static_assert(RoutineAnalysis::kMaxRanges % 2 == 0, "neighbours come in pairs");

CostRange join_costs(const CostRange& a, const CostRange& b) {
  return {std::min(a.first_frame, b.first_frame),
          std::max(a.last_frame, b.last_frame),
          a.count + b.count,
          a.sum_ns + b.sum_ns,
          std::min(a.low_ns, b.low_ns),
          std::max(a.high_ns, b.high_ns)};
}

BusyRange join_bars(const BusyRange& a, const BusyRange& b) {
  return {std::min(a.begin_ns, b.begin_ns), std::max(a.end_ns, b.end_ns), a.busy_ns + b.busy_ns};
}

}  // namespace

double RoutineAnalysis::deviation_ns() const {
  return frame_count < 2 ? 0 : std::sqrt(squares / static_cast<double>(frame_count - 1));
}

LogAnalysis::LogAnalysis(AnalysisOptions options) : options_(std::move(options)) {}

bool LogAnalysis::is_wanted(uint32_t name, const NameTable& names) {
  for (uint32_t next = static_cast<uint32_t>(wanted_.size()); next <= name; ++next)
    wanted_.push_back(options_.tasks.empty() ||
                      std::find(options_.tasks.begin(), options_.tasks.end(), names[next]) != options_.tasks.end());
  return wanted_[name] != 0;
}

void LogAnalysis::add(const LogFrame& frame, const NameTable& names) {
  ++frame_count_;
  if (!frame.has_begin || !frame.has_end) ++partial_count_;
  for (const LogBlock& block : frame.blocks) untimed_count_ += !block.has_times;
  for (const RoutineCost& cost : costs_.of(frame)) {
    begin_ns_ = std::min(begin_ns_, cost.begin_ns);
    end_ns_ = std::max(end_ns_, cost.end_ns);
    if (ran_.size() <= cost.name) ran_.resize(cost.name + 1);
    ran_[cost.name] = 1;
    if (is_wanted(cost.name, names)) add_cost(cost, frame);
  }
}

void LogAnalysis::add_cost(const RoutineCost& cost, const LogFrame& frame) {
  if (routines_.size() <= cost.name) routines_.resize(cost.name + 1);
  RoutineAnalysis& routine = routines_[cost.name];
  const int64_t ns = cost.cost_ns;
  if (routine.frame_count == 0 || ns < routine.min_ns) routine.min_ns = ns;
  if (routine.frame_count == 0 || ns > routine.max_ns) routine.max_ns = ns;
  ++routine.frame_count;
  routine.block_count += cost.block_count;
  const double distance = static_cast<double>(ns) - routine.mean_ns;
  routine.mean_ns += distance / static_cast<double>(routine.frame_count);
  routine.squares += distance * (static_cast<double>(ns) - routine.mean_ns);

  const FrameCost entry = {ns, frame.number, frame.line, frame.place};
  keep(&routine.largest, entry, options_.extremes,
       [](const FrameCost& a, const FrameCost& b) { return a.cost_ns > b.cost_ns; });
  keep(&routine.smallest, entry, options_.extremes,
       [](const FrameCost& a, const FrameCost& b) { return a.cost_ns < b.cost_ns; });
  if (options_.above_ns >= 0 && ns > options_.above_ns) {
    ++routine.above_count;
    if (routine.above.size() < RoutineAnalysis::kMaxAbove) routine.above.push_back(entry);
  }
  if (options_.points) {
    make_room(&routine.points, join_costs);
    routine.points.push_back({frame.number, frame.number, 1, static_cast<double>(ns), ns, ns});
  }
  if (options_.bars) {
    make_room(&routine.bars, join_bars);
    routine.bars.push_back({cost.begin_ns, cost.end_ns, static_cast<double>(ns)});
  }
}

std::vector<uint32_t> LogAnalysis::by_total() const {
  std::vector<uint32_t> names;
  for (uint32_t name = 0; name < routines_.size(); ++name)
    if (routines_[name].frame_count != 0) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [this](uint32_t a, uint32_t b) { return routines_[a].total_ns() > routines_[b].total_ns(); });
  return names;
}

}  // namespace flamelet::tools

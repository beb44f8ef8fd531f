// SPDX-License-Identifier: MIT
#include "gate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "capture_input.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/site.h"

namespace flamelet::tools {

// ---- path names

// Where the call lands if it repeats what is above it, or kRoot.
uint32_t PathNames::folded(uint32_t parent, std::string_view name) const {
  // `back` is W's last scope further up, `length` calls above the new one.
  size_t length = 1;
  for (uint32_t back = parent; back != kRoot; back = paths_[back].parent, ++length) {
    if (paths_[back].name != name) continue;
    uint32_t low = parent, high = paths_[back].parent;  // one before the ends of both W
    size_t same = 1;
    while (same < length && high != kRoot && paths_[low].name == paths_[high].name) {
      low = paths_[low].parent;
      high = paths_[high].parent;
      ++same;
    }
    if (same == length) return back;
  }
  return kRoot;
}

uint32_t PathNames::child(uint32_t parent, std::string_view name, bool is_wait) {
  auto key = std::make_pair(parent, std::string(name));
  const auto found = index_.find(key);
  if (found != index_.end()) return found->second;
  uint32_t path = folded(parent, name);
  if (path == kRoot) {
    if (paths_.size() == kMost) {
      ++without_room_;
      return parent;
    }
    path = static_cast<uint32_t>(paths_.size());
    const auto [scope, is_new] = scope_index_.emplace(key.second, static_cast<uint32_t>(scopes_.size()));
    if (is_new) scopes_.push_back({key.second, {}});
    scopes_[scope->second].paths.push_back(path);
    paths_.push_back({parent, key.second, is_wait, scope->second});
  }
  index_.emplace(std::move(key), path);
  return path;
}

std::string PathNames::text(uint32_t path) const {
  std::string text = paths_[path].name;
  for (uint32_t at = paths_[path].parent; at != kRoot; at = paths_[at].parent) text = paths_[at].name + " > " + text;
  return text;
}

namespace {

// What ran in each frame; a path that runs in few frames takes little memory.
class Times {
 public:
  void add(size_t frame, int64_t ns, uint32_t calls) {
    const size_t block = frame / kBlock;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    if (!blocks_[block]) blocks_[block] = std::make_unique<Block>();
    Cell& cell = (*blocks_[block])[frame % kBlock];
    cell.ns += ns;
    cell.calls += calls;
  }
  // The calls are not those of the other.
  void add_time(const Times& other) {
    other.each([this](size_t frame, int64_t ns, uint32_t) { add(frame, ns, 0); });
  }
  void add(const Times& other) {
    other.each([this](size_t frame, int64_t ns, uint32_t calls) { add(frame, ns, calls); });
  }
  template <class Take>
  void each(Take take) const {
    for (size_t block = 0; block < blocks_.size(); ++block)
      for (size_t i = 0; blocks_[block] && i < kBlock; ++i) {
        const Cell& cell = (*blocks_[block])[i];
        if (cell.ns != 0 || cell.calls != 0) take(block * kBlock + i, cell.ns, cell.calls);
      }
  }

 private:
  struct Cell {
    int64_t ns = 0;
    uint32_t calls = 0;
  };
  static constexpr size_t kBlock = 64;
  using Block = std::array<Cell, kBlock>;
  std::vector<std::unique_ptr<Block>> blocks_;
};

struct Summary {
  FrameTime time;
  double calls;
};

Summary summary_of(const Times& times, size_t frames) {
  std::vector<double> a_call;  // in each frame that has calls
  double ns_sum = 0, call_sum = 0;
  times.each([&](size_t, int64_t ns, uint32_t calls) {
    ns_sum += static_cast<double>(ns);
    call_sum += calls;
    if (calls != 0) a_call.push_back(static_cast<double>(ns) / calls);
  });
  if (a_call.empty()) return {{}, 0};
  const size_t cut = a_call.size() * 2 / 5;
  const auto first = a_call.begin() + static_cast<std::ptrdiff_t>(cut);
  const auto last = a_call.end() - static_cast<std::ptrdiff_t>(cut);  // one behind
  std::nth_element(a_call.begin(), first, a_call.end());
  std::nth_element(first, last - 1, a_call.end());
  const double middle = std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
  const double calls = call_sum / static_cast<double>(frames);
  return {{middle * calls, ns_sum / static_cast<double>(frames)}, calls};
}

class RunReader {
 public:
  RunReader(const flamelet_capture* capture, PathNames* names) : capture_(capture), names_(names), pieces_(capture) {}

  void add_frames(size_t first, size_t end, Run* run) {
    flamelet_frame_info frame;
    for (size_t i = first; i < end && flamelet_capture_frame(capture_, i, &frame); ++i) {
      if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0)
        ++run->partial_frames;
      else if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0)
        ++run->lossy_frames;
      else {
        frames_.push_back(frame);
        run->frames_ns.push_back(frame.end_ns - frame.begin_ns);
      }
    }
  }

  void add_lane(size_t lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture_, lane, &info);
    if (info.kind == FLAMELET_LANE_FIBER || frames_.empty()) return;
    const uint32_t root = info.kind == FLAMELET_LANE_THREAD
                              ? PathNames::kRoot
                              : names_->child(PathNames::kRoot, {info.name.text, info.name.size}, false);
    pieces_.read(lane, frames_.front().begin_ns, frames_.back().end_ns,
                 [&](const flamelet_span* spans, size_t count) { add_spans(spans, count, root); });
  }

  // Children come after their parents, so backwards every path has all of its children's time.
  void finish(Run* run) {
    run->paths.resize(times_.size());
    run->scopes.resize(names_->scopes().size());
    std::vector<Times> scopes(run->scopes.size());
    for (size_t path = times_.size(); path-- > 1;) {
      const PathNames::Path& name = (*names_)[path];
      Times& times = times_[path];
      const Summary self = summary_of(times, frames_.size());
      run->paths[path].self = self.time;
      run->paths[path].calls = self.calls;
      scopes[name.scope].add(times);
      if (!name.is_wait) times.add_time(below_[path]);
      below_[path] = {};
      if (name.is_wait) continue;
      run->paths[path].inclusive = summary_of(times, frames_.size()).time;
      below_[name.parent].add_time(times);
      times = {};
    }
    for (size_t scope = 0; scope < scopes.size(); ++scope) {
      const Summary self = summary_of(scopes[scope], frames_.size());
      run->scopes[scope] = {self.time, self.calls};
    }
  }

 private:
  // A piece of one lane.
  void add_spans(const flamelet_span* spans, size_t count, uint32_t root) {
    path_of_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const flamelet_span& span = spans[i];
      const uint32_t parent = span.parent == FLAMELET_NO_PARENT ? root : path_of_[span.parent];
      const uint32_t path = path_of_[i] = path_below(parent, span);
      const auto frame = std::upper_bound(frames_.begin(), frames_.end(), span.begin_ns,
                                          [](int64_t time_ns, const auto& each) { return time_ns < each.end_ns; });
      if (frame == frames_.end() || span.begin_ns < frame->begin_ns) continue;
      times_[path].add(static_cast<size_t>(frame - frames_.begin()), span.self_ns,
                       (span.flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_AGAIN)) == 0);
    }
  }

  uint32_t path_below(uint32_t parent, const flamelet_span& span) {
    const Call call = {parent, span.site, span.name};
    const auto [found, is_new] = paths_.emplace(call, 0);
    if (is_new) {
      const flamelet_string name = flamelet_capture_string(capture_, span.name);
      flamelet_site_info site;
      const bool is_wait = flamelet_capture_site(capture_, span.site, &site) && flamelet::is_wait(site);
      found->second = names_->child(parent, {name.text, name.size}, is_wait);
      if (names_->size() > times_.size()) {
        times_.resize(names_->size());
        below_.resize(names_->size());
      }
    }
    return found->second;
  }

  struct Call {
    uint32_t parent, site, name;
    bool operator==(const Call& other) const {
      return parent == other.parent && site == other.site && name == other.name;
    }
  };
  struct Hash {
    size_t operator()(const Call& call) const {
      const uint64_t mixed = spread_key(uint64_t{call.parent} << 40 ^ uint64_t{call.site} << 20 ^ call.name);
      return static_cast<size_t>(mixed ^ mixed >> 32);
    }
  };

  const flamelet_capture* const capture_;
  PathNames* const names_;
  SpanPieces pieces_;
  std::vector<flamelet_frame_info> frames_;
  std::unordered_map<Call, uint32_t, Hash> paths_;
  std::vector<Times> times_;       // self, by path
  std::vector<Times> below_;       // of the paths below it, when they are finished
  std::vector<uint32_t> path_of_;  // by span
};

}  // namespace

Run read_run(const flamelet_capture* capture, size_t first_frame, size_t end_frame, PathNames* names) {
  Run run;
  const flamelet_clock clock = flamelet_capture_clock(capture);
  run.clock = clock.kind;
  run.ticks_per_second = clock.ticks_per_second;
  run.recorded_unix_ns = clock.origin_unix_ns;
  RunReader reader(capture, names);
  reader.add_frames(first_frame, end_frame, &run);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) reader.add_lane(lane);
  reader.finish(&run);
  return run;
}

// ---- pace

namespace {

constexpr size_t kPaced = 8;  // paths that tell a run's pace, at least

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

std::vector<double> paces_of(const std::vector<const Run*>& runs, const PathNames& names, double least_ns) {
  std::vector<std::vector<double>> ratios(runs.size());
  std::vector<double> times(runs.size());
  for (uint32_t path = 1; path < names.size(); ++path) {
    if (names[path].is_wait) continue;
    for (size_t i = 0; i < runs.size(); ++i) times[i] = runs[i]->path(path).self.typical_ns;
    if (*std::min_element(times.begin(), times.end()) <= least_ns) continue;
    const double usual = median(times);
    for (size_t i = 0; i < runs.size(); ++i) ratios[i].push_back(times[i] / usual);
  }
  std::vector<double> paces(runs.size(), 1);
  for (size_t i = 0; i < runs.size() && ratios[i].size() >= kPaced; ++i) paces[i] = median(ratios[i]);
  return paces;
}

double growth_with_pace(const std::vector<double>& paces, const std::vector<double>& values, size_t first) {
  std::vector<double> slopes;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = i < first ? 0 : first; j < i; ++j)
      if (paces[i] != paces[j]) slopes.push_back((values[i] - values[j]) / (paces[i] - paces[j]));
  return slopes.empty() ? 0 : median(std::move(slopes));
}

void bring_to_one_pace(const std::vector<double>& paces, double growth, std::vector<double>* values) {
  for (size_t i = 0; i < values->size(); ++i)
    if ((*values)[i] != 0) (*values)[i] -= growth * (paces[i] - 1);
}

// ---- frame bootstrap

namespace {

constexpr double kShares[] = {0.50, 0.95, 0.99};  // of kP50 .. kP99

// The nearest rank, from 0.
size_t rank_of(double share, size_t count) {
  return static_cast<size_t>(std::max(1.0, std::ceil(share * static_cast<double>(count) - 1e-9))) - 1;
}

// Frames as ranks among all frames of their side: a draw counts ranks, and percentiles are found without sorting.
class Side {
 public:
  Side(const std::vector<std::vector<int64_t>>& runs, double budget_ns) {
    for (const auto& run : runs) sorted_ns_.insert(sorted_ns_.end(), run.begin(), run.end());
    std::sort(sorted_ns_.begin(), sorted_ns_.end());
    for (const auto& run : runs) {
      ranks_.emplace_back();
      for (const int64_t ns : run)
        ranks_.back().push_back(
            static_cast<uint32_t>(std::lower_bound(sorted_ns_.begin(), sorted_ns_.end(), ns) - sorted_ns_.begin()));
    }
    first_over_ =
        static_cast<size_t>(std::partition_point(sorted_ns_.begin(), sorted_ns_.end(),
                                                 [&](int64_t ns) { return static_cast<double>(ns) <= budget_ns; }) -
                            sorted_ns_.begin());
    for (size_t figure = 0; figure < kFrameFigures; ++figure)
      values_[figure] = frame_figure(static_cast<FrameFigure>(figure), sorted_ns_, budget_ns);
    counts_.resize(sorted_ns_.size());
  }

  const double* values() const { return values_; }

  void draw(RandomNumbers* random, double* figures) {
    std::fill(counts_.begin(), counts_.end(), 0u);
    size_t drawn = 0;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      const std::vector<uint32_t>& run = ranks_[random->below(ranks_.size())];
      const size_t block = static_cast<size_t>(std::ceil(std::cbrt(static_cast<double>(run.size()))));
      for (size_t left = run.size(); left != 0;) {
        const size_t length = std::min(block, left);
        size_t at = random->below(run.size());
        for (size_t j = 0; j < length; ++j) {
          ++counts_[run[at]];
          if (++at == run.size()) at = 0;
        }
        left -= length;
      }
      drawn += run.size();
    }
    size_t seen = 0, figure = 0, under = 0;
    for (size_t rank = 0; rank < counts_.size(); ++rank) {
      if (rank == first_over_) under = seen;
      seen += counts_[rank];
      for (; figure < kOverBudget && seen > rank_of(kShares[figure], drawn); ++figure)
        figures[figure] = static_cast<double>(sorted_ns_[rank]);
    }
    if (first_over_ == counts_.size()) under = seen;
    figures[kOverBudget] = 1 - static_cast<double>(under) / static_cast<double>(drawn);
  }

 private:
  std::vector<int64_t> sorted_ns_;
  std::vector<std::vector<uint32_t>> ranks_;  // by run and frame
  size_t first_over_ = 0;                     // index in sorted_ns_
  std::vector<uint32_t> counts_;              // by rank
  double values_[kFrameFigures];
};

Interval interval(double value, std::vector<double>* draws) {
  std::sort(draws->begin(), draws->end());
  return {value, (*draws)[rank_of(0.025, draws->size())], (*draws)[rank_of(0.975, draws->size())]};
}

double change_of(size_t figure, double from, double to) {
  if (figure == kOverBudget) return to - from;
  return from > 0 ? to / from - 1 : 0;
}

}  // namespace

double frame_figure(FrameFigure figure, const std::vector<int64_t>& sorted_ns, double budget_ns) {
  if (figure != kOverBudget) return static_cast<double>(sorted_ns[rank_of(kShares[figure], sorted_ns.size())]);
  const auto over = std::partition_point(sorted_ns.begin(), sorted_ns.end(),
                                         [&](int64_t ns) { return static_cast<double>(ns) <= budget_ns; });
  return static_cast<double>(sorted_ns.end() - over) / static_cast<double>(sorted_ns.size());
}

FrameIntervals bootstrap_frames(const std::vector<std::vector<int64_t>> (&runs)[2], double budget_ns, size_t draws,
                                uint64_t seed) {
  RandomNumbers random(seed);
  Side sides[2] = {Side(runs[0], budget_ns), Side(runs[1], budget_ns)};
  std::vector<double> drawn[2][kFrameFigures], changes[kFrameFigures];
  for (size_t draw = 0; draw < draws; ++draw) {
    double figures[2][kFrameFigures];
    for (size_t side = 0; side < 2; ++side) sides[side].draw(&random, figures[side]);
    for (size_t figure = 0; figure < kFrameFigures; ++figure) {
      for (size_t side = 0; side < 2; ++side) drawn[side][figure].push_back(figures[side][figure]);
      changes[figure].push_back(change_of(figure, figures[0][figure], figures[1][figure]));
    }
  }
  FrameIntervals result;
  for (size_t figure = 0; figure < kFrameFigures; ++figure) {
    const double values[2] = {sides[0].values()[figure], sides[1].values()[figure]};
    for (size_t side = 0; side < 2; ++side) result.side[side][figure] = interval(values[side], &drawn[side][figure]);
    result.change[figure] = interval(change_of(figure, values[0], values[1]), &changes[figure]);
  }
  return result;
}

// ---- permute labels

namespace {

// How many ways there are to choose k of n; not exact where there are more than 1e15.
double ways(size_t n, size_t k) {
  double ways = 1;
  for (size_t i = 1; i <= k; ++i) ways = ways * static_cast<double>(n - k + i) / static_cast<double>(i);
  return std::round(ways);
}

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Scores with mean 0 and square sum 1; all 0 if the values are all alike. The t statistic of a deal grows with the sum of
// the second group's scores, so that sum stands for it.
std::vector<double> scores_of(std::vector<double> values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double low = quantile(sorted, 0.25), high = quantile(sorted, 0.75), room = high - low;
  if (room > 0)  // else more than half of the values are alike: those that are not are what there is to see
    for (double& value : values) value = std::clamp(value, low - room, high + room);
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (double& value : values) {
    value -= mean;
    squares += value * value;
  }
  const double scale = std::max(std::fabs(sorted.front()), std::fabs(sorted.back()));
  if (std::sqrt(squares) <= 1e-12 * scale) return std::vector<double>(values.size(), 0.0);
  for (double& value : values) value /= std::sqrt(squares);
  return values;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// What of some scores does not follow the pace, as scores; all 0 if they do nothing else.
void take_pace_out(const std::vector<double>& pace, std::vector<double>* scores) {
  const double following = product(pace, *scores);  // a correlation
  const double left = 1 - following * following;
  for (size_t i = 0; i < pace.size(); ++i)
    (*scores)[i] = left > 1e-9 ? ((*scores)[i] - following * pace[i]) / std::sqrt(left) : 0;
}

class Deals {
 public:
  Deals(const std::vector<TestedFigure>& figures, const std::vector<double>& paces)
      : runs_(figures[0].values.size()), pace_(paces.empty() ? std::vector<double>(runs_) : scores_of(paces)) {
    for (const TestedFigure& figure : figures) {
      std::vector<double> values = figure.values;
      // First for all runs alike, so that what is cut off is what the pace does not explain; then beside the labels.
      if (figure.follows_pace) bring_to_one_pace(paces, growth_with_pace(paces, values), &values);
      std::vector<double> scores = scores_of(std::move(values));
      if (figure.follows_pace) take_pace_out(pace_, &scores);
      scores_.insert(scores_.end(), scores.begin(), scores.end());
      follows_pace_.push_back(figure.follows_pace);
    }
  }

  // How much each figure differs between these runs and the others: a correlation, 0 to 1.
  const std::vector<double>& statistics(const std::vector<size_t>& second) {
    const auto count = static_cast<double>(second.size()), all = static_cast<double>(runs_);
    const double most = std::sqrt(count * (all - count) / all);  // that a sum can be
    const double by_pace = sum(pace_.data(), second) / most;
    const double beside_pace = std::sqrt(std::max(1 - by_pace * by_pace, 0.0));
    statistics_.resize(follows_pace_.size());
    for (size_t figure = 0; figure < statistics_.size(); ++figure) {
      const double apart = std::fabs(sum(scores_.data() + figure * runs_, second)) / most;
      statistics_[figure] = !follows_pace_[figure] ? apart : beside_pace > 1e-6 ? apart / beside_pace : 0;
    }
    return statistics_;
  }
  double largest(const std::vector<size_t>& second) {
    const std::vector<double>& all = statistics(second);
    return *std::max_element(all.begin(), all.end());
  }

 private:
  static double sum(const double* scores, const std::vector<size_t>& runs) {
    double sum = 0;
    for (const size_t run : runs) sum += scores[run];
    return sum;
  }

  const size_t runs_;
  const std::vector<double> pace_;
  std::vector<double> scores_;  // by figure and run
  std::vector<bool> follows_pace_;
  std::vector<double> statistics_;
};

// The next choice in lexical order; false after the last.
bool next_choice(std::vector<size_t>* chosen, size_t runs) {
  const size_t k = chosen->size();
  for (size_t i = k; i-- > 0;) {
    if ((*chosen)[i] == runs - k + i) continue;
    ++(*chosen)[i];
    for (size_t j = i + 1; j < k; ++j) (*chosen)[j] = (*chosen)[j - 1] + 1;
    return true;
  }
  return false;
}

}  // namespace

double least_p(size_t first, size_t second) {
  if (first == 0 || second == 0) return 1;
  // Groups of one size that change places give the same statistic.
  return std::min(1.0, (first == second ? 2 : 1) / ways(first + second, second));
}

double difference_at(double correlation, double scatter, size_t first, size_t second) {
  const double a = static_cast<double>(first), b = static_cast<double>(second);
  const double t = correlation * std::sqrt((a + b - 2) / (1 - correlation * correlation));
  return t * scatter * std::sqrt(1 / a + 1 / b);
}

LabelTest permute_labels(const std::vector<TestedFigure>& figures, const std::vector<double>& paces, size_t first,
                         size_t deals, uint64_t seed, double alarms) {
  if (figures.empty()) return {};
  const size_t runs = figures[0].values.size(), second = runs - first;
  Deals all(figures, paces);
  std::vector<size_t> chosen(second);
  std::vector<double> largest;
  const bool is_exact = ways(runs, second) <= static_cast<double>(deals);
  if (is_exact) {
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    do largest.push_back(all.largest(chosen));
    while (next_choice(&chosen, runs));
  } else {
    RandomNumbers random(seed);
    std::vector<size_t> order(runs);
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t deal = 0; deal < deals; ++deal) {
      for (size_t i = 0; i < second; ++i) std::swap(order[i], order[i + random.below(runs - i)]);
      std::copy_n(order.begin(), second, chosen.begin());
      largest.push_back(all.largest(chosen));
    }
  }
  std::sort(largest.begin(), largest.end());
  std::iota(chosen.begin(), chosen.end(), first);
  const std::vector<double> statistics = all.statistics(chosen);
  LabelTest test;
  test.p.resize(figures.size());
  for (size_t figure = 0; figure < figures.size(); ++figure) {
    const double seen = statistics[figure] * (1 - 1e-9);  // sums in another order differ in their last bits
    const auto as_large = static_cast<double>(largest.end() - std::lower_bound(largest.begin(), largest.end(), seen));
    const auto count = static_cast<double>(largest.size());
    test.p[figure] = seen == 0 ? 1 : is_exact ? as_large / count : (as_large + 1) / (count + 1);
  }
  const double shares = alarms * static_cast<double>(largest.size() + !is_exact) - !is_exact;
  if (shares >= 1) test.limit = largest[largest.size() - static_cast<size_t>(shares)];
  return test;
}

// ---- the comparison

namespace {

constexpr double kLeastOfFrame = 1e-4;  // a path that changes by less of a frame does not matter
constexpr double kLeastRate = 1e-3;     // nor frames over the budget that are so few more
constexpr double kPaceSaid = 5e-3;      // of a time: if the pace made no more of it, it is not said
constexpr double kMoved = 0.1;          // what is left of slower less faster paths, when time only moved
constexpr double kLarge = 0.01;         // of a frame: paths for which it is said how much would have been seen
constexpr double kExplains = 0.5;       // paths below that explain so much of a change are named instead

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// What is tested of all runs, the first side's first.
struct Figure : TestedFigure {
  size_t frame_figure = kFrameFigures;  // of frames; else of this path, whose 0 is the pace
  uint32_t path = 0;
  bool is_scope = false;  // then `path` is a scope
  bool is_self = false;
  double before = 0, after = 0;          // at one pace
  double was_before = 0, was_after = 0;  // as the runs were
  double p = 1;
};

struct PathFigures {
  const Figure* self = nullptr;  // the more significant one of typical and mean, if it is significant
  const Figure* inclusive = nullptr;
};

class Comparison {
 public:
  Comparison(const std::vector<Run> (&runs)[2], const PathNames& names, const GateOptions& options)
      : runs_(runs), names_(names), options_(options) {}

  GateResult compare() {
    std::vector<std::vector<int64_t>> frames[2];
    for (size_t side = 0; side < 2; ++side)
      for (const Run& run : runs_[side]) frames[side].push_back(run.frames_ns);
    result_.frames = bootstrap_frames(frames, options_.budget_ns, options_.draws, options_.seed);
    result_.least_p = least_p(runs_[0].size(), runs_[1].size());
    add_frame_figures();
    add_pace();
    add_path_figures();
    add_scope_figures();
    result_.figures = figures_.size();
    if (result_.least_p > options_.alarms) return std::move(result_);
    test();
    judge();
    return std::move(result_);
  }

 private:
  template <class Value>
  std::vector<double> values_of(Value value) const {
    std::vector<double> values;
    for (const std::vector<Run>& side : runs_)
      for (const Run& run : side) values.push_back(value(run));
    return values;
  }

  void add_frame_figures() {
    for (size_t figure = 0; figure < kFrameFigures; ++figure) {
      if (figure == kOverBudget && options_.budget_ns <= 0) continue;
      Figure added;
      added.frame_figure = figure;
      added.values = values_of([&](const Run& run) {
        std::vector<int64_t> sorted_ns = run.frames_ns;
        std::sort(sorted_ns.begin(), sorted_ns.end());
        return frame_figure(static_cast<FrameFigure>(figure), sorted_ns, options_.budget_ns);
      });
      figures_.push_back(std::move(added));
    }
    frame_ns_ = result_.frames.side[0][kP50].value;
  }

  void add_pace() {
    std::vector<const Run*> runs;
    for (const std::vector<Run>& side : runs_)
      for (const Run& run : side) runs.push_back(&run);
    paces_ = paces_of(runs, names_, kLeastOfFrame * frame_ns_);
    Figure added;
    added.values = paces_;
    figures_.push_back(std::move(added));
  }

  void add_path_figures() {
    for (uint32_t path = 1; path < names_.size(); ++path)
      for (const bool is_self : {true, false})
        for (const bool is_typical : {true, false}) {
          if (!is_self && names_[path].is_wait) continue;  // that is the time of what it calls
          Figure added;
          added.path = path;
          added.is_self = is_self;
          add_time(std::move(added), [&](const Run& run) {
            const FrameTime& time = is_self ? run.path(path).self : run.path(path).inclusive;
            return is_typical ? time.typical_ns : time.mean_ns;
          });
        }
  }

  void add_scope_figures() {
    for (uint32_t scope = 0; scope < names_.scopes().size(); ++scope)
      for (const bool is_typical : {true, false}) {
        if (!is_shared(scope)) continue;
        Figure added;
        added.path = scope;
        added.is_scope = added.is_self = true;
        add_time(std::move(added), [&](const Run& run) {
          const FrameTime& time = run.scope(scope).self;
          return is_typical ? time.typical_ns : time.mean_ns;
        });
      }
  }

  // More than one path ends with it, so it is no path by another name.
  bool is_shared(uint32_t scope) const { return names_.scopes()[scope].paths.size() > 1; }

  template <class Value>
  void add_time(Figure figure, Value value) {
    figure.values = values_of(value);
    figure.follows_pace = true;
    // What takes hardly any time in all runs cannot have changed by something that matters.
    if (*std::max_element(figure.values.begin(), figure.values.end()) >= kLeastOfFrame * frame_ns_)
      figures_.push_back(std::move(figure));
  }

  LabelTest labels() const {
    const std::vector<TestedFigure> tested(figures_.begin(), figures_.end());
    return permute_labels(tested, paces_, runs_[0].size(), options_.deals, options_.seed, options_.alarms);
  }

  // A typical run's of each side; the mean of what most runs do not do at all.
  void take_sides(const Figure& figure, double* before, double* after) const {
    const auto second = figure.values.begin() + static_cast<std::ptrdiff_t>(runs_[0].size());
    const std::vector<double> sides[2] = {{figure.values.begin(), second}, {second, figure.values.end()}};
    *before = median(sides[0]);
    *after = median(sides[1]);
    if (*before != *after) return;
    *before = mean(sides[0]);
    *after = mean(sides[1]);
  }

  void test() {
    LabelTest labels = this->labels();
    Figure& pace = *std::find_if(figures_.begin(), figures_.end(), is_pace);
    take_sides(pace, &pace.before, &pace.after);
    pace.p = labels.p[static_cast<size_t>(&pace - figures_.data())];
    const bool pace_changed = matters(pace);
    result_.pace = {pace.p, !pace_changed ? 0 : pace.after > pace.before ? 1 : -1};
    result_.pace_change = pace.after / pace.before - 1;
    // Then pace and side say the same, and how a path grows with the pace cannot be told from how it changed with the side:
    // what takes as much longer as all paths do follows the pace.
    for (Figure& figure : figures_) {
      take_sides(figure, &figure.was_before, &figure.was_after);
      if (!figure.follows_pace || !pace_changed) continue;
      for (size_t i = 0; i < paces_.size(); ++i) figure.values[i] /= paces_[i];
      figure.follows_pace = false;
    }
    if (pace_changed) labels = this->labels();
    paths_.resize(names_.size());
    scopes_.resize(names_.scopes().size());
    for (size_t i = 0; i < figures_.size(); ++i) {
      Figure& figure = figures_[i];
      if (figure.follows_pace)
        bring_to_one_pace(paces_, growth_with_pace(paces_, figure.values, runs_[0].size()), &figure.values);
      take_sides(figure, &figure.before, &figure.after);
      figure.p = labels.p[i];
      if (figure.frame_figure != kFrameFigures) {
        FrameChange& change = result_.frame_changes[figure.frame_figure];
        change.p = figure.p;
        if (matters(figure)) change.direction = figure.after > figure.before ? 1 : -1;
      } else if (!is_pace(figure) && matters(figure)) {
        const Figure*& best = figure.is_scope  ? scopes_[figure.path]
                              : figure.is_self ? paths_[figure.path].self
                                               : paths_[figure.path].inclusive;
        if (best == nullptr || figure.p < best->p) best = &figure;
      }
    }
    note_least_seen(labels.limit);
  }

  // Takes each path by its typical or its mean own time, whichever shows a smaller change. Paths that share a scope may
  // change places, so their scope stands for them.
  void note_least_seen(double limit) {
    std::map<std::pair<bool, uint32_t>, double> shares;
    for (const Figure& figure : figures_) {
      if (!figure.is_self || figure.before <= 0 || figure.before < kLarge * frame_ns_ || limit >= 1) continue;
      const uint32_t path = figure.is_scope ? names_.scopes()[figure.path].paths[0] : figure.path;
      if (names_[path].is_wait || (!figure.is_scope && is_shared(names_[path].scope))) continue;
      const double share = std::max(least_seen(figure, limit) / figure.before, options_.least);
      double& least = shares.insert({{figure.is_scope, figure.path}, share}).first->second;
      least = std::min(least, share);
    }
    std::vector<double> sorted;
    for (const auto& [path, share] : shares) sorted.push_back(share);
    if (sorted.empty()) return;
    std::sort(sorted.begin(), sorted.end());
    result_.least_seen = {sorted.size(), sorted[(sorted.size() - 1) / 2], sorted[(sorted.size() - 1) * 9 / 10]};
  }

  double least_seen(const Figure& figure, double limit) const {
    std::vector<double> off = figure.values;
    for (size_t i = 0; i < off.size(); ++i)
      off[i] = std::fabs(off[i] - (i < runs_[0].size() ? figure.before : figure.after));
    constexpr double kDeviations = 1.4826;  // a normal distribution's standard deviation has so many median distances
    return difference_at(limit, kDeviations * median(std::move(off)), runs_[0].size(), runs_[1].size());
  }

  static bool is_pace(const Figure& figure) {
    return figure.frame_figure == kFrameFigures && !figure.is_scope && figure.path == PathNames::kRoot;
  }

  bool matters(const Figure& figure) const {
    const double change = std::fabs(figure.after - figure.before);
    if (figure.p > options_.alarms) return false;
    if (figure.frame_figure == kOverBudget) return change >= kLeastRate;
    if (change < options_.least * figure.before) return false;
    if (is_pace(figure)) return true;
    // What took no longer is not slower, whatever the pace.
    if (result_.pace.direction != 0 && (figure.after > figure.before) != (figure.was_after > figure.was_before))
      return false;
    return figure.frame_figure != kFrameFigures || change >= kLeastOfFrame * frame_ns_;
  }

  // How much longer a significant figure is in this direction; 0 without one.
  static double change_of(const Figure* figure, double direction) {
    return figure == nullptr ? 0 : std::max(direction * (figure->after - figure->before), 0.0);
  }

  // How much a scope changed in all of its paths, significantly or not.
  double scope_change(uint32_t scope, double direction) const {
    std::vector<double> sides[2];
    for (size_t side = 0; side < 2; ++side)
      for (const Run& run : runs_[side]) sides[side].push_back(run.scope(scope).self.typical_ns);
    return direction * (median(sides[1]) - median(sides[0]));
  }

  void name(const Figure& reason, std::vector<PathChange>* named) const {
    const bool is_wait = names_[reason.is_scope ? names_.scopes()[reason.path].paths[0] : reason.path].is_wait;
    double calls[2];
    for (size_t side = 0; side < 2; ++side) {
      std::vector<double> values;
      for (const Run& run : runs_[side])
        values.push_back(reason.is_scope ? run.scope(reason.path).calls : run.path(reason.path).calls);
      calls[side] = median(values);
    }
    const bool pace_changed = result_.pace.direction != 0;
    const double before = pace_changed ? reason.was_before : reason.before;
    const double after = pace_changed ? reason.was_after : reason.after;
    const bool at_one_pace = std::fabs(before - reason.was_before) > kPaceSaid * reason.was_before ||
                             std::fabs(after - reason.was_after) > kPaceSaid * reason.was_after;
    named->push_back({reason.path, reason.is_scope, reason.is_self, is_wait, before, after, at_one_pace, calls[0],
                      calls[1], reason.p});
  }

  // Names what explains the change in this direction. Returns how much of the work that is.
  double name_changes(double direction, std::vector<PathChange>* named) const {
    std::vector<double> own(names_.size(), 0);  // by path: what its name, or its scope's, explains of its own time
    double by_scopes = 0;
    for (uint32_t scope = 0; scope < names_.scopes().size(); ++scope)
      by_scopes += name_scope(scope, direction, &own, named);
    std::vector<double> explained = own;  // with the paths below
    double by_paths = 0;
    for (uint32_t path = static_cast<uint32_t>(names_.size()); path-- > 1;) {
      const double change = change_of(paths_[path].inclusive, direction);
      if (own[path] == 0 && explained[path] < kExplains * change) {
        name(*paths_[path].inclusive, named);
        by_paths += change - explained[path];
        explained[path] = change;
      }
      explained[names_[path].parent] += explained[path];
    }
    // Waits last: when one thread is late, others wait for it.
    std::stable_sort(named->begin(), named->end(), [](const PathChange& a, const PathChange& b) {
      if (a.is_wait != b.is_wait) return b.is_wait;
      return std::fabs(a.after_ns - a.before_ns) > std::fabs(b.after_ns - b.before_ns);
    });
    return by_scopes + by_paths;
  }

  // The paths of a scope whose own time changed, or the scope itself. A path is not named if other paths of the scope
  // make up for it: then other callers or threads run it, and it takes no longer.
  double name_scope(uint32_t scope, double direction, std::vector<double>* own, std::vector<PathChange>* named) const {
    const std::vector<uint32_t>& paths = names_.scopes()[scope].paths;
    double all = 0;
    std::vector<uint32_t> changed;
    for (const uint32_t path : paths) {
      const double change = change_of(paths_[path].self, direction);
      if (change <= 0 || (is_shared(scope) && scope_change(scope, direction) < kExplains * change)) continue;
      changed.push_back(path);
      if (!names_[path].is_wait) (*own)[path] = change;  // a wait explains nothing of the work
      all += change;
    }
    const double whole = change_of(scopes_[scope], direction);
    if (all >= kExplains * whole) {
      for (const uint32_t path : changed) name(*paths_[path].self, named);
    } else {
      name(*scopes_[scope], named);
      all = whole;
      // What its callers took longer is explained.
      for (const uint32_t path : paths)
        if (!names_[path].is_wait) (*own)[path] = whole / static_cast<double>(paths.size());
    }
    return names_[paths[0]].is_wait ? 0 : all;
  }

  void judge() {
    const double slower = name_changes(1, &result_.slower), faster = name_changes(-1, &result_.faster);
    bool frames_slower = result_.pace.direction > 0, frames_faster = result_.pace.direction < 0;
    for (const FrameChange& change : result_.frame_changes) {
      frames_slower = frames_slower || change.direction > 0;
      frames_faster = frames_faster || change.direction < 0;
    }
    const double net = slower - faster;
    result_.moved = slower > 0 && faster > 0 && std::fabs(net) < kMoved * (slower + faster);
    if (frames_slower || frames_faster)
      result_.verdict = frames_slower ? Verdict::kSlower : Verdict::kFaster;
    else if (net == 0 || result_.moved)
      result_.verdict = Verdict::kNoDifference;
    else
      result_.verdict = net > 0 ? Verdict::kSlower : Verdict::kFaster;
  }

  const std::vector<Run> (&runs_)[2];
  const PathNames& names_;
  const GateOptions& options_;
  double frame_ns_ = 0;
  std::vector<double> paces_;  // by run
  std::vector<Figure> figures_;
  std::vector<PathFigures> paths_;     // by path
  std::vector<const Figure*> scopes_;  // by scope: the more significant one of typical and mean
  GateResult result_;
};

std::string count_text(size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

bool is_same_time(const FrameTime& a, const FrameTime& b) {
  return a.typical_ns == b.typical_ns && a.mean_ns == b.mean_ns;
}

// Two programs never start in the same nanosecond, and may save several captures. Traces of other tools do not tell when they
// were recorded: two that agree in each frame and path are one, unless all frames are alike, as a simulation may have them.
bool is_same_recording(const Run& a, const Run& b) {
  if (a.recorded_unix_ns != b.recorded_unix_ns || a.frames_ns != b.frames_ns) return false;
  if (a.recorded_unix_ns != 0) return true;
  const std::vector<int64_t>& frames = a.frames_ns;
  bool is_same = std::adjacent_find(frames.begin(), frames.end(), std::not_equal_to<>()) != frames.end();
  for (size_t i = 0; is_same && i < std::max(a.paths.size(), b.paths.size()); ++i)
    is_same = is_same_time(a.path(i).self, b.path(i).self) && is_same_time(a.path(i).inclusive, b.path(i).inclusive) &&
              a.path(i).calls == b.path(i).calls;
  return is_same;
}

}  // namespace

const char* verdict_text(Verdict verdict) {
  constexpr const char* kTexts[] = {"slower", "faster", "no difference seen", "not enough runs"};
  return kTexts[static_cast<size_t>(verdict)];
}

GateResult compare_runs(const std::vector<Run> (&runs)[2], const PathNames& names, const GateOptions& options) {
  return Comparison(runs, names, options).compare();
}

std::string problem_with(const std::vector<Run> (&runs)[2]) {
  constexpr double kSameRate = 0.005;  // one counter, measured twice, differs by less
  const Run& first = runs[0][0];
  std::vector<const Run*> before;
  for (const std::vector<Run>& side : runs)
    for (const Run& run : side) {
      if (!run.problem.empty()) return run.problem;
      if (run.frames_ns.empty())
        return run.name + " has no whole frame" +
               (run.lossy_frames + run.partial_frames == 0 ? ""
                                                           : ": " + count_text(run.partial_frames, "partial one") +
                                                                 ", " + count_text(run.lossy_frames, "incomplete one"));
      if (run.clock != first.clock) return run.name + " was timed by another clock than " + first.name;
      if (std::fabs(run.ticks_per_second - first.ticks_per_second) > kSameRate * first.ticks_per_second)
        return run.name + " is of another machine than " + first.name + ": its clock has another rate";
      for (const Run* other : before)
        if (is_same_recording(run, *other))
          return run.name + (run.name == other->name ? " is given twice" : " and " + other->name + " are the same run");
      before.push_back(&run);
    }
  return "";
}

std::vector<std::string> doubts_about(const std::vector<Run> (&runs)[2], const PathNames& names) {
  std::vector<std::string> doubts;
  uint64_t first[2] = {UINT64_MAX, UINT64_MAX}, last[2] = {0, 0};
  size_t lossy = 0, frames = 0;
  for (size_t side = 0; side < 2; ++side)
    for (const Run& run : runs[side]) {
      first[side] = std::min(first[side], run.recorded_unix_ns);
      last[side] = std::max(last[side], run.recorded_unix_ns);
      lossy += run.lossy_frames;
      frames += run.frames_ns.size();
    }
  const bool has_turns = first[1] < last[0] && first[0] < last[1];
  if (first[0] != 0 && first[1] != 0 && !has_turns && runs[0].size() + runs[1].size() > 2)
    doubts.push_back(
        "The two sides were not recorded in turns: what changed on the machine meanwhile looks like a change of the "
        "game.");
  if (lossy != 0)
    doubts.push_back(count_text(lossy, "frame") + " with lost events " + (lossy == 1 ? "was" : "were") +
                     " left out, of " + std::to_string(lossy + frames) + ".");
  if (names.without_room() != 0)
    doubts.push_back("There are more than " + std::to_string(PathNames::kMost) +
                     " call paths: the time of the others is in that of their callers.");
  return doubts;
}

}  // namespace flamelet::tools

// SPDX-License-Identifier: MIT
#include "run.h"

#include <algorithm>
#include <array>
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

}  // namespace flamelet::tools

// SPDX-License-Identifier: MIT
#include "window_sums.h"

#include <flamelet/span_tree.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "capture_input.h"
#include "command_line.h"

namespace flamelet::tools {

// ---- by scope and frame

namespace {

class Collector {
 public:
  Collector(const flamelet_capture* capture, const std::vector<flamelet_frame_info>& frames, bool by_name)
      : by_name_(by_name), pieces_(capture), frames_(frames) {}

  int64_t begin_ns() const { return frames_.empty() ? 0 : frames_.front().begin_ns; }
  int64_t end_ns() const { return frames_.empty() ? 0 : frames_.back().end_ns; }

  // The scopes of a lane, and the parts of their own time.
  void add_self(size_t lane, Progress* progress) {
    std::vector<uint32_t> scope_of;
    pieces_.read(lane, begin_ns(), end_ns(), [&](const flamelet_span* spans, size_t count) {
      scope_of.resize(count);
      for (size_t i = 0; i < count; ++i) {
        const flamelet_span& span = spans[i];
        std::vector<int64_t>& self_ns = scopes_[scope_of[i] = scope_index(span)].self_ns;
        if ((span.flags & FLAMELET_SPAN_AGAIN) != 0) continue;
        const auto first = std::upper_bound(frames_.begin(), frames_.end(), span.begin_ns,
                                            [](int64_t time_ns, const auto& frame) { return time_ns < frame.end_ns; });
        for (auto frame = first; frame != frames_.end() && frame->begin_ns < span.end_ns; ++frame) {
          const int64_t inside_ns = std::min(span.end_ns, frame->end_ns) - std::max(span.begin_ns, frame->begin_ns);
          const size_t position = static_cast<size_t>(frame - frames_.begin());
          self_ns[position] += inside_ns;
          if (span.parent != FLAMELET_NO_PARENT) scopes_[scope_of[span.parent]].self_ns[position] -= inside_ns;
        }
      }
      progress->add(count);
    });
  }

  // Then their time, frame by frame.
  void add_total(const std::vector<size_t>& lanes, Progress* progress) {
    std::vector<flamelet_scope_time> times(scopes_.size());
    for (size_t frame = 0; frame < frames_.size(); ++frame) {
      std::fill(times.begin(), times.end(), flamelet_scope_time());
      for (const size_t lane : lanes)
        progress->add(pieces_.add_times(lane, frames_[frame].begin_ns, frames_[frame].end_ns, &times,
                                        [this](const flamelet_span& span) { return scope_index(span); }));
      for (size_t i = 0; i < times.size(); ++i) {
        scopes_[i].total_ns[frame] = times[i].time_ns;
        scopes_[i].calls += times[i].calls;
      }
    }
  }

  std::vector<ScopeFrames> take() { return std::move(scopes_); }

 private:
  uint32_t scope_index(const flamelet_span& span) {
    const auto [found, is_new] =
        index_.emplace(uint64_t{by_name_ ? 0 : span.site} << 32 | span.name, static_cast<uint32_t>(scopes_.size()));
    if (is_new)
      scopes_.push_back(
          {span.site, span.name, std::vector<int64_t>(frames_.size()), std::vector<int64_t>(frames_.size()), 0});
    return found->second;
  }

  const bool by_name_;
  SpanPieces pieces_;
  const std::vector<flamelet_frame_info>& frames_;
  std::unordered_map<uint64_t, uint32_t> index_;
  std::vector<ScopeFrames> scopes_;
};

}  // namespace

std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes,
                                      const std::vector<flamelet_frame_info>& frames, bool by_name) {
  const flamelet_capture* const capture = input.get();
  Collector collector(capture, frames, by_name);
  Progress progress("adding up " + input.name(),
                    2 * count_spans(capture, lanes, collector.begin_ns(), collector.end_ns()), Progress::Unit::kSpans);
  for (const size_t lane : lanes) collector.add_self(lane, &progress);
  collector.add_total(lanes, &progress);
  return collector.take();
}

// ---- intervals by name

std::vector<IntervalSums> interval_sums(const CaptureInput& input, const Window& window, const std::string& filter) {
  const flamelet_capture* capture = input.get();
  std::vector<flamelet_interval> intervals(
      flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, nullptr, 0));
  flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, intervals.data(), intervals.size());
  std::map<std::string, IntervalSums> by_name;
  for (const flamelet_interval& interval : intervals) {
    std::string name(view_of(flamelet_capture_string(capture, interval.name)));
    if (!contains(name, filter)) continue;
    IntervalSums& sums = by_name[name];
    sums.name = std::move(name);
    sums.incomplete += (interval.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_BEGIN)) != 0;
    sums.open += (interval.flags & FLAMELET_SPAN_OPEN) != 0;
    sums.total_ns += interval.end_ns - interval.begin_ns;
    sums.durations_ns.push_back(interval.end_ns - interval.begin_ns);
  }
  std::vector<IntervalSums> all;
  for (auto& [name, sums] : by_name) all.push_back(std::move(sums));
  return all;
}

// ---- by call path

namespace {

constexpr uint32_t kMostNodes = 1u << 22;

[[noreturn]] void fail(flamelet_result result) {
  throw CommandError(kExitInput, std::string("cannot make a call tree: ") + flamelet_result_message(result));
}

// A span tree with its memory.
class SpanTree {
 public:
  explicit SpanTree(const flamelet_span_tree_config& config) {
    const size_t bytes = flamelet_span_tree_memory_required(&config);
    memory_.reset(new unsigned char[bytes]);
    const flamelet_result result = flamelet_span_tree_create(&config, memory_.get(), bytes, &tree_);
    if (result != FLAMELET_OK) fail(result);
  }
  flamelet_span_tree* get() const { return tree_; }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_span_tree* tree_ = nullptr;
};

}  // namespace

CallTree::CallTree(const flamelet_call_tree_config& config) {
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  memory_.reset(new unsigned char[bytes]);
  const flamelet_result result = flamelet_call_tree_create(&config, memory_.get(), bytes, &tree_);
  if (result != FLAMELET_OK) fail(result);
}

std::vector<Stretch> stretches_of(const std::vector<flamelet_frame_info>& frames) {
  std::vector<Stretch> stretches;
  for (const flamelet_frame_info& frame : frames) {
    if (stretches.empty() || stretches.back().end_ns != frame.begin_ns)
      stretches.push_back({frame.begin_ns, frame.end_ns});
    else
      stretches.back().end_ns = frame.end_ns;
  }
  return stretches;
}

CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes,
                      const std::vector<Stretch>& stretches, bool keep_recursion) {
  const flamelet_capture* const capture = input.get();
  size_t span_count = 0;
  for (const Stretch& stretch : stretches) span_count += count_spans(capture, lanes, stretch.begin_ns, stretch.end_ns);
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_spans = FLAMELET_CURSOR_LEAST;
  config.keep_recursion = keep_recursion;
  SpanPieces pieces(capture);
  for (;;) {
    const SpanTree spans(config);
    const auto bind_and_name = [&] { flamelet_span_tree_add_window(spans.get(), capture, 0, 0); };
    bind_and_name();
    flamelet_call_tree_config merged_config = flamelet_call_tree_config_default();
    merged_config.max_nodes = config.max_nodes;
    merged_config.max_blocks = config.max_scopes;
    merged_config.max_threads = 0;
    merged_config.keep_recursion = keep_recursion;
    CallTree merged(merged_config);
    bool scopes_fit = true;
    Progress progress("adding up " + input.name(), span_count, Progress::Unit::kSpans);
    for (const size_t lane : lanes) {
      flamelet_lane_info info;
      flamelet_capture_lane(capture, lane, &info);
      flamelet_span_tree_select(spans.get(), FLAMELET_LANE_BIT(info.kind), info.id, keep_recursion);
      for (const Stretch& stretch : stretches)
        pieces.read(lane, stretch.begin_ns, stretch.end_ns, [&](const flamelet_span* piece, size_t count) {
          flamelet_span_tree_add_spans(spans.get(), piece, count, stretch.begin_ns, stretch.end_ns);
          progress.add(count);
        });
      bind_and_name();
      flamelet_call_tree_merge(merged.get(), flamelet_span_tree_calls(spans.get()));
      flamelet_span_tree_stats stats;
      flamelet_span_tree_get_stats(spans.get(), &stats);
      scopes_fit = scopes_fit && stats.calls_of_no_scope == 0;
    }
    flamelet_call_tree_stats stats;
    flamelet_call_tree_get_stats(merged.get(), &stats);
    if ((scopes_fit && stats.charged_no_room == 0) || config.max_nodes >= kMostNodes) return merged;
    config.max_nodes *= 4;
    config.max_scopes *= 4;
  }
}

std::vector<CallPath> paths_of(flamelet_call_tree* tree) {
  struct Walk {
    std::vector<CallPath> paths;
    std::vector<uint32_t> ids;   // by path; a visitor must not ask the tree for names
    std::vector<uint32_t> open;  // the path at each depth
  } walk;
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        Walk& self = *static_cast<Walk*>(user);
        self.open.resize(path->depth);
        const uint32_t parent = path->depth == 0 ? 0 : self.open.back();
        self.open.push_back(static_cast<uint32_t>(self.paths.size()));
        self.ids.push_back(path->depth == 0 ? FLAMELET_CALL_ROOT : path->ids[path->depth - 1]);
        self.paths.push_back({parent, path->depth, "", path->calls, path->self_samples, path->total_samples});
        return true;
      },
      &walk);
  for (size_t i = 0; i < walk.paths.size(); ++i) walk.paths[i].name = flamelet_call_tree_name(tree, walk.ids[i]);
  return std::move(walk.paths);
}

}  // namespace flamelet::tools

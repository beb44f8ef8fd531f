// SPDX-License-Identifier: MIT
#include "run.h"

#include <flamelet/scope.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

#include "span_batches.h"

namespace flamelet::tools {
namespace {

// Times by frame; a path that runs in few frames takes little memory.
class Times {
 public:
  void add(size_t frame, int64_t ns) {
    const size_t block = frame / kBlock;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    if (!blocks_[block]) blocks_[block] = std::make_unique<Block>();
    (*blocks_[block])[frame % kBlock] += ns;
  }
  void add(const Times& other) {
    other.each([this](size_t frame, int64_t ns) { add(frame, ns); });
  }
  template <class Take>
  void each(Take take) const {
    for (size_t block = 0; block < blocks_.size(); ++block)
      for (size_t i = 0; blocks_[block] && i < kBlock; ++i)
        if ((*blocks_[block])[i] != 0) take(block * kBlock + i, (*blocks_[block])[i]);
  }

 private:
  static constexpr size_t kBlock = 64;
  using Block = std::array<int64_t, kBlock>;
  std::vector<std::unique_ptr<Block>> blocks_;
};

// `scratch` is of no further use.
FrameTime frame_time(const Times& times, size_t frames, std::vector<int64_t>* scratch) {
  scratch->clear();
  double sum = 0;
  times.each([&](size_t, int64_t ns) {
    scratch->push_back(ns);
    sum += static_cast<double>(ns);
  });
  if (scratch->empty()) return {};
  const size_t count = scratch->size(), cut = count * 2 / 5;
  const auto first = scratch->begin() + static_cast<std::ptrdiff_t>(cut);
  const auto last = scratch->end() - static_cast<std::ptrdiff_t>(cut);  // one behind
  std::nth_element(scratch->begin(), first, scratch->end());
  std::nth_element(first, last - 1, scratch->end());
  double middle = 0;
  for (auto at = first; at != last; ++at) middle += static_cast<double>(*at);
  const double share = static_cast<double>(count) / static_cast<double>(frames);
  return {middle / static_cast<double>(count - 2 * cut) * share, sum / static_cast<double>(frames)};
}

class RunReader {
 public:
  RunReader(const flamelet_capture* capture, PathNames* names) : capture_(capture), names_(names) {}

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
    read_span_batches(capture_, lane, frames_.front().begin_ns, frames_.back().end_ns,
                      [&](const flamelet_span* spans, size_t count) { add_spans(spans, count, root); });
  }

  // Children come after their parents, so backwards every path has all of its children's time.
  std::vector<RunPath> finish() {
    std::vector<RunPath> paths(times_.size());
    std::vector<Times> inclusive(times_.size());
    std::vector<int64_t> scratch;
    for (size_t path = times_.size(); path-- > 1;) {
      paths[path].calls = static_cast<double>(calls_[path]) / static_cast<double>(frames_.size());
      paths[path].self = frame_time(times_[path], frames_.size(), &scratch);
      if (!(*names_)[path].is_wait) inclusive[path].add(times_[path]);
      times_[path] = {};
      paths[path].inclusive = frame_time(inclusive[path], frames_.size(), &scratch);
      inclusive[(*names_)[path].parent].add(inclusive[path]);
      inclusive[path] = {};
    }
    return paths;
  }

 private:
  // Outermost spans of one lane with all below them.
  void add_spans(const flamelet_span* spans, size_t count, uint32_t root) {
    path_of_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const flamelet_span& span = spans[i];
      const uint32_t parent = span.parent == FLAMELET_NO_PARENT ? root : path_of_[span.parent];
      const uint32_t path = path_of_[i] = path_below(parent, span);
      const auto first = std::upper_bound(frames_.begin(), frames_.end(), span.begin_ns,
                                          [](int64_t time_ns, const auto& frame) { return time_ns < frame.end_ns; });
      if (first != frames_.end() && first->begin_ns <= span.begin_ns && (span.flags & FLAMELET_SPAN_RESUMED) == 0)
        ++calls_[path];
      for (auto frame = first; frame != frames_.end() && frame->begin_ns < span.end_ns; ++frame) {
        const int64_t inside_ns = std::min(span.end_ns, frame->end_ns) - std::max(span.begin_ns, frame->begin_ns);
        const size_t position = static_cast<size_t>(frame - frames_.begin());
        times_[path].add(position, inside_ns);
        if (span.parent != FLAMELET_NO_PARENT) times_[path_of_[span.parent]].add(position, -inside_ns);
      }
    }
  }

  uint32_t path_below(uint32_t parent, const flamelet_span& span) {
    const Call call = {parent, span.site, span.name};
    const auto [found, is_new] = paths_.emplace(call, 0);
    if (is_new) {
      const flamelet_string name = flamelet_capture_string(capture_, span.name);
      flamelet_site_info site;
      const bool is_wait = flamelet_capture_site(capture_, span.site, &site) &&
                           std::string_view(site.category.text, site.category.size) == FLAMELET_WAIT_CATEGORY;
      found->second = names_->child(parent, {name.text, name.size}, is_wait);
      if (names_->size() > times_.size()) {
        times_.resize(names_->size());
        calls_.resize(names_->size());
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
      const uint64_t mixed =
          (uint64_t{call.parent} << 40 ^ uint64_t{call.site} << 20 ^ call.name) * 0x9e3779b97f4a7c15u;
      return static_cast<size_t>(mixed ^ mixed >> 32);
    }
  };

  const flamelet_capture* const capture_;
  PathNames* const names_;
  std::vector<flamelet_frame_info> frames_;
  std::unordered_map<Call, uint32_t, Hash> paths_;
  std::vector<Times> times_;  // self, by path
  std::vector<uint64_t> calls_;
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
  run.paths = reader.finish();
  return run;
}

}  // namespace flamelet::tools

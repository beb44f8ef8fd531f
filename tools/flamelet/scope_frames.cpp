// SPDX-License-Identifier: MIT
#include "scope_frames.h"

#include <algorithm>

#include "span_batches.h"

namespace flamelet::tools {
namespace {

class Collector {
 public:
  Collector(const flamelet_capture* capture, const Window& window, bool by_name) : by_name_(by_name) {
    flamelet_frame_info frame;
    for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(capture, i, &frame); ++i)
      frames_.push_back(frame);
  }

  int64_t begin_ns() const { return frames_.empty() ? 0 : frames_.front().begin_ns; }
  int64_t end_ns() const { return frames_.empty() ? 0 : frames_.back().end_ns; }

  // Outermost spans of one lane with all below them. Parents stand before their children.
  void add(const flamelet_span* spans, size_t count) {
    std::vector<uint32_t> scope_of(count);
    struct Open {
      uint32_t end;  // index after its last descendant
      uint32_t scope;
    };
    std::vector<Open> open;
    for (uint32_t i = 0; i < count; ++i) {
      const flamelet_span& span = spans[i];
      while (!open.empty() && open.back().end <= i) {
        --depth_[open.back().scope];
        open.pop_back();
      }
      const uint32_t scope = scope_of[i] = scope_index(span);
      scopes_[scope].calls += span.begin_ns >= begin_ns() && (span.flags & FLAMELET_SPAN_RESUMED) == 0;
      const bool outermost = depth_[scope]++ == 0;
      open.push_back({span.subtree_end, scope});
      const auto first = std::upper_bound(frames_.begin(), frames_.end(), span.begin_ns,
                                          [](int64_t time_ns, const auto& frame) { return time_ns < frame.end_ns; });
      for (auto frame = first; frame != frames_.end() && frame->begin_ns < span.end_ns; ++frame) {
        const int64_t inside_ns = std::min(span.end_ns, frame->end_ns) - std::max(span.begin_ns, frame->begin_ns);
        const size_t position = static_cast<size_t>(frame - frames_.begin());
        if (outermost) scopes_[scope].total_ns[position] += inside_ns;
        scopes_[scope].self_ns[position] += inside_ns;
        if (span.parent != FLAMELET_NO_PARENT) scopes_[scope_of[span.parent]].self_ns[position] -= inside_ns;
      }
    }
    for (const Open& left : open) --depth_[left.scope];
  }

  std::vector<ScopeFrames> take() { return std::move(scopes_); }

 private:
  uint32_t scope_index(const flamelet_span& span) {
    const auto [found, is_new] =
        index_.emplace(uint64_t{by_name_ ? 0 : span.site} << 32 | span.name, static_cast<uint32_t>(scopes_.size()));
    if (is_new) {
      scopes_.push_back(
          {span.site, span.name, std::vector<int64_t>(frames_.size()), std::vector<int64_t>(frames_.size()), 0});
      depth_.push_back(0);
    }
    return found->second;
  }

  const bool by_name_;
  std::vector<flamelet_frame_info> frames_;
  std::unordered_map<uint64_t, uint32_t> index_;
  std::vector<ScopeFrames> scopes_;
  std::vector<uint32_t> depth_;  // by scope: how often it is open
};

}  // namespace

std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes, const Window& window,
                                      bool by_name) {
  const flamelet_capture* const capture = input.get();
  Collector collector(capture, window, by_name);
  const int64_t begin_ns = collector.begin_ns(), end_ns = collector.end_ns();
  Progress progress("adding up " + input.name(), count_spans(capture, lanes, begin_ns, end_ns), Progress::Unit::kSpans);
  for (const size_t lane : lanes)
    read_span_batches(capture, lane, begin_ns, end_ns, [&](const flamelet_span* spans, size_t count) {
      collector.add(spans, count);
      progress.add(count);
    });
  return collector.take();
}

}  // namespace flamelet::tools

// SPDX-License-Identifier: MIT
#include "scope_frames.h"

#include <algorithm>

#include "span_pieces.h"

namespace flamelet::tools {
namespace {

class Collector {
 public:
  Collector(const flamelet_capture* capture, const Window& window, bool by_name) : by_name_(by_name), pieces_(capture) {
    flamelet_frame_info frame;
    for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(capture, i, &frame); ++i)
      frames_.push_back(frame);
  }

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
  std::vector<flamelet_frame_info> frames_;
  std::unordered_map<uint64_t, uint32_t> index_;
  std::vector<ScopeFrames> scopes_;
};

}  // namespace

std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes, const Window& window,
                                      bool by_name) {
  const flamelet_capture* const capture = input.get();
  Collector collector(capture, window, by_name);
  Progress progress("adding up " + input.name(),
                    2 * count_spans(capture, lanes, collector.begin_ns(), collector.end_ns()), Progress::Unit::kSpans);
  for (const size_t lane : lanes) collector.add_self(lane, &progress);
  collector.add_total(lanes, &progress);
  return collector.take();
}

}  // namespace flamelet::tools

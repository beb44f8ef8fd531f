// SPDX-License-Identifier: MIT
#include "joined_capture.h"

#include <flamelet/capture_builder.h>

#include <algorithm>
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "span_pieces.h"

namespace flamelet::tools {
namespace {

constexpr size_t kFramesBefore = 8;     // in which work may have begun that the frame waits for
constexpr int64_t kGapNs = 1000000000;  // between the two

// Copies stretches of captures into a builder.
class Joiner {
 public:
  explicit Joiner(const flamelet_capture_config& config) {
    if (flamelet_capture_builder_create(&config, &builder_) != FLAMELET_OK) throw std::bad_alloc();
  }
  ~Joiner() { flamelet_capture_builder_destroy(builder_); }
  Joiner(const Joiner&) = delete;
  Joiner& operator=(const Joiner&) = delete;

  // Frames [first, first + count), moved by these amounts. Returns the end of the last one.
  int64_t add(const flamelet_capture* capture, size_t first, size_t count, int64_t move_ns, uint64_t move_index) {
    flamelet_frame_info frame;
    flamelet_capture_frame(capture, first, &frame);
    const int64_t begin_ns = frame.begin_ns;
    flamelet_capture_frame(capture, first + count - 1, &frame);
    const int64_t end_ns = frame.end_ns;
    const std::vector<uint32_t> lanes = lanes_of(capture);
    for (size_t lane = 0; lane < lanes.size(); ++lane) add_spans(capture, lane, lanes[lane], begin_ns, end_ns, move_ns);
    add_flows(capture, lanes, begin_ns, end_ns, move_ns);
    for (size_t i = first; i < first + count; ++i) {
      flamelet_capture_frame(capture, i, &frame);
      flamelet_capture_builder_frame(builder_, frame.index + move_index, frame.begin_ns + move_ns,
                                     frame.end_ns + move_ns, frame.flags);
      flamelet_thread_time time;
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        if (flamelet_capture_thread_time(capture, i, lane, &time))
          flamelet_capture_builder_thread_time(builder_, frame.index + move_index, lanes[lane], &time);
    }
    return end_ns + move_ns;
  }

  flamelet_capture* finish() {
    flamelet_capture* capture = nullptr;
    flamelet_capture_builder_finish(std::exchange(builder_, nullptr), &capture);
    return capture;
  }

 private:
  uint32_t string(flamelet_string text) { return flamelet_capture_builder_string(builder_, text.text, text.size); }

  // The builder's lane for each lane of the capture.
  std::vector<uint32_t> lanes_of(const flamelet_capture* capture) {
    std::vector<uint32_t> lanes;
    std::map<std::pair<flamelet_lane_kind, std::string>, size_t> met;
    flamelet_lane_info info;
    for (size_t i = 0; flamelet_capture_lane(capture, i, &info); ++i) {
      const std::string name(view_of(info.name));
      const auto key = std::make_tuple(info.kind, name, met[{info.kind, name}]++);
      const auto [found, is_new] = lanes_.emplace(key, 0);
      if (is_new) found->second = flamelet_capture_builder_span_lane(builder_, info.kind, 0, string(info.name), true);
      lanes.push_back(found->second);
    }
    return lanes;
  }

  uint32_t site_of(const flamelet_capture* capture, uint32_t site) {
    flamelet_site_info info;
    flamelet_capture_site(capture, site, &info);
    return flamelet_capture_builder_site(builder_, string(info.name), string(info.category), string(info.file),
                                         string(info.function), info.line, info.color);
  }

  // As far as they lie in the stretch: the other capture follows.
  void add_spans(const flamelet_capture* capture, size_t from, uint32_t to, int64_t begin_ns, int64_t end_ns,
                 int64_t move_ns) {
    SpanPieces(capture).read(from, begin_ns, end_ns, [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i) {
        flamelet_span span = spans[i];
        if ((span.flags & FLAMELET_SPAN_AGAIN) != 0) continue;
        span.begin_ns = std::max(span.begin_ns, begin_ns) + move_ns;
        span.end_ns = std::min(span.end_ns, end_ns) + move_ns;
        span.site = site_of(capture, span.site);
        span.name = string(flamelet_capture_string(capture, span.name));
        if (span.object != 0) span.object = string(flamelet_capture_string(capture, span.object));
        flamelet_capture_builder_span(builder_, to, &span);
      }
    });
  }

  void add_flows(const flamelet_capture* capture, const std::vector<uint32_t>& lanes, int64_t begin_ns, int64_t end_ns,
                 int64_t move_ns) {
    std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, begin_ns, end_ns));
    flamelet_capture_read_flows(capture, begin_ns, end_ns, flows.data(), flows.size(), nullptr);
    std::stable_sort(flows.begin(), flows.end(),
                     [](const flamelet_flow& a, const flamelet_flow& b) { return a.time_ns < b.time_ns; });
    for (const flamelet_flow& flow : flows)
      if (flow.lane < lanes.size())
        flamelet_capture_builder_flow(builder_, lanes[flow.lane], flow.time_ns + move_ns, flow.id,
                                      (flow.flags & FLAMELET_FLOW_IS_END) != 0);
  }

  flamelet_capture_builder* builder_ = nullptr;
  std::map<std::tuple<flamelet_lane_kind, std::string, size_t>, uint32_t> lanes_;
};

}  // namespace

JoinedCapture join_captures(const flamelet_capture* capture, size_t position, const flamelet_capture* other,
                            size_t first, size_t count) {
  const size_t before = std::min(position, kFramesBefore);
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture_stats stats[2];
  flamelet_capture_get_stats(capture, &stats[0]);
  flamelet_capture_get_stats(other, &stats[1]);
  config.budget_bytes = size_t{256} << 20;  // touched as it fills
  config.budget_bytes += stats[0].budget_bytes + stats[1].budget_bytes;
  Joiner joiner(config);
  flamelet_frame_info frame, other_frame;
  flamelet_capture_frame(capture, position, &frame);
  flamelet_capture_frame(other, first, &other_frame);
  const int64_t end_ns = joiner.add(capture, position - before, before + 1, 0, 0);
  joiner.add(other, first, count, end_ns + kGapNs - other_frame.begin_ns, frame.index + 2 - other_frame.index);
  JoinedCapture joined;
  joined.capture.reset(joiner.finish());
  joined.position = flamelet_capture_find_frame(joined.capture.get(), frame.index);
  joined.other_first = joined.position + 1;
  joined.other_count = flamelet_capture_frame_count(joined.capture.get()) - joined.other_first;
  return joined;
}

}  // namespace flamelet::tools

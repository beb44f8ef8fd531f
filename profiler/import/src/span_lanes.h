// SPDX-License-Identifier: MIT
//
// span_lanes.h: the spans of other programs' traces on lanes where they nest.
//
// Streams of a GPU, and tracks that several threads write to, have spans on one lane that overlap in part. On one lane the
// capture would cut them. So each span stands on the first lane beside its own on which it nests, and keeps its time. Only
// what overlaps by no more than the trace's rounding is cut: by 1 ns, or 1 µs where all times are whole µs. Or, where all begins
// are such as doubles of µs are written, by what these can tell (double_times.h) and half of it: a begin, a length and their
// digits are rounded each.
//
// Spans may come in any order. They are put in the order of their begins, parents first, so many at a time.
#ifndef FLAMELET_IMPORT_SRC_SPAN_LANES_H
#define FLAMELET_IMPORT_SRC_SPAN_LANES_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "double_times.h"
#include "flamelet/capture_builder.h"
#include "flamelet/import.h"
#include "span_nesting.h"

namespace flamelet::formats {

class SpanLanes {
 public:
  SpanLanes(flamelet_capture_builder* builder, flamelet_import_report& report) : builder_(builder), report_(report) {}

  void add(uint32_t lane, const flamelet_span& span) {
    if (waiting_.size() == kMostWaiting) take(kMostWaiting / 4 * 3);
    const auto number = static_cast<uint32_t>(waiting_.size());
    waiting_.push_back({lane, span});
    order_.push_back({span.begin_ns, span.end_ns, number});
    in_order_ = in_order_ && (number == 0 || !stands_before(order_[number], order_[number - 1]));
  }
  // Of a trace that Flamelet wrote: they nest, and stand where they stood.
  void add_own(uint32_t lane, const flamelet_span& span) { flamelet_capture_builder_span(builder_, lane, &span); }

  // No span comes any more.
  void finish() { take(waiting_.size()); }

  // They may have been doubles; `base_ns` was taken off each.
  void set_double_times(int64_t base_ns) {
    base_ns_ = base_ns;
    grain_ns_ = double_grain_ns(base_ns);
  }

  SpanNesting nesting;

 private:
  static constexpr size_t kMostWaiting = size_t{1} << 20;  // 96 MiB
  static constexpr size_t kMostBeside = 64;                // lanes beside each

  struct Waiting {
    uint32_t lane;
    flamelet_span span;
  };
  struct Place {
    int64_t begin_ns, end_ns;
    uint32_t number;  // in waiting_
  };
  // A lane, and the ends of the spans around the newest one.
  struct Lane {
    uint32_t lane;
    std::vector<int64_t> ends_ns;
    bool is_whole_us, is_grained;
    int64_t least_begin_ns;  // of further ones: a begin before it was moved there
  };

  static bool stands_before(const Place& a, const Place& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    return a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.number < b.number;
  }

  void take(size_t count) {
    if (!in_order_) std::sort(order_.begin(), order_.end(), stands_before);
    in_order_ = true;
    for (size_t i = 0; i < count; ++i) put(waiting_[order_[i].number]);
    std::vector<Waiting> left;
    left.reserve(order_.size() - count);
    for (size_t i = count; i < order_.size(); ++i) {
      left.push_back(waiting_[order_[i].number]);
      order_[i - count] = {order_[i].begin_ns, order_[i].end_ns, static_cast<uint32_t>(i - count)};
    }
    order_.resize(left.size());
    waiting_.swap(left);
  }

  void put(Waiting& of) {
    if (of.lane >= lanes_.size()) lanes_.resize(of.lane + size_t{1});
    std::vector<Lane>& beside = lanes_[of.lane];
    if (beside.empty()) beside.push_back({of.lane, {}, true, true, INT64_MIN});
    flamelet_span& span = of.span;
    size_t at = 0;
    while (at < beside.size() && !take_place(&beside[at], &span)) ++at;
    if (at == beside.size()) {
      const uint32_t lane = at <= kMostBeside ? flamelet_capture_builder_lane_beside(builder_, of.lane) : 0;
      if (lane == 0)
        at = 0;  // the capture cuts it
      else
        beside.push_back({lane, {span.end_ns}, is_whole_us(span), has_grain(span), INT64_MIN});
    }
    report_.spans_beside += at != 0;
    nesting.add(beside[at].lane, span.begin_ns, span.end_ns, /*keeps_order=*/false);
    flamelet_capture_builder_span(builder_, beside[at].lane, &span);
  }

  // False: the span overlaps one of the lane in part.
  bool take_place(Lane* lane, flamelet_span* span) {
    std::vector<int64_t>& ends_ns = lane->ends_ns;
    const bool is_whole = lane->is_whole_us && is_whole_us(*span);
    const bool is_grained = lane->is_grained && has_grain(*span);
    const int64_t rounding_ns = is_whole ? 1000 : is_grained ? grain_ns_ + grain_ns_ / 2 : 1;
    int64_t begin_ns = std::max(span->begin_ns, lane->least_begin_ns), end_ns = std::max(span->end_ns, begin_ns);
    while (!ends_ns.empty() && ends_ns.back() <= begin_ns) ends_ns.pop_back();
    if (!ends_ns.empty() && end_ns > ends_ns.back()) {
      if (end_ns - ends_ns.back() <= rounding_ns) {
        end_ns = ends_ns.back();
      } else {
        size_t around = ends_ns.size();
        while (around != 0 && ends_ns[around - 1] < end_ns) --around;
        if (ends_ns[around] - begin_ns > rounding_ns) return false;
        begin_ns = lane->least_begin_ns = ends_ns[around];
        ends_ns.resize(around);
      }
    }
    lane->is_whole_us = is_whole;
    lane->is_grained = is_grained;
    if (begin_ns != span->begin_ns || end_ns != span->end_ns) {
      span->begin_ns = begin_ns;
      span->end_ns = end_ns;
      span->flags |= FLAMELET_SPAN_CUT;
      ++report_.spans_cut;
    }
    ends_ns.push_back(end_ns);
    return true;
  }

  bool has_grain(const flamelet_span& span) const {
    int64_t at_ns;
    return grain_ns_ != 1 && !__builtin_add_overflow(span.begin_ns, base_ns_, &at_ns) && is_double_time(at_ns);
  }
  static bool is_whole_us(const flamelet_span& span) { return span.begin_ns % 1000 == 0 && span.end_ns % 1000 == 0; }

  flamelet_capture_builder* const builder_;
  flamelet_import_report& report_;
  std::vector<Waiting> waiting_;
  std::vector<Place> order_;
  bool in_order_ = true;
  int64_t base_ns_ = 0, grain_ns_ = 1;
  std::vector<std::vector<Lane>> lanes_;  // each with those beside it, by its number
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_SPAN_LANES_H

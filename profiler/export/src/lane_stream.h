// SPDX-License-Identifier: MIT
//
// lane_stream.h: all spans, or all points, of a lane in order, in bounded memory.
//
// A lane is read window by window. Each window's answer begins with the spans that reach into it; those were handed out
// with the window before, so a span belongs to the window in which it begins. A window that holds more than the buffer
// is used up to the begin of its last span, and the next one starts there: nothing is read twice but one page.
#ifndef FLAMELET_EXPORT_SRC_LANE_STREAM_H
#define FLAMELET_EXPORT_SRC_LANE_STREAM_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "flamelet/capture.h"

namespace flamelet::formats {

// Most that a stream holds; a capture of few pages needs fewer.
inline constexpr size_t kStreamItems = 32768;
inline size_t stream_items(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  constexpr size_t kMostOfPage = FLAMELET_PAGE_BYTES / sizeof(uint64_t);
  return std::min(kStreamItems, (size_t{stats.pages_held} + 1) * kMostOfPage);
}

struct ReadSpans {
  using Item = flamelet_span;
  static int64_t time(const Item& span) { return span.begin_ns; }
  static size_t read(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns, Item* items,
                     size_t capacity) {
    return flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, items, capacity);
  }
};

struct ReadPoints {
  using Item = flamelet_point;
  static int64_t time(const Item& point) { return point.time_ns; }
  static size_t read(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns, Item* items,
                     size_t capacity) {
    return flamelet_capture_read_points(capture, lane, begin_ns, end_ns, items, capacity);
  }
};

template <class Read>
class LaneStream {
 public:
  using Item = typename Read::Item;

  explicit LaneStream(const flamelet_capture* capture) : capture_(capture), items_(stream_items(capture)) {}

  void start(size_t lane, int64_t begin_ns, int64_t end_ns) {
    lane_ = lane;
    at_ns_ = begin_ns;
    end_ns_ = end_ns;
    first_ = true;
    next_ = count_ = 0;
    int64_t extent_begin_ns = 0, extent_end_ns = 0;
    flamelet_capture_extent(capture_, &extent_begin_ns, &extent_end_ns);
    extent_begin_ns = std::max(extent_begin_ns, begin_ns);
    // The first window ends a little after the oldest page's begin; what lies beyond the newest is one window.
    newest_ns_ = std::max(extent_end_ns, extent_begin_ns);
    width_ns_ = std::max<int64_t>((newest_ns_ - extent_begin_ns) / 64, 1);
    until_ns_ = add(extent_begin_ns, width_ns_);
  }

  // NULL behind the last one. Valid until the next call.
  const Item* next() {
    while (next_ == count_) {
      if (at_ns_ >= end_ns_) return nullptr;
      read_window();
    }
    return &items_[next_++];
  }

 private:
  static int64_t add(int64_t a, int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

  void read_window() {
    const int64_t until_ns = at_ns_ > newest_ns_ ? end_ns_ : std::min(until_ns_, end_ns_);
    size_t found = Read::read(capture_, lane_, at_ns_, until_ns, items_.data(), items_.size());
    int64_t used_ns = until_ns;
    while (found > items_.size()) {
      // All that begins before the last one written is there.
      const int64_t last_ns = Read::time(items_.back());
      if (last_ns > at_ns_ && last_ns > Read::time(items_.front())) {
        used_ns = last_ns;
        found = items_.size();
        break;
      }
      items_.resize(items_.size() * 2);  // so many in one nanosecond
      found = Read::read(capture_, lane_, at_ns_, until_ns, items_.data(), items_.size());
    }
    count_ = found;
    while (count_ != 0 && used_ns != until_ns && Read::time(items_[count_ - 1]) >= used_ns) --count_;
    next_ = 0;
    while (!first_ && next_ < count_ && Read::time(items_[next_]) < at_ns_) ++next_;
    first_ = false;
    if (used_ns != until_ns)
      width_ns_ = std::max<int64_t>((used_ns - std::max(at_ns_, until_ns - width_ns_)) / 2, 1);
    else if (found < items_.size() / 4)
      width_ns_ = add(width_ns_, width_ns_);
    at_ns_ = used_ns;
    until_ns_ = add(at_ns_, width_ns_);
  }

  const flamelet_capture* capture_;
  std::vector<Item> items_;
  size_t lane_ = 0, next_ = 0, count_ = 0;
  int64_t at_ns_ = 0, until_ns_ = 0, end_ns_ = 0, newest_ns_ = 0, width_ns_ = 1;
  bool first_ = true;
};

// Hands a lane's spans to `visitor` as begins and ends, well nested and with times that never go back:
//   begin(span, depth)  its times already clamped to its parent's
//   end(span, depth)
// Returns how many spans had to be clamped.
template <class Visitor>
class NestedSpans {
 public:
  explicit NestedSpans(Visitor& visitor) : visitor_(visitor) {}

  void add(flamelet_span span) {
    // The depth says which spans are parents. Where a source is wrong, the times do.
    while (!open_.empty() && (open_.size() > span.depth || ended_before(open_.back(), span))) close();
    const int64_t begin_ns = std::max(span.begin_ns, now_ns_);
    int64_t end_ns = std::max(span.end_ns, begin_ns);
    if (!open_.empty()) end_ns = std::min(end_ns, open_.back().end_ns);
    span.begin_ns = std::min(begin_ns, end_ns);
    clamped_ += span.begin_ns != begin_ns || end_ns != span.end_ns || begin_ns != span.begin_ns;
    span.end_ns = end_ns;
    now_ns_ = span.begin_ns;
    visitor_.begin(span, open_.size());
    open_.push_back(span);
  }
  void finish() {
    while (!open_.empty()) close();
    now_ns_ = INT64_MIN;
  }
  uint64_t clamped() const { return clamped_; }

 private:
  static bool ended_before(const flamelet_span& parent, const flamelet_span& span) {
    return parent.end_ns < span.begin_ns || (parent.end_ns == span.begin_ns && span.end_ns > span.begin_ns);
  }
  void close() {
    const flamelet_span span = open_.back();
    open_.pop_back();
    now_ns_ = std::max(now_ns_, span.end_ns);
    visitor_.end(span, open_.size());
  }

  Visitor& visitor_;
  std::vector<flamelet_span> open_;
  int64_t now_ns_ = INT64_MIN;
  uint64_t clamped_ = 0;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_LANE_STREAM_H

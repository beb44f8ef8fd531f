// SPDX-License-Identifier: MIT
//
// lane_stream.h: all spans, or all points, of a lane in order, one by one, in bounded memory.
#ifndef FLAMELET_EXPORT_SRC_LANE_STREAM_H
#define FLAMELET_EXPORT_SRC_LANE_STREAM_H

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "flamelet/capture.h"

namespace flamelet::formats {

// Most that a stream holds; a capture of few pages needs fewer.
inline constexpr size_t kStreamItems = 32768;
inline size_t stream_items(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  constexpr size_t kMostOfPage = FLAMELET_PAGE_BYTES / sizeof(uint64_t);
  return std::min(kStreamItems, std::max<size_t>(FLAMELET_CURSOR_LEAST, size_t{stats.pages_held} * kMostOfPage));
}

struct ReadSpans {
  using Item = flamelet_span;
  using Cursor = flamelet_span_cursor;
  static constexpr auto start = flamelet_span_cursor_start;
  static constexpr auto next = flamelet_span_cursor_next;
  static size_t first(const Cursor& cursor) { return cursor.again; }
};

struct ReadPoints {
  using Item = flamelet_point;
  using Cursor = flamelet_point_cursor;
  static constexpr auto start = flamelet_point_cursor_start;
  static constexpr auto next = flamelet_point_cursor_next;
  static size_t first(const Cursor&) { return 0; }
};

template <class Read>
class LaneStream {
 public:
  using Item = typename Read::Item;

  explicit LaneStream(const flamelet_capture* capture) : capture_(capture), items_(stream_items(capture)) {}

  void start(size_t lane, int64_t begin_ns, int64_t end_ns) {
    lane_ = lane;
    begin_ns_ = begin_ns;
    end_ns_ = end_ns;
    handed_out_ = 0;
    start_cursor();
  }

  // NULL behind the last one. Valid until the next call.
  const Item* next() {
    while (next_ >= cursor_.count) {
      next_ -= cursor_.count;
      if (Read::next(&cursor_)) {
        next_ += Read::first(cursor_);
      } else if (cursor_.result == FLAMELET_ERROR_BUFFER_TOO_SMALL) {
        items_.resize(2 * items_.size());
        start_cursor();
      } else {
        return nullptr;
      }
    }
    ++handed_out_;
    return &items_[next_++];
  }

 private:
  void start_cursor() {
    Read::start(&cursor_, capture_, lane_, begin_ns_, end_ns_, items_.data(), items_.size());
    next_ = handed_out_;
  }

  const flamelet_capture* capture_;
  std::vector<Item> items_;
  typename Read::Cursor cursor_ = {};
  size_t lane_ = 0, next_ = 0, handed_out_ = 0;
  int64_t begin_ns_ = 0, end_ns_ = 0;
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

// Words that the exporter of Chrome JSON writes into fields of its own and the importer reads there.

inline constexpr std::string_view kLaneWords[] = {"thread", "gpu", "external", "fiber"};  // flamelet_lane_kind
// The words for what is no lane of the capture.
inline constexpr std::string_view kFramesWord = "frames";
inline constexpr std::string_view kFrameSetWord = "frame_set";  // its name is that of the set
inline constexpr std::string_view kIntervalsWord = "intervals";

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_LANE_STREAM_H

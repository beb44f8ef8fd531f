// SPDX-License-Identifier: MIT
#include "lanes/span_store.h"

#include <algorithm>

#include "content/point_reader.h"
#include "draw/scope_styles.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostPoints = 16384;
constexpr uint32_t kScratchPoints = 4096;

uint32_t hash_of(LaneContent content, std::string_view name) {
  uint32_t hash = 2166136261u + static_cast<uint32_t>(content);  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

}  // namespace

bool comes_before(const Lane& a, const Lane& b) {
  if (a.content != b.content) return a.content < b.content;
  if (a.content == LaneContent::kCounters) return a.counter < b.counter;
  if (a.content == LaneContent::kIntervals) return a.name < b.name;
  return a.kind != b.kind ? a.kind < b.kind : a.id < b.id;
}

void SpanStore::carve(Carver* carver, uint32_t max_spans, uint32_t max_lanes, uint32_t max_intervals) {
  carver->take(&spans_, max_spans);
  carver->take(&order_, max_spans);
  // A lane of n spans needs up to n + 1 entries of each.
  carver->take(&row_begins_, size_t{max_spans} + max_lanes);
  carver->take(&prefixes_, size_t{max_spans} + max_lanes + max_intervals);
  carver->take(&points_, kMostPoints);
  carver->take(&scratch_, kScratchPoints);
  intervals_.carve(carver, max_intervals);
  carver->take(&lanes_, max_lanes);
  carver->take(&before_, max_lanes);
}

void SpanStore::clear(bool lanes) {
  spans_.clear();
  left_out_ = 0;
  window_ = {};
  ++generation_;
  if (lanes) lanes_.clear();
  if (lanes) intervals_.clear();
  for (Lane& lane : lanes_) {
    lane.rows = LaneRows();
    lane.instant_count = 0;
    lane.layout = LaneLayout();
    lane.left_out = 0;
  }
}

// As it was before, without its content.
Lane SpanStore::new_lane(uint32_t id, flamelet_lane_kind kind) const {
  Lane lane;
  const Lane* known = std::find_if(before_.begin(), before_.end(),
                                   [&](const Lane& other) { return other.id == id && other.kind == kind; });
  if (known != before_.end()) lane = *known;
  lane.id = id;
  lane.kind = kind;
  lane.rows = LaneRows();
  lane.instant_count = 0;
  lane.match_prefix = nullptr;
  lane.left_out = 0;
  return lane;
}

void SpanStore::add_lane(const flamelet_lane_info& info, size_t capture_lane) {
  Lane lane = new_lane(info.id, info.kind);
  lane.capture_lane = static_cast<uint32_t>(capture_lane);
  lane.name = view_of(info.name);
  lanes_.push(lane);
}

void SpanStore::add_lane(LaneContent content, std::string_view name, uint32_t counter, const LaneRows& rows) {
  Lane lane = new_lane(hash_of(content, name), FLAMELET_LANE_EXTERNAL);
  lane.content = content;
  lane.capture_lane = UINT32_MAX;
  lane.name = name;
  lane.counter = counter;
  lane.rows = rows;
  lane.seen = true;
  if (!lanes_.push(lane)) ++lanes_left_out_;
}

void SpanStore::add_other_lanes(const flamelet_capture* capture) {
  intervals_.read(capture, window_);
  for (const IntervalGroup& group : intervals_.groups()) {
    const std::string_view name = group.category.empty() ? "intervals" : group.category;
    add_lane(LaneContent::kIntervals, name, 0, group.rows);
  }
  if (intervals_.left_out() != 0 && !lanes_.empty()) lanes_[lanes_.count - 1].left_out = intervals_.left_out();
  for (uint32_t i = 0; counters_ != nullptr && i < counters_->count(); ++i)
    if (counters_->leads(i)) add_lane(LaneContent::kCounters, (*counters_)[i].text, i, LaneRows());
}

void SpanStore::find_lanes(const flamelet_capture* capture) {
  std::swap(lanes_, before_);
  lanes_.clear();
  lanes_left_out_ = 0;
  const size_t count = flamelet_capture_lane_count(capture);
  const bool all_fit = count <= lanes_.capacity;
  flamelet_lane_info info;
  for (size_t i = 0; i < count; ++i) {
    if (!flamelet_capture_lane(capture, i, &info)) continue;
    if (all_fit)
      add_lane(info, i);
    else if (flamelet_capture_count_spans(capture, i, window_.begin_ns, window_.end_ns) == 0)
      continue;
    else if (lanes_.count < lanes_.capacity)
      add_lane(info, i);
    else
      ++lanes_left_out_;
  }
  add_other_lanes(capture);
  std::sort(lanes_.begin(), lanes_.end(), comes_before);
}

// Instants that find no room are left out: they are marks, and thousands of marks in a view are a line anyway. The page
// Messages has them all.
void SpanStore::read_instants(const flamelet_capture* capture) {
  points_.clear();
  instants_left_out_ = 0;
  for (Lane& lane : lanes_) {
    lane.instants = points_.data + points_.count;
    if (lane.content != LaneContent::kSpans) continue;
    instants_left_out_ +=
        for_each_point(capture, lane.capture_lane, window_, &scratch_, [&](const flamelet_point& point) {
          if (point.kind != FLAMELET_POINT_INSTANT) return;
          if (points_.push(point))
            ++lane.instant_count;
          else
            ++instants_left_out_;
        });
  }
}

void SpanStore::read(const flamelet_capture* capture, TimeWindow window) {
  window_ = window;
  find_lanes(capture);
  ++generation_;
  read_instants(capture);
  read_spans(capture);
}

void SpanStore::read_spans(const flamelet_capture* capture) {
  // Usually everything fits, in one pass. If it does not, a second pass gives each lane its share, so that the first
  // lanes do not take the room of the others.
  uint64_t wanted = 0;
  bool share = false;
  for (int pass = 0; pass < 2; ++pass) {
    spans_.clear();
    uint32_t* row_begin = row_begins_.data;
    uint64_t found_in_all = 0;
    left_out_ = 0;
    for (Lane& lane : lanes_) {
      if (lane.content != LaneContent::kSpans) continue;
      uint32_t room = spans_.capacity - spans_.count;
      if (share) {
        const uint64_t found = lane.left_out + lane.rows.span_count;
        room = std::min(room, static_cast<uint32_t>(found * spans_.capacity / wanted));
      }
      flamelet_span* first = spans_.data + spans_.count;
      size_t found = 0;
      flamelet_capture_read_spans(capture, lane.capture_lane, window_.begin_ns, window_.end_ns, first, room, &found);
      const uint32_t written = static_cast<uint32_t>(std::min<size_t>(found, room));
      lane.rows = build_rows(first, written, order_.data + spans_.count, row_begin);
      lane.seen = lane.seen || written != 0;
      lane.left_out = found - written;
      lane.last_read_ns = written != 0 ? first[written - 1].begin_ns : window_.begin_ns;
      row_begin += lane.rows.row_count + 1;
      spans_.count += written;
      left_out_ += lane.left_out;
      found_in_all += found;
    }
    if (left_out_ == 0) return;
    wanted = found_in_all;
    share = true;
  }
}

uint32_t innermost_row(const Lane& lane, int64_t time_ns) {
  uint32_t depth = 0;
  if (lane.folded) return 0;
  while (depth < lane.rows.row_count && find_span(lane.rows, time_ns, depth) != lane.rows.span_count) ++depth;
  return depth != 0 ? depth - 1 : 0;
}

const Lane* find_shown_lane(const Array<Lane>& lanes, uint32_t capture_lane) {
  for (const Lane& lane : lanes)
    if (lane.capture_lane == capture_lane) return lane.height > 0 ? &lane : nullptr;
  return nullptr;
}

}  // namespace flamelet::ui

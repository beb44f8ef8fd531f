// SPDX-License-Identifier: MIT
#include "content/range_statistics.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "flamelet/detail/hash.h"

namespace flamelet::ui {

void RangeStatistics::carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans) {
  carver->take(&scratch_, kSpansAPiece);
  carver->take(&order_, max_scopes);
  const size_t bytes = flamelet_statistics_memory_required(max_scopes, std::max(max_spans, max_scopes));
  void* memory = carver->take_bytes(bytes, 8);
  if (memory != nullptr) flamelet_statistics_create(max_scopes, memory, bytes, &statistics_);
  carver->take(&rows_, max_scopes);
  for (Table* table : {&shown_, &next_}) table->object_names.carve(carver, max_scopes * 2);
}

void RangeStatistics::clear(Table* table) {
  table->summary = {};
  table->too_deep = 0;
  table->range = {};
  table->frames = {};
  table->filter_sum = table->gpu_filter_sum = {};
  table->object_names.clear();
}

void RangeStatistics::clear() {
  clear(&shown_);
  clear(&next_);
  flamelet_statistics_clear(statistics_);
  reading_ = false;
  order_.clear();
}

void RangeStatistics::begin(const flamelet_capture* capture, TimeWindow range, ScopeStyles* styles, bool filtered,
                            bool objects_apart, FrameRange frames) {
  clear(&next_);
  flamelet_statistics_clear(statistics_);
  capture_ = capture;
  styles_ = styles;
  next_.range = range;
  next_.frames = frames;
  next_.filtered = filtered;
  next_.objects_apart = objects_apart;
  next_lane_ = 0;
  reading_ = true;
}

bool RangeStatistics::step(uint32_t max_zones) {
  if (!reading_) return false;
  const size_t lanes = next_.range.end_ns > next_.range.begin_ns ? flamelet_capture_lane_count(capture_) : 0;
  uint64_t zones = 0;
  while (next_lane_ < lanes) {
    if (zones >= max_zones && zones != 0) return false;
    zones += read_lane(next_lane_++);
  }
  if (zones != 0 && zones + next_.summary.span_count > max_zones) return false;
  finish();
  return true;
}

uint64_t RangeStatistics::object_key(uint32_t site, uint32_t object) {
  const uint64_t key = spread_key(uint64_t{site} << 32 | object);
  return key ^ key >> 29;
}

// Gives the spans what their rows are called by. Objects for whose names there is no room stay with their scope.
void RangeStatistics::part(const flamelet_span_cursor& piece, bool gpu) {
  for (size_t i = 0; i < piece.count; ++i) {
    flamelet_span& span = piece.spans[i];
    if (gpu) span.site |= kOnGpu;
    if (!next_.objects_apart || span.object == 0) continue;
    ObjectName* name = next_.object_names.insert(object_key(span.site, span.object));
    if (name == nullptr) continue;
    name->name = span.name;
    span.name = span.object;
  }
}

// Gives the spans their own sites and names back: the cursor goes on from them.
void RangeStatistics::join(const flamelet_span_cursor& piece, bool gpu) {
  for (size_t i = 0; i < piece.count; ++i) {
    flamelet_span& span = piece.spans[i];
    const bool apart = next_.objects_apart && span.object != 0;
    const ObjectName* name = apart ? next_.object_names.find(object_key(span.site, span.object)) : nullptr;
    if (name != nullptr) span.name = name->name;
    if (gpu) span.site &= ~kOnGpu;
  }
}

ScopePart RangeStatistics::part(const flamelet_scope_statistics& row) const {
  const ObjectName* name = shown_.objects_apart ? shown_.object_names.find(object_key(row.site, row.name)) : nullptr;
  const bool on_gpu = (row.site & kOnGpu) != 0;
  const uint32_t site = row.site & ~kOnGpu;
  if (name == nullptr) return {{site, row.name}, 0, on_gpu};
  return {{site, name->name}, row.name, on_gpu};
}

// The time that calls at a border of the range reach over, whose children there are not their own time. Of a lane with many
// spans, as much as about kMostBeside spans before and after the range take.
TimeWindow RangeStatistics::reach_of(size_t lane, uint64_t events_held) {
  const TimeWindow range = next_.range;
  TimeWindow reach = range;
  for (const int64_t at_ns : {range.begin_ns, range.end_ns - 1})
    visit_spans(capture_, static_cast<uint32_t>(lane), {at_ns, at_ns + 1}, &scratch_, [&](const flamelet_span& span) {
      reach.begin_ns = std::min(reach.begin_ns, span.begin_ns);
      reach.end_ns = std::max(reach.end_ns, span.end_ns);
      return true;
    });
  TimeWindow all;
  if (reach == range || !flamelet_capture_extent(capture_, &all.begin_ns, &all.end_ns)) return reach;
  const double spans = static_cast<double>(events_held) / 2;
  const double part = spans > kMostBeside ? kMostBeside / spans : 1;
  const int64_t most_ns = static_cast<int64_t>(static_cast<double>(all.end_ns - all.begin_ns) * part);
  if (range.begin_ns - all.begin_ns > most_ns) reach.begin_ns = std::max(reach.begin_ns, range.begin_ns - most_ns);
  if (all.end_ns - range.end_ns > most_ns) reach.end_ns = std::min(reach.end_ns, range.end_ns + most_ns);
  return reach;
}

// Returns how many spans it has read.
uint32_t RangeStatistics::read_lane(size_t lane) {
  flamelet_lane_info info;
  // A fiber's spans stand on the lanes of its threads too, and must not count twice.
  if (!flamelet_capture_lane(capture_, lane, &info) || info.kind == FLAMELET_LANE_FIBER) return 0;
  const TimeWindow reach = reach_of(lane, info.events_held);
  uint32_t count = 0;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture_, lane, reach.begin_ns, reach.end_ns, scratch_.data, scratch_.capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    add_piece(cursor, reach, info.kind == FLAMELET_LANE_GPU);
    count += static_cast<uint32_t>(cursor.count - cursor.again);
  }
  if (cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL) {  // nested deeper than can be read
    const uint64_t found = flamelet_capture_count_spans(capture_, lane, reach.begin_ns, reach.end_ns);
    next_.too_deep += found - std::min<uint64_t>(found, count);
  }
  return count;
}

bool RangeStatistics::is_in_range(const flamelet_span& span) const {
  return span.begin_ns < next_.range.end_ns &&
         (span.end_ns > next_.range.begin_ns || span.begin_ns >= next_.range.begin_ns);
}

// Makes the self times those inside of the time that was read, and what lies beside the range a part of its first span
// that adds nothing. False if nothing is in the range.
bool RangeStatistics::set_aside(const flamelet_span_cursor& piece, TimeWindow reach) {
  const auto reaches_out = [reach](const flamelet_span& span) {
    return span.begin_ns < reach.begin_ns || span.end_ns > reach.end_ns;
  };
  const flamelet_span* first = nullptr;
  for (size_t i = 0; i < piece.count; ++i) {
    flamelet_span& span = piece.spans[i];
    const bool again = (span.flags & FLAMELET_SPAN_AGAIN) != 0;
    const int64_t inside_ns = std::min(span.end_ns, reach.end_ns) - std::max(span.begin_ns, reach.begin_ns);
    const int64_t read_ns = again ? 0 : std::max<int64_t>(inside_ns, 0);
    if (reaches_out(span)) span.self_ns = read_ns;
    if (span.parent != FLAMELET_NO_PARENT && reaches_out(piece.spans[span.parent]))
      piece.spans[span.parent].self_ns -= read_ns;
    if (!is_in_range(span)) continue;
    if (first == nullptr) first = &span;
    next_.summary.span_count += !again;
  }
  for (size_t i = 0; first != nullptr && i < piece.count; ++i) {
    flamelet_span& span = piece.spans[i];
    if (is_in_range(span)) continue;
    span.site = first->site;
    span.name = first->name;
    span.object = first->object;
    span.self_ns = 0;
    span.flags |= FLAMELET_SPAN_AGAIN;
  }
  return first != nullptr;
}

void RangeStatistics::add_piece(const flamelet_span_cursor& piece, TimeWindow reach, bool gpu) {
  if (reach == next_.range)
    next_.summary.span_count += piece.count - piece.again;
  else if (!set_aside(piece, reach))
    return;
  const auto is_match = [this](const flamelet_span& span) {
    return is_in_range(span) && styles_->of(key_of(span)).matches;
  };
  FilterSum* sum = gpu ? &next_.gpu_filter_sum : &next_.filter_sum;
  if (next_.filtered) sum_matches(piece.spans, static_cast<uint32_t>(piece.count), is_match, sum);
  part(piece, gpu);
  flamelet_statistics_add(statistics_, piece.spans, piece.count);
  join(piece, gpu);
}

void RangeStatistics::finish() {
  next_.summary = flamelet_statistics_finish(statistics_);
  next_.summary.left_out_count += next_.too_deep;
  std::copy_n(next_.summary.rows, next_.summary.row_count, rows_.data);
  next_.summary.rows = rows_.data;
  std::swap(shown_, next_);
  reading_ = false;
  sort();
}

void RangeStatistics::sort_by(flamelet_statistics_column column, bool descending) {
  column_ = column;
  descending_ = descending;
  if (capture_ != nullptr) sort();
}

void RangeStatistics::sort() {
  const flamelet_statistics_summary& summary = shown_.summary;
  flamelet_statistics_sort(summary.rows, summary.row_count, column_, descending_, capture_, order_.data);
  order_.count = static_cast<uint32_t>(summary.row_count);
  if (!shown_.filtered) return;
  const auto left_out = [&](uint32_t i) { return !styles_->of(part(summary.rows[i]).key).matches; };
  order_.count = static_cast<uint32_t>(std::remove_if(order_.begin(), order_.end(), left_out) - order_.begin());
}

const flamelet_scope_statistics* RangeStatistics::find(ScopePart scope) const {
  const flamelet_statistics_summary& summary = shown_.summary;
  for (size_t i = 0; i < summary.row_count; ++i)
    if (part(summary.rows[i]) == scope) return &summary.rows[i];
  return nullptr;
}

// ---- scope costs

namespace {

// Spans of GPU queues and external sources were submitted, and a fiber's stand on the lanes of its threads.
bool has_scopes(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(capture, lane, &info) && info.kind == FLAMELET_LANE_THREAD;
}

// Goes on in a lane from *from_ns for about `most` spans: visit(span) for each that begins there. Returns how many it has
// looked at.
template <typename Visit>
uint64_t visit_some(const flamelet_capture* capture, size_t lane, int64_t* from_ns, int64_t end_ns,
                    Array<flamelet_span>* scratch, uint64_t most, Visit visit) {
  const int64_t begin_ns = *from_ns;
  int64_t newest_ns = begin_ns;
  uint64_t looked = 0;
  *from_ns = end_ns;
  visit_spans(capture, lane, {begin_ns, end_ns}, scratch, [&](const flamelet_span& span) {
    if (looked >= most && span.begin_ns > newest_ns) {
      *from_ns = span.begin_ns;
      return false;
    }
    ++looked;
    newest_ns = std::max(newest_ns, span.begin_ns);
    // One that goes on here from before has been counted where it began.
    if (span.begin_ns >= begin_ns) visit(span);
    return true;
  });
  return looked;
}

}  // namespace

void ScopeCosts::begin(const flamelet_capture* capture, TimeWindow frame) {
  capture_ = capture;
  frame_ = frame;
  lane_ = 0;
  read_until_ns_ = frame.begin_ns;
  std::fill(std::begin(next_), std::end(next_), uint64_t{0});
  reading_ = true;
}

bool ScopeCosts::step(Array<flamelet_span>* scratch, uint32_t max_zones) {
  if (!reading_) return false;
  const size_t lanes = frame_.end_ns > frame_.begin_ns ? flamelet_capture_lane_count(capture_) : 0;
  for (uint64_t zones = 0; lane_ < lanes;) {
    if (zones >= max_zones) return false;
    // One more, so that lanes without a span end, too.
    ++zones;
    if (has_scopes(capture_, lane_)) {
      zones += visit_some(capture_, lane_, &read_until_ns_, frame_.end_ns, scratch, max_zones - zones + 1,
                          [this](const flamelet_span& span) {
                            if ((span.flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_MISSING_BEGIN)) == 0)
                              ++next_[flamelet_capture_scope_kind(capture_, &span)];
                          });
      if (read_until_ns_ < frame_.end_ns) continue;
    }
    ++lane_;
    read_until_ns_ = frame_.begin_ns;
  }
  std::copy(std::begin(next_), std::end(next_), std::begin(shown_));
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind)
    if (shown_[kind] != 0 && !(prices_ns_[kind] > 0)) prices_ns_[kind] = price_(static_cast<flamelet_scope_kind>(kind));
  reading_ = false;
  return true;
}

double ScopeCosts::total_ns() const {
  double total_ns = 0;
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind)
    total_ns += static_cast<double>(shown_[kind]) * prices_ns_[kind];
  return total_ns;
}

// ---- match search

void MatchSearch::step(const flamelet_capture* capture, ScopeStyles* styles, Array<flamelet_span>* scratch,
                       uint32_t max_zones) {
  const uint64_t version = flamelet_capture_version(capture);
  if (capture != capture_ || version != version_) {
    clear();
    capture_ = capture;
    version_ = version;
    flamelet_capture_extent(capture, &range_.begin_ns, &range_.end_ns);
    read_until_ns_ = range_.begin_ns;
  }
  for (uint64_t zones = 0; reading() && zones < max_zones;) {
    ++zones;
    flamelet_lane_info info;
    // A fiber's spans stand on the lanes of its threads, too.
    if (flamelet_capture_lane(capture, lane_, &info) && info.kind != FLAMELET_LANE_FIBER) {
      zones += visit_some(capture, lane_, &read_until_ns_, range_.end_ns + 1, scratch, max_zones - zones + 1,
                          [&](const flamelet_span& span) {
                            if (!styles->of(key_of(span)).matches) return;
                            count_ += (span.flags & FLAMELET_SPAN_RESUMED) == 0;
                            const int64_t longest_ns = longest_.end_ns - longest_.begin_ns;
                            if (count_ > 1 && span.end_ns - span.begin_ns <= longest_ns) return;
                            longest_ = span;
                            longest_lane_ = lane_;
                          });
      if (read_until_ns_ <= range_.end_ns) continue;
    }
    ++lane_;
    read_until_ns_ = range_.begin_ns;
  }
}

}  // namespace flamelet::ui

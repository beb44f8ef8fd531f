// SPDX-License-Identifier: MIT
#include "content/scope_costs.h"

#include <algorithm>
#include <iterator>

#include "content/span_visit.h"

namespace flamelet::ui {

namespace {

// Spans of GPU queues and external sources were submitted, and a fiber's stand on the lanes of its threads.
bool has_scopes(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(capture, lane, &info) && info.kind == FLAMELET_LANE_THREAD;
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
      zones += read_lane(scratch, max_zones - zones + 1);
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

// Goes on in the lane for about `most` spans. Returns how many it has looked at.
uint64_t ScopeCosts::read_lane(Array<flamelet_span>* scratch, uint64_t most) {
  const int64_t begin_ns = read_until_ns_;
  int64_t newest_ns = begin_ns;
  uint64_t looked = 0;
  read_until_ns_ = frame_.end_ns;
  visit_spans(capture_, lane_, {begin_ns, frame_.end_ns}, scratch, [&](const flamelet_span& span) {
    if (looked >= most && span.begin_ns > newest_ns) {
      read_until_ns_ = span.begin_ns;
      return false;
    }
    ++looked;
    newest_ns = std::max(newest_ns, span.begin_ns);
    // One that goes on here from before has been counted where it began.
    if (span.begin_ns >= begin_ns && (span.flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_MISSING_BEGIN)) == 0)
      ++next_[flamelet_capture_scope_kind(capture_, &span)];
    return true;
  });
  return looked;
}

double ScopeCosts::total_ns() const {
  double total_ns = 0;
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind)
    total_ns += static_cast<double>(shown_[kind]) * prices_ns_[kind];
  return total_ns;
}

}  // namespace flamelet::ui

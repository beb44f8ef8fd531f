// SPDX-License-Identifier: MIT
#include "pages/scope/scope_instances.h"

#include <algorithm>

#include "content/frame_times.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kFirstPieceNs = 1000000;
constexpr int64_t kLeastPieceNs = 1000;
constexpr int64_t kMostPieceNs = 10000000000;

}  // namespace

void ScopeInstances::carve(Carver* carver, uint32_t max_instances) {
  carver->take(&ring_, max_instances);
  callees_.carve(carver);
}

void ScopeInstances::clear() {
  capture_ = nullptr;
  range_ = read_ = TimeWindow();
  first_ = count_ = 0;
  dropped_ = 0;
  callees_.clear();
  ++version_;
}

void ScopeInstances::begin(const flamelet_capture* capture, ScopeKey scope, TimeWindow range, bool grows,
                           CallChoice callers, bool on_gpu) {
  clear();
  capture_ = capture;
  scope_ = scope;
  range_ = range;
  read_ = {range.end_ns, range.end_ns};
  grows_ = grows;
  on_gpu_ = on_gpu;
  callers_ = callers;
  piece_ns_ = kFirstPieceNs;
}

void ScopeInstances::extend(int64_t end_ns) {
  range_.end_ns = std::max(range_.end_ns, end_ns);
}

void ScopeInstances::step(Array<flamelet_span>* scratch, uint32_t max_zones) {
  if (capture_ == nullptr) return;
  const uint64_t share = std::max(max_zones / 8, 1u);
  const uint32_t lanes = static_cast<uint32_t>(flamelet_capture_lane_count(capture_));
  for (uint64_t zones = 0; zones < max_zones;) {
    const bool forward = !read_to_end();
    if (!forward && (read_to_begin() || !has_room())) {
      // What is older stays unread.
      if (!read_to_begin()) {
        range_.begin_ns = read_.begin_ns;
        ++dropped_;
      }
      return;
    }
    TimeWindow piece = read_;
    if (forward) {
      piece.begin_ns = read_.end_ns;
      piece.end_ns = std::min(read_.end_ns + piece_ns_, range_.end_ns);
    } else {
      piece.end_ns = read_.begin_ns;
      piece.begin_ns = std::max(read_.begin_ns - piece_ns_, range_.begin_ns);
    }
    uint64_t looked = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) looked += read_lane(lane, piece, forward, scratch);
    if (forward)
      read_.end_ns = piece.end_ns;
    else
      read_.begin_ns = piece.begin_ns;
    if (looked > share) piece_ns_ = std::max(piece_ns_ / 2, kLeastPieceNs);
    if (looked < share / 4) piece_ns_ = std::min(piece_ns_ * 2, kMostPieceNs);
    zones += looked + kZonesALane * lanes + 1;
  }
}

// Returns how many spans it has looked at.
uint64_t ScopeInstances::read_lane(uint32_t lane, TimeWindow piece, bool forward, Array<flamelet_span>* scratch) {
  flamelet_lane_info info;
  // A fiber's spans stand on the lanes of its threads, too.
  if (!flamelet_capture_lane(capture_, lane, &info) || info.kind == FLAMELET_LANE_FIBER) return 0;
  if (on_gpu_ != (info.kind == FLAMELET_LANE_GPU)) return 0;
  if (forward || piece.end_ns - piece.begin_ns == 1) return read_pieces(lane, piece, forward, scratch);
  // Backwards in windows that fit: the newest calls must come first, because those that find no room are left out.
  size_t found = 0;
  if (flamelet_capture_read_spans(capture_, lane, piece.begin_ns, piece.end_ns, scratch->data, scratch->capacity,
                                  &found) == FLAMELET_ERROR_BUFFER_TOO_SMALL) {
    const int64_t middle_ns = piece.begin_ns + (piece.end_ns - piece.begin_ns) / 2;
    const uint64_t late = read_lane(lane, {middle_ns, piece.end_ns}, false, scratch);
    return found + late + read_lane(lane, {piece.begin_ns, middle_ns}, false, scratch);
  }
  take_spans(scratch->data, 0, found, lane, piece, false);
  return found;
}

uint64_t ScopeInstances::read_pieces(uint32_t lane, TimeWindow piece, bool forward, Array<flamelet_span>* scratch) {
  uint64_t found = 0;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture_, lane, piece.begin_ns, piece.end_ns, scratch->data, scratch->capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    take_spans(cursor.spans, cursor.again, cursor.count, lane, piece, forward);
    found += cursor.count - cursor.again;
  }
  return found;
}

void ScopeInstances::take_spans(const flamelet_span* spans, size_t first, size_t end, uint32_t lane, TimeWindow piece,
                                bool forward) {
  const bool takes_all = !grows_ && piece.end_ns >= range_.end_ns;
  for (size_t i = first; i < end; ++i) {
    // From the end that was read to: without room, the oldest go.
    const flamelet_span& span = spans[forward ? i : end - 1 - (i - first)];
    if (span.end_ns > piece.end_ns && !takes_all) continue;
    const flamelet_span* parent = span.parent < end ? &spans[span.parent] : nullptr;
    const ScopeKey caller = parent != nullptr ? key_of(*parent) : ScopeKey();
    if (parent != nullptr && caller == scope_ && callers_.contains(lane, parent->object))
      callees_.add(key_of(span).bits(), span.end_ns - span.begin_ns);
    if (key_of(span) != scope_) continue;
    push({span.begin_ns, span.end_ns, parent != nullptr ? caller.bits() : ScopeInstance::kNoCaller, lane, span.object},
         forward);
  }
}

void ScopeInstances::push(const ScopeInstance& instance, bool forward) {
  if (ring_.capacity == 0) return;
  ++version_;
  if (!has_room()) ++dropped_;
  if (forward) {
    if (!has_room()) {
      first_ = (first_ + 1) % ring_.capacity;
      --count_;
    }
    ring_[(first_ + count_++) % ring_.capacity] = instance;
  } else if (has_room()) {
    first_ = (first_ + ring_.capacity - 1) % ring_.capacity;
    ring_[first_] = instance;
    ++count_;
  }
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
//
// capture_points.cpp: the instants and counter values of threads and fibers, by time as they stand in the pages.
#include <new>

#include "capture/capture_chunks.h"
#include "capture/capture_data.h"

namespace flamelet {

namespace {

class PointReader : public IgnoreEvents {
 public:
  PointReader(const flamelet_capture& capture, const Lane& lane, const Window& window)
      : capture_(capture), window_(window), chunks_(capture, lane), has_more_(chunks_.seek(window.begin)) {}

  // least_room: chunks are decoded while the array has so much; 0 = all, also what does not fit.
  size_t read(flamelet_point* points, size_t capacity, size_t least_room) {
    points_ = points;
    capacity_ = capacity;
    count_ = 0;
    while (has_more_ && (least_room == 0 || capacity_ - count_ >= least_room)) read_chunk();
    return count_;
  }

  void point(uint64_t ticks, const PointEvent& event) {
    if (ticks >= window_.begin && count_++ < capacity_) points_[count_ - 1] = to_point(capture_, ticks, event);
  }

 private:
  void read_chunk() {
    PageRoom room;
    const Chunk chunk = chunks_.chunk(&room);
    cursor_.at = chunk.first_word;
    cursor_.depth = chunk.block.count;
    if (cursor_.now_ticks < chunk.begin_ticks) cursor_.now_ticks = chunk.begin_ticks;
    has_more_ = !replay(chunk.words, window_.end, &cursor_, *this) && chunks_.next_begin_ticks() < window_.end &&
                chunks_.next();
  }

  const flamelet_capture& capture_;
  const Window window_;
  LaneChunks chunks_;
  ReplayCursor cursor_ = {};
  bool has_more_;
  flamelet_point* points_ = nullptr;
  size_t capacity_ = 0;
  size_t count_ = 0;
};

}  // namespace

size_t read_nested_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                          flamelet_point* points, size_t capacity) {
  return PointReader(capture, lane, window).read(points, capacity, 0);
}

bool next_nested_points(const Lane& lane, const Window& window, flamelet_point_cursor* cursor) {
  static_assert(sizeof(PointReader) <= sizeof cursor->state_ && alignof(PointReader) <= alignof(uint64_t), "it fits");
  if (!cursor->has_begun_) new (cursor->state_) PointReader(*cursor->capture_, lane, window);
  PointReader* const reader = reinterpret_cast<PointReader*>(cursor->state_);
  cursor->count = reader->read(cursor->points, cursor->capacity_, kPageWords);
  return cursor->count != 0;
}

// Capture flows: the ends of flows. They stand in the pages, like points; which end belongs to which begin is worked
// out for each answer, so a flow costs no memory beyond its words, and ids may be used again.

namespace {

// Begins first: of a flow that begins and ends in one nanosecond, the begin is the earlier one.
bool stands_before(const flamelet_flow& a, const flamelet_flow& b) {
  if (a.id != b.id) return a.id < b.id;
  if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
  if (a.flags != b.flags) return a.flags < b.flags;
  return a.lane < b.lane;
}

using SortedFlows = SortedItems<flamelet_flow, bool (*)(const flamelet_flow&, const flamelet_flow&)>;

struct FlowVisitor : IgnoreEvents {
  const flamelet_capture& capture;
  const Window& window;
  const uint32_t lane;
  const uint64_t* passed;  // an id; NULL = none
  SortedFlows* sorted;
  FlowVisitor(const flamelet_capture& c, const Window& w, uint32_t l, const uint64_t* p, SortedFlows* s)
      : capture(c), window(w), lane(l), passed(p), sorted(s) {}

  void flow(uint64_t ticks, const FlowEvent& from) {
    if (ticks < window.begin || ticks >= window.end || (passed != nullptr && from.id <= *passed)) return;
    flamelet_flow flow = {};
    flow.time_ns = capture.converter.to_ns(ticks);
    flow.id = from.id;
    flow.lane = lane;
    flow.flags = from.ends ? uint32_t{FLAMELET_FLOW_IS_END} : 0;
    sorted->add(flow);
  }
  void submitted_flow(uint64_t ticks, const FlowEvent& from) { flow(ticks, from); }
};

// Every page of the lane that may have a flow in the window. Those of a fiber that a thread ran are the thread's.
void visit_pages(const flamelet_capture& capture, const Lane& lane, const Window& window, FlowVisitor* visitor) {
  const PageStore& pages = capture.pages;
  PageRoom room;
  const auto visit = [&](PageId id) {
    if (pages.info(id).flow_count == 0) return;
    ReplayCursor cursor = pages.start(id);
    if (cursor.now_ticks < pages.info(id).begin_ticks) cursor.now_ticks = pages.info(id).begin_ticks;
    replay(pages.words(id, &room), UINT64_MAX, &cursor, *visitor);
  };
  if (lane.submitted) {
    pages.visit_submitted(lane.pages, window.begin, window.end - 1, visit);
    return;
  }
  PageId id = pages.page_before(lane.pages, window.begin);
  for (; id != 0 && pages.holds(id) && pages.info(id).begin_ticks < window.end; id = pages.info(id).next) visit(id);
}

// Finds each end's begin. The flows are sorted by id, and those of one id by time.
void pair(flamelet_flow* flows, uint32_t count) {
  uint32_t begin = FLAMELET_NO_PARENT;
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_flow& flow = flows[i];
    if (i != 0 && flows[i - 1].id != flow.id) begin = FLAMELET_NO_PARENT;
    if ((flow.flags & FLAMELET_FLOW_IS_END) != 0) {
      flow.begin = begin;
      if (begin == FLAMELET_NO_PARENT)
        flow.flags |= FLAMELET_FLOW_MISSING_BEGIN;
      else
        flows[begin].flags &= ~uint32_t{FLAMELET_FLOW_OPEN};
    } else {
      if (begin != FLAMELET_NO_PARENT && (flows[begin].flags & FLAMELET_FLOW_OPEN) != 0)
        flows[begin].flags |= FLAMELET_FLOW_BEGUN_AGAIN;
      flow.begin = begin = i;
      flow.flags |= FLAMELET_FLOW_OPEN;
    }
  }
}

// Those behind an id. Returns how many there are.
size_t sort_flows(const flamelet_capture& capture, const Window& window, const uint64_t* passed, flamelet_flow* flows,
                  size_t capacity, size_t* written) {
  SortedFlows sorted(flows, capacity, stands_before);
  for (uint32_t lane = 0; lane < capture.lanes.count() && window.end != 0; ++lane) {
    FlowVisitor visitor(capture, window, lane, passed, &sorted);
    visit_pages(capture, capture.lanes[lane], window, &visitor);
  }
  const size_t count = sorted.finish();
  *written = sorted.written();
  return count;
}

}  // namespace

size_t read_flows(const flamelet_capture& capture, const Window& window, flamelet_flow* flows, size_t capacity) {
  if (capacity >= FLAMELET_NO_PARENT) capacity = FLAMELET_NO_PARENT - 1;
  size_t written = 0;
  const size_t count = sort_flows(capture, window, nullptr, flows, capacity, &written);
  pair(flows, static_cast<uint32_t>(written));
  return count;
}

bool next_flows(const Window& window, flamelet_flow_cursor* cursor) {
  size_t written = 0;
  const size_t found = sort_flows(*cursor->capture_, window, cursor->has_begun_ ? &cursor->newest_id_ : nullptr,
                                  cursor->flows, cursor->capacity_, &written);
  if (found > written) {  // perhaps not all of the last id are here
    const uint64_t cut = cursor->flows[written - 1].id;
    while (written != 0 && cursor->flows[written - 1].id == cut) --written;
    if (written == 0) cursor->result = FLAMELET_ERROR_BUFFER_TOO_SMALL;
  }
  if (written == 0) return false;
  pair(cursor->flows, static_cast<uint32_t>(written));
  cursor->newest_id_ = cursor->flows[written - 1].id;
  cursor->count = written;
  return true;
}

}  // namespace flamelet

void flamelet_count_flows(const flamelet_flow* flows, size_t count, flamelet_flow_counts* counts) {
  if (counts == nullptr) return;
  *counts = {};
  for (size_t i = 0; flows != nullptr && i < count; ++i) {
    const uint32_t flags = flows[i].flags;
    ++((flags & FLAMELET_FLOW_IS_END) != 0 ? counts->ends : counts->begins);
    counts->open += (flags & FLAMELET_FLOW_OPEN) != 0;
    counts->begun_again += (flags & FLAMELET_FLOW_BEGUN_AGAIN) != 0;
    counts->missing_begins += (flags & FLAMELET_FLOW_MISSING_BEGIN) != 0;
  }
}

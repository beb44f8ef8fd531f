// SPDX-License-Identifier: MIT
//
// capture_flows.cpp: the ends of flows. They stand in the pages, like points; which end belongs to which begin is worked
// out for each answer, so a flow costs no memory beyond its words, and ids may be used again.
#include "capture/capture_data.h"
#include "capture/capture_sorted.h"

namespace flamelet {
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
  SortedFlows* sorted;
  FlowVisitor(const flamelet_capture& c, const Window& w, uint32_t l, SortedFlows* s)
      : capture(c), window(w), lane(l), sorted(s) {}

  void flow(uint64_t ticks, const FlowEvent& from) {
    if (ticks < window.begin || ticks >= window.end) return;
    flamelet_flow flow = {};
    flow.time_ns = capture.converter.to_ns(ticks);
    flow.id = from.id;
    flow.lane = lane;
    flow.flags = from.ends ? uint32_t{FLAMELET_FLOW_END} : 0;
    sorted->add(flow);
  }
  void submitted_flow(uint64_t ticks, const FlowEvent& from) { flow(ticks, from); }
};

// Every page of the lane that may have a flow in the window. Those of a fiber that a thread ran are the thread's.
void visit_pages(const flamelet_capture& capture, const Lane& lane, const Window& window, FlowVisitor* visitor) {
  const PageStore& pages = capture.pages;
  const auto visit = [&](PageId id) {
    if (pages.info(id).flow_count == 0) return;
    ReplayCursor cursor = page_start(pages.page(id).header);
    if (cursor.now_ticks < pages.info(id).begin_ticks) cursor.now_ticks = pages.info(id).begin_ticks;
    replay(pages.words(id), UINT64_MAX, &cursor, *visitor);
  };
  if (lane.submitted) {
    pages.visit_submitted(lane.pages, window.begin, window.end - 1, visit);
    return;
  }
  PageId id = pages.page_before(lane.pages, window.begin);
  for (; id != 0 && pages.holds(id) && pages.info(id).begin_ticks < window.end; id = pages.info(id).next) visit(id);
}

// Of one id after the other, in the order of time.
void pair(flamelet_flow* flows, uint32_t count) {
  uint32_t begin = FLAMELET_NO_PARENT;
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_flow& flow = flows[i];
    if (i != 0 && flows[i - 1].id != flow.id) begin = FLAMELET_NO_PARENT;
    if ((flow.flags & FLAMELET_FLOW_END) != 0) {
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

}  // namespace
}  // namespace flamelet

using namespace flamelet;

size_t flamelet_capture_read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                   flamelet_flow* flows, size_t capacity) {
  Window window;
  if (capture == nullptr || !make_window(*capture, begin_ns, end_ns, &window) || window.end == 0) return 0;
  if (flows == nullptr) capacity = 0;
  if (capacity >= FLAMELET_NO_PARENT) capacity = FLAMELET_NO_PARENT - 1;
  SortedFlows sorted(flows, capacity, stands_before);
  for (uint32_t lane = 0; lane < capture->lanes.count(); ++lane) {
    FlowVisitor visitor(*capture, window, lane, &sorted);
    visit_pages(*capture, capture->lanes[lane], window, &visitor);
  }
  const size_t count = sorted.finish();
  pair(flows, static_cast<uint32_t>(sorted.written()));
  return count;
}

void flamelet_count_flows(const flamelet_flow* flows, size_t count, flamelet_flow_counts* counts) {
  if (counts == nullptr) return;
  *counts = {};
  for (size_t i = 0; flows != nullptr && i < count; ++i) {
    const uint32_t flags = flows[i].flags;
    ++((flags & FLAMELET_FLOW_END) != 0 ? counts->ends : counts->begins);
    counts->open += (flags & FLAMELET_FLOW_OPEN) != 0;
    counts->begun_again += (flags & FLAMELET_FLOW_BEGUN_AGAIN) != 0;
    counts->missing_begins += (flags & FLAMELET_FLOW_MISSING_BEGIN) != 0;
  }
}

// SPDX-License-Identifier: MIT
//
// capture_submitted.cpp: spans and points of GPU queues and external sources. They carry times of their own, were
// submitted late and in any order, and overlap where the source is wrong; so they are selected, sorted, and then nested,
// each into the nearest span before it that has not ended. What reaches out of its parent is cut.
#include "capture_data.h"
#include "capture_sorted.h"

namespace flamelet {
namespace {

// Calls visit(type, id, payload) for everything submitted on pages that may overlap the window.
template <class Visit>
void visit_submitted(const flamelet_capture& capture, const Lane& lane, const Window& window, Visit visit) {
  struct Visitor : IgnoreEvents {
    Visit& visit;
    explicit Visitor(Visit& v) : visit(v) {}
    void other(uint64_t, WordType type, uint32_t id, uint64_t, const uint64_t* payload) { visit(type, id, payload); }
  };
  Visitor visitor(visit);
  const PageStore& pages = capture.pages;
  // Pages before the first of these end before the window. Later ones are looked at one by one: a span may be submitted
  // long after it ended.
  PageId id = pages.first_where(lane.pages, [&](PageId page) { return pages.info(page).end_ticks >= window.begin; });
  for (; pages.holds(id); id = pages.info(id).next) {
    const PageInfo& info = pages.info(id);
    if (info.low_ticks >= window.end || info.high_ticks < window.begin) continue;
    DecodeCursor cursor = {2 * pages.page(id).header.open_count, 0};
    decode(pages.words(id), UINT64_MAX, &cursor, visitor);
  }
}

// Sets what the order and the times of the spans imply.
void nest(flamelet_span* spans, uint32_t count) {
  uint32_t open = FLAMELET_NO_PARENT;  // innermost; its parents are the rest of the stack
  const auto close = [&](uint32_t index, uint32_t end) {
    flamelet_span& span = spans[index];
    span.subtree_end = end;
    if (span.parent != FLAMELET_NO_PARENT) spans[span.parent].self_ns -= span.end_ns - span.begin_ns;
    return span.parent;
  };
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_span& span = spans[i];
    while (open != FLAMELET_NO_PARENT && spans[open].end_ns <= span.begin_ns) open = close(open, i);
    span.parent = open;
    span.depth = 0;
    if (open != FLAMELET_NO_PARENT) {
      const flamelet_span& parent = spans[open];
      span.depth = parent.depth < UINT16_MAX ? static_cast<uint16_t>(parent.depth + 1) : parent.depth;
      if (span.end_ns > parent.end_ns) {
        span.end_ns = parent.end_ns;
        span.flags |= FLAMELET_SPAN_CUT;
      }
    }
    span.self_ns = span.end_ns - span.begin_ns;
    open = i;
  }
  while (open != FLAMELET_NO_PARENT) open = close(open, count);
}

}  // namespace

size_t read_submitted_spans(const flamelet_capture& capture, const Lane& lane, const Window& window,
                            flamelet_span* spans, size_t capacity) {
  // Of two that begin together the longer one is the parent. Whatever else is equal stands in any order, but always in
  // the same one.
  const auto before = [](const flamelet_span& a, const flamelet_span& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    if (a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
    if (a.id != b.id) return a.id < b.id;
    return a.site < b.site;
  };
  if (capacity >= FLAMELET_NO_PARENT) capacity = FLAMELET_NO_PARENT - 1;
  SortedItems<flamelet_span, decltype(before)> sorted(spans, capacity, before);
  visit_submitted(capture, lane, window, [&](WordType type, uint32_t site, const uint64_t* payload) {
    if (type != WordType::kSpan) return;
    const uint64_t begin = payload[0];
    const uint64_t end = payload[1] < begin ? begin : payload[1];
    if (begin >= window.end || (end < window.touch && begin < window.begin)) return;
    flamelet_span span = {};
    span.begin_ns = capture.converter.to_ns(begin);
    span.end_ns = capture.converter.to_ns(end);
    span.id = payload[2];
    span.site = site;
    span.name = strings_name(payload[3]) != 0 ? strings_name(payload[3]) : capture.sites.name(site);
    span.object = strings_object(payload[3]);
    sorted.add(span);
  });
  const size_t count = sorted.finish();
  nest(spans, static_cast<uint32_t>(sorted.written()));
  return count;
}

size_t read_submitted_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                             flamelet_point* points, size_t capacity) {
  const auto before = [](const flamelet_point& a, const flamelet_point& b) {
    if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
    return a.site < b.site;
  };
  SortedItems<flamelet_point, decltype(before)> sorted(points, capacity, before);
  visit_submitted(capture, lane, window, [&](WordType type, uint32_t site, const uint64_t* payload) {
    if (type != WordType::kPoint || payload[0] < window.begin || payload[0] >= window.end) return;
    const uint32_t name = strings_name(payload[1]);
    sorted.add({capture.converter.to_ns(payload[0]), 0.0, site, name != 0 ? name : capture.sites.name(site),
                strings_object(payload[1]), FLAMELET_POINT_INSTANT});
  });
  return sorted.finish();
}

}  // namespace flamelet

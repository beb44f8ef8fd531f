// SPDX-License-Identifier: MIT
//
// capture_submitted.cpp: spans and points of GPU queues, external sources and importers. They carry times of their own,
// were submitted late and in any order, and overlap where the source is wrong; so they are selected, sorted, and then
// nested, each into the nearest span before it that has not ended. What reaches out of its parent is cut.
#include "capture/capture_data.h"
#include "capture/capture_sorted.h"

namespace flamelet {
namespace {

// Plays everything submitted on pages that may overlap the window.
template <class Visitor>
void visit_submitted(const flamelet_capture& capture, const Lane& lane, const Window& window, Visitor& visitor) {
  if (window.end == 0) return;
  const PageStore& pages = capture.pages;
  pages.visit_submitted(lane.pages, window.begin, window.end - 1, [&](PageId id) {
    ReplayCursor cursor = page_start(pages.page(id).header);
    replay(pages.words(id), UINT64_MAX, &cursor, visitor);
  });
}

// Sets what the order and the times of the spans imply. Until here their `depth` is what the importer said, plus 1, of
// those without a length.
void nest(flamelet_span* spans, uint32_t count, int64_t window_begin_ns) {
  uint32_t open = FLAMELET_NO_PARENT;  // innermost; its parents are the rest of the stack
  const auto close = [&](uint32_t index, uint32_t end) {
    flamelet_span& span = spans[index];
    span.subtree_end = end;
    if (span.parent != FLAMELET_NO_PARENT) spans[span.parent].self_ns -= span.end_ns - span.begin_ns;
    return span.parent;
  };
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_span& span = spans[i];
    const bool knows_depth = span.depth != 0 && span.begin_ns == span.end_ns;
    const uint16_t known_depth = knows_depth ? static_cast<uint16_t>(span.depth - 1) : uint16_t{0};
    while (open != FLAMELET_NO_PARENT && spans[open].end_ns <= span.begin_ns) {
      // What ends just here may be around a span of no length.
      if (knows_depth && spans[open].end_ns == span.begin_ns && spans[open].depth < known_depth) break;
      open = close(open, i);
    }
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
    // At the window's begin there may be parents that ended there, and are not in the answer.
    if (span.begin_ns == window_begin_ns && span.depth < known_depth) span.depth = known_depth;
    span.self_ns = span.end_ns - span.begin_ns;
    open = i;
  }
  while (open != FLAMELET_NO_PARENT) open = close(open, count);
}

template <class Sorted>
struct SpanVisitor : IgnoreEvents {
  const flamelet_capture& capture;
  const Window& window;
  Sorted& sorted;
  uint32_t number = 0;
  SpanVisitor(const flamelet_capture& c, const Window& w, Sorted& s) : capture(c), window(w), sorted(s) {}

  void span(const SubmittedSpan& from) {
    if (from.begin_ticks >= window.end || (from.end_ticks < window.touch && from.begin_ticks < window.begin)) return;
    flamelet_span span = {};
    span.begin_ns = capture.converter.to_ns(from.begin_ticks);
    span.end_ns = capture.converter.to_ns(from.end_ticks);
    span.id = from.id;
    span.site = from.site;
    span.name = strings_name(from.strings) != 0 ? strings_name(from.strings) : capture.sites.name(from.site);
    span.object = strings_object(from.strings);
    span.flags = static_cast<uint16_t>(span_flags(from.strings));
    span.depth = span_depth_and_1(from.strings);
    span.parent = number++;
    sorted.add(span);
  }
};

template <class Sorted>
struct SubmittedPointVisitor : IgnoreEvents {
  const flamelet_capture& capture;
  const Window& window;
  Sorted& sorted;
  uint32_t number = 0;
  SubmittedPointVisitor(const flamelet_capture& c, const Window& w, Sorted& s) : capture(c), window(w), sorted(s) {}

  void submitted_point(uint64_t ticks, const PointEvent& event) {
    if (ticks < window.begin || ticks >= window.end) return;
    flamelet_point point = to_point(capture, ticks, event);
    point.kind |= number++ << kPointKindBits;
    sorted.add(point);
  }
};

}  // namespace

size_t read_submitted_spans(const flamelet_capture& capture, const Lane& lane, const Window& window,
                            flamelet_span* spans, size_t capacity) {
  // Of two that begin together the longer one is the parent, unless they are known to stand in order. Whatever else is
  // equal stands in the order of submission: `parent` is free until nest() for the number of each.
  const bool in_order = lane.in_order;
  const auto before = [in_order](const flamelet_span& a, const flamelet_span& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    if (!in_order && a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
    return a.parent < b.parent;
  };
  if (capacity >= FLAMELET_NO_PARENT) capacity = FLAMELET_NO_PARENT - 1;
  SortedItems<flamelet_span, decltype(before)> sorted(spans, capacity, before);
  SpanVisitor<decltype(sorted)> visitor(capture, window, sorted);
  visit_submitted(capture, lane, window, visitor);
  const size_t count = sorted.finish();
  nest(spans, static_cast<uint32_t>(sorted.written()), capture.converter.to_ns(window.begin));
  return count;
}

size_t read_submitted_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                             flamelet_point* points, size_t capacity) {
  // Points of one time stand in the order of submission: `kind` carries the number of each beside it.
  const auto before = [](const flamelet_point& a, const flamelet_point& b) {
    if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
    return a.kind < b.kind;
  };
  SortedItems<flamelet_point, decltype(before)> sorted(points, capacity, before);
  SubmittedPointVisitor<decltype(sorted)> visitor(capture, window, sorted);
  visit_submitted(capture, lane, window, visitor);
  const size_t count = sorted.finish();
  for (size_t i = 0; i < sorted.written(); ++i) points[i].kind &= (1u << kPointKindBits) - 1;
  return count;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// capture_submitted.cpp: spans and points of GPU queues, external sources and importers. They carry times of their own,
// were submitted late and in any order, and overlap where the source is wrong; so they are selected, sorted, and then
// nested, each into the nearest span before it that has not ended. What reaches out of its parent is cut.
#include "capture/capture_data.h"
#include "flamelet/detail/sums.h"

namespace flamelet {
namespace {

static_assert(kSpanCutFlag == FLAMELET_SPAN_CUT, "the recorder writes it");

// How far a cursor has come.
struct SubmittedPlace {
  int64_t begin_ns, end_ns;  // of the last item handed out, as it was submitted
  uint64_t same;             // items with these times that were handed out
  bool has_item;
  bool is_at_end;
  int64_t from_ns;   // the next window
  int64_t width_ns;  // so many fit into the array, about
};

// Plays everything submitted on pages that may overlap [first_ticks, end_ticks).
template <class Visitor>
void visit_submitted(const flamelet_capture& capture, const Lane& lane, uint64_t first_ticks, uint64_t end_ticks,
                     Visitor& visitor) {
  if (end_ticks == 0) return;
  const PageStore& pages = capture.pages;
  PageRoom room;
  pages.visit_submitted(lane.pages, first_ticks, end_ticks - 1, [&](PageId id) {
    ReplayCursor cursor = pages.start(id);
    replay(pages.words(id, &room), UINT64_MAX, &cursor, visitor);
  });
}

// What a cursor has handed out already. Pages are always visited in the same order.
class Passed {
 public:
  Passed(const SubmittedPlace* place, bool by_begin) : place_(place), by_begin_(by_begin) {}
  bool operator()(int64_t begin_ns, int64_t end_ns) {
    if (place_ == nullptr || !place_->has_item) return false;
    if (begin_ns != place_->begin_ns) return begin_ns < place_->begin_ns;
    if (!by_begin_ && end_ns != place_->end_ns) return end_ns > place_->end_ns;
    return seen_++ < place_->same;
  }

 private:
  const SubmittedPlace* const place_;
  const bool by_begin_;
  uint64_t seen_ = 0;
};

// Sets what the order and the times of the spans imply. Until here their `depth` is what the importer said, plus 1, of
// those without a length. The first `again` are nested already, each in the one before it.
void nest(const WholeTime& whole, flamelet_span* spans, uint32_t again, uint32_t count, int64_t window_begin_ns) {
  uint32_t open = again == 0 ? FLAMELET_NO_PARENT : again - 1;  // innermost; its parents are the rest of the stack
  const auto close = [&](uint32_t index, uint32_t end) {
    flamelet_span& span = spans[index];
    span.subtree_end = end;
    if (span.parent != FLAMELET_NO_PARENT && (span.flags & FLAMELET_SPAN_AGAIN) == 0)
      spans[span.parent].self_ns -= whole.part_of(span);
    return span.parent;
  };
  for (uint32_t i = again; i < count; ++i) {
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
    span.self_ns = whole.part_of(span);
    open = i;
  }
  while (open != FLAMELET_NO_PARENT) open = close(open, count);
}

template <class Sorted>
struct SpanVisitor : IgnoreEvents {
  const flamelet_capture& capture;
  const Window& window;
  Sorted& sorted;
  Passed passed;
  uint32_t number = 0;
  SpanVisitor(const flamelet_capture& c, const Window& w, Sorted& s, Passed p)
      : capture(c), window(w), sorted(s), passed(p) {}

  void span(const SubmittedSpan& from) {
    if (from.begin_ticks >= window.end || (from.end_ticks < window.touch && from.begin_ticks < window.begin)) return;
    flamelet_span span = {};
    span.begin_ns = capture.converter.to_ns(from.begin_ticks);
    span.end_ns = capture.converter.to_ns(from.end_ticks);
    if (passed(span.begin_ns, span.end_ns)) return;
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
  Passed passed;
  uint32_t number = 0;
  SubmittedPointVisitor(const flamelet_capture& c, const Window& w, Sorted& s, Passed p)
      : capture(c), window(w), sorted(s), passed(p) {}

  void submitted_point(uint64_t ticks, const PointEvent& event) {
    if (ticks < window.begin || ticks >= window.end) return;
    flamelet_point point = to_point(capture, ticks, event);
    if (passed(point.time_ns, point.time_ns)) return;
    point.kind |= number++ << kPointKindBits;
    sorted.add(point);
  }
};

// The window's spans that `place` has not passed, sorted and not nested. Returns how many there are; *written of them
// are in the array.
size_t sort_spans(const flamelet_capture& capture, const Lane& lane, uint64_t first_ticks, const Window& window,
                  const SubmittedPlace* place, flamelet_span* spans, size_t capacity, size_t* written) {
  // The longer one of two that begin together is the parent, unless they are known to stand in order. Whatever else is
  // equal stands in the order of submission: `parent` is free until nest() for the number of each.
  const bool in_order = lane.in_order;
  const auto before = [in_order](const flamelet_span& a, const flamelet_span& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    if (!in_order && a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
    return a.parent < b.parent;
  };
  SortedItems<flamelet_span, decltype(before)> sorted(spans, capacity, before);
  SpanVisitor<decltype(sorted)> visitor(capture, window, sorted, Passed(place, in_order));
  visit_submitted(capture, lane, first_ticks, window.end, visitor);
  const size_t count = sorted.finish();
  *written = sorted.written();
  return count;
}

size_t sort_points(const flamelet_capture& capture, const Lane& lane, uint64_t first_ticks, const Window& window,
                   const SubmittedPlace* place, flamelet_point* points, size_t capacity, size_t* written) {
  // Points of one time stand in the order of submission: `kind` carries the number of each beside it.
  const auto before = [](const flamelet_point& a, const flamelet_point& b) {
    if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
    return a.kind < b.kind;
  };
  SortedItems<flamelet_point, decltype(before)> sorted(points, capacity, before);
  SubmittedPointVisitor<decltype(sorted)> visitor(capture, window, sorted, Passed(place, true));
  visit_submitted(capture, lane, first_ticks, window.end, visitor);
  const size_t count = sorted.finish();
  *written = sorted.written();
  for (size_t i = 0; i < *written; ++i) points[i].kind &= (1u << kPointKindBits) - 1;
  return count;
}

SubmittedPlace first_place(const flamelet_capture& capture, int64_t begin_ns) {
  SubmittedPlace place = {};
  place.from_ns = begin_ns;
  const int64_t oldest_ns = std::max(begin_ns, capture.converter.to_ns(capture.oldest_ticks));
  const int64_t newest_ns = std::max(oldest_ns, capture.converter.to_ns(capture.newest_ticks));
  place.width_ns = newest_ns / 64 - oldest_ns / 64 + 1;
  return place;
}

void pass(SubmittedPlace* place, int64_t begin_ns, int64_t end_ns, bool by_begin) {
  const bool is_same = place->has_item && place->begin_ns == begin_ns && (by_begin || place->end_ns == end_ns);
  place->same = is_same ? place->same + 1 : 1;
  place->begin_ns = begin_ns;
  place->end_ns = end_ns;
  place->has_item = true;
}

// Reads narrow windows one after the other, until one has something. read(first_ticks, window, &written) returns how
// many items the window has, and passes those that it wrote. Returns how many that are; 0 at the end.
template <class Read>
size_t read_submitted_piece(const flamelet_capture& capture, const Window& whole, int64_t end_ns, size_t room,
                            SubmittedPlace* place, Read read) {
  while (!place->is_at_end) {
    const int64_t oldest_ns = capture.converter.to_ns(capture.oldest_ticks);
    const bool is_last = place->from_ns > capture.converter.to_ns(capture.newest_ticks);
    const int64_t start_ns = std::max(place->from_ns, oldest_ns);
    const int64_t until_ns = is_last ? end_ns : std::min(add_saturating(start_ns, place->width_ns), end_ns);
    Window window = whole;
    window.end = capture.converter.to_ticks(until_ns);
    size_t written = 0;
    const size_t found = read(capture.converter.to_ticks(place->from_ns), window, &written);
    if (found > written) {
      place->width_ns = std::max<int64_t>((place->begin_ns - std::min(start_ns, place->begin_ns)) / 2, 1);
      place->from_ns = place->begin_ns;
    } else {
      if (found < room / 4) place->width_ns = add_saturating(place->width_ns, place->width_ns);
      place->from_ns = until_ns;
      place->is_at_end = until_ns == end_ns;
    }
    if (written != 0) return written;
  }
  return 0;
}

template <class Cursor>
SubmittedPlace* place_of(Cursor* cursor) {
  static_assert(sizeof(SubmittedPlace) <= sizeof cursor->state_, "it fits");
  SubmittedPlace* const place = reinterpret_cast<SubmittedPlace*>(cursor->state_);
  if (!cursor->has_begun_) *place = first_place(*cursor->capture_, cursor->begin_ns_);
  return place;
}

// Moves the newest span and its parents to the front of the array. Returns how many these are.
uint32_t repeat_open(flamelet_span* spans, size_t count) {
  if (count == 0) return 0;
  uint32_t at = static_cast<uint32_t>(count - 1);
  spans[at].subtree_end = FLAMELET_NO_PARENT;  // from here on the next one inside
  for (; spans[at].parent != FLAMELET_NO_PARENT; at = spans[at].parent) spans[spans[at].parent].subtree_end = at;
  uint32_t again = 0;
  while (at != FLAMELET_NO_PARENT) {
    const uint32_t inside = spans[at].subtree_end;
    flamelet_span& span = spans[again];
    span = spans[at];
    span.flags |= FLAMELET_SPAN_AGAIN;
    span.parent = again == 0 ? FLAMELET_NO_PARENT : again - 1;
    span.self_ns = 0;
    ++again;
    at = inside;
  }
  return again;
}

}  // namespace

size_t read_submitted_spans(const flamelet_capture& capture, const Lane& lane, const Window& window,
                            flamelet_span* spans, size_t capacity) {
  if (capacity >= FLAMELET_NO_PARENT) capacity = FLAMELET_NO_PARENT - 1;
  size_t written = 0;
  const size_t count = sort_spans(capture, lane, window.begin, window, nullptr, spans, capacity, &written);
  nest(WholeTime(capture, lane), spans, 0, static_cast<uint32_t>(written), capture.converter.to_ns(window.begin));
  return count;
}

size_t read_submitted_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                             flamelet_point* points, size_t capacity) {
  size_t written = 0;
  return sort_points(capture, lane, window.begin, window, nullptr, points, capacity, &written);
}

bool next_submitted_spans(const Lane& lane, const Window& whole, flamelet_span_cursor* cursor) {
  const flamelet_capture& capture = *cursor->capture_;
  SubmittedPlace* const place = place_of(cursor);
  const uint32_t again = repeat_open(cursor->spans, cursor->count);
  if (again >= cursor->capacity_ / 2) {
    cursor->again = again;  // for flamelet_span_cursor_grow()
    cursor->result = FLAMELET_ERROR_BUFFER_TOO_SMALL;
    return false;
  }
  flamelet_span* const spans = cursor->spans + again;
  const size_t room = cursor->capacity_ - again;
  const size_t count = read_submitted_piece(
      capture, whole, cursor->end_ns_, room, place, [&](uint64_t first_ticks, const Window& window, size_t* written) {
        const size_t found = sort_spans(capture, lane, first_ticks, window, place, spans, room, written);
        for (size_t i = 0; i < *written; ++i) pass(place, spans[i].begin_ns, spans[i].end_ns, lane.in_order);
        return found;
      });
  if (count == 0) return false;
  cursor->again = again;
  cursor->count = again + count;
  nest(WholeTime(capture, lane), cursor->spans, again, static_cast<uint32_t>(cursor->count),
       capture.converter.to_ns(whole.begin));
  return true;
}

bool next_submitted_points(const Lane& lane, const Window& whole, flamelet_point_cursor* cursor) {
  const flamelet_capture& capture = *cursor->capture_;
  SubmittedPlace* const place = place_of(cursor);
  cursor->count = read_submitted_piece(capture, whole, cursor->end_ns_, cursor->capacity_, place,
                                       [&](uint64_t first_ticks, const Window& window, size_t* written) {
                                         flamelet_point* const points = cursor->points;
                                         const size_t found = sort_points(capture, lane, first_ticks, window, place,
                                                                          points, cursor->capacity_, written);
                                         for (size_t i = 0; i < *written; ++i)
                                           pass(place, points[i].time_ns, points[i].time_ns, true);
                                         return found;
                                       });
  return cursor->count != 0;
}

}  // namespace flamelet

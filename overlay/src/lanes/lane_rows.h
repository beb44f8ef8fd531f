// SPDX-License-Identifier: MIT
//
// lane_rows.h: the spans of one lane, findable by depth and time. Spans come in pre-order (parents before children, by
// begin time) with the index that ends their subtree; here they are also kept in rows by depth. Within a row spans do
// not overlap, so both their begins and their ends rise, and a binary search finds the first visible one.
//
// Windows are half open, [begin, end), and a span is in the window if it ends after `begin` and begins before `end`.
// That holds for spans of zero length too, so a child is never in a window that its parent is not in.
#ifndef FLAMELET_OVERLAY_SRC_LANE_ROWS_H
#define FLAMELET_OVERLAY_SRC_LANE_ROWS_H

#include "content/memory.h"
#include "flamelet/capture.h"

namespace flamelet::ui {

struct TimeWindow {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;

  bool operator==(const TimeWindow& other) const { return begin_ns == other.begin_ns && end_ns == other.end_ns; }
  bool operator!=(const TimeWindow& other) const { return !(*this == other); }
};

// Of a call whose thread switched fibers in it.
inline bool is_piece(uint32_t flags) {
  return (flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED)) != 0;
}

// What the lanes need of a span. Its id is asked for when it is selected (SpanStore::whole_span()); its parent, its subtree
// and its self time follow from the rows.
struct LaneSpan {
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t name;  // flamelet_capture_string()
  uint32_t object;
  uint16_t site;
  uint16_t depth;
  uint8_t flags;  // FLAMELET_SPAN_*
};

// Spans in 20 bytes each: begins count from that of the first of 64 neighbours, and ends from the begins, in 32 bits of
// nanoseconds. Spans that are longer than 4 s, or further from their neighbours than 2 s, have their times in a list.
class SpanTable {
 public:
  static constexpr uint32_t kNeighbours = 64;
  static constexpr uint32_t kFar = UINT32_MAX;
  struct Packed {
    int32_t begin;
    uint32_t duration;  // kFar: the times are in the list
    uint32_t name : 24;
    uint32_t flags : 8;
    uint32_t object;
    uint16_t site;
    uint16_t depth;
  };
  static_assert(sizeof(Packed) == 20, "less than a third of a flamelet_span");
  struct Far {
    uint32_t span;
    int64_t begin_ns, end_ns;
  };

  void carve(Carver* carver, uint32_t max_spans, uint32_t max_far);
  void clear() { packed_.count = starts_.count = far_.count = 0; }
  uint32_t count() const { return packed_.count; }
  uint32_t capacity() const { return packed_.capacity; }

  // False if there is no room for it.
  bool push(const LaneSpan& span);
  [[gnu::pure, gnu::cold]] const Far& far(uint32_t i) const;

 private:
  friend struct LaneSpans;

  Array<Packed> packed_;
  Array<int64_t> starts_;
  Array<Far> far_;  // by span
};

// Some neighbours in a table, from its span `first` on.
struct LaneSpans {
  const SpanTable* table = nullptr;
  uint32_t first = 0;
  const SpanTable::Packed* packed = nullptr;
  const int64_t* starts = nullptr;

  LaneSpans() = default;
  LaneSpans(const SpanTable* of, uint32_t from)
      : table(of), first(from), packed(of->packed_.data + from), starts(of->starts_.data) {}
  int64_t begin_ns(uint32_t i) const {
    if (packed[i].duration == SpanTable::kFar) return table->far(first + i).begin_ns;
    return starts[(first + i) / SpanTable::kNeighbours] + packed[i].begin;
  }
  int64_t duration_ns(uint32_t i) const {
    if (packed[i].duration != SpanTable::kFar) return packed[i].duration;
    return table->far(first + i).end_ns - table->far(first + i).begin_ns;
  }
  int64_t end_ns(uint32_t i) const {
    if (packed[i].duration == SpanTable::kFar) return table->far(first + i).end_ns;
    return starts[(first + i) / SpanTable::kNeighbours] + packed[i].begin + packed[i].duration;
  }
  uint32_t depth(uint32_t i) const { return packed[i].depth; }
  LaneSpan operator[](uint32_t i) const {
    const SpanTable::Packed& span = packed[i];
    const int64_t begin = begin_ns(i);
    return {begin,      begin + duration_ns(i),          span.name, span.object, span.site,
            span.depth, static_cast<uint8_t>(span.flags)};
  }
};

struct LaneRows {
  LaneSpans spans;
  uint32_t span_count = 0;
  uint32_t* order = nullptr;      // span_count span indices: row after row, by begin time within a row
  uint32_t* row_begin = nullptr;  // row_count + 1 positions in `order`
  uint32_t row_count = 0;
  bool independent = false;  // the spans stand row by row, and those of one row are not inside those above it
};

// Makes rows of spans as a cursor hands them out: parents before children, by begin time. They are safe to walk, whatever
// they are: ends that lie before their begins, depths that skip a level and begins that go backwards are put right.
class RowBuilder {
 public:
  // Behind the spans of `table`. `order` has room for `most_spans`, `row_begin` for most_rows + 1.
  RowBuilder(SpanTable* table, uint32_t* order, uint32_t most_spans, uint32_t* row_begin, uint32_t most_rows)
      : spans_(table, table->count()),
        table_(table),
        order_(order),
        most_spans_(most_spans),
        row_begin_(row_begin),
        most_rows_(most_rows) {}

  // False: there is no room for it, or for one so deep.
  bool add(const flamelet_span& span);
  // The flags of the span around the one that was added last; 0: there is none.
  uint32_t parent_flags() const { return open_ > 1 ? spans_[order_[open_ - 2]].flags : 0; }
  LaneRows finish();

 private:
  void close_to(uint32_t depth);

  LaneSpans spans_;
  SpanTable* table_;
  uint32_t* order_;  // until finish(): the spans that are open
  uint32_t most_spans_;
  uint32_t* row_begin_;
  uint32_t most_rows_;
  uint32_t count_ = 0, open_ = 0, rows_ = 0;
  // The depth and the end of the span that was added last, and the end of the one around it.
  uint32_t depth_ = 0;
  int64_t end_ns_ = 0;
  int64_t latest_ns_ = INT64_MAX / 4;
  int64_t earliest_ns_ = INT64_MIN / 4;
};

// The index after its last descendant. Logarithmic, and linear in the depth.
uint32_t subtree_end(const LaneRows& lane, uint32_t span);

// The children of a span are at the places [first, end) of LaneRows::order.
struct PlaceRange {
  uint32_t first, end;
};

// Its time without its children that are there.
int64_t self_ns_of(const LaneRows& lane, uint32_t span);

// How many spans of the subtrees that begin in [first, end) are in the window. Logarithmic, and linear in the depth.
// [first, end) must hold whole subtrees.
uint32_t count_in_window(const LaneRows& lane, uint32_t first, uint32_t end, TimeWindow window);

// The index of the span that is at this time and depth; span_count if there is none.
uint32_t find_span(const LaneRows& lane, int64_t time_ns, uint32_t depth);

// The index of the span with exactly this begin and depth; span_count if there is none.
uint32_t find_span_beginning(const LaneRows& lane, int64_t begin_ns, uint32_t depth);

// Span neighbors: from one span of a lane to its neighbours, as indices of LaneRows::spans. span_count = there is none.

// The span with these times at this depth.
uint32_t find_same_span(const LaneRows& lane, const flamelet_span& span);
uint32_t parent_of(const LaneRows& lane, uint32_t span);
// The longest of its children.
uint32_t longest_child(const LaneRows& lane, uint32_t span);
// `by` places along its row, whoever the parents are.
uint32_t along_row(const LaneRows& lane, uint32_t span, int by);
// The outermost span nearest to this time.
uint32_t nearest_root(const LaneRows& lane, int64_t time_ns);
// How long a span is: one that lies mostly in the window goes before one that only reaches into it, such as a background
// job that takes seconds.
struct LengthIn {
  bool mostly;
  int64_t ns;

  bool operator>(const LengthIn& other) const { return mostly != other.mostly ? mostly : ns > other.ns; }
};
LengthIn length_in(const LaneSpan& span, TimeWindow window);
// The longest by that, of those that overlap the window and are wanted.
template <typename IsWanted>
uint32_t longest_in(const LaneRows& lane, TimeWindow window, IsWanted is_wanted) {
  uint32_t longest = lane.span_count;
  LengthIn most = {};
  for (uint32_t i = 0; i < lane.span_count; ++i) {
    const LaneSpan span = lane.spans[i];
    if (span.end_ns <= window.begin_ns || span.begin_ns >= window.end_ns) continue;
    const LengthIn length = length_in(span, window);
    if ((longest != lane.span_count && !(length > most)) || !is_wanted(span)) continue;
    longest = i;
    most = length;
  }
  return longest;
}

// Lane layout: which blocks a lane shows in a window, as plain geometry. A span that is wide enough is a block; its
// children are laid out in the row below. Neighbours that are narrower than the merge limit become one block together,
// with everything inside them, and that block says how many spans it stands for.
//
// What makes it fast: the first visible span is found by binary search; a narrow span takes its whole subtree with it
// in one step; and inside a run of narrow spans the search jumps ahead by the merge limit, so that a million equal
// siblings cost as much as a few hundred.
//
// Invariant: the sum of `zones` over the blocks is the number of spans in the window, exactly, at every zoom.

constexpr uint16_t kBlockCutLeft = 1;  // the span goes on beyond the window
constexpr uint16_t kBlockCutRight = 2;
constexpr uint16_t kBlockOtherShade = 4;  // set where it is drawn: its neighbour has the same colour

struct Block {
  float x0, x1;          // pixels from the left edge of the canvas, within [0, width]
  uint32_t first;        // span
  uint32_t end;          // span after the last one of a merged block and its subtree; first + 1 for a single span
  uint32_t subtree_end;  // span after the last one inside it, of a single span, too
  uint32_t zones;        // spans of the window that this block stands for; 1 = the span alone
  uint16_t depth;
  uint16_t flags;

  bool merged() const { return zones != 1; }
};

struct LaneLayoutInput {
  TimeWindow window;
  float width_px = 0;
  float merge_limit_px = 3;
  uint32_t most_rows = UINT32_MAX;  // rows below are left out, and not counted
};

struct LaneLayout {
  uint32_t first_block = 0;  // this lane's blocks, by depth, then from left to right
  uint32_t block_count = 0;
  uint32_t row_count = 0;  // rows that have a block
  uint32_t zones_drawn = 0;
  uint32_t zones_merged = 0;
  bool complete = true;  // false: `blocks` was full, and the counts cover only what is in it
};

// Appends the lane's blocks.
LaneLayout layout_lane(const LaneRows& lane, const LaneLayoutInput& input, Array<Block>* blocks);

// The block of this row at pixel x, or within `slack_px` of it; block_count of the array if there is none. Logarithmic.
uint32_t find_block(const Array<Block>& blocks, const LaneLayout& layout, uint32_t depth, float x, float slack_px);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_ROWS_H

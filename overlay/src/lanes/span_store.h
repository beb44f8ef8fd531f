// SPDX-License-Identifier: MIT
//
// span_store.h: the spans, instants, intervals and counters around the view, read from the capture once and drawn many
// times. The window that was read is wider than the view, so that panning and zooming in need no new read. Lanes keep what
// the user did to them (folded, hidden) and how tall they were, for as long as the capture has them.
#ifndef FLAMELET_OVERLAY_SRC_SPAN_STORE_H
#define FLAMELET_OVERLAY_SRC_SPAN_STORE_H

#include <string_view>

#include "content/filter.h"
#include "counters/counter_table.h"
#include "draw/text.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

// Interval store: the capture's intervals, packed into rows without overlaps: one group of rows for each category, one lane
// for each group. An interval keeps its row as long as it is there, whatever begins or ends beside it.

struct IntervalGroup {
  std::string_view category;
  LaneRows rows;  // independent ones; a span's depth is its row
};

class IntervalStore {
 public:
  static constexpr uint32_t kMostGroups = 32;  // further categories go into the last one
  static constexpr uint32_t kMostRows = 256;   // of a group; what overlaps more than these is cut in the last one

  void carve(Carver* carver, uint32_t max_intervals);
  void clear();

  // All intervals of the capture, or, if there is no room for all, those that overlap the window.
  void read(const flamelet_capture* capture, TimeWindow window);

  const Array<IntervalGroup>& groups() const { return groups_; }
  // NULL if it is not there.
  const flamelet_interval* find(flamelet_id id) const;
  // The interval of one of the groups' spans.
  const flamelet_interval& of(const LaneRows& rows, uint32_t span) const {
    return intervals_[interval_of_[rows.spans.first + span]];
  }
  uint32_t count() const { return intervals_.count; }
  uint64_t left_out() const { return left_out_; }
  // Those that found no room begin there or later.
  int64_t last_begin_ns() const { return intervals_.empty() ? INT64_MIN : intervals_[intervals_.count - 1].begin_ns; }

 private:
  struct Place {
    int64_t begin_ns;
    flamelet_id id;
    uint32_t group, row;
  };
  // While intervals are packed: where each row of a group ends.
  struct Packing {
    uint32_t row_count = 0;
    int64_t ends_ns[kMostRows];
  };

  uint32_t find_group(const flamelet_capture* capture, uint32_t site);
  void pack(const flamelet_capture* capture);
  uint32_t pack_into(Packing* packing, const flamelet_interval& interval, uint32_t wanted);
  void make_rows();

  Array<flamelet_interval> intervals_;  // by begin
  Array<Place> places_;                 // of each of them
  Array<Place> before_;                 // of those of the read before
  Array<IntervalGroup> groups_;
  Array<Packing> packings_;  // of the groups
  SpanTable spans_;
  Array<uint32_t> interval_of_;  // each of the spans
  Array<uint32_t> order_;
  Array<uint32_t> row_begins_;
  uint64_t left_out_ = 0;
};

// In the order of the lanes.
enum class LaneContent : uint8_t { kSpans, kProcessors, kIntervals, kCounters };

// Whether the lane draws spans or intervals. Other lanes draw themselves.
inline bool has_blocks(LaneContent content) {
  return content == LaneContent::kSpans || content == LaneContent::kIntervals;
}

struct Lane {
  LaneContent content = LaneContent::kSpans;
  uint32_t capture_lane = 0;  // index for flamelet_capture_read_spans(); UINT32_MAX of other content
  // Unique together. A lane of intervals or counters is an external source with an id that is a hash of its name.
  uint32_t id = 0;
  flamelet_lane_kind kind = FLAMELET_LANE_THREAD;
  uint32_t counter = 0;  // with kCounters: the one that leads the lane
  uint32_t beside = 0;   // with kSpans: the id of the lane beside which it stands; its own: beside none
  std::string_view name;
  LaneRows rows;
  const flamelet_point* instants = nullptr;  // by time
  uint32_t instant_count = 0;
  Matches matches;           // only while there is a filter
  uint64_t left_out = 0;     // spans of the window that found no room
  int64_t last_read_ns = 0;  // with left_out: where the lane's spans end
  uint32_t tallest = 0;      // most rows shown: lanes only grow until other frames are chosen
  CounterAxis axis;          // so does the range of its counters
  bool axis_known = false;
  bool seen = false;  // had a span once
  bool folded = false;
  // What the user chose for lanes of this name (span_store.h).
  uint16_t order = 0;
  uint8_t color = 0;
  bool hidden = false;
  bool pinned = false;
  // What the last layout gave.
  LaneLayout layout;
  int64_t newest_ns = INT64_MIN;  // where its last span ended, of all that were in view
  uint32_t leader = 0;            // the lane in whose row it stands: itself, or one of the same name
  uint32_t merged = 1;            // lanes in the row that it leads
  float row_end_px = 0;           // of that row
  // From the top of the canvas's content. That of a lane that stays at the top moves as the content scrolls.
  float y = 0;
  float height = 0;      // 0: not shown
  bool stays = false;    // at the top, because it is pinned
  float covered_to = 0;  // what lies above this is behind the lanes that stay

  // A place on the lane, or the edge of the lanes that cover it.
  float place(float inside) const { return y + inside > covered_to ? y + inside : covered_to; }
};

// A part of a fiber's scope on a thread.
struct FiberPiece {
  flamelet_id id;
  int64_t begin_ns, end_ns;
  uint32_t capture_lane;
  uint16_t depth, flags;
};

class SpanStore {
 public:
  static constexpr uint32_t kMostFiberPieces = 8192;
  static constexpr uint32_t kSpansAPiece = 2048;  // more than can nest

  void carve(Carver* carver, uint32_t max_spans, uint32_t max_lanes, uint32_t max_intervals = 0);
  // Lanes of the counters in this table are added with each read. It outlives the store.
  void show_counters(const CounterTable* table) { counters_ = table; }

  // Reads all lanes. Threads come first, then GPU queues, external sources and fibers, each by their ids, which is the
  // order in which a recorder met them: so a lane keeps its place. Where there are more than max_lanes, those with spans
  // in the window have precedence; one that was left out comes back unfolded. Then come processors, intervals and counters.
  void read(const flamelet_capture* capture, TimeWindow window);
  // Forgets the spans, and with `lanes` also what is known about lanes.
  void clear(bool lanes);

  template <typename IsMatch>
  void find_filter_matches(IsMatch is_match) {
    uint32_t word = 0;
    for (Lane& lane : lanes_) {
      lane.matches = find_matches(lane.rows.spans, lane.rows.span_count, is_match, match_bits_.data + word,
                                  matches_before_.data + word);
      word += Matches::words_for(lane.rows.span_count);
    }
  }

  // A span of a lane as the capture has it, by one look into that; its self time is that of the spans that were read.
  flamelet_span whole_span(const flamelet_capture* capture, const Lane& lane, uint32_t span);

  TimeWindow window() const { return window_; }
  bool covers(TimeWindow view) const { return view.begin_ns >= window_.begin_ns && view.end_ns <= window_.end_ns; }
  uint64_t left_out() const { return left_out_; }
  uint64_t all_left_out() const { return left_out_ + intervals_.left_out(); }
  // Lanes with spans in the window that found no room, and whose spans are not in left_out().
  uint32_t lanes_left_out() const { return lanes_left_out_; }
  uint32_t span_count() const { return spans_.count(); }
  // The capture has states of threads.
  bool has_states() const { return has_states_; }
  // The outermost parts of fibers' scopes on threads, by id and begin.
  const Array<FiberPiece>& fiber_pieces() const { return fiber_pieces_; }
  const IntervalStore& intervals() const { return intervals_; }
  Array<Lane>& lanes() { return lanes_; }
  const Array<Lane>& lanes() const { return lanes_; }
  // Changes with every read.
  uint64_t generation() const { return generation_; }

 private:
  void find_lanes(const flamelet_capture* capture);
  Lane new_lane(uint32_t id, flamelet_lane_kind kind) const;
  void add_lane(const flamelet_capture* capture, const flamelet_lane_info& info, size_t capture_lane);
  void add_lane(LaneContent content, std::string_view name, uint32_t counter, const LaneRows& rows);
  void add_other_lanes(const flamelet_capture* capture);
  void read_instants(const flamelet_capture* capture);
  void read_spans(const flamelet_capture* capture);
  uint64_t read_lane(const flamelet_capture* capture, Lane* lane, RowBuilder* rows);

  SpanTable spans_;
  Array<uint32_t> order_;
  Array<uint32_t> row_begins_;
  Array<uint64_t> match_bits_;
  Array<uint32_t> matches_before_;
  Array<FiberPiece> fiber_pieces_;
  Array<flamelet_span> piece_;
  Array<flamelet_point> points_;
  Array<flamelet_point> scratch_;
  IntervalStore intervals_;
  const CounterTable* counters_ = nullptr;
  Array<Lane> lanes_;
  Array<Lane> before_;  // the lanes of the read before, while the new ones are matched with them
  TimeWindow window_;
  uint64_t left_out_ = 0;
  uint32_t lanes_left_out_ = 0;
  bool has_states_ = false;
  uint64_t generation_ = 0;
};

// The row of the innermost scope at this time; 0 if there is none, or if the lane is folded.
uint32_t innermost_row(const Lane& lane, int64_t time_ns);

// The lane with this index in the capture; NULL if it is not shown.
const Lane* find_shown_lane(const Array<Lane>& lanes, uint32_t capture_lane);

// What the user chose for lanes: their order, which are hidden or pinned to the top, their colours. By
// name, so that it holds for the next run of the program.

struct LaneChoice {
  char name[64] = {};
  uint16_t order = 0;  // from 1 on; 0 = behind those that have one, where the recorder met it
  uint8_t color = 0;   // from 1 on; 0 = the colour of its kind
  bool hidden = false;
  bool pinned = false;
};

class LaneChoices {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr uint8_t kColors = 8;

  // Puts the lanes in order, and tells each what was chosen for it. Allocates nothing.
  void arrange(Array<Lane>* lanes) const;
  const LaneChoice* find(std::string_view name) const;
  // To be changed. NULL if the name is too long, or if there are kMost others.
  LaneChoice* of(std::string_view name);
  // Changes places with the nearest shown lane of another name above (-1) or below (+1), and arranges them. False if there
  // is none, or no room for what was chosen.
  bool move(Array<Lane>* lanes, uint32_t lane, int by);
  uint32_t hidden_count() const;
  void show_all();

  // As lines `lane=ORDER,FLAGS,COLOUR,NAME` of the settings; what stands behind the "=" is read back.
  void write(TextWriter* text) const;
  bool read(std::string_view value);

 private:
  LaneChoice choices_[kMost];
  uint32_t count_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SPAN_STORE_H

// SPDX-License-Identifier: MIT
//
// counter_table.h: the counters that were met in a capture, by name, and which of them share a lane: those of one unit, and
// those that the user merged. The unit is the last word of the name, where it is one that is known: "memory MiB".
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_TABLE_H
#define FLAMELET_OVERLAY_SRC_COUNTER_TABLE_H

#include <math.h>
#include <string_view>

#include "content/memory.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "flamelet/capture.h"
#include "lanes/lane_rows.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

// Counter choices: which counters the user put on one axis or took out of the lane of their unit. By name, so
// that it holds for the next run of the program.

// Counters of one group share a lane.
class CounterChoices {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr uint32_t kAlone = 0;  // a lane of its own; groups count from 1
  static constexpr uint32_t kNone = UINT32_MAX;

  // kNone if nothing was chosen for this counter.
  uint32_t group_of(std::string_view name) const;
  // How many more counters can be chosen for, and whether one of this name can be.
  uint32_t room() const { return kMost - count_; }
  static bool takes(std::string_view name);
  // False if there is no room, or if the name is too long.
  bool set(std::string_view name, uint32_t group);
  // All counters of one group go into another.
  void join(uint32_t group, uint32_t into);
  uint32_t free_group() const;

  // As lines `counter=GROUP,NAME` of the settings; what stands behind the "=" is read back.
  void write(TextWriter* text) const;
  bool read(std::string_view value);

 private:
  struct Choice {
    char name[64] = {};
    uint32_t group = 0;
  };

  Choice choices_[kMost];
  uint32_t count_ = 0;
};

// The unit in a counter's name: the last word, or what stands in brackets at the end; empty if there is none.
std::string_view unit_of(std::string_view name);

// What is left of a name without it: "memory" of "memory (MiB)".
std::string_view name_without_unit(std::string_view name, std::string_view unit);
// Whether each value is an event's own, "B each": the newest one is no state.
bool is_of_events(std::string_view unit);

// A value with its unit: bytes as "1.20 MiB", others as "16.42 ms".
void add_counter_value(TextWriter* text, double value, std::string_view unit);
// A value with as many digits as are worth reading: 2,314 and 16.42 and 0.031 and 1.20e+21.
void add_counter_value(TextWriter* text, double value);
// The same in few characters: 1.2e6.
void add_short_value(TextWriter* text, double value, int decimals);

struct Counter {
  uint32_t name = 0;  // flamelet_capture_string()
  uint32_t site = 0;  // of the newest value
  std::string_view text;
  std::string_view unit;
  uint32_t lane = 0;  // the counter that leads its lane: itself, or one before it
  uint32_t group = CounterChoices::kNone;
  // The newest value that is known.
  int64_t last_ns = INT64_MIN;
  double last = 0;
};

class CounterTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void carve(Carver* carver, uint32_t max_counters);
  void clear();

  // The number of the counter with this name; kNone if there is no room for it.
  uint32_t find_or_add(const flamelet_capture* capture, uint32_t name);
  void set_last(uint32_t counter, const flamelet_point& point);

  uint32_t count() const { return counters_.count; }
  bool left_out() const { return left_out_; }  // there are counters that found no room
  const Counter& operator[](uint32_t i) const { return counters_[i]; }

  bool leads(uint32_t counter) const { return counters_[counter].lane == counter; }
  uint32_t lane_size(uint32_t lane) const;
  // Whether there is room for what the user chooses for the counters of two lanes, or twice the same one.
  bool can_choose(uint32_t lane, uint32_t other) const;
  // All counters of one lane go into another. False if there is no room for the choice.
  bool merge_lanes(uint32_t lane, uint32_t into);
  // Each counter of the lane gets a lane of its own. False if there is no room for the choice.
  bool part_lane(uint32_t lane);
  // What the user chose, which clear() leaves as it is; and a line of the settings about it.
  const CounterChoices& choices() const { return choices_; }
  bool read_choice(std::string_view value);
  // Changes with the counters and their lanes.
  uint32_t version() const { return version_; }

 private:
  struct Slot {
    uint64_t key = 0;  // mixed from the name
    uint32_t counter = 0;
  };

  uint32_t find_lane(uint32_t counter) const;
  void find_lanes();

  CounterChoices choices_;
  Array<Counter> counters_;
  HashTable<Slot> by_name_;
  bool left_out_ = false;
  uint32_t version_ = 0;
};

// Counter bins: the values of many counters in a stretch of time, in a fixed number of bins. No value is lost: when
// there are more values than bins, bins become twice as long, and each keeps its count, smallest, largest and last value.
//
// Bins begin at multiples of 2^level nanoseconds, so a longer bin is made of whole shorter ones, and bins do not move
// with the view. build() adds coarser levels, each with at most half as many bins as the one before: what a view needs
// is read from the level that suits it, so its cost depends on its pixels and not on the number of values.

struct CounterBin {
  int64_t first_ns = 0;  // times of the first and the last value in it
  int64_t last_ns = 0;
  double min = 0, max = 0, last = 0;  // min > max: no value in it is finite; `last` need not be
  uint32_t counter = 0;
  uint32_t count = 0;  // of finite values

  void merge(const CounterBin& other);
};

struct CounterBinRange {
  const CounterBin* first = nullptr;
  const CounterBin* last = nullptr;  // behind the end

  const CounterBin* begin() const { return first; }
  const CounterBin* end() const { return last; }
};

class CounterBins {
 public:
  // Without levels there is no build().
  void carve(Carver* carver, uint32_t max_bins, uint32_t max_counters, bool levels);
  void clear();

  // `counter` is below max_counters. In any order, but bins are fewer if each counter's values come by time. A value
  // that is not finite only ends the one before it.
  void add(uint32_t counter, int64_t time_ns, double value);
  // Bins that ended before are taken away when there is no room.
  void forget_before(int64_t time_ns) { forget_ns_ = time_ns; }

  // Sorts by counter and time, and makes the levels. Then the calls below may be used, until the next clear().
  void build();

  // The coarsest at hand that is not coarser than `level`, or else the finest.
  CounterBinRange bins(uint32_t counter, uint32_t level) const;
  // The last bin that begins before; NULL if there is none. Logarithmic.
  const CounterBin* last_before(uint32_t counter, int64_t time_ns) const;

  uint32_t level() const { return level_; }  // of the finest bins; 0: each nanosecond has its own
  uint32_t count() const { return bins_.count; }
  uint64_t left_out() const { return left_out_; }      // values that found no room at all
  uint64_t not_finite() const { return not_finite_; }  // values that are no number
  const Array<CounterBin>& unsorted() const { return bins_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kMostLevels = 16;
  static constexpr uint32_t kFewBins = 32;  // no coarser level is needed below

  struct Level {
    uint32_t begin, count;
    uint32_t level;
  };

  bool make_room();
  uint32_t level_for(uint32_t most_bins) const;
  void sort();
  void build_levels(uint32_t counter);

  Array<CounterBin> bins_;
  Array<uint32_t> newest_;       // by counter: its last bin in bins_
  Array<CounterBin> sorted_;     // by counter: its bins by time; then all coarser levels
  Array<Level> levels_;          // kMostLevels of each counter
  Array<uint32_t> level_count_;  // by counter
  uint32_t level_ = 0;
  uint64_t left_out_ = 0;
  uint64_t not_finite_ = 0;
  int64_t forget_ns_ = INT64_MIN;
};

// All points of a capture, read once in the order of their times, a piece in each step: which counters
// there are, their values over all of the time, and the messages. A live capture is read on as it grows.

// The instants of a capture as a list, by time. When it is full, the oldest are left out, and counted.

struct Message {
  int64_t time_ns;
  uint32_t site, name, object;  // of the instant
  uint32_t lane_id;
  flamelet_lane_kind lane_kind;
};

class Messages {
 public:
  void carve(Carver* carver, uint32_t max_messages);
  void clear();

  // Replaces all from `begin_ns` on: first this, then each message in any order, then end_replacing().
  void begin_replacing(int64_t begin_ns);
  void add(const Message& message);
  void end_replacing();

  uint32_t count() const { return messages_.count; }
  const Message& operator[](uint32_t i) const { return messages_[i]; }
  uint64_t left_out() const { return left_out_; }  // older than the first one

  // The rows are the messages whose name or text matches; all of them without a filter. Looks only at what is new since
  // the call before, unless `anew`: the filter has changed.
  void update_rows(const flamelet_capture* capture, ScopeStyles* styles, std::string_view filter, bool anew);
  uint32_t row_count() const { return rows_.count; }
  const Message& row(uint32_t i) const { return messages_[rows_[i]]; }
  // The first row that is not before this time; row_count() if there is none.
  uint32_t row_at(int64_t time_ns) const;

 private:
  Array<Message> messages_;
  Array<uint32_t> rows_;        // positions in messages_
  uint32_t replaced_from_ = 0;  // while messages are replaced
  uint32_t rows_until_ = 0;     // messages before this have been looked at
  uint64_t left_out_ = 0;
};

class PointHistory {
 public:
  struct Limits {
    uint32_t counters;
    uint32_t bins;  // of all counters over all of the time
    uint32_t messages;
  };

  void carve(Carver* carver, const Limits& limits);
  void clear();

  // What came since the last round is to be read: again from a little earlier, because GPU queues and other sources
  // submit their points late.
  void begin_round(const flamelet_capture* capture);
  // Reads a piece of about this length. False if there is nothing more in this round.
  bool step(const flamelet_capture* capture, int64_t piece_ns);
  bool reading() const { return next_ns_ < end_ns_; }
  uint32_t points_read() const { return points_read_; }  // in the last step
  // All points before this time have been read, but for those that are submitted late.
  int64_t read_until_ns() const { return next_ns_; }

  CounterTable& counters() { return counters_; }
  const CounterTable& counters() const { return counters_; }
  uint32_t value_count() const { return bins_.count(); }  // of all counters, one by one or merged
  Messages& messages() { return messages_; }
  const Messages& messages() const { return messages_; }

  // For each counter its newest bin that begins before this time, or NULL. `bins` has room for all counters.
  void bins_before(int64_t time_ns, Array<const CounterBin*>* bins) const;

  // Free between two steps.
  Array<flamelet_point>& scratch() { return scratch_; }

 private:
  CounterTable counters_;
  CounterBins bins_;
  Messages messages_;
  Array<flamelet_point> scratch_;
  int64_t next_ns_ = INT64_MIN, end_ns_ = INT64_MIN;  // what this round has still to read
  int64_t again_ns_ = INT64_MIN;                      // up to which it reads again
  uint32_t points_read_ = 0;
  bool begun_ = false;
};

// Calls visit(info, lane) for the lanes on which each point stands once. A fiber's points stand on its threads' lanes, too.
template <typename Visit>
void for_each_source(const flamelet_capture* capture, Visit visit) {
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (flamelet_capture_lane(capture, lane, &info) && info.kind != FLAMELET_LANE_FIBER) visit(info, lane);
  }
}

// Point reader: each point of a lane in a window, however many they are: read in pieces, into a scratch array.

constexpr uint32_t kPointsAPiece = 2048;  // a usual size of the scratch array

// Calls visit(point) by time. `scratch` has room for FLAMELET_CURSOR_LEAST points or more.
template <typename Visit>
void for_each_point(const flamelet_capture* capture, size_t lane, TimeWindow window, Array<flamelet_point>* scratch,
                    Visit visit) {
  flamelet_point_cursor cursor;
  flamelet_point_cursor_start(&cursor, capture, lane, window.begin_ns, window.end_ns, scratch->data, scratch->capacity);
  while (flamelet_point_cursor_next(&cursor))
    for (size_t i = 0; i < cursor.count; ++i) visit(cursor.points[i]);
}

// The line of a counter as columns: one for each value, or for several that would stand too close
// together. It makes no ImGui call.

// Counter series: the values of all counters in the window that was read for the lanes, and what each counter had before
// it.

// A counter keeps its value until the next one.
struct HeldValue {
  int64_t time_ns = INT64_MIN;  // since when
  double value = 0;

  bool known() const { return time_ns != INT64_MIN; }
};

class CounterSeries {
 public:
  void carve(Carver* carver, uint32_t max_bins, uint32_t max_counters);
  void clear();

  // Counters that are new are added to the history's table.
  void read(const flamelet_capture* capture, TimeWindow window, PointHistory* history);
  // What the counters had before the window is known as far as the history has been read. Asks again where that was not
  // far enough, and now is.
  void complete(const flamelet_capture* capture, PointHistory* history);

  const CounterBins& bins() const { return bins_; }
  // Before the first value in bins().
  HeldValue held_before(uint32_t counter) const { return counter < held_.count ? held_[counter] : HeldValue(); }
  // At any time in the window. If it lies between the values of one bin: that bin's last one.
  HeldValue value_at(uint32_t counter, int64_t time_ns) const;
  // It has one value in all of this part of the window, as far as it is known.
  bool is_flat(uint32_t counter, TimeWindow view) const;
  TimeWindow window() const { return window_; }
  // Changes with every read.
  uint64_t generation() const { return generation_; }

 private:
  void find_held(const flamelet_capture* capture, PointHistory* history);

  CounterBins bins_;
  Array<HeldValue> held_;
  Array<const CounterBin*> before_;
  TimeWindow window_;
  bool held_known_ = false;
  uint64_t generation_ = 0;
};

// The line goes from the column before to x0 at that one's last value, then from `min` to `max` until x1, then on at
// `last`, unless that is no number. min > max: there is no number in it. Pixels from the left edge of the lanes.
struct CounterColumn {
  float x0, x1;
  double min, max, last;
};

// One counter's line. Where the first value in view is not the first one that is known, a column at x = 0 has the value
// before.
struct CounterLine {
  uint32_t counter = 0;
  uint32_t first = 0;  // columns
  uint32_t count = 0;
  uint32_t values_drawn = 0;               // with a column of their own
  uint64_t values_merged = 0;              // drawn + merged = all values in the columns that touch the view
  double min = INFINITY, max = -INFINITY;  // of the line in view; min > max if there is none
};

// The level at which bins are at most this wide.
uint32_t counter_level(View view, float width_px, float column_px);
// The time of the columns that touch the view, in which drawn + merged are counted.
TimeWindow counted_window(TimeWindow view, uint32_t level);

// At most so many columns lay_out_counter() makes at this level. Logarithmic.
uint32_t most_columns(const CounterSeries& series, uint32_t counter, View view, uint32_t level);

// Appends the columns. False if there was no room for all of them. At a finer level than that of the series, the columns
// are as wide as its bins.
bool lay_out_counter(const CounterSeries& series, uint32_t counter, View view, float width_px, uint32_t level,
                     Array<CounterColumn>* columns, CounterLine* line);

// What the height of a lane stands for: the values' range, and a twentieth of the largest value at least; from 0 if that is
// not far; never empty.
struct CounterAxis {
  double low = 0, high = 1;
  bool flat = false;  // there is but one value, in the middle

  // 0 at the bottom, 1 at the top.
  float place(double value) const { return static_cast<float>((value * 0.5 - low * 0.5) / (high * 0.5 - low * 0.5)); }
};
CounterAxis counter_axis(double min, double max);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_TABLE_H

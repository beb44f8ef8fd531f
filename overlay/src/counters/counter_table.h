// SPDX-License-Identifier: MIT
//
// counter_table.h: the counters that were met in a capture, by name, and which of them share a lane: those of one unit, and
// those that the user merged. The unit is the last word of the name, where it is one that is known: "memory MiB".
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_TABLE_H
#define FLAMELET_OVERLAY_SRC_COUNTER_TABLE_H

#include <string_view>

#include "content/hash_table.h"
#include "counters/counter_choices.h"
#include "draw/text_buffer.h"
#include "flamelet/capture.h"

namespace flamelet::ui {

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

struct Counter {
  uint32_t name = 0;  // flamelet_capture_string()
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
  void set_last(uint32_t counter, int64_t time_ns, double value);

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_TABLE_H

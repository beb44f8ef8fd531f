// SPDX-License-Identifier: MIT
//
// capture_builder_data.h: what a flamelet_capture_builder consists of. Events of other tools are written into pages, one
// open page for each lane, and the pages are handed to the capture as they fill, so that its own checks, limits and
// eviction hold here too.
#ifndef FLAMELET_SRC_CAPTURE_BUILDER_DATA_H
#define FLAMELET_SRC_CAPTURE_BUILDER_DATA_H

#include "capture/capture_data.h"
#include "flamelet/capture_builder.h"
#include "record/intern_table.h"

namespace flamelet {

// What becomes of the words of a lane before the capture takes them.
struct OpenPage {
  Page page;
  uint64_t open[FLAMELET_MAX_DEPTH];  // begin words, strings with the high ticks
  uint64_t strings[FLAMELET_MAX_DEPTH];
  uint64_t ticket;
  uint64_t now_ticks;
  uint64_t events;
  uint64_t too_deep;  // begins that were dropped and not ended yet
  uint32_t words;
  uint32_t depth;
  uint32_t name;
  uint32_t place;   // among the lanes of the capture
  uint32_t beside;  // the lane beside which it stands, if it stands beside one
  uint32_t number;  // of those beside each other; of the first one, how many there are beside it
  flamelet_lane_kind kind;
  bool nested;    // takes begins and ends; else whole spans
  bool in_order;  // of whole spans
};

// Time 0 in ticks of 1 ns, so that times before it are ticks too.
constexpr uint64_t kOriginTicks = uint64_t{1} << 62;

// NULL: there is none.
OpenPage* find_lane(flamelet_capture_builder* builder, uint32_t lane);
// What is on the page goes to the capture.
void hand_over(flamelet_capture_builder* builder, OpenPage* lane, bool closed);

}  // namespace flamelet

struct flamelet_capture_builder {
  flamelet_capture* capture;
  flamelet_allocator allocator;
  size_t bytes;
  flamelet_capture_builder_stats stats;
  uint64_t next_ticket;
  uint32_t max_lanes;
  uint32_t lane_count;
  uint32_t marking_thread;  // its id; 0 = nobody knows who marks the frames
  bool starts_at_zero;
  bool has_places;             // some lane stands elsewhere than where it was made
  flamelet::OpenPage** lanes;  // made one by one, as few traces have as many as the config allows
  uint32_t sets[FLAMELET_MAX_FRAME_SETS], set_count;  // of named frames: their names
  flamelet::InternTable strings;
  flamelet::InternTable sites;
};

#endif  // FLAMELET_SRC_CAPTURE_BUILDER_DATA_H

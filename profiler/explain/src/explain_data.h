// SPDX-License-Identifier: MIT
//
// explain_data.h: what lies in the caller's memory, and the steps of an explanation.
#ifndef FLAMELET_EXPLAIN_SRC_EXPLAIN_DATA_H
#define FLAMELET_EXPLAIN_SRC_EXPLAIN_DATA_H

#include "baseline.h"

struct flamelet_explain {
  flamelet_explain_config config;
  bool knows_main;
  uint32_t main_id;  // of its thread
  uint32_t random;
  int64_t usual_limit_ns;  // longer frames were unusual when the last one was explained
  // flamelet_explain_update() reads a frame once the capture has read so many events.
  uint64_t next_sample_events;
  flamelet::explain::PathTable paths;
  flamelet::explain::FrameLanes lanes;
  flamelet::explain::CriticalPath path{&lanes, &paths};
  flamelet::explain::Baseline baseline;
  flamelet_cause causes[FLAMELET_EXPLAIN_MAX_CAUSES];
  // While causes are looked for: the paths of the frame as a tree, each with its surplus.
  uint32_t* first_child;
  uint32_t* next_sibling;
  flamelet_state* states;  // FLAMELET_CURSOR_LEAST of them, for a cursor
};

namespace flamelet::explain {

// Only a damaged file has longer frames. Nobody who adds times of a shorter one has to think of overflow.
constexpr int64_t kLongestFrame = int64_t{1} << 53;  // 104 days

// The lane whose frames these are, kNoIndex if no thread has a scope in them.
uint32_t find_main_lane(flamelet_explain* explain, const flamelet_capture* capture, size_t position);

// Fills in causes, and what they leave, from the critical path that was walked last and the frames that were picked.
void find_causes(flamelet_explain* explain, const flamelet_capture* capture, const Usual& usual,
                 flamelet_explanation* why);

// Notes what frames before say of one at this position by their length alone: a period, a growth.
void note_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position, flamelet_explanation* why);

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_EXPLAIN_DATA_H

// SPDX-License-Identifier: MIT
//
// thread_states.h: what the threads did at each moment: the edge above each thread's lane, and the lane of the processors.
// Both are read from the capture when the view has moved, and take as many rectangles as there is room for, whatever the zoom.
#ifndef FLAMELET_OVERLAY_SRC_THREAD_STATES_H
#define FLAMELET_OVERLAY_SRC_THREAD_STATES_H

#include "draw/theme.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

struct Frame;
class Canvas;
struct Content;
struct Lane;

struct LanesPage;

struct StateBlocks {
  // What blocks depend on.
  struct Key {
    uint64_t spans = UINT64_MAX;  // SpanStore::generation()
    View view;
    float width = 0;
    uint64_t lanes = 0;  // a hash of those in sight

    bool operator==(const Key& other) const {
      return spans == other.spans && view == other.view && width == other.width && lanes == other.lanes;
    }
  };

  Array<TimeBlock> edges;       // row: index of the lane; value: flamelet_state_kind
  Array<TimeBlock> processors;  // row: number of the processor; value: the lane in the capture, or FLAMELET_BY_*
  Key edges_key, processors_key;
  float edge_column_px = 0, processor_column_px = 0;  // how wide the columns had to be
  uint32_t processor_count = 0;  // with the highest number that had a run, since the capture was chosen
  Array<TimeColumns> rows;       // of processors, and the next two: to read with
  Array<flamelet_state> states;
  Array<flamelet_processor_run> runs;

  void carve(Carver* carver);
  void clear();
};

// ---- Edges

// Above each thread's lane in sight. `y` is where the lanes' content begins.
void draw_state_edges(Content& content, Frame& frame, LanesPage& page, Canvas& canvas, float y, float clip_top,
                      float clip_bottom);

// As they are told: what is not known comes last.
constexpr flamelet_state_kind kStatesInOrder[] = {FLAMELET_STATE_RUNNING, FLAMELET_STATE_TAKEN_OFF,
                                                  FLAMELET_STATE_ASLEEP, FLAMELET_STATE_UNKNOWN};
inline bool knows_states(const flamelet_state_times& times) {
  return times.ns[FLAMELET_STATE_RUNNING] + times.ns[FLAMELET_STATE_TAKEN_OFF] + times.ns[FLAMELET_STATE_ASLEEP] != 0;
}

// By flamelet_state_kind.
const char* state_name(uint32_t kind);

// Tooltips: over the edge at this time; of a scope's time.
void show_state(Content& content, const Frame& frame, LanesPage& page, const Lane& lane);
void show_span_states(Content& content, LanesPage& page, const Lane& lane, TimeWindow span, float column);

// ---- Processors

// The colour that a thread has on its processors, and beside its label.
Rgb thread_color(const Content& content, const Lane& lane);
// Before the lanes are placed. Reads nothing while the lane is hidden or folded.
void lay_out_processors(Content& content, const Frame& frame, LanesPage& page);
// If it stays at the top, or scrolls.
void draw_processors(const Content& content, Frame& frame, LanesPage& page, Canvas& canvas, float x, float y,
                     float clip_top, float clip_bottom, bool stays);
// Tooltips: over the lane, and over its label.
void show_processor(Content& content, const Frame& frame, LanesPage& page, const Lane& lane);
void show_processors_lane(const Content& content, const Frame& frame);

// Run times: how long a thread ran in the chosen frames, had no processor, and slept.

// As rows of the tooltip of a lane's label; its states, where they are known, with their colours.
void show_run_times(const Content& content, const Frame& frame, const Lane& lane, float column);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_THREAD_STATES_H

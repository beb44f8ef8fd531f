// SPDX-License-Identifier: MIT
//
// scope_page.h: the page Scope: all that is known of the selected scope: its calls in the shown frames or in all that is kept,
// and its time in each frame. Reading and working out go on a piece in each frame of the overlay.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_PAGE_H
#define FLAMELET_OVERLAY_SRC_SCOPE_PAGE_H

#include "bars/frame_bars.h"
#include "content/range_statistics.h"
#include "pages/pages.h"
#include "pages/scope/scope_figures.h"

namespace flamelet::ui {

struct ScopePage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override;
  void reset(PageContext&) override { forget(); }
  bool reading(const PageContext& o) const override;
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  ScopeInstances instances;
  ScopeSummary summary;
  ScopeFrames frames;

  bool begun = false;   // for the scope of `frames`
  uint32_t object = 0;  // that was selected with it
  bool on_gpu = false;  // the same
  CallChoice calls;     // what all of it is about
  bool history = false;
  TimeWindow asked;         // what the instances were read for
  FrameRange asked_frames;  // the frames that were shown then
  FrameRange figured;       // those of the summary
  Refresh refresh;
  double next_summary_s = 0, next_frame_figures_s = 0;  // ImGui time
  uint32_t marks = 0;        // number of the newest summary: frames with a call in the chosen range are marked with it
  uint32_t shown_marks = 0;  // of the one that is shown
  uint32_t frames_marked = 0, marked_frames = 0;  // by the newest summary, and by the one that is shown
  bool summed_early = false;                      // the newest one began before all frames were read

  // The range of durations that the user dragged.
  DurationRange chosen;
  bool dragging = false;
  double drag_from = 0;  // share of the axis

  // What is typed as its budget.
  double typed_ms = 0;
  bool typing = false;
  bool focus_budget = false;  // in the next frame

  // The pictures.
  uint32_t bars_fit = 64;  // of the histogram, in its width
  ScopeGraph sums;         // of its time in each frame
  Array<Bar> graph_bars;

  void forget();
};

// Gives the selected scope a row in the HUD, or takes it away. Nothing without a selected scope or without room.
void pin_selected_scope(Content& content, Choice& choice);

// From now on it is about these calls of the selected scope.
void choose_calls(PageContext& o, CallChoice calls);

// To the next (+1) or previous (-1) call in the chosen range: selects it, and shows its frame. False without a range.
bool step_chosen_call(PageContext& o, int direction);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_PAGE_H

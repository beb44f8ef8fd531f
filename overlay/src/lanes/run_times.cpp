// SPDX-License-Identifier: MIT
#include "lanes/run_times.h"

#include <algorithm>

#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "lanes/thread_states.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

// A row for each state, known or not: they are the legend of the edge, too.
bool show_state_times(Overlay& o, const Lane& lane, float column) {
  const TimeWindow shown = o.timeline.shown_window();
  flamelet_state_times times;
  if (!flamelet_capture_state_times(o.capture, lane.capture_lane, shown.begin_ns, shown.end_ns, &times)) return false;
  FixedText<64> text;
  for (const uint32_t kind : kStatesInOrder) {
    if (kind == FLAMELET_STATE_UNKNOWN && times.ns[kind] == 0) continue;
    text.clear();
    text.add_time(times.ns[kind]);
    name_line(o, state_name(kind), state_color(kind));
    ImGui::SameLine(column);
    ImGui::TextUnformatted(text.c_str());
  }
  return true;
}

}  // namespace

RunSums sum_run_times(const flamelet_capture* capture, uint32_t lane, FrameRange range) {
  RunSums sums = {};
  sums.known = UINT32_MAX;
  flamelet_frame_info frame;
  flamelet_thread_time time;
  size_t position = range.valid ? flamelet_capture_find_frame(capture, range.first) : SIZE_MAX;
  for (; flamelet_capture_frame(capture, position, &frame) && frame.index <= range.last; ++position) {
    if (!flamelet_capture_thread_time(capture, position, lane, &time)) continue;
    ++sums.frames;
    sums.known &= time.known;
    sums.ran_ns += time.ran_ns;
    sums.ready_ns += time.ready_ns;
    sums.blocked_ns += std::max<int64_t>(frame.end_ns - frame.begin_ns - time.ran_ns - time.ready_ns, 0);
    sums.switches += time.switches;
    sums.major_faults += time.major_faults;
    sums.minor_faults += time.minor_faults;
  }
  if (sums.frames == 0) sums.known = 0;
  return sums;
}

void show_run_times(Overlay& o, const Lane& lane, float column) {
  if (lane.kind != FLAMELET_LANE_THREAD) return;
  const RunSums sums = sum_run_times(o.capture, lane.capture_lane, o.timeline.shown());
  const bool has_states = show_state_times(o, lane, column);
  const bool has_ran = (sums.known & FLAMELET_TIME_RAN) != 0, has_ready = (sums.known & FLAMELET_TIME_READY) != 0;
  FixedText<64> text;
  const auto row = [&](const char* name, int64_t ns) {
    text.clear();
    text.add_time(ns);
    tooltip_row(name, text.view(), column);
  };
  if (!has_ran && !has_states) return tooltip_row("ran", "unknown", column);
  if (has_ran && !has_states) row("ran", sums.ran_ns);
  if (has_ready) row("no processor", sums.ready_ns);
  if (has_ran && !has_states) row(has_ready ? "blocked" : "did not run", sums.blocked_ns);
  const auto count_row = [&](uint32_t known, const char* name, uint64_t count, const char* what) {
    if ((sums.known & known) == 0) return;
    text.clear();
    text.add_grouped(count).add(what);
    tooltip_row(name, text.view(), column);
  };
  count_row(FLAMELET_TIME_SWITCHES, "switches", sums.switches, "");
  if (sums.major_faults != 0) count_row(FLAMELET_TIME_MAJOR_FAULTS, "from disk", sums.major_faults, " page faults");
  if (sums.minor_faults != 0) count_row(FLAMELET_TIME_MINOR_FAULTS, "new memory", sums.minor_faults, " page faults");
}

}  // namespace flamelet::ui

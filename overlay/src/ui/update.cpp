// SPDX-License-Identifier: MIT
#include "ui/update.h"

#include <string.h>

#include <algorithm>
#include <chrono>

#include "imgui.h"

namespace flamelet::ui {

namespace {

constexpr double kRefreshSeconds = 0.1;     // lanes that change with every frame cannot be read
constexpr double kNumbersSeconds = 0.25;    // and digits even less
constexpr uint32_t kMostBehind = 6;         // frames that the live view may lie behind, to wait for the GPU
constexpr uint32_t kZonesPerFrame = 12000;  // of the statistics' reading: a frame of a game goes in at once
constexpr uint32_t kNumbersFrames = 300;    // frames that the percentiles stand on

uint64_t session_of(const flamelet_capture* capture) {
  const flamelet_clock clock = flamelet_capture_clock(capture);
  return clock.origin_ticks * 31 + clock.origin_unix_ns + 1;
}

// What the recorder says of the live game; it has nothing to say of another capture.
void update_recorder_numbers(Overlay& o) {
  flamelet_stats recorder;
  flamelet_get_stats(&recorder);
  o.dropped = recorder.dropped_no_track + recorder.dropped_no_page + recorder.dropped_depth + recorder.dropped_nested +
              recorder.dropped_fiber + recorder.dropped_frame + recorder.dropped_submit;
  if (recorder.frames > o.last_frames && recorder.events_recorded >= o.last_events && o.last_frames != 0)
    o.stats.scopes_per_frame = (recorder.events_recorded - o.last_events) / (recorder.frames - o.last_frames) / 2;
  o.last_frames = recorder.frames;
  o.last_events = recorder.events_recorded;
  if (!(o.stats.scope_ns > 0)) o.stats.scope_ns = flamelet_measure_scope_ns();
}

}  // namespace

int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void reset_content(Overlay& o) {
  o.session = session_of(o.capture);
  o.timeline.reset(o.capture, o.files.standing);
  o.store.clear(true);
  o.looks.reset(o.capture, o.filter);
  o.statistics.clear();
  o.statistics_stale = true;
  o.gpu.reset();
  o.calls.range.reset();
  reset_calls(o);
  o.selected = SelectedSpan();
  o.scope = SelectedScope();
  o.link_id = 0;
  o.measure_begin_ns = o.measure_end_ns = 0;
  o.next_refresh_s = o.next_statistics_s = o.next_numbers_s = 0;
  o.last_events = o.last_frames = 0;
  o.stats.scope_ns = 0;
  o.stats.scopes_per_frame = 0;
  o.bars_scroll = 0;
  o.bars_dragging = false;
}

void update_numbers(Overlay& o) {
  if (o.files.standing)
    o.dropped = 0;
  else
    update_recorder_numbers(o);

  flamelet_capture_stats capture;
  flamelet_capture_get_stats(o.capture, &capture);
  o.lost = capture.events_lost;
  o.evicted = capture.events_evicted;
  TimeWindow extent;
  o.oldest_ns =
      flamelet_capture_extent(o.capture, &extent.begin_ns, &extent.end_ns) ? extent.end_ns - extent.begin_ns : 0;

  const size_t count = flamelet_capture_frame_count(o.capture);
  o.durations.clear();
  for (size_t i = count - std::min<size_t>(count, kNumbersFrames); i < count; ++i) {
    flamelet_frame_info frame;
    if (flamelet_capture_frame(o.capture, i, &frame)) o.durations.push(frame.end_ns - frame.begin_ns);
  }
  // The HUD's frame time is the mean of the frames since the last time: single ones only flicker.
  const uint32_t recent = std::min(o.durations.count, 15u);
  int64_t sum_ns = 0;
  for (uint32_t i = o.durations.count - recent; i < o.durations.count; ++i) sum_ns += o.durations[i];
  o.hud_frame_ns = recent != 0 ? sum_ns / recent : 0;
  o.frame_times = flamelet_summarize_durations(o.durations.data, o.durations.count);
}

void update_capture(Overlay& o) {
  if (o.updated_frame == ImGui::GetFrameCount()) return;
  o.updated_frame = ImGui::GetFrameCount();
  poll_file_job(o);
  const int64_t start_ns = steady_ns();
  const double now_s = ImGui::GetTime();
  const bool paused = o.timeline.paused();
  // Not under the hands of the thread that saves it. The ring holds what comes meanwhile.
  if (o.live && !paused && o.files.job.task() != FileTask::kSave) flamelet_capture_update(o.files.own);
  if (session_of(o.capture) != o.session) reset_content(o);
  if (now_s >= o.next_refresh_s && (!paused || !o.timeline.selected().valid)) {
    o.next_refresh_s = now_s + kRefreshSeconds;
    o.gpu.update(o.capture, &o.statistics.scratch());
    o.timeline.follow(o.gpu.newest_frame(), kMostBehind);
  }
  if (now_s >= o.next_numbers_s && !paused) {
    o.next_numbers_s = now_s + kNumbersSeconds;
    update_numbers(o);
  }
  o.capture_ns_now += steady_ns() - start_ns;
}

void update_spans(Overlay& o) {
  if (o.filter_stale) {
    o.looks.reset(o.capture, o.filter);
    o.statistics_stale = true;
  }
  const TimeWindow view = window_of(o.timeline.view());
  const TimeWindow have = o.store.window();
  const int64_t length_ns = view.end_ns - view.begin_ns;
  // Spans and lanes that found no room may find it in a narrower window.
  const bool full = o.store.left_out() != 0 || o.store.lanes_left_out() != 0;
  const bool coarse = full && length_ns < (have.end_ns - have.begin_ns) / 2;
  const uint64_t version = flamelet_capture_version(o.capture);
  // Frames that are over do not change any more; only the view's moving along makes a new version worth reading.
  const bool moved = !o.store.covers(view) || coarse;
  const bool late = version != o.read_version && o.timeline.paused();
  if (moved || late) {
    const int64_t start_ns = steady_ns();
    const int64_t margin_ns = o.timeline.paused() && !coarse ? length_ns / 2 : 0;
    o.store.read(o.capture, {view.begin_ns - margin_ns, view.end_ns + margin_ns});
    // What found no room must not be what is in view, for the sake of a margin.
    if (margin_ns != 0 && (o.store.left_out() != 0 || o.store.lanes_left_out() != 0)) o.store.read(o.capture, view);
    o.read_version = version;
    o.capture_ns_now += steady_ns() - start_ns;
    o.filter_stale = true;
  }
  if (o.filter_stale && o.filter[0] != 0)
    o.store.count_filter_matches(
        [&o](const flamelet_span& span) { return o.looks.look(span.site, span.name).matches; });
  o.filter_stale = false;
}

void update_statistics(Overlay& o) {
  const bool filtered = o.filter[0] != 0;
  if (!filtered && !o.scope.valid && o.tab != Tab::kTable) return;
  const TimeWindow measured = {o.measure_begin_ns, o.measure_end_ns};
  const TimeWindow range = measured.end_ns > measured.begin_ns ? measured : o.timeline.shown_window();
  const TimeWindow have = o.statistics.range();
  const bool changed = range.begin_ns != have.begin_ns || range.end_ns != have.end_ns ||
                       o.statistics_version != flamelet_capture_version(o.capture);
  const double now_s = ImGui::GetTime();
  // Live, a reading that is under way goes on: frames that come meanwhile must not keep it from ever being shown.
  const bool due = o.timeline.paused() || (now_s >= o.next_statistics_s && !o.statistics.reading());
  const bool begin = o.statistics_stale || (changed && due);
  if (!begin && !o.statistics.reading()) return;
  const int64_t start_ns = steady_ns();
  if (begin) {
    o.statistics.begin(o.capture, range, &o.looks, filtered);
    o.statistics_stale = false;
    o.statistics_version = flamelet_capture_version(o.capture);
    o.next_statistics_s = now_s + kNumbersSeconds;
  }
  o.statistics.step(kZonesPerFrame);
  o.capture_ns_now += steady_ns() - start_ns;
}

void set_filter(Overlay& o, std::string_view text) {
  const size_t size = std::min(text.size(), sizeof o.filter - 1);
  if (size != 0) memmove(o.filter, text.data(), size);  // no text has no address
  o.filter[size] = 0;
  o.filter_stale = true;
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
#include "shell/update.h"

#include <algorithm>
#include <string_view>

#include "draw/scope_styles.h"
#include "imgui.h"
#include "lanes/lanes_page.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kPointsNs = 300000;  // of a frame, for reading points
constexpr int64_t kShortestPieceNs = 1000000, kLongestPieceNs = 10000000000;
constexpr int64_t kMostPieces = 1024;    // about, if each is as long as it may be
constexpr double kRefreshSeconds = 0.1;  // lanes that change with every frame cannot be read
constexpr uint32_t kMostBehind = 6;      // frames that the live view may lie behind, to wait for the GPU

uint64_t session_of(const flamelet_capture* capture) {
  const flamelet_clock clock = flamelet_capture_clock(capture);
  return clock.origin_ticks * 31 + clock.origin_unix_ns + 1;
}

// What is new since the last round of reading the points.
void begin_points(Content& content) {
  const uint64_t version = flamelet_capture_version(content.capture);
  if (content.points.reading() || version == content.reading.points_version) return;
  content.reading.points_version = version;
  content.points.begin_round(content.capture);
}

// For a fraction of a millisecond in each frame.
void update_points(Content& content) {
  const int64_t begin_ns = steady_ns();
  int64_t now_ns = begin_ns;
  // One stray event makes a trace decades long.
  TimeWindow extent;
  int64_t longest_ns = kLongestPieceNs;
  if (flamelet_capture_extent(content.capture, &extent.begin_ns, &extent.end_ns))
    longest_ns = std::max(longest_ns, extent.end_ns / kMostPieces - extent.begin_ns / kMostPieces);
  while (content.points.reading() && now_ns - begin_ns < kPointsNs) {
    const int64_t step_ns = now_ns;
    content.points.step(content.capture, content.reading.piece_ns);
    now_ns = steady_ns();
    if (now_ns - step_ns < kPointsNs / 8)
      content.reading.piece_ns = std::min(content.reading.piece_ns * 2, longest_ns);
    else if (now_ns - step_ns > kPointsNs / 2)
      content.reading.piece_ns = std::max(content.reading.piece_ns / 2, kShortestPieceNs);
  }
}

// Frames of a file may be a million: they come in step by step.
void update_frame_levels(Overlay& o) {
  constexpr size_t kFramesPerFrame = 20000;
  FrameLevels& levels = o.history.levels;
  const size_t count = flamelet_capture_frame_count(o.capture);
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(o.capture, count - 1, &frame) || frame.index < levels.next_index()) return;
  size_t first = flamelet_capture_find_frame(o.capture, levels.next_index());
  for (size_t i = first != SIZE_MAX ? first : 0, taken = 0; i < count && taken < kFramesPerFrame; ++i) {
    if (!flamelet_capture_frame(o.capture, i, &frame) || frame.index < levels.next_index()) continue;
    levels.add(frame.index, frame.end_ns - frame.begin_ns);
    ++taken;
  }
}

// The new ones, so many in a frame.
void tell_names(Overlay& o) {
  constexpr size_t kNamesPerFrame = 1u << 16;
  const OverlayHost& host = o.files.host;
  if (host.needs_characters == nullptr) return;
  const size_t count = flamelet_capture_string_count(o.capture);
  size_t& told = o.reading.names_told;
  for (const size_t end = std::min(count, told + kNamesPerFrame); told < end; ++told) {
    const std::string_view name = view_of(flamelet_capture_string(o.capture, static_cast<uint32_t>(told)));
    if (std::any_of(name.begin(), name.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }))
      host.needs_characters(host.user, name.data(), name.size());
  }
}

}  // namespace

Hold::~Hold() {
  if (!o_.files.shared) return;
  const bool holds = (o_.live() && o_.timeline.paused()) || o_.files.job.task() == FileTask::kSave;
  if (holds != o_.files.holds) flamelet_capture_hold(o_.own, holds);
  o_.files.holds = holds;
}

void reset_content(Overlay& o) {
  o.reading.session = session_of(o.capture);
  o.reading.names_told = 0;
  o.timeline.reset(o.capture, o.standing);
  o.store.clear(true);
  o.series.clear();
  o.points.clear();
  o.reading.points_version = UINT64_MAX;
  o.styles.reset(o.capture, o.filter.text);
  o.statistics.clear();
  o.statistics_refresh = Refresh();
  o.gpu.reset();
  o.selection.clear();
  o.reading.next_s = 0;
  o.numbers.next_s = 0;
  o.costs.reset();
  o.costs_refresh = Refresh();
  o.history.reset();
  o.pages.reset(o);
  o.hud.reset();
}

TimeWindow wanted_range(const Overlay& o, bool whole_history) {
  const TimeWindow shown = o.timeline.shown_window();
  if (!whole_history) return o.selection.measures() ? o.selection.measured : shown;
  TimeWindow extent;
  if (!flamelet_capture_extent(o.capture, &extent.begin_ns, &extent.end_ns)) return {};
  TimeWindow saved;  // of a file's whole pages, what it was saved for
  if (flamelet_capture_window(o.capture, &saved.begin_ns, &saved.end_ns)) {
    extent.begin_ns = std::max(extent.begin_ns, saved.begin_ns);
    extent.end_ns = std::max(extent.begin_ns, std::min(extent.end_ns, saved.end_ns));
  }
  // While it runs, up to the frames that are whole: what comes later would be missed.
  if (o.live() && !o.timeline.paused() && shown.end_ns > shown.begin_ns) extent.end_ns = shown.end_ns;
  return extent;
}

void update_capture(Overlay& o) {
  if (o.reading.frame == ImGui::GetFrameCount()) return;
  const bool was_off = o.reading.frame + 1 != ImGui::GetFrameCount();
  o.reading.frame = ImGui::GetFrameCount();
  o.notes.begin_frame(o.reading.frame);
  poll_file_job(o);
  const CaptureTime time(o.numbers);
  const double now_s = ImGui::GetTime();
  const bool paused = o.timeline.paused();
  // Not under the hands of the thread that saves it. The ring holds what comes meanwhile.
  const bool reads = o.live() && !paused && o.files.job.task() != FileTask::kSave;
  if (reads) {
    flamelet_capture_update(o.own);
    o.numbers.count_losses(o.own, o.reading.away || was_off);
  }
  o.reading.away = !reads;
  if (session_of(o.capture) != o.reading.session) reset_content(o);
  tell_names(o);
  update_frame_levels(o);
  if (Refresh::is_over(o.reading.next_s, now_s) && (!paused || !o.timeline.selected().valid)) {
    o.reading.next_s = now_s + kRefreshSeconds;
    o.gpu.update(o.capture, &o.statistics.scratch());
    o.timeline.follow(o.gpu.newest_frame(), kMostBehind);
    begin_points(o);
  }
  if (paused) begin_points(o);
  update_points(o);
  if (Refresh::is_over(o.numbers.next_s, now_s) && !paused) {
    o.numbers.next_s = now_s + Refresh::kSeconds;
    o.numbers.update(o.capture, !o.standing);
  }
}

void update_spans(Overlay& o) {
  if (o.filter.stale) {
    o.styles.reset(o.capture, o.filter.text);
    o.statistics_refresh.stale = true;
  }
  const TimeWindow view = window_of(o.timeline.view());
  const TimeWindow have = o.store.window();
  const int64_t length_ns = view.end_ns - view.begin_ns;
  // Spans and lanes that found no room may find it in a narrower window.
  const bool full =
      o.store.left_out() != 0 || o.store.lanes_left_out() != 0 ||
      o.series.bins().level() > counter_level(o.timeline.view(), std::max(lanes_of(o).canvas.width, 1.0f), 2);
  const bool coarse = full && length_ns < (have.end_ns - have.begin_ns) / 2;
  const uint64_t version = flamelet_capture_version(o.capture);
  // Frames that are over do not change any more; only the view's moving along makes a new version worth reading.
  const bool moved = !o.store.covers(view) || coarse;
  const bool late = version != o.reading.store_version && o.timeline.paused();
  const bool other_counters = o.points.counters().version() != o.reading.counters_version;
  if (moved || late || other_counters) {
    const CaptureTime time(o.numbers);
    const int64_t margin_ns = o.timeline.paused() && !coarse ? length_ns / 2 : 0;
    const TimeWindow wide = {view.begin_ns - margin_ns, view.end_ns + margin_ns};
    o.series.read(o.capture, wide, &o.points);
    o.reading.counters_version = o.points.counters().version();
    o.store.read(o.capture, wide);
    // What found no room must not be what is in view, for the sake of a margin.
    if (margin_ns != 0 && (o.store.left_out() != 0 || o.store.lanes_left_out() != 0)) o.store.read(o.capture, view);
    o.lane_choices.arrange(&o.store.lanes());
    o.reading.store_version = version;
    o.filter.stale = true;
  }
  o.series.complete(o.capture, &o.points);
  if (o.filter.stale && o.filter.active())
    o.store.find_filter_matches([&o](const LaneSpan& span) { return o.styles.of(key_of(span)).matches; });
  o.filter.stale = false;
}

void update_statistics(Overlay& o, bool all_rows) {
  const bool filtered = o.filter.active();
  o.selection.objects_apart = o.settings.objects_apart;
  const bool wanted = filtered || o.selection.scope.valid || all_rows;
  if (!wanted && !o.statistics.reading()) return;
  const TimeWindow range = o.selection.measures() ? o.selection.measured : o.timeline.shown_window();
  const uint64_t version = flamelet_capture_version(o.capture);
  const double now_s = ImGui::GetTime();
  const bool other = range != o.statistics.range() || o.settings.objects_apart != o.statistics.objects_apart();
  const bool begin =
      wanted && o.statistics_refresh.due(other, version, o.timeline.paused(), o.statistics.reading(), now_s);
  if (!begin && !o.statistics.reading()) return;
  const CaptureTime time(o.numbers);
  if (begin) {
    o.statistics.begin(o.capture, range, &o.styles, filtered, o.settings.objects_apart);
    o.statistics_refresh.begin(version, now_s);
  }
  o.statistics.step(Refresh::kZonesPerFrame);
}

void update_costs(Content& content) {
  if (content.standing) return;
  flamelet_frame_info frame = {};
  const size_t position = flamelet_capture_frame_at(content.capture, content.timeline.shown_window().end_ns - 1);
  if (!flamelet_capture_frame(content.capture, position, &frame)) return;
  const TimeWindow window = {frame.begin_ns, frame.end_ns};
  const uint64_t version = flamelet_capture_version(content.capture);
  const double now_s = ImGui::GetTime();
  const bool begin = content.costs_refresh.due(window != content.costs.frame(), version, content.timeline.paused(),
                                               content.costs.reading(), now_s);
  if (!begin && !content.costs.reading()) return;
  const CaptureTime time(content.numbers);
  if (begin) {
    content.costs.begin(content.capture, window);
    content.costs_refresh.begin(version, now_s);
  }
  if (!content.costs.step(&content.statistics.scratch(), Refresh::kZonesPerFrame)) return;
  OverlayStats& stats = content.numbers.stats;
  for (uint32_t i = 0; i < FLAMELET_SCOPE_KINDS; ++i) {
    stats.scopes[i] = content.costs.count(static_cast<flamelet_scope_kind>(i));
    stats.scope_ns[i] = content.costs.price_ns(static_cast<flamelet_scope_kind>(i));
  }
  stats.recording_ns = content.costs.total_ns();
}

bool is_reading(const Overlay& o) {
  if (o.points.reading() || o.statistics.reading()) return true;
  return o.files.job.task() != FileTask::kNone || o.hitches.reason.id() != 0 || o.pages.reading(o);
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
#include "shell/overlay_state.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <algorithm>
#include <new>
#include <string_view>

#include "draw/canvas.h"
#include "draw/theme.h"
#include "draw/widgets.h"
#include "flamelet/overlay.h"
#include "imgui.h"
#include "input/actions.h"
#include "input/input_compat.h"
#include "lanes/lanes_page.h"
#include "pages/calls_view.h"
#include "pages/why/why_page.h"
#include "platform/system.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kPointsNs = 300000;  // of a frame, for reading points
constexpr int64_t kShortestPieceNs = 1000000, kLongestPieceNs = 10000000000;
constexpr uint32_t kFewPoints = 256;        // the next piece is a longer one
constexpr int64_t kMostPointPieces = 1024;  // about, if each is as long as it may be
constexpr double kRefreshSeconds = 0.1;     // lanes that change with every frame cannot be read
constexpr uint32_t kMostBehind = 6;         // frames that the live view may lie behind, to wait for the GPU

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
    longest_ns = std::max(longest_ns, extent.end_ns / kMostPointPieces - extent.begin_ns / kMostPointPieces);
  while (content.points.reading() && now_ns - begin_ns < kPointsNs) {
    const int64_t step_ns = now_ns;
    content.points.step(content.capture, content.reading.piece_ns);
    now_ns = steady_ns();
    // To find the first point of many lanes takes long however short the piece is.
    if (now_ns - step_ns < kPointsNs / 8 || content.points.points_read() < kFewPoints)
      content.reading.piece_ns = std::min(content.reading.piece_ns * 2, longest_ns);
    else if (now_ns - step_ns > kPointsNs / 2)
      content.reading.piece_ns = std::max(content.reading.piece_ns / 2, kShortestPieceNs);
  }
}

// Frames of a file may be a million: they come in step by step.
void update_frame_levels(Content& content) {
  constexpr size_t kFramesPerFrame = 20000;
  FrameLevels& levels = content.history.levels;
  const size_t count = flamelet_capture_frame_count(content.capture);
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(content.capture, count - 1, &frame) || frame.index < levels.next_index()) return;
  // What is saved while the game is paused brings newer frames in; the bars stay as they were with all else.
  const FrameRange chosen = content.timeline.selected();
  if (content.live() && content.timeline.paused() && chosen.valid && chosen.last < levels.next_index()) return;
  size_t first = flamelet_capture_find_frame(content.capture, levels.next_index());
  for (size_t i = first != SIZE_MAX ? first : 0, taken = 0; i < count && taken < kFramesPerFrame; ++i) {
    if (!flamelet_capture_frame(content.capture, i, &frame) || frame.index < levels.next_index()) continue;
    levels.add(frame.index, frame.end_ns - frame.begin_ns);
    ++taken;
  }
}

// The new ones, so many in a frame.
void tell_names(Content& content, const CaptureFiles& files) {
  constexpr size_t kNamesPerFrame = 1u << 16;
  const OverlayHost& host = files.host;
  if (host.needs_characters == nullptr) return;
  const size_t count = flamelet_capture_string_count(content.capture);
  size_t& told = content.reading.names_told;
  for (const size_t end = std::min(count, told + kNamesPerFrame); told < end; ++told) {
    const std::string_view name = view_of(flamelet_capture_string(content.capture, static_cast<uint32_t>(told)));
    if (std::any_of(name.begin(), name.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }))
      host.needs_characters(host.user, name.data(), name.size());
  }
}

// Where the overlay's window stands in the program's.

constexpr float kLeastViewportPx = 64;
constexpr float kWindowShare = 0.72f;  // of the viewport's height, at first

// A smaller viewport is one that is being minimised.
bool usable(const ImGuiViewport& viewport) {
  return viewport.WorkSize.x >= kLeastViewportPx && viewport.WorkSize.y >= kLeastViewportPx;
}

// When the program's window changes its size, the overlay keeps its share of it: ImGui would leave it as it was, with its
// right side out of sight. And from an edge or full screen it comes `back` to where it was. Called before the overlay's
// window begins; false if there is nothing to do.
bool restore_place(const WindowState& window, const ImGuiViewport& viewport, bool back) {
  const ImVec2 now = viewport.WorkSize;
  const WindowPlace& last = window.free_place;
  if (!last.inside || !usable(viewport)) return false;
  if (!back && now.x == last.viewport_width && now.y == last.viewport_height) return false;
  const float x = now.x / last.viewport_width;
  const float y = now.y / last.viewport_height;
  const auto rounded = [](float value) { return whole(value + 0.5f); };
  ImGui::SetNextWindowPos(ImVec2(viewport.WorkPos.x + rounded(last.x * x), viewport.WorkPos.y + rounded(last.y * y)));
  ImGui::SetNextWindowSize(ImVec2(rounded(last.width * x), rounded(last.height * y)));
  return true;
}

// At the top or the bottom, or over all of the viewport.
void place_at_edge(const Settings& settings, const Frame& frame, const ImGuiViewport& viewport,
                   WindowPlaceChoice choice) {
  const float least = 8 * row_height(frame);
  const float wanted = whole(viewport.WorkSize.y * settings.place_percent * 0.01f);
  const float height = choice == WindowPlaceChoice::kFullScreen
                           ? viewport.WorkSize.y
                           : std::min(std::max(wanted, least), viewport.WorkSize.y);
  const float y = choice == WindowPlaceChoice::kBottom ? viewport.WorkSize.y - height : 0;
  ImGui::SetNextWindowPos(ImVec2(viewport.WorkPos.x, viewport.WorkPos.y + y));
  ImGui::SetNextWindowSize(ImVec2(viewport.WorkSize.x, height));
}

void* capture_allocate(void* user, size_t size, size_t alignment) {
  OverlayMemory& memory = *static_cast<OverlayMemory*>(user);
  if (memory.rest == nullptr) return allocate_block(memory.allocator, size);
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory.rest);
  const size_t padding = (alignment - address % alignment) % alignment;
  if (padding + size > memory.rest_bytes) return nullptr;
  char* taken = memory.rest + padding;
  memory.rest = nullptr;
  return taken;
}

void capture_free(void* user, void* memory, size_t size, size_t) {
  const OverlayMemory& overlay = *static_cast<OverlayMemory*>(user);
  const char* block = static_cast<char*>(overlay.block);
  const char* at = static_cast<char*>(memory);
  if (at < block || at >= block + overlay.block_bytes) release_block(overlay.allocator, memory, size);
}

// It has frame marks: what was read is of its lanes, or a switch of a thread, or a mark.
bool has_marks(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  uint64_t others = stats.switches_held + stats.switches_evicted;
  flamelet_lane_info lane;
  for (size_t i = 0; flamelet_capture_lane(capture, i, &lane); ++i) others += lane.events_read;
  return stats.events_read > others;
}

// How a trace without frame marks gets some: by the menu, where it can, or as the command takes it.
void draw_frames_hint(Content& content, const Choice& choice, const OverlayHost& host, Canvas& canvas, float x, float y,
                      float right) {
  const bool any = choice.selection.scope.valid;
  FixedText<512> text;
  const std::string_view none = has_marks(content.capture) ? "no frame is complete" : "no frame marks";
  text.add(none).add(": ");
  TimeWindow extent;
  if (!flamelet_capture_extent(content.capture, &extent.begin_ns, &extent.end_ns)) {
    canvas.text_fit(x, y, right - x, color::kInstant, "nothing was recorded");
    return;
  }
  if (content.activity.most == 0) {  // none so far, or none at all
    text.clear();
    text.add(none).add(has_no_scopes(content) ? ", and no scopes" : "");
    canvas.text_fit(x, y, right - x, color::kInstant, text.view());
    return;
  }
  if (host.frames_of != nullptr) {
    text.add(any ? "File takes the calls of the selected scope for frames"
                 : "select a scope, and File takes its calls for frames");
    canvas.text_fit(x, y, right - x, color::kInstant, text.view());
    return;
  }
  text.add("flamelet view --frames-of '");
  if (any)
    add_frames_of(content, choice, &text);
  else
    text.add("NAME");
  text.add('\'');
  const size_t short_size = text.view().size();
  text.add(any ? " takes its calls for frames" : " takes the calls of a scope for frames");
  const std::string_view said = text.view();
  canvas.text_fit(x, y, right - x, color::kInstant,
                  canvas.width(said) <= right - x ? said : said.substr(0, short_size));
}

// At the start of a frame that draws anything, and only once if it draws several things.
void update_capture(PageContext& o, CaptureFiles& files) {
  if (o.reading.frame == ImGui::GetFrameCount()) return;
  const bool was_off = o.reading.frame + 1 != ImGui::GetFrameCount();
  o.reading.frame = ImGui::GetFrameCount();
  o.notes.begin_frame(o.reading.frame);
  poll_file_job(o, files);
  const CaptureTime time(o.numbers);
  const double now_s = ImGui::GetTime();
  const bool paused = o.timeline.paused();
  // Not under the hands of the thread that saves it. The ring holds what comes meanwhile.
  const bool reads = o.live() && !paused && files.job.task() != FileTask::kSave;
  if (reads) {
    flamelet_capture_update(o.own);
    o.numbers.count_losses(o.own, o.reading.away || was_off);
  }
  o.reading.away = !reads;
  if (session_of(o.capture) != o.reading.session) reset_content(o);
  tell_names(o, files);
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
    o.numbers.update(o.capture, !o.standing, o.timeline.recorded());
  }
}

// What recording the newest of the shown frames cost the game.
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

// The overlay's window: before it begins, and inside of it.
void place_window(const Settings& settings, const Frame& frame, WindowState& window) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const WindowPlaceChoice choice = static_cast<WindowPlaceChoice>(settings.place);
#ifdef IMGUI_HAS_VIEWPORT
  if (choice == WindowPlaceChoice::kOwnWindow) {
    ImGuiWindowClass own;
    own.ViewportFlagsOverrideSet = ImGuiViewportFlags_NoAutoMerge;
    ImGui::SetNextWindowClass(&own);
  }
#endif
  const bool back = window.at_edge;
  window.at_edge = usable(viewport) && choice != WindowPlaceChoice::kFree && choice != WindowPlaceChoice::kOwnWindow;
  if (window.at_edge) return place_at_edge(settings, frame, viewport, choice);
  if (restore_place(window, viewport, back)) return;
  const float height = whole(viewport.WorkSize.y * kWindowShare);
  const ImGuiCond when = back ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
  ImGui::SetNextWindowPos(viewport.WorkPos, when);
  ImGui::SetNextWindowSize(ImVec2(viewport.WorkSize.x, height), when);
}

// A window that is docked, or outside of the main viewport, goes its own ways.
void remember_place(WindowState& window) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  WindowPlace& place = window.place;
  if (!usable(viewport)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  place.viewport_width = viewport.WorkSize.x;
  place.viewport_height = viewport.WorkSize.y;
  place.x = at.x - viewport.WorkPos.x;
  place.y = at.y - viewport.WorkPos.y;
  place.width = size.x;
  place.height = size.y;
#ifdef IMGUI_HAS_DOCK
  place.inside = !ImGui::IsWindowDocked() && ImGui::GetWindowViewport() == &viewport;
#else
  place.inside = true;
#endif
  if (!window.at_edge) window.free_place = place;
}

// At the top or the bottom, the edge of the window drags its height.
void drag_edge(Settings& settings, const Frame& frame, const WindowState& window) {
  const WindowPlaceChoice choice = static_cast<WindowPlaceChoice>(settings.place);
  const bool top = choice == WindowPlaceChoice::kTop;
  if (!top && choice != WindowPlaceChoice::kBottom) return;
  const ImVec2 content = ImGui::GetCursorScreenPos();
  const ImVec2 at = ImGui::GetWindowPos();
  const float thick = scaled(frame, 5);
  ImGui::SetCursorScreenPos(ImVec2(at.x, top ? at.y + ImGui::GetWindowSize().y - thick : at.y));
  ImGui::InvisibleButton("##edge", ImVec2(std::max(ImGui::GetWindowSize().x, 1.0f), thick));
  const float moved = ImGui::GetIO().MouseDelta.y * (top ? 1.0f : -1.0f);
  if (ImGui::IsItemActive() && moved != 0 && window.place.viewport_height > 0) {
    const float percent = settings.place_percent + moved / window.place.viewport_height * 100;
    settings.set(&Settings::place_percent, std::min(std::max(percent, kLeastPlacePercent), 100.0f));
  }
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  ImGui::SetCursorScreenPos(content);
}

// Which capture is shown, if it is not the live game, and what the status line says. The cursor is then where ImGui puts it.
void show_status_line(PageContext& o, const CaptureFiles& files, float height) {
  const bool busy = files.job.task() != FileTask::kNone;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + width, at.y + height, color::kPanel);
  const float y = at.y + whole((height - o.metrics.size) * 0.5f);
  float x = at.x + scaled(o, 8);
  float right = at.x + width - scaled(o, 8);
  const float gap = 2 * o.metrics.of(' ');

  if (!o.status.text().empty()) {
    right = at.x + width - height;
    ImGui::SetCursorScreenPos(ImVec2(right, at.y));
    if (tool_button(o, "##notice", Icon::kClose, {}, false, height, nullptr)) o.status.clear();
    o.notes.note_place("close_status", right + height * 0.5f, at.y + height * 0.5f);
    right -= gap;
  }
  const std::string_view said =
      busy ? files.job.task() == FileTask::kSave ? "saving ..." : "opening ..." : o.status.text();
  if (o.standing && (o.folded < Folded::kTitle || said.empty())) {
    FixedText<64> frames;
    const size_t count = counted_frames(o.capture);
    frames.add_grouped(count).add(count == 1 ? " frame, " : " frames, ").add_time(o.numbers.oldest_ns);
    x += canvas.text(x, y, color::kAccent, "capture") + gap;
    const float most = (said.empty() ? right - x : (right - x) * 0.5f) - canvas.width(frames.view()) - gap;
    // The end of a long path tells files apart.
    std::string_view title = o.title;
    if (canvas.width(title) > most) title.remove_prefix(title.rfind('/') + 1);
    x += canvas.text_fit(x, y, most, color::kText, title) + gap;
    x += canvas.text_fit(x, y, right - x, color::kTextDim, frames.view()) + gap;
    if (lacks_frames(o) && said.empty()) draw_frames_hint(o, o, files.host, canvas, x, y, right);
  }
  const Rgb ink = busy ? color::kAccent : o.status.is_bad() ? color::kFrameFar : color::kTextMid;
  if (!said.empty()) canvas.text_fit(x, y, right - x, ink, said);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, height));
}

}  // namespace

void set_mode(PageContext& o, WindowState& window, OverlayMode mode) {
  window.set_mode(mode);
  lanes_of(o).mouse.drag.stop();
  o.history.dragging = o.history.moving = false;
}

void cycle_mode(PageContext& o, WindowState& window) {
  set_mode(o, window, static_cast<OverlayMode>((static_cast<uint32_t>(window.mode) + 1) % 4));
}

Hold::~Hold() {
  if (!o_.files.shared) return;
  const bool holds = (o_.live() && o_.timeline.paused()) || o_.files.job.task() == FileTask::kSave;
  if (holds != o_.files.holds) flamelet_capture_hold(o_.own, holds);
  o_.files.holds = holds;
}

void reset_content(PageContext& o) {
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
  o.search.clear();
  o.gpu.reset();
  o.selection.clear();
  o.reading.next_s = 0;
  o.numbers.next_s = 0;
  o.costs.reset();
  o.costs_refresh = Refresh();
  o.history.reset();
  o.activity.reset();
  o.pages.reset(o);
  o.hud.reset();
}

TimeWindow wanted_range(const Content& content, const Choice& choice, bool whole_history) {
  const TimeWindow shown = content.timeline.shown_window();
  if (!whole_history) return choice.selection.measures() ? choice.selection.measured : shown;
  TimeWindow extent = recorded_time(content.capture);
  // While it runs, up to the frames that are whole: what comes later would be missed.
  if (content.live() && !content.timeline.paused() && shown.end_ns > shown.begin_ns) extent.end_ns = shown.end_ns;
  return extent;
}

void update_spans(PageContext& o) {
  if (o.filter.stale) {
    o.styles.reset(o.capture, o.filter.text);
    o.statistics_refresh.stale = true;
    o.search.clear();
  }
  const TimeWindow view = window_of(o.timeline.view());
  const TimeWindow have = o.store.window();
  const int64_t length_ns = view.end_ns - view.begin_ns;
  // Spans and lanes that found no room may find it in a narrower window.
  const bool full =
      o.store.all_left_out() != 0 || o.store.lanes_left_out() != 0 ||
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
    if (margin_ns != 0 && (o.store.all_left_out() != 0 || o.store.lanes_left_out() != 0)) o.store.read(o.capture, view);
    o.lane_choices.arrange(&o.store.lanes());
    o.reading.store_version = version;
    o.filter.stale = true;
  }
  o.series.complete(o.capture, &o.points);
  if (o.filter.stale && o.filter.active())
    o.store.find_filter_matches([&](const LaneSpan& span) { return o.styles.of(key_of(span)).matches; });
  o.filter.stale = false;
}

void update_statistics(Content& content, Choice& choice, bool all_rows) {
  const bool filtered = choice.filter.active();
  choice.selection.objects_apart = choice.settings.objects_apart;
  const bool wanted = filtered || choice.selection.scope.valid || all_rows;
  if (!wanted && !content.statistics.reading()) return;
  const TimeWindow range = choice.selection.measures() ? choice.selection.measured : content.timeline.shown_window();
  const uint64_t version = flamelet_capture_version(content.capture);
  const double now_s = ImGui::GetTime();
  const bool other =
      range != content.statistics.range() || choice.settings.objects_apart != content.statistics.objects_apart();
  const bool begin =
      wanted && content.statistics_refresh.due(other, version, content.timeline.paused(), content.statistics.reading(),
                                               now_s, content.timeline.shown().valid);
  if (!begin && !content.statistics.reading()) return;
  const CaptureTime time(content.numbers);
  if (begin) {
    content.statistics.begin(content.capture, range, &content.styles, filtered, choice.settings.objects_apart,
                             choice.selection.measures() ? FrameRange() : content.timeline.shown());
    content.statistics_refresh.begin(version, now_s);
  }
  content.statistics.step(Refresh::kZonesPerFrame);
}

bool is_reading(const PageContext& o, const CaptureFiles& files) {
  if (o.points.reading() || o.statistics.reading() || o.search.reading() || is_counting(o)) return true;
  return files.job.task() != FileTask::kNone || o.hitches.reason.id() != 0 || o.pages.reading(o);
}

void* allocate_block(const flamelet_allocator& allocator, size_t size) {
  constexpr size_t kAlignment = OverlayMemory::kAlignment;
  if (allocator.allocate != nullptr) return allocator.allocate(allocator.user, size, kAlignment);
  return allocate_aligned(size, kAlignment);
}

void release_block(const flamelet_allocator& allocator, void* block, size_t size) {
  if (allocator.free != nullptr)
    allocator.free(allocator.user, block, size, OverlayMemory::kAlignment);
  else
    free_aligned(block);
}

flamelet_allocator OverlayMemory::capture_allocator() {
  return {capture_allocate, capture_free, this};
}

}  // namespace flamelet::ui

namespace flamelet {

using namespace ui;

namespace {

constexpr float kLeastRows = 4;  // of lanes or table, below which what is around them gives way
constexpr size_t kAlignment = OverlayMemory::kAlignment;

bool valid(const OverlayConfig& config) {
  return config.max_spans >= 1024 && config.max_spans <= 1u << 26 && config.max_scopes >= 16 &&
         config.max_scopes <= FLAMELET_STATISTICS_MAX_SCOPES && config.max_lanes >= 1 && config.max_lanes <= 1u << 16 &&
         config.max_paths >= 16 && config.max_paths <= 1u << 20 && config.max_frames >= 64 &&
         config.max_frames <= 1u << 20 && config.max_counters >= 1 && config.max_counters <= 1u << 12 &&
         config.max_counter_values >= config.max_counters * 4 && config.max_counter_values <= 1u << 24 &&
         config.max_intervals >= 1 && config.max_intervals <= 1u << 20 && config.max_messages >= 64 &&
         config.max_messages <= 1u << 24 && isfinite(config.frame_budget_ms) && config.frame_budget_ms > 0 &&
         config.frame_budget_ms < 1e6 && config.save_seconds > 0 && config.save_seconds < 1e6 &&
         static_cast<uint32_t>(config.mode) <= static_cast<uint32_t>(OverlayMode::kActive) &&
         (config.budgets != nullptr || config.budget_count == 0) &&
         (config.capture == nullptr || config.shared_capture == nullptr) &&
         (config.allocator.allocate == nullptr) == (config.allocator.free == nullptr);
}

bool has_own_capture(const OverlayConfig& config) {
  return config.capture == nullptr && config.shared_capture == nullptr;
}

flamelet_capture_config capture_config(const OverlayConfig& config) {
  flamelet_capture_config capture = flamelet_capture_config_default();
  capture.max_frames = config.max_frames;
  return capture;
}

// Lays the tables behind *o; over a null block, only measures.
size_t carve(Overlay* o, void* block, const OverlayConfig& config) {
  Carver carver(block);
  carver.take_bytes(sizeof(Overlay), alignof(Overlay));
  o->store.carve(&carver, config.max_spans, config.max_lanes, config.max_intervals);
  o->store.show_counters(&o->points.counters());
  o->series.carve(&carver, config.max_counter_values, config.max_counters);
  o->points.carve(&carver, {config.max_counters, config.max_counter_values, config.max_messages});
  o->styles.carve(&carver);
  o->statistics.carve(&carver, config.max_scopes, config.max_spans / 2);
  o->gpu.carve(&carver, config.max_frames);
  o->hud.carve(&carver, config.max_lanes);
  o->history.carve(&carver, config.max_frames);
  o->activity.carve(&carver);
  o->numbers.carve(&carver, config.max_frames);
  o->hitches.carve(&carver);
  o->pages.create(&carver, config);
  carver.take_bytes(0, kAlignment);
  return carver.used();
}

size_t tables_bytes(const OverlayConfig& config) {
  Overlay measured;
  return carve(&measured, nullptr, config);
}

bool says_something(const PageContext& o, const CaptureFiles& files) {
  return files.job.task() != FileTask::kNone || !o.status.text().empty();
}

float status_line_height(const PageContext& o, const CaptureFiles& files) {
  if (!o.standing || (o.folded >= Folded::kTitle && !says_something(o, files))) return 0;
  return control_height(o) + scaled(o, 4);
}

// What is said of a running game takes the place of the truth line: a row of its own would move all that is below it.
float bottom_line_height(const PageContext& o, const CaptureFiles& files) {
  const bool shown = o.folded < Folded::kTruth || (!o.standing && says_something(o, files));
  return shown ? row_height(o) : 0;
}

float least_page_height(PageContext& o) {
  return o.pages.shown().head_height(o) + kLeastRows * row_height(o);
}

// In a low window, or with large text, what is around the page gives way to it, below the toolbar.
void fold(PageContext& o, const CaptureFiles& files) {
  const float room = ImGui::GetContentRegionAvail().y - least_page_height(o);
  for (o.folded = Folded::kNothing; o.folded < Folded::kTitle; o.folded = static_cast<Folded>(int(o.folded) + 1)) {
    const float why = o.pages.shows("why") ? 0 : row_height(o);
    if (status_line_height(o, files) + frame_bars_height(o) + why + bottom_line_height(o, files) <= room) break;
  }
}

void show_content(Overlay& o) {
  update_capture(o, o.files);
  if (!o.standing) o.status.expire(ImGui::GetTime());
  o.content_x = ImGui::GetCursorScreenPos().x;
  o.content_y = ImGui::GetCursorScreenPos().y;
  o.content_width = ImGui::GetContentRegionAvail().x;
  if (o.takes_input) handle_keys(o);
  handle_touch(o, o.touch);
  o.tooltips = !o.window.help_open && !o.panel.open;  // neither is covered
  update_hitches(o, o.files);
  show_toolbar(o);
  fold(o, o.files);
  if (status_line_height(o, o.files) > 0) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    show_status_line(o, o.files, control_height(o));
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + status_line_height(o, o.files)));
  }
  show_frame_bars(o, o.files);
  o.pages.update(o);
  float height = ImGui::GetContentRegionAvail().y - bottom_line_height(o, o.files) - why_row_height(o);
  const bool details = height - details_height(o.settings, o) >= least_page_height(o);
  if (details) height -= details_height(o.settings, o);
  const float page_y = ImGui::GetCursorScreenPos().y;
  if (height >= o.pages.shown().head_height(o) + 2 * row_height(o)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (!o.pages.shows("lanes")) {  // which reads after the mouse moved its view
      update_spans(o);
      update_statistics(o, o, o.pages.shows("table"));
    }
    o.pages.shown().draw(o, height);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
    if (details) show_details(o, o.window);
    show_why_row(o);
  } else if (ImGui::GetContentRegionAvail().y >= row_height(o)) {
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.text_fit(o.content_x, page_y, o.content_width, color::kTextDim, "too low for this page");
  }
  update_costs(o);
  if (!o.standing && says_something(o, o.files))
    show_status_line(o, o.files, row_height(o));
  else if (bottom_line_height(o, o.files) > 0)
    show_truth_line(o, o.files);
  // A page ends by setting the cursor, and newer versions of ImGui want an item behind that: one that takes no room.
  ImGui::SetCursorScreenPos(ImVec2(o.content_x, o.content_y));
  ImGui::Dummy(ImVec2(0, 0));
  o.tooltips = !o.window.help_open;
  show_settings_panel(o, o.panel, page_y, page_y + height);
  show_help(o, o, o.window);
}

// The surface of a window of the program's own, whose colours may be another theme's. `style` is the program's: the padding
// belongs to the surface, also its outer half, where ImGui draws no content.
void draw_background(Frame& frame, const ImGuiStyle& style) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const float left = ImGui::GetWindowPos().x + style.WindowBorderSize;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x - style.WindowBorderSize;
  const ImVec2 pad = style.WindowPadding;
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  ImDrawList* list = canvas.list();
  // ImGui's first clip rectangle of a window is that of the window around it, the second one cuts off the padding. The
  // program may have pushed more, such as that of a table's cell.
  const ImVector<ImVec4>& clips = list->_ClipRectStack;
  const ImVec4 around = clips.Size == 2 ? clips.front() : clips.back();
  list->PushClipRect(ImVec2(std::max(left, around.x), list->GetClipRectMin().y),
                     ImVec2(std::min(right, around.z), list->GetClipRectMax().y));
  canvas.rect(at.x - pad.x, at.y - pad.y, at.x + size.x + pad.x, at.y + size.y + pad.y, color::kWindow);
  list->PopClipRect();
}

void show_window(Overlay& o, bool* open) {
  const LookScope look(o);
  update_capture(o, o.files);
  place_window(o.settings, o, o.window);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                           ImGuiWindowFlags_NoCollapse;
  if (open == nullptr) flags |= ImGuiWindowFlags_NoTitleBar;
  if (o.window.at_edge) flags |= ImGuiWindowFlags_NoResize;  // drag_edge() does that
  if (!o.takes_input) flags |= ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing;
  if (o.window.focus) ImGui::SetNextWindowFocus();
  o.window.focus = false;
  if (ImGui::Begin("Flamelet###flamelet_overlay", open, flags)) {
    o.window.own = true;
    remember_place(o.window);
    if (o.takes_input) drag_edge(o.settings, o, o.window);
    show_content(o);
  }
  ImGui::End();
}

}  // namespace

OverlayConfig overlay_config_small() {
  OverlayConfig config;
  config.max_spans = 1u << 14;
  config.max_scopes = config.max_paths = config.max_intervals = 512;
  config.max_frames = 1024;
  config.max_lanes = config.max_counters = 64;
  config.max_counter_values = config.max_messages = 2048;
  config.budget_bytes = size_t{10} << 20;
  return config;
}

size_t overlay_memory_required(const OverlayConfig& config) {
  if (!valid(config)) return 0;
  size_t bytes = tables_bytes(config);
  if (has_own_capture(config)) {
    const flamelet_capture_config capture = capture_config(config);
    bytes += flamelet_capture_memory_required(&capture) + kAlignment;
  }
  return bytes;
}

flamelet_result overlay_create(const OverlayConfig& config, Overlay** overlay) {
  if (overlay == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *overlay = nullptr;
  const size_t least = overlay_memory_required(config);
  if (least == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (config.budget_bytes < least) return FLAMELET_ERROR_BUDGET_TOO_SMALL;
  WatchedScopes watched;
  int64_t frame_budget_ns = static_cast<int64_t>(config.frame_budget_ms * 1e6);
  if (!watched.give(config.budgets, config.budget_count, &frame_budget_ns)) return FLAMELET_ERROR_LIMIT;
  // Without a capture of its own the overlay has no use for more than its tables.
  const size_t bytes = has_own_capture(config) ? config.budget_bytes : least;
  void* block = allocate_block(config.allocator, bytes);
  if (block == nullptr) return FLAMELET_ERROR_OUT_OF_MEMORY;

  Overlay* o = new (block) Overlay();
  const size_t tables = carve(o, block, config);
  o->memory.allocator = config.allocator;
  o->memory.block = block;
  o->memory.block_bytes = bytes;
  o->own = config.shared_capture;
  o->files.shared = config.shared_capture != nullptr;
  o->capture = o->files.shared ? o->own : config.capture;
  if (has_own_capture(config)) {
    o->memory.rest = static_cast<char*>(block) + tables;
    o->memory.rest_bytes = bytes - tables;
    flamelet_capture_config capture = capture_config(config);
    capture.allocator = o->memory.capture_allocator();
    capture.budget_bytes = (bytes - tables) - kAlignment;
    const flamelet_result result = flamelet_capture_create(&capture, &o->own);
    if (result != FLAMELET_OK) {
      o->~Overlay();
      release_block(config.allocator, block, bytes);
      return result;
    }
    o->capture = o->own;
  }
  if (config.capture_folder != nullptr) {
    const size_t size = std::min(strlen(config.capture_folder), sizeof o->files.folder - 1);
    memcpy(o->files.folder, config.capture_folder, size);
  }
  o->files.host = config.host;
  o->files.allocator = o->hitches.allocator = o->memory.allocator;
  o->window.mode = config.mode;
  o->hitches.flight = config.flight;
  o->settings.toggle_key = config.toggle_key;
  o->settings.save_key = config.save_key;
  o->settings.peek_key = config.peek_key;
  o->settings.pause_on_hitch = config.pause_on_hitch;
  o->settings.save_ns = static_cast<int64_t>(config.save_seconds * 1e9);
  o->settings.budget_ns = frame_budget_ns;
  o->watched = watched;
  o->initial_settings = o->settings;
  o->panel.limits = config;
  o->panel.limits.budget_bytes = bytes;
  o->numbers.stats.memory_bytes = bytes;
  *overlay = o;
  return FLAMELET_OK;
}

void overlay_destroy(Overlay* overlay) {
  if (overlay == nullptr) return;
  finish_file_job(*overlay, overlay->files);
  flamelet_capture_destroy(overlay->files.opened);
  if (overlay->files.holds) flamelet_capture_hold(overlay->own, false);
  if (!overlay->files.shared) flamelet_capture_destroy(overlay->own);
  const flamelet_allocator allocator = overlay->memory.allocator;
  void* block = overlay->memory.block;
  const size_t bytes = overlay->memory.block_bytes;
  overlay->~Overlay();
  release_block(allocator, block, bytes);
}

flamelet_result overlay_set_budgets(Overlay* overlay, const flamelet_budget* budgets, size_t count) {
  if (overlay == nullptr || (budgets == nullptr && count != 0)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (!overlay->watched.give(budgets, count, &overlay->settings.budget_ns)) return FLAMELET_ERROR_LIMIT;
  overlay->watched.give(budgets, count, &overlay->initial_settings.budget_ns);
  return FLAMELET_OK;
}

void overlay_set_imgui_context(ImGuiContext* context) {
  ImGui::SetCurrentContext(context);
}

void overlay_show(Overlay* overlay) {
  if (overlay == nullptr) return;
  Overlay& o = *overlay;
  const Hold hold(o);
  handle_mode_keys(o);
  o.takes_input = o.window.mode == OverlayMode::kActive;
  if (o.window.mode <= OverlayMode::kHud) {
    o.files.dialog = FileDialog::kNone;
    handle_touch(o, o.touch);  // fingers do what the mouse would do
  }
  if (o.window.mode == OverlayMode::kOff) {
    // Nobody looks at what others miss as long as it is held.
    if (o.files.shared && o.live() && o.timeline.paused()) toggle_pause(o, o);
    poll_file_job(o, o.files);
    return show_notice(o);
  }
  if (o.window.mode == OverlayMode::kHud) return overlay_hud(overlay);
  const DrawTime time(o.numbers);
  o.hud.notice = o.status.said();  // it is seen there
  show_window(o, nullptr);
}

void overlay_content(Overlay* overlay) {
  if (overlay == nullptr) return;
  const Hold hold(*overlay);
  const DrawTime time(overlay->numbers);
  overlay->takes_input = true;
  overlay->window.own = false;
  const ImGuiStyle style = ImGui::GetStyle();
  const LookScope look(*overlay);
  draw_background(*overlay, style);
  show_content(*overlay);
}

void overlay_window(Overlay* overlay, bool* open) {
  if (overlay == nullptr) return;
  const Hold hold(*overlay);
  const DrawTime time(overlay->numbers);
  overlay->takes_input = true;
  show_window(*overlay, open);
}

bool overlay_menu_item(Overlay* overlay, const char* label) {
  if (overlay == nullptr) return false;
  const bool on = overlay->window.mode != OverlayMode::kOff;
  if (!ImGui::MenuItem(label, mode_key_name(overlay->settings.toggle_key), on)) return false;
  set_mode(*overlay, overlay->window, on ? OverlayMode::kOff : OverlayMode::kActive);
  return true;
}

void overlay_hud(Overlay* overlay) {
  if (overlay == nullptr) return;
  const Hold hold(*overlay);
  const DrawTime time(overlay->numbers);
  const LookScope look(*overlay, hud_percent(overlay->settings));
  update_capture(*overlay, overlay->files);
  show_hud(*overlay, overlay->files, overlay->window);
}

OverlayMode overlay_mode(const Overlay* overlay) {
  return overlay != nullptr ? overlay->window.mode : OverlayMode::kOff;
}

void overlay_set_mode(Overlay* overlay, OverlayMode mode) {
  if (overlay != nullptr) set_mode(*overlay, overlay->window, mode);
}

void overlay_cycle_mode(Overlay* overlay) {
  if (overlay != nullptr) cycle_mode(*overlay, overlay->window);
}

int overlay_toggle_key(const Overlay* overlay) {
  return overlay != nullptr ? overlay->settings.toggle_key : 0;
}

void overlay_set_toggle_key(Overlay* overlay, int key) {
  if (overlay != nullptr) overlay->settings.toggle_key = key;
}

bool overlay_paused(const Overlay* overlay) {
  return overlay != nullptr && overlay->timeline.paused();
}

void overlay_set_paused(Overlay* overlay, bool paused) {
  if (overlay == nullptr || overlay->timeline.paused() == paused) return;
  const Hold hold(*overlay);
  toggle_pause(*overlay, *overlay);
}

bool overlay_select_frames(Overlay* overlay, uint64_t first, uint64_t last) {
  if (overlay == nullptr) return false;
  const Hold hold(*overlay);
  return show_frames(*overlay, *overlay, first, last);
}

bool overlay_select_scope(Overlay* overlay, const char* name) {
  if (overlay == nullptr || name == nullptr) return false;
  const Hold hold(*overlay);
  return select_by_name(*overlay, *overlay, std::string_view(name));
}

void overlay_set_filter(Overlay* overlay, const char* text) {
  if (overlay != nullptr) overlay->filter.set(text != nullptr ? text : "");
}

bool overlay_show_tree(Overlay* overlay, const char* name, flamelet_call_tree* tree, double samples_per_second) {
  return overlay != nullptr && name != nullptr && name[0] != 0 &&
         set_user_tree(*overlay, name, tree, samples_per_second);
}

flamelet_result overlay_save_capture(Overlay* overlay, const char* path, uint64_t first, uint64_t last) {
  if (overlay == nullptr || path == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const Hold hold(*overlay);
  finish_file_job(*overlay, overlay->files);
  TimeWindow window = {INT64_MIN, INT64_MAX};
  if (first != 0 || last != UINT64_MAX) window = saved_window(overlay->capture, first, last);
  return flamelet_capture_save(overlay->capture, window.begin_ns, window.end_ns, path);
}

flamelet_result overlay_open_capture(Overlay* overlay, const char* path, flamelet_load_report* report) {
  if (overlay == nullptr || path == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const Hold hold(*overlay);
  finish_file_job(*overlay, overlay->files);
  const FileOutcome outcome = open_file(overlay->memory.allocator, path);
  if (report != nullptr) *report = outcome.report;
  if (outcome.result == FLAMELET_OK) {
    overlay->status.take_back(Speaker::kFiles);
    show_standing(*overlay, overlay->files, outcome.capture, path, outcome.capture);
  }
  return outcome.result;
}

void overlay_show_capture(Overlay* overlay, const flamelet_capture* capture, const char* title) {
  if (overlay == nullptr) return;
  const Hold hold(*overlay);
  finish_file_job(*overlay, overlay->files);
  overlay->status.take_back(Speaker::kFiles);
  overlay->files.dialog = FileDialog::kNone;  // it was about the capture before
  if (capture != nullptr)
    show_standing(*overlay, overlay->files, capture, title != nullptr ? title : "", nullptr);
  else
    show_live(*overlay, overlay->files);
}

bool overlay_shows_live_game(const Overlay* overlay) {
  return overlay != nullptr && overlay->live();
}

bool overlay_settings_changed(Overlay* overlay) {
  if (overlay == nullptr) return false;
  const bool changed = overlay->settings.changed;
  overlay->settings.changed = false;
  return changed;
}

bool overlay_reading(const Overlay* overlay) {
  return overlay != nullptr && is_reading(*overlay, overlay->files);
}

void overlay_get_stats(const Overlay* overlay, OverlayStats* stats) {
  *stats = overlay != nullptr ? overlay->numbers.stats : OverlayStats();
}

}  // namespace flamelet

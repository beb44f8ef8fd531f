// SPDX-License-Identifier: MIT
#include "flamelet/overlay.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <new>

#include "draw/look_scope.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "input/input_compat.h"
#include "pages/calls_view.h"
#include "pages/why/why.h"
#include "shell/overlay_state.h"
#include "shell/update.h"
#include "shell/window_parts.h"

namespace flamelet {

using namespace ui;

namespace {

constexpr float kLeastRows = 4;  // of lanes or table, with details below them
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

void show_content(Overlay& o) {
  update_capture(o);
  o.window.content_x = ImGui::GetCursorScreenPos().x;
  o.window.content_y = ImGui::GetCursorScreenPos().y;
  o.window.content_width = ImGui::GetContentRegionAvail().x;
  if (o.takes_input) handle_keys(o);
  handle_touch(o);
  o.tooltips = !o.window.help_open;
  update_hitches(o);
  show_toolbar(o);
  show_status_line(o);
  show_frame_bars(o);
  o.pages.update(o);
  float height = ImGui::GetContentRegionAvail().y - truth_line_height(o) - why_row_height(o);
  // In a low window the lanes or the table come before the details.
  const bool details = height - details_height(o) >= kLeastRows * row_height(o);
  if (details) height -= details_height(o);
  const float page_y = ImGui::GetCursorScreenPos().y;
  o.pages.shown().draw(o, height);
  if (details) show_details(o);
  show_why_row(o);
  update_costs(o);
  show_truth_line(o);
  show_settings_panel(o, page_y, page_y + height);
  show_help(o);
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
  update_capture(o);
  place_window(o);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                           ImGuiWindowFlags_NoCollapse;
  if (open == nullptr) flags |= ImGuiWindowFlags_NoTitleBar;
  if (o.window.at_edge) flags |= ImGuiWindowFlags_NoResize;  // drag_edge() does that
  if (!o.takes_input) flags |= ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing;
  if (o.window.focus) ImGui::SetNextWindowFocus();
  o.window.focus = false;
  if (ImGui::Begin("Flamelet###flamelet_overlay", open, flags)) {
    o.window.own = true;
    remember_place(o);
    if (o.takes_input) drag_edge(o);
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
  o->numbers.stats.memory_bytes = bytes;
  *overlay = o;
  return FLAMELET_OK;
}

void overlay_destroy(Overlay* overlay) {
  if (overlay == nullptr) return;
  finish_file_job(*overlay);
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
  return overlay->watched.give(budgets, count, &overlay->settings.budget_ns) ? FLAMELET_OK : FLAMELET_ERROR_LIMIT;
}

void overlay_set_imgui_context(ImGuiContext* context) {
  ImGui::SetCurrentContext(context);
}

void overlay_show(Overlay* overlay) {
  if (overlay == nullptr) return;
  Overlay& o = *overlay;
  const Hold hold(o);
  handle_mode_keys(o);
  if (o.window.mode == OverlayMode::kOff) {
    // Nobody looks at what others miss as long as it is held.
    if (o.files.shared && o.live() && o.timeline.paused()) toggle_pause(o);
    return poll_file_job(o);
  }
  if (o.window.mode == OverlayMode::kHud) {
    o.takes_input = false;
    handle_touch(o);  // fingers do what the mouse would do
    return overlay_hud(overlay);
  }
  const DrawTime time(o.numbers);
  o.takes_input = o.window.mode == OverlayMode::kActive;
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
  set_mode(*overlay, on ? OverlayMode::kOff : OverlayMode::kActive);
  return true;
}

void overlay_hud(Overlay* overlay) {
  if (overlay == nullptr) return;
  const Hold hold(*overlay);
  const DrawTime time(overlay->numbers);
  const LookScope look(*overlay, overlay->settings.hud_percent);
  update_capture(*overlay);
  show_hud(*overlay);
}

OverlayMode overlay_mode(const Overlay* overlay) {
  return overlay != nullptr ? overlay->window.mode : OverlayMode::kOff;
}

void overlay_set_mode(Overlay* overlay, OverlayMode mode) {
  if (overlay != nullptr) set_mode(*overlay, mode);
}

void overlay_cycle_mode(Overlay* overlay) {
  if (overlay == nullptr) return;
  const uint32_t next = (static_cast<uint32_t>(overlay->window.mode) + 1) % 4;
  set_mode(*overlay, static_cast<OverlayMode>(next));
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
  toggle_pause(*overlay);
}

bool overlay_select_frames(Overlay* overlay, uint64_t first, uint64_t last) {
  if (overlay == nullptr) return false;
  const Hold hold(*overlay);
  return show_frames(*overlay, first, last);
}

bool overlay_select_scope(Overlay* overlay, const char* name) {
  if (overlay == nullptr || name == nullptr) return false;
  const Hold hold(*overlay);
  return select_by_name(*overlay, name);
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
  finish_file_job(*overlay);
  TimeWindow window = {INT64_MIN, INT64_MAX};
  if (first != 0 || last != UINT64_MAX) window = saved_window(overlay->capture, first, last);
  return flamelet_capture_save(overlay->capture, window.begin_ns, window.end_ns, path);
}

flamelet_result overlay_open_capture(Overlay* overlay, const char* path, flamelet_load_report* report) {
  if (overlay == nullptr || path == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const Hold hold(*overlay);
  finish_file_job(*overlay);
  const FileOutcome outcome = open_file(overlay->memory.allocator, path);
  if (report != nullptr) *report = outcome.report;
  if (outcome.result == FLAMELET_OK) {
    overlay->status.take_back(Speaker::kFiles);
    show_standing(*overlay, outcome.capture, path, outcome.capture);
  }
  return outcome.result;
}

void overlay_show_capture(Overlay* overlay, const flamelet_capture* capture, const char* title) {
  if (overlay == nullptr) return;
  const Hold hold(*overlay);
  finish_file_job(*overlay);
  overlay->status.take_back(Speaker::kFiles);
  if (capture != nullptr)
    show_standing(*overlay, capture, title != nullptr ? title : "", nullptr);
  else
    show_live(*overlay);
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
  return overlay != nullptr && is_reading(*overlay);
}

void overlay_get_stats(const Overlay* overlay, OverlayStats* stats) {
  *stats = overlay != nullptr ? overlay->numbers.stats : OverlayStats();
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "settings/limit_rows.h"

#include "content/refresh.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "pages/calls_view.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

using Sources = const LimitSources&;

constexpr const char* kLimitTitles[] = {"Limits of the overlay", "Limits of its capture", "Limits of the recorder"};

// The paths of the pages Tree and Flame.
Fill read_paths(Sources s) {
  flamelet_call_tree_stats paths = {};
  if (const flamelet_call_tree* calls = calls_of(s.o).range.calls()) flamelet_call_tree_get_stats(calls, &paths);
  return {paths.nodes_used, s.o.panel.limits.max_paths};
}

void read_fills(Overlay& o) {
  ToldFills& told = o.panel.told;
  const double now_s = ImGui::GetTime();
  if (!Refresh::is_over(told.next_s, now_s)) return;
  told.next_s = now_s + Refresh::kSeconds;
  LimitSources sources = {o, {}, {}};
  flamelet_capture_get_stats(o.capture, &sources.capture);
  flamelet_get_stats(&sources.recorder);
  for (uint32_t i = 0; i < kLimitCount; ++i) told.fills[i] = kLimitTable[i].read(sources);
}

void add_fill(const LimitRow& row, Fill fill, TextWriter* text) {
  if (row.bytes)
    text->add_bytes(fill.used).add(" of ").add_bytes(fill.limit);
  else
    text->add_grouped(fill.used).add(" of ").add_grouped(fill.limit);
}

}  // namespace

// clang-format off
const LimitRow kLimitTable[] = {
    {LimitOf::kOverlay, "budget_bytes", "memory",
     [](Sources s) { return Fill{s.o.memory.block_bytes, s.o.memory.block_bytes}; }, true},
    {LimitOf::kOverlay, "max_spans", "scopes in view",
     [](Sources s) { return Fill{s.o.store.span_count(), s.o.panel.limits.max_spans}; }},
    {LimitOf::kOverlay, "max_lanes", "lanes",
     [](Sources s) { return Fill{s.o.store.lanes().count, s.o.panel.limits.max_lanes}; }},
    {LimitOf::kOverlay, "max_scopes", "rows of the table",
     [](Sources s) { return Fill{s.o.statistics.row_count(), s.o.panel.limits.max_scopes}; }},
    {LimitOf::kOverlay, "max_paths", "call paths", read_paths},
    {LimitOf::kOverlay, "max_counters", "counters",
     [](Sources s) { return Fill{s.o.points.counters().count(), s.o.panel.limits.max_counters}; }},
    {LimitOf::kOverlay, "max_counter_values", "values of counters",
     [](Sources s) { return Fill{s.o.points.value_count(), s.o.panel.limits.max_counter_values}; }},
    {LimitOf::kOverlay, "max_intervals", "intervals",
     [](Sources s) { return Fill{s.o.store.intervals().count(), s.o.panel.limits.max_intervals}; }},
    {LimitOf::kOverlay, "max_messages", "messages",
     [](Sources s) { return Fill{s.o.points.messages().count(), s.o.panel.limits.max_messages}; }},
    {LimitOf::kOverlay, "max_frames", "frames",
     [](Sources s) { return Fill{flamelet_capture_frame_count(s.o.capture), s.o.panel.limits.max_frames}; }},
    {LimitOf::kCapture, "pages_limit", "pages",
     [](Sources s) { return Fill{s.capture.pages_held, s.capture.pages_limit}; }},
    {LimitOf::kRecorder, "tracks_limit", "threads and other tracks",
     [](Sources s) { return Fill{s.recorder.tracks_live, s.recorder.tracks_limit}; }},
    {LimitOf::kRecorder, "fibers_limit", "fibers",
     [](Sources s) { return Fill{s.recorder.fibers_live, s.recorder.fibers_limit}; }},
    {LimitOf::kRecorder, "submit_waiting_limit", "events that wait on a track",
     [](Sources s) { return Fill{s.recorder.submit_waiting_most, s.recorder.submit_waiting_limit}; }},
    {LimitOf::kRecorder, "frame_sets_limit", "names of frames",
     [](Sources s) { return Fill{s.recorder.frame_sets_used, s.recorder.frame_sets_limit}; }},
    {LimitOf::kRecorder, "categories_limit", "categories",
     [](Sources s) { return Fill{s.recorder.categories_used, s.recorder.categories_limit}; }},
    {LimitOf::kRecorder, "sites_limit", "places in code",
     [](Sources s) { return Fill{s.recorder.sites_used, s.recorder.sites_limit}; }},
    {LimitOf::kRecorder, "strings_limit", "texts",
     [](Sources s) { return Fill{s.recorder.strings_used, s.recorder.strings_limit}; }},
    {LimitOf::kRecorder, "string_bytes_limit", "bytes of texts",
     [](Sources s) { return Fill{s.recorder.string_bytes_used, s.recorder.string_bytes_limit}; }, true},
};
// clang-format on
const uint32_t kLimitCount = sizeof kLimitTable / sizeof kLimitTable[0];
static_assert(sizeof kLimitTable / sizeof kLimitTable[0] <= kMostLimits, "ToldFills has room for all");

void show_limit_rows(Overlay& o, float label_width) {
  read_fills(o);
  const LimitRow* before = nullptr;
  for (uint32_t i = 0; i < kLimitCount; ++i) {
    const LimitRow& row = kLimitTable[i];
    // A file's has the recorder of another process.
    if (row.of == LimitOf::kRecorder && !o.live()) break;
    if (before == nullptr || before->of != row.of) {
      ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kAccent));
      ImGui::TextUnformatted(kLimitTitles[static_cast<uint32_t>(row.of)]);
      ImGui::PopStyleColor();
    }
    before = &row;
    FixedText<64> text;
    add_fill(row, o.panel.told.fills[i], &text);
    ImGui::TextDisabled("%s", row.label);
    ImGui::SameLine(label_width);
    ImGui::TextUnformatted(text.c_str());
  }
}

}  // namespace flamelet::ui

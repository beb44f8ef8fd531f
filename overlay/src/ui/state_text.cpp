// SPDX-License-Identifier: MIT
//
// What the overlay shows, as JSON. Written by hand: it is a flat object with one list in it, and the overlay has no
// other use for JSON.
#include "flamelet/overlay.h"
#include "ui/overlay_state.h"
#include "ui/ui.h"
#include "view/text_buffer.h"

namespace flamelet {

using namespace ui;

namespace {

class JsonObject {
 public:
  JsonObject(TextWriter* text, std::string_view separator) : text_(text), separator_(separator) { text_->add('{'); }
  void close() { text_->add('}'); }

  void add(std::string_view name, std::string_view value) {
    key(name);
    text_->add('"');
    for (const char c : value) add_character(static_cast<unsigned char>(c));
    text_->add('"');
  }
  void add(std::string_view name, int64_t value) {
    key(name);
    text_->add_signed(value);
  }
  void add(std::string_view name, uint64_t value) {
    key(name);
    text_->add_unsigned(value);
  }
  void add(std::string_view name, uint32_t value) { add(name, uint64_t{value}); }
  void add(std::string_view name, bool value) {
    key(name);
    text_->add(value ? "true" : "false");
  }
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }
  void add_number(std::string_view name, double value) {
    key(name);
    text_->add_fixed(value, 3);
  }
  void add_null(std::string_view name) {
    key(name);
    text_->add("null");
  }
  // The value is written by the caller.
  void add_raw(std::string_view name) { key(name); }

 private:
  void key(std::string_view name) {
    if (!first_) text_->add(',');
    text_->add(first_ && separator_ == " " ? std::string_view() : separator_).add('"').add(name).add("\": ");
    first_ = false;
  }
  // Bytes outside of ASCII are written as the code points of the same number: always valid JSON, whatever the name.
  void add_character(unsigned char c) {
    static constexpr char kHex[] = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      text_->add('\\').add(static_cast<char>(c));
    } else if (c < 0x20 || c >= 0x7F) {
      text_->add("\\u00").add(kHex[c >> 4]).add(kHex[c & 15]);
    } else {
      text_->add(static_cast<char>(c));
    }
  }

  TextWriter* text_;
  std::string_view separator_;
  bool first_ = true;
};

std::string_view name_of(const Overlay& o, const flamelet_span& span) {
  return view_of(flamelet_capture_string(o.capture, span.name));
}

void add_selection(const Overlay& o, JsonObject* json) {
  if (o.selected.valid) {
    json->add("selected_name", name_of(o, o.selected.span));
    json->add("selected_begin_ns", o.selected.span.begin_ns);
    json->add("selected_end_ns", o.selected.span.end_ns);
  } else {
    json->add_null("selected_name");
    json->add_null("selected_begin_ns");
    json->add_null("selected_end_ns");
  }
  if (o.scope.valid)
    json->add("scope_name", view_of(flamelet_capture_string(o.capture, o.scope.name)));
  else
    json->add_null("scope_name");
}

void add_hovered(const Overlay& o, JsonObject* json) {
  if (o.hover.block < o.blocks.count && o.hover.lane < o.store.lanes().count) {
    const Block& block = o.blocks[o.hover.block];
    json->add("hovered_name", name_of(o, o.store.lanes()[o.hover.lane].rows.spans[block.first]));
    json->add("hovered_zones", block.zones);
    return;
  }
  json->add_null("hovered_name");
  json->add("hovered_zones", 0u);
}

// The pages Tree and Flame.
void add_calls(const Overlay& o, JsonObject* json) {
  const CallsView& v = o.calls;
  const UserTree* user = v.shown_user();
  json->add("tree_source", user != nullptr ? user->name : v.source == kSourceGpu ? "GPU" : "CPU");
  json->add("tree_sources", kFirstUser + v.user_count);
  json->add("tree_whole_history", v.whole_history);
  json->add("tree_folds_recursion", !v.keep_recursion);
  json->add("tree_paths", v.tree.nodes().count);
  json->add("tree_rows", v.tree.rows().count);
  json->add("tree_total", v.tree.total());
  json->add("tree_complete", v.tree.complete());
  json->add("tree_selected_calls", v.selected.calls);
  json->add("tree_selected_total", v.selected.overall_samples);
  json->add("tree_selected_self", v.selected.self_samples);
  json->add("tree_callers", v.callers.count);
  json->add("tree_callees", v.callees.count);
  json->add("flame_rows", v.flame.rows);
  json->add("flame_drawn", v.flame.paths_drawn);
  json->add("flame_merged", v.flame.paths_merged);
  json->add("flame_zoomed", v.zoom_key != 0);
  json->add_number("flame_top_px", static_cast<double>(v.flame_y));
  json->add("flame_commands", v.flame_commands);
  json->add("flame_vertices", v.flame_vertices);
}

// The lanes in sight, with their places on the screen.
void add_lanes(const Overlay& o, TextWriter* text) {
  static constexpr const char* kKinds[] = {"thread", "gpu", "external", "fiber"};
  bool first = true;
  text->add('[');
  for (const Lane& lane : o.store.lanes()) {
    if (!(lane.height > 0)) continue;
    text->add(first ? "\n    " : ",\n    ");
    first = false;
    JsonObject json(text, " ");
    json.add("lane", lane.name);
    json.add("kind", kKinds[static_cast<uint32_t>(lane.kind) & 3]);
    json.add_number("top_px", static_cast<double>(o.canvas_y + lane.y));
    json.add_number("height_px", static_cast<double>(lane.height));
    json.add("folded", lane.folded);
    json.add("zones", lane.layout.zones_drawn + lane.layout.zones_merged);
    json.close();
  }
  text->add("\n  ]");
}

}  // namespace

size_t overlay_write_state(const Overlay* overlay, char* text, size_t capacity) {
  TextWriter writer(text, capacity);
  if (overlay == nullptr) return 0;
  const Overlay& o = *overlay;
  static constexpr const char* kModes[] = {"off", "hud", "read-only", "active"};
  JsonObject json(&writer, "\n  ");
  json.add("mode", kModes[static_cast<uint32_t>(o.mode) & 3]);
  static constexpr const char* kTabs[] = {"lanes", "table", "tree", "flame"};
  json.add("tab", kTabs[static_cast<uint32_t>(o.tab) & 3]);
  json.add("paused", o.timeline.paused());
  json.add("previewing", o.timeline.previewing());
  const View view = o.timeline.view();
  json.add_number("view_begin_ns", view.begin_ns);
  json.add_number("view_end_ns", view.end_ns);
  json.add("fitted", o.timeline.fitted());
  const FrameRange shown = o.timeline.shown();
  if (shown.valid) {
    json.add("first_frame", shown.first);
    json.add("last_frame", shown.last);
  } else {
    json.add_null("first_frame");
    json.add_null("last_frame");
  }
  json.add("live_game", o.live);
  if (o.files.standing)
    json.add("capture_title", std::string_view(o.files.title));
  else
    json.add_null("capture_title");
  static constexpr const char* kDialogs[] = {"none", "save frames", "save all", "open"};
  json.add("file_dialog", kDialogs[static_cast<uint32_t>(o.files.dialog) & 3]);
  json.add_number("file_button_x_px", static_cast<double>(o.files.button_x));
  json.add_number("file_button_y_px", static_cast<double>(o.files.button_y));
  json.add("file_path", std::string_view(o.files.path));
  json.add("file_busy", o.files.job.task() != FileTask::kNone);
  json.add("file_notice", std::string_view(o.files.notice));
  json.add("capture_frames", uint64_t{flamelet_capture_frame_count(o.capture)});
  json.add("frame_bars", o.bars.count);
  json.add("filter", std::string_view(o.filter));
  json.add("filter_count", o.filter[0] != 0 ? o.statistics.filter_sum().count : 0);
  json.add("filter_total_ns", o.filter[0] != 0 ? o.statistics.filter_sum().total_ns : 0);
  add_selection(o, &json);
  add_hovered(o, &json);
  json.add("measured_ns", o.measure_end_ns - o.measure_begin_ns);
  json.add("help_open", o.help_open);
  json.add("table_rows", o.statistics.row_count());
  add_calls(o, &json);
  json.add("zones_in_view", o.stats.zones_in_view);
  json.add("zones_drawn", o.stats.zones_drawn);
  json.add("zones_merged", o.stats.zones_merged);
  json.add("lanes_left_out", o.store.lanes_left_out());
  json.add("zones_left_out", o.stats.zones_left_out);
  json.add("canvas_commands", o.stats.canvas_commands);
  json.add("canvas_vertices", o.stats.canvas_vertices);
  json.add_number("bars_left_px", static_cast<double>(o.bars_x));
  json.add_number("bars_top_px", static_cast<double>(o.bars_y));
  json.add_number("bars_width_px", static_cast<double>(o.bars_width));
  json.add_number("bars_height_px", static_cast<double>(o.bars_height));
  json.add_number("canvas_left_px", static_cast<double>(o.canvas_x));
  json.add_number("canvas_top_px", static_cast<double>(o.canvas_y));
  json.add_number("canvas_width_px", static_cast<double>(o.canvas_width));
  json.add_number("row_height_px", static_cast<double>(row_height(o)));
  uint32_t lanes = 0, gpu_lanes = 0;
  for (const Lane& lane : o.store.lanes()) {
    if (!(lane.height > 0)) continue;
    ++lanes;
    if (lane.kind == FLAMELET_LANE_GPU) ++gpu_lanes;
  }
  json.add("lanes", lanes);
  json.add("gpu_lanes", gpu_lanes);
  json.add_raw("lane_list");
  add_lanes(o, &writer);
  json.add("dropped", o.dropped);
  json.add("lost", o.lost);
  json.add_number("scope_ns", o.stats.scope_ns);
  json.add("scopes_per_frame", o.stats.scopes_per_frame);
  json.close();
  writer.add('\n');
  const size_t wanted = writer.wanted();
  if (wanted >= capacity) writer.clear();
  return wanted;
}

}  // namespace flamelet

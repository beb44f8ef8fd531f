// SPDX-License-Identifier: MIT
#include "lanes/thread_states.h"

#include <algorithm>

#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/hash.h"
#include "imgui.h"
#include "lanes/lanes_page.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

// With the blocks and labels of scopes, a draw list stays below 65,536 vertices.
constexpr uint32_t kMostEdges = 1000;
constexpr uint32_t kMostProcessorBlocks = 700;
constexpr uint32_t kMostProcessorCharacters = 400;
constexpr int kMostWidenings = 12;

float edge_height(const Frame& frame) {
  return std::max(scaled(frame, 3), 2.0f);
}

bool has_edge(const Frame& frame, const Lane& lane, float y, float clip_top, float clip_bottom) {
  return lane.content == LaneContent::kSpans && lane.kind == FLAMELET_LANE_THREAD && lane.height > 0 &&
         lane.y - edge_height(frame) > lane.covered_to && y + lane.y > clip_top && y + lane.y < clip_bottom;
}

// In a row of several threads, one that sleeps says nothing of the row.
bool read_edge(Content& content, StateBlocks& blocks, uint32_t index, float column_px, float width) {
  const Lane& lane = content.store.lanes()[index];
  const bool shares_row = content.store.lanes()[lane.leader].merged > 1;
  const TimeWindow window = window_of(content.timeline.view());
  TimeColumns columns(content.timeline.view(), width, column_px, index, FLAMELET_STATE_ASLEEP, &blocks.edges);
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, content.capture, lane.capture_lane, window.begin_ns, window.end_ns,
                              blocks.states.data, blocks.states.capacity);
  cursor.without_owners = true;
  while (flamelet_state_cursor_next(&cursor))
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_state& state = cursor.states[i];
      if (state.kind == FLAMELET_STATE_UNKNOWN || (shares_row && state.kind == FLAMELET_STATE_ASLEEP)) continue;
      columns.add(state.begin_ns, state.end_ns, state.kind);
    }
  return columns.finish();
}

// fill(column_px) returns whether all of it found room. The columns begin half as wide as they were the last time, so that a
// full view is read twice, not once for each width.
template <class Fill>
void fill_blocks(float unit, float* column_px, Array<TimeBlock>* blocks, Fill fill) {
  *column_px = std::max({*column_px / 2, unit, 1.0f});
  for (int i = 0; i < kMostWidenings; ++i, *column_px *= 2) {
    blocks->clear();
    if (fill(*column_px)) return;
  }
}

void lay_out_edges(Content& content, const Frame& frame, LanesPage& page, float y, float clip_top, float clip_bottom) {
  StateBlocks& blocks = page.states;
  StateBlocks::Key key = {content.store.generation(), content.timeline.view(), page.canvas.width, kFnvStart};
  const Array<Lane>& lanes = content.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i)
    if (has_edge(frame, lanes[i], y, clip_top, clip_bottom))
      key.lanes = fnv_next(fnv_next(key.lanes, uint64_t{i} << 32 | lanes[i].capture_lane),
                           uint64_t{lanes[lanes[i].leader].merged});
  if (key == blocks.edges_key) return;
  blocks.edges_key = key;
  fill_blocks(frame.unit, &blocks.edge_column_px, &blocks.edges, [&](float column_px) {
    bool complete = true;
    for (uint32_t i = 0; i < lanes.count && complete; ++i)
      if (has_edge(frame, lanes[i], y, clip_top, clip_bottom))
        complete = read_edge(content, blocks, i, column_px, key.width);
    return complete;
  });
}

// "Worker 3", "another program"
std::string_view runner_name(const Content& content, uint32_t by) {
  flamelet_lane_info info;
  if (by == FLAMELET_BY_OTHERS) return "another program";
  return flamelet_capture_lane(content.capture, by, &info) ? view_of(info.name) : "a thread without a lane";
}

Rgb runner_color(const Content& content, uint32_t by) {
  if (by == FLAMELET_BY_OTHERS) return color::kWait;
  for (const Lane& lane : content.store.lanes())
    if (lane.capture_lane == by) return thread_color(content, lane);
  return content.styles.colors().of(runner_name(content, by));
}

bool processors_in_sight(const Lane& lane, float y, float clip_top, float clip_bottom) {
  return lane.content == LaneContent::kProcessors && lane.height > 0 && y + lane.y < clip_bottom &&
         y + lane.y + lane.height > std::max(clip_top, y + lane.covered_to);
}

// The runs of all processors come by time, so that all rows are filled at once.
bool read_processors(Content& content, StateBlocks& blocks, float column_px, float width) {
  const TimeWindow window = window_of(content.timeline.view());
  const View view = content.timeline.view();
  blocks.rows.clear();
  flamelet_processor_cursor cursor;
  flamelet_processor_cursor_start(&cursor, content.capture, window.begin_ns, window.end_ns, blocks.runs.data,
                                  blocks.runs.capacity);
  while (flamelet_processor_cursor_next(&cursor))
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_processor_run& run = cursor.runs[i];
      while (run.processor >= blocks.rows.count &&
             blocks.rows.push({view, width, column_px, blocks.rows.count, TimeColumns::kNothing, &blocks.processors})) {
      }
      if (run.processor < blocks.rows.count) blocks.rows[run.processor].add(run.begin_ns, run.end_ns, run.by);
    }
  blocks.processor_count = std::max(blocks.processor_count, blocks.rows.count);
  bool complete = true;
  for (TimeColumns& row : blocks.rows) complete = row.finish() && complete;
  return complete;
}

// The block of this row at a pixel; NULL if there is none.
const TimeBlock* find_time_block(const Array<TimeBlock>& blocks, uint32_t row, float x) {
  const TimeBlock* found = std::find_if(blocks.begin(), blocks.end(),
                                        [&](const TimeBlock& of) { return of.row == row && x >= of.x0 && x < of.x1; });
  return found != blocks.end() ? found : nullptr;
}

Rgb state_color(uint32_t kind) {
  static constexpr ThemeColor kStateColors[] = {color::kGrid, color::kRunning, color::kTakenOff, color::kAsleep};
  return kStateColors[kind < FLAMELET_STATE_COUNT ? kind : 0];
}

// A row for each state, known or not: they are the legend of the edge, too.
bool show_state_times(const Content& content, const Frame& frame, const Lane& lane, float column) {
  const TimeWindow shown = content.timeline.shown_window();
  flamelet_state_times times;
  if (!flamelet_capture_state_times(content.capture, lane.capture_lane, shown.begin_ns, shown.end_ns, &times))
    return false;
  FixedText<64> text;
  for (const uint32_t kind : kStatesInOrder) {
    if (kind == FLAMELET_STATE_UNKNOWN && times.ns[kind] == 0) continue;
    text.clear();
    text.add_time(times.ns[kind]);
    name_line(frame, state_name(kind), state_color(kind));
    ImGui::SameLine(column);
    ImGui::TextUnformatted(text.c_str());
  }
  return true;
}

// The state of the lane's thread at this time. False: it is not known.
bool find_state(Content& content, LanesPage& page, const Lane& lane, int64_t time_ns, flamelet_state* state) {
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, content.capture, lane.capture_lane, time_ns, time_ns + 1,
                              page.states.states.data, page.states.states.capacity);
  if (!flamelet_state_cursor_next(&cursor) || cursor.states[0].kind == FLAMELET_STATE_UNKNOWN) return false;
  *state = cursor.states[0];
  return true;
}

// "taken off by Worker 3, on processor 2, for 1.20 ms"
void describe_state(const Content& content, const flamelet_state& state, TextWriter* text) {
  text->add(state_name(state.kind));
  if (state.kind == FLAMELET_STATE_TAKEN_OFF) text->add(" by ").add(runner_name(content, state.by).substr(0, 64));
  if (state.kind != FLAMELET_STATE_ASLEEP) text->add(", on processor ").add_unsigned(state.processor);
  text->add(", for ").add_time(state.end_ns - state.begin_ns);
}

// The sums over a range of frames, of the thread of a lane.
struct RunSums {
  int64_t ran_ns, ready_ns, blocked_ns;
  uint64_t switches, major_faults, minor_faults;
  uint32_t known;   // FLAMELET_TIME_* that every frame told
  uint32_t frames;  // of which something is known
};

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

}  // namespace

void StateBlocks::carve(Carver* carver) {
  carver->take(&edges, kMostEdges);
  carver->take(&processors, kMostProcessorBlocks);
  carver->take(&rows, FLAMELET_MAX_PROCESSORS);
  carver->take(&states, FLAMELET_CURSOR_LEAST);
  carver->take(&runs, FLAMELET_CURSOR_LEAST);
}

void StateBlocks::clear() {
  edges.clear();
  processors.clear();
  edges_key = processors_key = Key();
  processor_count = 0;
}

void draw_state_edges(Content& content, Frame& frame, LanesPage& page, Canvas& canvas, float y, float clip_top,
                      float clip_bottom) {
  if (!content.store.has_states()) return;
  lay_out_edges(content, frame, page, y, clip_top, clip_bottom);
  const Array<TimeBlock>& edges = page.states.edges;
  canvas.reserve(edges.count);
  for (const TimeBlock& block : edges) {
    const float bottom = y + content.store.lanes()[block.row].y - 1;
    const float height = block.value == FLAMELET_STATE_ASLEEP ? 1 : edge_height(frame);
    canvas.reserved_rect(page.canvas.x + block.x0, bottom - height, page.canvas.x + block.x1, bottom,
                         pack(state_color(block.value)));
  }
  frame.notes.note_count("state_blocks", edges.count);
}

const char* state_name(uint32_t kind) {
  static constexpr const char* kNames[] = {"not known", "running", "taken off", "asleep"};
  return kNames[kind < FLAMELET_STATE_COUNT ? kind : 0];
}

void show_state(Content& content, const Frame& frame, LanesPage& page, const Lane& lane) {
  flamelet_state state;
  if (!find_state(content, page, lane, page.mouse.hover.time_ns, &state)) {
    ImGui::TextUnformatted("what the thread did here is not known");
    return;
  }
  FixedText<192> text;
  describe_state(content, state, &text);
  name_line(frame, text.view(), state_color(state.kind));
}

void show_span_states(Content& content, LanesPage& page, const Lane& lane, TimeWindow span, float column) {
  flamelet_state_times times;
  if (!content.store.has_states() || lane.kind != FLAMELET_LANE_THREAD ||
      !flamelet_capture_state_times(content.capture, lane.capture_lane, span.begin_ns, span.end_ns, &times))
    return;
  FixedText<192> text;
  for (const uint32_t kind : kStatesInOrder) {
    if (times.ns[kind] == 0) continue;
    tooltip_row(state_name(kind), text.add_time(times.ns[kind]), column);
  }
  flamelet_state state;
  const int64_t time_ns = page.mouse.hover.time_ns;
  if (time_ns < span.begin_ns || time_ns >= span.end_ns || !find_state(content, page, lane, time_ns, &state)) return;
  describe_state(content, state, &text);
  tooltip_row("here", text, column);
}

Rgb thread_color(const Content& content, const Lane& lane) {
  return lane.color != 0 ? lane_color(lane.color) : content.styles.colors().of(lane.name);
}

void lay_out_processors(Content& content, const Frame& frame, LanesPage& page) {
  StateBlocks& blocks = page.states;
  const StateBlocks::Key key = {content.store.generation(), content.timeline.view(), page.canvas.width, 0};
  const bool shown = std::any_of(content.store.lanes().begin(), content.store.lanes().end(), [&](const Lane& lane) {
    return lane.content == LaneContent::kProcessors && !lane.hidden && !lane.folded;
  });
  if (!shown || key == blocks.processors_key) return;
  blocks.processors_key = key;
  fill_blocks(frame.unit, &blocks.processor_column_px, &blocks.processors,
              [&](float column_px) { return read_processors(content, blocks, column_px, page.canvas.width); });
}

void draw_processors(const Content& content, Frame& frame, LanesPage& page, Canvas& canvas, float x, float y,
                     float clip_top, float clip_bottom, bool stays) {
  const StateBlocks& blocks = page.states;
  const float row = row_height(frame);
  for (const Lane& lane : content.store.lanes()) {
    if (lane.stays != stays || !processors_in_sight(lane, y, clip_top, clip_bottom)) continue;
    const float top = y + lane.y;
    canvas.rect(x, top, x + scaled(frame, 3), top + lane.height - 1,
                lane.color != 0 ? lane_color(lane.color) : color::kMerged);
    draw_fold_arrow(frame, canvas, lane, x, top);
    const float text_x = x + scaled(frame, 21);
    const bool is_one = lane.folded || blocks.processor_count == 0;  // no state is known
    const uint32_t rows = is_one ? 1 : blocks.processor_count;
    FixedText<32> text;
    for (uint32_t i = 0; i < rows; ++i) {
      const float row_top = top + static_cast<float>(i) * row;
      if (row_top >= clip_bottom || row_top + row <= std::max(clip_top, y + lane.covered_to)) continue;
      text.clear();
      text.add(is_one ? "processors" : "processor ");
      if (!is_one) text.add_unsigned(i);
      canvas.text_fit(text_x, row_top + scaled(frame, 1), x + gutter_width(frame) - scaled(frame, 6) - text_x,
                      color::kText, text.view());
    }
    if (lane.folded) continue;
    uint32_t characters = 0;
    for (const TimeBlock& block : blocks.processors) {
      const float row_top = top + static_cast<float>(block.row) * row;
      if (row_top >= clip_bottom || row_top + row <= std::max(clip_top, y + lane.covered_to)) continue;
      const Rgb fill = runner_color(content, block.value);
      const float x0 = page.canvas.x + block.x0, x1 = page.canvas.x + block.x1;
      canvas.rect(x0, row_top, x1 - x0 >= 3 ? x1 - 1 : x1, row_top + row - 1, fill);
      const float room = x1 - x0 - scaled(frame, 8);
      if (room < frame.metrics.size || characters >= kMostProcessorCharacters) continue;
      const std::string_view name = runner_name(content, block.value);
      characters += static_cast<uint32_t>(name.size());
      canvas.text_fit(x0 + scaled(frame, 4), row_top + scaled(frame, 1), room, ink_on(fill), name);
    }
  }
  if (stays) frame.notes.note_count("processor_blocks", blocks.processors.count);  // of both passes
}

void show_processor(Content& content, const Frame& frame, LanesPage& page, const Lane& lane) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const uint32_t processor =
      lane.folded ? UINT32_MAX : static_cast<uint32_t>((mouse.y - page.canvas.y - lane.y) / row_height(frame));
  const TimeBlock* block = find_time_block(page.states.processors, processor, mouse.x - page.canvas.x);
  if (block == nullptr) {
    ImGui::TextUnformatted("idle, or another program");
    return;
  }
  FixedText<192> text;
  text.add(runner_name(content, block->value).substr(0, 64)).add(", on processor ").add_unsigned(processor);
  flamelet_state state;
  const Lane* runner = nullptr;
  for (const Lane& other : content.store.lanes())
    if (other.content == LaneContent::kSpans && other.capture_lane == block->value) runner = &other;
  if (runner != nullptr && find_state(content, page, *runner, page.mouse.hover.time_ns, &state) &&
      state.kind == FLAMELET_STATE_RUNNING && state.processor == processor)
    text.add(", for ").add_time(state.end_ns - state.begin_ns);
  name_line(frame, text.view(), runner_color(content, block->value));
  if (block->value == FLAMELET_BY_OTHERS) ImGui::TextDisabled("while a thread of this program waited for it");
}

void show_processors_lane(const Content& content, const Frame& frame) {
  name_line(frame, "another program, while a thread of this one waited", runner_color(content, FLAMELET_BY_OTHERS));
  ImGui::TextDisabled("Else the colours are those of the threads.");
}

void show_run_times(const Content& content, const Frame& frame, const Lane& lane, float column) {
  if (lane.kind != FLAMELET_LANE_THREAD) return;
  ImGui::TextDisabled("%s", content.timeline.shown().valid ? "in the shown frames"
                            : content.standing             ? "in the capture"
                                                           : "in the newest time");
  const RunSums sums = sum_run_times(content.capture, lane.capture_lane, content.timeline.shown());
  const bool has_states = show_state_times(content, frame, lane, column);
  const bool has_ran = (sums.known & FLAMELET_TIME_RAN) != 0, has_ready = (sums.known & FLAMELET_TIME_READY) != 0;
  FixedText<64> text;
  const auto row = [&](const char* name, int64_t ns) { tooltip_row(name, text.add_time(ns), column); };
  if (!has_ran && !has_states) return tooltip_row("ran", "unknown", column);
  if (has_ran && !has_states) row("ran", sums.ran_ns);
  if (has_ready) row("no processor", sums.ready_ns);
  if (has_ran && !has_states) row(has_ready ? "blocked" : "did not run", sums.blocked_ns);
  const auto count_row = [&](uint32_t known, const char* name, uint64_t count, const char* what) {
    if ((sums.known & known) == 0) return;
    tooltip_row(name, text.add_grouped(count).add(what), column);
  };
  count_row(FLAMELET_TIME_SWITCHES, "switches", sums.switches, "");
  if (sums.major_faults != 0) count_row(FLAMELET_TIME_MAJOR_FAULTS, "from disk", sums.major_faults, " page faults");
  if (sums.minor_faults != 0) count_row(FLAMELET_TIME_MINOR_FAULTS, "new memory", sums.minor_faults, " page faults");
}

}  // namespace flamelet::ui

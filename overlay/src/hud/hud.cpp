// SPDX-License-Identifier: MIT
//
// hud.cpp: the small display in a corner, one draw command. It shares the capture with the overlay. Clicks go through it,
// unless the settings say otherwise: then a click on a row opens the overlay on what the row is about. While the view is
// paused, it takes clicks for its button that resumes.
#include <algorithm>
#include <utility>

#include "content/range_statistics.h"
#include "counters/counter_lanes.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/site.h"
#include "flamelet/flight.h"
#include "hud/hud.h"
#include "imgui.h"
#include "imgui_internal.h"  // BringWindowToDisplayFront: a focus of the game's is not to be taken
#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "pages/pages.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kWorstNs = 5000000000;
constexpr uint32_t kMeanFrames = 15;

int64_t length_of(const flamelet_frame_info& frame) {
  return frame.end_ns - frame.begin_ns;
}

// How many frames there are for the HUD: while the game is paused not those that came in since, with what was saved.
size_t known_frames(const Content& content) {
  const size_t count = flamelet_capture_frame_count(content.capture);
  flamelet_frame_info newest;
  if (!content.live() || !content.timeline.paused() || content.history.levels.next_index() == 0) return count;
  if (!flamelet_capture_frame(content.capture, count - 1, &newest)) return count;
  const size_t known = flamelet_capture_find_frame(content.capture, content.history.levels.next_index() - 1);
  return known != SIZE_MAX ? known + 1 : count;
}

// The lane of the thread that ended the frame; the first thread's where that is not known. SIZE_MAX without threads.
size_t frame_lane(const flamelet_capture* capture, const flamelet_frame_info& frame) {
  size_t first = SIZE_MAX;
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) continue;
    if (info.id == frame.thread) return lane;
    if (first == SIZE_MAX) first = lane;
  }
  return first;
}

void find_worst(const Content& content, HudNumbers* numbers) {
  const flamelet_capture* const capture = content.capture;
  numbers->has_worst = false;
  flamelet_frame_info newest, frame;
  const size_t count = known_frames(content);
  if (count == 0 || !flamelet_capture_frame(capture, count - 1, &newest)) return;
  for (size_t i = count; i-- > 0 && flamelet_capture_frame(capture, i, &frame);) {
    if (frame.end_ns < newest.end_ns - kWorstNs) break;
    // Frame 0 lasts from the start to the first mark.
    if ((i == 0 && has_start(capture)) || (numbers->has_worst && length_of(frame) <= length_of(numbers->worst)))
      continue;
    numbers->worst = frame;
    numbers->has_worst = true;
  }
}

// What two frames did at the same time counts once: so the GPU takes no longer than the frames do.
void fill_gpu(const Content& content, size_t last, HudNumbers* numbers) {
  flamelet_frame_info frame;
  GpuFrame gpu;
  double sum_ns = 0;
  uint32_t frames = 0, known = 0;
  for (; frames < kMeanFrames && flamelet_capture_frame(content.capture, last - frames, &frame); ++frames) {
    if (!content.gpu.find(frame.index, &gpu)) continue;
    if (known++ == 0) numbers->gpu_lag = gpu.lag;
    sum_ns += static_cast<double>(gpu.share_ns);
  }
  numbers->gpu_ns = known != 0 ? static_cast<int64_t>(sum_ns / frames) : -1;
}

void fill_rows(const Content& content, const Choice& choice, HudNumbers* numbers) {
  const PinTimes& pins = numbers->pins;
  numbers->row_count = choice.watched.pin_count();
  for (uint32_t i = 0; i < numbers->row_count; ++i) {
    const WatchedScope& pin = choice.watched.pinned(i);
    PinRow& row = numbers->rows[i];
    row = PinRow();
    ScopeKey key;
    row.is_off = pins.scope(i, &key) && is_switched_off(content, key.site);
    row.budget_ns = choice.watched.budget_of(pin.name, pin.on_gpu);
    const uint32_t mean = std::min(pins.frame_count(), kMeanFrames);
    for (uint32_t back = 0; back < pins.frame_count(); ++back) {
      if (back < mean) row.time_ns += pins.time_ns(i, back);
      if (row.budget_ns != 0 && pins.time_ns(i, back) > row.budget_ns) row.over = true;
    }
    if (mean != 0) row.time_ns = mean_of(row.time_ns, mean);
  }
}

void fill_counters(const Content& content, const Settings& settings, HudNumbers* numbers) {
  const uint32_t count = settings.hud_counters ? counter_count(content) : 0;
  numbers->counter_count = 0;
  for (uint32_t i = 0; i < count && numbers->counter_count < HudNumbers::kMostRows; ++i) {
    CounterReading reading;
    const bool known = read_counter(content, i, &reading);
    if (!is_of_events(reading.unit))
      numbers->counters[numbers->counter_count++] = {i, known && reading.is_off, known ? reading.value : 0};
  }
}

// The newest frame whose GPU work is known; SIZE_MAX without frames.
size_t settled_frame(const Content& content) {
  const size_t count = known_frames(content);
  flamelet_frame_info newest;
  if (count == 0 || !flamelet_capture_frame(content.capture, count - 1, &newest)) return SIZE_MAX;
  const uint64_t settled = content.gpu.newest_frame();
  if (settled >= newest.index || newest.index - settled > GpuFrames::kMostLag) return count - 1;
  const size_t position = flamelet_capture_find_frame(content.capture, settled);
  return position != SIZE_MAX ? position : count - 1;
}

// At least nine tenths of a frame.
bool is_busy(int64_t work_ns, int64_t frame_ns) {
  return work_ns >= frame_ns - frame_ns / 10;
}

// The rows below the frame times. Each draws at `row` and moves it down by a line.
struct HudRow {
  Canvas& canvas;
  float x, right;
  float y;     // of the row's text
  float line;  // from one row to the next
};

// The HUD has few vertices.
constexpr float kNamePx = 80;
constexpr float kBottleneckPx = 150;
constexpr uint32_t kGraphPoints = 12;

// True when the row was clicked, where clicks are the HUD's.
bool is_clicked(const Settings& settings, const Frame& frame, const HudRow& row, int id) {
  if (!settings.hud_clicks) return false;
  ImGui::SetCursorScreenPos(ImVec2(row.x, row.y));
  ImGui::PushID(id);
  ImGui::InvisibleButton("##row", ImVec2(std::max(row.right - row.x, 1.0f), std::max(row.line, 1.0f)));
  ImGui::PopID();
  if (ImGui::IsItemHovered())
    row.canvas.rect(row.x - scaled(frame, 4), row.y - 1, row.right + scaled(frame, 4), row.y + row.line - 1,
                    color::kControlHot);
  return ImGui::IsItemClicked();
}

void open_page(PageContext& o, WindowState& window, const char* page) {
  set_mode(o, window, OverlayMode::kActive);
  o.pages.open(page);
}

// The scope's time in the newest frames as a filled line, with the budget across it.
void draw_graph(const HudNumbers& hud, Canvas& canvas, float x, float y, float width, float height, uint32_t pin) {
  const PinTimes& pins = hud.pins;
  const uint32_t count = std::min(pins.frame_count(), PinTimes::kFrames);
  if (count < 2 || width < 4) return;
  const PinRow& row = hud.rows[pin];
  // A point shows the longest of its frames.
  int64_t points[kGraphPoints] = {};
  int64_t most = std::max<int64_t>(row.budget_ns + row.budget_ns / 4, 1);
  for (uint32_t back = 0; back < count; ++back) {
    int64_t& point = points[kGraphPoints - 1 - back * kGraphPoints / PinTimes::kFrames];
    point = std::max(point, pins.time_ns(pin, back));
    most = std::max(most, point);
  }
  const ImU32 fill = pack(color::kFrameGood);
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  ImDrawList* list = canvas.list();
  list->PrimReserve(6 * (kGraphPoints - 1), 2 * kGraphPoints);
  const unsigned first = list->_VtxCurrentIdx;
  for (unsigned i = 0; i + 1 < kGraphPoints; ++i)
    for (const unsigned corner : {0u, 1u, 2u, 1u, 3u, 2u})
      list->PrimWriteIdx(static_cast<ImDrawIdx>(first + 2 * i + corner));
  for (uint32_t i = 0; i < kGraphPoints; ++i) {
    const float at = x + width * static_cast<float>(i) / static_cast<float>(kGraphPoints - 1);
    const float share = static_cast<float>(static_cast<double>(points[i]) / static_cast<double>(most));
    list->PrimWriteVtx(ImVec2(at, y + height * (1 - share)), uv, fill);
    list->PrimWriteVtx(ImVec2(at, y + height), uv, fill);
  }
  if (row.budget_ns == 0) return;
  const float share = static_cast<float>(static_cast<double>(row.budget_ns) / static_cast<double>(most));
  const float line = whole(y + height * (1 - share));
  canvas.rect(x, line, x + width, line + 1, color::kBudget);
}

// "CPU-bound in Main"; nothing while it is not known.
void add_bottleneck(const Content& content, TextWriter* text) {
  static constexpr const char* kSaid[] = {"", "CPU-bound", "GPU-bound", "waits for vsync", "balanced", "the CPU waits"};
  const BottleneckFinder& finder = content.hud.bottleneck;
  text->add(kSaid[static_cast<uint32_t>(finder.found())]);
  flamelet_lane_info lane;
  if (finder.found() == Bottleneck::kCpu && flamelet_capture_lane(content.capture, finder.lane(), &lane))
    text->add(" in ").add(view_of(lane.name));
}

// The color says how far a frame's time is over the budget.
Rgb time_ink(const Choice& choice, int64_t ns) {
  return verdict_color(frame_verdict(ns, choice.settings.budget_ns), color::kText);
}

// What the frames wait for, and how many frames the flight recorder keeps.
void show_bottleneck_row(PageContext& o, WindowState& window, HudRow& row) {
  if (is_clicked(o.settings, o, row, 0)) open_page(o, window, "lanes");
  const size_t kept = o.hitches.flight != nullptr && !o.standing ? flamelet_flight_count(o.hitches.flight) : 0;
  float right = row.right;
  if (kept != 0) {
    FixedText<16> count;
    count.add_unsigned(kept);
    const float width = row.canvas.width(count.view());
    row.canvas.text(right - width, row.y, color::kTextMid, count.view());
    right -= width + scaled(o, 10);
    draw_flag(o, row.canvas, right, row.y + scaled(o, 3), color::kAccent);
  }
  FixedText<96> text, off;
  add_switched_off(o, &off);
  if (off.view().empty())
    add_bottleneck(o, &text);
  else
    text.add("not recorded: ").add(off.view());
  const float room = right - row.x - scaled(o, 8);
  row.canvas.text_fit(row.x, row.y, off.view().empty() ? std::min(room, scaled(o, kBottleneckPx)) : room,
                      off.view().empty() ? color::kText : color::kFrameOver, text.view());
  row.y += row.line;
}

// The longest frame of the last 5 seconds.
void show_worst_row(PageContext& o, WindowState& window, HudRow& row) {
  if (is_clicked(o.settings, o, row, 1) && o.hud.has_worst) {
    open_page(o, window, "lanes");
    show_frames(o, o, o.hud.worst.index, o.hud.worst.index);
  }
  row.canvas.text(row.x, row.y, color::kTextDim, "worst of 5 s");
  if (o.hud.has_worst) {
    FixedText<32> time, index;
    const int64_t ns = o.hud.worst.end_ns - o.hud.worst.begin_ns;
    const float x = row.x + row.canvas.width("worst of 5 s  ");
    row.canvas.text(x, row.y, time_ink(o, ns), time.add_time(ns).view());
    row.canvas.text_right(row.right, row.y, color::kTextDim, index.add('#').add_unsigned(o.hud.worst.index).view());
  }
  row.y += row.line;
}

void show_pin_row(PageContext& o, WindowState& window, HudRow& row, uint32_t pin) {
  const WatchedScope& scope = o.watched.pinned(pin);
  const PinRow& numbers = o.hud.rows[pin];
  if (is_clicked(o.settings, o, row, 16 + static_cast<int>(pin))) {
    ScopeKey key;
    open_page(o, window, "scope");
    if (o.hud.pins.scope(pin, &key)) o.selection.select_scope({key, 0, scope.on_gpu});
  }
  Canvas& canvas = row.canvas;
  FixedText<48> text;
  if (numbers.is_off)
    text.add("off");
  else
    text.add_ms(numbers.time_ns);
  if (numbers.budget_ns != 0)
    text.add('/').add_ms(numbers.budget_ns);
  else if (!numbers.is_off)
    text.add(" ms");
  // Over the budget: also a mark.
  if (numbers.over) {
    const float size = scaled(o, 8), top = row.y + scaled(o, 3);
    const float mark = row.right - canvas.width(text.view()) - scaled(o, 4) - size;
    canvas.triangle(mark, top + size, mark + size, top + size, mark + size * 0.5f, top, color::kFrameOver);
  }
  canvas.text_right(row.right, row.y, numbers.over ? color::kFrameOver : color::kText, text.view());
  const float name = scaled(o, kNamePx);
  canvas.text_fit(row.x, row.y, name, scope.on_gpu ? Rgb{color::kGpu} : Rgb{color::kTextMid}, scope.name);
  const float x = row.x + name + scaled(o, 6);
  const float width = row.right - scaled(o, 12) - canvas.width("00.00/00.00 ") - x;
  if (o.settings.hud_graphs) draw_graph(o.hud, canvas, x, row.y + 1, width, row.line - scaled(o, 3), pin);
  row.y += row.line;
}

// A scope that was over the budget that the flight recorder knows.
void show_over_row(PageContext& o, WindowState& window, HudRow& row, const flamelet_flight_over& over) {
  if (is_clicked(o.settings, o, row, 32 + static_cast<int>(row.y))) {
    open_page(o, window, "lanes");
    if (show_frames(o, o, over.frame, over.frame)) select_by_name(o, o, std::string_view(over.scope));
  }
  FixedText<64> text;
  text.add_time(over.took_ns).add(" of ");
  text.add_time(over.budget_ns);
  row.canvas.text_right(row.right, row.y, color::kFrameOver, text.view());
  row.canvas.text_fit(row.x, row.y, scaled(o, kNamePx), color::kText, over.scope);
  row.y += row.line;
}

// A counter's newest value, by its place in HudNumbers::counters.
void show_counter_row(PageContext& o, WindowState& window, HudRow& row, uint32_t line) {
  CounterReading reading;
  const HudNumbers::Counter& counter = o.hud.counters[line];
  if (is_clicked(o.settings, o, row, 64 + static_cast<int>(line))) {
    open_page(o, window, "lanes");
    lanes_of(o).canvas.reveal_counter = counter.number;
  }
  if (read_counter(o, counter.number, &reading)) {
    FixedText<32> text;
    if (counter.is_off)
      text.add("off");
    else
      add_counter_value(&text, counter.value, reading.unit);
    row.canvas.text_right(row.right, row.y, color::kText, text.view());
    const float room = row.right - row.x - row.canvas.width(text.view()) - scaled(o, 8);
    row.canvas.text_fit(row.x, row.y, std::min(room, scaled(o, kBottleneckPx)), color::kTextMid,
                        name_without_unit(reading.name, reading.unit));
  }
  row.y += row.line;
}

constexpr float kHudWidth = 312;
constexpr float kHudMargin = 10;
constexpr float kBarsWidth = 120;

void draw_bars(const DrawContext& o, Canvas& canvas, float x, float y, float width, float height) {
  const size_t count = known_frames(o);
  const float pitch = std::max(5.0f, scaled(o, 5));
  const uint32_t fit = frames_that_fit(width, pitch, 1);
  const double range = 2.2 * static_cast<double>(o.settings.budget_ns);
  float right = x + width;
  for (uint32_t i = 0; i < fit && i < count; ++i, right -= pitch) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(o.capture, count - 1 - i, &frame)) break;
    const int64_t ns = frame.end_ns - frame.begin_ns;
    const FrameVerdict verdict = frame_verdict(ns, o.settings.budget_ns);
    const float share = static_cast<float>(std::min(static_cast<double>(ns) / range, 1.0));
    const float bar = std::max(1.0f, whole(share * height));
    canvas.rect(right - pitch, y + height - bar, right - 1, y + height, verdict_color(verdict));
  }
  const float line = y + height - whole(height / 2.2f);
  canvas.rect(x, line, x + width, line + 1, color::kBudget, 180);
}

// "p99  21.30 ms", and what follows.
void draw_time(Choice& choice, HudRow& row, const char* label, int64_t ns, std::string_view after) {
  Canvas& canvas = row.canvas;
  const float value_right = row.x + canvas.width("frame ") + canvas.width("000.00 ms");
  FixedText<32> text;
  canvas.text(row.x, row.y, color::kTextDim, label);
  canvas.text_right(value_right, row.y, time_ink(choice, ns), text.add_time(ns).view());
  if (!after.empty()) canvas.text(value_right + canvas.width("  "), row.y, color::kTextMid, after);
}

// The HUD of a paused game does not move on, so it can be told to; and that of a file is not about the game.
bool can_resume(const Content& content) {
  return content.timeline.paused() && content.has_game();
}

void show_resume_button(PageContext& o, CaptureFiles& files, HudRow& row) {
  Canvas& canvas = row.canvas;
  const std::string_view text = o.standing ? "Live" : "Resume";
  const float pad = scaled(o, 4);
  const float x = row.x + canvas.width("frame 000.00 ms ");
  const float width = canvas.width(text) + 2 * pad, height = row.line - 1;
  o.notes.note_place("hud_resume", x + width * 0.5f, row.y + height * 0.5f);
  ImGui::SetCursorScreenPos(ImVec2(x, row.y - 1));
  const bool clicked = ImGui::InvisibleButton("##resume", ImVec2(width, height));
  canvas.rect(x, row.y - 1, x + width, row.y - 1 + height,
              ImGui::IsItemHovered() ? color::kControlHot : color::kControl);
  canvas.text(x + pad, row.y, color::kText, text);
  if (clicked) pause_or_resume(o, files);
}

// What came of a file, for some seconds: nothing else says it here.
constexpr double kNoticeSeconds = 6;

bool has_notice(PageContext& o, double seconds = kNoticeSeconds) {
  if (std::exchange(o.hud.notice, o.status.said()) != o.status.said()) o.hud.notice_s = ImGui::GetTime();
  return o.status.is_of(Speaker::kFiles) && ImGui::GetTime() - o.hud.notice_s < seconds;
}

// "saved ", and the file's name, which says it where there is no room for more; or all that is said.
constexpr std::string_view kSaved = "Saved ";
bool says_saved(const PageContext& o) {
  return o.status.text().substr(0, kSaved.size()) == kSaved;
}
std::string_view notice_prefix(const PageContext& o) {
  return says_saved(o) ? "saved " : "";
}
std::string_view notice_text(const PageContext& o) {
  const std::string_view said = o.status.text();
  if (!says_saved(o)) return said;
  const size_t folder = said.find_last_of("/\\");
  const size_t begin = folder != std::string_view::npos ? folder + 1 : kSaved.size();
  return said.substr(begin, said.find(';', begin) - begin);
}

void draw_notice(const PageContext& o, const HudRow& row) {
  const float x = row.x + row.canvas.text(row.x, row.y, color::kTextDim, notice_prefix(o));
  row.canvas.text_fit(x, row.y, row.right - x, o.status.is_bad() ? color::kFrameFar : color::kTextMid, notice_text(o));
}

// Of a file: the figures are not the game's.
void draw_title(const PageContext& o, const HudRow& row) {
  const std::string_view title(o.title);
  const float x = row.x + row.canvas.text(row.x, row.y, color::kAccent, "capture ");
  row.canvas.text_fit(x, row.y, row.right - x, color::kText, title.substr(title.find_last_of("/\\") + 1));
}

// Frame, 99th percentile, GPU; beside them the newest frames as bars.
void draw_frame_times(PageContext& o, CaptureFiles& files, HudRow& row) {
  const float top = row.y;
  const uint64_t gone = o.numbers.dropped + o.numbers.lost;
  FixedText<64> text;
  if (o.numbers.hud_frame_ns > 0) text.add_fixed(1e9 / static_cast<double>(o.numbers.hud_frame_ns), 0).add(" fps");
  draw_time(o, row, "frame", o.numbers.hud_frame_ns, text.view());
  row.y += row.line;
  FixedText<32> of_frames;  // as long as the row "worst of 5 s" says of itself
  of_frames.add("of ").add_fixed(static_cast<double>(o.numbers.frames_ns) * 1e-9, 0).add(" s");
  draw_time(o, row, "p99", o.numbers.frame_times.p99_ns, of_frames.view());
  row.y += row.line;
  const bool resume = can_resume(o);
  const std::string_view paused = o.timeline.paused() && !resume ? "paused" : "";
  text.clear();
  if (o.hud.gpu_ns >= 0) {
    if (!o.timeline.paused()) text.add("lag ").add_unsigned(o.hud.gpu_lag);
    draw_time(o, row, "GPU", o.hud.gpu_ns, o.timeline.paused() ? paused : text.view());
  } else {
    draw_time(o, row, "max", o.numbers.frame_times.max_ns, o.timeline.paused() ? paused : of_frames.view());
  }
  if (resume) show_resume_button(o, files, row);
  const float bars = scaled(o, kBarsWidth);
  draw_bars(o, row.canvas, row.right - bars, top, bars, (gone != 0 ? 2 : 3) * row.line - scaled(o, 3));
  text.clear();
  if (gone != 0) row.canvas.text_right(row.right, row.y, color::kFrameOver, text.add_grouped(gone).add(" lost").view());
  row.y += row.line;
}

ImVec2 corner_place(const Settings& settings, const Frame& frame, float width, float height, bool at_bottom = false) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float margin = scaled(frame, kHudMargin);
  const bool right = (settings.hud_corner & 1) != 0, bottom = at_bottom || (settings.hud_corner & 2) != 0;
  // Where there is no room for all, the begins of the lines and the first ones stay.
  const float x = right ? std::max(viewport->WorkSize.x - width - margin, margin) : margin;
  const float y = bottom ? std::max(viewport->WorkSize.y - height - margin, margin) : margin;
  return ImVec2(whole(viewport->WorkPos.x + x), whole(viewport->WorkPos.y + y));
}

constexpr ImGuiWindowFlags kHudWindow = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoNav |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                        ImGuiWindowFlags_NoMove;

void begin_hud_window(const Settings& settings, ImVec2 at, float width, float height) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowBgAlpha(static_cast<float>(settings.hud_opacity) * 0.01f);
}

// Once in each frame that shows the HUD.
void update_hud(Content& content, Choice& choice) {
  HudNumbers& numbers = content.hud;
  const size_t last = settled_frame(content);
  if (last == SIZE_MAX) return;
  const CaptureTime time(content.numbers);
  numbers.pins.update(content.capture, last, choice.watched, &content.statistics.scratch(), Refresh::kZonesPerFrame);
  const double now_s = ImGui::GetTime();
  const bool other_pins = numbers.row_count != choice.watched.pin_count();
  if (!Refresh::is_over(numbers.next_s, now_s) && !other_pins) return;
  numbers.next_s = now_s + Refresh::kSeconds;
  find_worst(content, &numbers);
  fill_gpu(content, last, &numbers);
  fill_rows(content, choice, &numbers);
  const bool holds = content.live() && content.timeline.paused() && numbers.counter_count != 0;
  if (!holds || !choice.settings.hud_counters) fill_counters(content, choice.settings, &numbers);
  numbers.bottleneck.update(content, last, &content.statistics.scratch());
}

}  // namespace

void BottleneckFinder::carve(Carver* carver, uint32_t max_lanes) {
  carver->take(&ran_ns_, max_lanes);
  carver->take(&sites_, kSites);
}

void BottleneckFinder::reset() {
  sites_.clear();
  found_ = Bottleneck::kUnknown;
}

bool BottleneckFinder::is_wait(const flamelet_capture* capture, uint32_t site) {
  while (!sites_.full()) sites_.push({UINT32_MAX, false});
  Site& known = sites_[site % kSites];
  if (known.site != site) {
    flamelet_site_info info;
    flamelet_capture_site(capture, site, &info);
    known = {site, flamelet::is_wait(info)};
  }
  return known.waits;
}

int64_t BottleneckFinder::waits_ns(const flamelet_capture* capture, uint32_t lane, const flamelet_frame_info& frame,
                                   Array<flamelet_span>* scratch) {
  int64_t waits = 0;
  int64_t until_ns = INT64_MIN;  // the end of the outermost wait
  visit_spans(capture, lane, {frame.begin_ns, frame.end_ns}, scratch, [&](const flamelet_span& span) {
    if (span.begin_ns < until_ns || !is_wait(capture, span.site)) return true;
    waits += std::max<int64_t>(std::min(span.end_ns, frame.end_ns) - std::max(span.begin_ns, frame.begin_ns), 0);
    until_ns = span.end_ns;
    return true;
  });
  return waits;
}

void BottleneckFinder::find_busiest(const flamelet_capture* capture, size_t first, size_t last,
                                    Array<flamelet_span>* scratch, BottleneckInput* input) {
  flamelet_thread_time times[FLAMELET_MAX_TRACKS];
  ran_ns_.count = ran_ns_.capacity;
  std::fill(ran_ns_.begin(), ran_ns_.end(), int64_t{0});
  int64_t sum_ns = 0;
  for (size_t position = first; position <= last; ++position) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, position, &frame)) continue;
    const size_t count = std::min<size_t>(
        flamelet_capture_read_thread_times(capture, position, times, FLAMELET_MAX_TRACKS), FLAMELET_MAX_TRACKS);
    if (count != 0) sum_ns += length_of(frame);
    for (size_t i = 0; i < count; ++i)
      if ((times[i].known & FLAMELET_TIME_RAN) != 0 && times[i].lane < ran_ns_.count)
        ran_ns_[times[i].lane] += times[i].ran_ns;
  }
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, last, &frame)) return;
  // A thread that spins while it waits runs, too: of the one that ends the frames, waits do not count as work.
  const size_t lane = frame_lane(capture, frame);
  if (lane == SIZE_MAX) return;
  const int64_t works_ns = length_of(frame) - waits_ns(capture, static_cast<uint32_t>(lane), frame, scratch);
  const double share = static_cast<double>(works_ns) / static_cast<double>(std::max<int64_t>(length_of(frame), 1));
  lane_ = static_cast<uint32_t>(lane);
  input->cpu_ns = static_cast<int64_t>(share * static_cast<double>(input->frame_ns));
  if (sum_ns == 0) return;
  int64_t most_ns = -1;
  for (uint32_t i = 0; i < ran_ns_.count; ++i) {
    const double ran = static_cast<double>(ran_ns_[i]) / static_cast<double>(sum_ns);
    const int64_t ns =
        static_cast<int64_t>((i == lane ? std::min(ran, share) : ran) * static_cast<double>(input->frame_ns));
    if (ns <= most_ns) continue;
    most_ns = ns;
    lane_ = i;
  }
  input->cpu_ns = most_ns;
}

void BottleneckFinder::update(const Content& content, size_t last, Array<flamelet_span>* scratch) {
  const size_t first = last + 1 - std::min<size_t>(last + 1, kFrames);
  int64_t lengths[kFrames];
  uint32_t count = 0, gpu_count = 0;
  int64_t gpu_ns = 0, gpu_frames_ns = 0;
  for (size_t position = first; position <= last; ++position) {
    flamelet_frame_info frame;
    GpuFrame gpu;
    if (!flamelet_capture_frame(content.capture, position, &frame) || (frame.flags & FLAMELET_FRAME_PARTIAL) != 0)
      continue;
    lengths[count++] = length_of(frame);
    if (!content.gpu.find(frame.index, &gpu)) continue;
    ++gpu_count;
    gpu_ns += static_cast<int64_t>(gpu.share_ns);  // once, where work of two frames overlaps
    gpu_frames_ns += length_of(frame);
  }
  BottleneckInput input;
  if (count != 0) {
    std::sort(lengths, lengths + count);
    input.frame_ns = lengths[count / 2];
    input.spread_ns = lengths[(count - 1) * 9 / 10] - lengths[(count - 1) / 10];
    if (gpu_count != 0 && gpu_frames_ns > 0)
      input.gpu_ns = static_cast<int64_t>(static_cast<double>(gpu_ns) / static_cast<double>(gpu_frames_ns) *
                                          static_cast<double>(input.frame_ns));
    find_busiest(content.capture, first, last, scratch, &input);
  }
  found_ = find_bottleneck(input);
}

Bottleneck find_bottleneck(const BottleneckInput& input) {
  if (input.frame_ns <= 0 || (input.cpu_ns < 0 && input.gpu_ns < 0)) return Bottleneck::kUnknown;
  const bool cpu = is_busy(input.cpu_ns, input.frame_ns);
  const bool gpu = is_busy(input.gpu_ns, input.frame_ns);
  if (cpu && gpu) return Bottleneck::kBalanced;
  if (cpu) return Bottleneck::kCpu;
  if (gpu) return Bottleneck::kGpu;
  if (input.cpu_ns < 0) return Bottleneck::kUnknown;
  if (input.gpu_ns < 0) return Bottleneck::kWaits;
  return input.spread_ns <= input.frame_ns / 10 ? Bottleneck::kVsync : Bottleneck::kBalanced;
}

int hud_percent(const Settings& settings) {
  const float unit = ImGui::GetFontSize() / kBaseFontPx * static_cast<float>(settings.text_percent) * 0.01f;
  const float most = 100 * ImGui::GetMainViewport()->WorkSize.x / (unit * (kHudWidth + 2 * kHudMargin));
  return std::max(std::min(settings.hud_percent, static_cast<int>(most)), 10);
}

void show_notice(PageContext& o) {
  constexpr double kSeconds = 2.5;
  if (!has_notice(o, kSeconds)) return;
  const LookScope look(o, hud_percent(o.settings));
  const float pad = scaled(o, 8), line = o.metrics.size + scaled(o, 3), height = line + 2 * pad - scaled(o, 3);
  const float text = text_width(o.metrics, notice_prefix(o)) + text_width(o.metrics, notice_text(o));
  const float width = std::min(text + 2 * pad + 1, ImGui::GetMainViewport()->WorkSize.x);
  const ImVec2 at = corner_place(o.settings, o, width, height, true);
  begin_hud_window(o.settings, at, width, height);
  if (ImGui::Begin("##flamelet_notice", nullptr, kHudWindow | ImGuiWindowFlags_NoInputs)) {
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    draw_notice(o, {canvas, at.x + pad, at.x + width - pad, at.y + pad, line});
  }
  ImGui::End();
}

void show_hud(PageContext& o, CaptureFiles& files, WindowState& window) {
  update_hud(o, o);
  const float pad = scaled(o, 8);
  const float line = o.metrics.size + scaled(o, 3);
  const float width = scaled(o, kHudWidth);
  flamelet_flight_over over[kOverRows];
  flamelet_flight_over* over_end =
      std::remove_if(over, over + scopes_over_budget(o, over), [&](const flamelet_flight_over& scope) {
        return o.watched.is_pinned(scope.scope, false) || o.watched.is_pinned(scope.scope, true);
      });
  const bool told = has_notice(o), notice = told || o.standing;
  // In a low window, or with large text, the last rows are left out.
  const float space = ImGui::GetMainViewport()->WorkSize.y - 2 * scaled(o, kHudMargin) - 2 * pad + scaled(o, 3);
  const auto fit = static_cast<uint32_t>(std::max(space / line - (notice ? 6.0f : 5.0f), 0.0f));
  uint32_t room = std::min(HudNumbers::kMostRows, fit);
  const uint32_t pins = std::min(o.hud.row_count, room);
  room -= pins;
  const uint32_t over_count = std::min(static_cast<uint32_t>(over_end - over), room);
  room -= over_count;
  const uint32_t counters = std::min(o.hud.counter_count, room);
  const uint32_t lines = 5 + pins + over_count + counters + notice;
  o.notes.note_count("hud_lines", lines);
  const float height = static_cast<float>(lines) * line + 2 * pad - scaled(o, 3);
  const ImVec2 at = corner_place(o.settings, o, width, height);
  begin_hud_window(o.settings, at, width, height);
  ImGuiWindowFlags flags = kHudWindow;
  if (!o.settings.hud_clicks && !can_resume(o)) flags |= ImGuiWindowFlags_NoInputs;
  if (ImGui::Begin("##flamelet_hud", nullptr, flags)) {
    // In front of the game's windows, but not of a menu of theirs.
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    HudRow row = {canvas, at.x + pad, at.x + width - pad, at.y + pad, line};
    o.notes.note_place("hud_row", at.x, row.y, width, line);
    draw_frame_times(o, files, row);
    show_bottleneck_row(o, window, row);
    show_worst_row(o, window, row);
    for (uint32_t i = 0; i < pins; ++i) show_pin_row(o, window, row, i);
    for (uint32_t i = 0; i < over_count; ++i) show_over_row(o, window, row, over[i]);
    for (uint32_t i = 0; i < counters; ++i) show_counter_row(o, window, row, i);
    if (told)
      draw_notice(o, row);
    else if (notice)
      draw_title(o, row);
  }
  ImGui::End();
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
#include "pages/why/why_page.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kStepNs = 1000000;  // of a frame of the overlay, and at least one frame of the game

// A share of the spans that the overlay holds: one frame of the game, and not all that is in view.
flamelet_explain_config explain_config(uint32_t max_spans) {
  flamelet_explain_config config = flamelet_explain_config_default();
  config.max_spans = std::min(config.max_spans, std::max(max_spans / 8, 1024u));
  config.max_samples = std::min(config.max_samples, std::max(max_spans / 4, 4096u));
  config.max_pieces = std::min(config.max_pieces, std::max(max_spans / 32, 1024u));
  config.max_flows = config.max_pieces;
  config.max_paths = std::min(config.max_paths, std::max(max_spans / 16, 1024u));
  config.max_lanes = std::min(config.max_lanes, std::max(max_spans / 64, 256u));
  return config;
}

// One scrolling child window: the text, the causes, the pieces. Rows that are out of sight are not drawn.

constexpr float kLeastCauseNamePx = 150;

enum CauseColumn : uint32_t { kVerdict, kNow, kUsual, kSurplus, kCauseCalls };
constexpr TableColumn kCauseColumns[] = {{kSurplus, "surplus", "+000.00 ms", 0},
                                         {kVerdict, "verdict", "uninstrumented", 1},
                                         {kNow, "now", "000.00 ms", 2},
                                         {kUsual, "usual", "000.00 ms", 3},
                                         {kCauseCalls, "calls (usual)", "00,000 (00,000)", 4}};
constexpr uint32_t kCauseColumnCount = sizeof kCauseColumns / sizeof kCauseColumns[0];

enum PieceColumn : uint32_t { kBegin, kTook };
constexpr TableColumn kPieceColumns[] = {{kBegin, "from", "000.00 ms", 1}, {kTook, "took", "000.00 ms", 0}};
constexpr uint32_t kPieceColumnCount = sizeof kPieceColumns / sizeof kPieceColumns[0];

// "Frame/Update/Solve", at most so many scopes of it.
void add_why_path(Content& content, const Why& why, uint32_t path, uint32_t most, TextWriter* text) {
  constexpr uint32_t kMost = 32;
  uint32_t scopes[kMost];
  uint32_t count = 0;
  flamelet_explain_scope scope;
  for (; count < std::min(most, kMost) && why.scope(path, &scope); path = scope.parent) scopes[count++] = path;
  while (count-- != 0) {
    text->add(why_name(content, why, scopes[count]).name);
    if (count != 0) text->add('/');
  }
}

// "Plan all paths {17}   Worker 2: Job": the scope, then where it is.
void draw_place(Content& content, const Frame& frame, const Why& why, Canvas& canvas, const TableLayout& layout,
                uint32_t path, uint32_t lane, uint32_t object, std::string_view doubt, float text_y) {
  const PathName name = why_name(content, why, path);
  const float right = layout.name_right - scaled(frame, 6);
  float x = layout.left + draw_swatch(frame, canvas, layout.left, text_y, name.fill) + scaled(frame, 7);
  x += canvas.text_fit(x, text_y, right - x, color::kText, name.name) + frame.metrics.of(' ');
  FixedText<512> text;
  if (object != 0) text.add('{').add(view_of(flamelet_capture_string(content.capture, object))).add("} ");
  text.add(doubt).add(lane_name(content, lane));
  flamelet_explain_scope scope;
  if (why.scope(path, &scope) && scope.parent != FLAMELET_NO_PATH) {
    text.add(": ");
    add_why_path(content, why, scope.parent, 32, &text);
  }
  canvas.text_fit(x + frame.metrics.of(' '), text_y, right - x - frame.metrics.of(' '), color::kTextDim, text.view());
}

// "Usual" is what the work takes, whoever waits for it.
bool is_work_usual(const flamelet_cause& cause) {
  return cause.verdict == FLAMELET_VERDICT_GPU_BOUND || (cause.flags & FLAMELET_CAUSE_USUAL_JOB) != 0;
}

// What "usual" is of: where a part of a call was waited for, mostly the whole call, as the sentence says.
int64_t time_now(const flamelet_cause& cause) {
  return cause.calls == 1 && is_work_usual(cause) ? std::max(cause.time_ns, cause.span_end_ns - cause.span_begin_ns)
                                                  : cause.time_ns;
}

// Why the surplus is more than the work took beyond what it usually takes.
void add_usual_wait(const flamelet_cause& cause, TextWriter* text) {
  if (!is_work_usual(cause) || cause.surplus_ns <= time_now(cause) - cause.usual_ns) return;
  const int64_t wait_ns = cause.time_ns - cause.surplus_ns;
  if (wait_ns > 0)
    text->add("usually waited for ").add_time(wait_ns).add("; ");
  else
    text->add("usually not waited for; ");
}

// How much is usually lost in one scope is not known.
bool knows_usual(const flamelet_explanation& answer, const flamelet_cause& cause) {
  return cause.verdict != FLAMELET_VERDICT_PREEMPTED || (cause.calls == 0 && cause.usual_ns < answer.usual_ns);
}

void draw_cause(Content& content, const Frame& frame, const Why& why, Canvas& canvas, const TableLayout& layout,
                const flamelet_cause& cause, float y) {
  const float text_y = y + scaled(frame, 2);
  FixedText<48> usual_wait;
  add_usual_wait(cause, &usual_wait);
  draw_place(content, frame, why, canvas, layout, cause.path, cause.lane, cause.object, usual_wait.view(), text_y);
  draw_cells(canvas, layout, text_y, [&](uint32_t i, TextWriter& text, Rgb& ink) {
    switch (static_cast<CauseColumn>(kCauseColumns[i].id)) {
      case kSurplus:
        text.add(cause.surplus_ns >= 0 ? "+" : "").add_time(cause.surplus_ns);
        if (cause.surplus_ns > 0) ink = color::kFrameOver;
        break;
      case kVerdict:
        text.add(flamelet_cause_verdict(&cause));
        ink = color::kText;
        break;
      case kNow:
        text.add_time(time_now(cause));
        break;
      case kUsual:
        if (knows_usual(why.answer(), cause)) text.add_time(cause.usual_ns);
        break;
      case kCauseCalls:
        if (cause.calls != 0) text.add_grouped(cause.calls).add(" (").add_fixed(cause.usual_calls, 0).add(')');
        break;
    }
  });
}

void draw_piece(Content& content, const Frame& frame, const Why& why, Canvas& canvas, const TableLayout& layout,
                const flamelet_piece& piece, float y) {
  const float text_y = y + scaled(frame, 2);
  FixedText<96> doubt;
  if ((piece.flags & FLAMELET_PIECE_WAIT) != 0) {
    const flamelet_explanation& answer = why.answer();
    const flamelet_cause* const end = answer.causes + answer.cause_count;
    const flamelet_cause* const guess = std::find_if(answer.causes, end, [&piece](const flamelet_cause& cause) {
      return cause.nearest_wait == piece.path && cause.path != piece.path;
    });
    if (guess != end)
      doubt.add("waits, probably for ").add(why_name(content, why, guess->path).name).add("; ");
    else
      doubt.add("waits, nobody knows for whom; ");
  } else if ((piece.flags & FLAMELET_PIECE_PROBABLY) != 0) {
    doubt.add("probably ");
  }
  draw_place(content, frame, why, canvas, layout, piece.path, piece.lane, piece.object, doubt.view(), text_y);
  const int64_t times[] = {piece.begin_ns - why.answer().frame.begin_ns, piece.end_ns - piece.begin_ns};
  draw_cells(canvas, layout, text_y, [&](uint32_t i, TextWriter& text, Rgb&) { text.add_time(times[i]); });
}

// Selects the span, or where no scope was open, the time. It is there on the lanes, too.
void select_line(Content& content, Choice& choice, const Why& why, uint32_t lane, uint32_t path, TimeWindow times) {
  flamelet_explain_scope scope;
  const bool has_scope = why.scope(path, &scope) && scope.lane == UINT32_MAX && scope.site != UINT32_MAX;
  if (has_scope && select_span_at(content, choice, lane, times, scope.name)) return;
  choice.selection.clear();
  choice.selection.measured = times;
}

void show_line(PageContext& o) {
  o.pages.open("lanes");
  if (o.selection.measures())
    zoom_to(o, o.selection.measured);
  else
    zoom_to_selection(o, o);
}

// A table of `count` rows at the cursor, which scrolls with the page. Returns the hovered row, or `count`.
template <typename Draw>
uint32_t show_rows(Frame& frame, const char* id, const TableColumn* columns, uint32_t column_count, const char* title,
                   uint32_t count, const char* empty, const char* note, Draw draw) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float row = row_height(frame);
  const float header = table_header_height(frame);
  const TableLayout layout = layout_table(frame, columns, column_count, at.x, width, kLeastCauseNamePx);
  draw_table_header(frame, layout, at, width, title);
  ImGui::InvisibleButton(id, ImVec2(std::max(width, 1.0f), header + row * static_cast<float>(std::max(count, 1u))));
  const float top = at.y + header;
  frame.notes.note_place(note, at.x, top);
  const float mouse_row = (ImGui::GetIO().MousePos.y - top) / row;
  const uint32_t hovered = ImGui::IsItemHovered() && mouse_row >= 0 && mouse_row < static_cast<float>(count)
                               ? static_cast<uint32_t>(mouse_row)
                               : count;
  const float window_top = ImGui::GetWindowPos().y;
  const float window_bottom = window_top + ImGui::GetWindowSize().y;
  const uint32_t first = std::min(static_cast<uint32_t>(std::max(window_top - top, 0.0f) / row), count);
  const uint32_t last = std::min(static_cast<uint32_t>(std::max(window_bottom - top, 0.0f) / row) + 1, count);
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  const bool by_key = frame.rows.begin_list(count, no_row, 0);
  if (by_key) ImGui::SetScrollFromPosY(top + (static_cast<float>(frame.rows.row) + 0.5f) * row - window_top);
  for (uint32_t i = first; i < last; ++i) {
    const float y = top + static_cast<float>(i) * row;
    draw_row_background(canvas, at.x, width, y, row, false, i == hovered, i % 2 != 0);
    draw(canvas, layout, i, y);
  }
  if (count == 0) canvas.text(at.x + scaled(frame, 8), top + scaled(frame, 2), color::kTextDim, empty);
  if (hovered != count && ImGui::IsMouseClicked(0)) frame.rows.row = hovered;
  return by_key ? frame.rows.row : hovered;
}

// The longest pieces of the critical path, the longest first. What is below a hundredth of the frame is one row of the list.
struct LongPieces {
  static constexpr uint32_t kMost = 100, kLeast = 3;

  uint32_t pieces[kMost];
  uint32_t count = 0;
  uint32_t others = 0;
  int64_t others_ns = 0;

  explicit LongPieces(const flamelet_explanation& answer) {
    const auto took = [&](uint32_t piece) { return answer.pieces[piece].end_ns - answer.pieces[piece].begin_ns; };
    const uint32_t all = static_cast<uint32_t>(answer.piece_count);
    for (uint32_t i = 0; i < all; ++i) {
      others_ns += took(i);
      uint32_t at = count;
      while (at != 0 && took(pieces[at - 1]) < took(i)) --at;
      if (at == kMost) continue;
      if (count != kMost) ++count;
      std::copy_backward(pieces + at, pieces + count - 1, pieces + count);
      pieces[at] = i;
    }
    const int64_t least_ns = (answer.frame.end_ns - answer.frame.begin_ns) / 100;
    while (count > kLeast && took(pieces[count - 1]) < least_ns) --count;
    if (count + 1 == all && count != kMost) ++count;  // one alone is not folded: it stands behind the others
    others = all - count;
    for (uint32_t i = 0; i < count; ++i) others_ns -= took(pieces[i]);
  }
};

void draw_other_pieces(const Frame& frame, Canvas& canvas, const TableLayout& layout, const LongPieces& pieces,
                       float y) {
  FixedText<48> count, took;
  const float text_y = y + scaled(frame, 2);
  canvas.text(layout.left, text_y, color::kTextDim, count.add_grouped(pieces.others).add(" others").view());
  for (uint32_t i = 0; i < layout.count; ++i)
    if (layout.shows(i) && kPieceColumns[i].id == kTook)
      canvas.text_right(layout.edges[i], text_y, color::kTextDim, took.add_time(pieces.others_ns).view());
}

// The critical path over the time of the frame. Returns the piece under the mouse, or the count.
uint32_t show_path_bar(PageContext& o, const Why& why) {
  const flamelet_explanation& answer = why.answer();
  const uint32_t count = static_cast<uint32_t>(answer.piece_count);
  const double frame_ns = static_cast<double>(answer.frame.end_ns - answer.frame.begin_ns);
  if (count == 0 || !(frame_ns > 0)) return count;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float pad = scaled(o, 4), left = at.x + pad, height = row_height(o);
  const float width = std::max(ImGui::GetContentRegionAvail().x - 2 * pad, 1.0f);
  const float top = at.y + pad, bottom = top + height;
  ImGui::InvisibleButton("##path_bar", ImVec2(width + 2 * pad, height + 2 * pad));
  o.notes.note_place("why_path", left, top, width, height);
  const float mouse_x = ImGui::IsItemHovered() ? ImGui::GetIO().MousePos.x : -1;
  uint32_t hovered = count;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(left, top, left + width, bottom, color::kPanel);
  float drawn = left;
  Rgb before = color::kPanel;
  for (uint32_t i = 0; i < count; ++i) {
    const flamelet_piece& piece = answer.pieces[i];
    const auto x_of = [&](int64_t ns) {
      const double share = static_cast<double>(ns - answer.frame.begin_ns) / frame_ns;
      return left + whole(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
    };
    const float x0 = std::max(x_of(piece.begin_ns), drawn), x1 = x_of(piece.end_ns);
    if (!(x1 > x0)) continue;
    const PathName name = why_name(o, why, piece.path);
    const Rgb fill = name.fill == before ? other_shade(name.fill) : name.fill;
    canvas.rect(x0, top, x1, bottom, fill);
    SeenText seen;
    FixedText<160> text;
    text.add(seen_text(name.name.substr(0, 120), &seen)).add("  ").add_time(piece.end_ns - piece.begin_ns);
    const float room = x1 - x0 - 2 * pad;
    if (canvas.width(text.view()) <= room)
      canvas.text(x0 + pad, top + scaled(o, 2), ink_on(fill), text.view());
    else if (room > scaled(o, 30))
      canvas.text_fit(x0 + pad, top + scaled(o, 2), room, ink_on(fill), name.name);
    if (mouse_x >= x0 && mouse_x < x1) {
      hovered = i;
      if (begin_tooltip(o)) {
        ImGui::TextUnformatted(text.view().data(), text.view().data() + text.view().size());
        ImGui::EndTooltip();
      }
    }
    before = fill;
    drawn = x1;
  }
  return hovered;
}

void show_text(Frame& frame, const Why& why) {
  const std::string_view text = why.text();
  const size_t first_line = std::min(text.find('\n'), text.size());
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(why.doubtful() ? color::kFrameOver : color::kText));
  const float width = ImGui::GetContentRegionAvail().x;
  show_lines(frame, text.substr(0, first_line), width);
  ImGui::PopStyleColor();
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextMid));
  if (first_line < text.size()) show_lines(frame, text.substr(first_line + 1), width);
  ImGui::PopStyleColor();
}

void show_tables(PageContext& o, const Why& why) {
  const flamelet_explanation& answer = why.answer();
  const uint32_t causes = static_cast<uint32_t>(answer.cause_count);
  const bool usual = causes != 0 && answer.causes[0].verdict == FLAMELET_VERDICT_AS_USUAL;
  const uint32_t cause = show_rows(o, "##causes", kCauseColumns, kCauseColumnCount,
                                   usual ? "what took most" : "what took longer than usual", causes, "nothing",
                                   "why_causes", [&](Canvas& canvas, const TableLayout& layout, uint32_t i, float y) {
                                     draw_cause(o, o, why, canvas, layout, answer.causes[i], y);
                                   });
  const LongPieces pieces(answer);
  const uint32_t all = static_cast<uint32_t>(answer.piece_count);
  uint32_t piece = show_path_bar(o, why);
  const uint32_t row = show_rows(o, "##pieces", kPieceColumns, kPieceColumnCount, "critical path, the longest first",
                                 pieces.count + (pieces.others != 0), "none", "why_pieces",
                                 [&](Canvas& canvas, const TableLayout& layout, uint32_t i, float y) {
                                   if (i == pieces.count) return draw_other_pieces(o, canvas, layout, pieces, y);
                                   draw_piece(o, o, why, canvas, layout, answer.pieces[pieces.pieces[i]], y);
                                 });
  if (row < pieces.count) piece = pieces.pieces[row];
  if (cause == causes && piece == all) return;
  if (row_opened(o)) {
    show_line(o);
  } else if (row_chosen(o) && cause != causes) {
    const flamelet_cause& line = answer.causes[cause];
    select_line(o, o, why, line.lane, line.path, {line.span_begin_ns, line.span_end_ns});
  } else if (row_chosen(o)) {
    const flamelet_piece& line = answer.pieces[piece];
    select_line(o, o, why, line.lane, line.path, {line.span_begin_ns, line.span_end_ns});
  }
}

// What there is instead of an answer.
void show_no_answer(Content& content, const Why& why) {
  FixedText<96> text;
  if (why.chosen()) {
    text.add("Frame ").add_unsigned(why.frame_index()).add(": reading the ");
    text.add_unsigned(why.frames_left()).add(" frames");
  } else {
    text.add(content.timeline.paused() ? "There is no frame to explain." : "Pause, and the shown frame is explained.");
  }
  colored_text(color::kTextDim, text.view());
}

void show_buttons(PageContext& o, const Why& why) {
  const bool paused = o.timeline.paused();
  if (!paused && tool_button(o, "##explain", Icon::kPause, "Explain this frame", false, 0, "pause: Space"))
    toggle_pause(o, o);
  if (!why.known()) return;
  if (tool_button(o, "##copy", Icon::kNone, "Copy text", false, 0, "the sentence and its lines"))
    ImGui::SetClipboardText(why.text().data());
  ImGui::SameLine();
  if (tool_button(o, "##path", Icon::kNone, "Path over lanes", o.settings.critical_path, 0, "the critical path: P"))
    o.settings.set(&Settings::critical_path, !o.settings.critical_path);
  if (!o.selection.any()) return;
  ImGui::SameLine();
  if (tool_button(o, "##lanes", Icon::kNone, "Show in lanes", false, 0, "the selected scope: double-click"))
    show_line(o);
}

}  // namespace

void Why::carve(Carver* carver, uint32_t max_spans) {
  config_ = explain_config(max_spans);
  carver->take(&memory_, flamelet_explain_memory_required(&config_));
  if (memory_.data != nullptr) flamelet_explain_create(&config_, memory_.data, memory_.capacity, &explain_);
}

void Why::reset() {
  forget();
  flamelet_explain_clear(explain_);
}

void Why::set_budget(int64_t budget_ns) {
  if (config_.budget_ns == budget_ns) return;
  config_.budget_ns = budget_ns;
  flamelet_explain_create(&config_, memory_.data, memory_.capacity, &explain_);
  forget();
}

void Why::choose(const flamelet_capture* capture, FrameRange frames, const Array<flamelet_flight_info>& hitches) {
  if (frames == about_) return;
  about_ = FrameRange();
  known_ = false;
  frame_ns_ = -1;
  const size_t first = frames.valid ? flamelet_capture_find_frame(capture, frames.first) : SIZE_MAX;
  if (first == SIZE_MAX) return;
  flamelet_frame_info frame;
  size_t longest = first;
  for (size_t i = first; flamelet_capture_frame(capture, i, &frame) && frame.index <= frames.last; ++i) {
    if (frame.end_ns - frame.begin_ns <= frame_ns_) continue;
    frame_ns_ = frame.end_ns - frame.begin_ns;
    frame_index_ = frame.index;
    longest = i;
  }
  about_ = frames;
  flamelet_capture_frame(capture, longest, &frame);
  size_t from = 0, end = SIZE_MAX, count = 0;
  for (const flamelet_flight_info& info : hitches) {
    if (info.frame.index != frame_index_ || info.frame.begin_ns != frame.begin_ns) continue;
    const size_t first_kept = flamelet_capture_find_frame(capture, info.first_frame);
    const size_t last_kept = flamelet_capture_find_frame(capture, info.last_frame);
    if (first_kept != SIZE_MAX) from = first_kept;
    if (last_kept != SIZE_MAX) end = last_kept + 1;
  }
  flamelet_explain_baseline(explain_, capture, longest, from, end, &from, &count);
  left_ = static_cast<uint32_t>(count);
  flamelet_capture_frame(capture, from, &frame);
  first_index_ = frame.index;
  flamelet_capture_frame(capture, from + (count == 0 ? 0 : count - 1), &frame);
  last_index_ = frame.index;
}

void Why::step(const flamelet_capture* capture) {
  if (known_ || !about_.valid) return;
  const size_t position = flamelet_capture_find_frame(capture, frame_index_);
  if (position == SIZE_MAX) return forget();
  size_t first = flamelet_capture_find_frame(capture, first_index_);
  if (first == SIZE_MAX) first = 0;  // it has gone meanwhile
  const size_t last = flamelet_capture_find_frame(capture, last_index_);
  const size_t end = last == SIZE_MAX ? position : last + 1;
  const int64_t until_ns = steady_ns() + kStepNs;
  left_ = static_cast<uint32_t>(std::min<size_t>(left_, end - first));
  for (; left_ != 0; --left_) {
    flamelet_explain_read_frame(explain_, capture, end - left_);
    if (steady_ns() < until_ns) continue;
    --left_;
    return;
  }
  if (flamelet_explain_frame_against(explain_, capture, position, first, end - first, &answer_) != FLAMELET_OK)
    return forget();
  flamelet_explain_text(explain_, capture, &answer_, text_, sizeof text_);
  known_ = true;
}

bool wants_why(const PageContext& o) {
  return why_row_height(o) > 0 || (o.settings.critical_path && o.pages.shows("lanes")) || o.pages.shows("why");
}

Why& why_of(PageContext& o) {
  return o.pages.get<WhyPage>().why;
}
const Why& why_of(const PageContext& o) {
  return o.pages.get<WhyPage>().why;
}

PathName why_name(Content& content, const Why& why, uint32_t path) {
  flamelet_explain_scope scope;
  if (!why.scope(path, &scope)) return {"(unknown)", color::kWait};
  if (scope.lane != UINT32_MAX) return {"no scope", color::kWait};
  if (scope.site == UINT32_MAX) return {"other paths", color::kWait};
  const ScopeStyle& style = content.styles.of({scope.site, scope.name});
  return {style.name, style.fill};
}

std::string_view lane_name(const Content& content, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(content.capture, lane, &info) ? view_of(info.name) : std::string_view();
}

void WhyPage::update(PageContext& o) {
  if (!o.timeline.paused()) return why.forget();
  why.set_budget(o.settings.budget_ns);
  why.choose(o.capture, o.timeline.selected(), o.hitches.list);
  if (!wants_why(o)) return;
  const CaptureTime time(o.numbers);
  why.step(o.capture);
}

void WhyPage::draw(PageContext& o, float height) {
  const float width = ImGui::GetContentRegionAvail().x;
  begin_bare_child(o, "##why", ImVec2(width, std::max(height, 1.0f)));
  ImGui::Indent(scaled(o, 8));
  show_buttons(o, why);
  if (why.known())
    show_text(o, why);
  else
    show_no_answer(o, why);
  ImGui::Unindent(scaled(o, 8));
  if (why.known()) show_tables(o, why);
  ImGui::EndChild();
}

void WhyPage::write_state(const PageContext&, JsonObject* json) const {
  json->add("why_frame", why.chosen() ? why.frame_index() : 0);
  json->add("why_known", why.known());
  json->add("why_frames_left", why.chosen() ? why.frames_left() : 0);
  const size_t causes = why.known() ? why.answer().cause_count : 0;
  json->add("why_causes", uint64_t{causes});
  json->add("why_pieces", uint64_t{why.known() ? why.answer().piece_count : 0});
  json->add("why_verdict", causes != 0 ? flamelet_verdict_name(why.answer().causes[0].verdict) : "");
  json->add("why_surplus_ns", causes != 0 ? why.answer().causes[0].surplus_ns : 0);
  json->add("why_text", why.known() ? why.text() : std::string_view());
}

// The line below the details that says what made the selected frame slow. A click on it opens the Why page.

float why_row_height(const PageContext& o) {
  const Why& why = why_of(o);
  if (o.pages.shows("why")) return 0;  // the page says the same, and more
  const bool over = why.chosen() && why.frame_ns() > o.settings.budget_ns;
  return over || o.settings.why_always ? o.metrics.size + scaled(o, 5) : 0;
}

void show_why_row(PageContext& o) {
  const Why& why = why_of(o);
  const float height = why_row_height(o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!(height > 0)) return;
  o.notes.note_place("why_row", at.x, at.y);
  const float width = ImGui::GetContentRegionAvail().x;
  if (ImGui::InvisibleButton("##why_row", ImVec2(width, height - 1))) o.pages.open("why");
  const bool hot = ImGui::IsItemHovered();
  if (hot && begin_tooltip(o)) {
    ImGui::TextUnformatted("the whole answer: the page Why");
    ImGui::EndTooltip();
  }
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y + 1, at.x + width, at.y + height, hot ? color::kControl : color::kPanel);
  const float right = at.x + width - scaled(o, 8), y = at.y + scaled(o, 3);
  float x = at.x + scaled(o, 8);
  FixedText<64> text;
  // One of several, or while the mouse is over another frame's bar that is shown.
  const FrameRange shown = o.timeline.shown();
  if (why.chosen() && (o.timeline.previewing() || shown.first != shown.last))
    text.add('#').add_grouped(why.frame_index()).add(' ');
  text.add(why.known() && why.frame_ns() <= why.answer().limit_ns ? "as slow as usual:" : "why slow:");
  x += canvas.text_fit(x, y, right - x, color::kAccent, text.view()) + o.metrics.of(' ');
  text.clear();
  if (why.known()) {
    std::string_view said = why.sentence();
    // Without room for all of it, what follows the frame and its time, which the toolbar has.
    if (canvas.width(said) > right - x) {
      const size_t frame = said.find("Frame ");
      const size_t end = frame != std::string_view::npos ? said.find(". ", frame) : frame;
      if (end != std::string_view::npos) said.remove_prefix(end + 2);
    }
    canvas.text_fit(x, y, right - x, why.doubtful() ? color::kFrameOver : color::kText, said);
  } else if (why.chosen()) {
    text.add("reading ").add_unsigned(why.frames_left()).add(" frames");
    canvas.text_fit(x, y, right - x, color::kTextDim, text.view());
  } else {
    canvas.text_fit(x, y, right - x, color::kTextDim,
                    o.timeline.paused() ? "no frame is shown" : "pause, and the shown frame is explained");
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

}  // namespace flamelet::ui

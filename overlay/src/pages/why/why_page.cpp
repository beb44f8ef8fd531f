// SPDX-License-Identifier: MIT
//
// One scrolling child window: the text, the causes, the pieces. Rows that are out of sight are not drawn.
#include "pages/why/why_page.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/table/table_parts.h"
#include "shell/json.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

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

// "Plan all paths {17}   Worker 2: Job": the scope, then where it is.
void draw_place(Overlay& o, const Why& why, Canvas& canvas, const TableLayout& layout, uint32_t path, uint32_t lane,
                uint32_t object, std::string_view doubt, float text_y) {
  const PathName name = why_name(o, why, path);
  const float right = layout.name_right - scaled(o, 6);
  float x = layout.left + draw_swatch(o, canvas, layout.left, text_y, name.fill) + scaled(o, 7);
  x += canvas.text_fit(x, text_y, right - x, color::kText, name.name) + o.metrics.of(' ');
  FixedText<512> text;
  if (object != 0) text.add('{').add(view_of(flamelet_capture_string(o.capture, object))).add("} ");
  text.add(doubt).add(lane_name(o, lane));
  flamelet_explain_scope scope;
  if (why.scope(path, &scope) && scope.parent != FLAMELET_NO_PATH) {
    text.add(": ");
    add_why_path(o, why, scope.parent, 32, &text);
  }
  canvas.text_fit(x + o.metrics.of(' '), text_y, right - x - o.metrics.of(' '), color::kTextDim, text.view());
}

void draw_cause(Overlay& o, const Why& why, Canvas& canvas, const TableLayout& layout, const flamelet_cause& cause,
                float y) {
  const float text_y = y + scaled(o, 2);
  draw_place(o, why, canvas, layout, cause.path, cause.lane, cause.object, {}, text_y);
  for (uint32_t i = 0; i < layout.count; ++i) {
    if (!layout.shows(i)) continue;
    FixedText<48> text;
    Rgb ink = color::kTextMid;
    switch (static_cast<CauseColumn>(kCauseColumns[i].id)) {
      case kSurplus:
        text.add(cause.surplus_ns >= 0 ? "+" : "").add_time(cause.surplus_ns);
        ink = color::kFrameOver;
        break;
      case kVerdict:
        text.add(flamelet_verdict_name(cause.verdict));
        ink = color::kText;
        break;
      case kNow:
        text.add_time(cause.time_ns);
        break;
      case kUsual:
        text.add_time(cause.usual_ns);
        break;
      case kCauseCalls:
        if (cause.calls != 0) text.add_grouped(cause.calls).add(" (").add_fixed(cause.usual_calls, 0).add(')');
        break;
    }
    canvas.text_right(layout.edges[i], text_y, ink, text.view());
  }
}

void draw_piece(Overlay& o, const Why& why, Canvas& canvas, const TableLayout& layout, const flamelet_piece& piece,
                float y) {
  const float text_y = y + scaled(o, 2);
  const bool waited = (piece.flags & FLAMELET_PIECE_WAIT) != 0;
  const bool probably = (piece.flags & FLAMELET_PIECE_PROBABLY) != 0;
  draw_place(o, why, canvas, layout, piece.path, piece.lane, piece.object,
             waited     ? "waits, nobody knows for whom; "
             : probably ? "probably "
                        : "",
             text_y);
  const int64_t times[] = {piece.begin_ns - why.answer().frame.begin_ns, piece.end_ns - piece.begin_ns};
  for (uint32_t i = 0; i < layout.count; ++i) {
    if (!layout.shows(i)) continue;
    FixedText<32> text;
    text.add_time(times[i]);
    canvas.text_right(layout.edges[i], text_y, color::kTextMid, text.view());
  }
}

// Selects the span, or where no scope was open, the time. It is there on the lanes, too.
void select_line(Overlay& o, const Why& why, uint32_t lane, uint32_t path, TimeWindow times) {
  flamelet_explain_scope scope;
  const bool has_scope = why.scope(path, &scope) && scope.lane == UINT32_MAX && scope.site != UINT32_MAX;
  if (has_scope && select_span_at(o, lane, times, {scope.site, scope.name})) return;
  o.selection.clear();
  o.selection.measured = times;
}

void show_line(Overlay& o) {
  o.pages.open("lanes");
  if (o.selection.measures())
    zoom_to(o, o.selection.measured);
  else
    zoom_to_selection(o);
}

// A table of `count` rows at the cursor, which scrolls with the page. Returns the hovered row, or `count`.
template <typename Draw>
uint32_t show_rows(Frame& frame, const char* id, const TableColumn* columns, uint32_t column_count, const char* title,
                   uint32_t count, const char* empty, const char* note, Draw draw) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float row = table_row_height(frame);
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
  const bool by_key = frame.rows.begin_list(count);
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

void show_tables(Overlay& o, const Why& why) {
  const flamelet_explanation& answer = why.answer();
  const uint32_t causes = static_cast<uint32_t>(answer.cause_count);
  const uint32_t cause = show_rows(o, "##causes", kCauseColumns, kCauseColumnCount, "what took longer than usual",
                                   causes, "nothing: the sentence says what took most", "why_causes",
                                   [&](Canvas& canvas, const TableLayout& layout, uint32_t i, float y) {
                                     draw_cause(o, why, canvas, layout, answer.causes[i], y);
                                   });
  const uint32_t pieces = static_cast<uint32_t>(answer.piece_count);
  const uint32_t piece = show_rows(o, "##pieces", kPieceColumns, kPieceColumnCount, "critical path", pieces, "none",
                                   "why_pieces", [&](Canvas& canvas, const TableLayout& layout, uint32_t i, float y) {
                                     draw_piece(o, why, canvas, layout, answer.pieces[i], y);
                                   });
  if (cause == causes && piece == pieces) return;
  if (row_opened(o)) {
    show_line(o);
  } else if (row_chosen(o) && cause != causes) {
    const flamelet_cause& line = answer.causes[cause];
    select_line(o, why, line.lane, line.path, {line.span_begin_ns, line.span_end_ns});
  } else if (row_chosen(o)) {
    const flamelet_piece& line = answer.pieces[piece];
    select_line(o, why, line.lane, line.path, {line.span_begin_ns, line.span_end_ns});
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
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextDim));
  ImGui::TextUnformatted(text.view().data(), text.view().data() + text.view().size());
  ImGui::PopStyleColor();
}

void show_buttons(Overlay& o, const Why& why) {
  const bool paused = o.timeline.paused();
  if (!paused && tool_button(o, "##explain", Icon::kPause, "Explain this frame", false, 0, "pause: Space"))
    toggle_pause(o);
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

void WhyPage::update(Overlay& o) {
  if (!o.timeline.paused()) return why.forget();
  why.set_budget(o.settings.budget_ns);
  why.choose(o.capture, o.timeline.selected(), o.hitches.list);
  if (!wants_why(o)) return;
  const CaptureTime time(o.numbers);
  why.step(o.capture);
}

void WhyPage::draw(Overlay& o, float height) {
  update_spans(o);
  update_statistics(o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("##why", ImVec2(width, std::max(height, 1.0f)), false, page_child_flags(o));
  ImGui::PopStyleVar();
  ImGui::Indent(scaled(o, 8));
  show_buttons(o, why);
  if (why.known())
    show_text(o, why);
  else
    show_no_answer(o, why);
  ImGui::Unindent(scaled(o, 8));
  if (why.known()) show_tables(o, why);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

void WhyPage::write_state(const Overlay&, JsonObject* json) const {
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

}  // namespace flamelet::ui

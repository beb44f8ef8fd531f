// SPDX-License-Identifier: MIT
#include "pages/messages/messages_page.h"

#include <string.h>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kBesideNs = 5000000;  // shown on both sides of a message that is in no frame
constexpr float kLanePx = 130;

// Left edges; the message takes the rest. A narrow page has no lanes.
struct Columns {
  float time, frame, lane, message, right;
  bool has_lane;
};

Columns layout_columns(const Frame& frame, float x, float width) {
  const float gap = scaled(frame, 14);
  Columns columns;
  columns.time = x + scaled(frame, 8);
  columns.frame = columns.time + text_width(frame.metrics, "00,000.000000 s") + gap;
  columns.lane = columns.frame + text_width(frame.metrics, "#0,000,000") + gap;
  columns.right = x + width - ImGui::GetStyle().ScrollbarSize - scaled(frame, 6);
  columns.has_lane = columns.right - columns.lane > scaled(frame, kLanePx) * 3;
  columns.message = columns.has_lane ? columns.lane + scaled(frame, kLanePx) + gap : columns.lane;
  return columns;
}

std::string_view message_lane_name(const Content& content, const Message& message) {
  flamelet_lane_info info;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(content.capture); ++lane)
    if (flamelet_capture_lane(content.capture, lane, &info) && info.id == message.lane_id &&
        info.kind == message.lane_kind)
      return view_of(info.name);
  return "(gone)";
}

bool is_selected(const Choice& choice, const Message& message) {
  const SelectedMessage& selected = choice.selection.message;
  return selected.valid && selected.time_ns == message.time_ns && selected.lane_id == message.lane_id &&
         selected.lane_kind == message.lane_kind && selected.name == message.name;
}

void draw_row(Content& content, const Frame& drawn, Canvas& canvas, const Columns& columns, const Message& message,
              float y) {
  const float text_y = y + scaled(drawn, 2);
  FixedText<64> text;
  const int64_t us = message.time_ns / 1000;
  if (us < 0) text.add('-');
  const uint64_t size = static_cast<uint64_t>(us < 0 ? -us : us);
  text.add_grouped(size / 1000000).add('.');
  for (uint64_t digit = 100000; digit != 0; digit /= 10) text.add_unsigned(size / digit % 10);
  text.add(" s");
  canvas.text_right(columns.frame - scaled(drawn, 14), text_y, color::kTextMid, text.view());
  text.clear();
  flamelet_frame_info frame;
  if (flamelet_capture_frame(content.capture, flamelet_capture_frame_at(content.capture, message.time_ns), &frame))
    text.add('#').add_grouped(frame.index);
  else
    text.add('-');
  canvas.text_fit(columns.frame, text_y, columns.lane - columns.frame, color::kTextDim, text.view());
  if (columns.has_lane)
    canvas.text_fit(columns.lane, text_y, scaled(drawn, kLanePx), color::kTextMid, message_lane_name(content, message));
  const ScopeStyle& style = content.styles.of(key_of(message));
  float x = columns.message;
  x += canvas.text_fit(x, text_y, columns.right - x, color::kText, style.name) + scaled(drawn, 10);
  if (message.object == 0 || x >= columns.right) return;
  const std::string_view object = view_of(flamelet_capture_string(content.capture, message.object));
  canvas.text_fit(x, text_y, columns.right - x, color::kInstant, object);
}

void draw_header(const DrawContext& o, MessagesPage& page, const Columns& columns, ImVec2 at, float width) {
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + width, at.y + table_header_height(o), color::kPanel);
  const float y = at.y + scaled(o, 3);
  canvas.text_right(columns.frame - scaled(o, 14), y, color::kTextDim, "time");
  canvas.text(columns.frame, y, color::kTextDim, "frame");
  if (columns.has_lane) canvas.text(columns.lane, y, color::kTextDim, "lane");
  FixedText<128> text;
  text.add_grouped(o.points.messages().row_count()).add(o.filter.active() ? " messages match" : " messages");
  if (o.points.messages().left_out() != 0)
    text.add(", ").add_grouped(o.points.messages().left_out()).add(" older ones found no room");
  if (page.gone) text.add("; that one is not in the recording any more");
  canvas.text_fit(columns.message, y, columns.right - columns.message, color::kTextDim, text.view());
}

// To the frame and the time of a message on the page Lanes. False if the capture does not have them any more.
bool go_to(Content& content, Choice& choice, const Message& message) {
  TimeWindow extent;
  if (!flamelet_capture_extent(content.capture, &extent.begin_ns, &extent.end_ns)) return false;
  if (message.time_ns < extent.begin_ns || message.time_ns > extent.end_ns) return false;
  content.timeline.remember_view();
  flamelet_frame_info frame;
  const size_t position = flamelet_capture_frame_at(content.capture, message.time_ns);
  if (!flamelet_capture_frame(content.capture, position, &frame) ||
      !show_frames(content, choice, frame.index, frame.index))
    zoom_to(content, {message.time_ns - kBesideNs, message.time_ns + kBesideNs});
  else if (!content.timeline.fitted())
    show_whole_frame(content);
  return true;
}

void select(Choice& choice, const Message& message) {
  choice.selection.message = {true, message.time_ns, message.lane_kind, message.lane_id, message.name};
}

void choose(PageContext& o, MessagesPage& page, const Message& message) {
  page.gone = !go_to(o, o, message);
  select(o, message);
  page.begin_ns = o.timeline.shown_window().begin_ns;  // the list stays where it was chosen
  if (!page.gone) o.pages.open("lanes");
}

// While paused, to the first message of the shown frames, once for each choice of them, when all messages are read. Not when
// it is paused under the eyes of the user.
void scroll_to_frames(const Content& content, Frame& frame, MessagesPage& page) {
  const int64_t begin_ns = content.timeline.shown_window().begin_ns;
  if (!content.timeline.paused()) page.live_frame = ImGui::GetFrameCount();
  if (page.live_frame + 1 >= ImGui::GetFrameCount()) page.begin_ns = begin_ns;
  if (begin_ns == page.begin_ns || content.points.reading()) return;
  page.begin_ns = begin_ns;
  page.first_row = content.points.messages().row_at(begin_ns);
  frame.rows.row = UINT32_MAX;  // keys begin there, too
  ImGui::SetScrollY(static_cast<float>(page.first_row) * row_height(frame));
}

// Inside of the rows' window, after they were drawn.
void follow(const Content& content, Frame& frame, MessagesPage& page) {
  const float row = row_height(frame);
  const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - row;
  frame.notes.note_count("message_first_row", static_cast<uint64_t>(ImGui::GetScrollY() / row));
  if (at_end)
    page.follows = true;
  else if (ImGui::GetIO().MouseWheel != 0 || ImGui::IsMouseDown(0))
    page.follows = false;
  scroll_to_frames(content, frame, page);
  if (page.follows && !content.timeline.paused()) ImGui::SetScrollY(ImGui::GetScrollMaxY() + row * 4096);
}

void show_rows(PageContext& o, MessagesPage& page, const Columns& columns, ImVec2 at, float width, float height) {
  Messages& messages = o.points.messages();
  const uint32_t count = messages.row_count();
  o.notes.note_place("message_rows", at.x, at.y);
  ImGui::SetCursorScreenPos(at);
  const char* empty = o.filter.active() ? "no message matches the filter" : "no messages were recorded";
  const TimeWindow shown = o.timeline.shown_window();
  const auto chosen = [&](uint32_t i) { return is_selected(o, messages.row(i)); };
  // One of other frames is out of sight.
  const auto goes_on = [&](uint32_t i) {
    const int64_t time_ns = messages.row(i).time_ns;
    return (o.rows.row < count || (time_ns >= shown.begin_ns && time_ns < shown.end_ns)) && chosen(i);
  };
  const auto draw = [&](Canvas& canvas, uint32_t i, float y) { draw_row(o, o, canvas, columns, messages.row(i), y); };
  const uint32_t hovered =
      scrolling_rows(o, "##messages", width, height, count, empty, draw, chosen, goes_on, page.first_row);
  ImGui::SetCursorScreenPos(at);
  begin_bare_child(o, "##messages", ImVec2(width, height));
  follow(o, o, page);
  ImGui::EndChild();
  if (hovered >= count) return;
  if (o.rows.chosen) {
    select(o, messages.row(hovered));
    page.follows = false;
  } else if (o.rows.opened || ImGui::IsMouseClicked(0)) {
    choose(o, page, messages.row(hovered));
    return;
  }
  if (ImGui::IsMouseReleased(1)) o.filter.set(o.styles.of(key_of(messages.row(hovered))).name);
}

}  // namespace

void MessagesPage::draw(PageContext& o, float height) {
  const bool anew = strcmp(filter, o.filter.text) != 0;
  if (anew) {
    memcpy(filter, o.filter.text, sizeof filter);
    begin_ns = INT64_MIN;  // back to the shown frames
  }
  o.points.messages().update_rows(o.capture, &o.styles, filter, anew);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float header = table_header_height(o);
  if (height >= header + row_height(o)) {
    const Columns columns = layout_columns(o, at.x, width);
    draw_header(o, *this, columns, at, width);
    show_rows(o, *this, columns, ImVec2(at.x, at.y + header), width, height - header);
  }
}

void MessagesPage::write_state(const PageContext& o, JsonObject* json) const {
  const Messages& messages = o.points.messages();
  json->add("messages", messages.count());
  json->add("message_rows", messages.row_count());
  json->add("messages_left_out", messages.left_out());
  json->add("messages_follow", follows && !o.timeline.paused());
  json->add("message_gone", gone);
  json->add_if(o.selection.message.valid, "message_selected_ns", o.selection.message.time_ns);
}

}  // namespace flamelet::ui

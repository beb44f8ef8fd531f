// SPDX-License-Identifier: MIT
#include "pages/messages/messages_page.h"

#include <string.h>

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lane_parts.h"
#include "pages/table/table_parts.h"
#include "shell/json.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kBesideNs = 5000000;  // shown on both sides of a message that is in no frame
constexpr float kLanePx = 130;

// Left edges; the message takes the rest. A narrow page has no lanes.
struct Columns {
  float time, frame, lane, message, right;
  bool has_lane;
};

Columns layout_columns(const Overlay& o, float x, float width) {
  const float gap = scaled(o, 14);
  Columns columns;
  columns.time = x + scaled(o, 8);
  columns.frame = columns.time + text_width(o.metrics, "00,000.000 s") + gap;
  columns.lane = columns.frame + text_width(o.metrics, "#0,000,000") + gap;
  columns.right = x + width - ImGui::GetStyle().ScrollbarSize - scaled(o, 6);
  columns.has_lane = columns.right - columns.lane > scaled(o, kLanePx) * 3;
  columns.message = columns.has_lane ? columns.lane + scaled(o, kLanePx) + gap : columns.lane;
  return columns;
}

std::string_view message_lane_name(const Overlay& o, const Message& message) {
  flamelet_lane_info info;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(o.capture); ++lane)
    if (flamelet_capture_lane(o.capture, lane, &info) && info.id == message.lane_id && info.kind == message.lane_kind)
      return view_of(info.name);
  return "(gone)";
}

bool is_selected(const Overlay& o, const Message& message) {
  const SelectedMessage& selected = o.selection.message;
  return selected.valid && selected.time_ns == message.time_ns && selected.lane_id == message.lane_id &&
         selected.lane_kind == message.lane_kind && selected.name == message.name;
}

void draw_row(Overlay& o, Canvas& canvas, const Columns& columns, const Message& message, float y) {
  const float text_y = y + scaled(o, 2);
  FixedText<64> text;
  const int64_t ms = message.time_ns / 1000000;
  if (ms < 0) text.add('-');
  const uint64_t size = static_cast<uint64_t>(ms < 0 ? -ms : ms);
  text.add_grouped(size / 1000).add('.');
  for (uint64_t digit = 100; digit != 0; digit /= 10) text.add_unsigned(size / digit % 10);
  text.add(" s");
  canvas.text_right(columns.frame - scaled(o, 14), text_y, color::kTextMid, text.view());
  text.clear();
  flamelet_frame_info frame;
  if (flamelet_capture_frame(o.capture, flamelet_capture_frame_at(o.capture, message.time_ns), &frame))
    text.add('#').add_grouped(frame.index);
  else
    text.add('-');
  canvas.text_fit(columns.frame, text_y, columns.lane - columns.frame, color::kTextDim, text.view());
  if (columns.has_lane)
    canvas.text_fit(columns.lane, text_y, scaled(o, kLanePx), color::kTextMid, message_lane_name(o, message));
  const ScopeStyle& style = o.styles.of(key_of(message));
  float x = columns.message;
  x += canvas.text_fit(x, text_y, columns.right - x, color::kText, style.name) + scaled(o, 10);
  if (message.object == 0 || x >= columns.right) return;
  const std::string_view object = view_of(flamelet_capture_string(o.capture, message.object));
  canvas.text_fit(x, text_y, columns.right - x, color::kInstant, object);
}

void draw_header(Overlay& o, const Columns& columns, ImVec2 at, float width) {
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
  if (o.messages.gone) text.add("; that one is not in the recording any more");
  canvas.text_fit(columns.message, y, columns.right - columns.message, color::kTextDim, text.view());
}

// To the frame and the time of a message on the page Lanes. False if the capture does not have them any more.
bool go_to(Overlay& o, const Message& message) {
  TimeWindow extent;
  if (!flamelet_capture_extent(o.capture, &extent.begin_ns, &extent.end_ns)) return false;
  if (message.time_ns < extent.begin_ns || message.time_ns > extent.end_ns) return false;
  o.timeline.remember_view();
  flamelet_frame_info frame;
  const size_t position = flamelet_capture_frame_at(o.capture, message.time_ns);
  if (!flamelet_capture_frame(o.capture, position, &frame) || !show_frames(o, frame.index, frame.index))
    zoom_to(o, {message.time_ns - kBesideNs, message.time_ns + kBesideNs});
  else if (!o.timeline.fitted())
    show_whole_frame(o);
  return true;
}

void select(Overlay& o, const Message& message) {
  o.selection.message = {true, message.time_ns, message.lane_kind, message.lane_id, message.name};
}

void choose(Overlay& o, const Message& message) {
  o.messages.gone = !go_to(o, message);
  select(o, message);
  if (!o.messages.gone) o.page.open("lanes");
}

// Inside of the rows' window, after they were drawn.
void follow(Overlay& o) {
  const float row = table_row_height(o);
  const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - row;
  o.messages.first_row = static_cast<uint32_t>(ImGui::GetScrollY() / row);
  if (at_end)
    o.messages.follows = true;
  else if (ImGui::GetIO().MouseWheel != 0 || ImGui::IsMouseDown(0))
    o.messages.follows = false;
  if (o.messages.follows && !o.timeline.paused()) ImGui::SetScrollY(ImGui::GetScrollMaxY() + row * 4096);
}

void show_rows(Overlay& o, const Columns& columns, ImVec2 at, float width, float height) {
  Messages& messages = o.points.messages();
  const uint32_t count = messages.row_count();
  o.messages.rows_y = at.y;
  ImGui::SetCursorScreenPos(at);
  const char* empty = o.filter.active() ? "no message matches the filter" : "no messages were recorded";
  const uint32_t hovered =
      scrolling_rows(o, "##messages", width, height, count, empty, [&](Canvas& canvas, uint32_t i, float y, bool hot) {
        const Message& message = messages.row(i);
        draw_row_background(canvas, at.x, width, y, table_row_height(o), is_selected(o, message), hot, i % 2 != 0);
        draw_row(o, canvas, columns, message, y);
      });
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("##messages", ImVec2(width, height), false, page_child_flags(o));
  ImGui::PopStyleVar();
  follow(o);
  ImGui::EndChild();
  if (hovered >= count) return;
  if (o.rows.chosen) {
    select(o, messages.row(hovered));
    o.messages.follows = false;
  } else if (o.rows.opened || ImGui::IsMouseClicked(0)) {
    choose(o, messages.row(hovered));
    return;
  }
  if (ImGui::IsMouseReleased(1)) o.filter.set(o.styles.of(key_of(messages.row(hovered))).name);
}

}  // namespace

void draw_messages_page(Overlay& o, float height) {
  update_spans(o);
  update_statistics(o);
  const std::string_view filter = o.filter.text;
  const bool anew = filter != std::string_view(o.messages.filter);
  if (anew) memcpy(o.messages.filter, o.filter.text, sizeof o.messages.filter);
  o.points.messages().update_rows(o.capture, &o.styles, filter, anew);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float header = table_header_height(o);
  if (height >= header + table_row_height(o)) {
    const Columns columns = layout_columns(o, at.x, width);
    draw_header(o, columns, at, width);
    show_rows(o, columns, ImVec2(at.x, at.y + header), width, height - header);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

void draw_selected_message(Overlay& o, Canvas& canvas, float y, float clip_top, float clip_bottom) {
  const SelectedMessage& selected = o.selection.message;
  if (!selected.valid) return;
  const double px = x_at(o.timeline.view(), static_cast<double>(selected.time_ns), static_cast<double>(o.canvas.width));
  if (!(px >= 0) || !(px < static_cast<double>(o.canvas.width))) return;
  const float x = o.canvas.x + static_cast<float>(static_cast<int>(px));
  canvas.rect(x, clip_top, x + 1, clip_bottom, color::kSelect, 130);
  const Lane* lane = find_lane(o, selected.lane_kind, selected.lane_id);
  if (lane == nullptr || !(lane->height > 0)) return;
  const float size = lane_gap(o);
  const float bottom = y + lane->y;
  if (bottom < std::max(clip_top, y + lane->covered_to) || bottom > clip_bottom) return;
  canvas.triangle(x - size, bottom - size, x + size + 1, bottom - size, x + 0.5f, bottom, color::kSelect);
}

void write_messages_state(const Overlay& o, JsonObject* json) {
  const Messages& messages = o.points.messages();
  json->add("messages", messages.count());
  json->add("message_rows", messages.row_count());
  json->add("messages_left_out", messages.left_out());
  json->add("messages_follow", o.messages.follows && !o.timeline.paused());
  json->add("message_first_row", o.messages.first_row);
  json->add_number("message_rows_y_px", static_cast<double>(o.messages.rows_y));
  json->add("message_gone", o.messages.gone);
  if (o.selection.message.valid)
    json->add("message_selected_ns", o.selection.message.time_ns);
  else
    json->add_null("message_selected_ns");
}

}  // namespace flamelet::ui

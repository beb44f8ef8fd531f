// SPDX-License-Identifier: MIT
#include "lanes/interval_details.h"

#include <algorithm>

#include "draw/text_buffer.h"
#include "draw/value_line.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "lanes/lane_parts.h"
#include "shell/json.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

// The name of a thread that began or ended an interval.
std::string_view thread_name(const Content& content, uint32_t track) {
  flamelet_lane_info info;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(content.capture); ++lane)
    if (flamelet_capture_lane(content.capture, lane, &info) && info.kind != FLAMELET_LANE_FIBER && info.id == track)
      return view_of(info.name);
  return "a thread that is gone";
}

std::string_view begin_thread(const Content& content, const flamelet_interval& interval) {
  if ((interval.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0) return "its begin is missing";
  return thread_name(content, interval.begin_track);
}

std::string_view end_thread(const Content& content, const flamelet_interval& interval) {
  if ((interval.flags & FLAMELET_SPAN_OPEN) != 0) return "still open";
  return thread_name(content, interval.end_track);
}

void add_frame(const Content& content, int64_t time_ns, TextWriter* text) {
  flamelet_frame_info frame;
  if (flamelet_capture_frame(content.capture, flamelet_capture_frame_at(content.capture, time_ns), &frame))
    text->add(" in #").add_grouped(frame.index);
}

}  // namespace

void show_interval(Overlay& o, const LaneRows& rows, uint32_t index) {
  const LaneSpan span = rows.spans[index];
  const flamelet_interval* interval = &o.store.intervals().of(rows, index);
  const ScopeStyle& style = o.styles.of(key_of(span));
  const float column = text_width(o.metrics, "duration") + scaled(o, 18);
  name_line(o, style.name, style.fill);
  FixedText<160> text;
  if (span.object != 0) {
    const std::string_view object = view_of(flamelet_capture_string(o.capture, span.object));
    tooltip_row("object", object.substr(0, fit_text(o.metrics, object, scaled(o, kMostNamePx)).bytes), column);
  }
  if ((interval->flags & FLAMELET_SPAN_MISSING_BEGIN) != 0) {
    text.add("not known");
  } else {
    text.add_time(span.end_ns - span.begin_ns);
    if ((interval->flags & FLAMELET_SPAN_OPEN) != 0) text.add(" so far");
  }
  tooltip_row("duration", text.view(), column);
  text.clear();
  text.add(begin_thread(o, *interval).substr(0, 64));
  if ((interval->flags & FLAMELET_SPAN_MISSING_BEGIN) == 0) add_frame(o, span.begin_ns, &text);
  tooltip_row("begun", text.view(), column);
  text.clear();
  text.add(end_thread(o, *interval).substr(0, 64));
  if ((interval->flags & FLAMELET_SPAN_OPEN) == 0) add_frame(o, span.end_ns, &text);
  tooltip_row("ended", text.view(), column);
  flamelet_site_info site;
  flamelet_capture_site(o.capture, span.site, &site);
  if (site.file.size == 0) return;
  text.clear();
  text.add(view_of(site.file).substr(0, fit_text(o.metrics, view_of(site.file), scaled(o, kMostNamePx)).bytes));
  text.add(':').add_unsigned(site.line);
  tooltip_row("from", text.view(), column);
}

void show_interval_lane(Frame& frame, const Lane& lane) {
  const float column = text_width(frame.metrics, "category") + scaled(frame, 18);
  tooltip_row("category", lane.name.substr(0, fit_text(frame.metrics, lane.name, scaled(frame, kMostNamePx)).bytes),
              column);
  FixedText<64> text;
  text.add_grouped(uint64_t{lane.layout.zones_drawn} + lane.layout.zones_merged).add(" intervals");
  tooltip_row("in view", text.view(), column);
  if (lane.left_out == 0) return;
  text.clear();
  text.add_grouped(lane.left_out).add(" beyond the overlay's memory");
  tooltip_row("unread", text.view(), column);
}

const flamelet_interval* selected_interval(const Overlay& o) {
  if (!o.selection.span.valid || o.selection.span.lane_kind != FLAMELET_LANE_EXTERNAL) return nullptr;
  for (const Lane& lane : o.store.lanes())
    if (lane.content == LaneContent::kIntervals && lane.id == o.selection.span.lane_id)
      return o.store.intervals().find(o.selection.span.span.id);
  return nullptr;
}

void add_interval_values(const Content& content, const flamelet_interval& interval, ValueLine* line) {
  if ((interval.flags & FLAMELET_SPAN_MISSING_BEGIN) == 0)
    line->add_time((interval.flags & FLAMELET_SPAN_OPEN) != 0 ? "open for" : "duration",
                   interval.end_ns - interval.begin_ns);
  FixedText<96> text;
  text.add(begin_thread(content, interval).substr(0, 64));
  line->add("begun on", text.view(), color::kTextMid);
  text.clear();
  text.add(end_thread(content, interval).substr(0, 64));
  line->add("ended on", text.view(), color::kTextMid);
}

void write_intervals_state(const Overlay& o, const LanesPage& page, JsonObject* json) {
  uint32_t open = 0;
  const TimeWindow view = window_of(o.timeline.view());
  for (const Lane& lane : o.store.lanes()) {
    if (lane.content != LaneContent::kIntervals) continue;
    for (uint32_t i = 0; i < lane.rows.span_count; ++i) {
      const LaneSpan& span = lane.rows.spans[i];
      if ((span.flags & FLAMELET_SPAN_OPEN) != 0 && span.begin_ns < view.end_ns && span.end_ns > view.begin_ns) ++open;
    }
  }
  json->add("intervals", o.store.intervals().count());
  json->add("intervals_drawn", page.canvas.intervals_drawn);
  json->add("intervals_merged", page.canvas.intervals_merged);
  json->add("intervals_open", open);
  json->add("intervals_left_out", o.store.intervals().left_out());
  const flamelet_interval* selected = selected_interval(o);
  if (selected != nullptr) {
    json->add("interval_begun_on", begin_thread(o, *selected));
    json->add("interval_ended_on", end_thread(o, *selected));
  } else {
    json->add_null("interval_begun_on");
    json->add_null("interval_ended_on");
  }
}

}  // namespace flamelet::ui

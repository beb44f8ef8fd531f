// SPDX-License-Identifier: MIT
#include "lanes/lanes_page.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/sums.h"
#include "imgui.h"
#include "lanes/thread_states.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostExaminedSpans = 65536;  // spans of a merged block that are looked at for its top three

void object_row(const Content& content, const Frame& frame, uint32_t object, float column) {
  if (object == 0) return;
  const std::string_view text = view_of(flamelet_capture_string(content.capture, object));
  tooltip_name_row(frame, "object", text, column);
}

void from_row(const Content& content, const Frame& frame, uint32_t site_id, float column) {
  flamelet_site_info site;
  flamelet_capture_site(content.capture, site_id, &site);
  const std::string_view file = view_of(site.file);
  FixedText<256> text;
  text.add(file.substr(0, fit_text(frame.metrics, file, most_name_px()).bytes)).add_line(site.line);
  if (!file.empty()) tooltip_row("from", text, column);
}

const HoverCount& count_in_shown(Content& content, LanesPage& page, const Lane& lane, const LaneSpan& span) {
  const TimeWindow shown = content.timeline.shown_window();
  const ScopeKey scope = key_of(span);
  HoverCount& counted = page.mouse.counted;
  if (counted.is_about(content.store.generation(), lane.capture_lane, scope, shown)) return counted;
  counted = {content.store.generation(), lane.capture_lane, scope, shown, 0, 0};
  // As the statistics count: pieces of a call once, and the time of nested calls once.
  int64_t outer_end_ns = INT64_MIN;
  for (uint32_t i = 0; i < lane.rows.span_count; ++i) {
    const LaneSpan& other = lane.rows.spans[i];
    if (key_of(other) != scope) continue;
    if (other.begin_ns >= shown.end_ns || (other.end_ns <= shown.begin_ns && other.begin_ns < shown.begin_ns)) continue;
    counted.count += (other.flags & FLAMELET_SPAN_RESUMED) == 0;
    if (!lane.rows.independent && other.begin_ns < outer_end_ns) continue;
    outer_end_ns = other.end_ns;
    counted.total_ns = add_saturating(counted.total_ns, other.end_ns - other.begin_ns);
  }
  return counted;
}

void find_submitter(Content& content, LanesPage& page, const flamelet_span& span) {
  if (page.mouse.submitter.id == span.id) return;
  page.mouse.submitter.id = span.id;
  page.mouse.submitter.found = find_submitting_scope(content.capture, span.id, span.begin_ns,
                                                     &content.statistics.scratch(), &page.mouse.submitter.place);
}

void gpu_rows(Content& content, LanesPage& page, const flamelet_span& span, float column) {
  find_submitter(content, page, span);
  FixedText<64> text;
  if (!page.mouse.submitter.found) {
    tooltip_row("submitted", "by a scope that is not in the capture", column);
    return;
  }
  if (page.mouse.submitter.place.frame != UINT64_MAX)
    text.add("in #").add_grouped(page.mouse.submitter.place.frame);
  else
    text.add("outside of the frames");
  tooltip_row("submitted", text, column);
  text.add_time(span.begin_ns - page.mouse.submitter.place.begin_ns);
  flamelet_frame_info now;
  if (page.mouse.submitter.place.frame != UINT64_MAX &&
      flamelet_capture_frame(content.capture, flamelet_capture_frame_at(content.capture, span.begin_ns), &now))
    text.add(", ")
        .add_unsigned(now.index - page.mouse.submitter.place.frame)
        .add(now.index - page.mouse.submitter.place.frame == 1 ? " frame" : " frames");
  tooltip_row("lag", text, column);
}

void flag_rows(const LaneSpan& span, float column) {
  if ((span.flags & FLAMELET_SPAN_OPEN) != 0) tooltip_row("", "still open", column);
  if ((span.flags & FLAMELET_SPAN_MISSING_END) != 0) tooltip_row("", "its end is missing", column);
  if ((span.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0) tooltip_row("", "its begin is missing", column);
  if ((span.flags & FLAMELET_SPAN_CUT) != 0) tooltip_row("", "shortened to nest in its parent", column);
  if (is_piece(span.flags)) tooltip_row("", "a part: its thread switched fibers", column);
}

// The flows under the mouse were chosen when they were drawn.
void flow_rows(LanesPage& page, float column) {
  const FlowCounts& counts = page.flows.counts();
  FixedText<160> text;
  const auto add = [&](uint32_t count, const char* what) {
    if (count != 0) text.add(text.view().empty() ? "" : ", ").add_grouped(count).add(what);
  };
  add(counts.begun, " begun");
  add(counts.ended, " ended");
  add(counts.open - counts.begun_again, " never ended");
  add(counts.begun_again, " begun again before an end");
  add(counts.missing_begins, " without a begin");
  add(page.flows.left_out(), " not drawn");
  if (!counts.complete) text.add(text.view().empty() ? "" : ", ").add("too many of one id to read all");
  if (!text.view().empty()) tooltip_row("flows", text, column);
}

void show_single(Content& content, const Frame& frame, LanesPage& page, const Lane& lane, uint32_t index) {
  const LaneSpan& span = lane.rows.spans[index];
  const ScopeStyle& style = content.styles.of(key_of(span));
  const float column = text_width(frame.metrics, "in these frames") + scaled(frame, 18);
  name_line(frame, style.name, style.fill);
  site_line(content.capture, frame, span.site);
  ImGui::Dummy(ImVec2(0, scaled(frame, 1)));
  object_row(content, frame, span.object, column);
  FixedText<256> text;
  const int64_t duration_ns = span.end_ns - span.begin_ns;
  tooltip_row(is_piece(span.flags) ? "this part" : "inclusive", text.add_time(duration_ns), column);
  if (lane.kind != FLAMELET_LANE_FIBER) {  // there it would be the time of others
    // Children outside of what was read are missing from the self time.
    const bool whole = span.begin_ns >= content.store.window().begin_ns && span.end_ns <= content.store.window().end_ns;
    if (!whole) text.add("at most ");
    tooltip_row("self", text.add_time(self_ns_of(lane.rows, index)), column);
  }
  const TimeWindow shown = content.timeline.shown_window();
  const int64_t inside_ns = content.timeline.shown_ns({span.begin_ns, span.end_ns});
  if (shown.end_ns > shown.begin_ns && inside_ns > 0) {
    const FrameRange frames = content.timeline.shown();
    text.add_percent(static_cast<double>(inside_ns) / static_cast<double>(content.timeline.shown_ns(shown)));
    tooltip_row(!frames.valid                 ? (content.standing ? "of the capture" : "of the newest time")
                : frames.first != frames.last ? "of the frames"
                                              : "of the frame",
                text, column);
  }
  show_span_states(content, page, lane, {span.begin_ns, span.end_ns}, column);
  if (lane.kind == FLAMELET_LANE_FIBER) {
    // As the details have it: the time that its calls ran, whichever threads ran them.
    const flamelet_scope_statistics* row =
        content.statistics.range() == shown ? content.statistics.find({key_of(span)}) : nullptr;
    if (row != nullptr && row->count == 0) text.add("began before");
    if (row != nullptr && row->count != 0) text.add_grouped(row->count).add('x');
    if (row != nullptr) text.add(", ran ").add_time(row->total_ns);
  } else if (const HoverCount& counted = count_in_shown(content, page, lane, span); counted.count > 1) {
    text.add_grouped(counted.count).add("x on this lane, ").add_time(counted.total_ns);
  }
  if (!text.view().empty()) {
    const FrameRange frames = content.timeline.shown();
    tooltip_row(!frames.valid                 ? "in the capture"
                : frames.first != frames.last ? "in these frames"
                                              : "in this frame",
                text, column);
  }
  if (lane.kind == FLAMELET_LANE_GPU)
    gpu_rows(content, page, content.store.whole_span(content.capture, lane, index), column);
  flow_rows(page, column);
  flag_rows(span, column);
}

struct TopName {
  ScopeKey scope;
  int64_t time_ns;
  uint32_t count;
};

void show_merged(Content& content, const Frame& frame, const Lane& lane, const Block& block) {
  // Names are few; if there are more than the array holds, those met first are listed.
  constexpr uint32_t kMostNames = 64;
  TopName names[kMostNames + 1];  // and one for the others
  uint32_t name_count = 0;
  uint8_t name_at[SpanStore::kSpansAPiece];  // of the scope that is open so deep in the block
  const uint32_t end = std::min(block.end, block.first + kMostExaminedSpans);
  for (uint32_t i = block.first; i < end; ++i) {
    const LaneSpan span = lane.rows.spans[i];
    const ScopeKey scope = key_of(span);
    TopName* found = std::find_if(names, names + name_count, [&](const TopName& top) { return top.scope == scope; });
    if (found == names + name_count) {
      *found = {scope, 0, 0};
      if (name_count < kMostNames) ++name_count;
    }
    const int64_t duration_ns = span.end_ns - span.begin_ns;
    found->time_ns += duration_ns;
    ++found->count;
    if (lane.rows.independent) continue;
    const uint32_t depth = std::min(span.depth - uint32_t{block.depth}, SpanStore::kSpansAPiece - 1);
    name_at[depth] = static_cast<uint8_t>(found - names);
    if (depth != 0) names[name_at[depth - 1]].time_ns -= duration_ns;
  }
  std::sort(names, names + name_count, [](const TopName& a, const TopName& b) { return a.time_ns > b.time_ns; });
  FixedText<64> text;
  text.add_grouped(block.zones).add(" scopes too narrow to draw");
  ImGui::TextUnformatted(text.c_str());
  ImGui::Dummy(ImVec2(0, scaled(frame, 1)));
  for (uint32_t i = 0; i < std::min(name_count, 3u); ++i) {
    const ScopeStyle& style = content.styles.of(names[i].scope);
    name_line(frame, style.name, style.fill);
    ImGui::SameLine(0, scaled(frame, 12));
    text.clear();
    text.add("self ").add_time(names[i].time_ns).add("  ").add_grouped(names[i].count).add('x');
    colored_text(color::kTextMid, text.view());
  }
  if (name_count > 3) ImGui::TextDisabled("and others");
}

void show_instant(Content& content, const Frame& frame, const flamelet_point& point) {
  const ScopeStyle& style = content.styles.of(key_of(point));
  const float column = text_width(frame.metrics, "in the frame") + scaled(frame, 18);
  name_line(frame, style.name, color::kInstant);
  FixedText<256> text;
  object_row(content, frame, point.object, column);
  tooltip_row("in the frame", text.add_time(point.time_ns - content.timeline.shown_window().begin_ns), column);
  from_row(content, frame, point.site, column);
}

// The tooltip of the lane's label.
void show_interval_lane(Frame& frame, const Lane& lane) {
  const float column = text_width(frame.metrics, "category") + scaled(frame, 18);
  tooltip_name_row(frame, "category", lane.name, column);
  FixedText<64> text;
  const uint64_t intervals = uint64_t{lane.layout.zones_drawn} + lane.layout.zones_merged;
  tooltip_row("in view", text.add_grouped(intervals).add(intervals == 1 ? " interval" : " intervals"), column);
  if (lane.left_out == 0) return;
  tooltip_row("unread", text.add_grouped(lane.left_out).add(" beyond the overlay's memory"), column);
}

// The tooltip of a lane's label, which may be cut.
void show_lane(const Content& content, Frame& frame, LanesPage& page, const Lane& lane) {
  if (lane.content == LaneContent::kCounters) return show_counter_label_tooltip(content, frame, page, lane);
  if (lane.content == LaneContent::kIntervals) return show_interval_lane(frame, lane);
  if (lane.content == LaneContent::kProcessors) return show_processors_lane(content, frame);
  static constexpr const char* kKinds[] = {"thread", "GPU queue", "external source", "fiber"};
  const float column = text_width(frame.metrics, "no processor") + scaled(frame, 18);
  const TextFit fit = fit_text(frame.metrics, lane.name, most_name_px());
  ImGui::TextUnformatted(lane.name.data(), lane.name.data() + fit.bytes);
  FixedText<64> text;
  tooltip_row("lane", text.add(kKinds[static_cast<uint32_t>(lane.kind) & 3]).add(' ').add_unsigned(lane.id), column);
  const uint64_t scopes = uint64_t{lane.layout.zones_drawn} + lane.layout.zones_merged;
  text.add_grouped(scopes).add(scopes == 1 ? " scope" : " scopes");
  if (lane.folded) text.add(" outermost");
  tooltip_row("in view", text, column);
  show_run_times(content, frame, lane, column);
  if (lane.left_out != 0) {
    tooltip_row("unread", text.add_grouped(lane.left_out).add(" scopes beyond the overlay's memory"), column);
  }
}

// The fiber on whose lane a scope of this name is open in all of this time.
std::string_view fiber_of(const Content& content, uint32_t name, TimeWindow time) {
  for (const Lane& lane : content.store.lanes()) {
    for (uint32_t depth = 0; lane.kind == FLAMELET_LANE_FIBER && depth < lane.rows.row_count; ++depth) {
      const uint32_t at = find_span(lane.rows, time.begin_ns, depth);
      if (at < lane.rows.span_count && lane.rows.spans[at].name == name && lane.rows.spans[at].end_ns >= time.end_ns)
        return lane.name;
    }
  }
  return {};
}

// A line from one piece of a fiber's scope to the next one.
void show_join(Content& content, const Frame& frame, const FiberJoin& join) {
  const FiberPiece &from = content.store.fiber_pieces()[join.to - 1], &to = content.store.fiber_pieces()[join.to];
  const Lane* from_lane = find_shown_lane(content.store.lanes(), from.capture_lane);
  const Lane* to_lane = find_shown_lane(content.store.lanes(), to.capture_lane);
  if (from_lane == nullptr || to_lane == nullptr) return;
  const uint32_t at = find_span_beginning(from_lane->rows, from.begin_ns, from.depth);
  if (at >= from_lane->rows.span_count || !begin_tooltip(frame)) return;
  const LaneSpan span = from_lane->rows.spans[at];
  const ScopeStyle& style = content.styles.of(key_of(span));
  const float column = text_width(frame.metrics, "goes on on") + scaled(frame, 18);
  name_line(frame, style.name, style.fill);
  const std::string_view fiber = fiber_of(content, span.name, {from.begin_ns, to.begin_ns});
  if (!fiber.empty()) tooltip_row("fiber", fiber, column);
  tooltip_row("left", from_lane->name, column);
  tooltip_row("goes on on", to_lane->name, column);
  FixedText<32> text;
  tooltip_row("after", text.add_time(to.begin_ns - from.end_ns), column);
  ImGui::EndTooltip();
}

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

void show_interval(Content& content, const Frame& frame, const LaneRows& rows, uint32_t index) {
  const LaneSpan span = rows.spans[index];
  const flamelet_interval* interval = &content.store.intervals().of(rows, index);
  const ScopeStyle& style = content.styles.of(key_of(span));
  const float column = text_width(frame.metrics, "duration") + scaled(frame, 18);
  name_line(frame, style.name, style.fill);
  FixedText<160> text;
  object_row(content, frame, span.object, column);
  if ((interval->flags & FLAMELET_SPAN_MISSING_BEGIN) != 0) {
    text.add("not known");
  } else {
    text.add_time(span.end_ns - span.begin_ns);
    if ((interval->flags & FLAMELET_SPAN_OPEN) != 0) text.add(" so far");
  }
  tooltip_row("duration", text, column);
  text.add(begin_thread(content, *interval).substr(0, 64));
  if ((interval->flags & FLAMELET_SPAN_MISSING_BEGIN) == 0) add_frame(content, span.begin_ns, &text);
  tooltip_row("begun", text, column);
  text.add(end_thread(content, *interval).substr(0, 64));
  if ((interval->flags & FLAMELET_SPAN_OPEN) == 0) add_frame(content, span.end_ns, &text);
  tooltip_row("ended", text, column);
  from_row(content, frame, span.site, column);
}

}  // namespace

void show_lane_tooltip(Content& content, Frame& frame, LanesPage& page) {
  if (page.mouse.hover.canvas && page.mouse.hover.lane < content.store.lanes().count &&
      page.mouse.hover.instant < content.store.lanes()[page.mouse.hover.lane].instant_count) {
    if (!begin_tooltip(frame)) return;
    show_instant(content, frame, content.store.lanes()[page.mouse.hover.lane].instants[page.mouse.hover.instant]);
    ImGui::EndTooltip();
    return;
  }
  if (!page.mouse.hover.canvas || page.mouse.drag.active() || page.mouse.hover.block >= page.canvas.blocks.count) {
    page.mouse.submitter = Submitter();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (page.mouse.hover.canvas && !page.mouse.drag.active() && mouse.x >= page.canvas.x)
      if (const FiberJoin* join = page.fibers.find(mouse.x - page.canvas.x, mouse.y - page.canvas.y, scaled(frame, 4)))
        return show_join(content, frame, *join);
    if (!page.mouse.hover.canvas || page.mouse.drag.active() || page.mouse.hover.lane >= content.store.lanes().count)
      return;
    const Lane& lane = content.store.lanes()[page.mouse.hover.lane];
    const bool over_label = ImGui::GetIO().MousePos.x < page.canvas.x;
    const bool over_edge = page.mouse.hover.above && lane.kind == FLAMELET_LANE_THREAD && content.store.has_states();
    if ((!over_label && !over_edge && has_blocks(lane.content)) || !begin_tooltip(frame)) return;
    if (over_label)
      show_lane(content, frame, page, lane);
    else if (lane.content == LaneContent::kCounters)
      show_counter_tooltip(content, frame, page, lane);
    else if (lane.content == LaneContent::kProcessors)
      show_processor(content, frame, page, lane);
    else
      show_state(content, frame, page, lane);
    ImGui::EndTooltip();
    return;
  }
  const Lane& lane = content.store.lanes()[page.mouse.hover.lane];
  // The blocks were laid out anew since the mouse was looked up; with them the spans may have gone.
  const Block& block = page.canvas.blocks[page.mouse.hover.block];
  if (page.mouse.hover.block < lane.layout.first_block ||
      page.mouse.hover.block >= lane.layout.first_block + lane.layout.block_count)
    return;
  if (!begin_tooltip(frame)) return;
  if (block.merged())
    show_merged(content, frame, lane, block);
  else if (lane.content == LaneContent::kIntervals)
    show_interval(content, frame, lane.rows, block.first);
  else
    show_single(content, frame, page, lane, block.first);
  ImGui::EndTooltip();
}

const flamelet_interval* selected_interval(const Content& content, const Choice& choice) {
  if (!choice.selection.span.valid || choice.selection.span.lane_kind != FLAMELET_LANE_EXTERNAL) return nullptr;
  for (const Lane& lane : content.store.lanes())
    if (lane.content == LaneContent::kIntervals && lane.id == choice.selection.span.lane_id)
      return content.store.intervals().find(choice.selection.span.span.id);
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

void write_intervals_state(const Content& content, const Choice& choice, const LanesPage& page, JsonObject* json) {
  uint32_t open = 0;
  const TimeWindow view = window_of(content.timeline.view());
  for (const Lane& lane : content.store.lanes()) {
    if (lane.content != LaneContent::kIntervals) continue;
    for (uint32_t i = 0; i < lane.rows.span_count; ++i) {
      const LaneSpan& span = lane.rows.spans[i];
      if ((span.flags & FLAMELET_SPAN_OPEN) != 0 && span.begin_ns < view.end_ns && span.end_ns > view.begin_ns) ++open;
    }
  }
  json->add("intervals", content.store.intervals().count());
  json->add("intervals_drawn", page.canvas.intervals_drawn);
  json->add("intervals_merged", page.canvas.intervals_merged);
  json->add("intervals_open", open);
  json->add("intervals_left_out", content.store.intervals().left_out());
  const flamelet_interval* selected = selected_interval(content, choice);
  if (selected != nullptr) {
    json->add("interval_begun_on", begin_thread(content, *selected));
    json->add("interval_ended_on", end_thread(content, *selected));
  } else {
    json->add_null("interval_begun_on");
    json->add_null("interval_ended_on");
  }
}

}  // namespace flamelet::ui

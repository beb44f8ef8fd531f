// SPDX-License-Identifier: MIT
#include "input/actions.h"

#include <algorithm>

#include "bars/frame_bars.h"
#include "content/numbers.h"
#include "content/range_statistics.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "flamelet/detail/site.h"
#include "flamelet/overlay.h"
#include "imgui.h"
#include "pages/pages.h"
#include "pages/scope/scope_page.h"

namespace flamelet::ui {

namespace {

// Calls visit(info, span) for the spans that begin in the window and are wanted, in time order on each lane.
template <typename Wanted, typename Visit>
void for_each_span(Content& content, TimeWindow window, Wanted wanted, Visit visit) {
  Array<flamelet_span>& scratch = content.statistics.scratch();
  const size_t lanes = flamelet_capture_lane_count(content.capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(content.capture, lane, &info)) continue;
    visit_spans(content.capture, lane, window, &scratch, [&](const flamelet_span& span) {
      if (span.begin_ns >= window.begin_ns && span.begin_ns < window.end_ns && wanted(info, span)) visit(info, span);
      return true;
    });
  }
}

template <typename Visit>
void for_each_instance(Content& content, const Choice& choice, TimeWindow window, Visit visit) {
  for_each_span(
      content, window,
      [&](const flamelet_lane_info& info, const flamelet_span& span) {
        return choice.selection.scope.is(span, info.kind);
      },
      visit);
}

bool longer(const flamelet_span& span, const SelectedSpan& than) {
  return !than.valid || span.end_ns - span.begin_ns > than.span.end_ns - than.span.begin_ns;
}

// The capture is searched a piece at a time, so that a search may end early: the frames, one after the other, and what
// lies outside of them.
template <typename Visit>
void for_each_piece(const Content& content, bool forward, Visit visit) {
  TimeWindow extent;
  if (!flamelet_capture_extent(content.capture, &extent.begin_ns, &extent.end_ns)) return;
  const size_t count = flamelet_capture_frame_count(content.capture);
  int64_t edge_ns = forward ? extent.begin_ns : extent.end_ns + 1;
  for (size_t i = 0; i < count; ++i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(content.capture, forward ? i : count - 1 - i, &frame)) continue;
    const int64_t next_ns = forward ? frame.end_ns : frame.begin_ns;
    const TimeWindow piece = forward ? TimeWindow{edge_ns, next_ns} : TimeWindow{next_ns, edge_ns};
    edge_ns = next_ns;
    if (piece.end_ns > piece.begin_ns && visit(piece)) return;
  }
  visit(forward ? TimeWindow{edge_ns, extent.end_ns + 1} : TimeWindow{extent.begin_ns, edge_ns});
}

bool is_called(Content& content, const flamelet_span& span, ScopeName name) {
  const ScopeKey key = key_of(span);
  return content.styles.of(key).name == name.name && (name.kind.empty() || kind_of(content, key) == name.kind);
}

template <typename Visit>
void for_each_named(Content& content, ScopeName name, TimeWindow window, Visit visit) {
  for_each_span(
      content, window,
      [&](const flamelet_lane_info&, const flamelet_span& span) { return is_called(content, span, name); }, visit);
}

bool select_longest(Content& content, Choice& choice, ScopeName name, TimeWindow window) {
  SelectedSpan found;
  for_each_named(content, name, window, [&](const flamelet_lane_info& info, const flamelet_span& span) {
    if (longer(span, found)) found = {true, info.kind, info.id, span};
  });
  if (!found.valid) return false;
  select_and_show(content, choice, found);
  return true;
}

// The one with these times among the spans of a window, with what of its self time lies in the window. False if it is not
// there.
bool find_in_capture(Content& content, uint32_t capture_lane, TimeWindow window, TimeWindow times, uint32_t name,
                     flamelet_span* found) {
  Array<flamelet_span>& scratch = content.statistics.scratch();
  bool is_found = false;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, content.capture, capture_lane, window.begin_ns, window.end_ns, scratch.data,
                             scratch.capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    // Behind the first piece, only the scopes that go on can be it.
    for (size_t i = 0; i < (is_found ? cursor.again : cursor.count); ++i) {
      const flamelet_span& span = cursor.spans[i];
      if (span.begin_ns != times.begin_ns || span.end_ns != times.end_ns || span.name != name) continue;
      if (is_found && span.depth != found->depth) continue;
      if (is_found)
        found->self_ns += span.self_ns;
      else
        *found = span;
      is_found = true;
      break;
    }
  }
  return is_found;
}

// What a call on a fiber's lane ran: the lanes of threads have the pieces of it.
void add_up_pieces(Content& content, SelectedSpan* selected) {
  Array<flamelet_span>& scratch = content.statistics.scratch();
  selected->ran_ns = selected->span.self_ns = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(content.capture); ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(content.capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) continue;
    flamelet_span_cursor cursor;
    flamelet_span_cursor_start(&cursor, content.capture, lane, selected->span.begin_ns, selected->span.end_ns,
                               scratch.data, scratch.capacity);
    while (flamelet_span_cursor_next(&cursor)) {
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_span& span = cursor.spans[i];
        if (span.id != selected->span.id || key_of(span) != key_of(selected->span)) continue;
        selected->span.self_ns += span.self_ns;
        if ((span.flags & FLAMELET_SPAN_AGAIN) == 0) selected->ran_ns += span.end_ns - span.begin_ns;
      }
    }
  }
}

}  // namespace

void select_and_show(Content& content, Choice& choice, const SelectedSpan& found) {
  choice.selection.select(found);
  freeze(content);
  // In another frame: that one is shown, so that all numbers are about what is in sight.
  const TimeWindow shown = content.timeline.shown_window();
  const bool elsewhere = found.span.begin_ns >= shown.end_ns ||
                         (found.span.end_ns <= shown.begin_ns && found.span.begin_ns < shown.begin_ns);
  if (elsewhere) {
    flamelet_frame_info frame;
    const size_t position = flamelet_capture_frame_at(content.capture, found.span.begin_ns);
    content.timeline.remember_view();
    if (flamelet_capture_frame(content.capture, position, &frame))
      show_frames(content, choice, frame.index, frame.index);
  }
  // Into sight, at the zoom that there is; of one that reaches out of the shown frame, the part in it.
  const View view = content.timeline.view();
  const double begin =
      static_cast<double>(elsewhere ? found.span.begin_ns : std::max(found.span.begin_ns, shown.begin_ns));
  const double end = static_cast<double>(elsewhere ? found.span.end_ns : std::min(found.span.end_ns, shown.end_ns));
  if (begin < view.begin_ns || end > view.end_ns) {
    const double duration = std::max(view.duration_ns(), (end - begin) * 1.25);
    const double middle = (begin + end) * 0.5;
    content.timeline.set_view({middle - duration * 0.5, middle + duration * 0.5}, !elsewhere);
  }
}

void toggle_pause(Content& content, Choice& choice) {
  if (content.standing) return;  // nothing comes that could be shown
  content.timeline.set_paused(!content.timeline.paused());
  if (content.timeline.paused()) return;
  content.reading.next_s = 0;
  choice.selection.forget_measured();
}

void freeze(Content& content) {
  content.timeline.set_paused(true);
}

bool step_frame(Content& content, Choice& choice, int64_t by) {
  freeze(content);
  choice.selection.forget_measured();
  return content.timeline.step(by);
}

bool step_over_budget(Content& content, Choice& choice, int64_t budget_ns, int by) {
  const FrameRange shown = content.timeline.selected();
  const size_t count = flamelet_capture_frame_count(content.capture), first = has_start(content.capture) ? 1 : 0;
  size_t i = flamelet_capture_find_frame(content.capture, by < 0 ? shown.first : shown.last);
  while (shown.valid && i < count && (by < 0 ? i > first : i + 1 < count)) {
    i = by < 0 ? i - 1 : i + 1;
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(content.capture, i, &frame) || (frame.flags & FLAMELET_FRAME_CLOCK_JUMPED) != 0)
      continue;
    if (frame_verdict(frame.end_ns - frame.begin_ns, budget_ns) == FrameVerdict::kGood) continue;
    freeze(content);
    return show_frames(content, choice, frame.index, frame.index);
  }
  return false;
}

bool show_frames(Content& content, Choice& choice, uint64_t first, uint64_t last) {
  if (!content.timeline.show_frames(first, last)) return false;
  choice.selection.forget_measured();
  content.compact_lanes = true;
  return true;
}

void extend_frames(Content& content, Choice& choice, int by) {
  const FrameRange shown = content.timeline.selected();
  if (!shown.valid || (by < 0 && shown.first == shown.last)) return;
  const size_t at = flamelet_capture_find_frame(content.capture, shown.last);
  flamelet_frame_info last;
  if (at != SIZE_MAX && flamelet_capture_frame(content.capture, by < 0 ? at - 1 : at + 1, &last))
    show_frames(content, choice, shown.first, last.index);
}

void widen_bars(Content& content, Settings& settings, int by) {
  const float wanted = settings.bar_px + static_cast<float>(by);
  if (by > 0 && content.history.shift != 0)
    --content.history.shift;
  else if (by < 0 && wanted < 1)
    ++content.history.shift;
  else
    settings.set(&Settings::bar_px, std::min(std::max(wanted, 1.0f), 16.0f));
}

void scroll_bars(Content& content, int64_t by) {
  const uint64_t frames = static_cast<uint64_t>(by < 0 ? -by : by) << content.history.shift;
  uint64_t& scroll = content.history.scroll;
  scroll = by > 0 ? scroll + frames : scroll - std::min(frames, scroll);
}

void show_whole_frame(Content& content) {
  content.timeline.fit();
  content.compact_lanes = true;
}

void select_span(Content& content, Choice& choice, const Lane& lane, uint32_t span) {
  choice.selection.select({true, lane.kind, lane.id, content.store.whole_span(content.capture, lane, span)});
  freeze(content);
}

void zoom_to(Content& content, TimeWindow target) {
  freeze(content);
  content.timeline.set_view(frame_view(target, content.timeline.limits()), true);
}

void zoom_by(Content& content, double factor) {
  const View view = content.timeline.view();
  content.timeline.set_view_in_run(
      zoom_view(view, (view.begin_ns + view.end_ns) * 0.5, factor, content.timeline.limits()), Timeline::Run::kZoom,
      ImGui::GetTime());
}

void pan_by(Content& content, double share) {
  const View view = content.timeline.view();
  content.timeline.set_view_in_run(pan_view(view, share * view.duration_ns(), content.timeline.limits()),
                                   Timeline::Run::kPan, ImGui::GetTime());
}

void zoom_to_selection(Content& content, const Choice& choice) {
  const SelectedSpan& selected = choice.selection.span;
  if (!selected.valid) return;
  Lane* lane = find_lane(content, selected.lane_kind, selected.lane_id);
  if (lane != nullptr && selected.span.depth != 0) lane->folded = false;
  zoom_to(content, {selected.span.begin_ns, selected.span.end_ns});
}

void select_next_instance(PageContext& o, int direction) {
  if (!o.selection.scope.valid) return;
  if (o.pages.shows("scope") && step_chosen_call(o, direction)) return;
  const bool forward = direction > 0;
  const View view = o.timeline.view();
  const int64_t from_ns =
      o.selection.span.valid ? o.selection.span.span.begin_ns : window_of(view).begin_ns - (forward ? 1 : 0);
  SelectedSpan found;
  for_each_piece(o, forward, [&](TimeWindow piece) {
    if (forward ? piece.end_ns <= from_ns : piece.begin_ns > from_ns) return false;
    for_each_instance(o, o, piece, [&](const flamelet_lane_info& info, const flamelet_span& span) {
      if (o.selection.span.valid && (info.kind != o.selection.span.lane_kind || info.id != o.selection.span.lane_id))
        return;
      const bool beyond = forward ? span.begin_ns > from_ns : span.begin_ns < from_ns;
      const bool nearer =
          !found.valid || (forward ? span.begin_ns < found.span.begin_ns : span.begin_ns > found.span.begin_ns);
      if (beyond && nearer) found = {true, info.kind, info.id, span};
    });
    return found.valid;
  });
  if (found.valid) select_and_show(o, o, found);
}

void select_worst_instance(Content& content, Choice& choice) {
  if (!choice.selection.scope.valid) return;
  SelectedSpan found;
  for_each_piece(content, true, [&](TimeWindow piece) {
    for_each_instance(content, choice, piece, [&](const flamelet_lane_info& info, const flamelet_span& span) {
      if (longer(span, found)) found = {true, info.kind, info.id, span};
    });
    return false;
  });
  if (found.valid) select_and_show(content, choice, found);
}

void select_worst_shown(Content& content, Choice& choice) {
  const TimeWindow window = choice.selection.measures() ? choice.selection.measured : content.timeline.shown_window();
  SelectedSpan found;
  int64_t longest_ns = -1;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(content.capture, lane, &info); ++lane)
    visit_spans(content.capture, lane, window, &content.statistics.scratch(), [&](const flamelet_span& span) {
      const int64_t inside_ns = std::min(span.end_ns, window.end_ns) - std::max(span.begin_ns, window.begin_ns);
      if (choice.selection.scope.is(span, info.kind) && inside_ns > longest_ns) {
        longest_ns = inside_ns;
        found = {true, info.kind, info.id, span};
      }
      return true;
    });
  if (!found.valid) return;
  choice.selection.select(found);
  freeze(content);
}

std::string_view kind_of(const Content& content, ScopeKey scope) {
  flamelet_site_info site;
  if (!flamelet_capture_site(content.capture, scope.site, &site) || !is_wait(site)) return {};
  const std::string_view kind = view_of(site.name);
  return kind != view_of(flamelet_capture_string(content.capture, scope.name)) ? kind : std::string_view();
}

bool select_by_name(Content& content, Choice& choice, ScopeName name) {
  const TimeWindow shown = content.timeline.shown_window();
  if (select_longest(content, choice, name, shown)) return true;
  SelectedSpan found;  // one that began before, and goes on there
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(content.capture, lane, &info); ++lane)
    visit_spans(content.capture, lane, shown, &content.statistics.scratch(), [&](const flamelet_span& span) {
      if (span.begin_ns < shown.begin_ns && span.end_ns > shown.begin_ns && longer(span, found) &&
          is_called(content, span, name))
        found = {true, info.kind, info.id, span};
      return true;
    });
  if (found.valid) select_and_show(content, choice, found);
  return found.valid;
}

bool find_nearest_frame(Content& content, ScopeName name, uint64_t* index) {
  const TimeWindow shown = content.timeline.shown_window();
  TimeWindow extent;
  if (!flamelet_capture_extent(content.capture, &extent.begin_ns, &extent.end_ns)) return false;
  int64_t nearest_ns = INT64_MAX, begin_ns = 0;
  for_each_named(content, name, {extent.begin_ns, extent.end_ns + 1},
                 [&](const flamelet_lane_info&, const flamelet_span& span) {
                   const int64_t away_ns = std::max(shown.begin_ns - span.begin_ns, span.begin_ns - shown.end_ns);
                   if (away_ns >= nearest_ns) return;
                   nearest_ns = away_ns;
                   begin_ns = span.begin_ns;
                 });
  flamelet_frame_info frame;
  if (nearest_ns == INT64_MAX ||
      !flamelet_capture_frame(content.capture, flamelet_capture_frame_at(content.capture, begin_ns), &frame))
    return false;
  *index = frame.index;
  return true;
}

bool select_by_begin(Content& content, Choice& choice, ScopeName name, int64_t begin_ns) {
  return select_longest(content, choice, name, {begin_ns, begin_ns + 1});
}

void complete_span(Content& content, SelectedSpan& selected) {
  if (!selected.valid || selected.self_known) return;
  selected.self_known = true;
  const Lane* lane = find_lane(content, selected.lane_kind, selected.lane_id);
  if (lane == nullptr || lane->content != LaneContent::kSpans) return;
  const TimeWindow times = {selected.span.begin_ns, selected.span.end_ns};
  flamelet_capture_state_times(content.capture, lane->capture_lane, times.begin_ns, times.end_ns, &selected.states);
  if (lane->kind == FLAMELET_LANE_FIBER) return add_up_pieces(content, &selected);
  flamelet_span whole;
  if (find_in_capture(content, lane->capture_lane, times, times, selected.span.name, &whole))
    selected.span.self_ns = whole.self_ns;
}

bool select_span_at(Content& content, Choice& choice, uint32_t capture_lane, TimeWindow times, uint32_t name) {
  flamelet_lane_info info;
  if (!flamelet_capture_lane(content.capture, capture_lane, &info)) return false;
  flamelet_span span;
  if (!find_in_capture(content, capture_lane, {times.begin_ns, times.begin_ns + 1}, times, name, &span)) return false;
  choice.selection.forget_measured();
  choice.selection.select({true, info.kind, info.id, span});
  return true;
}

bool go_to_span(Content& content, Choice& choice, uint32_t capture_lane, TimeWindow times, uint32_t name) {
  if (!select_span_at(content, choice, capture_lane, times, name)) return false;
  const SelectedSpan found = choice.selection.span;
  select_and_show(content, choice, found);
  return true;
}

Lane* find_lane(Content& content, flamelet_lane_kind kind, uint32_t id) {
  for (Lane& lane : content.store.lanes())
    if (lane.kind == kind && lane.id == id) return &lane;
  return nullptr;
}

void copy_span_text(Content& content, SelectedSpan selected) {
  if (!selected.valid) return;
  complete_span(content, selected);
  const flamelet_span& span = selected.span;
  flamelet_site_info site;
  flamelet_capture_site(content.capture, span.site, &site);
  FixedText<1024> text;
  text.add(view_of(flamelet_capture_string(content.capture, span.name)));
  if (span.object != 0) text.add(" [").add(view_of(flamelet_capture_string(content.capture, span.object))).add(']');
  text.add("  ").add_time(span.end_ns - span.begin_ns).add("  self ").add_time(span.self_ns);
  text.add("  at ").add_signed(span.begin_ns).add(" ns  ").add(view_of(site.file)).add_line(site.line);
  ImGui::SetClipboardText(text.c_str());
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
#include "bars/hitches.h"

#include <string.h>
#include <algorithm>

#include "draw/text.h"
#include "draw/widgets.h"
#include "files/capture_files.h"
#include "flamelet/detail/sums.h"
#include "flamelet/explain.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "platform/system.h"

namespace flamelet::ui {

namespace {

bool holds(const flamelet_capture* capture, const flamelet_frame_info& wanted) {
  flamelet_frame_info frame;
  TimeWindow extent;
  const size_t position = flamelet_capture_find_frame(capture, wanted.index);
  return flamelet_capture_frame(capture, position, &frame) && frame.begin_ns == wanted.begin_ns &&
         (frame.flags & FLAMELET_FRAME_LOSSY) == 0 &&
         flamelet_capture_extent(capture, &extent.begin_ns, &extent.end_ns) && frame.begin_ns >= extent.begin_ns;
}

// "hitch #1,502: frame over budget"
void write_title(const flamelet_flight_info& info, TextWriter* text) {
  text->add("hitch #").add_grouped(info.frame.index).add(": ").add(flamelet_flight_cause_name(info.cause));
  if (info.text[0] != 0) text->add(", ").add(std::string_view(info.text));
}

void take_sentence(Hitches& hitches) {
  if (!hitches.reason.done()) return;
  while (!hitches.sentences.full()) hitches.sentences.push(Hitches::Sentence());
  Hitches::Sentence& sentence = hitches.sentences[hitches.next_sentence++ % Hitches::kSentences];
  sentence.id = hitches.reason.id();
  sentence.budget_ns = hitches.reason.budget_ns();
  memcpy(sentence.text, hitches.reason.take(), sizeof sentence.text);
}

constexpr float kHeight = 52, kLowHeight = 20;
constexpr float kOverviewHeight = 10;
constexpr float kAxisWidth = 34;      // at the right: what the two lines stand for
constexpr float kHitchShare = 0.25f;  // of the width, that hitches take at most

// Sums of one or two frames come from the capture, because the levels begin with four.
void read_frames(Content& content, uint64_t newest, uint32_t most) {
  FrameHistory& history = content.history;
  history.sums.clear();
  flamelet_frame_info frame;
  // Of the frames up to `newest`: their positions are in order of their indices.
  const size_t end = first_not(size_t{0}, flamelet_capture_frame_count(content.capture), [&](size_t i) {
    return flamelet_capture_frame(content.capture, i, &frame) && frame.index <= newest;
  });
  // Back to the first frame of the oldest bar that still fits.
  size_t first = end;
  uint64_t bar = UINT64_MAX;
  for (uint32_t bars = 0; first != 0 && flamelet_capture_frame(content.capture, first - 1, &frame); --first) {
    if (frame.index >> history.shift == bar) continue;
    if (bars++ == std::min(most, history.sums.capacity)) break;
    bar = frame.index >> history.shift;
  }
  for (size_t i = first; i < end; ++i) {
    if (!flamelet_capture_frame(content.capture, i, &frame)) continue;
    const int64_t ns = frame.end_ns - frame.begin_ns;
    const FrameSum sum = {frame.index, frame.index, frame.index, ns, ns, 1};
    FrameSum* before = history.sums.empty() ? nullptr : history.sums.end() - 1;
    if (before != nullptr && before->first >> history.shift == frame.index >> history.shift)
      before->add(sum);
    else
      history.sums.push(sum);
  }
}

// How far one can zoom out: until all frames that were ever met fit.
uint32_t most_shift(const FrameLevels& levels, uint32_t most_bars) {
  const uint64_t frames = levels.next_index() - levels.first_index();
  uint32_t shift = 0;
  while (frames >> shift > most_bars) ++shift;
  return shift;
}

// The bars hold still while the mouse is over them. Returns how many frames they can show; 0: there are none.
uint64_t hold_frames(FrameHistory& history, uint32_t most) {
  if (history.levels.frame_count() == 0 || most == 0) return 0;
  if (!history.hovered && !history.dragging && !history.moving) history.newest = history.levels.next_index() - 1;
  history.newest = std::max(history.newest, history.levels.first_index());
  history.shift = std::min(history.shift, most_shift(history.levels, most));
  return uint64_t{most} << history.shift;
}

// Scrolls so that this frame stands in the middle, as far as there are frames.
void scroll_to(FrameHistory& history, uint64_t frame, uint64_t in_sight) {
  const uint64_t right = frame + in_sight / 2;
  history.scroll = history.newest > right ? history.newest - right : 0;
}

// Frames that were chosen elsewhere come into sight, once; and again if another width has taken them out of it.
void bring_chosen(Content& content, uint64_t in_sight, bool resized) {
  FrameHistory& history = content.history;
  const FrameRange chosen = content.timeline.selected();
  flamelet_frame_info newest;
  const size_t count = flamelet_capture_frame_count(content.capture);
  if (!chosen.valid) return;
  const uint64_t right = history.newest - std::min(history.scroll, history.newest);
  const bool shows = chosen.first <= right && chosen.last + in_sight > right;
  const bool lost = resized && history.shows_chosen && !shows;
  history.shows_chosen = shows;
  if (chosen.first == history.brought && !lost) return;
  if (!flamelet_capture_frame(content.capture, count - 1, &newest) || newest.index >= history.levels.next_index())
    return;
  history.brought = chosen.first;
  if (!content.timeline.paused() || history.dragging) return;
  if (!shows) scroll_to(history, chosen.first, in_sight);
  history.shows_chosen = true;
}

// The frames that the bars show.
void collect_frames(Content& content, uint32_t most, uint64_t in_sight) {
  FrameHistory& history = content.history;
  const uint64_t all = history.newest - history.levels.first_index() + 1;
  history.scroll = std::min(history.scroll, all > in_sight ? all - in_sight : 0);
  const uint64_t newest = history.newest - history.scroll;
  if (history.shift < FrameLevels::kFirstShift)
    read_frames(content, newest, most);
  else
    history.levels.read(history.shift, newest, most, &history.sums);
}

void draw_bars(const DrawContext& o, Canvas& canvas, float x, float y, float height, double range) {
  const FrameHistory& history = o.history;
  const FrameRange shown = o.timeline.shown();
  const FrameRange selected = o.timeline.selected();
  const auto touches = [](const FrameRange& frames, const FrameSum& sum) {
    return frames.valid && frames.first <= sum.last && frames.last >= sum.first;
  };
  const float bottom = y + height;
  const float scale = height / static_cast<float>(range * static_cast<double>(o.settings.budget_ns));
  const Rgb fills[] = {verdict_color(FrameVerdict::kGood), verdict_color(FrameVerdict::kOver),
                       verdict_color(FrameVerdict::kFarOver)};
  // Two rectangles for a bar of several frames: the longest, and before it the mean.
  const bool several = history.shift != 0;
  canvas.reserve(history.bars.count * (several ? 2 : 1));
  for (uint32_t i = 0; i < history.bars.count; ++i) {
    const Bar& bar = history.bars[i];
    const bool lit = touches(shown, history.sums[i]) || touches(selected, history.sums[i]);
    const Rgb own = fills[static_cast<uint32_t>(bar.verdict)];
    const Rgb fill = lit ? lit_bar(own) : own;
    if (!several) {
      canvas.reserved_rect(x + bar.x0, bottom - bar.height, x + bar.x1, bottom, pack(fill));
      continue;
    }
    canvas.reserved_rect(x + bar.x0, bottom - bar.height, x + bar.x1, bottom - bar.mean_height,
                         pack(mix(fill, color::kCanvas, 0.4f)));
    canvas.reserved_rect(x + bar.x0, bottom - bar.mean_height, x + bar.x1, bottom, pack(fill));
  }
  // The break mark: a gap below the top, so that the bar is seen to go on.
  for (const Bar& bar : history.bars) {
    if (!bar.broken) continue;
    canvas.rect(x + bar.x0, y + scaled(o, 4), x + bar.x1, y + scaled(o, 6), color::kCanvas);
  }
  // The GPU's time as a tick at its height: an outline around the bar would hide the bar next to it.
  if (!o.gpu.any_queue()) return;
  for (uint32_t i = 0; i < history.bars.count; ++i) {
    const Bar& bar = history.bars[i];
    GpuFrame gpu;
    if (!o.gpu.find(history.sums[i].longest, &gpu)) continue;
    const float top = std::max(bottom - static_cast<float>(gpu.busy_ns) * scale, y);
    canvas.rect(x + bar.x0, whole(top), x + bar.x1, whole(top) + 1, color::kGpu);
  }
}

// The line at `times` budgets, dashed unless it is the budget itself, with what it stands for at the right.
void draw_budget_line(const Settings& settings, const Frame& frame, Canvas& canvas, float x0, float x1, float y,
                      float height, double range, int times) {
  const float line_y = whole(y + height - height * static_cast<float>(times / range));
  if (times == 1) {
    canvas.rect(x0, line_y, x1, line_y + 1, color::kBudget);
  } else {
    const float dash = scaled(frame, 4);
    const uint32_t dashes = static_cast<uint32_t>((x1 - x0) / (2 * dash));
    canvas.reserve(dashes);
    for (uint32_t i = 0; i < dashes; ++i) {
      const float at = x0 + static_cast<float>(i) * 2 * dash;
      canvas.reserved_rect(at, line_y, at + dash, line_y + 1, pack(color::kBudget, 150));
    }
  }
  if (times != 1 && frame.folded != Folded::kNothing) return;  // no room for two labels
  FixedText<32> text;
  text.add_fixed(static_cast<double>(settings.budget_ns) * times * 1e-6, 1);
  const float middle = line_y - whole(frame.metrics.size * 0.5f);
  canvas.text(x1 + scaled(frame, 4), std::min(middle, y + height - frame.metrics.size),
              times == 1 ? color::kBudget : color::kTextDim, text.view());
}

void draw_budget_lines(const Settings& settings, const Frame& frame, Canvas& canvas, float x0, float x1, float y,
                       float height, double range) {
  if (range >= 1) draw_budget_line(settings, frame, canvas, x0, x1, y, height, range, 1);
  if (range >= 1 && range < 4) return draw_budget_line(settings, frame, canvas, x0, x1, y, height, range, 2);
  if (frame.folded != Folded::kNothing) return;
  // Twice the budget would stand too close to it: the top is named instead.
  FixedText<32> text;
  const double top_ms = static_cast<double>(settings.budget_ns) * range * 1e-6;
  text.add_fixed(top_ms, top_ms >= 10 ? 0 : top_ms >= 1 ? 1 : 3);
  canvas.text(x1 + scaled(frame, 4), y, color::kTextDim, text.view());
}

// Median, 99th percentile and maximum, in the gutter, and of how many frames they are. A click lists the slowest.
void show_numbers(PageContext& o, Canvas& canvas, float x, float y, float right, float height) {
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  if (ImGui::InvisibleButton("##numbers", ImVec2(right - x, height))) o.pages.open("frames");
  const bool hot = ImGui::IsItemHovered();
  const bool older = !o.live() && counted_frames(o.capture) > o.numbers.durations.capacity;
  if (hot) canvas.rect(x, y, right, y + height, color::kControl);
  if (hot && begin_tooltip(o)) {
    ImGui::TextUnformatted("the slowest frames: the page Frames");
    if (older) ImGui::TextUnformatted("older frames are not counted");
    ImGui::EndTooltip();
  }
  const struct {
    const char* label;
    int64_t ns;
  } rows[] = {{"max", o.numbers.frame_times.max_ns},
              {"p99", o.numbers.frame_times.p99_ns},
              {"median", o.numbers.frame_times.median_ns}};
  const float line = o.metrics.size;
  const bool low = o.folded != Folded::kNothing;
  y += whole((height - (low ? 1 : 4) * line) * 0.5f);
  FixedText<32> frames;
  frames.add(older ? "of the newest " : "of ")
      .add_grouped(o.numbers.frames)
      .add(older                   ? ""
           : o.numbers.frames == 1 ? " frame"
                                   : " frames");
  if (!low) canvas.text_right(right, y + 3 * line, color::kTextDim, frames.view());
  for (int i = low ? 0 : 2; i >= 0; --i) {
    const auto& row = rows[i];
    canvas.text(x, y, color::kTextDim, row.label);
    FixedText<32> value;
    value.add_time(row.ns);
    const FrameVerdict verdict = frame_verdict(row.ns, o.settings.budget_ns);
    canvas.text_right(right, y, verdict_color(verdict, color::kTextMid), value.view());
    y += line;
  }
}

void show_bar_tooltip(const Content& content, const Frame& drawn, const FrameSum& sum) {
  const float column = text_width(drawn.metrics, "their mean") + scaled(drawn, 18);
  if (!begin_tooltip(drawn)) return;
  FixedText<64> text;
  tooltip_row("frame", text.add('#').add_grouped(sum.longest), column);
  tooltip_row("duration", text.add_time(sum.longest_ns), column);
  GpuFrame gpu;
  if (content.gpu.find(sum.longest, &gpu)) {
    tooltip_row("GPU", text.add_time(gpu.busy_ns).add("  lag ").add_unsigned(gpu.lag), column);
  } else if (content.gpu.waits_for(sum.longest)) {
    tooltip_row("GPU", content.unknown_gpu_time(), column);
  }
  if (sum.count > 1) {
    tooltip_row("longest of", text.add_grouped(sum.count).add(" frames"), column);
    tooltip_row("their mean", text.add_time(sum.mean_ns()), column);
  }
  flamelet_frame_info frame = {};
  if (!flamelet_capture_frame(content.capture, flamelet_capture_find_frame(content.capture, sum.longest), &frame))
    tooltip_row("events", "no longer recorded", column);
  if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0) tooltip_row("events", "lost in this frame", column);
  if ((frame.flags & FLAMELET_FRAME_CLOCK_JUMPED) != 0)
    tooltip_row("clock", "jumped in this frame", column);
  else if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0)
    tooltip_row("recording", "off in it, or in a part", column);
  ImGui::EndTooltip();
}

// The overview: where not all frames that were ever met fit, all of them in one thin strip, the longest in each column. The
// part that the bars show is marked, and moves with a click or a drag.

struct OverviewScale {
  float x, width;
  uint64_t first;
  double frames;

  float place(uint64_t index) const {
    const double share = static_cast<double>(index - first) / frames;
    return x + whole(share * static_cast<double>(width));
  }
  uint64_t frame_at(float px) const {
    const double share = static_cast<double>(std::min(std::max(px - x, 0.0f), width - 1) / width);
    return first + static_cast<uint64_t>(share * frames);
  }
};

// Before the bars' own frames are collected: it uses their memory.
OverviewScale show_overview(DrawContext& o, Canvas& canvas, float x, float y, float width, int64_t range_ns,
                            uint64_t in_sight) {
  FrameHistory& history = o.history;
  const float height = scaled(o, kOverviewHeight);
  const uint64_t first = history.levels.first_index();
  const OverviewScale scale = {x, width, first, static_cast<double>(history.newest - first + 1)};
  // Two columns for groups of frames that begin before the first one and end behind the last.
  const uint32_t columns = std::min(static_cast<uint32_t>(width), history.sums.capacity);
  history.levels.read(most_shift(history.levels, std::max(columns, 3u) - 2), history.newest, columns, &history.sums);

  o.notes.note_place("overview", x, y, width, height);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::InvisibleButton("##overview", ImVec2(width, height));
  history.moving = ImGui::IsItemActive();
  const uint64_t pointed = scale.frame_at(ImGui::GetIO().MousePos.x);
  if (history.moving) scroll_to(history, pointed, in_sight);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && ImGui::GetIO().MouseWheel != 0) scroll_bars(o, static_cast<int64_t>(ImGui::GetIO().MouseWheel * 10));
  const uint32_t sum = find_sum(history.sums, pointed);
  if (hovered && sum != history.sums.count) show_bar_tooltip(o, o, history.sums[sum]);

  canvas.rect(x, y, x + width, y + height, color::kCanvas);
  canvas.reserve(history.sums.count);
  for (const FrameSum& frames : history.sums) {
    const float left = scale.place(frames.first), right = std::max(scale.place(frames.last + 1), left + 1);
    const float share = static_cast<float>(static_cast<double>(frames.longest_ns) / static_cast<double>(range_ns));
    const float top = y + height - std::max(1.0f, height * std::min(share, 1.0f));
    canvas.reserved_rect(left, whole(top), right, y + height,
                         pack(verdict_color(frame_verdict(frames.longest_ns, o.settings.budget_ns))));
  }
  return scale;
}

// The part in sight, and the chosen frames.
void mark_overview(const Content& content, const Frame& frame, Canvas& canvas, const OverviewScale& scale, float y) {
  const Array<FrameSum>& sums = content.history.sums;
  const float bottom = y + scaled(frame, kOverviewHeight);
  if (!sums.empty())
    mark_part(canvas, scale.x, scale.place(sums[0].first), scale.place(sums[sums.count - 1].last + 1),
              scale.x + scale.width, y, bottom);
  const FrameRange chosen = content.timeline.selected();
  if (chosen.valid && chosen.first >= scale.first) {
    const float left = scale.place(chosen.first);
    canvas.rect(left, y, std::max(scale.place(chosen.last + 1), left + scaled(frame, 2)), bottom, color::kSelect);
  }
}

// A click shows one frame, a drag several, Shift and a click all from the shown one to this one.
void handle_mouse(DrawContext& o, float x, bool hovered, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  o.timeline.end_preview();
  o.history.hovered = hovered || active;
  if (!hovered && !active) {
    o.history.dragging = false;
    return;
  }
  if (hovered && io.MouseWheel != 0) {
    if (io.KeyShift)
      scroll_bars(o, static_cast<int64_t>(io.MouseWheel * 10));
    else
      widen_bars(o, o.settings, io.MouseWheel > 0 ? 1 : -1);
  }
  uint32_t index = find_bar(o.history.bars, io.MousePos.x - x);
  // A drag may begin and end beside the bars; a click there is none on a bar.
  const bool pressed = ImGui::IsMouseClicked(0) && hovered, beside = index == o.history.bars.count;
  if (beside && (o.history.bars.empty() || !(pressed || o.history.dragging))) return;
  if (beside) index = io.MousePos.x < x + o.history.bars[0].x0 ? 0 : o.history.bars.count - 1;
  const FrameSum& sum = o.history.sums[index];
  const uint64_t frame = sum.longest;
  if (pressed) {
    o.history.dragging = true;
    const FrameRange selected = o.timeline.selected();
    o.history.anchor = io.KeyShift && selected.valid ? selected.first : frame;
  }
  if (o.history.dragging) {
    const FrameRange selected = o.timeline.selected();
    const FrameRange wanted = {std::min(o.history.anchor, frame), std::max(o.history.anchor, frame), true};
    const bool shows = !beside || ImGui::IsMouseDragging(0);
    if (shows && (!(selected == wanted) || !o.timeline.paused())) show_frames(o, o, wanted.first, wanted.last);
    if (!active) o.history.dragging = false;
  } else if (hovered && !(o.timeline.paused() && o.timeline.selected().contains(frame))) {
    // What was just chosen stays in sight although the mouse is still over it.
    o.timeline.preview(frame);
  }
  if (hovered && !beside) show_bar_tooltip(o, o, sum);
}

constexpr float kFlagBarPx = 8;
constexpr float kFlagPx = 6;  // its height
constexpr float kWrapPx = 460;

void show_tooltip(DrawContext& o, const flamelet_flight_info& info) {
  const std::string_view sentence = hitch_sentence(o, o.settings, info);
  if (!begin_tooltip(o)) return;
  const float column = text_width(o.metrics, "kept for") + scaled(o, 18);
  FixedText<192> text;
  text.add('#').add_grouped(info.frame.index).add("  ").add_time(info.frame.end_ns - info.frame.begin_ns);
  tooltip_row("frame", text, column);
  text.add(flamelet_flight_cause_name(info.cause));
  if (info.text[0] != 0) text.add(", ").add(std::string_view(info.text));
  if (info.limit_ns > 0) text.add(", ").add_fixed(static_cast<double>(info.limit_ns) * 1e-6, 1).add(" ms");
  tooltip_row("kept for", text, column);
  const bool worst = (info.flags & FLAMELET_FLIGHT_WORST) != 0, latest = (info.flags & FLAMELET_FLIGHT_LATEST) != 0;
  text.add(worst && latest ? "the longest, the newest" : worst ? "the longest" : "the newest");
  if ((info.flags & FLAMELET_FLIGHT_WRITTEN) != 0) text.add("; in a file");
  if ((info.flags & FLAMELET_FLIGHT_FILE_REMOVED) != 0) text.add("; its file was removed");
  if ((info.flags & FLAMELET_FLIGHT_MISSED) != 0) text.add("; with gaps");
  tooltip_row("one of", text, column);
  flamelet_flight_stats stats;
  flamelet_flight_get_stats(o.hitches.flight, &stats);
  if (stats.files_removed != 0) {
    text.add_grouped(stats.files_written).add(" written, ").add_grouped(stats.files_removed).add(" removed: too many");
    tooltip_row("files", text, column);
  }
  if (o.hitches.reason.id() == info.id) tooltip_row("why", "being found", column);
  const float screen = ImGui::GetMainViewport()->Size.x - 4 * ImGui::GetStyle().WindowPadding.x;
  if (!sentence.empty()) show_lines(o, sentence, std::min(scaled(o, kWrapPx), screen));
  ImGui::EndTooltip();
}

constexpr int64_t kCountNs = 300000;  // of a frame of the overlay

void count_scopes(Content& content) {
  Activity& activity = content.activity;
  const CaptureTime time(content.numbers);
  if (activity.slices.empty()) activity.window = content.timeline.shown_window();
  const size_t lanes = flamelet_capture_lane_count(content.capture);
  for (const int64_t end_ns = steady_ns() + kCountNs; !activity.slices.full() && steady_ns() < end_ns;) {
    const TimeWindow slice = activity.slice(activity.slices.count);
    if (activity.lane < lanes) {
      activity.count += flamelet_capture_count_spans(content.capture, activity.lane++, slice.begin_ns, slice.end_ns);
      continue;
    }
    activity.slices.push(activity.count);
    activity.most = std::max(activity.most, activity.count);
    activity.count = activity.lane = 0;
  }
}

void show_slice_tooltip(const Content& content, const Frame& frame, uint32_t slice) {
  if (slice >= content.activity.slices.count || !begin_tooltip(frame)) return;
  FixedText<64> text;
  const float column = text_width(frame.metrics, "scopes") + scaled(frame, 18);
  tooltip_row("at", text.add_time(content.activity.slice(slice).begin_ns - content.activity.window.begin_ns), column);
  tooltip_row("scopes", text.add_grouped(content.activity.slices[slice]), column);
  ImGui::EndTooltip();
}

// Pauses on the frame: in the live capture while that has it, else in the hitch's own.
void show_hitch(PageContext& o, CaptureFiles& files, const flamelet_flight_info& info) {
  const flamelet_capture* own = o.own;
  o.hitches.shown = info.id;
  if (own != nullptr && holds(own, info.frame)) {
    show_live(o, files);
    freeze(o);
    show_frames(o, o, info.frame.index, info.frame.index);
    return;
  }
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = o.hitches.allocator;
  flamelet_capture* opened = nullptr;
  finish_file_job(o, files);
  if (flamelet_flight_open(o.hitches.flight, info.id, &options, &opened) != FLAMELET_OK) {
    o.status.say(Speaker::kHitches, true).add("That hitch is not kept any more.");
    return;
  }
  FixedText<128> title;
  write_title(info, &title);
  show_standing(o, files, opened, title.view(), opened);
  show_frames(o, o, info.frame.index, info.frame.index);
}

// Draws the strip, at most so wide, and handles the mouse over it. Returns its width.
float show_hitch_strip(PageContext& o, CaptureFiles& files, float x, float y, float most_width, float height) {
  Hitches& hitches = o.hitches;
  hitches.hovered = 0;
  HitchStripInput input;
  input.hitches = hitches.list.data;
  input.hitch_count = hitches.list.count;
  input.most_width_px = most_width;
  input.height_px = height - scaled(o, kFlagPx + 2);
  input.bar_px = scaled(o, kFlagBarPx);
  hitches.width = layout_hitch_strip(input, &hitches.bars);
  hitches.x = x;
  hitches.y = y;
  // A further flag would move all bars, also under a mouse that is over the frame bars.
  hitches.hold = o.history.hovered;
  if (hitches.bars.empty()) return 0;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::InvisibleButton("##hitches", ImVec2(hitches.width, height));
  const bool hovered = ImGui::IsItemHovered();
  hitches.hold = hitches.hold || hovered;
  const bool clicked = ImGui::IsItemClicked();
  const uint32_t under_mouse = hovered ? find_hitch(hitches.bars, ImGui::GetIO().MousePos.x - x) : hitches.bars.count;

  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(x, y, x + hitches.width, y + height, color::kCanvas);
  for (uint32_t i = 0; i < hitches.bars.count; ++i) {
    const HitchBar& bar = hitches.bars[i];
    const flamelet_flight_info& info = hitches.list[bar.position];
    const bool lit = i == under_mouse || (info.id == hitches.shown && o.timeline.shown().contains(info.frame.index));
    const Rgb fill = verdict_color(frame_verdict(info.frame.end_ns - info.frame.begin_ns, o.settings.budget_ns));
    canvas.rect(x + bar.x0, y + height - bar.height, x + bar.x1, y + height,
                lit ? mix(fill, color::kSelect, 0.55f) : fill);
    draw_flag(o, canvas, x + bar.x0, y + 1, lit ? color::kSelect : color::kAccent);
  }
  if (under_mouse < hitches.bars.count) {
    const flamelet_flight_info info = hitches.list[hitches.bars[under_mouse].position];
    hitches.hovered = info.id;
    if (clicked) {
      show_hitch(o, files, info);
      hitches.clicked = info.id;
    }
    // Then the frame is to be looked at, and the Why line says what the tooltip said.
    if (hitches.clicked != info.id) show_tooltip(o, info);
  }
  if (hitches.clicked != hitches.hovered) hitches.clicked = 0;
  return hitches.width + scaled(o, 4);
}

// Flags on the bars of hitches.
void draw_hitch_flags(const Content& content, const Frame& frame, float x, float y) {
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  for (const flamelet_flight_info& info : content.hitches.list) {
    // Frames of another recording may have the same numbers, and other times.
    flamelet_frame_info held;
    const size_t position = flamelet_capture_find_frame(content.capture, info.frame.index);
    if (!flamelet_capture_frame(content.capture, position, &held) || held.begin_ns != info.frame.begin_ns) continue;
    const uint32_t bar = find_sum(content.history.sums, info.frame.index);
    if (bar != content.history.bars.count)
      draw_flag(frame, canvas, x + content.history.bars[bar].x0, y + 1, color::kAccent);
  }
}

// Counts for a short while, draws, and moves the view to where the mouse presses.
void show_activity(DrawContext& o, Canvas& canvas, float x, float y, float width, float height) {
  Activity& activity = o.activity;
  if (is_counting(o)) count_scopes(o);
  const View all = view_of(activity.window);
  o.notes.note_place("activity", x, y, width, height);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::InvisibleButton("##activity", ImVec2(width, height));
  const double share = static_cast<double>(std::min(std::max(ImGui::GetIO().MousePos.x - x, 0.0f), width) / width);
  if (ImGui::IsItemActive()) {
    const double middle = all.begin_ns + share * all.duration_ns(), half = o.timeline.view().duration_ns() / 2;
    o.timeline.set_view({middle - half, middle + half}, ImGui::IsItemActivated());
  }
  if (ImGui::IsItemHovered()) show_slice_tooltip(o, o, static_cast<uint32_t>(share * Activity::kSlices));

  canvas.rect(x, y, x + width, y + height, color::kCanvas);
  const auto edge = [&](uint32_t i) { return x + whole(width * static_cast<float>(i) / Activity::kSlices); };
  for (uint32_t i = 0; i < activity.slices.count; ++i) {
    if (activity.slices[i] == 0 || edge(i + 1) <= edge(i)) continue;
    const float length = height * static_cast<float>(activity.slices[i]) / static_cast<float>(activity.most);
    canvas.rect(edge(i), y + height - std::max(whole(length), 2.0f), edge(i + 1), y + height, color::kFrameGood);
  }
  const View view = o.timeline.view();
  const auto place = [&](double ns) {
    const double at = x_at(all, ns, static_cast<double>(width));
    return x + whole(std::min(std::max(at, 0.0), static_cast<double>(width)));
  };
  mark_part(canvas, x, place(view.begin_ns), place(view.end_ns), x + width, y, y + height);
}

}  // namespace

void HitchReason::begin(const flamelet_flight* flight, const flamelet_flight_info& info, int64_t budget_ns,
                        const flamelet_allocator& allocator) {
  id_ = info.id;
  frame_ = info.frame.index;
  budget_ns_ = budget_ns;
  allocator_ = allocator;
  text_[0] = 0;
  size_ = 0;
  capacity_ = static_cast<size_t>(info.bytes);
  bytes_ = capacity_ != 0 ? static_cast<char*>(allocate_block(allocator, capacity_)) : nullptr;
  const auto append = [](void* self, const void* bytes, size_t size) {
    HitchReason& reason = *static_cast<HitchReason*>(self);
    if (size > reason.capacity_ - reason.size_) return false;
    memcpy(reason.bytes_ + reason.size_, bytes, size);
    reason.size_ += size;
    return true;
  };
  if (bytes_ != nullptr && flamelet_flight_save_to(flight, info.id, {append, this}) != FLAMELET_OK) size_ = 0;
  // Relaxed: the start of the thread comes after it.
  done_.store(false, std::memory_order_relaxed);
  if (!start_thread([](void* reason) { static_cast<HitchReason*>(reason)->run(); }, this, &thread_)) run();
}

void HitchReason::run() {
  if (size_ != 0) explain();
  if (bytes_ != nullptr) release_block(allocator_, bytes_, capacity_);
  bytes_ = nullptr;
  // Release: pairs with the acquire in done().
  done_.store(true, std::memory_order_release);
}

void HitchReason::explain() {
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = allocator_;
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_load_bytes(&options, bytes_, size_, &capture, nullptr) != FLAMELET_OK) return;
  flamelet_explain_config config = flamelet_explain_config_default();
  config.budget_ns = budget_ns_;
  const size_t bytes = flamelet_explain_memory_required(&config);
  void* memory = allocate_block(allocator_, bytes);
  flamelet_explain* explain = nullptr;
  flamelet_explanation why;
  if (memory != nullptr && flamelet_explain_create(&config, memory, bytes, &explain) == FLAMELET_OK &&
      flamelet_explain_frame(explain, capture, flamelet_capture_find_frame(capture, frame_), &why) == FLAMELET_OK)
    flamelet_explain_text(explain, capture, &why, text_, sizeof text_);
  if (memory != nullptr) release_block(allocator_, memory, bytes);
  flamelet_capture_destroy(capture);
}

const char* HitchReason::take() {
  if (thread_.joinable()) thread_.join();
  id_ = 0;
  return text_;
}

void update_hitches(PageContext& o, CaptureFiles& files) {
  Hitches& hitches = o.hitches;
  if (hitches.flight == nullptr || hitches.frame == ImGui::GetFrameCount()) return;
  const bool was_closed = hitches.frame + 1 != ImGui::GetFrameCount();
  hitches.frame = ImGui::GetFrameCount();
  take_sentence(hitches);
  // Flags do not move under the mouse.
  if (!hitches.hold) hitches.list.clear();
  flamelet_flight_info info, newest = {};
  for (size_t i = 0; flamelet_flight_get(hitches.flight, i, &info); ++i) {
    if (!hitches.hold) hitches.list.push(info);
    if (info.id > newest.id) newest = info;
  }
  if (newest.id <= hitches.newest) return;
  hitches.newest = newest.id;
  if (o.settings.pause_on_hitch && !was_closed && o.live() && !o.timeline.paused()) show_hitch(o, files, newest);
}

void step_hitch(PageContext& o, CaptureFiles& files, int direction) {
  // From the hitch that is in sight, else from the time that is.
  const FrameRange selected = o.timeline.selected();
  const flamelet_flight_info* from = nullptr;
  for (const flamelet_flight_info& info : o.hitches.list)
    if (info.id == o.hitches.shown && selected.contains(info.frame.index)) from = &info;
  const int64_t from_ns = o.timeline.shown_window().begin_ns;
  const flamelet_flight_info* found = nullptr;
  for (const flamelet_flight_info& info : o.hitches.list) {
    const bool later = from != nullptr ? info.id > from->id : info.frame.begin_ns > from_ns;
    const bool earlier = from != nullptr ? info.id < from->id : info.frame.begin_ns < from_ns;
    if (!(direction > 0 ? later : earlier)) continue;
    if (found == nullptr || (direction > 0 ? info.id < found->id : info.id > found->id)) found = &info;
  }
  if (found != nullptr) show_hitch(o, files, *found);
}

size_t scopes_over_budget(const Content& content, flamelet_flight_over (&over)[kOverRows]) {
  constexpr uint64_t kFrames = 60;
  flamelet_frame_info newest;
  const size_t frames = flamelet_capture_frame_count(content.capture);
  if (content.hitches.flight == nullptr || frames == 0 || !flamelet_capture_frame(content.capture, frames - 1, &newest))
    return 0;
  const uint64_t first = newest.index >= kFrames ? newest.index - kFrames + 1 : 0;
  return std::min(flamelet_flight_read_over(content.hitches.flight, first, over, kOverRows), kOverRows);
}

std::string_view hitch_sentence(Content& content, const Settings& settings, const flamelet_flight_info& info) {
  Hitches& hitches = content.hitches;
  for (const Hitches::Sentence& sentence : hitches.sentences)
    if (sentence.id == info.id && sentence.budget_ns == settings.budget_ns) return sentence.text;
  if (hitches.reason.id() == 0) hitches.reason.begin(hitches.flight, info, settings.budget_ns, hitches.allocator);
  return {};
}

float frame_bars_height(const Frame& frame) {
  return scaled(frame, frame.folded == Folded::kNothing ? kHeight : kLowHeight) + scaled(frame, 4);
}

void show_frame_bars(PageContext& o, CaptureFiles& files) {
  const int64_t start_ns = steady_ns();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float full_height = frame_bars_height(o) - scaled(o, 4);
  const float gutter = gutter_width(o);
  if (full_width - gutter - scaled(o, kAxisWidth) < scaled(o, 40)) return;
  const double range = range_budgets(o.numbers.frame_times.median_ns, o.settings.budget_ns);
  const int64_t range_ns = static_cast<int64_t>(range * static_cast<double>(o.settings.budget_ns));
  const float strip = show_hitch_strip(o, files, at.x + gutter, at.y, full_width * kHitchShare, full_height);
  const float width = full_width - gutter - strip - scaled(o, kAxisWidth);
  const float x = at.x + gutter + strip;
  const float bar_px = std::max(1.0f, scaled(o, o.settings.bar_px));
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);

  if (lacks_frames(o)) {
    // As wide as the lanes: the same time stands above them while all of it is in view.
    show_activity(o, canvas, x, at.y, full_width - gutter - strip - ImGui::GetStyle().ScrollbarSize, full_height);
    canvas.text_fit(at.x, at.y, gutter - scaled(o, 10), color::kTextDim,
                    has_no_scopes(o) ? "no scopes" : "scopes over time");
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + full_height + scaled(o, 4)));
    return;
  }
  const uint32_t most = frames_that_fit(width, bar_px, 1);
  const uint64_t in_sight = hold_frames(o.history, most);
  if (in_sight != 0) bring_chosen(o, in_sight, width != o.history.width);
  const float overview_y = at.y + full_height - scaled(o, kOverviewHeight);
  const bool overview =
      in_sight != 0 && o.folded == Folded::kNothing && o.history.newest - o.history.levels.first_index() >= in_sight;
  OverviewScale scale = {};
  if (overview)
    scale = show_overview(o, canvas, x, overview_y, width, range_ns, in_sight);
  else
    o.history.moving = false;
  const float height = overview ? overview_y - scaled(o, 2) - at.y : full_height;
  o.history.x = x;
  o.history.y = at.y;
  o.history.width = width;
  o.history.height = height;

  o.history.sums.clear();
  if (in_sight != 0) collect_frames(o, most, in_sight);
  FrameBarsInput input;
  input.width_px = whole(width);
  input.height_px = height;
  input.bar_px = bar_px;
  input.budget_ns = o.settings.budget_ns;
  input.range_ns = range_ns;
  layout_frame_bars(input, o.history.sums, &o.history.bars);
  if (overview) mark_overview(o, o, canvas, scale, overview_y);

  ImGui::SetCursorScreenPos(ImVec2(x, at.y));
  ImGui::InvisibleButton("##bars", ImVec2(width, height));
  handle_mouse(o, x, ImGui::IsItemHovered(), ImGui::IsItemActive());

  canvas.rect(x, at.y, x + width, at.y + height, color::kCanvas);
  draw_bars(o, canvas, x, at.y, height, range);
  draw_budget_lines(o.settings, o, canvas, x, x + width, at.y, height, range);
  draw_hitch_flags(o, o, x, at.y);
  show_numbers(o, canvas, at.x, at.y, at.x + gutter - scaled(o, 10), full_height);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + full_height + scaled(o, 4)));
  o.numbers.stats.bars_ns = steady_ns() - start_ns;
}

// Towards white in dark themes; in the light one dark colours would be hard to tell from black.
Rgb lit_bar(Rgb own) {
  return mix(own, luminance(color::kSelect) > 0.5f ? Rgb{color::kSelect} : Rgb{color::kCanvas}, 0.55f);
}

Rgb verdict_color(FrameVerdict verdict, Rgb good) {
  return verdict == FrameVerdict::kGood ? good : verdict == FrameVerdict::kOver ? color::kFrameOver : color::kFrameFar;
}

void draw_flag(const Frame& frame, Canvas& canvas, float x, float y, Rgb fill) {
  const float size = scaled(frame, kFlagPx);
  canvas.rect(x, y, x + 1, y + size, fill);
  canvas.triangle(x + 1, y, x + size, y + size * 0.35f, x + 1, y + size * 0.7f, fill);
}

TimeWindow Activity::slice(uint32_t i) const {
  const int64_t length_ns = window.end_ns - window.begin_ns;
  const auto at = [&](int64_t n) { return length_ns / kSlices * n + length_ns % kSlices * n / kSlices; };
  return {window.begin_ns + at(i), window.begin_ns + std::max(at(int64_t{i} + 1), at(i) + 1)};
}

bool lacks_frames(const Content& content) {
  return content.standing && flamelet_capture_frame_count(content.capture) == 0;
}

bool has_no_scopes(const Content& content) {
  return lacks_frames(content) && content.activity.slices.full() && content.activity.most == 0;
}

bool is_counting(const Content& content) {
  return lacks_frames(content) && !content.activity.slices.full();
}

}  // namespace flamelet::ui

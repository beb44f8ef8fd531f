// SPDX-License-Identifier: MIT
#include "pages/why/why.h"

#include <algorithm>

#include "pages/why/why_page.h"
#include "shell/overlay_state.h"

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

bool wants_why(const Overlay& o) {
  return why_row_height(o) > 0 || (o.settings.critical_path && o.pages.shows("lanes")) || o.pages.shows("why");
}

Why& why_of(Shell& shell) {
  return shell.pages.get<WhyPage>().why;
}
const Why& why_of(const Shell& shell) {
  return shell.pages.get<WhyPage>().why;
}

PathName why_name(Content& content, const Why& why, uint32_t path) {
  flamelet_explain_scope scope;
  if (!why.scope(path, &scope)) return {"(unknown)", color::kWait};
  if (scope.lane != UINT32_MAX) return {"no scope", color::kWait};
  if (scope.site == UINT32_MAX) return {"other paths", color::kWait};
  const ScopeStyle& style = content.styles.of({scope.site, scope.name});
  return {style.name, style.fill};
}

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

std::string_view lane_name(const Content& content, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(content.capture, lane, &info) ? view_of(info.name) : std::string_view();
}

}  // namespace flamelet::ui

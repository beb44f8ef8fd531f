// SPDX-License-Identifier: MIT
#include "pages/why/why.h"

#include <algorithm>

#include "shell/overlay_state.h"
#include "shell/window_parts.h"

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
  return config;
}

}  // namespace

void Why::carve(Carver* carver, uint32_t max_spans) {
  const flamelet_explain_config config = explain_config(max_spans);
  carver->take(&memory_, flamelet_explain_memory_required(&config));
  if (memory_.data != nullptr) flamelet_explain_create(&config, memory_.data, memory_.capacity, &explain_);
}

void Why::reset() {
  forget();
  flamelet_explain_clear(explain_);
}

void Why::choose(const flamelet_capture* capture, FrameRange frames) {
  if (frames == about_) return;
  about_ = FrameRange();
  known_ = false;
  frame_ns_ = -1;
  const size_t first = frames.valid ? flamelet_capture_find_frame(capture, frames.first) : SIZE_MAX;
  if (first == SIZE_MAX) return;
  flamelet_frame_info frame;
  for (size_t i = first; flamelet_capture_frame(capture, i, &frame) && frame.index <= frames.last; ++i) {
    if (frame.end_ns - frame.begin_ns <= frame_ns_) continue;
    frame_ns_ = frame.end_ns - frame.begin_ns;
    frame_index_ = frame.index;
    left_ = static_cast<uint32_t>(std::min<size_t>(i, flamelet_explain_config_default().baseline_frames));
  }
  about_ = frames;
}

void Why::step(const flamelet_capture* capture) {
  if (known_ || !about_.valid) return;
  const size_t position = flamelet_capture_find_frame(capture, frame_index_);
  if (position == SIZE_MAX) return forget();
  const int64_t until_ns = steady_ns() + kStepNs;
  left_ = static_cast<uint32_t>(std::min<size_t>(left_, position));
  for (; left_ != 0; --left_) {
    flamelet_explain_read_frame(explain_, capture, position - left_);
    if (steady_ns() < until_ns) continue;
    --left_;
    return;
  }
  if (flamelet_explain_frame(explain_, capture, position, &answer_) != FLAMELET_OK) return forget();
  flamelet_explain_text(explain_, capture, &answer_, text_, sizeof text_);
  known_ = true;
}

void update_why(Overlay& o) {
  if (!o.timeline.paused()) return o.why.forget();
  o.why.choose(o.capture, o.timeline.selected());
  const bool on_lanes = o.settings.critical_path && o.page.shows("lanes");
  if (!(why_row_height(o) > 0) && !on_lanes && !o.page.shows("why")) return;
  const CaptureTime time(o.numbers);
  o.why.step(o.capture);
}

PathName why_name(Overlay& o, uint32_t path) {
  flamelet_explain_scope scope;
  if (!o.why.scope(path, &scope)) return {"(unknown)", color::kWait};
  if (scope.lane != UINT32_MAX) return {"no scope", color::kWait};
  if (scope.site == UINT32_MAX) return {"other paths", color::kWait};
  const ScopeStyle& style = o.styles.of({scope.site, scope.name});
  return {style.name, style.fill};
}

void add_why_path(Overlay& o, uint32_t path, uint32_t most, TextWriter* text) {
  constexpr uint32_t kMost = 32;
  uint32_t scopes[kMost];
  uint32_t count = 0;
  flamelet_explain_scope scope;
  for (; count < std::min(most, kMost) && o.why.scope(path, &scope); path = scope.parent) scopes[count++] = path;
  while (count-- != 0) {
    text->add(why_name(o, scopes[count]).name);
    if (count != 0) text->add('/');
  }
}

std::string_view lane_name(const Overlay& o, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(o.capture, lane, &info) ? view_of(info.name) : std::string_view();
}

void add_why_place(Overlay& o, const flamelet_cause& cause, uint32_t most, TextWriter* text) {
  flamelet_explain_scope scope;
  if (o.why.scope(cause.path, &scope) && scope.lane != UINT32_MAX) text->add(lane_name(o, scope.lane)).add(": ");
  add_why_path(o, cause.path, most, text);
}

void add_why_verdict(const flamelet_cause& cause, TextWriter* text) {
  text->add('(').add(flamelet_verdict_name(cause.verdict));
  text->add((cause.flags & FLAMELET_PIECE_PROBABLY) != 0 ? ", probably)" : ")");
}

}  // namespace flamelet::ui

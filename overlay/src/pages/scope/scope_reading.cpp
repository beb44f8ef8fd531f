// SPDX-License-Identifier: MIT
#include "pages/scope/scope_page.h"

#include <algorithm>

#include "imgui.h"
#include "input/actions.h"
#include "shell/overlay_state.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kCallsPerFrame = 8192;

void read_instances(Overlay& o, ScopePage& v, double now_s) {
  const TimeWindow range = wanted_range(o, o.settings.scope_history);
  const bool other = v.history != o.settings.scope_history;
  const uint64_t version = flamelet_capture_version(o.capture);
  if (other || v.refresh.due(range != v.asked, version, o.timeline.paused(), v.instances.reading(), now_s)) {
    // The whole history is read once, and then what is new.
    if (o.settings.scope_history && !other && !v.refresh.stale)
      v.instances.extend(range.end_ns);
    else
      v.instances.begin(o.capture, o.selection.scope.key, range, o.settings.scope_history && o.live(), v.calls,
                        v.on_gpu);
    v.history = o.settings.scope_history;
    v.asked = range;
    v.refresh.begin(version, now_s);
  }
  v.instances.step(&o.statistics.scratch(), Refresh::kZonesPerFrame);
}

void begin_summary(Overlay& o, ScopePage& v, double now_s) {
  SummaryChoice choice;
  choice.group_by = static_cast<GroupBy>(o.settings.scope_group);
  choice.log_axis = o.settings.scope_log_axis;
  choice.bars = v.bars_fit;
  choice.chosen = v.chosen;
  choice.calls = v.calls;
  // Calls in frames that were not read yet marked nothing.
  const bool frames_came = v.summed_early && v.chosen.any() && !v.frames.reading();
  const bool chose = frames_came || !(choice == v.summary.choice());
  const bool read = v.instances.version() != v.summary.version();
  if (!chose && !(read && (!v.instances.reading() || now_s >= v.next_summary_s))) return;
  v.next_summary_s = now_s + Refresh::kSeconds;
  v.summary.begin(choice, v.instances);
  v.summed_early = v.frames.reading();
  v.frames_marked = 0;
  ++v.marks;
}

}  // namespace

void ScopePage::carve(Carver* carver, const OverlayConfig& config) {
  instances.carve(carver, config.max_spans / 16);
  summary.carve(carver);
  frames.carve(carver, config.max_frames);
  sums.carve(carver);
  carver->take(&graph_bars, ScopeGraph::kMostBars);
}

void ScopePage::forget() {
  instances.clear();
  summary.clear();
  frames.clear();
  sums.clear();
  begun = false;
  object = 0;
  on_gpu = false;
  calls = CallChoice();
  asked = TimeWindow();
  refresh = Refresh();
  next_summary_s = 0;
  marks = shown_marks = frames_marked = marked_frames = 0;
  summed_early = false;
  chosen = DurationRange();
  dragging = false;
  graph_bars.clear();
}

int64_t selected_budget_ns(Overlay& o) {
  return o.watched.budget_of(o.styles.of(o.selection.scope.key).name, o.selection.scope.on_gpu);
}

void pin_selected_scope(Overlay& o) {
  if (!o.selection.scope.valid) return;
  const std::string_view name = o.styles.of(o.selection.scope.key).name;
  const bool on_gpu = o.selection.scope.on_gpu;
  if (o.watched.pin(name, on_gpu, !o.watched.is_pinned(name, on_gpu))) o.settings.changed = true;
}

void update_scope_view(Overlay& o, ScopePage& v) {
  const SelectedScope& scope = o.selection.scope;
  if (!scope.valid) {
    if (v.begun) v.forget();
    return;
  }
  const CaptureTime time(o.numbers);
  const double now_s = ImGui::GetTime();
  if (!v.begun || v.frames.scope() != scope.key || v.object != scope.object || v.on_gpu != scope.on_gpu) {
    v.forget();
    v.object = scope.object;
    v.on_gpu = scope.on_gpu;
    if (scope.object != 0) v.calls = {CallChoice::Of::kObject, scope.object};
    v.frames.begin(o.capture, scope.key, v.calls, v.on_gpu);
    v.begun = true;
  }
  v.frames.step(&o.statistics.scratch(), Refresh::kZonesPerFrame, o.standing ? UINT64_MAX : o.gpu.newest_frame());
  // The calls must not change while they are summed up.
  if (!v.summary.busy()) {
    read_instances(o, v, now_s);
    begin_summary(o, v, now_s);
  }
  const auto mark = [&](const ScopeInstance& instance) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(o.capture, flamelet_capture_frame_at(o.capture, instance.begin_ns), &frame)) return;
    if (v.frames.mark(frame.index, v.marks)) ++v.frames_marked;
    v.sums.mark(frame.index, v.marks);
  };
  const auto add_states = [&](const ScopeInstance& instance, flamelet_state_times* sums) {
    if (!o.store.has_states()) return false;
    flamelet_state_times times;
    flamelet_capture_state_times(o.capture, instance.lane, instance.begin_ns, instance.end_ns, &times);
    for (uint32_t kind = 0; kind < FLAMELET_STATE_COUNT; ++kind) sums->ns[kind] += times.ns[kind];
    return true;
  };
  const bool fresh = v.summary.step(v.instances, kCallsPerFrame, mark, add_states);
  if (!fresh) return;
  v.shown_marks = v.marks;
  v.marked_frames = v.frames_marked;
}

void choose_calls(Overlay& o, CallChoice calls) {
  ScopePage& v = o.pages.get<ScopePage>();
  if (!v.begun || v.calls == calls) return;
  v.calls = calls;
  v.frames.begin(o.capture, o.selection.scope.key, calls, v.on_gpu);
  v.refresh.stale = true;
}

bool step_chosen_call(Overlay& o, int direction) {
  ScopePage& v = o.pages.get<ScopePage>();
  if (!v.chosen.any()) return false;
  const SelectedSpan& selected = o.selection.span;
  const bool known = selected.valid && key_of(selected.span) == v.instances.scope();
  const int64_t from_ns = known ? selected.span.begin_ns : direction > 0 ? INT64_MIN : INT64_MAX;
  const ScopeInstance* found = nullptr;
  for (uint32_t i = 0; i < v.instances.count(); ++i) {
    const ScopeInstance& call = v.instances[i];
    if (!v.chosen.contains(call.duration_ns()) || !v.calls.contains(call.lane, call.object)) continue;
    if (direction > 0 ? call.begin_ns <= from_ns : call.begin_ns >= from_ns) continue;
    const bool nearer =
        found == nullptr || (direction > 0 ? call.begin_ns < found->begin_ns : call.begin_ns > found->begin_ns);
    if (nearer) found = &call;
  }
  if (found == nullptr) return true;
  const ScopeInstance call = *found;
  const TimeWindow measured = o.selection.measured;
  go_to_span(o, call.lane, {call.begin_ns, call.end_ns}, v.instances.scope());
  // What was measured stays: the histogram is about it.
  if (call.begin_ns >= measured.begin_ns && call.begin_ns < measured.end_ns) o.selection.measured = measured;
  return true;
}

}  // namespace flamelet::ui

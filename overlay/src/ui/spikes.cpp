// SPDX-License-Identifier: MIT
#include "ui/spikes.h"

#include <string.h>

#include <algorithm>

#include "imgui.h"
#include "ui/actions.h"
#include "ui/update.h"
#include "view/text_buffer.h"

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

// "kept #1,502: frame over budget"
void write_title(const flamelet_flight_info& info, TextWriter* text) {
  text->add("kept #").add_grouped(info.frame.index).add(": ").add(flamelet_flight_cause_name(info.cause));
  if (info.text[0] != 0) text->add(", ").add(std::string_view(info.text));
}

void take_sentence(Spikes& spikes) {
  if (!spikes.reason.done()) return;
  while (!spikes.sentences.full()) spikes.sentences.push(Spikes::Sentence());
  Spikes::Sentence& sentence = spikes.sentences[spikes.next_sentence++ % Spikes::kSentences];
  sentence.id = spikes.reason.id();
  memcpy(sentence.text, spikes.reason.take(), sizeof sentence.text);
}

}  // namespace

void update_spikes(Overlay& o) {
  Spikes& spikes = o.spikes;
  if (spikes.flight == nullptr || spikes.frame == ImGui::GetFrameCount()) return;
  const bool was_closed = spikes.frame + 1 != ImGui::GetFrameCount();
  spikes.frame = ImGui::GetFrameCount();
  take_sentence(spikes);
  // Flags do not move under the mouse.
  if (!spikes.hold) spikes.kept.clear();
  flamelet_flight_info info, newest = {};
  for (size_t i = 0; flamelet_flight_get(spikes.flight, i, &info); ++i) {
    if (!spikes.hold) spikes.kept.push(info);
    if (info.id > newest.id) newest = info;
  }
  if (newest.id <= spikes.newest) return;
  spikes.newest = newest.id;
  if (o.settings.pause_on_kept && !was_closed && o.live() && !o.timeline.paused()) show_spike(o, newest);
}

void show_spike(Overlay& o, const flamelet_flight_info& info) {
  const flamelet_capture* own = o.files.own;
  o.spikes.shown = info.id;
  if (own != nullptr && holds(own, info.frame)) {
    show_live(o);
    freeze(o);
    show_frames(o, info.frame.index, info.frame.index);
    return;
  }
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = o.memory.allocator;
  flamelet_capture* opened = nullptr;
  finish_file_job(o);
  if (flamelet_flight_open(o.spikes.flight, info.id, &options, &opened) != FLAMELET_OK) {
    strcpy(o.files.notice, "That frame is not kept any more.");
    o.files.notice_is_bad = true;
    return;
  }
  FixedText<128> title;
  write_title(info, &title);
  show_standing(o, opened, title.view(), opened);
  show_frames(o, info.frame.index, info.frame.index);
}

void step_spike(Overlay& o, int direction) {
  // From the kept frame that is in sight, else from the time that is.
  const FrameRange selected = o.timeline.selected();
  const flamelet_flight_info* from = nullptr;
  for (const flamelet_flight_info& info : o.spikes.kept)
    if (info.id == o.spikes.shown && selected.contains(info.frame.index)) from = &info;
  const int64_t from_ns = o.timeline.shown_window().begin_ns;
  const flamelet_flight_info* found = nullptr;
  for (const flamelet_flight_info& info : o.spikes.kept) {
    const bool later = from != nullptr ? info.id > from->id : info.frame.begin_ns > from_ns;
    const bool earlier = from != nullptr ? info.id < from->id : info.frame.begin_ns < from_ns;
    if (!(direction > 0 ? later : earlier)) continue;
    if (found == nullptr || (direction > 0 ? info.id < found->id : info.id > found->id)) found = &info;
  }
  if (found != nullptr) show_spike(o, *found);
}

size_t scopes_over_budget(const Overlay& o, flamelet_flight_over (&over)[kOverRows]) {
  constexpr uint64_t kFrames = 60;
  flamelet_frame_info newest;
  const size_t frames = flamelet_capture_frame_count(o.capture);
  if (o.spikes.flight == nullptr || frames == 0 || !flamelet_capture_frame(o.capture, frames - 1, &newest)) return 0;
  const uint64_t first = newest.index >= kFrames ? newest.index - kFrames + 1 : 0;
  return std::min(flamelet_flight_read_over(o.spikes.flight, first, over, kOverRows), kOverRows);
}

std::string_view spike_sentence(Overlay& o, const flamelet_flight_info& info) {
  Spikes& spikes = o.spikes;
  for (const Spikes::Sentence& sentence : spikes.sentences)
    if (sentence.id == info.id) return sentence.text;
  if (spikes.reason.id() == 0) spikes.reason.begin(spikes.flight, info, o.memory.allocator);
  return {};
}

}  // namespace flamelet::ui

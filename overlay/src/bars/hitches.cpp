// SPDX-License-Identifier: MIT
#include "bars/hitches.h"

#include <string.h>
#include <algorithm>

#include "draw/text.h"
#include "files/capture_files.h"
#include "flamelet/explain.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "platform/system.h"

namespace flamelet::ui {

// ---- hitch reason

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

}  // namespace

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

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
#include "pages/scope/scope_frames.h"

#include <algorithm>

#include "content/gpu_frames.h"

namespace flamelet::ui {

void ScopeFrames::clear() {
  capture_ = nullptr;
  frames_.count = frames_.capacity;
  for (ScopeFrame& frame : frames_) frame = ScopeFrame();
  any_ = false;
  done_ = true;
  ++generation_;
}

void ScopeFrames::begin(const flamelet_capture* capture, ScopeKey scope, CallChoice calls, bool on_gpu) {
  clear();
  capture_ = capture;
  scope_ = scope;
  calls_ = calls;
  on_gpu_ = on_gpu;
  done_ = false;
}

void ScopeFrames::step(Array<flamelet_span>* scratch, uint32_t max_zones, uint64_t settled) {
  const size_t count = capture_ != nullptr ? flamelet_capture_frame_count(capture_) : 0;
  flamelet_frame_info frame;
  if (count == 0 || !flamelet_capture_frame(capture_, count - 1, &frame)) return;
  // Results of the GPU come late.
  size_t last = count - 1;
  if (settled < frame.index && frame.index - settled <= GpuFrames::kMostLag) {
    const size_t position = flamelet_capture_find_frame(capture_, settled);
    if (position != SIZE_MAX) last = position;
  }
  uint64_t zones = 0;
  size_t newest = any_ ? flamelet_capture_find_frame(capture_, newest_) : SIZE_MAX;
  if (newest == SIZE_MAX) {
    any_ = false;
    ++generation_;
    zones += read(last, scratch);
    newest = last;
  }
  while (newest < last && zones < max_zones) zones += read(++newest, scratch);
  size_t oldest = flamelet_capture_find_frame(capture_, oldest_);
  if (oldest == SIZE_MAX) oldest = 0;  // they go from there
  while (oldest > 0 && zones < max_zones && last - oldest + 1 < frames_.capacity) zones += read(--oldest, scratch);
  done_ = newest >= last && (oldest == 0 || last - oldest + 1 >= frames_.capacity);
}

uint64_t ScopeFrames::read(size_t position, Array<flamelet_span>* scratch) {
  flamelet_frame_info info;
  if (!flamelet_capture_frame(capture_, position, &info)) return 1;
  if (!any_) newest_ = oldest_ = info.index;
  any_ = true;
  newest_ = std::max(newest_, info.index);
  oldest_ = std::min(oldest_, info.index);
  ScopeFrame& frame = frames_[static_cast<uint32_t>(info.index % frames_.capacity)];
  frame = ScopeFrame();
  TimeWindow extent;
  // Headers of frames outlive their events.
  if (!flamelet_capture_extent(capture_, &extent.begin_ns, &extent.end_ns) || info.end_ns <= extent.begin_ns) return 1;
  flamelet_scope_time time = {};
  const size_t lane = calls_.of == CallChoice::Of::kThread ? calls_.id : kAllLanes;
  const auto slot_of = [&](const flamelet_span& span, bool gpu) {
    return gpu == on_gpu_ && key_of(span) == scope_ && calls_.contains(calls_.id, span.object) ? 0u : 1u;
  };
  const uint64_t zones = add_frame_times(capture_, {info.begin_ns, info.end_ns}, scratch, &time, 1, slot_of, lane);
  frame.index = info.index;
  frame.time_ns = time.time_ns;
  frame.calls = static_cast<uint32_t>(time.calls);
  return zones + 1;
}

const ScopeFrame* ScopeFrames::find(uint64_t index) const {
  const ScopeFrame& frame = frames_[static_cast<uint32_t>(index % frames_.capacity)];
  return frame.index == index ? &frame : nullptr;
}

bool ScopeFrames::mark(uint64_t index, uint32_t value) {
  ScopeFrame& frame = frames_[static_cast<uint32_t>(index % frames_.capacity)];
  if (frame.index != index || frame.mark == value) return false;
  frame.mark = value;
  return true;
}

}  // namespace flamelet::ui

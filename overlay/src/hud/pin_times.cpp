// SPDX-License-Identifier: MIT
#include "hud/pin_times.h"

#include <algorithm>

namespace flamelet::ui {

void PinTimes::clear() {
  names_.count = names_.capacity;
  for (Name& name : names_) name = {UINT32_MAX, kNoPin, kNoPin};
  count_ = next_ = 0;
  for (bool& met : met_) met = false;
}

void PinTimes::update(const flamelet_capture* capture, size_t last, const WatchedScopes& watched,
                      Array<flamelet_span>* scratch, uint32_t max_zones) {
  if (version_ != watched.version() || names_.count == 0) {
    clear();
    version_ = watched.version();
    pins_ = watched.pin_count();
  }
  if (pins_ == 0) return;
  flamelet_frame_info frame;
  size_t position = count_ != 0 ? flamelet_capture_find_frame(capture, newest_) : SIZE_MAX;
  if (position == SIZE_MAX) position = last - std::min<size_t>(last + 1, kFrames / 4);
  if (last != SIZE_MAX && position != SIZE_MAX && last > position + kFrames) position = last - kFrames;
  for (uint64_t zones = 0; position + 1 <= last && zones < max_zones;)
    if (flamelet_capture_frame(capture, ++position, &frame)) zones += read(capture, frame, watched, scratch);
}

uint64_t PinTimes::read(const flamelet_capture* capture, const flamelet_frame_info& frame, const WatchedScopes& watched,
                        Array<flamelet_span>* scratch) {
  flamelet_scope_time times[WatchedScopes::kMostPins] = {};
  const uint64_t zones = add_frame_times(capture, {frame.begin_ns, frame.end_ns}, scratch, times, pins_,
                                         [&](const flamelet_span& span, bool gpu) -> uint32_t {
                                           const Name& name = look_up(capture, watched, span.name);
                                           const uint8_t pin = gpu ? name.gpu : name.cpu;
                                           if (pin == kNoPin) return pins_;
                                           scopes_[pin] = key_of(span);
                                           met_[pin] = true;
                                           return pin;
                                         });
  for (uint32_t i = 0; i < pins_; ++i) times_[i][next_] = times[i].time_ns;
  next_ = (next_ + 1) % kFrames;
  count_ = std::min(count_ + 1, kFrames);
  newest_ = frame.index;
  return zones;
}

const PinTimes::Name& PinTimes::look_up(const flamelet_capture* capture, const WatchedScopes& watched, uint32_t name) {
  Name& known = names_[name % kNames];
  if (known.name == name) return known;
  known = {name, kNoPin, kNoPin};
  const flamelet_string text = flamelet_capture_string(capture, name);
  for (uint32_t i = 0; i < pins_; ++i) {
    const WatchedScope& pin = watched.pinned(i);
    if (std::string_view(text.text, text.size) == pin.name)
      (pin.on_gpu ? known.gpu : known.cpu) = static_cast<uint8_t>(i);
  }
  return known;
}

}  // namespace flamelet::ui

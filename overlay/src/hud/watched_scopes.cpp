// SPDX-License-Identifier: MIT
#include "hud/hud.h"

#include <string.h>
#include <algorithm>

#include "settings/settings.h"

namespace flamelet::ui {

namespace {

void copy_name(char (&to)[kWatchedNameBytes], std::string_view name) {
  memset(to, 0, sizeof to);
  memcpy(to, name.data(), std::min(name.size(), sizeof to - 1));
}

}  // namespace

bool WatchedScopes::can_watch(std::string_view name) {
  return can_be_saved(name, kWatchedNameBytes);
}

const WatchedScope* WatchedScopes::find(std::string_view name, bool on_gpu) const {
  for (uint32_t i = 0; i < count_; ++i)
    if (scopes_[i].on_gpu == on_gpu && name == scopes_[i].name) return &scopes_[i];
  return nullptr;
}

WatchedScope* WatchedScopes::find(std::string_view name, bool on_gpu) {
  return const_cast<WatchedScope*>(static_cast<const WatchedScopes*>(this)->find(name, on_gpu));
}

WatchedScope* WatchedScopes::find_or_add(std::string_view name, bool on_gpu) {
  if (!can_watch(name)) return nullptr;
  WatchedScope* scope = find(name, on_gpu);
  if (scope != nullptr || count_ == kMost) return scope;
  scope = &scopes_[count_++];
  *scope = WatchedScope();
  copy_name(scope->name, name);
  scope->on_gpu = on_gpu;
  return scope;
}

void WatchedScopes::drop_if_idle(WatchedScope* scope) {
  if (scope->pinned || scope->budget_ns != 0) return;
  std::copy(scope + 1, scopes_ + count_, scope);
  --count_;
}

bool WatchedScopes::pin(std::string_view name, bool on_gpu, bool pinned) {
  if (!pinned && find(name, on_gpu) == nullptr) return true;
  if (pinned && !is_pinned(name, on_gpu) && pin_count() == kMostPins) return false;
  WatchedScope* scope = find_or_add(name, on_gpu);
  if (scope == nullptr) return false;
  ++version_;
  scope->pinned = pinned;
  drop_if_idle(scope);
  return true;
}

bool WatchedScopes::set_budget(std::string_view name, bool on_gpu, int64_t budget_ns) {
  if (budget_ns <= 0 && find(name, on_gpu) == nullptr) return true;
  WatchedScope* scope = find_or_add(name, on_gpu);
  if (scope == nullptr) return false;
  scope->budget_ns = std::max<int64_t>(budget_ns, 0);
  drop_if_idle(scope);
  return true;
}

bool WatchedScopes::is_pinned(std::string_view name, bool on_gpu) const {
  const WatchedScope* scope = find(name, on_gpu);
  return scope != nullptr && scope->pinned;
}

uint32_t WatchedScopes::pin_count() const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < count_; ++i) count += scopes_[i].pinned;
  return count;
}

const WatchedScope& WatchedScopes::pinned(uint32_t wanted) const {
  uint32_t i = 0;
  while (!scopes_[i].pinned || wanted-- != 0) ++i;
  return scopes_[i];
}

int64_t WatchedScopes::budget_of(std::string_view name, bool on_gpu) const {
  const WatchedScope* scope = find(name, on_gpu);
  if (scope != nullptr && scope->budget_ns != 0) return scope->budget_ns;
  for (uint32_t i = 0; i < given_count_; ++i)
    if (name == given_[i].name) return given_[i].budget_ns;
  return 0;
}

bool WatchedScopes::give(const flamelet_budget* budgets, size_t count, int64_t* frame_ns) {
  Given given[kMostGiven];
  uint32_t given_count = 0;
  int64_t frame = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!flamelet_budget_is_watched(budgets, count, i)) continue;
    const std::string_view name(budgets[i].scope.text, budgets[i].scope.size);
    if (name.empty()) {
      frame = budgets[i].limit_ns;
      continue;
    }
    if (name.size() >= kWatchedNameBytes || given_count == kMostGiven) return false;
    copy_name(given[given_count].name, name);
    given[given_count++].budget_ns = budgets[i].limit_ns;
  }
  std::copy(given, given + given_count, given_);
  given_count_ = given_count;
  if (frame != 0) *frame_ns = frame;
  return true;
}

// "watch=<pinned>,<on the GPU>,<budget in ns>,<name>"
void WatchedScopes::write(TextWriter* text) const {
  for (uint32_t i = 0; i < count_; ++i) {
    const WatchedScope& scope = scopes_[i];
    text->add("watch=").add_signed(scope.pinned).add(',').add_signed(scope.on_gpu).add(',');
    text->add_signed(scope.budget_ns).add(',').add(std::string_view(scope.name)).add('\n');
  }
}

bool WatchedScopes::read(std::string_view value) {
  int64_t pinned = 0, on_gpu = 0, budget_ns = 0;
  if (!take_field(&value, &pinned) || !take_field(&value, &on_gpu) || !take_field(&value, &budget_ns)) return false;
  if (pinned < 0 || pinned > 1 || on_gpu < 0 || on_gpu > 1 || budget_ns < 0) return false;
  const bool has_pin = pin(value, on_gpu != 0, pinned != 0);
  return set_budget(value, on_gpu != 0, budget_ns) && has_pin;
}

// ---- pin times

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

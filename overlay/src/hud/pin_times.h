// SPDX-License-Identifier: MIT
//
// pin_times.h: how long the pinned scopes took in each of the newest frames. Each new frame is read once for all of them.
#ifndef FLAMELET_OVERLAY_SRC_PIN_TIMES_H
#define FLAMELET_OVERLAY_SRC_PIN_TIMES_H

#include "content/frame_times.h"
#include "content/scope_key.h"
#include "hud/watched_scopes.h"

namespace flamelet::ui {

class PinTimes {
 public:
  static constexpr uint32_t kFrames = 64;

  void carve(Carver* carver) { carver->take(&names_, kNames); }
  void clear();

  // Takes in the frames since the last call, up to `last` (a position), at least one and then about `max_zones` spans. Of
  // more than kFrames only the newest. Begins anew when the pins have changed.
  void update(const flamelet_capture* capture, size_t last, const WatchedScopes& watched, Array<flamelet_span>* scratch,
              uint32_t max_zones);

  uint32_t frame_count() const { return count_; }
  // `back` frames before the newest one.
  int64_t time_ns(uint32_t pin, uint32_t back) const { return times_[pin][(next_ + kFrames - 1 - back) % kFrames]; }
  // The newest span of a pinned scope was of this one. False if none was met.
  bool scope(uint32_t pin, ScopeKey* scope) const {
    *scope = scopes_[pin];
    return met_[pin];
  }

 private:
  static constexpr uint32_t kNames = 1024;
  static constexpr uint8_t kNoPin = WatchedScopes::kMostPins;
  // Which pins a name is, a cache.
  struct Name {
    uint32_t name;
    uint8_t cpu, gpu;
  };

  const Name& look_up(const flamelet_capture* capture, const WatchedScopes& watched, uint32_t name);
  uint64_t read(const flamelet_capture* capture, const flamelet_frame_info& frame, const WatchedScopes& watched,
                Array<flamelet_span>* scratch);

  Array<Name> names_;
  uint32_t version_ = 0;
  uint32_t pins_ = 0;
  uint32_t count_ = 0, next_ = 0;
  uint64_t newest_ = 0;  // index of the newest frame that was read
  int64_t times_[WatchedScopes::kMostPins][kFrames] = {};
  ScopeKey scopes_[WatchedScopes::kMostPins];
  bool met_[WatchedScopes::kMostPins] = {};
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PIN_TIMES_H

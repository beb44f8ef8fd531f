// SPDX-License-Identifier: MIT
//
// flight_watch.h: what a trigger is found by: the median of the last frames, and the game's own call.
#ifndef FLAMELET_SRC_FLIGHT_WATCH_H
#define FLAMELET_SRC_FLIGHT_WATCH_H

#include "flamelet/flight.h"
#include "platform/atomic.h"

namespace flamelet {

// Text cut to what there is room for, between two characters of UTF-8.
void copy_text(char (&to)[FLAMELET_FLIGHT_TEXT_BYTES], const char* text);

// Why a frame is to be kept.
struct Trigger {
  flamelet_flight_cause cause;
  char text[FLAMELET_FLIGHT_TEXT_BYTES];
  int64_t limit_ns;
  uint64_t frame;  // its index
};

// The durations of the last frames, also in rising order.
class FrameMedian {
 public:
  static constexpr uint32_t kFrames = 120;
  static constexpr uint32_t kLeastFrames = 16;  // for a median that means something

  void clear() { count_ = 0; }
  void add(int64_t duration_ns);
  // 0 while there are too few.
  int64_t median_ns() const { return count_ < kLeastFrames ? 0 : sorted_[(used() - 1) / 2]; }

 private:
  uint32_t used() const { return count_ < kFrames ? static_cast<uint32_t>(count_) : kFrames; }

  uint64_t count_ = 0;
  int64_t last_[kFrames];
  int64_t sorted_[kFrames];
};

// One call of flamelet_flight_trigger(), from any thread to the one that updates.
class TriggerBox {
 public:
  struct Call {
    uint32_t session;  // of the recorder
    uint64_t ticks;
    char text[FLAMELET_FLIGHT_TEXT_BYTES];
  };

  // False: the call before it is still there.
  bool put(uint32_t session, uint64_t ticks, const char* why);
  // NULL: there is none. It stays until taken() is called.
  const Call* get() const;
  void taken();

 private:
  enum State : uint32_t { kEmpty, kFilling, kFull };
  Atomic<uint32_t> state_;
  Call call_ = {};
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_FLIGHT_WATCH_H

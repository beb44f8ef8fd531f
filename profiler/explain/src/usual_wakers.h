// SPDX-License-Identifier: MIT
//
// usual_wakers.h: who usually lets a wait end: the work or the wait of another lane that ends when this one does, frame
// after frame, and more often than by chance; or a clock. Where no flow and no lock says for whom a lane waits, that does.
#ifndef FLAMELET_EXPLAIN_SRC_USUAL_WAKERS_H
#define FLAMELET_EXPLAIN_SRC_USUAL_WAKERS_H

#include <stdint.h>

#include <algorithm>
#include <cstdlib>

namespace flamelet::explain {

class UsualWakers {
 public:
  // A span of a lane that ended when the wait did. `by_chance`: how probable that was, from how many of them end in a frame.
  struct End {
    uint32_t lane, path;
    double by_chance;
  };
  static constexpr uint32_t kMostEnds = 16;

  void clear() { *this = UsualWakers(); }

  void begin_frame() { ++frames_; }
  // One more wait with this path in this frame, and what ended when it did.
  void note(uint32_t wait, const End* ends, uint32_t count) {
    Wait* const known = find_or_add(wait);
    if (known == nullptr) return;
    ++known->times;
    for (uint32_t i = 0; i < count; ++i) {
      Waker* const waker = find_or_add(known, ends[i]);
      if (waker == nullptr) continue;
      ++waker->times;
      waker->by_chance += static_cast<float>(ends[i].by_chance);
    }
    for (Waker& waker : known->wakers) set(&waker.is_usual, is_usual_of(*known, waker));
  }
  // It ended so long after its frame's begin, near the frame's end.
  void note_end(uint32_t wait, int64_t after_ns, int64_t tolerance_ns) {
    Wait* const known = find_or_add(wait);
    if (known == nullptr) return;
    const bool is_on_tick = is_tick(known->tick_ns, after_ns, tolerance_ns);
    ++known->ends;
    if (!is_on_tick && known->votes == 0) known->tick_ns = after_ns;
    known->votes = is_on_tick ? known->votes + 1 : known->votes - (known->votes != 0);
    set(&known->has_clock, known->votes >= kLeastTimes && known->votes * 8 >= known->ends);
  }

  // Whether a clock usually ends it, and nobody else does.
  bool has_clock(uint32_t wait) const {
    return std::any_of(waits_, waits_ + wait_count_, [wait](const Wait& known) {
      const auto is_usual = [](const Waker& waker) { return waker.is_usual; };
      return known.path == wait && known.has_clock && std::none_of(known.wakers, known.wakers + kMostWakers, is_usual);
    });
  }

  // Whether it is known that nobody let it end in a fourth of its waits.
  bool has_none(uint32_t wait) const {
    return std::any_of(waits_, waits_ + wait_count_, [wait](const Wait& known) {
      const auto is_frequent = [&known](const Waker& waker) { return waker.times * 4 >= known.times; };
      return known.path == wait && known.times >= kLeastTimes &&
             std::none_of(known.wakers, known.wakers + kMostWakers, is_frequent);
    });
  }

  // Calls take(lane, path) for each that usually lets it end.
  template <class Take>
  void for_each(uint32_t wait, Take take) const {
    for (uint32_t i = 0; i < wait_count_; ++i) {
      if (waits_[i].path != wait) continue;
      for (const Waker& waker : waits_[i].wakers)
        if (waker.is_usual) take(waker.lane, waker.path);
    }
  }

  // Another number: somebody has become usual, or is no more. What was found out before may be different now.
  uint32_t version() const { return version_; }

 private:
  static constexpr uint32_t kMostWaits = 32, kMostWakers = 6;
  static constexpr uint32_t kLeastTimes = 8;

  struct Waker {
    uint32_t lane, path, times;
    float by_chance;
    bool is_usual;
  };
  struct Wait {
    uint32_t path, times, frames_before, ends, votes;
    bool has_clock;
    int64_t tick_ns;
    Waker wakers[kMostWakers];  // the first ones that came; times 0: nobody yet
  };

  // In nine of ten waits, and four times as often as by chance. One that was usual may miss two of ten. Of a wait that is not
  // there in most frames, nothing is usual: a lock that is seldom held has another holder each time.
  bool is_usual_of(const Wait& wait, const Waker& waker) const {
    const uint32_t least = waker.is_usual ? 8 : 9;
    return wait.times * 2 >= frames_ - wait.frames_before && wait.times >= kLeastTimes &&
           waker.times * 10 >= wait.times * least && waker.by_chance * 4 <= static_cast<float>(waker.times);
  }

  void set(bool* is_usual, bool is_now) {
    version_ += is_now != *is_usual;
    *is_usual = is_now;
  }

  static bool is_tick(int64_t tick_ns, int64_t after_ns, int64_t tolerance_ns) {
    if (tick_ns <= 0) return false;
    const int64_t ticks = (after_ns + tick_ns / 2) / tick_ns;
    return ticks != 0 && std::abs(after_ns - ticks * tick_ns) <= std::max(tick_ns / 100, tolerance_ns);
  }

  Wait* find_or_add(uint32_t path) {
    for (uint32_t i = 0; i < wait_count_; ++i)
      if (waits_[i].path == path) return &waits_[i];
    if (wait_count_ == kMostWaits) return nullptr;
    waits_[wait_count_].path = path;
    waits_[wait_count_].frames_before = frames_ - 1;
    return &waits_[wait_count_++];
  }
  static Waker* find_or_add(Wait* wait, const End& end) {
    Waker* room = nullptr;
    for (Waker& waker : wait->wakers) {
      if (waker.times != 0 && waker.lane == end.lane && waker.path == end.path) return &waker;
      // One that is seldom there gives its place to another one.
      if (!waker.is_usual && waker.times * 2 < wait->times && room == nullptr) room = &waker;
    }
    if (room != nullptr) *room = {end.lane, end.path, 0, 0, false};
    return room;
  }

  Wait waits_[kMostWaits] = {};
  uint32_t wait_count_ = 0, frames_ = 0, version_ = 0;
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_USUAL_WAKERS_H

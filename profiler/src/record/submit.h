// SPDX-License-Identifier: MIT
//
// submit.h: memory of flamelet_submit().
#ifndef FLAMELET_SRC_SUBMIT_H
#define FLAMELET_SRC_SUBMIT_H

#include <stdint.h>
#include <string.h>
#include <algorithm>

#include "flamelet/recorder.h"
#include "platform/atomic.h"

namespace flamelet {

struct WaitingEvents;

struct SubmitState {
  WaitingEvents* waiting;   // begins and ends without a partner: one for each of config.max_tracks
  uint32_t* scratch;        // two for each of config.max_submit_events and config.max_submit_open
  Atomic<uint32_t> lock;    // the scratch is in use
  Atomic<uint32_t> places;  // of `waiting` that were ever in use: the first ones
};
extern SubmitState submit_state;

// Submit batch: the events of one flamelet_submit() call, and those of earlier calls that still wait for their partner,
// as one list in the order of submission; and which of them make pairs.

// A begin or an end that waits for its partner. Its strings are interned: the caller's pointers are gone.
struct WaitingEvent {
  uint64_t time_ticks;  // on the source's clock
  uint64_t id;
  uint32_t site;    // of a begin
  uint32_t object;  // string id, of a begin
  uint16_t pair;
  char type;
};

// What one external track keeps between two calls. Belongs to who holds the track's lock.
struct WaitingEvents {
  Atomic<uint32_t> owner;  // id of the track; 0 = free
  Atomic<uint32_t> count;  // statistics read it
  WaitingEvent* events;    // config.max_submit_open places, oldest first
};

// Begins and ends without a partner now, on all tracks. Cost: a look at each place that was ever in use.
inline uint32_t count_waiting() {
  uint32_t count = 0;
  const uint32_t places = submit_state.places.load_relaxed();
  for (uint32_t i = 0; i < places; ++i) count += submit_state.waiting[i].count.load_relaxed();
  return count;
}

// Submitted lane: the spans of one lane of a source, so that what overlaps one of them in part goes to a lane beside. Of the
// older ones it knows only from when to when there are some: what comes so late that it would stand among these goes beside,
// too, for nobody knows whether it nests there.

struct PlacedSpan {
  uint64_t begin_ticks, end_ticks;
  bool is_cut;
};

class SubmittedLane {
 public:
  void clear() { count_ = 0; }
  // The spans that are here stay as they are; those that follow may be placed by another calibration.
  void start_batch() {
    for (uint32_t i = 0; i < count_; ++i) spans_[i].is_earlier = true;
  }

  // False: the span overlaps one of this lane in part. `most_ticks`: so much is cut off where it overlaps one of an earlier
  // batch, because the clocks went that far apart. *around: where the innermost span around it began; 0 = there is none.
  bool fits(PlacedSpan* span, uint64_t most_ticks, uint64_t* around) const {
    *around = 0;
    PlacedSpan fitted = *span;
    for (uint32_t i = count_; i != 0 && spans_[i - 1].end_ticks > fitted.begin_ticks; --i) {
      const Span& other = spans_[i - 1];
      const bool begins_before = other.begin_ticks < fitted.begin_ticks;
      const bool is_apart = other.begin_ticks >= fitted.end_ticks;
      const bool is_around =
          !is_apart && other.begin_ticks <= fitted.begin_ticks && other.end_ticks >= fitted.end_ticks;
      if (is_around && other.is_several) return false;
      if (is_apart ||
          (begins_before ? other.end_ticks >= fitted.end_ticks
                         : other.begin_ticks == fitted.begin_ticks || other.end_ticks <= fitted.end_ticks)) {
        if (is_around) *around = std::max(*around, other.begin_ticks);
        continue;
      }
      const uint64_t overlap =
          begins_before ? other.end_ticks - fitted.begin_ticks : fitted.end_ticks - other.begin_ticks;
      if (!other.is_earlier || overlap > most_ticks) return false;
      (begins_before ? fitted.begin_ticks : fitted.end_ticks) = begins_before ? other.end_ticks : other.begin_ticks;
      fitted.is_cut = true;
    }
    *span = fitted;
    return true;
  }

  void add(const PlacedSpan& span) {
    if (count_ == kMost) join_older();
    uint32_t at = count_++;
    for (; at != 0 && spans_[at - 1].end_ticks > span.end_ticks; --at) spans_[at] = spans_[at - 1];
    spans_[at] = {span.begin_ticks, span.end_ticks, false, false};
  }

 private:
  static constexpr uint32_t kMost = 128;
  struct Span {
    uint64_t begin_ticks, end_ticks;
    bool is_earlier;
    bool is_several;  // from the first of them to the last one's end
  };

  // Joins spans of the older half with what follows them, where the gaps between them are smallest, until there is room: the
  // larger gaps are those between frames, at which a span around a frame's others begins.
  void join_older() {
    for (uint64_t gap = 0; count_ > kMost - kMost / 4; gap = gap * 2 + 1) {
      const uint32_t older = count_ - kMost / 2;
      uint32_t kept = 0;
      for (uint32_t i = 1; i < count_; ++i) {
        Span& before = spans_[kept];
        const Span& next = spans_[i];
        if (i < older && (next.begin_ticks <= before.end_ticks || next.begin_ticks - before.end_ticks <= gap))
          before = {std::min(before.begin_ticks, next.begin_ticks), next.end_ticks,
                    before.is_earlier && next.is_earlier, true};
        else
          spans_[++kept] = next;
      }
      count_ = kept + 1;
    }
  }

  uint32_t count_;
  Span spans_[kMost];  // by their ends
};

class SubmitBatch {
 public:
  // What becomes of an event: one of these, or, of a begin, the number of its end.
  enum : uint32_t { kOut = UINT32_MAX, kWaits = kOut - 1, kPoint = kOut - 2, kEnd = kOut - 3, kLastNumber = kOut - 4 };

  // `scratch`: two numbers for each event. `zero_ticks`: a time of the source's clock; others are taken for what is nearest
  // to it, so that the clock may wrap around.
  SubmitBatch(const WaitingEvents& waiting, const flamelet_event* events, uint32_t event_count, uint64_t zero_ticks,
              uint32_t* scratch)
      : waiting_(waiting.events),
        waiting_count_(waiting.count.load_relaxed()),
        events_(events),
        count_(waiting_count_ + event_count),
        zero_ticks_(zero_ticks),
        fate_(scratch),
        sorted_(scratch + count_) {}

  uint32_t count() const { return count_; }
  // NULL: it has waited since an earlier call.
  const flamelet_event* event(uint32_t i) const { return is_waiting(i) ? nullptr : &events_[i - waiting_count_]; }
  const WaitingEvent& waiting(uint32_t i) const { return waiting_[i]; }
  bool is_waiting(uint32_t i) const { return i < waiting_count_; }

  uint64_t id(uint32_t i) const { return is_waiting(i) ? waiting_[i].id : event(i)->id; }
  uint16_t pair(uint32_t i) const { return is_waiting(i) ? waiting_[i].pair : event(i)->pair; }
  char type(uint32_t i) const { return is_waiting(i) ? waiting_[i].type : event(i)->type; }
  // Signed, from the zero.
  int64_t time(uint32_t i) const {
    return static_cast<int64_t>((is_waiting(i) ? waiting_[i].time_ticks : event(i)->time_ticks) - zero_ticks_);
  }

  // Decides the fate of all events; is_sound(i) says whether an event's time is one.
  template <class IsSound>
  void pair_up(IsSound is_sound) {
    uint32_t scopes = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      fate_[i] = kOut;
      if (!is_sound(i)) continue;
      if (type(i) == 'I') fate_[i] = kPoint;
      if ((type(i) == 'B' || type(i) == 'E') && (id(i) != 0 || pair(i) != 0)) sorted_[scopes++] = i;
    }
    pair_scopes(scopes);
  }
  uint32_t fate(uint32_t i) const { return fate_[i]; }

 private:
  void pair_scopes(uint32_t scopes);
  void pair_group(const uint32_t* group, uint32_t count);

  const WaitingEvent* waiting_;
  uint32_t waiting_count_;
  const flamelet_event* events_;
  uint32_t count_;
  uint64_t zero_ticks_;
  uint32_t* fate_;
  uint32_t* sorted_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_SUBMIT_H

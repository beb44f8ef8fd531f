// SPDX-License-Identifier: MIT
//
// event_index.h: global indices for the events in the ring, without copying them. The index lists *parts*: words
// [first, count) of one use of one page hold the events [start, start + events). A part is made when a call first sees
// those words; its events are decoded again, from the page, when they are asked for.
//
// What was overwritten before it was seen gets indices and no part:
//   - in front of a page that was seen: that page's first_event tells how many there were;
//   - behind the last page of a track that ended: what the tracks of its slot recorded together tells it.
// An index that was given for a lost event stays that. A page that still comes late (it was held by 255 other readers, for
// example) is left out, or its events would be counted twice.
#ifndef FLAMELET_EVENTS_EVENT_INDEX_H
#define FLAMELET_EVENTS_EVENT_INDEX_H

#include "flamelet/events.h"
#include "record/ring_reader.h"

namespace flamelet {

struct EventPart {
  uint64_t ticket;
  uint64_t start;
  uint32_t events;
  uint16_t first;
  uint16_t count;
};

// Under a SessionGuard; one thread at a time.
class EventIndex {
 public:
  EventIndex(EventPart* parts, uint32_t limit) : parts_(parts), limit_(limit) {}

  // Gives indices to what is new. False: the recorder stopped.
  bool refresh();
  uint64_t total() const { return total_; }
  void copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start, size_t* actual_count);
  // The smallest index of an event in pages [begin, end), or UINT64_MAX.
  uint64_t oldest_in(uint32_t begin, uint32_t end) const;

 private:
  static constexpr uint32_t kSlots = kTrackSlots;

  // How far a slot's tracks have indices. Ids of tracks rise, and a slot has one after the other.
  struct Slot {
    uint32_t track;    // the newest that was seen
    uint32_t settled;  // this track and those before it are done with
    uint64_t events;   // of `track`, with indices
    uint64_t before;   // of the tracks before it, with indices
  };

  void begin_session(uint32_t session);
  static void on_part(void* self, const PagePart& part);
  bool admit(const PagePart& part);
  void settle(Slot* slot, const SlotEnds& ends);
  const EventPart& part(uint64_t number) const { return parts_[number % limit_]; }
  uint64_t oldest_part() const { return part_count_ > limit_ ? part_count_ - limit_ : 0; }

  RingReader reader_;
  EventPart* parts_;  // a ring: part n is parts_[n % limit_]
  uint32_t limit_;
  uint32_t session_ = 0;
  uint64_t part_count_ = 0;
  uint64_t total_ = 0;
  Slot slots_[kSlots] = {};
};

}  // namespace flamelet

#endif  // FLAMELET_EVENTS_EVENT_INDEX_H

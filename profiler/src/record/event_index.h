// SPDX-License-Identifier: MIT
//
// event_index.h: global indices for the events in the ring, without copying them. The index lists *parts*: words
// [first, count) of one use of one page hold the events [start, start + events). A part is made when a call first sees
// those words; its events are decoded again, from the page, when they are asked for.
#ifndef FLAMELET_SRC_EVENT_INDEX_H
#define FLAMELET_SRC_EVENT_INDEX_H

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

// Under the recorder's index_lock, between begin_read() and end_read().
class EventIndex {
 public:
  EventIndex(EventPart* parts, uint32_t limit) : parts_(parts), limit_(limit) {}

  // Gives indices to what is new.
  void refresh();
  uint64_t total() const { return total_; }
  flamelet_result copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start,
                       size_t* actual_count);
  // The smallest index of an event in pages [begin, end), or UINT64_MAX.
  uint64_t oldest_in(uint32_t begin, uint32_t end) const;

 private:
  // What comes next on the track in a slot: a later page that begins further on shows how many were lost.
  struct Expected {
    uint32_t track;
    uint64_t event;
  };

  static void on_part(void* self, const PagePart& part);
  const EventPart& part(uint64_t number) const { return parts_[number % limit_]; }
  uint64_t oldest_part() const { return part_count_ > limit_ ? part_count_ - limit_ : 0; }

  RingReader reader_;
  EventPart* parts_;  // a ring: part n is parts_[n % limit_]
  uint32_t limit_;
  uint64_t part_count_ = 0;
  uint64_t total_ = 0;
  Expected expected_[FLAMELET_MAX_TRACKS + 1] = {};
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_EVENT_INDEX_H

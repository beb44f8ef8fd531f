// SPDX-License-Identifier: MIT
//
// event_writer.h: the words of a page as public events.
#ifndef FLAMELET_EVENTS_EVENT_WRITER_H
#define FLAMELET_EVENTS_EVENT_WRITER_H

#include "flamelet/events.h"
#include "record/replay.h"
#include "record/ring_reader.h"

namespace flamelet {

// Event index: global indices for the events in the ring, without copying them. The index lists *parts*: words
// [first, count) of one use of one page hold the events [start, start + events). A part is made when a call first sees
// those words; its events are decoded again, from the page, when they are asked for.
//
// What was overwritten before it was seen gets indices and no part:
//   - in front of a page that was seen: that page's first_event tells how many there were;
//   - behind the last page of a track that ended: what the tracks of its slot recorded together tells it.
// An index that was given for a lost event stays that. A page that still comes late (it was held by 255 other readers, for
// example) is left out, or its events would be counted twice.

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

// Writes the events of a page in their public form. It follows the open scopes, so that an end repeats its begin's name.
class EventWriter {
 public:
  EventWriter(const PageHeader& header, const uint64_t* words, flamelet_event* dest, size_t capacity)
      : dest_(dest), capacity_(capacity), track_(header.track) {
    open(OpenBlock{words, header.open_count});
  }

  void set_emitting(bool emitting) { emitting_ = emitting; }
  void skip(uint64_t events) { skip_ = events; }
  size_t seen() const { return seen_; }  // events, written or not
  size_t written() const { return written_; }

  void begin(uint64_t ticks, uint32_t level, uint64_t id, uint32_t site, uint64_t strings) {
    open_[level] = {id, site, strings};
    emit('B', ticks, id, site, strings, false);
  }
  void end(uint64_t ticks, uint32_t level, bool missing) {
    emit('E', ticks, open_[level].id, open_[level].site, open_[level].strings, missing);
  }
  void fiber(uint64_t ticks, uint32_t, const FiberChange& change) {
    emit('W', ticks, uint64_t{change.from} | uint64_t{change.to} << 32, kNoSite, 0, false);
    open(change.block);
  }
  void point(uint64_t ticks, const PointEvent& point) {
    emit(letter_of(point.kind), ticks, point.bits, point.site, point.strings, false);
  }
  void frame(uint64_t ticks, const FrameMark& mark) { emit('M', ticks, mark.index, kNoSite, 0, false); }
  void named_frame(uint64_t ticks, uint32_t set, uint64_t index, bool) {
    emit('m', ticks, index, kNoSite, make_strings(set, 0), false);
  }
  void interval_begin(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
    emit('S', ticks, id, site, strings, false);
  }
  void interval_end(uint64_t ticks, uint64_t id) { emit('F', ticks, id, kNoSite, 0, false); }
  void thread_switch(uint64_t ticks, const SwitchEvent& event) {
    emit('X', ticks, write_switch(event), kNoSite, 0, false);
  }
  void span(const SubmittedSpan& span) {
    emit('B', span.begin_ticks, span.id, span.site, span.strings, false);
    emit('E', span.end_ticks, span.id, span.site, span.strings, false);
  }
  void flow(uint64_t ticks, const FlowEvent& flow) { emit(flow.ends ? 'f' : 's', ticks, flow.id, kNoSite, 0, false); }
  void submitted_point(uint64_t ticks, const PointEvent& submitted) { point(ticks, submitted); }
  void submitted_flow(uint64_t ticks, const FlowEvent& submitted) { flow(ticks, submitted); }

 private:
  static constexpr uint32_t kNoSite = UINT32_MAX;
  struct Open {
    uint64_t id;
    uint32_t site;
    uint64_t strings;
  };

  static char letter_of(PointKind kind) {
    switch (kind) {
      case PointKind::kInstant:
        return 'I';
      case PointKind::kCounter:
        return 'C';
    }
    return 0;
  }
  void open(const OpenBlock& block) {
    for (uint32_t i = 0; i < block.count; ++i) open_[i] = {block.id(i), block.site(i), block.strings(i)};
  }
  void emit(char type, uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings, bool missing);

  flamelet_event* dest_;
  size_t capacity_;
  uint32_t track_;
  bool emitting_ = false;
  uint64_t skip_ = 0;
  size_t seen_ = 0;
  size_t written_ = 0;
  Open open_[FLAMELET_MAX_DEPTH];
};

// Writes the events of words [first, count) of a page. The words before them only tell what is open. Returns how many
// events they are as the recorder counts them: a NEXT is one.
uint64_t write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count,
                      EventWriter* writer);

// How many of the first `count` words can be played.
uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count);

}  // namespace flamelet

#endif  // FLAMELET_EVENTS_EVENT_WRITER_H

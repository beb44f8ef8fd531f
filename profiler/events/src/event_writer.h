// SPDX-License-Identifier: MIT
//
// event_writer.h: the words of a page as public events.
#ifndef FLAMELET_EVENTS_EVENT_WRITER_H
#define FLAMELET_EVENTS_EVENT_WRITER_H

#include "flamelet/events.h"
#include "record/replay.h"

namespace flamelet {

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

// SPDX-License-Identifier: MIT
//
// event_writer.h: the words of a page as public events.
#ifndef FLAMELET_EVENTS_EVENT_WRITER_H
#define FLAMELET_EVENTS_EVENT_WRITER_H

#include "flamelet/events.h"
#include "record/decoder.h"

namespace flamelet {

// Writes the events of a page in their public form. It follows the open scopes, so that an end repeats its begin's name.
class EventWriter : public IgnoreEvents {
 public:
  EventWriter(const PageHeader& header, const uint64_t* words, flamelet_event* dest, size_t capacity)
      : dest_(dest), capacity_(capacity), track_(header.track) {
    open(OpenBlock{words, header.open_count});
  }

  void set_emitting(bool emitting) { emitting_ = emitting; }
  void skip(uint64_t events) { skip_ = events; }
  size_t seen() const { return seen_; }  // events, written or not
  size_t written() const { return written_; }

  void begin(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
    if (depth_ < FLAMELET_MAX_DEPTH) open_[depth_] = {id, site, strings};
    ++depth_;
    emit('B', ticks, id, site, strings, false);
  }
  void end(uint64_t ticks) { end_innermost(ticks, false); }
  void end_to(uint64_t ticks, uint32_t depth) {
    while (depth_ > depth + 1) end_innermost(ticks, true);
    if (depth_ == depth + 1) end_innermost(ticks, false);
  }
  void fiber(uint64_t ticks, const OpenBlock& block) {
    emit('W', ticks, block.pairs[-1], kNoSite, 0, false);  // the payload stands before the block
    open(block);
  }
  void other(uint64_t ticks, WordType type, uint32_t id, uint64_t word, const uint64_t* payload) {
    switch (type) {
      case WordType::kInstant:
        return emit('I', ticks, 0, id, payload[0], false);
      case WordType::kCounter:
        return emit('C', ticks, payload[0], id, 0, false);
      case WordType::kFrame:
        return emit('M', ticks, payload[0] & ~kFramePartialBit, kNoSite, 0, false);
      case WordType::kStart:
        return emit('S', ticks, interval_id(word, payload[0]), id, payload[0], false);
      case WordType::kFinish:
        return emit('F', ticks, payload[0], kNoSite, 0, false);
      case WordType::kSpan:
        emit('B', payload[0], payload[2], id, payload[3], false);
        return emit('E', payload[1], payload[2], id, payload[3], false);
      case WordType::kPoint:
        return emit('I', payload[0], 0, id, payload[1], false);
      default:
        return;  // the words were checked: every other type has a member of its own
    }
  }

 private:
  static constexpr uint32_t kNoSite = UINT32_MAX;
  struct Open {
    uint64_t id;
    uint32_t site;
    uint64_t strings;
  };

  void open(const OpenBlock& block) {
    depth_ = block.count;
    for (uint32_t i = 0; i < depth_; ++i) open_[i] = {block.id(i), block.site(i), block.strings(i)};
  }
  void end_innermost(uint64_t ticks, bool missing) {
    if (depth_ == 0) return;
    --depth_;
    if (depth_ >= FLAMELET_MAX_DEPTH) return;
    emit('E', ticks, open_[depth_].id, open_[depth_].site, open_[depth_].strings, missing);
  }
  void emit(char type, uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings, bool missing);

  flamelet_event* dest_;
  size_t capacity_;
  uint32_t track_;
  bool emitting_ = false;
  uint64_t skip_ = 0;
  size_t seen_ = 0;
  size_t written_ = 0;
  uint32_t depth_ = 0;
  Open open_[FLAMELET_MAX_DEPTH];
};

// Writes the events of words [first, count) of a page. The words before them only tell what is open.
void write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count, EventWriter* writer);

// How many events of words [first, count) the recorder has counted: a NEXT is one.
uint64_t count_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count);

// How many of the first `count` words can be decoded: known types, with their payload and re-open pairs inside.
uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count);

}  // namespace flamelet

#endif  // FLAMELET_EVENTS_EVENT_WRITER_H

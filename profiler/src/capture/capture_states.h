// SPDX-License-Identifier: MIT
//
// capture_states.h: the switches of threads that a capture holds, by time: the newest ones. Those of each thread are a list
// (page_store.h), so the states of one thread are found without a look at the others. A switch is named by a number that is
// never used again.
#ifndef FLAMELET_SRC_CAPTURE_STATES_H
#define FLAMELET_SRC_CAPTURE_STATES_H

#include "capture/page_store.h"
#include "platform/engine_memory.h"
#include "record/page.h"

namespace flamelet {

using SwitchId = uint64_t;  // counts switches from 1; 0 = none

struct Switch {
  uint64_t ticks;
  SwitchEvent event;
  // How far it is to others of the same list; 0 = there is none.
  uint32_t to_previous, to_next, to_jump;
  uint32_t zero;
};

// A thread's switches.
struct SwitchList {
  SwitchId newest;
  uint64_t count;  // ever added
  Switch before;   // the newest of those that are not held any more
  bool has_before;
};

// How a ring of entries grows, as far as there is memory: in the capture of a file. One without room stays so. The entries keep
// their numbers.
class RingGrowth {
 public:
  void let(const flamelet_allocator& allocator) { allocator_ = &allocator; }

  // Twice the room for those from `first` on.
  template <class Entry>
  bool grow(Entry** entries, uint32_t* capacity, uint64_t first, uint64_t end) {
    return allocator_ != nullptr && enlarge(entries, capacity, first, end);
  }
  template <class Entry>
  void free(Entry* entries, uint32_t capacity) {
    if (has_grown_) allocator_->free(allocator_->user, entries, capacity * sizeof(Entry), alignof(Entry));
    has_grown_ = false;
  }

 private:
  static constexpr uint32_t kMost = 1u << 24;

  template <class Entry>
  __attribute__((noinline)) bool enlarge(Entry** entries, uint32_t* capacity, uint64_t first, uint64_t end) {
    if (*capacity == 0 || *capacity > kMost / 2) return false;
    const uint32_t twice = *capacity * 2;
    void* memory = nullptr;
    if (take_memory(*allocator_, twice * sizeof(Entry), alignof(Entry), &memory) != FLAMELET_OK) return false;
    auto* grown = static_cast<Entry*>(memory);
    for (uint64_t number = first; number < end; ++number) grown[number % twice] = (*entries)[number % *capacity];
    free(*entries, *capacity);
    *entries = grown;
    *capacity = twice;
    has_grown_ = true;
    return true;
  }

  const flamelet_allocator* allocator_ = nullptr;
  bool has_grown_ = false;  // the entries are from there
};

class SwitchTable {
 public:
  void attach(Switch* switches, uint32_t capacity);
  void clear();
  void let_grow(const flamelet_allocator& allocator) { growth_.let(allocator); }
  void free_grown() { growth_.free(switches_, capacity_); }

  // Not one from before the newest one.
  bool takes(uint64_t ticks) const { return first_ == end_ || ticks >= (*this)[end_ - 1].ticks; }
  // Whether there is room for one more. If not, the oldest has to go first.
  bool make_room() { return end_ - first_ != capacity_ || growth_.grow(&switches_, &capacity_, first_, end_); }
  // Adds one that it takes. `list` is its thread's, or NULL: its thread has no lane.
  void add(uint64_t ticks, const SwitchEvent& event, SwitchList* list);
  // Forgets the oldest one, of this list, or NULL.
  void evict(SwitchList* list);

  SwitchId first() const { return first_; }
  SwitchId end() const { return end_; }
  bool holds(SwitchId id) const { return id >= first_ && id < end_; }
  const Switch& operator[](SwitchId id) const { return switches_[id % capacity_]; }
  SwitchId previous(SwitchId id) const { return link(id, (*this)[id].to_previous); }
  SwitchId jump(SwitchId id) const { return link(id, (*this)[id].to_jump); }
  SwitchId next(SwitchId id) const { return (*this)[id].to_next == 0 ? 0 : id + (*this)[id].to_next; }

  // The first one of all that is not before this time; end() if there is none.
  SwitchId first_at(uint64_t ticks) const;
  // In one list, 0 if there is none: the first one after this time; the first one with this number or a higher one.
  SwitchId first_after(const SwitchList& list, uint64_t ticks) const;
  SwitchId first_from(const SwitchList& list, SwitchId id) const;
  // The newest one of a list that stands before a place in the table, if nothing is missing in between; else NULL.
  const Switch* before(const SwitchList& list, SwitchId place) const;
  // Where switches are missing: nothing is known of any thread from each of these on.
  const SwitchList& gaps() const { return gaps_; }

 private:
  SwitchId link(SwitchId id, uint32_t distance) const {
    return distance == 0 || distance >= id || id - distance < first_ ? 0 : id - distance;
  }
  void append(SwitchId id, SwitchList* list);

  Switch* switches_ = nullptr;
  uint32_t capacity_ = 0;
  SwitchId first_ = 1, end_ = 1;
  SwitchList gaps_ = {};
  RingGrowth growth_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_STATES_H

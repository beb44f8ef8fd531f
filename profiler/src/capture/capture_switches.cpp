// SPDX-License-Identifier: MIT
#include "capture/capture_switches.h"

namespace flamelet {

void SwitchTable::attach(Switch* switches, uint32_t capacity) {
  switches_ = switches;
  capacity_ = capacity;
  clear();
}

void SwitchTable::clear() {
  first_ = end_;  // the names go on, so that every old link is dead
  gaps_ = {};
}

void SwitchTable::append(SwitchId id, SwitchList* list) {
  Switch& added = switches_[id % capacity_];
  const SwitchId previous = list->newest;
  const uint64_t ordinal = list->count++;
  list->newest = id;
  if (!holds(previous)) return;
  switches_[previous % capacity_].to_next = added.to_previous = static_cast<uint32_t>(id - previous);
  // ordinal - 1 ends in as many ones as ordinal has zeros at the end; each jump clears one of them.
  SwitchId to = previous;
  for (uint64_t bits = ordinal - 1; to != 0 && (bits & 1) != 0; bits >>= 1) to = jump(to);
  added.to_jump = to == 0 ? 0 : static_cast<uint32_t>(id - to);
}

void SwitchTable::add(uint64_t ticks, const SwitchEvent& event, SwitchList* list) {
  const SwitchId id = end_++;
  switches_[id % capacity_] = {ticks, event, 0, 0, 0, 0};
  if (event.what == kSwitchLost) list = &gaps_;
  if (list != nullptr) append(id, list);
}

void SwitchTable::evict(SwitchList* list) {
  const Switch& oldest = (*this)[first_++];
  if (oldest.event.what == kSwitchLost) list = &gaps_;
  if (list == nullptr) return;
  list->before = oldest;
  list->has_before = true;
}

SwitchId SwitchTable::first_at(uint64_t ticks) const {
  SwitchId low = first_, high = end_;
  while (low < high) {
    const SwitchId middle = low + (high - low) / 2;
    if ((*this)[middle].ticks < ticks) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

SwitchId SwitchTable::first_after(const SwitchList& list, uint64_t ticks) const {
  return first_in_list(*this, list.newest, [&](SwitchId id) { return (*this)[id].ticks > ticks; });
}

SwitchId SwitchTable::first_from(const SwitchList& list, SwitchId from) const {
  return first_in_list(*this, list.newest, [&](SwitchId id) { return id >= from; });
}

const Switch* SwitchTable::before(const SwitchList& list, SwitchId place) const {
  const SwitchId next = first_from(list, place);
  const SwitchId id = next != 0 ? previous(next) : holds(list.newest) ? list.newest : 0;
  const Switch* found = id != 0 ? &(*this)[id] : list.has_before ? &list.before : nullptr;
  if (found == nullptr || (id == 0 && gaps_.has_before && gaps_.before.ticks >= found->ticks)) return nullptr;
  const SwitchId gap = first_from(gaps_, id);
  return gap != 0 && gap < place ? nullptr : found;
}

}  // namespace flamelet

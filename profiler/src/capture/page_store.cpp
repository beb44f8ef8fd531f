// SPDX-License-Identifier: MIT
#include "capture/page_store.h"

namespace flamelet {

void PageStore::attach(Page* pages, PageInfo* infos, uint32_t capacity) {
  pages_ = pages;
  infos_ = infos;
  capacity_ = capacity;
}

void PageStore::clear() {
  // The names go on, so that every old link is dead.
  first_ = end_;
}

PageId PageStore::rotate(PageList* list) {
  ++first_;
  list->newest = end_++;
  return list->newest;
}

PageId PageStore::add(PageList* list) {
  const PageId id = end_++;
  PageInfo& added = info(id);
  added = PageInfo();
  added.previous = list->newest;
  added.ordinal = list->count++;
  added.low_ticks = added.range_low_ticks = UINT64_MAX;
  if (holds(added.previous)) info(added.previous).next = id;
  // ordinal - 1 ends in as many ones as ordinal has zeros at the end; each jump clears one of them.
  PageId jump = added.previous;
  for (uint64_t bits = added.ordinal - 1; holds(jump) && (bits & 1) != 0; bits >>= 1) {
    const PageInfo& part = info(jump);
    if (part.range_low_ticks < added.range_low_ticks) added.range_low_ticks = part.range_low_ticks;
    if (part.range_high_ticks > added.range_high_ticks) added.range_high_ticks = part.range_high_ticks;
    jump = part.jump;
  }
  added.jump = jump;
  list->newest = id;
  return id;
}

void PageStore::note_submitted(PageId id, uint64_t begin_ticks, uint64_t end_ticks) {
  PageInfo& page = info(id);
  if (begin_ticks < page.low_ticks) page.low_ticks = begin_ticks;
  if (end_ticks > page.high_ticks) page.high_ticks = end_ticks;
  if (begin_ticks < page.range_low_ticks) page.range_low_ticks = begin_ticks;
  if (end_ticks > page.range_high_ticks) page.range_high_ticks = end_ticks;
}

PageId PageStore::page_before(const PageList& list, uint64_t ticks) const {
  const PageId after = first_where(list, [&](PageId id) { return info(id).begin_ticks >= ticks; });
  if (after == 0) return holds(list.newest) ? list.newest : 0;
  return holds(info(after).previous) ? info(after).previous : after;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "page_store.h"

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
  if (holds(added.previous)) info(added.previous).next = id;
  // ordinal - 1 ends in as many ones as ordinal has zeros at the end; each jump clears one of them.
  PageId jump = added.previous;
  for (uint64_t bits = added.ordinal - 1; holds(jump) && (bits & 1) != 0; bits >>= 1) jump = info(jump).jump;
  added.jump = jump;
  list->newest = id;
  return id;
}

PageId PageStore::page_before(const PageList& list, uint64_t ticks) const {
  const PageId after = first_where(list, [&](PageId id) { return info(id).begin_ticks >= ticks; });
  if (after == 0) return holds(list.newest) ? list.newest : 0;
  return holds(info(after).previous) ? info(after).previous : after;
}

}  // namespace flamelet

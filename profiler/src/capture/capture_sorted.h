// SPDX-License-Identifier: MIT
//
// capture_sorted.h: the first `capacity` of any number of items, sorted, in the caller's array and no other memory.
#ifndef FLAMELET_SRC_CAPTURE_SORTED_H
#define FLAMELET_SRC_CAPTURE_SORTED_H

#include <stddef.h>

#include <algorithm>

namespace flamelet {

// A heap with the last item on top once the array is full; items that arrive in order, the usual case, are only
// appended. Items that compare equal keep the order in which they were added only if the comparison says so.
template <class Item, class Before>
class SortedItems {
 public:
  SortedItems(Item* items, size_t capacity, Before before) : items_(items), capacity_(capacity), before_(before) {}

  void add(const Item& item) {
    ++count_;
    if (written_ < capacity_) {
      sorted_ = sorted_ && (written_ == 0 || !before_(item, items_[written_ - 1]));
      items_[written_++] = item;
      return;
    }
    if (sorted_) {
      // A sorted array is not a max-heap, but one that takes no further item needs none.
      if (written_ == 0 || !before_(item, items_[written_ - 1])) return;
      sorted_ = false;
    }
    if (!heap_) std::make_heap(items_, items_ + written_, before_);
    heap_ = true;
    if (!before_(item, items_[0])) return;
    std::pop_heap(items_, items_ + written_, before_);
    items_[written_ - 1] = item;
    std::push_heap(items_, items_ + written_, before_);
  }

  // Sorts what was written. Returns how many items were added; written() of them are there.
  size_t finish() {
    if (!sorted_) std::sort(items_, items_ + written_, before_);
    return count_;
  }
  size_t written() const { return written_; }

 private:
  Item* const items_;
  const size_t capacity_;
  const Before before_;
  size_t written_ = 0;
  size_t count_ = 0;
  bool sorted_ = true;
  bool heap_ = false;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_SORTED_H

// SPDX-License-Identifier: MIT
//
// jump_list.h: search in a list that is linked from its newest item to its oldest. Each item also has a jump, to the one
// whose ordinal is its own with the lowest set bit cleared (as in a Fenwick tree): O(log^2) steps.
#ifndef FLAMELET_SRC_JUMP_LIST_H
#define FLAMELET_SRC_JUMP_LIST_H

#include <stdint.h>

namespace flamelet {

// The oldest item of the list for which `holds_for(id)` is true, 0 if none. It must be true for every item after one for
// which it is true. `items` has holds(id), previous(id), jump(id).
template <class Items, class Predicate>
uint64_t first_in_list(const Items& items, uint64_t newest, Predicate holds_for) {
  uint64_t found = newest;
  if (!items.holds(found) || !holds_for(found)) return 0;
  for (;;) {
    const uint64_t jump = items.jump(found), previous = items.previous(found);
    if (items.holds(jump) && holds_for(jump)) {
      found = jump;
    } else if (items.holds(previous) && holds_for(previous)) {
      found = previous;
    } else {
      return found;
    }
  }
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_JUMP_LIST_H

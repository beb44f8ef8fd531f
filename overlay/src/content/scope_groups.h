// SPDX-License-Identifier: MIT
//
// scope_groups.h: calls added up by whatever tells them apart: the caller, the callee, the object, the thread.
//
// When full: calls without a group of their own are added up as others().
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_GROUPS_H
#define FLAMELET_OVERLAY_SRC_SCOPE_GROUPS_H

#include "content/memory.h"

namespace flamelet::ui {

struct ScopeGroup {
  uint64_t id = 0;  // what the calls have in common
  uint64_t count = 0;
  int64_t total_ns = 0;
  int64_t longest_ns = 0;
};

class ScopeGroups {
 public:
  static constexpr uint32_t kMost = 256;

  void carve(Carver* carver);
  void clear();
  void add(uint64_t id, int64_t duration_ns) { add({id, 1, duration_ns, duration_ns}); }
  void add(const ScopeGroup& calls);
  void sort();  // the largest total first; nothing may be added afterwards

  uint32_t count() const { return groups_.count; }
  const ScopeGroup& operator[](uint32_t i) const { return groups_[i]; }
  // The calls that found no room for a group.
  const ScopeGroup& others() const { return others_; }
  void add_others(const ScopeGroup& calls);

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t group = 0;
  };

  Array<ScopeGroup> groups_;
  HashTable<Slot> slots_;
  ScopeGroup others_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_GROUPS_H

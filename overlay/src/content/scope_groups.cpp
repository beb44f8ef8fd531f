// SPDX-License-Identifier: MIT
#include "content/scope_groups.h"

#include <algorithm>

#include "flamelet/detail/hash.h"

namespace flamelet::ui {

namespace {

// Different ids have different keys, and none of them is 0.
uint64_t key_of_id(uint64_t id) {
  const uint64_t key = spread_key(id + 1);
  return key ^ key >> 29;
}

void add_to(ScopeGroup* group, const ScopeGroup& calls) {
  group->count += calls.count;
  group->total_ns += calls.total_ns;
  group->longest_ns = std::max(group->longest_ns, calls.longest_ns);
}

}  // namespace

void ScopeGroups::carve(Carver* carver) {
  carver->take(&groups_, kMost);
  slots_.carve(carver, kMost / 3 * 4 + 8);
}

void ScopeGroups::clear() {
  groups_.clear();
  slots_.clear();
  others_ = ScopeGroup();
}

void ScopeGroups::add(const ScopeGroup& calls) {
  const uint64_t key = key_of_id(calls.id);
  const Slot* known = slots_.find(key);
  if (known == nullptr) {
    Slot* slot = groups_.full() ? nullptr : slots_.insert(key);
    if (slot == nullptr) return add_others(calls);
    slot->group = groups_.count;
    groups_.push({calls.id, 0, 0, 0});
    known = slot;
  }
  add_to(&groups_[known->group], calls);
}

void ScopeGroups::add_others(const ScopeGroup& calls) {
  add_to(&others_, calls);
}

void ScopeGroups::sort() {
  std::sort(groups_.begin(), groups_.end(), [](const ScopeGroup& a, const ScopeGroup& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.id < b.id;
  });
}

}  // namespace flamelet::ui

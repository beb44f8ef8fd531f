// SPDX-License-Identifier: MIT
#include "path_names.h"

namespace flamelet::tools {

// Where the call lands if it repeats what is above it, or kRoot.
uint32_t PathNames::folded(uint32_t parent, std::string_view name) const {
  // `back` is W's last scope further up, `length` calls above the new one.
  size_t length = 1;
  for (uint32_t back = parent; back != kRoot; back = paths_[back].parent, ++length) {
    if (paths_[back].name != name) continue;
    uint32_t low = parent, high = paths_[back].parent;  // one before the ends of both W
    size_t same = 1;
    while (same < length && high != kRoot && paths_[low].name == paths_[high].name) {
      low = paths_[low].parent;
      high = paths_[high].parent;
      ++same;
    }
    if (same == length) return back;
  }
  return kRoot;
}

uint32_t PathNames::child(uint32_t parent, std::string_view name, bool is_wait) {
  auto key = std::make_pair(parent, std::string(name));
  const auto found = index_.find(key);
  if (found != index_.end()) return found->second;
  uint32_t path = folded(parent, name);
  if (path == kRoot) {
    if (paths_.size() == kMost) {
      ++without_room_;
      return parent;
    }
    path = static_cast<uint32_t>(paths_.size());
    const auto [scope, is_new] = scope_index_.emplace(key.second, static_cast<uint32_t>(scopes_.size()));
    if (is_new) scopes_.push_back({key.second, {}});
    scopes_[scope->second].paths.push_back(path);
    paths_.push_back({parent, key.second, is_wait, scope->second});
  }
  index_.emplace(std::move(key), path);
  return path;
}

std::string PathNames::text(uint32_t path) const {
  std::string text = paths_[path].name;
  for (uint32_t at = paths_[path].parent; at != kRoot; at = paths_[at].parent) text = paths_[at].name + " > " + text;
  return text;
}

}  // namespace flamelet::tools

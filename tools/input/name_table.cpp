// SPDX-License-Identifier: MIT
#include "name_table.h"

#include <utility>

namespace flamelet::tools {

uint32_t NameTable::intern(std::string_view name) {
  std::string key(name);
  const auto found = index_.find(key);
  if (found != index_.end()) return found->second;
  if (names_.size() >= max_names_ || name.size() > max_bytes_ - bytes_) return kNone;
  bytes_ += name.size();
  const auto made = index_.emplace(std::move(key), static_cast<uint32_t>(names_.size())).first;
  names_.push_back(&made->first);  // keys of an unordered_map stay where they are
  return made->second;
}

uint32_t NameTable::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? kNone : found->second;
}

}  // namespace flamelet::tools

// SPDX-License-Identifier: MIT
//
// name_table.h: names ↔ numbers from 0, in bounded memory.
#ifndef FLAMELET_TOOLS_NAME_TABLE_H
#define FLAMELET_TOOLS_NAME_TABLE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flamelet::tools {

class NameTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  NameTable(size_t max_names, size_t max_bytes) : max_names_(max_names), max_bytes_(max_bytes) {}
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  uint32_t intern(std::string_view name);  // kNone if there is no room
  uint32_t find(std::string_view name) const;
  // Stays where it is as long as the table lives.
  const std::string& operator[](uint32_t index) const { return *names_[index]; }
  size_t size() const { return names_.size(); }

 private:
  const size_t max_names_;
  const size_t max_bytes_;
  std::unordered_map<std::string, uint32_t> index_;
  std::vector<const std::string*> names_;  // the keys of index_
  size_t bytes_ = 0;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_NAME_TABLE_H

// SPDX-License-Identifier: MIT
//
// path_names.h: call paths and scopes by their names, the same for all runs: the same code has other ids in another
// recording.
#ifndef FLAMELET_TOOLS_PATH_NAMES_H
#define FLAMELET_TOOLS_PATH_NAMES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flamelet::tools {

class PathNames {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr size_t kMost = size_t{1} << 16;

  struct Path {
    uint32_t parent;
    std::string name;
    bool is_wait;    // a scope that waits (FLAMELET_SCOPE_WAIT)
    uint32_t scope;  // of this name, whoever calls it
  };
  struct Scope {
    std::string name;
    std::vector<uint32_t> paths;  // that end with it
  };

  PathNames() { paths_.push_back({kRoot, "", false, 0}); }

  // The path of a call from `parent`. Recursion is folded as in the call tree: of a path that ends with W W, the last W is
  // dropped. Without room, it is the parent, and counted.
  uint32_t child(uint32_t parent, std::string_view name, bool is_wait);

  size_t size() const { return paths_.size(); }  // parents stand before their children
  const Path& operator[](size_t path) const { return paths_[path]; }
  const std::vector<Scope>& scopes() const { return scopes_; }
  size_t without_room() const { return without_room_; }

  // "Frame > Update > Physics"
  std::string text(uint32_t path) const;

 private:
  uint32_t folded(uint32_t parent, std::string_view name) const;

  std::vector<Path> paths_;
  std::vector<Scope> scopes_;
  std::map<std::string, uint32_t> scope_index_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> index_;
  size_t without_room_ = 0;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PATH_NAMES_H

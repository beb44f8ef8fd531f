// SPDX-License-Identifier: MIT
//
// text_input.h: what readers of text share: its lines, and a table of names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flamelet::tools {

// Cuts a text that comes in pieces into lines. Holds one line at most, and none that is too long.
class LineSplitter {
 public:
  explicit LineSplitter(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Calls on_line(std::string_view line, bool whole) for each line that ends, without its end. If a line is too
  // long, `whole` is false and `line` empty.
  template <class Function>
  void feed(std::string_view bytes, Function&& on_line) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      if (!too_long_ && piece.size() > max_bytes_ - partial_.size()) {
        too_long_ = true;
        partial_.clear();
      }
      if (end == std::string_view::npos) {
        if (!too_long_) partial_.append(piece);
        return;
      }
      if (partial_.empty()) {
        const bool whole = !std::exchange(too_long_, false);
        on_line(whole ? piece : std::string_view(), whole);
      } else {
        partial_.append(piece);
        finish(on_line);
      }
      bytes.remove_prefix(end + 1);
    }
  }

  // The end of the text: the last line may have no end.
  template <class Function>
  void finish(Function&& on_line) {
    if (partial_.empty() && !too_long_) return;
    const std::string line = std::exchange(partial_, {});
    const bool whole = !std::exchange(too_long_, false);
    on_line(std::string_view(line), whole);
  }

 private:
  const size_t max_bytes_;
  std::string partial_;    // the line whose end is still to come
  bool too_long_ = false;  // and its end is not
};

// Names ↔ numbers from 0, in bounded memory.
class NameTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  NameTable(size_t max_names, size_t max_bytes) : max_names_(max_names), max_bytes_(max_bytes) {}
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  // kNone if there is no room.
  uint32_t intern(std::string_view name) {
    std::string key(name);
    const auto found = index_.find(key);
    if (found != index_.end()) return found->second;
    if (names_.size() >= max_names_ || name.size() > max_bytes_ - bytes_) return kNone;
    bytes_ += name.size();
    const auto made = index_.emplace(std::move(key), static_cast<uint32_t>(names_.size())).first;
    names_.push_back(&made->first);  // keys of an unordered_map stay where they are
    return made->second;
  }
  uint32_t find(std::string_view name) const {
    const auto found = index_.find(std::string(name));
    return found == index_.end() ? kNone : found->second;
  }
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

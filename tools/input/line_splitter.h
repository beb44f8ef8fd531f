// SPDX-License-Identifier: MIT
//
// line_splitter.h: cuts a text that comes in pieces into lines. Holds one line at most, and none that is too long.
#ifndef FLAMELET_TOOLS_LINE_SPLITTER_H
#define FLAMELET_TOOLS_LINE_SPLITTER_H

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace flamelet::tools {

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

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_LINE_SPLITTER_H

// SPDX-License-Identifier: MIT
//
// perf_text.h: text into a fixed buffer that is written out when it is full. Independent of the locale.
#ifndef FLAMELET_PERF_SRC_TEXT_H
#define FLAMELET_PERF_SRC_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/io.h"

namespace flamelet {

class TextBuffer {
 public:
  void attach(char* bytes, size_t capacity, flamelet_sink sink);

  void put(char c) {
    if (count_ == capacity_) flush();
    bytes_[count_++] = c;
  }
  void put(const char* text);
  void put_number(int64_t number);
  // A name as the log has it: bare, or in quotes with escapes if it contains a comma, a quote, a backslash or a control
  // character, or if it is empty or begins or ends with a space.
  void put_name(flamelet_string name);
  void put_quoted(flamelet_string name);  // in quotes in any case

  // For tables. Aligned to the right:
  void put_right(const char* text, size_t width);
  void put_count(uint64_t number, size_t width);
  void put_duration(double ns, size_t width);  // four digits, in the unit that fits
  // Aligned to the left: cut to `width` characters of UTF-8, control characters as '?'.
  void put_left(flamelet_string text, size_t width);

  size_t count() const { return count_; }
  // Writes what is there. Once that failed, everything is thrown away until reset().
  bool flush();
  bool ok() const { return ok_; }
  void reset();

 private:
  char* bytes_ = nullptr;
  size_t capacity_ = 0;
  flamelet_sink sink_ = {};
  size_t count_ = 0;
  bool ok_ = true;
};

// Perf statistics: what PERF routines cost over the frames, as they come. One row for each name.

class PerfStatistics {
 public:
  struct Row {
    uint64_t frames;
    uint64_t blocks;
    int64_t last_ns;
    int64_t min_ns;
    int64_t max_ns;
    double mean_ns;
    double squares;    // sum of the squared distances from the mean (Welford)
    int64_t frame_ns;  // of the frame that is being added
    uint64_t stamp;    // its number
    uint32_t listed;   // the name at this index of the list: no figure of this row's name
  };

  // `rows` is zero.
  void attach(Row* rows) { rows_ = rows; }

  // A frame: begin, then its blocks from the last to end to the first, then end for each of them again.
  void begin_frame() { ++frame_; }
  void add(uint32_t name, uint32_t depth, int64_t duration_ns);
  void end(uint32_t name);

  // Names that were in a frame, in the order in which they first were.
  uint32_t count() const { return count_; }
  uint32_t name(uint32_t index) const { return rows_[index].listed; }
  const Row& row(uint32_t name) const { return rows_[name]; }
  double deviation_ns(uint32_t name) const;

 private:
  // A block's depth is limited like a scope's.
  static constexpr uint32_t kMaxDepth = 128;

  Row* rows_ = nullptr;
  uint32_t count_ = 0;
  uint64_t frame_ = 0;
  uint32_t path_[kMaxDepth + 1] = {};  // names of the blocks around the one that is being added
};

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_TEXT_H

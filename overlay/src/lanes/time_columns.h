// SPDX-License-Identifier: MIT
//
// time_columns.h: a row of what was when, as rectangles: no more than two for each column of pixels, whatever the zoom. What
// is narrower than a column shares it with its neighbours: over the columns in a stretch of such, each value gets as much
// room as it has time, and none that is not quiet gets none.
#ifndef FLAMELET_OVERLAY_SRC_TIME_COLUMNS_H
#define FLAMELET_OVERLAY_SRC_TIME_COLUMNS_H

#include "content/memory.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

struct TimeBlock {
  float x0, x1;  // pixels from the left edge of the canvas
  uint32_t row;
  uint32_t value;
};

class TimeColumns {
 public:
  static constexpr uint32_t kNothing = UINT32_MAX - 7;  // the value of time that was not added; no block shows it

  // Blocks of `quiet`, as of nothing, may go unseen where they are narrow. `blocks` outlives it.
  TimeColumns(View view, float width_px, float column_px, uint32_t row, uint32_t quiet, Array<TimeBlock>* blocks)
      : view_(view), blocks_(blocks), width_(width_px), column_px_(column_px), row_(row), quiet_(quiet) {}

  // By time, and without overlaps.
  void add(int64_t begin_ns, int64_t end_ns, uint32_t value);
  // False: there was no room for all blocks.
  bool finish();

 private:
  struct Share {
    uint32_t value;
    float columns;  // that it still has to get
  };

  double column_of(int64_t ns) const;
  void give(uint32_t value, double columns);
  void close_column();
  void fill_to(uint32_t end, uint32_t value);
  void put(uint32_t end, uint32_t value);

  View view_;
  double filled_ = 0;  // of the next column
  Array<TimeBlock>* blocks_;
  float width_, column_px_;
  uint32_t row_, quiet_;
  uint32_t column_ = 0;         // up to which all is put
  uint32_t last_ = UINT32_MAX;  // its newest block
  Share shares_[6];
  uint32_t share_count_ = 0;
  bool complete_ = true;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TIME_COLUMNS_H

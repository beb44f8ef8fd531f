// SPDX-License-Identifier: MIT
//
// frame_bars.h: the bars of the frame history, as plain geometry. The newest frame stands at the right. A bar that stands
// for several frames shows the longest, so that no hitch is ever hidden, and their mean. A bar that is longer than the
// range gets a break mark.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_BARS_H
#define FLAMELET_OVERLAY_SRC_FRAME_BARS_H

#include <stddef.h>
#include <stdint.h>

#include "content/memory.h"
#include "content/numbers.h"
#include "flamelet/flight.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

// Frame levels: all frames that the overlay ever met, summarised in levels, so that the bars of a day are read as fast
// as those of a second. A level has one sum for each 4, 32, 256 or 2,048 frames, and room for a fixed number of sums: the finer
// a level, the less far it reaches back. The coarsest level drops nothing: when it is full, it merges its sums in pairs.
// With 4,096 sums a level, the coarsest one holds 8.4 million frames before that: 16 hours at 144 Hz.

// Frames that follow each other.
struct FrameSum {
  uint64_t first, last;  // frame indices; some between them may be missing
  uint64_t longest;
  int64_t longest_ns;
  int64_t sum_ns;
  uint32_t count;

  int64_t mean_ns() const { return mean_of(sum_ns, count); }
  bool contains(uint64_t index) const { return index >= first && index <= last; }
  void add(const FrameSum& later);
};

class FrameLevels {
 public:
  static constexpr uint32_t kLevels = 4;
  static constexpr uint32_t kFirstShift = 2;  // 4 frames
  static constexpr uint32_t kShiftStep = 3;   // 8 times as many in the next level

  // kLevels * sums_per_level sums.
  void carve(Carver* carver, uint32_t sums_per_level);
  void clear();

  // The next frame. One whose index is not higher than that of the frame before is ignored.
  void add(uint64_t index, int64_t duration_ns);
  // The index that comes next; 0 before the first frame.
  uint64_t next_index() const { return next_index_; }
  uint64_t frame_count() const { return frame_count_; }
  // The oldest index of all; next_index() if there is none.
  uint64_t first_index() const;

  // The sums of 2^shift frames each that begin at or before `newest`, the newest ones that fit into *sums, oldest first.
  // Each sum begins at a multiple of 2^shift, so that sums stay the same while frames come. shift >= kFirstShift.
  // Reads at most 4 times as many sums as it gives, or one level.
  void read(uint32_t shift, uint64_t newest, uint32_t most, Array<FrameSum>* sums) const;

 private:
  struct Level {
    Array<FrameSum> sums;  // a ring
    uint32_t oldest = 0;
    uint32_t shift = 0;

    // From the oldest one.
    const FrameSum& at(uint32_t i) const { return sums[(oldest + i) % sums.capacity]; }
    void add(const FrameSum& frame, bool drops_oldest);
    void merge_pairs();
  };

  Level levels_[kLevels];
  uint64_t next_index_ = 0;
  uint64_t frame_count_ = 0;
};

// The sum with this frame; sums.count if there is none. Sums are in order.
uint32_t find_sum(const Array<FrameSum>& sums, uint64_t index);

enum class FrameVerdict : uint8_t { kGood, kOver, kFarOver };  // within the budget, over it, over twice the budget

struct Bar {
  float x0, x1;       // pixels from the left edge
  float height;       // pixels, at most the height that was given
  float mean_height;  // the same for one frame
  bool broken;        // longer than the range
  FrameVerdict verdict;
};

struct FrameBarsInput {
  float width_px = 0;
  float height_px = 0;
  float bar_px = 5;  // from one bar to the next, at least 1; the gap of 1 px is part of it
  int64_t budget_ns = 0;
  int64_t range_ns = 0;  // what the full height stands for
};

// How many frames fit at this width; at `frames_per_bar` frames in each bar.
uint32_t frames_that_fit(float width_px, float bar_px, uint32_t frames_per_bar);

// One bar for each of the newest sums: as many as fit, the last one at the right edge. Bar i is about
// sums[sums.count - bars->count + i].
void layout_frame_bars(const FrameBarsInput& input, const Array<FrameSum>& sums, Array<Bar>* bars);

// The bar at pixel x; bars.count if there is none. Gaps belong to the bar on their left.
uint32_t find_bar(const Array<Bar>& bars, float x);

// What the full height of the bars stands for, in budgets.
double range_budgets(int64_t median_ns, int64_t budget_ns);

FrameVerdict frame_verdict(int64_t duration_ns, int64_t budget_ns);

// Frame history: the frame bars: which frames stand in them, and where.

struct FrameHistory {
  FrameLevels levels;
  Array<FrameSum> sums;  // those in the bars, one for each bar
  Array<Bar> bars;
  uint32_t shift = 0;                         // 2^shift frames in a bar
  float x = 0, y = 0, width = 0, height = 0;  // on the screen
  bool hovered = false;
  bool dragging = false;
  uint64_t anchor = 0;            // frame index where the drag began
  uint64_t newest = 0;            // held while the mouse is over the bars, so that they stand still
  uint64_t scroll = 0;            // frames between the right edge and the newest frame
  uint64_t brought = UINT64_MAX;  // the first of the chosen frames that were brought into sight
  bool shows_chosen = false;      // they are in sight
  bool moving = false;            // the mouse drags the part in sight over the overview

  // One sum in each level, one for a bar, and the bar: for each of max_frames.
  void carve(Carver* carver, uint32_t max_frames) {
    levels.carve(carver, max_frames);
    carver->take(&sums, max_frames);
    carver->take(&bars, max_frames);
  }
  void reset() {
    levels.clear();
    shift = 0;
    scroll = 0;
    brought = UINT64_MAX;
    hovered = dragging = moving = false;
  }
};

// Hitch strip: the frames that a flight recorder keeps, as plain geometry: a bar for each at the left of the frame bars,
// the longest first, whose height is that of the strip; and where among the frame bars a flag stands.

struct HitchBar {
  float x0, x1;       // pixels from the strip's left edge
  float height;       // pixels, at most the height that was given
  uint32_t position;  // in the array of hitches
};

struct HitchStripInput {
  const flamelet_flight_info* hitches = nullptr;  // the longest first
  uint32_t hitch_count = 0;
  float most_width_px = 0;
  float height_px = 0;
  float bar_px = 8;  // from one bar to the next; the gap of 1 px is part of it
};

// As many as fit. Returns the width of the strip.
float layout_hitch_strip(const HitchStripInput& input, Array<HitchBar>* bars);
// The bar at pixel x; bars.count if there is none.
uint32_t find_hitch(const Array<HitchBar>& bars, float x);

// How many scopes ran when, in a capture without frame marks: it stands in the place of the frame bars. Counting
// them costs as much as reading them, so it goes on over several frames of the overlay.

struct Content;

struct Activity {
  static constexpr uint32_t kSlices = 512;  // of the whole time

  Array<uint64_t> slices;  // scopes in each; those that are counted
  TimeWindow window;
  size_t lane = 0;  // the next one of the slice that is being counted
  uint64_t count = 0, most = 0;

  void carve(Carver* carver) { carver->take(&slices, kSlices); }
  void reset() {
    slices.clear();
    window = {};
    lane = 0;
    count = most = 0;
  }
  TimeWindow slice(uint32_t i) const;
};

// A file, or another capture that stands, has no frame to show.
bool lacks_frames(const Content& content);
// And no scope: all of it was looked at.
bool has_no_scopes(const Content& content);
bool is_counting(const Content& content);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_BARS_H

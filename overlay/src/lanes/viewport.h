// SPDX-License-Identifier: MIT
//
// viewport.h: the stretch of time that the canvas shows, and the ways to move it. Everything keeps the view inside
// `limits` and at least kLeastViewNs long, whatever it is given: not-a-number too.
#ifndef FLAMELET_OVERLAY_SRC_VIEWPORT_H
#define FLAMELET_OVERLAY_SRC_VIEWPORT_H

#include "content/memory.h"
#include "draw/text.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

constexpr double kLeastViewNs = 50;

// Fractions of a nanosecond keep slow zooms and pans smooth. A double holds every nanosecond of 104 days.
struct View {
  double begin_ns = 0;
  double end_ns = 0;

  double duration_ns() const { return end_ns - begin_ns; }
  bool operator==(const View& other) const { return begin_ns == other.begin_ns && end_ns == other.end_ns; }
  bool operator!=(const View& other) const { return !(*this == other); }
};

View view_of(TimeWindow window);
// The whole nanoseconds that the view touches.
TimeWindow window_of(View view);

// Moved and, if need be, shortened to lie inside the limits.
View clamp_view(View view, TimeWindow limits);
// The time under the cursor stays where it is. factor < 1 zooms in.
View zoom_view(View view, double at_ns, double factor, TimeWindow limits);
View pan_view(View view, double by_ns, TimeWindow limits);
// The view with a margin around something to look at.
View frame_view(TimeWindow target, TimeWindow limits);

double time_at(View view, double x, double width_px);
double x_at(View view, double time_ns, double width_px);

// Frame indices, both included.
struct FrameRange {
  uint64_t first = 0;
  uint64_t last = 0;
  bool valid = false;

  bool contains(uint64_t index) const { return valid && index >= first && index <= last; }
  bool operator==(const FrameRange& other) const {
    return valid == other.valid && first == other.first && last == other.last;
  }
};

// What the events reach over, in a file cut to what it was saved for; or where there are none, the frames. Empty: nothing.
TimeWindow recorded_time(const flamelet_capture* capture);

// A view, and the frames that were shown in it.
struct Place {
  View view;
  FrameRange frames;

  bool operator==(const Place& other) const { return view == other.view && frames == other.frames; }
};

// The places that Backspace goes back through. The oldest fall off the end.
class ViewHistory {
 public:
  void push(const Place& place);
  bool pop(Place* place);
  uint32_t size() const { return count_; }

 private:
  static constexpr uint32_t kCapacity = 32;
  Place places_[kCapacity];
  uint32_t newest_ = 0;
  uint32_t count_ = 0;
};

// Timeline: which frames are shown, and which stretch of time. Live, the newest frame is shown and the view goes
// along with it; paused, both stay until the user moves them. A zoom survives both, where the view keeps its place relative
// to the frame; but one into a paused frame ends with the pause.

class Timeline {
 public:
  // Another capture, or the same one with another session in it: everything is forgotten but whether it is paused. A
  // standing one that has no frame marks is shown where most of its events are, and not the newest part of it.
  void reset(const flamelet_capture* capture, bool standing = false);

  bool paused() const { return paused_; }
  void set_paused(bool paused) {
    if (paused && !paused_) fitted_live_ = fitted_;
    if (paused_ && !paused) fitted_ = fitted_ || fitted_live_;
    paused_ = paused;
  }

  // Live: shows the newest complete frame, but none after `settled`, unless that lies more than `most_behind` frames
  // back. Results of the GPU come in late, and a frame without them is half a picture. UINT64_MAX: nothing to wait for.
  void follow(uint64_t settled, uint32_t most_behind);

  // Pauses and shows these frames. False, and nothing happens, if the capture lacks one of the two.
  bool show_frames(uint64_t first, uint64_t last);
  // One frame, `by` frames from the first shown one. Pauses.
  bool step(int64_t by);

  // What the user did to the view. `remember` lets back() return to what it was.
  void set_view(View view, bool remember);
  // A key or the wheel did it, of which there come many in a row: back() takes back all of one kind that came with less than
  // kRunSeconds between them. `now_s` is ImGui's time.
  enum class Run : uint8_t { kNone, kZoom, kPan };
  void set_view_in_run(View view, Run run, double now_s);
  void remember_view() {
    history_.push({view_, shown_});
    run_ = Run::kNone;
  }
  void fit();  // all of the shown frames
  // To the view before, and to the frames that it showed if the capture still has them.
  bool back();

  // A frame to look at while the mouse is over its bar. It changes view() and nothing else.
  void preview(uint64_t index);
  void end_preview() { previewing_ = false; }
  bool previewing() const { return previewing_; }

  View view() const { return previewing_ ? preview_view_ : view_; }
  FrameRange shown() const { return previewing_ ? FrameRange{preview_index_, preview_index_, true} : shown_; }
  FrameRange selected() const { return shown_; }
  // From the begin of the first shown frame to the end of the last; what there is if there are no frames.
  TimeWindow shown_window() const { return window_of_frames(shown()); }
  // How much of this time is in the shown frames, without what is between them; or in what there is if there are no frames.
  int64_t shown_ns(TimeWindow within) const;
  bool fitted() const { return fitted_; }
  // How far the view may go.
  TimeWindow limits() const;
  // What the capture reaches over, without what lies far away from most of it.
  TimeWindow recorded() const;

 private:
  static constexpr double kRunSeconds = 0.5;

  TimeWindow window_of_frames(FrameRange frames) const;
  void show(FrameRange frames);

  const flamelet_capture* capture_ = nullptr;
  FrameRange shown_;
  View view_;
  ViewHistory history_;
  Run run_ = Run::kNone;  // the last change was of it
  double run_s_ = 0;
  View preview_view_;
  uint64_t preview_index_ = 0;
  bool previewing_ = false;
  bool standing_ = false;
  TimeWindow main_;  // of a standing one
  bool paused_ = false;
  bool fitted_ = true;
  bool fitted_live_ = true;  // before the pause
  // There may be a million of them, and each picture asks.
  mutable FrameRange summed_;
  mutable int64_t summed_ns_ = 0;
};

// Time columns: a row of what was when, as rectangles: no more than two for each column of pixels, whatever the zoom. What
// is narrower than a column shares it with its neighbours: over the columns in a stretch of such, each value gets as much
// room as it has time, and none that is not quiet gets none.

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

// Ruler: where the ticks of a time axis stand and what they say. Steps are 1, 2 or 5 times a power of ten, and above 50 s
// whole minutes, hours and days, so that labels never overlap. Times count from `origin_ns`, the begin of the frame that is
// shown.

struct Ruler {
  int64_t step_ns = 0;   // between labels; 0 = no ticks
  int64_t first_ns = 0;  // the first labelled tick in the view, in time of the capture
  uint32_t count = 0;
  uint32_t minor_per_step = 1;  // unlabelled divisions of a step
};

Ruler make_ruler(View view, int64_t origin_ns, float width_px, float label_width_px);

// From one numbered frame to the next, so that each number has room: 1, 2, 5, 10, 20, 50 ... `frames` take `width_px`
// together.
uint64_t frame_label_step(uint64_t frames, float width_px, float label_width_px);

// "12.5", and the unit only on the label of the origin or of the first tick.
void write_tick(int64_t offset_ns, int64_t step_ns, bool with_unit, TextWriter* text);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_VIEWPORT_H

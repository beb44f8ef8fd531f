// SPDX-License-Identifier: MIT
//
// timeline.h: which frames are shown, and which stretch of time. Live, the newest frame is shown and the view goes
// along with it; paused, both stay until the user moves them. A zoom survives both: the view keeps its place relative
// to the frame.
#ifndef FLAMELET_OVERLAY_SRC_TIMELINE_H
#define FLAMELET_OVERLAY_SRC_TIMELINE_H

#include "lanes/viewport.h"

namespace flamelet::ui {

class Timeline {
 public:
  // Another capture, or the same one with another session in it: everything is forgotten but whether it is paused. A
  // standing one that has no frame marks is shown where most of its events are, and not the newest part of it.
  void reset(const flamelet_capture* capture, bool standing = false);

  bool paused() const { return paused_; }
  void set_paused(bool paused) { paused_ = paused; }

  // Live: shows the newest complete frame, but none after `settled`, unless that lies more than `most_behind` frames
  // back. Results of the GPU come in late, and a frame without them is half a picture. UINT64_MAX: nothing to wait for.
  void follow(uint64_t settled, uint32_t most_behind);

  // Pauses and shows these frames. False, and nothing happens, if the capture lacks one of the two.
  bool show_frames(uint64_t first, uint64_t last);
  // One frame, `by` frames from the first shown one. Pauses.
  bool step(int64_t by);

  // What the user did to the view. `remember` lets back() return to what it was.
  void set_view(View view, bool remember);
  void remember_view() { history_.push({view_, shown_}); }
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
  bool fitted() const { return fitted_; }
  // How far the view may go.
  TimeWindow limits() const;

 private:
  TimeWindow window_of_frames(FrameRange frames) const;
  void show(FrameRange frames);

  const flamelet_capture* capture_ = nullptr;
  FrameRange shown_;
  View view_;
  ViewHistory history_;
  View preview_view_;
  uint64_t preview_index_ = 0;
  bool previewing_ = false;
  bool standing_ = false;
  TimeWindow main_;  // of a standing one
  bool paused_ = false;
  bool fitted_ = true;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TIMELINE_H

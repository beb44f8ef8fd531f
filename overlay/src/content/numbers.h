// SPDX-License-Identifier: MIT
//
// numbers.h: the numbers of the truth line, the HUD and overlay_get_stats().
#ifndef FLAMELET_OVERLAY_SRC_NUMBERS_H
#define FLAMELET_OVERLAY_SRC_NUMBERS_H

#include <algorithm>

#include "content/memory.h"
#include "flamelet/overlay.h"
#include "flamelet/statistics.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

// Of times that are not negative, rounded. Of none it is 0: a frame may have a part of a call that began before it.
inline int64_t mean_of(int64_t sum_ns, uint64_t count) {
  if (count == 0) return 0;
  const uint64_t sum = static_cast<uint64_t>(sum_ns);
  return static_cast<int64_t>(sum / count + (sum % count >= count - sum % count));
}

// Steady nanoseconds.
int64_t steady_ns();

// Frame 0 is the time before the first mark, and no frame of the game: where there are others, no figure and no count has it.
// Whether the capture has such a frame 0, which then is its first; and how many frames it has without it.
bool has_start(const flamelet_capture* capture);
size_t counted_frames(const flamelet_capture* capture);

struct Numbers {
  OverlayStats stats = {};
  flamelet_distribution frame_times = {};  // of the newest frames; of a file, of all for which there is room
  uint32_t frames = 0;                     // so many
  int64_t frames_ns = 0;                   // and so long
  int64_t hud_frame_ns = 0;                // mean of the frames since the last time: single ones only flicker
  uint64_t dropped = 0;                    // by the recorder, before the capture could read it
  uint64_t lost = 0;                       // in the newest frames; of a file, in what it holds
  bool lacks_some = false;                 // frames of a file lack events, which nobody counted
  uint64_t unread = 0;  // overwritten while the overlay was paused, off or saving, and so read nothing
  // What the capture had lost at the last update, and from which number `lost` counts.
  uint64_t lost_before = 0, lost_told = 0;
  uint64_t lost_until = 0;  // the frame behind those that `lost` is about
  int64_t oldest_ns = 0;    // how far back the capture reaches
  double next_s = 0;        // ImGui time of the next update

  // The stats as the truth line shows them: of four times a second.
  OverlayStats told = {};
  double next_told_s = 0;
  const OverlayStats& tell(double now_s);

  // Spent in the frame being drawn.
  int frame = -1;  // ImGui's number of it
  int64_t draw_ns = 0;
  int64_t capture_ns = 0;

  static constexpr uint32_t kLiveFrames = 300;
  Array<int64_t> durations;  // scratch for percentiles

  void carve(Carver* carver, uint32_t max_frames) { carver->take(&durations, std::max(max_frames, kLiveFrames)); }
  // Once in each frame in which it was updated. `away`: it was not in those before.
  void count_losses(const flamelet_capture* capture, bool away);
  // `live`: the recorder has something to say of this capture.
  void update(const flamelet_capture* capture, bool live, TimeWindow recorded);

 private:
  void tell_losses(uint64_t newest_frame);
};

// Adds what a public call took to the numbers of this frame.
class DrawTime {
 public:
  explicit DrawTime(Numbers& numbers);
  ~DrawTime();
  DrawTime(const DrawTime&) = delete;
  DrawTime& operator=(const DrawTime&) = delete;

 private:
  Numbers& numbers_;
  int64_t start_ns_;
  int64_t capture_before_ns_;
};

// Adds the time until the end of the scope to what reading the capture takes. It is no part of drawing.
class CaptureTime {
 public:
  explicit CaptureTime(Numbers& numbers) : numbers_(numbers), start_ns_(steady_ns()) {}
  ~CaptureTime() { numbers_.capture_ns += steady_ns() - start_ns_; }
  CaptureTime(const CaptureTime&) = delete;
  CaptureTime& operator=(const CaptureTime&) = delete;

 private:
  Numbers& numbers_;
  int64_t start_ns_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_NUMBERS_H

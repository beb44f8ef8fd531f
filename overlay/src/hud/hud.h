// SPDX-License-Identifier: MIT
//
// hud.h: the numbers of the HUD, four times a second: faster ones cannot be read.
#ifndef FLAMELET_OVERLAY_SRC_HUD_H
#define FLAMELET_OVERLAY_SRC_HUD_H

#include <stdint.h>

#include "flamelet/capture.h"
#include "hud/watched_scopes.h"

namespace flamelet::ui {

struct Choice;
struct Content;
struct PageContext;
struct WindowState;

// What limits the frames' rate, as one word. The rule stands in docs/overlay.md.

enum class Bottleneck : uint32_t {
  kUnknown,
  kCpu,       // one thread works all the time
  kGpu,       // the GPU does
  kVsync,     // neither does, and the frames are steady: something else sets the rate
  kBalanced,  // both do; or neither, and the frames are not steady
  kWaits,     // no thread does, and nothing is known of the GPU
};

// Figures of the newest frames.
struct BottleneckInput {
  int64_t frame_ns = 0;   // the median frame; 0 = none
  int64_t spread_ns = 0;  // from the 10th to the 90th percentile
  int64_t cpu_ns = -1;    // a frame's work of the thread that works the most; negative = not known
  int64_t gpu_ns = -1;    // and of the GPU
};

Bottleneck find_bottleneck(const BottleneckInput& input);

// Finds the bottleneck of the newest frames whose GPU work is known.
class BottleneckFinder {
 public:
  static constexpr uint32_t kFrames = 32;

  void carve(Carver* carver, uint32_t max_lanes);
  // For another capture or session.
  void reset();
  // `scratch` is overwritten.
  void update(const Content& content, size_t last, Array<flamelet_span>* scratch);

  Bottleneck found() const { return found_; }
  uint32_t lane() const { return lane_; }  // of kCpu: the thread's, in the capture

 private:
  // The time in scopes of the category "wait" on the lane of the thread that ends the frames.
  int64_t waits_ns(const flamelet_capture* capture, uint32_t lane, const flamelet_frame_info& frame,
                   Array<flamelet_span>* scratch);
  bool is_wait(const flamelet_capture* capture, uint32_t site);
  void find_busiest(const flamelet_capture* capture, size_t first, size_t last, Array<flamelet_span>* scratch,
                    BottleneckInput* input);

  Array<int64_t> ran_ns_;  // by lane
  // Whether scopes of a site wait: a cache.
  struct Site {
    uint32_t site;
    bool waits;
  };
  static constexpr uint32_t kSites = 256;
  Array<Site> sites_;
  Bottleneck found_ = Bottleneck::kUnknown;
  uint32_t lane_ = 0;
};

struct PinRow {
  int64_t time_ns = 0;  // mean of the newest frames
  int64_t budget_ns = 0;
  bool over = false;  // in one of the last kFrames frames
};

struct HudNumbers {
  // Below the times, the bottleneck and the worst frame: pins, then scopes over a budget, then counters.
  static constexpr uint32_t kMostRows = 8;

  BottleneckFinder bottleneck;
  PinTimes pins;
  PinRow rows[WatchedScopes::kMostPins];
  uint32_t row_count = 0;
  // The newest values of the first counters, by their numbers; without those that have the size of each event.
  struct Counter {
    uint32_t number;
    double value;
  } counters[kMostRows] = {};
  uint32_t counter_count = 0;
  flamelet_frame_info worst = {};  // the longest of the last 5 seconds
  bool has_worst = false;
  double next_s = 0;  // ImGui time

  void carve(Carver* carver, uint32_t max_lanes) {
    bottleneck.carve(carver, max_lanes);
    pins.carve(carver);
  }
  void reset() {
    bottleneck.reset();
    pins.clear();
    row_count = 0;
    counter_count = 0;
    has_worst = false;
    next_s = 0;
  }
};

// Once in each frame that shows the HUD.
void update_hud(Content& content, Choice& choice);
void show_hud(PageContext& o, WindowState& window);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HUD_H

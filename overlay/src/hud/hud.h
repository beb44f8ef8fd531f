// SPDX-License-Identifier: MIT
//
// hud.h: the numbers of the HUD, four times a second: faster ones cannot be read.
#ifndef FLAMELET_OVERLAY_SRC_HUD_H
#define FLAMELET_OVERLAY_SRC_HUD_H

#include <stdint.h>
#include <string_view>

#include "draw/text.h"
#include "draw/theme.h"
#include "flamelet/budgets.h"
#include "flamelet/capture.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

// Scopes that the user pinned or gave a budget, by name, and the budgets that the program gave. The user's
// budget of a scope comes before the program's.

constexpr size_t kWatchedNameBytes = 64;  // with the closing 0

// GPU scopes have a row of their own, also where a CPU scope has the same name.
struct WatchedScope {
  char name[kWatchedNameBytes] = {};
  bool on_gpu = false;
  bool pinned = false;
  int64_t budget_ns = 0;  // the user's; 0 = none
};

class WatchedScopes {
 public:
  static constexpr uint32_t kMost = 64;
  static constexpr uint32_t kMostPins = 8;
  static constexpr uint32_t kMostGiven = 64;  // kOverlayMaxBudgets

  // A name that is too long for the table, or that cannot stand in a line of the settings, is not watched.
  static bool can_watch(std::string_view name);

  // False: it cannot be watched, or there is no room.
  bool pin(std::string_view name, bool on_gpu, bool pinned);
  bool set_budget(std::string_view name, bool on_gpu, int64_t budget_ns);
  bool is_pinned(std::string_view name, bool on_gpu) const;
  uint32_t pin_count() const;
  const WatchedScope& pinned(uint32_t i) const;  // in the order of pinning
  // 0 = none.
  int64_t budget_of(std::string_view name, bool on_gpu) const;

  // The budgets of scopes that each frame is held against, the strictest of a scope (flamelet_flight_set_budgets()), in
  // place of those before. *frame_ns is the frame's budget, and stays if there is none. False, and nothing changes, if one
  // of the names is too long or there are too many.
  bool give(const flamelet_budget* budgets, size_t count, int64_t* frame_ns);

  // Lines of the settings.
  void write(TextWriter* text) const;
  bool read(std::string_view value);
  uint32_t version() const { return version_; }  // changes with the pins

 private:
  struct Given {
    char name[kWatchedNameBytes];
    int64_t budget_ns;
  };

  WatchedScope* find(std::string_view name, bool on_gpu);
  const WatchedScope* find(std::string_view name, bool on_gpu) const;
  WatchedScope* find_or_add(std::string_view name, bool on_gpu);
  void drop_if_idle(WatchedScope* scope);

  WatchedScope scopes_[kMost];
  uint32_t count_ = 0;
  Given given_[kMostGiven];
  uint32_t given_count_ = 0;
  uint32_t version_ = 0;
};

// Frame times: how long scopes took in one frame on all lanes together, as budgets are held against it.

constexpr uint32_t kZonesALane = 16;  // what asking a lane costs that has no span in the window
constexpr size_t kAllLanes = SIZE_MAX;

// Adds the times of a frame to times[0 .. slots - 1]. slot_of(span, gpu) says where a span belongs; `slots` = nowhere.
// `scratch` is overwritten. `only`: a lane of the capture, or all of them. Returns how much work it was, in spans.
template <typename SlotOf>
uint64_t add_frame_times(const flamelet_capture* capture, TimeWindow frame, Array<flamelet_span>* scratch,
                         flamelet_scope_time* times, uint32_t slots, const SlotOf& slot_of, size_t only = kAllLanes) {
  struct Asked {
    const SlotOf& slot_of;
    bool gpu;
  } asked = {slot_of, false};
  flamelet_scope_times to = {};
  to.times = times;
  to.count = slots;
  to.user = &asked;
  to.slot_of = [](void* user, const flamelet_span* span) -> uint32_t {
    const Asked& self = *static_cast<const Asked*>(user);
    return self.slot_of(*span, self.gpu);
  };
  to.spans = scratch->data;
  to.capacity = scratch->capacity;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    if (only != kAllLanes && lane != only) continue;
    // A fiber's spans stand on the lanes of its threads, too.
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind == FLAMELET_LANE_FIBER) continue;
    asked.gpu = info.kind == FLAMELET_LANE_GPU;
    flamelet_scope_times_add(&to, capture, lane, frame.begin_ns, frame.end_ns);
    to.spans_read += kZonesALane;
  }
  return to.spans_read;
}

// Pin times: how long the pinned scopes took in each of the newest frames. Each new frame is read once for all of them.

class PinTimes {
 public:
  static constexpr uint32_t kFrames = 64;

  void carve(Carver* carver) { carver->take(&names_, kNames); }
  void clear();

  // Takes in the frames since the last call, up to `last` (a position), at least one and then about `max_zones` spans. Of
  // more than kFrames only the newest. Begins anew when the pins have changed.
  void update(const flamelet_capture* capture, size_t last, const WatchedScopes& watched, Array<flamelet_span>* scratch,
              uint32_t max_zones);

  uint32_t frame_count() const { return count_; }
  // `back` frames before the newest one.
  int64_t time_ns(uint32_t pin, uint32_t back) const { return times_[pin][(next_ + kFrames - 1 - back) % kFrames]; }
  // The newest span of a pinned scope was of this one. False if none was met.
  bool scope(uint32_t pin, ScopeKey* scope) const {
    *scope = scopes_[pin];
    return met_[pin];
  }

 private:
  static constexpr uint32_t kNames = 1024;
  static constexpr uint8_t kNoPin = WatchedScopes::kMostPins;
  // Which pins a name is, a cache.
  struct Name {
    uint32_t name;
    uint8_t cpu, gpu;
  };

  const Name& look_up(const flamelet_capture* capture, const WatchedScopes& watched, uint32_t name);
  uint64_t read(const flamelet_capture* capture, const flamelet_frame_info& frame, const WatchedScopes& watched,
                Array<flamelet_span>* scratch);

  Array<Name> names_;
  uint32_t version_ = 0;
  uint32_t pins_ = 0;
  uint32_t count_ = 0, next_ = 0;
  uint64_t newest_ = 0;  // index of the newest frame that was read
  int64_t times_[WatchedScopes::kMostPins][kFrames] = {};
  ScopeKey scopes_[WatchedScopes::kMostPins];
  bool met_[WatchedScopes::kMostPins] = {};
};

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
  bool is_off = false;
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
    bool is_off;  // its category is not recorded
    double value;
  } counters[kMostRows] = {};
  uint32_t counter_count = 0;
  flamelet_frame_info worst = {};  // the longest of the last 5 seconds
  bool has_worst = false;
  uint32_t gpu_lag = 0;    // of the newest frame whose GPU work is known
  int64_t gpu_ns = -1;     // mean of the newest frames, as the frame's own; -1: no GPU work is known
  double next_s = 0;       // ImGui time
  uint32_t notice = 0;     // StatusLine::said() of the newest
  double notice_s = -1e9;  // since when it is known here

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
    gpu_ns = -1;
    next_s = 0;
  }
};

// Once in each frame that shows the HUD.
struct CaptureFiles;
struct Settings;
void show_hud(PageContext& o, CaptureFiles& files, WindowState& window);
// The setting, or what fits into the window.
int hud_percent(const Settings& settings);
// With the overlay off: what came of a file that was saved, for a moment.
void show_notice(PageContext& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HUD_H

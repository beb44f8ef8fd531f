// SPDX-License-Identifier: MIT
//
// built_frame.h: one frame with as many scopes, counters, intervals and messages as are asked for, and an overlay over it.
#pragma once

#include <stdio.h>
#include <string.h>

#include <vector>

#include "flamelet/capture_builder.h"
#include "overlay/headless_imgui.h"
#include "overlay/span_trees.h"

namespace flamelet_tests {

// A frame of 100 ms, of what is asked for.
class BuiltFrame {
 public:
  static constexpr int64_t kFrameNs = 100000000;

  BuiltFrame() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{256} << 20;
    config.max_intervals = 1 << 17;
    flamelet_capture_builder_create(&config, &builder_);
    lane_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("main"));
  }
  ~BuiltFrame() { flamelet_capture_destroy(capture_); }
  BuiltFrame(const BuiltFrame&) = delete;
  BuiltFrame& operator=(const BuiltFrame&) = delete;

  uint32_t site(const char* name) {
    return flamelet_capture_builder_site(builder_, string(name), 0, string("file"), 0, 1, 0);
  }
  // On a thread of their own: groups of 25, the first around the others.
  void scopes(uint32_t count, uint32_t names) {
    const uint32_t lane = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("game"));
    std::vector<uint32_t> sites;
    for (uint32_t i = 0; i < names; ++i) {
      char name[24];
      snprintf(name, sizeof name, "scope %04u", i);
      sites.push_back(site(name));
    }
    const int64_t each_ns = kFrameNs / count;
    for (uint32_t i = 0; i < count; ++i) {
      const int64_t begin_ns = each_ns * i;
      const bool last = i % 25 == 24 || i + 1 == count;
      flamelet_capture_builder_begin(builder_, lane, begin_ns, sites[i * 7 % names], 0, 0);
      if (i % 25 != 0 || last) flamelet_capture_builder_end(builder_, lane, begin_ns + each_ns * 3 / 4);
      if (last && i % 25 != 0) flamelet_capture_builder_end(builder_, lane, begin_ns + each_ns);
    }
  }
  void counters(uint32_t count, uint32_t values, const char* unit) {
    std::vector<uint32_t> sites;
    for (uint32_t i = 0; i < count; ++i) {
      char name[48];
      snprintf(name, sizeof name, "counter %u%s", i, unit);
      sites.push_back(site(name));
    }
    Random random(1);
    std::vector<double> now(count);
    for (uint32_t v = 0; v < values; ++v)
      for (uint32_t i = 0; i < count; ++i) {
        now[i] += static_cast<double>(random.below(21)) - 10;
        flamelet_capture_builder_counter(builder_, lane_, kFrameNs * v / values + i, sites[i], now[i]);
      }
  }
  void intervals(uint32_t count) {
    const uint32_t load = site("Load");
    Random random(1);
    for (uint32_t i = 0; i < count; ++i) {
      const int64_t begin_ns = kFrameNs * i / count;
      flamelet_capture_builder_interval(builder_, 1, begin_ns, 1, begin_ns + kFrameNs / count * (1 + random.below(20)),
                                        i + 1, load, 0, 0);
    }
  }
  void messages(uint32_t count) {
    const uint32_t hello = site("Spawned");
    for (uint32_t i = 0; i < count; ++i)
      flamelet_capture_builder_instant(builder_, lane_, kFrameNs * i / count, hello, 0, string("goblin"));
  }
  const flamelet_capture* finish() {
    flamelet_capture_builder_begin(builder_, lane_, kFrameNs - 1000, site("Frame"), 0, 0);
    flamelet_capture_builder_end(builder_, lane_, kFrameNs);
    flamelet_capture_builder_frame(builder_, 0, 0, kFrameNs, 0);
    flamelet_capture_builder_finish(builder_, &capture_);
    return capture_;
  }

 private:
  uint32_t string(const char* text) { return flamelet_capture_builder_string(builder_, text, strlen(text)); }

  flamelet_capture_builder* builder_ = nullptr;
  flamelet_capture* capture_ = nullptr;
  uint32_t lane_ = 0;
};

// Until all of it is read.
inline void show_built_frame(OverlayPlayer* player, const flamelet_capture* capture) {
  flamelet::overlay_show_capture(player->overlay, capture, "built");
  flamelet::overlay_select_frames(player->overlay, 0, 0);
  player->frames(200);
}

// The table is read, then the lanes are there, with the details of a scope and one under the mouse.
inline void look_at_everything(OverlayPlayer* player) {
  player->open_page("table");
  player->frames(30);
  player->open_page("lanes");
  flamelet::overlay_select_scope(player->overlay, "scope 0007");
  player->move(700, static_cast<float>(player->number("canvas_top_px")) + 10);
  player->settle();
}

}  // namespace flamelet_tests

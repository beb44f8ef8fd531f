// SPDX-License-Identifier: MIT
//
// state_scene.h: a capture with the states of two threads on two processors, written by hand, and an overlay that shows it.
#pragma once

#include <vector>

#include "lanes/lanes_page.h"
#include "overlay/headless_imgui.h"
#include "profiler/record/page_builder.h"
#include "shell/overlay_state.h"

namespace flamelet_tests {

constexpr uint64_t kSceneMs = 1'000'000;

// Four frames of 10 ms. "Main" waits from 2 to 6 ms, sleeps there until 5 ms, and is taken off from 7 to 9 ms: by "Worker"
// until 8 ms, by another program until 9 ms.
class StateScene {
 public:
  explicit StateScene(uint32_t threads = 2) : capture(64 + threads, 1e9, config_for(threads)) {
    const char* const texts[] = {"Main", "Worker", "Frame", "Wait for jobs", "wait", "Job"};
    for (uint32_t i = 0; i < 6; ++i) capture->strings.put(i + 1, {texts[i], strlen(texts[i])});
    capture->sites.put(0, {3, 0, 0, 0, 0, 0});
    capture->sites.put(1, {4, 5, 0, 0, 0, 0});
    capture->sites.put(2, {6, 0, 0, 0, 0, 0});
    for (uint32_t i = 1; i <= threads; ++i) builders.push_back(std::make_unique<flamelet::PageBuilder>(i, &ticket));
    switches.new_page(1);
  }

  void record_frames(bool with_states = true) {
    flamelet::PageBuilder marks(flamelet::kFrameTrack, &ticket);
    for (uint64_t frame = 0; frame < 4; ++frame) {
      const uint64_t begin = frame * 10 * kSceneMs + 1;
      marks.frame(begin, frame);
      record_frame(begin);
      if (with_states) switch_in_frame(begin);
    }
    marks.frame(40 * kSceneMs + 1, 4);
    feed();
    capture.feed(marks);
  }
  // Everything that was written goes into the capture.
  void feed() {
    for (uint32_t i = 0; i < builders.size(); ++i) {
      if (builders[i]->events == 0) continue;
      capture.feed(*builders[i]);
      capture->lanes[static_cast<uint32_t>(capture.lane(i + 1))].name = i == 0 ? 1 : 2;
    }
    if (switches.events != 0) capture.feed(switches);
    capture->states.states = FLAMELET_THREAD_STATES_RECORDED;
  }

  uint64_t ticket = 1;
  flamelet::FedCapture capture;
  std::vector<std::unique_ptr<flamelet::PageBuilder>> builders;
  flamelet::PageBuilder switches{flamelet::kSwitchTrack, &ticket};

 private:
  static flamelet_capture_config config_for(uint32_t threads) {
    flamelet_capture_config config = flamelet::FedCapture::small_config();
    config.max_tracks = threads + 8;
    config.max_switches = 65536;
    return config;
  }

  void record_frame(uint64_t begin) {
    flamelet::PageBuilder& main = *builders[0];
    main.begin(begin + 10'000, 0);
    main.begin(begin + 2 * kSceneMs, 1);
    main.end(begin + 6 * kSceneMs);
    main.end(begin + 9'900'000);
    builders[1]->begin(begin + 3 * kSceneMs, 2);
    builders[1]->end(begin + 8 * kSceneMs);
  }
  void switch_in_frame(uint64_t begin) {
    using namespace flamelet;
    switches.thread_switch(begin, 1, 0, kSwitchIn);
    switches.thread_switch(begin + 2 * kSceneMs, 1, 0, kSwitchAsleep);
    switches.thread_switch(begin + 3 * kSceneMs, 2, 1, kSwitchIn);
    switches.thread_switch(begin + 5 * kSceneMs, 1, 0, kSwitchIn);
    switches.thread_switch(begin + 6 * kSceneMs, 2, 1, kSwitchAsleep);
    switches.thread_switch(begin + 7 * kSceneMs, 1, 0, kSwitchTakenOff);
    switches.thread_switch(begin + 7 * kSceneMs, 2, 0, kSwitchIn);
    switches.thread_switch(begin + 8 * kSceneMs, 2, 0, kSwitchAsleep);
    switches.thread_switch(begin + 9 * kSceneMs, 1, 0, kSwitchIn);
    switches.thread_switch(begin + 9'950'000, 1, 0, kSwitchAsleep);
  }
};

// On the page of lanes, at one frame or several.
struct StatePlayer : OverlayPlayer {
  explicit StatePlayer(const StateScene& scene, uint64_t first = 1, uint64_t last = 1) {
    flamelet::overlay_show_capture(overlay, scene.capture.get(), "states");
    flamelet::overlay_select_frames(overlay, first, last);
    frames(40);
  }
  const flamelet::ui::LanesPage& page() const { return flamelet::ui::lanes_of(*overlay); }
  const flamelet::ui::Lane* lane(std::string_view name) const {
    for (const flamelet::ui::Lane& lane : overlay->store.lanes())
      if (lane.name == name && lane.height > 0) return &lane;
    return nullptr;
  }
  float x_of(int64_t ns) const {
    return page().canvas.x + static_cast<float>(flamelet::ui::x_at(overlay->timeline.view(), static_cast<double>(ns),
                                                                   static_cast<double>(page().canvas.width)));
  }
  // The mouse comes to this time, so far below the lane's top.
  void hover(std::string_view name, int64_t ns, float below) {
    move(x_of(ns), page().canvas.y + lane(name)->y + below);
    frames(3);
  }
};

}  // namespace flamelet_tests

// SPDX-License-Identifier: MIT
//
// What counters, intervals and messages cost in the overlay. Part of flamelet_overlay_bench.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "flamelet/capture_builder.h"
#include "overlay/headless_imgui.h"
#include "overlay/span_trees.h"

namespace {

using namespace flamelet_tests;

// A frame of 100 ms on one thread.
class Recording {
 public:
  static constexpr int64_t kFrameNs = 100000000;

  Recording() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{256} << 20;
    config.max_intervals = 1 << 17;
    flamelet_capture_builder_create(&config, &builder_);
    lane_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("main"));
  }
  ~Recording() { flamelet_capture_destroy(capture_); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  uint32_t site(const char* name) {
    return flamelet_capture_builder_site(builder_, string(name), 0, string("file"), 0, 1, 0);
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

std::unique_ptr<OverlayPlayer> show(const flamelet_capture* capture, float height) {
  auto player = std::make_unique<OverlayPlayer>(flamelet::OverlayMode::kActive, 1280.0f, height);
  flamelet::overlay_show_capture(player->overlay, capture, "bench");
  flamelet::overlay_select_frames(player->overlay, 0, 0);
  player->frames(200);
  return player;
}

void report(benchmark::State& state, std::vector<double>& ms) {
  std::sort(ms.begin(), ms.end());
  state.counters["p50_ms"] = ms[ms.size() / 2];
  state.counters["p99_ms"] = ms[ms.size() * 99 / 100];
}

// Layout and drawing of the lanes. `moves`: the view is another one in each frame.
void draw_lanes(benchmark::State& state, OverlayPlayer& player, bool moves) {
  std::vector<double> ms;
  double wheel = 1;
  player.move(700, 300);
  for (auto _ : state) {
    if (moves) player.gui.wheel(static_cast<float>(wheel));
    player.frames();
    wheel = ms.size() % 8 == 7 ? -wheel : wheel;
    ms.push_back(static_cast<double>(player.stats().lanes_ns) * 1e-6);
    state.SetIterationTime(ms.back() * 1e-3);
  }
  report(state, ms);
  state.counters["canvas_vertices"] = player.stats().canvas_vertices;
}

// All on one axis, so that all 64 lines are drawn; or each in a lane, of which those in sight are drawn.
void counters(benchmark::State& state, const char* unit, bool moves) {
  Recording recording;
  recording.counters(64, static_cast<uint32_t>(state.range(0)), unit);
  const auto player = show(recording.finish(), 1080);
  draw_lanes(state, *player, moves);
  state.counters["columns"] = player->number("counter_columns");
}
void counters_one_axis(benchmark::State& state) {
  counters(state, " MiB", false);
}
void counters_one_axis_zooming(benchmark::State& state) {
  counters(state, " MiB", true);
}
void counters_lanes(benchmark::State& state) {
  counters(state, "", false);
}

void intervals(benchmark::State& state) {
  Recording recording;
  recording.intervals(static_cast<uint32_t>(state.range(0)));
  const auto player = show(recording.finish(), 1080);
  draw_lanes(state, *player, false);
  state.counters["intervals"] = player->number("intervals_drawn") + player->number("intervals_merged");
}

// The whole overlay with the page Messages.
void messages(benchmark::State& state) {
  Recording recording;
  recording.messages(static_cast<uint32_t>(state.range(0)));
  const auto player = show(recording.finish(), 1080);
  player->open_page("messages");
  player->frames(10);
  std::vector<double> ms;
  for (auto _ : state) {
    player->frames();
    ms.push_back(static_cast<double>(player->stats().draw_ns) * 1e-6);
    state.SetIterationTime(ms.back() * 1e-3);
  }
  report(state, ms);
  state.counters["rows"] = player->number("message_rows");
}

// Reading the values of a view anew, as after a jump to another frame.
void counters_reading(benchmark::State& state) {
  Recording recording;
  recording.counters(64, static_cast<uint32_t>(state.range(0)), "");
  const auto player = show(recording.finish(), 1080);
  bool odd = false;
  for (auto _ : state) {
    flamelet::overlay_open_link(player->overlay, odd ? "view=0-1000000" : "view=50000000-90000000");
    odd = !odd;
    player->frames();
    state.SetIterationTime(static_cast<double>(player->stats().capture_ns) * 1e-9);
  }
}

BENCHMARK(counters_one_axis)->Arg(100)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(counters_one_axis_zooming)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(counters_lanes)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(counters_reading)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(intervals)->Arg(4000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(messages)->Arg(30000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

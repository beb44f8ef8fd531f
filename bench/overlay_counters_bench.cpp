// SPDX-License-Identifier: MIT
//
// What counters, intervals and messages cost in the overlay, and all of it at once. Part of flamelet_overlay_bench.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "overlay/built_frame.h"
#include "overlay/headless_imgui.h"

namespace {

using namespace flamelet_tests;

std::unique_ptr<OverlayPlayer> show(const flamelet_capture* capture) {
  auto player = std::make_unique<OverlayPlayer>(flamelet::OverlayMode::kActive, 1280.0f, 1080.0f);
  show_built_frame(player.get(), capture);
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

// The whole overlay, with the page that is open.
void draw_overlay(benchmark::State& state, OverlayPlayer* player) {
  std::vector<double> ms;
  for (auto _ : state) {
    player->frames();
    ms.push_back(static_cast<double>(player->stats().draw_ns) * 1e-6);
    state.SetIterationTime(ms.back() * 1e-3);
  }
  report(state, ms);
}

// All on one axis, so that all 64 lines are drawn; or each in a lane, of which those in sight are drawn.
void counters(benchmark::State& state, const char* unit, bool moves) {
  BuiltFrame frame;
  frame.counters(64, static_cast<uint32_t>(state.range(0)), unit);
  const auto player = show(frame.finish());
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
  BuiltFrame frame;
  frame.intervals(static_cast<uint32_t>(state.range(0)));
  const auto player = show(frame.finish());
  draw_lanes(state, *player, false);
  state.counters["intervals"] = player->number("intervals_drawn") + player->number("intervals_merged");
}

// The whole overlay with the page Messages.
void messages(benchmark::State& state) {
  BuiltFrame frame;
  frame.messages(static_cast<uint32_t>(state.range(0)));
  const auto player = show(frame.finish());
  player->open_page("messages");
  player->frames(10);
  draw_overlay(state, player.get());
  state.counters["rows"] = player->number("message_rows");
}

// The whole overlay with 50,000 scopes of 2,000 names, 64 counters, the details of a scope and one under the mouse. The
// table has been read, too.
void everything(benchmark::State& state) {
  BuiltFrame frame;
  frame.scopes(50000, 2000);
  frame.counters(64, 10000, " MiB");
  const auto player = show(frame.finish());
  look_at_everything(player.get());
  draw_overlay(state, player.get());
  state.counters["zones"] = player->stats().zones_in_view;
  state.counters["columns"] = player->number("counter_columns");
  state.counters["rows"] = player->number("table_rows");
  state.counters["all_vertices"] = HeadlessImGui::vertices();
  state.counters["all_commands"] = HeadlessImGui::commands();
}

// Reading the values of a view anew, as after a jump to another frame.
void counters_reading(benchmark::State& state) {
  BuiltFrame frame;
  frame.counters(64, static_cast<uint32_t>(state.range(0)), "");
  const auto player = show(frame.finish());
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
BENCHMARK(everything)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(messages)->Arg(30000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

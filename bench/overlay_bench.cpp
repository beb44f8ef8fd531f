// SPDX-License-Identifier: MIT
//
// What the overlay costs: the layout and the drawing of lanes with 10,000 to a million zones in view, the table, the
// HUD, counters, intervals, messages, and the whole overlay. Counters beside the times say how much was drawn; those are the same on every machine.
//
//   flamelet_overlay_bench [--benchmark_filter=...]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "lanes/lane_rows.h"
#include "overlay/built_frame.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"

namespace {

using namespace flamelet_tests;
using namespace flamelet::ui;

constexpr float kCanvasPx = 1123;  // in a window of 1280 pixels

// Frames like those of a game, on one lane: 500 scopes below each of a few dozen large ones, six levels deep.
SpanTree game_like_tree(uint32_t zones) {
  Random random(42);
  SpanTree tree;
  int64_t now_ns = 0;
  while (tree.spans.size() < zones) {
    tree.begin(now_ns, 0);
    for (uint32_t system = 0; system < 8 && tree.spans.size() < zones; ++system) {
      tree.begin(now_ns, 1 + system);
      for (uint32_t task = 0; task < 12; ++task) {
        tree.begin(now_ns, 10 + random.below(20));
        for (uint32_t item = 0; item < random.below(60); ++item) {
          tree.begin(now_ns, 30 + random.below(8));
          now_ns += 200 + random.below(4000);
          tree.end(now_ns);
          now_ns += 100;
        }
        now_ns += random.below(100000);
        tree.end(now_ns);
      }
      now_ns += random.below(300000);
      tree.end(now_ns);
    }
    tree.end(now_ns);
    now_ns += 20000;
  }
  return tree;
}

struct LaneData {
  explicit LaneData(SpanTree tree) : spans(std::move(tree.spans)), built(spans), rows(built.lane), storage(16384) {
    blocks.data = storage.data();
    blocks.capacity = static_cast<uint32_t>(storage.size());
  }
  std::vector<flamelet_span> spans;
  BuiltRows built;
  LaneRows rows;
  std::vector<Block> storage;
  Array<Block> blocks;
};

void lay_out(benchmark::State& state, LaneData& lane) {
  LaneLayoutInput input;
  input.window = {0, lane.spans.back().end_ns + 1};
  for (const flamelet_span& span : lane.spans) input.window.end_ns = std::max(input.window.end_ns, span.end_ns);
  input.width_px = kCanvasPx;
  LaneLayout layout;
  for (auto _ : state) {
    lane.blocks.clear();
    layout = layout_lane(lane.rows, input, &lane.blocks);
    benchmark::DoNotOptimize(lane.blocks.data);
  }
  state.counters["zones"] = static_cast<double>(layout.zones_drawn + layout.zones_merged);
  state.counters["blocks"] = layout.block_count;
}

// Geometry alone.
void layout_game(benchmark::State& state) {
  LaneData lane(game_like_tree(static_cast<uint32_t>(state.range(0))));
  lay_out(state, lane);
}
void layout_flat(benchmark::State& state) {
  LaneData lane(flat_tree(static_cast<uint32_t>(state.range(0)), 900, 100));
  lay_out(state, lane);
}
void index_game(benchmark::State& state) {
  LaneData lane(game_like_tree(static_cast<uint32_t>(state.range(0))));
  for (auto _ : state) lane.built.build(lane.spans);
  state.counters["ns/zone"] =
      benchmark::Counter(static_cast<double>(lane.spans.size()) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The overlay on frames of the real recorder, paused on as many frames as give the zones that are asked for.
class Scene {
 public:
  explicit Scene(uint32_t zones) : game_(options()) {
    const uint32_t frames = std::max(2u, zones / kZonesPerFrame + 1);
    game_.frames(frames + 8);
    flamelet::OverlayConfig config;
    config.mode = flamelet::OverlayMode::kActive;
    config.max_spans = std::max(1u << 18, zones * 5 / 2);
    config.budget_bytes = size_t{512} << 20;
    player_ = std::make_unique<OverlayPlayer>(config);
    player_->frames(3);
    flamelet::overlay_select_frames(player_->overlay, 4, 4 + zones / kZonesPerFrame - (zones > kZonesPerFrame));
    player_->frames(3);
  }
  OverlayPlayer& player() { return *player_; }

  void report(benchmark::State& state) const {
    const flamelet::OverlayStats stats = player_->stats();
    state.counters["zones"] = stats.zones_in_view;
    state.counters["drawn"] = stats.zones_drawn;
    state.counters["canvas_vertices"] = stats.canvas_vertices;
    state.counters["canvas_commands"] = stats.canvas_commands;
    state.counters["all_vertices"] = HeadlessImGui::vertices();
    state.counters["all_commands"] = HeadlessImGui::commands();
  }

 private:
  static constexpr uint32_t kZonesPerFrame = 5000;
  static RecordedGame::Options options() {
    RecordedGame::Options options;
    options.details = 330;
    options.workers = 3;
    options.jobs_per_worker = 12;
    options.budget_bytes = size_t{256} << 20;
    return options;
  }
  RecordedGame game_;
  std::unique_ptr<OverlayPlayer> player_;
};

// The times of single frames, because a mean hides what a busy machine does to them.
class Times {
 public:
  void add(int64_t ns) { ms_.push_back(static_cast<double>(ns) * 1e-6); }
  void report(benchmark::State& state, const char* p50, const char* p99) {
    if (ms_.empty()) return;
    std::sort(ms_.begin(), ms_.end());
    state.counters[p50] = ms_[ms_.size() / 2];
    state.counters[p99] = ms_[ms_.size() * 99 / 100];
  }

 private:
  std::vector<double> ms_;
};

// Layout and drawing of all lanes, labels included, as the overlay itself measures it, without the rest of its frame.
void lanes(benchmark::State& state) {
  Scene scene(static_cast<uint32_t>(state.range(0)));
  Times times;
  for (auto _ : state) {
    scene.player().frames();
    times.add(scene.player().stats().lanes_ns);
    state.SetIterationTime(static_cast<double>(scene.player().stats().lanes_ns) * 1e-9);
  }
  scene.report(state);
  times.report(state, "p50_ms", "p99_ms");
}

// One ImGui frame with the whole overlay in it: NewFrame to Render.
void whole(benchmark::State& state) {
  Scene scene(static_cast<uint32_t>(state.range(0)));
  scene.player().move(400, 140);
  scene.player().click();
  scene.player().settle();
  Times times;
  for (auto _ : state) {
    scene.player().frames();
    times.add(scene.player().stats().draw_ns);
  }
  scene.report(state);
  times.report(state, "overlay_p50_ms", "overlay_p99_ms");
}

// 2,000 scopes of different names in view of the table, read and sorted anew four times a second of 60 frames.
void table(benchmark::State& state) {
  flamelet_config config = flamelet_config_default();
  config = recorder_test::with_thread_clock(config, 1000);
  flamelet_init(&config);
  const auto record_frame = [] {
    char name[] = "Scope 0000";
    for (int i = 0; i < 2000; ++i) {
      for (int digit = 9, rest = i; digit > 5; --digit, rest /= 10) name[digit] = static_cast<char>('0' + rest % 10);
      const flamelet_id id = flamelet_begin(flamelet_intern(name), "", nullptr);
      thread_now_ns += 1000 + static_cast<uint64_t>(i * 7919 % 20000);
      flamelet_end(id);
    }
    flamelet_frame();
  };
  for (int i = 0; i < 20; ++i) record_frame();
  {
    OverlayPlayer player;
    flamelet::overlay_load_settings(player.overlay, "page=table", 10);
    player.frames(30);
    Times times;
    for (auto _ : state) {
      state.PauseTiming();
      record_frame();
      state.ResumeTiming();
      player.frames();
      times.add(player.stats().draw_ns);
    }
    state.counters["rows"] = player.number("table_rows");
    times.report(state, "overlay_p50_ms", "overlay_p99_ms");
    state.counters["all_vertices"] = HeadlessImGui::vertices();
  }
  flamelet_shutdown();
}

// The lanes while the view moves, so that no frame shows what the frame before showed.
void lanes_panned(benchmark::State& state) {
  Scene scene(static_cast<uint32_t>(state.range(0)));
  Timeline& timeline = scene.player().overlay->timeline;
  const View all = timeline.view();
  Times times;
  int64_t step = 0;
  for (auto _ : state) {
    const double by = all.duration_ns() * 0.001 * static_cast<double>(++step % 50);
    timeline.set_view({all.begin_ns + by, all.end_ns - by}, false);
    scene.player().frames();
    times.add(scene.player().stats().lanes_ns);
    state.SetIterationTime(static_cast<double>(scene.player().stats().lanes_ns) * 1e-9);
  }
  scene.report(state);
  times.report(state, "p50_ms", "p99_ms");
}

// A day of frames at 144 Hz in the bars: what the overlay itself measures for them, hour after hour in view.
void bars_of_a_day(benchmark::State& state) {
  constexpr uint64_t kFrames = 12441600;
  Scene scene(5000);
  FrameHistory& history = scene.player().overlay->history;
  Random random(1);
  for (uint64_t i = history.levels.next_index(); i < kFrames; ++i)
    history.levels.add(i, 6000000 + random.below(3000000));
  scene.player().overlay->settings.bar_px = 1;
  history.shift = static_cast<uint32_t>(state.range(0));
  scene.player().frames(3);
  Times times;
  for (auto _ : state) {
    scene.player().frames();
    times.add(scene.player().stats().bars_ns);
    state.SetIterationTime(static_cast<double>(scene.player().stats().bars_ns) * 1e-9);
  }
  uint64_t frames = 0;
  for (const FrameSum& sum : history.sums) frames += sum.count;
  state.counters["frames"] = static_cast<double>(frames);
  state.counters["bars"] = history.bars.count;
  state.counters["all_vertices"] = HeadlessImGui::vertices();
  times.report(state, "p50_ms", "p99_ms");
}

void hud(benchmark::State& state) {
  Scene scene(5000);
  flamelet::overlay_set_mode(scene.player().overlay, flamelet::OverlayMode::kHud);
  static constexpr const char* kPins[] = {"World::update",     "Physics::step",  "Physics::solve_islands", "ai_update",
                                          "Animation::update", "Render::submit", "Island::solve",          "Frame"};
  for (int64_t i = 0; i < state.range(0); ++i) {
    const std::string pin = std::string("watch=1,0,4000000,") + kPins[i] + "\n";
    flamelet::overlay_load_settings(scene.player().overlay, pin.data(), pin.size());
  }
  scene.player().frames(30);
  for (auto _ : state) {
    scene.player().frames();
    state.SetIterationTime(static_cast<double>(scene.player().stats().draw_ns) * 1e-9);
  }
  state.counters["vertices"] = HeadlessImGui::vertices();
  state.counters["commands"] = HeadlessImGui::commands();
}

void off(benchmark::State& state) {
  Scene scene(5000);
  flamelet::overlay_set_mode(scene.player().overlay, flamelet::OverlayMode::kOff);
  flamelet::Overlay* overlay = scene.player().overlay;
  ImGui::NewFrame();
  for (auto _ : state) flamelet::overlay_show(overlay);
  ImGui::Render();
}

// ---- counters, intervals and messages, and all of it at once

std::unique_ptr<OverlayPlayer> show(const flamelet_capture* capture) {
  auto player = std::make_unique<OverlayPlayer>(flamelet::OverlayMode::kActive, 1280.0f, 1080.0f);
  show_built_frame(player.get(), capture);
  return player;
}

// Layout and drawing of the lanes. `moves`: the view is another one in each frame.
void draw_lanes(benchmark::State& state, OverlayPlayer& player, bool moves) {
  Times times;
  double wheel = 1;
  size_t count = 0;
  player.move(700, 300);
  for (auto _ : state) {
    if (moves) player.gui.wheel(static_cast<float>(wheel));
    player.frames();
    wheel = count++ % 8 == 7 ? -wheel : wheel;
    times.add(player.stats().lanes_ns);
    state.SetIterationTime(static_cast<double>(player.stats().lanes_ns) * 1e-9);
  }
  times.report(state, "p50_ms", "p99_ms");
  state.counters["canvas_vertices"] = player.stats().canvas_vertices;
}

// The whole overlay, with the page that is open.
void draw_overlay(benchmark::State& state, OverlayPlayer* player) {
  Times times;
  for (auto _ : state) {
    player->frames();
    times.add(player->stats().draw_ns);
    state.SetIterationTime(static_cast<double>(player->stats().draw_ns) * 1e-9);
  }
  times.report(state, "p50_ms", "p99_ms");
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

BENCHMARK(layout_game)->Arg(10000)->Arg(50000)->Arg(200000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(layout_flat)->Arg(10000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(index_game)->Arg(50000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lanes)->Arg(10000)->Arg(50000)->Arg(200000)->Arg(1000000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(lanes_panned)
    ->Arg(10000)
    ->Arg(50000)
    ->Arg(200000)
    ->Arg(1000000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bars_of_a_day)->Arg(2)->Arg(8)->Arg(14)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(whole)->Arg(50000)->Unit(benchmark::kMillisecond);
BENCHMARK(table)->Unit(benchmark::kMillisecond);
BENCHMARK(hud)->Arg(0)->Arg(8)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(off)->Unit(benchmark::kNanosecond);
BENCHMARK(counters_one_axis)->Arg(100)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(counters_one_axis_zooming)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(counters_lanes)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(counters_reading)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(intervals)->Arg(4000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(everything)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(messages)->Arg(30000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();

// SPDX-License-Identifier: MIT
//
// The demo: a small game that is measured by Flamelet and shows the overlay. The loop below is what an engine's loop
// looks like with a profiler in it.
#include <flamelet/capture.h>
#include <flamelet/flamelet.h>
#include <flamelet/gpu.h>
#include <flamelet/gpu_opengl.h>
#include <flamelet/overlay.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "agents.h"
#include "flight_recorder.h"
#include "game.h"
#include "options.h"
#include "renderer.h"
#include "trouble.h"
#include "window.h"

namespace demo {
namespace {

// ---- the numbers that are printed when the game ends

struct SummaryInput {
  std::vector<float> frame_ms;  // of every frame that was drawn
  size_t blocks = 0;
  size_t lanterns = 0;
  uint32_t lanterns_home = 0;
  uint32_t explosions = 0;
  flamelet::OverlayStats overlay = {};
  const flamelet_gpu* gpu = nullptr;  // may be NULL
};

// Nearest rank; `sorted` is not empty.
float percentile(const std::vector<float>& sorted, double share) {
  const auto rank = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(rank, sorted.size() - 1)];
}

double megabytes(size_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

struct RingContent {
  double scopes_per_frame = 0.0;
  double cost_ms = 0.0;  // of recording them, in a frame
  size_t frames = 0;
  flamelet_capture_stats stats = {};
};

// Adds the scopes that began on a thread's lane in this frame, by kind.
void count_scopes(const flamelet_capture* capture, size_t lane, const flamelet_frame_info& frame,
                  std::vector<flamelet_span>* scratch, size_t* of_kind) {
  flamelet_lane_info info;
  if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) return;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, frame.begin_ns, frame.end_ns, scratch->data(), scratch->size());
  while (flamelet_span_cursor_next(&cursor))
    for (size_t i = cursor.again; i < cursor.count; ++i)
      if (cursor.spans[i].begin_ns >= frame.begin_ns && !(cursor.spans[i].flags & FLAMELET_SPAN_RESUMED))
        ++of_kind[flamelet_capture_scope_kind(capture, &cursor.spans[i])];
}

// Counts the scopes of the newest frames that the ring still holds.
RingContent read_ring() {
  RingContent content;
  flamelet_capture* capture = nullptr;
  const flamelet_capture_config config = flamelet_capture_config_default();
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return content;
  flamelet_capture_update(capture);
  const size_t held = flamelet_capture_frame_count(capture);
  size_t spans[FLAMELET_SCOPE_KINDS] = {};
  std::vector<flamelet_span> scratch(4 * FLAMELET_CURSOR_LEAST);
  for (size_t i = held > 200 ? held - 200 : 0; i < held; ++i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, i, &frame) || frame.flags) continue;
    ++content.frames;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      count_scopes(capture, lane, frame, &scratch, spans);
  }
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS && content.frames; ++kind) {
    const double in_frame = static_cast<double>(spans[kind]) / static_cast<double>(content.frames);
    content.scopes_per_frame += in_frame;
    content.cost_ms += in_frame * flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind)) * 1e-6;
  }
  flamelet_capture_get_stats(capture, &content.stats);
  flamelet_capture_destroy(capture);
  return content;
}

void print_recorder(std::FILE* file, double median_ms) {
  const RingContent ring = read_ring();
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  const uint64_t dropped = stats.dropped_no_track + stats.dropped_no_page + stats.dropped_depth + stats.dropped_nested +
                           stats.dropped_fiber + stats.dropped_frame + stats.dropped_submit;
  std::fprintf(file, "Scopes      %.0f a frame (mean of the last %zu), recorded in %.3f ms a frame, %.2f %%\n",
               ring.scopes_per_frame, ring.frames, ring.cost_ms,
               median_ms > 0.0 ? 100.0 * ring.cost_ms / median_ms : 0.0);
  std::fprintf(file, "Events      %" PRIu64 " recorded, %" PRIu64 " of them lost to newer ones, %" PRIu64 " dropped\n",
               stats.events_recorded, ring.stats.events_lost, dropped);
  std::fprintf(file, "Repaired    %" PRIu64 " missing ends, %" PRIu64 " extra ends\n", stats.missing_ends,
               stats.extra_ends);
  std::fprintf(file, "Memory      %.1f MiB for the recorder, %.1f of them ring; %u tracks, %u sites, %u strings\n",
               megabytes(stats.budget_bytes), megabytes(stats.page_bytes_total), stats.tracks_live, stats.sites_used,
               stats.strings_used);
}

void print_gpu(std::FILE* file, const flamelet_gpu* gpu) {
  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(gpu, &stats);
  const uint64_t dropped = stats.dropped_pool + stats.dropped_late + stats.dropped_invalid + stats.dropped_recorder;
  std::fprintf(file, "GPU         %" PRIu64 " scopes timed, %" PRIu64 " dropped, results %u frames later\n",
               stats.scopes_submitted, dropped, stats.lag_frames);
}

void print_overlay(std::FILE* file, const flamelet::OverlayStats& stats) {
  if (stats.draw_ns == 0) return;
  std::fprintf(file,
               "Overlay     %.2f ms to draw, %.2f ms to read the capture; %u scopes in view, %u drawn, %u merged\n",
               static_cast<double>(stats.draw_ns) * 1e-6, static_cast<double>(stats.capture_ns) * 1e-6,
               stats.zones_in_view, stats.zones_drawn, stats.zones_merged);
}

// Needs the recorder still running: reads what its ring holds.
void print_summary(std::FILE* file, SummaryInput input) {
  std::vector<float>& ms = input.frame_ms;
  if (ms.empty()) return;
  const double seconds = std::accumulate(ms.begin(), ms.end(), 0.0) * 1e-3;
  std::sort(ms.begin(), ms.end());
  std::fprintf(file, "Game        %zu blocks, %zu lanterns; %u came home, %u explosions\n", input.blocks,
               input.lanterns, input.lanterns_home, input.explosions);
  std::fprintf(file, "Frames      %zu in %.1f s\n", ms.size(), seconds);
  const float median = percentile(ms, 0.5);
  std::fprintf(file, "Frame time  p50 %.1f  p95 %.1f  p99 %.1f  max %.1f ms\n", static_cast<double>(median),
               static_cast<double>(percentile(ms, 0.95)), static_cast<double>(percentile(ms, 0.99)),
               static_cast<double>(ms.back()));
  print_recorder(file, static_cast<double>(median));
  if (input.gpu) print_gpu(file, input.gpu);
  print_overlay(file, input.overlay);
}

// ---- the game's loop

volatile std::sig_atomic_t dump_requested = 0;
volatile std::sig_atomic_t screenshot_requested = 0;

// Real time decides how many steps a frame takes, but never more than one: after a hitch the game goes on more slowly
// instead of making the next frame long, too. A run of --frames takes one step each, so that it can be repeated.
class StepClock {
 public:
  explicit StepClock(bool repeatable) : repeatable_(repeatable) {}

  int advance(float seconds) {
    if (repeatable_) return 1;
    owed_ = std::min(owed_ + seconds, 2.0f * Game::kStepSeconds);
    if (owed_ < Game::kStepSeconds) return 0;
    owed_ -= Game::kStepSeconds;
    return 1;
  }

 private:
  bool repeatable_;
  float owed_ = Game::kStepSeconds;
};

// The slowest frame of the run, to be shown in a screenshot. The first second does not count: shaders are compiled and
// caches are cold.
class WorstFrame {
 public:
  void add(uint64_t index, float ms) {
    if (index < 60 || ms <= ms_) return;
    index_ = index;
    ms_ = ms;
  }
  uint64_t index() const { return index_; }

 private:
  uint64_t index_ = 0;
  float ms_ = 0.0f;
};

// What the keys do now.
std::string keys_text(flamelet::OverlayMode mode) {
  if (mode == flamelet::OverlayMode::kActive) return "keys are the overlay's   ? help   F1 back   Ctrl+Q quit";
  const char* const f1 = mode == flamelet::OverlayMode::kOff   ? "F1 profiler"
                         : mode == flamelet::OverlayMode::kHud ? "F1 whole overlay"
                                                               : "F1 into the overlay";
  return std::string(f1) + "   F2 save   B bomb   H quake   P pause   Ctrl+Q quit";
}

std::string status_line(const Snapshot& snapshot, flamelet::OverlayMode mode) {
  return "lanterns home " + std::to_string(snapshot.lanterns_home) + "    explosions " +
         std::to_string(snapshot.explosions) + "    " + keys_text(mode);
}

Commands commands_of(const Input& input, const Window& window, const Camera& camera, glm::ivec2 size) {
  Commands commands;
  commands.quake = input.quake;
  if (input.bomb) {
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    const std::optional<glm::vec3> ground = camera.ground_at(window.cursor(), aspect);
    commands.bomb = ground.has_value();
    commands.bomb_at = ground.value_or(glm::vec3(0.0f));
  }
  return commands;
}

void play(const Options& options) {
  Window window(options);
  const GpuTimer gpu;
  Renderer renderer(options.scale, gpu.get());
  ScriptLog script_log(options.perf_log);
  Captains captains(script_log.is_open());
  FlightRecorder flight(options.flight, options.small_memory);
  OverlayHost overlay(window, options, flight.capture(), flight.get());
  overlay.show_tree("Captains' script", captains.tree());
  const Troubles troubles(options.troubles, options.heavier_percent / 100);
  for (const Trouble& trouble : options.troubles) std::printf("Inject      %s\n", text_of(trouble).c_str());
  SimulationThread simulation(options.seed, options.threads, troubles);
  Camera camera;
  StepClock step_clock(options.frames > 0);
  WorstFrame worst;
  SummaryInput summary;
  summary.blocks = simulation.block_count();
  summary.lanterns = simulation.agent_count();
  const uint64_t screenshot_frame = options.screenshot_frame ? options.screenshot_frame : options.frames;
  constexpr uint64_t kMeasureFrame = 20;    // when shaders are compiled
  constexpr uint64_t kFramesToSettle = 24;  // between the selection and the screenshot

  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  float last_ms = 0.0f;
  bool paused = false;
  uint64_t marks = 0;  // the profiler's index of the frame in progress
  while (!window.closing()) {
    const glm::ivec2 size = window.size();
    const bool minimised = size.x == 0 || size.y == 0;
    const Input input = window.poll(minimised, overlay.takes_keyboard(), overlay.takes_mouse());
    if (input.quit) window.close();
    if (input.pause) paused = !paused;
    if (!options.dump.empty() && (input.dump || dump_requested)) {
      dump_requested = 0;
      overlay.write_dump(options.dump);
    }

    if (!minimised) {
      Commands commands = commands_of(input, window, camera, size);
      const int steps = paused ? 0 : step_clock.advance(last_ms * 1e-3f);
      commands.paces = captains.paces();
      const Snapshot& snapshot = simulation.advance(steps, commands);
      if (steps > 0) captains.run(snapshot);
      summary.lanterns_home = snapshot.lanterns_home;
      summary.explosions = snapshot.explosions;
      camera.orbit(input.turn);
      camera.zoom(input.wheel);
      camera.drift(static_cast<float>(snapshot.step) * Game::kStepSeconds);
      if (marks == kMeasureFrame && troubles.has(TroubleKind::kGpuPass)) renderer.measure_sky();
      if (const double ms = troubles.ms(TroubleKind::kAllocations, marks); ms > 0) allocate(ms);
      renderer.draw(snapshot, camera, size.x, size.y, troubles.ms(TroubleKind::kGpuPass, marks));
      overlay.build(status_line(snapshot, overlay.mode()));
      {
        FLAMELET_GPU_SCOPE(gpu.get(), "Window pass");
        renderer.draw_window();
        overlay.draw();
      }
      flamelet_gpu_frame(gpu.get());
      const uint64_t drawn = summary.frame_ms.size() + 1;
      if (options.select_worst) {
        if (drawn + kFramesToSettle == screenshot_frame) overlay.show_frame(worst.index());
        if (drawn + kFramesToSettle == screenshot_frame + 1) overlay.select_scope(flight.why(worst.index()).scope);
      }
      if (!options.screenshot.empty() && (input.screenshot || screenshot_requested || drawn == screenshot_frame)) {
        screenshot_requested = 0;
        flamelet::desktop::write_screenshot(options.screenshot, size.x, size.y);
      }
      if (options.frames && drawn == options.frames) window.close();
      window.present();
    }

    if (const double mib = memory_mib(); mib > 0) FLAMELET_COUNTER("memory MiB", mib);
    FLAMELET_FRAME();
    flight.update();
    script_log.frame();
    const Clock::time_point end = Clock::now();
    last_ms = std::chrono::duration<float, std::milli>(end - begin).count();
    begin = end;
    if (!minimised) {
      summary.frame_ms.push_back(last_ms);
      worst.add(marks, last_ms);
    }
    ++marks;
  }

  if (!options.dump.empty()) overlay.write_dump(options.dump);
  if (!options.capture.empty()) save_capture(options.capture);
  summary.overlay = overlay.stats();
  summary.gpu = gpu.get();
  print_summary(stdout, std::move(summary));
  flight.print(stdout);
}

int run(int argc, char** argv) {
  int exit_code = 0;
  const std::optional<Options> options = parse_options(argc, argv, exit_code);
  if (!options) return exit_code;
#ifdef SIGUSR1
  std::signal(SIGUSR1, [](int) { dump_requested = 1; });
  std::signal(SIGUSR2, [](int) { screenshot_requested = 1; });
#endif

  flamelet_config config = options->small_memory ? flamelet_config_small() : flamelet_config_default();
  config.ring_path_from_environment = true;  // for flamelet record
  config.thread_states = options->states;
  config.max_fibers = std::max<uint32_t>(config.max_fibers, Agents::kSquadCount + 1);  // captains are, with --perf-log
  const flamelet_result result = flamelet_init(&config);
  if (result != FLAMELET_OK) {
    std::fprintf(stderr, "The profiler does not start: %s\n", flamelet_result_message(result));
  }
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  if (options->states && stats.thread_states != FLAMELET_THREAD_STATES_RECORDED)
    std::fprintf(stderr, "Without states of threads. %s\n", flamelet_thread_states_message(stats.thread_states));
  FLAMELET_THREAD_NAME("Main");
  try {
    play(*options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    exit_code = 1;
  }
  flamelet_shutdown();
  return exit_code;
}

}  // namespace

}  // namespace demo

int main(int argc, char** argv) {
  return demo::run(argc, argv);
}

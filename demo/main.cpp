// SPDX-License-Identifier: MIT
//
// The demo: a small game that is measured by Flamelet and shows the overlay. The loop below is what an engine's loop
// looks like with a profiler in it.
#include <flamelet/flamelet.h>
#include <flamelet/gpu_opengl.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "camera.h"
#include "captains.h"
#include "desktop/screenshot.h"
#include "flight_recorder.h"
#include "gl_objects.h"
#include "lose_time.h"
#include "options.h"
#include "overlay_host.h"
#include "renderer.h"
#include "simulation_thread.h"
#include "streaming.h"
#include "summary.h"
#include "window.h"

namespace demo {
namespace {

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

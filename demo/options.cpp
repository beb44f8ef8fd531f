// SPDX-License-Identifier: MIT
#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <thread>

namespace demo {
namespace {

constexpr const char* kDescription =
    "Lanterns walk home through a town that keeps being blown up: the demo game of Flamelet, an in-game frame "
    "profiler.";

constexpr const char* kKeys =
    "Keys:    F1 profiler (off, HUD, read-only, active), B bomb under the mouse, H quake (a hitch to look for), P "
    "pause,\n"
    "         F9 dump, F10 screenshot, Ctrl+Q quit; drag turns, the wheel zooms.\n"
    "Signals: SIGUSR1 dump, SIGUSR2 screenshot.\n"
    "Even --headless needs a display; without one, start Xvfb (demo/run does).";

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
  using flamelet::OverlayMode;
  const std::map<std::string, OverlayMode> modes = {{"off", OverlayMode::kOff},
                                                    {"hud", OverlayMode::kHud},
                                                    {"view", OverlayMode::kReadOnly},
                                                    {"active", OverlayMode::kActive}};
  Options options;
  CLI::App app(kDescription);
  app.footer(kKeys + ("\nCauses for --inject:" + trouble_help() + "\n"));
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--frames", options.frames, "Play N frames, one step of the game each, and quit")->type_name("N");
  app.add_flag("--headless", options.headless, "Do not show the window");
  app.add_option("--seed", options.seed, "Seed of the town and of its misfortunes")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Worker threads (default: by the number of cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  app.add_option("--width", options.width, "Width of the window")->check(CLI::Range(64, 16384))->capture_default_str();
  app.add_option("--height", options.height, "Height of the window")
      ->check(CLI::Range(64, 16384))
      ->capture_default_str();
  app.add_option("--scale", options.scale,
                 "Size of the 3D picture relative to the window (default: 1, or 0.5 in software)")
      ->type_name("S")
      ->check(CLI::Range(0.1, 2.0));
  app.add_flag("--vsync", options.vsync, "Wait for the display's refresh");
  app.add_option("--overlay", options.overlay, "Start with the profiler off, hud, view or active")
      ->transform(CLI::CheckedTransformer(modes, CLI::ignore_case))
      ->type_name("MODE");
  app.add_flag("--no-settings", options.no_settings,
               "Neither load nor save the profiler's settings; so are --frames and --headless");
  app.add_flag(
      "--select-worst", options.select_worst,
      "Before the screenshot, pause the profiler on the slowest frame, and select the scope that made it slow");
  app.add_option("--screenshot", options.screenshot, "Write a PNG of the last frame of --frames, and on request")
      ->type_name("FILE");
  app.add_option("--screenshot-frame", options.screenshot_frame, "Write the PNG of frame N instead (from 1)")
      ->type_name("N");
  app.add_option("--dump", options.dump, "Write the profiler's state as JSON, at exit and on request")
      ->type_name("FILE");
  app.add_option("--capture", options.capture, "At exit, save what the recorder holds (flamelet tree FILE reads it)")
      ->type_name("FILE");
  app.add_option("--flight", options.flight, "Write each hitch as a capture file into this folder")->type_name("DIR");
  app.add_option("--memory", options.small_memory,
                 "How much the profiler takes: default, or small, which is 16 MiB in all")
      ->transform(CLI::CheckedTransformer(std::map<std::string, bool>{{"default", false}, {"small", true}}))
      ->type_name("SIZE");
  app.add_flag("--states", options.states,
               "Record when each thread ran, was taken off its processor, and slept (Linux)");
  app.add_option("--perf-log", options.perf_log,
                 "Append the script's calls, as PERF blocks, to this performance log (flamelet log FILE reads it)")
      ->type_name("FILE");
  std::vector<std::string> troubles;
  app.add_option("--inject", troubles,
                 "Make FRAME slow by MS (default: 60), or COUNT frames by all causes: random@SEED:COUNT[:MS]; may be "
                 "repeated")
      ->type_name("CAUSE@FRAME[:MS]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--heavier", options.heavier_percent,
                 "In every frame, let the agents that keep their distance do PERCENT more (flamelet gate finds it)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0, 1000));
  try {
    app.parse(argc, argv);
    for (const std::string& text : troubles) {
      const std::string wrong = parse_troubles(text, &options.troubles);
      if (!wrong.empty()) throw CLI::ValidationError("--inject", wrong);
    }
    if (options.select_worst && options.overlay == OverlayMode::kOff) options.overlay = OverlayMode::kActive;
    if (options.select_worst && !options.frames && !options.screenshot_frame) {
      throw CLI::ValidationError("--select-worst", "needs --frames or --screenshot-frame");
    }
  } catch (const CLI::ParseError& error) {
    exit_code = app.exit(error);
    return std::nullopt;
  }
  if (options.threads == 0) {
    // Main thread and simulation have a core each where there are enough.
    options.threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()) - 2, 2, 8);
  }
  return options;
}

}  // namespace demo

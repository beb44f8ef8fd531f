// SPDX-License-Identifier: MIT
//
// view_command.cpp: `flamelet view`: the viewer in a window of the desktop.
#include <GLFW/glfw3.h>
#include <flamelet/flight.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "desktop/gl_window.h"
#include "desktop/saved_settings.h"
#include "display_text.h"
#include "files.h"
#include "viewer.h"

namespace flamelet::tools {
namespace {

constexpr double kIdleSeconds = 0.1;  // between frames while nothing happens
constexpr size_t kScreenshotFrames = 30;
constexpr size_t kMostReadingFrames = 20000;  // that a picture waits for what is being read

struct ViewOptions {
  InputOptions input;
  size_t width = 1280, height = 720;
  double scale = 0;
  std::string link;
  std::string settings;
  bool no_settings = false;
  size_t frames = 0;        // 0 = until the window is closed
  size_t reads_frames = 0;  // at most so many more, while something is being read
  std::string screenshot;
  std::string state;
};

class DesktopViewer {
 public:
  explicit DesktopViewer(const ViewOptions& options)
      : DesktopViewer(options, std::make_unique<CaptureInput>(options.input)) {}

  int run(const ViewOptions& options) {
    glfwSwapInterval(options.frames != 0 ? 0 : 1);
    for (size_t drawn = 1; !glfwWindowShouldClose(window_.handle()); ++drawn) {
      const double before_s = glfwGetTime();
      if (options.frames != 0 || redraw_.draws())
        glfwPollEvents();
      else
        glfwWaitEventsTimeout(kIdleSeconds);
      // It was something that ended the waiting early.
      if (!redraw_.draws() && glfwGetTime() - before_s < kIdleSeconds) redraw_.something_happened();
      desktop::Gamepad pad;  // no event tells of its buttons
      if (desktop::read_gamepad(&pad)) redraw_.something_happened();
      for (const std::string& path : std::exchange(dropped_, {})) viewer_.open(path);
      int width = 0, height = 0;
      window_.size(&width, &height);
      if (width != 0 && height != 0) {
        viewer_.build();
        viewer_.draw(width, height);
      }
      if (settings_) settings_->update(viewer_.settings_changed());
      if (title_ != viewer_.title()) {
        title_ = viewer_.title();
        glfwSetWindowTitle(window_.handle(), title_.c_str());
      }
      redraw_.drawn();
      if (viewer_.goes_on()) redraw_.something_happened();
      if (!options.state.empty()) write_state(options.state);
      if (options.frames != 0 && drawn >= options.frames + (viewer_.goes_on() ? options.reads_frames : 0)) {
        if (!options.screenshot.empty()) desktop::write_screenshot(options.screenshot, width, height);
        return kExitDone;
      }
      glfwSwapBuffers(window_.handle());
    }
    return kExitDone;
  }

 private:
  // What is wrong with a file needs no window to be said.
  DesktopViewer(const ViewOptions& options, std::unique_ptr<CaptureInput> input)
      : window_("Flamelet", static_cast<int>(options.width), static_cast<int>(options.height), true),
        with_callbacks_(this),
        viewer_(window_, static_cast<float>(options.scale), host()) {
    flamelet_flight_info flight;
    const bool is_flight = flamelet_flight_of_capture(input->get(), &flight);
    viewer_.show(std::move(input));
    viewer_.keep_frames_of(options.input.frames_of);
    // What --set says is for this run alone.
    if (!options.no_settings && options.settings.empty() && options.frames == 0)
      settings_.emplace(viewer_.overlay(), "view");
    const std::string wrong = viewer_.set(options.settings);
    if (!wrong.empty()) throw CommandError(kExitUsage, "--set " + printable(wrong));
    if (!options.screenshot.empty()) viewer_.ignore_mouse();
    const std::string link = is_flight ? "page=why&frame=" + std::to_string(flight.frame.index) : "";
    if (!options.link.empty() || is_flight) viewer_.go_to(options.link.empty() ? link : options.link);
    if (settings_) settings_->know();
  }

  // ImGui's backend calls what was there before it: so this comes before it among the members.
  struct WithCallbacks {
    explicit WithCallbacks(DesktopViewer* viewer) {
      glfwSetWindowUserPointer(viewer->window_.handle(), viewer);
      glfwSetDropCallback(viewer->window_.handle(), [](GLFWwindow* window, int count, const char** paths) {
        std::vector<std::string>& dropped = static_cast<DesktopViewer*>(glfwGetWindowUserPointer(window))->dropped_;
        dropped.insert(dropped.end(), paths, paths + count);
      });
    }
  };

  OverlayHost host() {
    OverlayHost host;
    host.user = this;
    host.copy_link = [](void* user, const char* link) {
      const DesktopViewer& self = *static_cast<DesktopViewer*>(user);
      const std::string file = self.viewer_.file(), here = file[0] == '-' ? "./" : "";
      const std::string& of = self.viewer_.frames_of();
      const std::string frames = of.empty() ? "" : " --frames-of " + shell_word(of);
      const std::string command = "flamelet view " + shell_word(here + file) + frames + " --at " + shell_word(link);
      glfwSetClipboardString(self.window_.handle(), command.c_str());
    };
    return host;
  }

  void write_state(const std::string& path) {
    std::string state = viewer_.state();
    if (state == written_state_ && std::filesystem::exists(std::filesystem::u8path(path))) return;
    write_file(path, state);
    written_state_ = std::move(state);
  }

  desktop::GlWindow window_;
  WithCallbacks with_callbacks_;
  Viewer viewer_;
  Redraw redraw_;
  std::vector<std::string> dropped_;
  std::string title_;  // of the window
  std::string written_state_;
  std::optional<desktop::SavedSettings> settings_;
};

int run(ViewOptions options) {
  if (!options.screenshot.empty()) check_output(options.screenshot);
  if (!options.state.empty()) check_output(options.state);
  if (!options.screenshot.empty() && options.frames == 0) {
    options.frames = kScreenshotFrames;
    options.reads_frames = kMostReadingFrames;
  }
  try {
    return DesktopViewer(options).run(options);
  } catch (const CommandError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw CommandError(kExitOutput, error.what());
  }
}

}  // namespace

void add_view_command(Command* program) {
  const auto options = std::make_shared<ViewOptions>();
  Command view = program->add_command("view", "Shows a capture in a window, as the overlay shows the running game");
  view.footer(
      "To open other captures, use File in the window, or drop them onto it: each gets a tab. B in "
      "one tab and B in another compares two captures. Press ? in the window for the keys.\n\n"
      "Examples:\n"
      "  flamelet view game.flamelet\n"
      "  xvfb-run flamelet view game.flamelet --screenshot hitch.png");
  add_input_options(&view, &options->input);
  view.number("--width", "N", &options->width, 64, 16384, "Width of the window (1280)");
  view.number("--height", "N", &options->height, 64, 16384, "Height of the window (720)");
  view.number("--scale", "S", &options->scale, 1, 8, "Size of the text; by default what the display asks for");
  view.text("--at", "LINK", &options->link, "Begin where a link of File, Copy link points: its text from page= on");
  view.text("--set", "NAME=VALUE,...", &options->settings,
            "Settings of the overlay under the names that it saves, such as theme=1,text_percent=150");
  view.flag("--no-settings", &options->no_settings,
            "Neither load nor save the settings of the overlay, as with --set, --frames and --screenshot");
  view.text("--state", "FILE", &options->state,
            "Keep what is shown in this file, as JSON. Remove it to have it written anew");
  view.number("--frames", "N", &options->frames, 0, 1000000, "Draw N frames and quit");
  view.text("--screenshot", "PNG", &options->screenshot,
            "Write the last frame as a picture; without --frames, the 30th or the first with all that is to be read")
      .check([](const std::string& path) -> std::string {
        return ends_with(path, ".png") ? "" : "the picture is a PNG: give it a name that ends with .png";
      });
  view.run([options] { return run(*options); });
}

}  // namespace flamelet::tools

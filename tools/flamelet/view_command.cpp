// SPDX-License-Identifier: MIT
//
// view_command.cpp: `flamelet view`: the overlay fills a window, over a capture instead of a game.
#include <flamelet/overlay.h>

#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "capture_input.h"
#include "command.h"
#include "desktop/gl_window.h"
#include "desktop/imgui_host.h"
#include "desktop/screenshot.h"
#include "display_text.h"
#include "files.h"

namespace flamelet::tools {
namespace {

constexpr double kIdleSeconds = 0.1;  // between frames while nothing happens
constexpr int kFramesToSettle = 4;    // after something happened: tooltips and popups take more than one
constexpr size_t kScreenshotFrames = 30;

struct ViewOptions {
  InputOptions input;
  size_t width = 1280, height = 720;
  double scale = 0;
  size_t frames = 0;  // 0 = until the window is closed
  std::string screenshot;
};

class Viewer {
 public:
  explicit Viewer(const ViewOptions& options)
      : input_(std::make_unique<CaptureInput>(options.input)),
        window_("Flamelet", static_cast<int>(options.width), static_cast<int>(options.height), true),
        with_callbacks_(this),
        imgui_(window_, static_cast<float>(options.scale)) {
    OverlayConfig config;
    config.capture = input_->get();
    config.toggle_key = -1;  // there is nothing behind it
    config.mode = OverlayMode::kActive;
    const flamelet_result result = overlay_create(config, &overlay_);
    if (result != FLAMELET_OK) throw CommandError(kExitInput, flamelet_result_message(result));
    show();
  }
  ~Viewer() { overlay_destroy(overlay_); }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  int run(const ViewOptions& options) {
    glfwSwapInterval(options.frames != 0 ? 0 : 1);
    int busy = kFramesToSettle;
    for (size_t drawn = 1; !glfwWindowShouldClose(window_.handle()); ++drawn) {
      const double before_s = glfwGetTime();
      if (options.frames != 0 || busy > 0)
        glfwPollEvents();
      else
        glfwWaitEventsTimeout(kIdleSeconds);
      // It was something that ended the waiting early.
      busy = busy > 0 ? busy - 1 : glfwGetTime() - before_s < kIdleSeconds ? kFramesToSettle : 0;
      if (!dropped_.empty()) open(std::exchange(dropped_, {}));
      int width = 0, height = 0;
      window_.size(&width, &height);
      if (width != 0 && height != 0) draw(width, height);
      if (drawn == options.frames) {
        if (!options.screenshot.empty()) desktop::write_screenshot(options.screenshot, width, height);
        return kExitDone;
      }
      glfwSwapBuffers(window_.handle());
    }
    return kExitDone;
  }

 private:
  // ImGui's backend calls what was there before it: so this comes before it among the members.
  struct WithCallbacks {
    explicit WithCallbacks(Viewer* viewer) {
      glfwSetWindowUserPointer(viewer->window_.handle(), viewer);
      glfwSetDropCallback(viewer->window_.handle(), [](GLFWwindow* window, int count, const char** paths) {
        if (count > 0) static_cast<Viewer*>(glfwGetWindowUserPointer(window))->dropped_ = paths[0];
      });
    }
  };

  void show() {
    overlay_show_capture(overlay_, input_->get(), input_->name().c_str());
    glfwSetWindowTitle(window_.handle(), (input_->name() + " - Flamelet").c_str());
  }

  void open(const std::string& path) {
    try {
      InputOptions options;
      options.file = path;
      std::unique_ptr<CaptureInput> input = std::make_unique<CaptureInput>(options);
      std::swap(input_, input);
      show();  // before the one that was shown goes
      problem_.clear();
    } catch (const CommandError& error) {
      problem_ = error.what();
      std::fprintf(stderr, "flamelet: %s\n", error.what());
    }
  }

  void draw(int width, int height) {
    imgui_.begin_frame();
    ImGui::NewFrame();
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport->WorkPos);
    ImGui::SetNextWindowSize(viewport->WorkSize);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.08f, 0.09f, 0.11f, 1));
    const bool visible =
        ImGui::Begin("##viewer", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor();
    if (visible) overlay_content(overlay_);
    ImGui::End();
    if (!problem_.empty()) ImGui::OpenPopup("Not opened");
    if (ImGui::BeginPopupModal("Not opened", nullptr, ImGuiWindowFlags_AlwaysAutoResize)) {
      ImGui::TextUnformatted(problem_.c_str());
      if (ImGui::Button("OK")) problem_.clear();
      if (problem_.empty()) ImGui::CloseCurrentPopup();  // also when another file was dropped meanwhile
      ImGui::EndPopup();
    }
    ImGui::Render();
    glViewport(0, 0, width, height);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    imgui_.draw();
  }

  std::unique_ptr<CaptureInput> input_;  // before the window: what is wrong with a file needs none to be said
  desktop::GlWindow window_;
  WithCallbacks with_callbacks_;
  desktop::ImGuiHost imgui_;
  Overlay* overlay_ = nullptr;
  std::string dropped_;
  std::string problem_;
};

int run(ViewOptions options) {
  if (!options.screenshot.empty()) check_output(options.screenshot);
  if (!options.screenshot.empty() && options.frames == 0) options.frames = kScreenshotFrames;
  try {
    return Viewer(options).run(options);
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
      "To open other captures, use File in the window, or drop them onto it. Press ? in the window for the keys.\n\n"
      "Examples:\n"
      "  flamelet view game.flamelet\n"
      "  xvfb-run flamelet view game.flamelet --screenshot hitch.png");
  add_input_options(&view, &options->input);
  view.number("--width", "N", &options->width, 64, 16384, "Width of the window (1280)");
  view.number("--height", "N", &options->height, 64, 16384, "Height of the window (720)");
  view.number("--scale", "S", &options->scale, 1, 8, "Size of the text; by default what the display asks for");
  view.number("--frames", "N", &options->frames, 0, 1000000, "Draw N frames and quit");
  view.text("--screenshot", "PNG", &options->screenshot,
            "Write the last frame as a picture; without --frames, the 30th")
      .check([](const std::string& path) -> std::string {
        return ends_with(path, ".png") ? "" : "the picture is a PNG: give it a name that ends with .png";
      });
  view.run([options] { return run(*options); });
}

}  // namespace flamelet::tools

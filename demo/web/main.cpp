// SPDX-License-Identifier: MIT
//
// A game in a page, with the overlay in it: F1 shows it, File saves what was recorded as a download. It has one thread.
#include <emscripten.h>
#include <flamelet/flamelet.h>
#include <flamelet/overlay.h>
#include <imgui.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "bubbles.h"
#include "desktop/gl_window.h"
#include "desktop/imgui_host.h"

namespace demo {
namespace {

class Game {
 public:
  Game() : window_("Flamelet's web demo", 1280, 720, true), imgui_(window_) {
    flamelet::desktop::page_take_over(window_);
    flamelet_config recorder = flamelet_config_default();
    recorder.budget_bytes = size_t{16} << 20;
    check(flamelet_init(&recorder));
    flamelet_set_thread_name("Main");
    flamelet::OverlayConfig config;
    config.budget_bytes = size_t{64} << 20;
    config.mode = flamelet::OverlayMode::kHud;
    config.host.capture_saved = [](void*, const char* path) { flamelet::desktop::page_download(path); };
    check(flamelet::overlay_create(config, &overlay_));
  }

  void frame() {
    int width = 0, height = 0;
    window_.size(&width, &height);
    if (width == 0 || height == 0) return;
    {
      FLAMELET_SCOPE("Frame");
      imgui_.begin_frame();
      flamelet::overlay_apply_touch(overlay_);
      ImGui::NewFrame();
      play(static_cast<float>(width), static_cast<float>(height));
      {
        FLAMELET_SCOPE("Show overlay");
        flamelet::overlay_show(overlay_);
      }
      FLAMELET_SCOPE("Draw");
      ImGui::Render();
      window_.clear(width, height);
      imgui_.draw();
    }
    flamelet_frame();
    flamelet::desktop::page_drawn();
  }

  void touch(int finger, int phase, double x, double y) {
    flamelet::overlay_touch(overlay_, static_cast<uint64_t>(finger), static_cast<flamelet::TouchPhase>(phase),
                            static_cast<float>(x), static_cast<float>(y));
  }

  std::string state() const {
    std::string text(flamelet::overlay_write_state(overlay_, nullptr, 0) + 1, '\0');
    flamelet::overlay_write_state(overlay_, text.data(), text.size());
    text.pop_back();  // the closing 0
    return text;
  }

 private:
  static void check(flamelet_result result) {
    if (result != FLAMELET_OK) throw std::runtime_error(flamelet_result_message(result));
  }

  void play(float width, float height) {
    FLAMELET_SCOPE("Play");
    const char* const hint = "A click bursts bubbles.   F1, or a click here: the profiler";
    const float line = ImGui::GetFontSize();
    const ImVec2 hint_begin(0, height - 2.5f * line), hint_end(ImGui::CalcTextSize(hint).x + 2 * line, height);
    const ImGuiIO& io = ImGui::GetIO();
    if (!io.WantCaptureMouse && ImGui::IsMouseClicked(0)) {
      if (ImGui::IsMouseHoveringRect(hint_begin, hint_end, false))  // for who has no keyboard
        flamelet::overlay_set_mode(overlay_, flamelet::overlay_mode(overlay_) == flamelet::OverlayMode::kActive
                                                 ? flamelet::OverlayMode::kHud
                                                 : flamelet::OverlayMode::kActive);
      else
        bubbles_.burst(io.MousePos.x, io.MousePos.y);
    }
    bubbles_.step(width, height);
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    bubbles_.draw(list);
    list->AddRectFilled(hint_begin, hint_end, IM_COL32(0, 0, 0, 220));
    list->AddText({line, height - 1.75f * line}, IM_COL32(255, 240, 220, 255), hint);
  }

  flamelet::desktop::GlWindow window_;
  flamelet::desktop::ImGuiHost imgui_;
  flamelet::Overlay* overlay_ = nullptr;
  Bubbles bubbles_;
};

std::unique_ptr<Game> game;

}  // namespace
}  // namespace demo

// What page.js calls.
extern "C" {

EMSCRIPTEN_KEEPALIVE const char* page_state() {
  static std::string state;
  state = demo::game->state();
  return state.c_str();
}

// Fingers are the overlay's: they become ImGui's mouse, which the game reads, too.
EMSCRIPTEN_KEEPALIVE int page_touch(int finger, int phase, double x, double y) {
  demo::game->touch(finger, phase, x, y);
  return 1;
}
}

int main() {
  try {
    demo::game = std::make_unique<demo::Game>();
  } catch (const std::runtime_error& error) {
    flamelet::desktop::page_say(error.what());
    return 1;
  }
  emscripten_set_main_loop([] { demo::game->frame(); }, 0, 0);
  return 0;
}

// SPDX-License-Identifier: MIT
//
// view_page.cpp: `flamelet view` as a page. page.js gives it files and links, and asks for its state.
#include <emscripten.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "desktop/gl_window.h"
#include "display_text.h"
#include "viewer.h"

namespace flamelet::tools {
namespace {

constexpr double kIdleMs = 100;  // between pictures while nothing happens

class Page {
 public:
  Page() : window_("Flamelet", 1280, 720, true), viewer_(window_, 0, host()) { desktop::page_take_over(window_); }

  void step() {
    const double begin_ms = emscripten_get_now();
    int width = 0, height = 0;
    window_.size(&width, &height);
    desktop::Gamepad pad;  // no event tells of its buttons
    if (width != width_ || height != height_ || desktop::read_gamepad(&pad)) redraw_.something_happened();
    if (width == 0 || height == 0 || (!redraw_.draws() && begin_ms - drawn_ms_ < kIdleMs)) return;
    width_ = width;
    height_ = height;
    drawn_ms_ = begin_ms;
    viewer_.build();
    const double built_ms = emscripten_get_now();
    viewer_.draw(width, height);
    redraw_.drawn();
    if (viewer_.goes_on()) redraw_.something_happened();
    ++pictures_;
    build_ms_ += built_ms - begin_ms;
    draw_ms_ += emscripten_get_now() - built_ms;
    if (viewer_.overlay() != nullptr) desktop::page_drawn();
  }

  Viewer& viewer() { return viewer_; }
  void wake() { redraw_.something_happened(); }

  // Means over the pictures since the last call: our own work and Dear ImGui's, and the calls of OpenGL.
  std::string numbers() {
    const double pictures = std::max(1.0, static_cast<double>(pictures_));
    const std::string text = "{\"pictures\": " + std::to_string(pictures_) +
                             ", \"build_ms\": " + fixed(build_ms_ / pictures, 6) +
                             ", \"draw_ms\": " + fixed(draw_ms_ / pictures, 6) + "}";
    pictures_ = 0;
    build_ms_ = draw_ms_ = 0;
    return text;
  }

 private:
  static OverlayHost host() {
    OverlayHost host;
    host.choose_capture = [](void*) { desktop::page_choose_file(); };
    host.capture_saved = [](void*, const char* path) { desktop::page_download(path); };
    host.copy_link = [](void*, const char* link) { desktop::page_copy_link(link); };
    return host;
  }

  desktop::GlWindow window_;
  Viewer viewer_;
  Redraw redraw_;
  int width_ = 0, height_ = 0;
  double drawn_ms_ = 0;
  unsigned pictures_ = 0;
  double build_ms_ = 0, draw_ms_ = 0;
};

std::unique_ptr<Page> page;
std::string answer;  // what the last call returned

const char* give(std::string text) {
  answer = std::move(text);
  return answer.c_str();
}

}  // namespace
}  // namespace flamelet::tools

using namespace flamelet::tools;

// What page.js calls. There is a page whenever it does.
extern "C" {

EMSCRIPTEN_KEEPALIVE int page_open(const char* path) {
  page->wake();
  return page->viewer().open(path);
}

EMSCRIPTEN_KEEPALIVE void page_go_to(const char* link) {
  page->wake();
  if (page->viewer().overlay() != nullptr) page->viewer().go_to(link);
}

// A finger; `phase` is a TouchPhase, (x, y) pixels of the canvas. 0 if nothing is there to be touched.
EMSCRIPTEN_KEEPALIVE int page_touch(int finger, int phase, double x, double y) {
  page->wake();
  return page->viewer().touch(static_cast<uint64_t>(finger), static_cast<flamelet::TouchPhase>(phase),
                              static_cast<float>(x), static_cast<float>(y));
}

EMSCRIPTEN_KEEPALIVE void page_wake() {
  page->wake();
}

EMSCRIPTEN_KEEPALIVE const char* page_title() {
  return give(page->viewer().title());
}
EMSCRIPTEN_KEEPALIVE const char* page_problem() {
  return give(page->viewer().problem());
}
EMSCRIPTEN_KEEPALIVE const char* page_state() {
  return give(page->viewer().state());
}
EMSCRIPTEN_KEEPALIVE const char* page_numbers() {
  return give(page->numbers());
}
}

int main() {
  try {
    page = std::make_unique<Page>();
  } catch (const std::runtime_error& error) {
    flamelet::desktop::page_say(error.what());
    return 1;
  }
  emscripten_set_main_loop([] { page->step(); }, 0, 0);
  return 0;
}

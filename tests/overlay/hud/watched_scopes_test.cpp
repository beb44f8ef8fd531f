// SPDX-License-Identifier: MIT
#include "hud/hud.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "overlay/recorded_game.h"
#include "support/capture.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

std::string text_of(const WatchedScopes& watched) {
  FixedText<8192> text;
  watched.write(&text);
  return std::string(text.view());
}

std::vector<flamelet_budget> budgets_of(const std::string& text) {
  std::vector<flamelet_budget> budgets(200);
  size_t count = 0;
  REQUIRE(flamelet_budgets_read(text.data(), text.size(), budgets.data(), budgets.size(), &count, nullptr) ==
          FLAMELET_OK);
  budgets.resize(count);
  return budgets;
}

}  // namespace

TEST_CASE("overlay pins: eight scopes, in the order of pinning; a GPU scope apart from a CPU scope of its name") {
  WatchedScopes watched;
  CHECK(watched.pin("a", false, true));
  CHECK(watched.pin("a", true, true));
  CHECK(watched.is_pinned("a", false));
  CHECK(watched.is_pinned("a", true));
  for (int i = 2; i < 8; ++i) CHECK(watched.pin("scope " + std::to_string(i), false, true));
  CHECK(watched.pin_count() == 8);
  CHECK_FALSE(watched.pin("ninth", false, true));
  CHECK(watched.pin("a", false, true));  // it is
  CHECK(std::string(watched.pinned(2).name) == "scope 2");
  const uint32_t version = watched.version();
  CHECK(watched.pin("a", false, false));
  CHECK(watched.version() != version);
  CHECK(watched.pin_count() == 7);
  CHECK(watched.pinned(0).on_gpu);
  CHECK(watched.pin("ninth", false, true));
  CHECK(std::string(watched.pinned(7).name) == "ninth");
  CHECK(watched.pin("unknown", false, false));
  CHECK_FALSE(watched.pin("", false, true));
  CHECK_FALSE(watched.pin(std::string(64, 'x'), false, true));
  CHECK_FALSE(watched.pin("two\nlines", false, true));
}

TEST_CASE_FIXTURE(WatchedScopes, "overlay pins: the user's budget of a scope comes before the program's") {
  int64_t frame_ns = 5;
  REQUIRE(give(nullptr, 0, &frame_ns));
  CHECK(frame_ns == 5);
  const std::string text = "frame 20\nframe 10 p99\nscope 4 p99 a\nscope 3 a\nscope 1 p50 a\nscope 1 mean b\n";
  auto budgets = budgets_of(text);  // which point into it
  REQUIRE(give(budgets.data(), budgets.size(), &frame_ns));
  CHECK(frame_ns == 10000000);
  CHECK(budget_of("a", false) == 3000000);  // the strictest of those for each frame
  CHECK(budget_of("a", true) == 3000000);
  CHECK(budget_of("b", false) == 0);
  CHECK(set_budget("a", false, 7000000));
  CHECK(budget_of("a", false) == 7000000);
  CHECK(budget_of("a", true) == 3000000);
  CHECK(set_budget("a", false, 0));
  CHECK(budget_of("a", false) == 3000000);
  // Too many, or a name that is too long: nothing changes.
  std::string many;
  for (int i = 0; i < 65; ++i) many += "scope 1 name " + std::to_string(i) + "\n";
  budgets = budgets_of(many);
  CHECK_FALSE(give(budgets.data(), budgets.size(), &frame_ns));
  const std::string too_long = "scope 1 " + std::string(64, 'x') + "\n";
  budgets = budgets_of(too_long);
  CHECK_FALSE(give(budgets.data(), budgets.size(), &frame_ns));
  CHECK(budget_of("a", false) == 3000000);
}

TEST_CASE("overlay pins: they come back from their text, and nonsense is skipped") {
  WatchedScopes watched;
  watched.pin("Physics, step = 1", false, true);
  watched.pin("Shadow pass", true, true);
  watched.set_budget("Shadow pass", true, 2500000);
  watched.set_budget("AI", false, 1000000);
  const std::string text = text_of(watched);
  CHECK(text == "watch=1,0,0,Physics, step = 1\nwatch=1,1,2500000,Shadow pass\nwatch=0,0,1000000,AI\n");
  WatchedScopes other;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    other.read(text.substr(at + 6, text.find('\n', at) - at - 6));
  CHECK(text_of(other) == text);
  for (const char* nonsense :
       {"", "1", "1,0", "1,0,0", "1,0,0,", "2,0,0,a", "1,0,-5,a", "x,0,0,a", "1,0,99999999999999999999,a"})
    other.read(nonsense);
  CHECK(text_of(other) == text);
}

TEST_CASE("overlay pins: each frame's time of each pin, CPU and GPU apart, and the newest frames stay") {
  RecordedGame game(small_game());
  recorder_test::Capture capture{flamelet_capture_config_default()};
  std::vector<char> memory(size_t{4} << 20);
  Carver carver(memory.data());
  PinTimes pins;
  Array<flamelet_span> scratch;
  pins.carve(&carver);
  carver.take(&scratch, 20000);
  WatchedScopes watched;
  watched.pin("Physics::step", false, true);
  watched.pin("Scene pass", false, true);
  watched.pin("Scene pass", true, true);
  watched.pin("nothing of this name", false, true);
  game.frames(20);
  capture.update();
  const auto update = [&] {
    for (int i = 0; i < 200; ++i) pins.update(capture, flamelet_capture_frame_count(capture) - 3, watched, &scratch, 1);
  };
  update();
  REQUIRE(pins.frame_count() >= 10);
  CHECK(pins.time_ns(0, 0) > 2000000);
  CHECK(pins.time_ns(1, 0) > 900000);
  CHECK(pins.time_ns(1, 0) < 2500000);
  CHECK(pins.time_ns(2, 0) > 4000000);  // on the GPU
  CHECK(pins.time_ns(3, 0) == 0);
  ScopeKey key;
  CHECK(pins.scope(0, &key));
  CHECK_FALSE(pins.scope(3, &key));
  for (int i = 0; i < 5; ++i) game.frame();
  game.frame(8);
  game.frame();
  game.frame();
  capture.update();
  const uint32_t before = pins.frame_count();
  update();
  CHECK(pins.frame_count() == before + 8);
  CHECK(pins.time_ns(0, 0) > 3 * pins.time_ns(0, 1));  // the slow frame is the newest of which all is known
  // Other pins, other times.
  watched.pin("Physics::step", false, false);
  update();
  CHECK(pins.time_ns(1, 0) > 4000000);
  for (int i = 0; i < 300; ++i) game.frame();
  capture.update();
  update();
  CHECK(pins.frame_count() == PinTimes::kFrames);
}

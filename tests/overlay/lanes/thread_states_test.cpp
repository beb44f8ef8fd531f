// SPDX-License-Identifier: MIT
//
// The edge above a lane, the lane of the processors, and what their tooltips say.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "overlay/drawn_text.h"
#include "overlay/state_scene.h"

using namespace flamelet_tests;
using flamelet::ui::Lane;
namespace color = flamelet::ui::color;

namespace {

// Spaces are not drawn.
bool shows(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const DrawnTexts drawn(0);
  for (const DrawnText& other : drawn.texts())
    if (other.text.find(text) != std::string::npos) return true;
  return false;
}

struct RecordedStates : StateScene {
  RecordedStates() { record_frames(); }
};
struct ShownStates : RecordedStates {
  StatePlayer player{*this};
};

}  // namespace

TEST_CASE_FIXTURE(ShownStates, "thread states: the edge above a lane says what its thread did when") {
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  player.move(1, 1);
  const DrawnTexts drawn(0);
  const int bottom = static_cast<int>(player.page().canvas.y + player.lane("Main")->y) - 2;
  const auto pixel = [&](int64_t ms, int above) {
    return drawn.pixel(static_cast<int>(player.x_of(10'000'001 + ms * 1'000'000 + 500'000)), bottom - above);
  };
  for (const int64_t ms : {0, 1, 5, 6}) CHECK(pixel(ms, 1) == color::kRunning);
  for (const int64_t ms : {7, 8}) CHECK(pixel(ms, 1) == color::kTakenOff);
  for (const int64_t ms : {2, 3, 4}) {
    CHECK(pixel(ms, 0) == color::kAsleep);
    CHECK(pixel(ms, 1) != color::kAsleep);  // thinner
  }
}

TEST_CASE_FIXTURE(ShownStates,
                  "thread states: over the edge and over a wait, it is said who ran instead, where, and how long") {
  const int64_t begin = 10'000'001;
  player.hover("Main", begin + 7'500'000, -2);
  CHECK(shows("taken off by Worker, on processor 0, for 1.00 ms"));
  player.hover("Main", begin + 8'500'000, -2);
  CHECK(shows("taken off by another program, on processor 0, for 1.00 ms"));
  player.hover("Main", begin + 500'000, -2);
  CHECK(shows("running, on processor 0, for 2.00 ms"));
  player.hover("Main", begin + 3'000'000, player.overlay->unit * 25);  // the wait, in the second row
  CHECK(shows("Wait for jobs"));
  CHECK(shows("asleep, for 3.00 ms"));
  player.hover("Worker", begin + 20'000, -2);
  CHECK(shows("asleep, for 5.00 ms"));
}

TEST_CASE_FIXTURE(ShownStates, "thread states: a lane's label says how much of the frames was what, with the colours") {
  player.move(player.page().canvas.x - 40, player.page().canvas.y + player.lane("Main")->y + 4);
  player.frames(3);
  for (const char* text : {"in the shown frames", "running", "taken off", "asleep", "2.00 ms", "3.05 ms"}) {
    CAPTURE(text);
    CHECK(shows(text));
  }
}

TEST_CASE_FIXTURE(ShownStates, "thread states: each processor has a row that says who ran there") {
  REQUIRE(player.lane("Processors") != nullptr);
  CHECK(player.number("processors") == 2);
  CHECK(shows("processor 0"));
  CHECK(shows("processor 1"));
  const int64_t begin = 10'000'001;
  const float row = player.lane("Processors")->height / 2;
  player.hover("Processors", begin + 7'500'000, row * 0.5f);
  CHECK(shows("Worker, on processor 0, for 1.00 ms"));
  player.hover("Processors", begin + 8'500'000, row * 0.5f);
  CHECK(shows("another program, on processor 0"));
  player.hover("Processors", begin + 4'000'000, row * 1.5f);
  CHECK(shows("Worker, on processor 1, for 3.00 ms"));
  player.hover("Processors", begin + 8'000'000, row * 1.5f);
  CHECK(shows("idle, or another program"));
}

TEST_CASE_FIXTURE(
    RecordedStates,
    "thread states: a processor with a high number has a row, and a folded lane of processors reads nothing") {
  constexpr uint16_t kLast = FLAMELET_MAX_PROCESSORS - 1;
  switches.thread_switch(39'960'000, 1, kLast, flamelet::kSwitchIn);
  switches.thread_switch(39'980'000, 1, kLast, flamelet::kSwitchAsleep);
  feed();
  StatePlayer player(*this, 0, 3);
  REQUIRE(player.lane("Processors") != nullptr);
  const flamelet::ui::StateBlocks& blocks = player.page().states;
  CHECK(player.number("processors") == kLast + 1);

  for (flamelet::ui::Lane& lane : player.overlay->store.lanes())
    if (lane.content == flamelet::ui::LaneContent::kProcessors) lane.folded = true;
  const flamelet::ui::StateBlocks::Key before = blocks.processors_key;
  flamelet::overlay_select_frames(player.overlay, 2, 2);
  player.frames(40);
  CHECK(blocks.processors_key == before);
  CHECK_FALSE(blocks.edges_key == before);
}

TEST_CASE_FIXTURE(ShownStates, "thread states: the page Scope and the line below the pages split a scope's time") {
  player.hover("Main", 10'000'001 + 3'000'000, player.overlay->unit * 25);
  player.click();
  player.frames(10);
  CHECK(shows("asleep"));
  CHECK(shows("3.00 ms"));
  player.open_page("scope");
  for (int i = 0; i < 100 && player.state("scope_reading") == "true"; ++i) player.frames();
  player.frames(5);
  CHECK(player.number("scope_calls") == 1);
  CHECK(player.number("scope_running_ns") == 1'000'000);
  CHECK(player.number("scope_asleep_ns") == 3'000'000);
  CHECK(player.number("scope_taken_off_ns") == 0);
  CHECK(shows("1.00 ms  25.0%"));
}

TEST_CASE("thread states: without states there is neither an edge nor a lane of processors") {
  StateScene scene;
  scene.record_frames(false);
  StatePlayer player(scene);
  CHECK(player.lane("Main") != nullptr);
  CHECK(player.lane("Processors") == nullptr);
  CHECK(player.state("state_blocks") == "(no such field)");
}

TEST_CASE("thread states: however many switches are in view, the rectangles are bounded") {
  StateScene scene(40);
  scene.record_frames(false);
  for (uint32_t i = 0; i < 60'000; ++i) {
    const uint32_t thread = 1 + i % 40;
    const bool in = i / 40 % 2 == 0;
    const uint16_t what = in ? flamelet::kSwitchIn : i % 3 == 0 ? flamelet::kSwitchTakenOff : flamelet::kSwitchAsleep;
    scene.switches.thread_switch(1 + i * 660, thread, static_cast<uint16_t>(thread % 16), what);
  }
  for (uint32_t i = 2; i < 40; ++i) {
    scene.builders[i]->begin(100, 2);
    scene.builders[i]->end(39 * kSceneMs);
  }
  scene.feed();
  for (const auto& [first, last] : {std::pair<uint64_t, uint64_t>{0, 3}, {1, 1}}) {
    StatePlayer player(scene, first, last);
    CHECK(player.number("state_blocks") > 100);
    CHECK(player.number("state_blocks") <= 1000);
    CHECK(player.number("processor_blocks") > 16);
    CHECK(player.number("processor_blocks") <= 700);
    const std::string text = player.whole_state();
    CHECK(text.find("\"processor_blocks\"") == text.rfind("\"processor_blocks\""));
    CHECK(HeadlessImGui::vertices_sane());
  }
}

TEST_CASE_FIXTURE(RecordedStates,
                  "thread states: all that is said of them can be read, in every theme" * doctest::test_suite("gate")) {
  StatePlayer player(*this, 0, 2);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  for (const std::string look : {"theme=0\n", "theme=1\n", "theme=2\n"}) {
    player.load_settings(look);
    const float label = player.page().canvas.x - 40, row = player.overlay->unit * 17;
    const float main = player.page().canvas.y + player.lane("Main")->y;
    const float processors = player.page().canvas.y + player.lane("Processors")->y;
    for (const auto& [x, y] : {std::pair<float, float>{player.x_of(17'500'000), main - 2},
                               {player.x_of(14'000'000), main + row * 1.5f},
                               {label, main + 4},
                               {player.x_of(17'500'000), processors + row * 0.5f},
                               {label, processors + 4}}) {
      player.move(x, y);
      player.frames(3);
      const DrawnTexts drawn(look == "theme=1\n" ? 0x000000u : 0xFFFFFFu);
      for (const DrawnText& text : drawn.texts()) {
        CAPTURE(look);
        CAPTURE(text.text);
        CAPTURE(text.contrast);
        CHECK(text.contrast >= flamelet::ui::kLeastContrast);
        CHECK_FALSE(text.overlaps);
        CHECK_FALSE(text.cut);
      }
    }
  }
}

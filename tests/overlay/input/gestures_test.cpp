// SPDX-License-Identifier: MIT
//
// Each gesture that the help page names is done once, and what it changes is seen in the state. A gesture without a test
// fails the last test case.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "input/touch_gestures.h"
#include "lanes/lanes_page.h"
#include "overlay/gesture_scene.h"
#include "overlay/key_effects.h"
#include "overlay/placed_gestures.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

std::string name_of(uint32_t action, Device device, const std::string& gesture) {
  static constexpr const char* kDevices[] = {"keys", "mouse", "gamepad", "touch"};
  return std::string(kActionTable[action].name) + " by " + kDevices[static_cast<int>(device)] + ": " + gesture;
}

std::string text_of(Chord chord) {
  flamelet::ui::FixedText<64> text;
  flamelet::ui::write_chord(chord, &text);
  return text.c_str();
}

bool try_gesture(const Prepare& prepare, const std::function<bool(Scene&)>& perform, const Seen& seen) {
  Scene scene;
  prepare(scene);
  const State before(scene.player());
  if (!perform(scene)) return true;  // not in this version of ImGui
  return seen(scene, before);
}

const Effect* effect_of(const Action& action) {
  for (const Effect& effect : effects())
    if (std::string(effect.action) == action.name) return &effect;
  return nullptr;
}

// All that the help page names.
std::vector<std::string> named_gestures() {
  OverlayPlayer player;
  std::vector<std::string> all;
  for (uint32_t action = 0; action < kActionCount; action = flamelet::ui::row_end(action))
    for (uint32_t device = 0; device < kDeviceCount; ++device) {
      flamelet::ui::FixedText<128> text;
      flamelet::ui::write_gestures(*player.overlay, action, static_cast<Device>(device), &text);
      // Commas separate gestures, but for the comma key and "up, down".
      std::string rest(text.view());
      for (size_t at = 0; !rest.empty();) {
        at = rest.find(", ", rest.rfind(", ,") == 0 ? 1 : 0);
        std::string gesture = rest.substr(0, at);
        rest = at == std::string::npos ? "" : rest.substr(at + 2);
        if (rest == "down") gesture += ", " + std::exchange(rest, "");
        if (kActionTable[action].key_setting != nullptr && device == 0) gesture = "(setting)";
        all.push_back(name_of(action, static_cast<Device>(device), gesture));
      }
    }
  return all;
}

// What the tests here do, by the same names: a row of the help page stands for both halves.
std::vector<std::string> tested_gestures() {
  std::vector<std::string> all;
  for (uint32_t row = 0; row < kActionCount; row = flamelet::ui::row_end(row))
    for (uint32_t i = row; i < flamelet::ui::row_end(row); ++i) {
      const Action& action = kActionTable[i];
      if (effect_of(action) != nullptr) {
        for (const Chord chord : action.chords)
          if (chord.key != Key::kNone) all.push_back(name_of(row, Device::kKeys, text_of(chord)));
        if (action.pad < Pad::kModeChord)
          all.push_back(name_of(row, Device::kGamepad, flamelet::ui::pad_name(action.pad)));
      }
      if (std::string(action.name) == "page")
        for (uint32_t p = 0; p < flamelet::ui::kPageCount; ++p)
          all.push_back(name_of(row, Device::kKeys, std::string(1, flamelet::ui::kPages[p].key)));
      for (const GestureTest& test : placed_gestures())
        if (std::string(test.action) == action.name) all.push_back(name_of(row, test.device, test.gesture));
    }
  return all;
}

std::vector<std::string> missing(const std::vector<std::string>& named, const std::vector<std::string>& tested) {
  std::vector<std::string> left;
  for (const std::string& gesture : named)
    if (std::find(tested.begin(), tested.end(), gesture) == tested.end()) left.push_back(gesture);
  return left;
}

}  // namespace

TEST_CASE("gestures: each key of the table does what its action says") {
  for (uint32_t i = 0; i < kActionCount; ++i) {
    const Effect* effect = effect_of(kActionTable[i]);
    for (const Chord chord : kActionTable[i].chords) {
      if (effect == nullptr || chord.key == Key::kNone) continue;
      const std::string name = name_of(i, Device::kKeys, text_of(chord));
      CAPTURE(name);
      CHECK(try_gesture(
          effect->prepare, [&](Scene& s) { return press_chord(&s.player(), chord); }, effect->seen));
    }
  }
}

namespace {

// Each action of which `can` says that it may be done by `perform`.
template <class Can, class Perform>
void try_actions(Can can, Perform perform) {
  for (uint32_t i = 0; i < kActionCount; ++i) {
    const Effect* effect = effect_of(kActionTable[i]);
    if (effect == nullptr || !can(kActionTable[i])) continue;
    const std::string name = kActionTable[i].name;
    CAPTURE(name);
    CHECK(try_gesture(
        effect->prepare, [&](Scene& s) { return perform(s, i), true; }, effect->seen));
  }
}

}  // namespace

TEST_CASE("gestures: each button of the gamepad does what its action says") {
  try_actions([](const Action& action) { return knows_pad(action.pad) && action.pad < Pad::kModeChord; },
              [](Scene& s, uint32_t action) { press_pad(&s.player(), kActionTable[action].pad); });
}

TEST_CASE_FIXTURE(Scene, "gestures: each page has a key of its own") {
  for (uint32_t i = flamelet::ui::kPageCount; i-- > 0;) {
    const flamelet::ui::PageRow& page = flamelet::ui::kPages[i];
    CAPTURE(page.name);
    press_chord(&player(), {flamelet::ui::key_of(page.key)});
    CHECK(player().state("page") == '"' + std::string(page.name) + '"');
    for (uint32_t j = 0; j < i; ++j) CHECK(flamelet::ui::kPages[j].key != page.key);
  }
}

TEST_CASE("gestures: a line of the help page does what its keys do" * doctest::test_suite("gate")) {
  try_actions([](const Action& action) { return std::string(action.name) != "help"; },
              [](Scene& s, uint32_t action) {
                s.player().overlay->window.help_open = true;
                s.player().frames(2);
                s.player().overlay->window.help_pressed = action;
                s.player().frames(3);
              });
}

TEST_CASE("gestures: each gesture with a place does what its action says") {
  for (const GestureTest& test : placed_gestures()) {
    const std::string name = std::string(test.action) + ": " + test.gesture;
    CAPTURE(name);
    CHECK(try_gesture(
        test.prepare,
        [&](Scene& s) {
          test.perform(s);
          return true;
        },
        test.seen));
  }
}

TEST_CASE("gestures: the help page names none that no test does") {
  const std::vector<std::string> named = named_gestures();
  std::vector<std::string> tested = tested_gestures();
  CHECK(named.size() > 60);
  for (const std::string& gesture : missing(named, tested)) FAIL_CHECK("no test does: " << gesture);
  // The check itself: one that is taken away is found.
  tested.erase(std::remove(tested.begin(), tested.end(), named.back()), tested.end());
  CHECK(missing(named, tested) == std::vector<std::string>{named.back()});
}

#ifdef FLAMELET_DOCS  // not where only ImGui's versions are compared

TEST_CASE_FIXTURE(OverlayPlayer, "gestures: the table in docs/overlay.md is that of the actions") {
  std::string table = "| action | keys | mouse | gamepad | touch |\n|---|---|---|---|---|\n";
  for (uint32_t action = 0; action < kActionCount; action = flamelet::ui::row_end(action)) {
    table += "| " + std::string(kActionTable[action].effect) + " |";
    for (uint32_t device = 0; device < kDeviceCount; ++device) {
      flamelet::ui::FixedText<128> text;
      if (kActionTable[action].key_setting != nullptr && device == 0)
        text.add(std::string(kActionTable[action].name) == "mode"               ? "F1, or your key"
                 : std::string(kActionTable[action].name) == "save"             ? "F2, or your key"
                 : std::string(kActionTable[action].name) == "pause_everywhere" ? "Ctrl+F1, or Ctrl and your key"
                                                                                : "your key");
      else
        flamelet::ui::write_gestures(*overlay, action, static_cast<Device>(device), &text);
      table += text.view().empty() ? " |" : " " + std::string(text.view()) + " |";
    }
    table += "\n";
  }
  std::ifstream file(FLAMELET_DOCS "/overlay.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const bool same = page.find(table) != std::string::npos;
  if (!same) MESSAGE("docs/overlay.md should have:\n" << table);
  CHECK(same);
}

#endif

// ---- Where fingers pan --------------------------------------------------------------------------------------------

using Phase = TouchGestures::Phase;

namespace {

// Whether a finger that moves to the right there pans the lanes.
bool pans(Scene& scene, float y) {
  const double before_ns = scene.player().number("view_begin_ns");
  scene.swipe(scene.played.x(0.4), y, scene.played.x(0.4) + 150, y);
  return scene.player().number("view_begin_ns") < before_ns;
}

}  // namespace

TEST_CASE("overlay touch: one finger pans also where the canvas is empty below the lanes") {
  Scene scene;
  const flamelet::ui::LaneCanvas& canvas = flamelet::ui::lanes_of(scene.overlay()).canvas;
  const float bottom = canvas.bottom - 5;
  REQUIRE(bottom > canvas.y + canvas.height);
  CHECK(pans(scene, bottom));
}

TEST_CASE("overlay touch: one finger below a window of lanes that has more of them pans nothing") {
  Scene scene;
  scene.low_window();
  const flamelet::ui::LaneCanvas& canvas = flamelet::ui::lanes_of(scene.overlay()).canvas;
  const float below = canvas.bottom + 5;
  REQUIRE(below < canvas.y + canvas.height);
  CHECK_FALSE(pans(scene, below));
}

// ---- Touch gestures -----------------------------------------------------------------------------------------------

namespace {

// What the mouse does, frame by frame: "m" moved there, "L"/"R" a button went down, "l"/"r" up, "-" it is nowhere.
struct Screen {
  Screen() { gestures.set_scale(1, {100, 100, 400, 300}); }
  void touch(uint64_t finger, Phase phase, float x, float y) { gestures.touch(finger, phase, x, y, now_s); }
  std::string frames(int count) {
    std::string seen;
    for (int i = 0; i < count; ++i) {
      now_s += 1.0 / 60;
      TouchMouse mouse;
      if (!gestures.next_frame(now_s, &mouse)) continue;
      int changes = 0;
      for (int button = 0; button < 2; ++button) {
        if (mouse.down[button] == before.down[button]) continue;
        seen += mouse.down[button] ? "LR"[button] : "lr"[button];
        ++changes;
      }
      CHECK(changes <= 1);
      if (changes == 0 && mouse.present && (!before.present || mouse.x != before.x || mouse.y != before.y)) seen += 'm';
      if (!mouse.present && before.present) seen += '-';
      before = mouse;
    }
    return seen;
  }

  TouchGestures gestures;
  TouchMouse before;
  double now_s = 10;
};

}  // namespace

TEST_CASE_FIXTURE(Screen, "touch: a tap is a click where the finger was") {
  touch(1, Phase::kBegan, 200, 150);
  touch(1, Phase::kMoved, 203, 152);
  touch(1, Phase::kEnded, 203, 152);
  CHECK(frames(8) == "mLl-");
  CHECK(frames(8) == "");
}

TEST_CASE_FIXTURE(Screen, "touch: a long press is a click of the right button, while the finger is still there") {
  touch(1, Phase::kBegan, 200, 150);
  CHECK(frames(20) == "");
  CHECK(frames(20) == "mRr");
  touch(1, Phase::kMoved, 300, 150);
  touch(1, Phase::kEnded, 300, 150);
  CHECK(frames(8) == "-");
}

TEST_CASE("touch: one finger drags, with the right button over the pan area and the left one elsewhere") {
  Screen s;
  const auto drag = [&](float x) {
    s.touch(7, Phase::kBegan, x, 150);
    std::string seen = s.frames(2);
    s.touch(7, Phase::kMoved, x + 20, 150);
    seen += s.frames(4);
    CHECK(s.before.x == x + 20);
    s.touch(7, Phase::kMoved, x + 40, 150);
    s.touch(7, Phase::kEnded, x + 45, 150);
    return seen + s.frames(6);
  };
  CHECK(drag(200) == "mRmmmr-");
  CHECK(drag(20) == "mLmmml-");
}

TEST_CASE_FIXTURE(Screen, "touch: two fingers pinch, and the drag that one began ends first") {
  touch(1, Phase::kBegan, 200, 150);
  touch(1, Phase::kMoved, 220, 150);
  CHECK(frames(4) == "mRm");
  touch(2, Phase::kBegan, 320, 150);
  CHECK(frames(4) == "r");
  CHECK_FALSE(gestures.take_pinch().any);
  touch(2, Phase::kMoved, 420, 150);
  const Pinch pinch = gestures.take_pinch();
  CHECK(pinch.any);
  CHECK(pinch.factor == doctest::Approx(0.5));
  CHECK(pinch.x == 320);
  CHECK(pinch.moved_x == 50);
  // What is left of it drags no more, and taps nothing.
  touch(2, Phase::kEnded, 420, 150);
  touch(1, Phase::kMoved, 260, 150);
  touch(1, Phase::kEnded, 260, 150);
  CHECK(frames(6) == "-");
}

TEST_CASE("touch: nonsense leaves no button down") {
  std::minstd_rand random(3);
  Screen s;
  for (int i = 0; i < 20000; ++i) {
    const Phase phase = static_cast<Phase>(random() % 4);
    const float x = random() % 50 == 0 ? NAN : static_cast<float>(random() % 600);
    s.touch(random() % 4, phase, x, static_cast<float>(random() % 500));
    if (random() % 3 == 0) s.frames(static_cast<int>(random() % 40));
  }
  for (uint64_t finger = 0; finger < 4; ++finger) s.touch(finger, Phase::kCancelled, 0, 0);
  s.frames(100);
  CHECK_FALSE(s.before.down[0]);
  CHECK_FALSE(s.before.down[1]);
  CHECK_FALSE(s.before.present);
}

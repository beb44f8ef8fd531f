// SPDX-License-Identifier: MIT
//
// Each gesture that the help page names is done once, and what it changes is seen in the state. A gesture without a test
// fails the last test case.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "overlay/key_effects.h"
#include "overlay/placed_gestures.h"

using namespace flamelet_tests;
using flamelet::ui::Action;
using flamelet::ui::kActionCount;
using flamelet::ui::kActionTable;
using flamelet::ui::kDeviceCount;

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

TEST_CASE("gestures: each button of the gamepad does what its action says") {
  for (uint32_t i = 0; i < kActionCount; ++i) {
    const Effect* effect = effect_of(kActionTable[i]);
    const Pad pad = kActionTable[i].pad;
    if (effect == nullptr || !knows_pad(pad) || pad >= Pad::kModeChord) continue;
    const std::string name = kActionTable[i].name;
    CAPTURE(name);
    CHECK(try_gesture(
        effect->prepare,
        [&](Scene& s) {
          press_pad(&s.player(), pad);
          return true;
        },
        effect->seen));
  }
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
  for (uint32_t i = 0; i < kActionCount; ++i) {
    const Effect* effect = effect_of(kActionTable[i]);
    if (effect == nullptr || std::string(kActionTable[i].name) == "help") continue;
    const std::string name = kActionTable[i].name;
    CAPTURE(name);
    CHECK(try_gesture(
        effect->prepare,
        [&](Scene& s) {
          s.player().overlay->window.help_open = true;
          s.player().frames(2);
          s.player().overlay->window.help_pressed = i;
          s.player().frames(3);
          return true;
        },
        effect->seen));
  }
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

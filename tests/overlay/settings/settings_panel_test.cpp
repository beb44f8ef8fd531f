// SPDX-License-Identifier: MIT
//
// The panel of settings by keys alone and by a gamepad alone, what is typed into it, and its list of limits.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "overlay/drawn_text.h"
#include "overlay/gesture_scene.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

struct CategoriesGuard {
  CategoriesGuard() { flamelet_category_set_enabled("zebra", true); }
  ~CategoriesGuard() { flamelet_category_set_enabled(nullptr, true); }
};

// One hand on the panel: what moves down, steps up, and presses.
struct Hand {
  void (*down)(OverlayPlayer* player);
  void (*more)(OverlayPlayer* player);
  void (*press)(OverlayPlayer* player);
};
constexpr Hand kKeys = {[](OverlayPlayer* player) { press_chord(player, {Key::kDown}); },
                        [](OverlayPlayer* player) { press_chord(player, {Key::kRight}); },
                        [](OverlayPlayer* player) { press_chord(player, {Key::kEnter}); }};
constexpr Hand kGamepad = {[](OverlayPlayer* player) { press_pad(player, Pad::kDown); },
                           [](OverlayPlayer* player) { press_pad(player, Pad::kRight); },
                           [](OverlayPlayer* player) { press_pad(player, Pad::kA); }};

std::string chosen_row(const OverlayPlayer& player) {
  const std::string quoted = player.state("setting");
  return quoted.substr(1, quoted.size() - 2);
}

// Down to the row of this name. False if a round meets none.
bool go_to_row(OverlayPlayer* player, const Hand& hand, const std::string& name) {
  for (uint32_t i = panel_row_count(*player->overlay); i-- > 0;) {
    if (chosen_row(*player) == name) return true;
    hand.down(player);
  }
  return chosen_row(*player) == name;
}

double value_of(const OverlayPlayer& player, uint32_t setting) {
  return kSettingTable[setting].member.get(player.overlay->settings);
}

void try_setting(OverlayPlayer* player, const Hand& hand, uint32_t setting) {
  const double before = value_of(*player, setting);
  hand.press(player);
  if (kSettingTable[setting].kind == SettingKind::kKey) {
    CHECK(player->state("choosing_key") == "true");
    CHECK(value_of(*player, setting) == before);
    player->press(TestKey::kHome);
    CHECK(player->state("choosing_key") == "false");
    CHECK(value_of(*player, setting) != before);
    return;
  }
  const double pressed = value_of(*player, setting);
  CHECK(pressed != before);
  hand.more(player);
  CHECK((value_of(*player, setting) != pressed || pressed == kSettingTable[setting].most));
}

void try_category(OverlayPlayer* player, const Hand& hand, const std::string& name) {
  hand.press(player);
  CHECK_FALSE(flamelet_category_enabled(name.c_str()));
  hand.more(player);
  CHECK(flamelet_category_enabled(name.c_str()));
}

// Every row is met once, and does what it says.
void walk_panel(OverlayPlayer* player, const Hand& hand) {
  std::set<std::string> met;
  const uint32_t rows = panel_row_count(*player->overlay);
  uint32_t settings = 0, categories = 0;
  for (uint32_t i = 0; i < rows; ++i) {
    const std::string name = chosen_row(*player);
    if (!met.insert(name).second) break;
    CAPTURE(name);
    CHECK(player->number("setting_y_px") > 0);
    CHECK(player->number("setting_y_px") < 720);
    const uint32_t row = player->overlay->panel.row;
    if (row < kSettingCount) {
      ++settings;
      try_setting(player, hand, row);
      player->overlay->settings = player->overlay->initial_settings;
      player->frames(3);
    } else if (name.rfind("category ", 0) == 0) {
      ++categories;
      Categories list;
      read_categories(*player->overlay, &list);
      try_category(player, hand, list.list[row - row_of_category(0)].name);
    }
    hand.down(player);
  }
  uint32_t offered = 0;
  for (uint32_t i = 0; i < kSettingCount; ++i)
    offered += kSettingTable[i].offered == nullptr || kSettingTable[i].offered(*player->overlay);
  CHECK(settings == offered);
  CHECK(categories >= 1);
  CHECK(met.size() == offered + kPanelButtons + categories);

  REQUIRE(go_to_row(player, hand, "no category"));
  hand.press(player);
  CHECK_FALSE(flamelet_category_enabled("zebra"));
  REQUIRE(go_to_row(player, hand, "all categories"));
  hand.press(player);
  CHECK(flamelet_category_enabled("zebra"));
  player->overlay->settings.bar_px = 9;
  REQUIRE(go_to_row(player, hand, "reset"));
  hand.press(player);
  hand.down(player);
  REQUIRE(go_to_row(player, hand, "reset"));
  hand.press(player);  // it asks, and forgets that when something else is done
  CHECK(player->overlay->settings.bar_px == 9);
  hand.press(player);
  CHECK(player->overlay->settings.bar_px == player->overlay->initial_settings.bar_px);
  REQUIRE(go_to_row(player, hand, "close"));
  hand.press(player);
  CHECK(player->state("settings_open") == "false");
  CHECK(player->state("mode") == "\"active\"");
}

#ifdef FLAMELET_DOCS
std::string text_of(const std::string& path) {
  std::ifstream file(std::string(FLAMELET_DOCS) + "/../" + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The members of a struct in a header that begin or end with this.
std::set<std::string> members(const std::string& header, const std::string& name, const std::string& begins,
                              const std::string& ends) {
  const std::string text = text_of(header);
  const size_t begin = text.find("struct " + name + " {");
  REQUIRE(begin != std::string::npos);
  const std::string body = text.substr(begin, text.find("\n}", begin) - begin);
  std::set<std::string> found;
  std::string word;
  bool comment = false;
  for (size_t i = 0; i < body.size(); ++i) {
    comment = body[i] == '\n' ? false : comment || body.compare(i, 2, "//") == 0;
    if (!comment && (isalnum(static_cast<unsigned char>(body[i])) != 0 || body[i] == '_')) {
      word += body[i];
      continue;
    }
    if (word.size() > begins.size() + ends.size() && word.rfind(begins, 0) == 0 &&
        word.compare(word.size() - ends.size(), ends.size(), ends) == 0)
      found.insert(word);
    word.clear();
  }
  return found;
}

std::set<std::string> listed(LimitOf of) {
  std::set<std::string> names;
  for (uint32_t i = 0; i < kLimitCount; ++i)
    if (kLimitTable[i].of == of) names.insert(kLimitTable[i].name);
  return names;
}
#endif

}  // namespace

TEST_CASE_FIXTURE(CategoriesGuard, "settings panel: keys alone reach and operate all of it") {
  Played p;
  press_chord(&p.player, {key_of('o')});
  REQUIRE(p.player.state("settings_open") == "true");
  walk_panel(&p.player, kKeys);
}

TEST_CASE_FIXTURE(CategoriesGuard, "settings panel: a gamepad alone opens, reaches and operates all of it") {
  Played p;
  if (knows_pad(Pad::kBack)) {  // through the help page
    press_pad(&p.player, Pad::kBack);
    const auto chosen = [&p] { return std::string(kActionTable[p.player.overlay->window.help_row].name); };
    for (uint32_t i = 0; i < kActionCount && chosen() != "settings"; ++i) press_pad(&p.player, Pad::kDown);
    press_pad(&p.player, Pad::kA);
  } else {
    press_chord(&p.player, {key_of('o')});
  }
  REQUIRE(p.player.state("settings_open") == "true");
  walk_panel(&p.player, kGamepad);
}

TEST_CASE_FIXTURE(Played, "settings panel: a gamepad's B leaves the key that was to be chosen as it is") {
  press_chord(&player, {key_of('o')});
  REQUIRE(go_to_row(&player, kKeys, "toggle_key"));
  press_pad(&player, Pad::kA);
  REQUIRE(player.state("choosing_key") == "true");
  press_pad(&player, Pad::kB);
  CHECK(player.state("choosing_key") == "false");
  CHECK(player.state("settings_open") == "true");
}

TEST_CASE("settings panel: a number counts when its field is left, not at each digit") {
  enum class Leave { kEnter, kTab, kOtherField, kClick };
  for (const Leave leave : {Leave::kEnter, Leave::kTab, Leave::kOtherField, Leave::kClick}) {
    CAPTURE(static_cast<int>(leave));
    Played p;
    press_chord(&p.player, {key_of('o')});
    REQUIRE(go_to_row(&p.player, kKeys, "text_percent"));
    p.player.settle();
    const float x = static_cast<float>(p.player.number("setting_x_px"));
    const float y = static_cast<float>(p.player.number("setting_y_px"));
    p.player.move(x, y);
    p.player.click();
    p.player.type('9');  // in place of all
    p.player.type('0');
    CHECK(p.player.overlay->settings.text_percent == 100);
    float other_y = y;
    const DrawnTexts drawn(0);
    for (const DrawnText& text : drawn.texts())
      if (text.text == "opacity") other_y = text.y0 + 4;
    REQUIRE(other_y != y);
    if (leave == Leave::kEnter || leave == Leave::kTab) {
      p.player.press(leave == Leave::kEnter ? TestKey::kEnter : TestKey::kTab);
    } else {
      p.player.move(leave == Leave::kClick ? x - 100 : x, leave == Leave::kClick ? y : other_y);  // or its label
      p.player.click();
    }
    CHECK((p.player.overlay->panel.typing >= 0) == (leave == Leave::kOtherField));
    CHECK(chosen_row(p.player) == (leave == Leave::kOtherField ? "hud_opacity" : "text_percent"));
    CHECK(p.player.overlay->settings.text_percent == 90);
    CHECK(p.player.state("settings_open") == "true");
  }
}

TEST_CASE_FIXTURE(Played, "settings panel: the buttons beside a number change it at once") {
  press_chord(&player, {key_of('o')});
  REQUIRE(go_to_row(&player, kKeys, "text_percent"));
  player.settle();
  player.move_to("setting", 108);
  player.click();
  CHECK(player.overlay->settings.text_percent == 105);
}

TEST_CASE("settings panel: each limit is drawn with what is used of it" * doctest::test_suite("gate")) {
  OverlayPlayer player(flamelet::OverlayMode::kActive, 1280, 2600);
  RecordedGame game(Played::options(), 30);
  flamelet_frame_named("physics");
  player.frames(5);
  press_chord(&player, {key_of('o')});
  player.frames(30);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  player.move(static_cast<float>(player.number("setting_x_px")), 400);
  std::string all;  // without spaces: those are not drawn
  // Down to the end: where many tests share a process, there are many categories above the limits.
  std::string before;
  for (int step = 0; step < 40; ++step) {
    player.frames(1);
    std::string now;
    const DrawnTexts drawn(0x000000);
    for (const DrawnText& text : drawn.texts()) now += text.text;
    if (now == before) break;
    before = now;
    all += now;
    player.wheel(-5);
    player.frames(5);
  }
  const auto shows = [&all](std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return all.find(text) != std::string::npos;
  };
  for (uint32_t i = 0; i < kLimitCount; ++i) {
    const std::string name = kLimitTable[i].name;
    CAPTURE(name);
    const Fill fill = player.overlay->panel.told.fills[i];
    CHECK(fill.used <= fill.limit);
    CHECK((fill.limit > 0 || name == "fibers_limit"));  // this game has none
    FixedText<128> row;
    row.add(kLimitTable[i].label).add_grouped(fill.used).add("of").add_grouped(fill.limit);
    CHECK(shows(kLimitTable[i].bytes ? kLimitTable[i].label : row.c_str()));
  }
  const auto used = [&](const std::string& name) {
    for (uint32_t i = 0; i < kLimitCount; ++i)
      if (name == kLimitTable[i].name) return player.overlay->panel.told.fills[i].used;
    return uint64_t{0};
  };
  CHECK(used("max_spans") > 100);
  CHECK(used("max_frames") == 30);
  CHECK(used("max_lanes") >= 2);
  CHECK(used("sites_limit") > 0);
  CHECK(used("frame_sets_limit") == 1);
  CHECK(used("categories_limit") >= 2);
}

#ifdef FLAMELET_DOCS  // not where only ImGui's versions are compared

TEST_CASE("settings panel: no limit of the overlay's config, the capture and the recorder is missing") {
  std::set<std::string> of_overlay = members("overlay/include/flamelet/overlay.h", "OverlayConfig", "max_", "");
  CHECK(of_overlay.size() >= 9);
  of_overlay.insert("budget_bytes");
  CHECK(listed(LimitOf::kOverlay) == of_overlay);
  CHECK(listed(LimitOf::kCapture) ==
        members("profiler/include/flamelet/capture.h", "flamelet_capture_stats", "", "_limit"));
  CHECK(listed(LimitOf::kRecorder) == members("profiler/include/flamelet/recorder.h", "flamelet_stats", "", "_limit"));
}

#endif

// SPDX-License-Identifier: MIT
//
// The table of settings: text, panel and reset know every row of it.
#include <doctest/doctest.h>

#include <algorithm>

#include "overlay/drawn_text.h"
#include "overlay/played_game.h"
#include "settings/settings.h"
#include "shell/overlay_state.h"
#include "support/comma_locale.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

double value_of(const OverlayPlayer& player, const Setting& setting) {
  return player.number("set_" + std::string(setting.name));
}

// Another value that the setting may have.
double another(const Setting& setting, double value) {
  const double step = setting.kind == SettingKind::kNumber ? setting.step : 1;
  return value + step <= setting.most ? value + step : value - step;
}

std::string saved(const flamelet::Overlay* overlay) {
  std::string text(flamelet::overlay_save_settings(overlay, nullptr, 0), '\0');
  flamelet::overlay_save_settings(overlay, text.data(), text.size() + 1);
  return text;
}

void load(flamelet::Overlay* overlay, const std::string& text) {
  flamelet::overlay_load_settings(overlay, text.data(), text.size());
}

std::string line_of(const Setting& setting, double value) {
  const std::string number = std::to_string(value);
  return std::string(setting.name) + "=" + number.substr(0, number.find('.') + (setting.member.fractional() ? 4 : 0));
}

void click_settings_button(OverlayPlayer* player) {
  player->move(1263, 15);
  player->click();
  player->frames(2);
}

}  // namespace

TEST_CASE("settings: what is wrong with a line is said, with the names or the values that there are") {
  OverlayPlayer player;
  char why[1024] = "old";
  const auto problem = [&](const std::string& text) {
    const bool taken = flamelet::overlay_load_settings(player.overlay, text.data(), text.size(), why, sizeof why);
    CHECK(taken == (why[0] == 0));
    return std::string(why);
  };
  CHECK(problem("theme=1\npage=table\n\n") == "");
  CHECK(problem("theme=light") == "theme=light: theme is 0 (dark), 1 (light), 2 (high contrast)");
  CHECK(problem("theme=3\nnosuch=1").find("theme=3: ") == 0);
  CHECK(problem("theme=2\nnosuch=1").find("nosuch=1: there is no such setting; the settings are budget_ns, ") == 0);
  CHECK(player.overlay->settings.theme == 2);
  CHECK(problem("theme").find("theme has no value: NAME=VALUE is expected; the settings are ") == 0);
  CHECK(problem("hide_empty=yes") == "hide_empty=yes: hide_empty is 0 or 1");
  CHECK(problem("text_percent=1000") == "text_percent=1000: text_percent is a number from 50 to 300");
  CHECK(problem("page=none").find("page=none: there is no such page; the pages are lanes, ") == 0);
  CHECK(problem(std::string(5000, 'x')).size() == 1023);
}

TEST_CASE("settings: every row of the table is read from a text and written to it, and only that row changes") {
  OverlayPlayer player;
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    const Setting& setting = kSettingTable[i];
    CAPTURE(setting.name);
    player.overlay->settings = player.overlay->initial_settings;
    const double before = value_of(player, setting);
    const double wanted = another(setting, before);
    const std::string old_text = saved(player.overlay);
    load(player.overlay, line_of(setting, wanted));
    CHECK(value_of(player, setting) == doctest::Approx(wanted));
    const std::string text = saved(player.overlay);
    CHECK(text != old_text);
    for (uint32_t j = 0; j < kSettingCount; ++j)
      if (j != i)
        CHECK(kSettingTable[j].member.get(player.overlay->settings) ==
              kSettingTable[j].member.get(player.overlay->initial_settings));
    player.overlay->settings = player.overlay->initial_settings;
    load(player.overlay, text);
    CHECK(value_of(player, setting) == doctest::Approx(wanted));
    // Out of range: it stays.
    load(player.overlay, line_of(setting, setting.most + 1000));
    load(player.overlay, line_of(setting, setting.least - 1000));
    CHECK(value_of(player, setting) == doctest::Approx(wanted));
  }
}

TEST_CASE("settings: names are told apart, and groups stand together") {
  for (uint32_t i = 0; i < kSettingCount; ++i)
    for (uint32_t j = i + 1; j < kSettingCount; ++j) {
      CHECK(std::string(kSettingTable[i].name) != kSettingTable[j].name);
      const bool same_group = std::string(kSettingTable[i].group) == kSettingTable[j].group;
      for (uint32_t between = i; same_group && between < j; ++between)
        CHECK(std::string(kSettingTable[between].group) == kSettingTable[i].group);
    }
}

TEST_CASE_FIXTURE(Played, "settings: a click in the panel changes each setting, and the program hears of it") {
  click_settings_button(&player);
  REQUIRE(player.state("settings_open") == "true");
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    const Setting& setting = kSettingTable[i];
    if (setting.offered != nullptr && !setting.offered(*player.overlay)) continue;
    CAPTURE(setting.name);
    player.overlay->panel.row = i;
    player.overlay->panel.bring_row = true;
    player.frames(3);
    const double before = value_of(player, setting);
    player.settle();
    flamelet::overlay_settings_changed(player.overlay);
    float x = static_cast<float>(player.number("setting_x_px"));
    if (setting.kind == SettingKind::kNumber) x += 108;  // the button with a plus
    if (setting.kind == SettingKind::kChoice) {          // one of them is another than this
      for (; value_of(player, setting) == before && x < 1270; x += 12) {
        player.move(x, static_cast<float>(player.number("setting_y_px")));
        player.click();
      }
    } else {
      player.move(x, static_cast<float>(player.number("setting_y_px")));
      player.click();
    }
    if (setting.kind == SettingKind::kKey) {
      CHECK(player.state("choosing_key") == "true");
      player.press(TestKey::kHome);
      CHECK(player.state("choosing_key") == "false");
    }
    CHECK(value_of(player, setting) != before);
    CHECK(flamelet::overlay_settings_changed(player.overlay));
    player.overlay->settings = player.overlay->initial_settings;
  }
}

TEST_CASE_FIXTURE(Played, "settings: Escape leaves the key that was to be chosen as it is, then closes the panel") {
  click_settings_button(&player);
  player.overlay->panel.choosing = 0;
  while (kSettingTable[player.overlay->panel.choosing].kind != SettingKind::kKey) ++player.overlay->panel.choosing;
  const std::string before = saved(player.overlay);
  player.press(TestKey::kEscape);
  CHECK(player.state("choosing_key") == "false");
  CHECK(player.state("settings_open") == "true");
  CHECK(saved(player.overlay) == before);
  player.press(TestKey::kEscape);
  CHECK(player.state("settings_open") == "false");
  CHECK(player.state("mode") == "\"active\"");
}

// The last by name, which may be another test's of this process.
static std::string last_category() {
  flamelet_category list[FLAMELET_MAX_CATEGORIES];
  const uint32_t count = std::min(flamelet_categories(list, FLAMELET_MAX_CATEGORIES), FLAMELET_MAX_CATEGORIES);
  std::string last;
  for (uint32_t i = 0; i < count; ++i) last = std::max(last, std::string(list[i].name));
  return last;
}

TEST_CASE("settings: the panel lists the categories of the live game, and a click switches one off and on") {
  struct AllOnAfterwards {
    ~AllOnAfterwards() { flamelet_category_set_enabled(nullptr, true); }
  } guard;
  Played p;
  flamelet_category_set_enabled("zebra", true);
  const std::string last = last_category();
  click_settings_button(&p.player);
  p.player.move(1100, 300);
  for (int i = 0;
       i < 100 && (p.player.number("last_category_y_px") == 0 || p.player.number("last_category_y_px") > 400); ++i)
    p.player.wheel(-1);
  p.player.settle();
  const auto click = [&p] {
    p.player.move_to("last_category");
    p.player.click();
    p.player.settle();
  };
  click();
  CHECK_FALSE(flamelet_category_enabled(last.c_str()));
  CHECK(flamelet_category_enabled(""));
  click();
  CHECK(flamelet_category_enabled(last.c_str()));
}

TEST_CASE("settings: of a loaded capture the panel says which categories were off") {
  struct AllOnAfterwards {
    ~AllOnAfterwards() { flamelet_category_set_enabled(nullptr, true); }
  } guard;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/off.flamelet";
  Played p;
  flamelet_category_set_enabled("quiet category", false);
  p.game.frames(3);
  p.player.frames(3);
  REQUIRE(flamelet::overlay_save_capture(p.player.overlay, path.c_str()) == FLAMELET_OK);
  REQUIRE(flamelet::overlay_open_capture(p.player.overlay, path.c_str()) == FLAMELET_OK);
  flamelet_category_set_enabled("quiet category", true);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  click_settings_button(&p.player);
  p.player.move(1100, 300);
  const auto is_said = [] {
    const DrawnTexts drawn(0);
    return std::any_of(drawn.texts().begin(), drawn.texts().end(), [](const DrawnText& text) {
      return text.text.find("quiet") != std::string::npos && !text.overlaps && !text.cut;
    });
  };
  for (int i = 0; i < 100 && !is_said(); ++i) p.player.wheel(-1);
  CHECK(is_said());
}

TEST_CASE_FIXTURE(Played, "settings: what lies under the panel does not get its clicks") {
  player.move(1100, row(1));
  CHECK(player.state("hovered_name") != "null");
  click_settings_button(&player);
  player.move(1100, row(1));
  CHECK(player.state("hovered_name") == "null");
}

TEST_CASE("settings: the text and the state have points, also where the C library has a decimal comma") {
  OverlayPlayer player;
  std::string wanted;
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    const Setting& setting = kSettingTable[i];
    const double value = another(setting, value_of(player, setting)), more = setting.member.fractional() ? 0.25 : 0;
    wanted += line_of(setting, value + more <= setting.most ? value + more : value) + "\n";
  }
  const auto state = [&] {
    const std::string text = player.whole_state();
    return text;
  };
  load(player.overlay, wanted);
  const std::string points = saved(player.overlay), before = state();
  REQUIRE(points.find('.') != std::string::npos);
  const flamelet::tests::CommaLocale commas;
  if (!commas.is_there()) return;
  CHECK(saved(player.overlay) == points);
  CHECK(state() == before);
  player.overlay->settings = player.overlay->initial_settings;
  load(player.overlay, wanted);
  CHECK(saved(player.overlay) == points);
}

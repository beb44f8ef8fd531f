// SPDX-License-Identifier: MIT
//
// The table of settings: text, panel and reset know every row of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "overlay/drawn_text.h"
#include "overlay/gesture_scene.h"
#include "overlay/played_game.h"
#include "settings/settings.h"
#include "shell/overlay_state.h"
#include "support/building.h"
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
  CHECK(problem("watch=2,0,0,x") == "watch=2,0,0,x: ");
  CHECK(problem("page=none").find("page=none: there is no such page; the pages are lanes, ") == 0);
  CHECK(problem(std::string(5000, 'x')).size() == 1023);
}

TEST_CASE("settings: what a setting's tooltip says covers no other setting, where there is room beside the panel") {
  OverlayPlayer player;
  click_settings_button(&player);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  const auto text_at = [](const std::string& text) {
    const DrawnTexts drawn(0);
    const auto found = std::find_if(drawn.texts().begin(), drawn.texts().end(),
                                    [&](const DrawnText& other) { return other.text.find(text) == 0; });
    REQUIRE(found != drawn.texts().end());
    return *found;
  };
  const DrawnText label = text_at("foldquietlanes");
  player.move(label.x0 + 60, label.y0 + 4);
  player.frames(3);
  CHECK(text_at("lanesthathavebeensilent").x1 < label.x0);
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

// ---- The panel of settings by keys alone and by a gamepad alone, what is typed into it, and its list of limits ----

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
  // And one that is switched off waits for no key, but for that of its mode.
  press_pad(&player, Pad::kA);
  REQUIRE(player.state("choosing_key") == "true");
  flamelet::overlay_set_mode(player.overlay, flamelet::OverlayMode::kOff);
  player.press(TestKey::kF1);
  CHECK(player.state("mode") == "\"hud\"");
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

TEST_CASE("overlay settings: beside a capture without a game, those of the HUD and of its keys are not offered") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  building.begin(lane, 0, building.site("tick"));
  building.end(lane, 10);
  flamelet_tests::OverlayPlayer game;
  flamelet::OverlayConfig config;
  config.capture = building.finish();
  flamelet::Overlay* viewer = nullptr;
  REQUIRE(flamelet::overlay_create(config, &viewer) == FLAMELET_OK);
  flamelet_tests::OverlayPlayer* const player = &game;
  player->gui.frame([&] { flamelet::overlay_content(viewer); });
  flamelet::overlay_show_capture(viewer, config.capture, "built");
  for (uint32_t i = 0; i < flamelet::ui::kSettingCount; ++i) {
    const flamelet::ui::Setting& setting = flamelet::ui::kSettingTable[i];
    const std::string group = setting.group;
    if (group != "HUD" && group != "Keys") continue;
    CAPTURE(setting.name);
    REQUIRE(bool(setting.offered));
    CHECK_FALSE(setting.offered(*viewer));
    CHECK(setting.offered(*game.overlay));
  }
  flamelet::overlay_destroy(viewer);
}

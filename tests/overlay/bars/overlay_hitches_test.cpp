// SPDX-License-Identifier: MIT
//
// The frames that a flight recorder keeps, as the overlay shows them.
#include <doctest/doctest.h>

#include <ctype.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "flamelet/flight.h"
#include "overlay/drawn_text.h"
#include "overlay/recorded_game.h"
#include "pages/why/why_page.h"
#include "shell/overlay_state.h"
#include "temporary_folder.h"

using namespace flamelet_tests;

namespace {

flamelet::OverlayConfig small_overlay() {
  flamelet::OverlayConfig config = active_overlay();
  config.budget_bytes = size_t{40} << 20;
  config.max_spans = 1u << 15;
  return config;
}

// A game with a flight recorder, and an overlay that shows what that keeps.
class WatchedGame {
 public:
  // `folder` for one file; "" for none.
  explicit WatchedGame(flamelet::OverlayConfig config = small_overlay(), size_t ring_bytes = size_t{8} << 20,
                       const std::string& folder = "")
      : game(options(ring_bytes)) {
    REQUIRE(flamelet_capture_create(&capture_config_, &capture) == FLAMELET_OK);
    flamelet_flight_config flight_config = flamelet_flight_config_default();
    flight_config.median_factor = 0;
    flight_config.frame_budget_ns = 25000000;
    flight_config.frames_before = 40;
    flight_config.frames_after = 2;
    flight_config.dead_time_ms = 0;
    flight_config.store_bytes = size_t{16} << 20;
    flight_config.folder = folder.empty() ? nullptr : folder.c_str();
    flight_config.max_files = 1;
    REQUIRE(flamelet_flight_create(&flight_config, capture, &flight) == FLAMELET_OK);
    config.flight = flight;
    player = std::make_unique<OverlayPlayer>(config);
  }
  ~WatchedGame() {
    player.reset();
    flamelet_flight_destroy(flight);
    flamelet_capture_destroy(capture);
  }

  void frame(double slowdown = 1) {
    game.frame(slowdown);
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    CHECK(flamelet_flight_update(flight) == FLAMELET_OK);
    player->frames();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  // A slow frame, until it is kept. Returns its index.
  uint64_t hitch(double slowdown) {
    const size_t before = stats().kept;
    frame(slowdown);
    const uint64_t index = newest();
    for (int i = 0; stats().kept == before && i < 500; ++i) frame();
    REQUIRE(stats().kept == before + 1);
    return index;
  }
  uint64_t newest() const {
    flamelet_frame_info info = {};
    flamelet_capture_frame(capture, flamelet_capture_frame_count(capture) - 1, &info);
    return info.index;
  }
  flamelet_flight_stats stats() const {
    flamelet_flight_stats found;
    flamelet_flight_get_stats(flight, &found);
    return found;
  }
  uint64_t shown() const { return static_cast<uint64_t>(player->number("first_frame")); }
  void hover_first_hitch() {
    player->move(static_cast<float>(player->number("hitch_x_px")),
                 static_cast<float>(player->number("bars_top_px")) + 30);
  }
  // Of so many frames. The mouse stays over it.
  void explain_hitch_after(int count) {
    frames(count);
    hitch(9);
    frames(3);
    hover_first_hitch();
    while (player->state("hitch_explaining") == "true") player->frames();  // ends when its thread does
  }
  void to_hitch(TestKey key) {
    player->gui.shift(true);
    player->frames();
    player->press(key);
    player->gui.shift(false);
    player->frames();
  }

  RecordedGame game;
  flamelet_capture* capture = nullptr;
  flamelet_flight* flight = nullptr;
  std::unique_ptr<OverlayPlayer> player;

 private:
  static RecordedGame::Options options(size_t ring_bytes) {
    RecordedGame::Options options;
    options.budget_bytes = ring_bytes;
    return options;
  }
  flamelet_capture_config capture_config_ = flamelet_capture_config_default();
};

}  // namespace

TEST_CASE("hitches: each gets a flag in the strip, and a click goes there while the live capture has it") {
  WatchedGame game;
  game.frames(45);
  const float bars_before = static_cast<float>(game.player->number("bars_left_px"));
  CHECK(game.player->state("hitches") == "[");
  const uint64_t small = game.hitch(9);
  const uint64_t large = game.hitch(14);
  game.frames(3);
  CHECK(game.player->number("bars_left_px") > bars_before);
  CHECK(game.player->number("hitch_frame") == static_cast<double>(large));  // the longest first
  CHECK(game.player->state("hitch_cause") == "\"frame over budget\"");
  game.hover_first_hitch();
  CHECK(game.player->number("hitch_hovered") == 2);
  while (game.player->state("hitch_explaining") == "true") game.player->frames();  // ends when its thread does
  CHECK(game.player->state("hitch_sentence").find("Frame " + std::to_string(large)) != std::string::npos);
  game.player->click();
  CHECK(game.player->state("paused") == "true");
  CHECK(game.player->state("live_game") == "true");
  CHECK(game.shown() == large);
  CHECK(game.player->number("hitch_shown") == 2);
  CHECK(small < large);
  CHECK(game.player->gui.vertices_sane());
}

TEST_CASE("hitches: why one was slow is said once, however many more frames the live capture has") {
  WatchedGame game;
  game.explain_hitch_after(90);
  const flamelet::Overlay& o = *game.player->overlay;
  REQUIRE(!o.hitches.sentences.empty());
  const std::string said = o.hitches.sentences[0].text;
  REQUIRE(said.find("(40 frames") != std::string::npos);
  game.player->click();
  for (int i = 0; i < 200 && !flamelet::ui::why_of(o).known(); ++i) game.player->frames();
  CHECK(std::string(flamelet::ui::why_of(o).text()) == said);
}

TEST_CASE("hitches: one that the live capture has forgotten is opened, and Live goes back") {
  flamelet::OverlayConfig config = small_overlay();
  config.budget_bytes = flamelet::overlay_memory_required(config) + (size_t{2} << 20);
  WatchedGame game(config, size_t{4} << 20);
  game.frames(45);
  const uint64_t hitch = game.hitch(12);
  // Until the ring and the overlay's capture have rolled over it.
  for (int i = 0; i < 2500; ++i) {
    game.game.frame();
    REQUIRE(flamelet_capture_update(game.capture) == FLAMELET_OK);
    CHECK(flamelet_flight_update(game.flight) == FLAMELET_OK);
    if (i % 10 == 0) game.player->frames();
  }
  game.hover_first_hitch();
  game.player->click();
  CHECK(game.player->state("live_game") == "false");
  CHECK(game.player->state("capture_title").find("frame over budget") != std::string::npos);
  CHECK(game.shown() == hitch);
  CHECK(flamelet::overlay_select_scope(game.player->overlay, "Physics::step"));
  flamelet::overlay_show_capture(game.player->overlay, nullptr, nullptr);
  game.frames(3);
  CHECK(game.player->state("live_game") == "true");
  CHECK(game.shown() > hitch);
}

TEST_CASE_FIXTURE(WatchedGame, "hitches: the strip stands still under the mouse, and is up to date when it has left") {
  frames(45);
  const uint64_t first = hitch(9);
  frames(3);
  hover_first_hitch();
  CHECK(player->number("hitch_hovered") == 1);
  hitch(14);
  frames(3);
  CHECK(player->number("hitch_hovered") == 1);
  CHECK(player->number("hitch_frame") == static_cast<double>(first));
  player->click();
  CHECK(shown() == first);
  player->move(600, 400);
  CHECK(player->number("hitch") == 2);  // the longest
}

TEST_CASE_FIXTURE(WatchedGame, "hitches: a frame that is kept meanwhile does not move the bars under the mouse") {
  frames(45);
  for (const bool has_strip : {false, true}) {
    CAPTURE(has_strip);
    const double left = player->number("bars_left_px");
    player->move(static_cast<float>(left) + 300, static_cast<float>(player->number("bars_top_px")) + 10);
    hitch(9);
    frames(3);
    CHECK(player->number("bars_left_px") == left);
    player->move(600, 400);
    player->frames();
    CHECK(player->number("bars_left_px") > left);
  }
}

TEST_CASE_FIXTURE(WatchedGame, "hitches: the tooltip of a flag breaks at spaces, and goes when the flag is clicked") {
  explain_hitch_after(45);
  player->frames(2);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  const auto lines = [] {
    const DrawnTexts drawn(0);
    std::vector<std::string> found;
    for (const DrawnText& text : drawn.texts())
      if (text.window.find("Tooltip") != std::string::npos) found.push_back(text.text);
    return found;
  };
  const std::vector<std::string> shown = lines();
  CHECK(shown.size() > 6);
  for (size_t i = 0; i + 1 < shown.size(); ++i) {
    CAPTURE(shown[i]);
    CHECK_FALSE((shown[i].back() == '.' && isdigit(static_cast<unsigned char>(shown[i + 1][0])) != 0));
  }
  player->click();
  CHECK(lines().empty());
  player->move(600, 400);
  hover_first_hitch();
  CHECK_FALSE(lines().empty());
}

TEST_CASE("hitches: one whose file was removed is not called in a file, and it is said how many were") {
  const TemporaryFolder folder;
  WatchedGame game(small_overlay(), size_t{8} << 20, folder.path());
  game.frames(45);
  for (const double slowdown : {12.0, 9.0}) {
    const uint64_t written = game.stats().files_written;
    game.hitch(slowdown);
    while (game.stats().files_written == written) game.frame();  // ends when the file's thread does
    game.frames(2);
    game.hover_first_hitch();
    game.player->frames(2);
    const bool is_first = slowdown == 12;
    CAPTURE(is_first);
    CHECK(game.player->state("hitch_in_file") == (is_first ? "true" : "false"));
    CHECK(game.player->state("hitch_file_removed") == (is_first ? "false" : "true"));
    const DrawnTexts drawn(0);
    std::string tooltip;
    for (const DrawnText& text : drawn.texts())
      if (text.window.find("Tooltip") != std::string::npos) tooltip += text.text;  // without spaces
    CHECK((tooltip.find(";inafile") != std::string::npos) == is_first);
    CHECK((tooltip.find(";itsfilewasremoved") == std::string::npos) == is_first);
    CHECK((tooltip.find("2written,1removed:toomany") == std::string::npos) == is_first);
    game.player->move(600, 400);
  }
}

TEST_CASE_FIXTURE(WatchedGame, "hitches: why one was slow is found beside the frames, and once") {
  explain_hitch_after(45);
  const std::string sentence = player->state("hitch_sentence");
  CHECK(sentence.size() > 10);
  player->move(600, 400);
  CHECK(player->state("hitch_sentence") == "\"\"");
  hover_first_hitch();
  CHECK(player->state("hitch_explaining") == "false");
  CHECK(player->state("hitch_sentence") == sentence);
  // The overlay may go while the thread still works.
  hitch(14);
  frames(3);
  hover_first_hitch();
}

TEST_CASE_FIXTURE(WatchedGame, "hitches: Shift with the arrows goes from one to the next in time") {
  frames(45);
  const uint64_t first = hitch(12), second = hitch(9), third = hitch(10);
  frames(5);
  to_hitch(TestKey::kLeft);
  CHECK(shown() == third);
  to_hitch(TestKey::kLeft);
  CHECK(shown() == second);
  to_hitch(TestKey::kLeft);
  CHECK(shown() == first);
  to_hitch(TestKey::kLeft);
  CHECK(shown() == first);
  to_hitch(TestKey::kRight);
  CHECK(shown() == second);
  // From a frame between them, by its time.
  player->press(TestKey::kRight);
  CHECK(shown() == second + 1);
  to_hitch(TestKey::kRight);
  CHECK(shown() == third);
  player->press(TestKey::kLeft);
  to_hitch(TestKey::kLeft);
  CHECK(shown() == second);
}

TEST_CASE("hitches: the overlay pauses on a new one only if it is told to, and not on one from before it was open") {
  flamelet::OverlayConfig config = small_overlay();
  WatchedGame quiet(config);
  quiet.frames(45);
  quiet.hitch(12);
  quiet.frames(3);
  CHECK(quiet.player->state("paused") == "false");
  quiet.player.reset();
  config.pause_on_hitch = true;
  config.flight = quiet.flight;
  quiet.player = std::make_unique<OverlayPlayer>(config);
  quiet.frames(3);
  CHECK(quiet.player->state("paused") == "false");
  flamelet::overlay_set_mode(quiet.player->overlay, flamelet::OverlayMode::kOff);
  quiet.hitch(12);
  flamelet::overlay_set_mode(quiet.player->overlay, flamelet::OverlayMode::kActive);
  quiet.frames(3);
  CHECK(quiet.player->state("paused") == "false");
  const uint64_t index = quiet.hitch(13);
  quiet.player->frames(2);
  CHECK(quiet.player->state("paused") == "true");
  CHECK(quiet.shown() == index);
}

TEST_CASE("hitches: one press saves the last seconds, also while the overlay is off") {
  const TemporaryFolder folder;
  flamelet::OverlayConfig config = small_overlay();
  config.mode = flamelet::OverlayMode::kOff;
  config.capture_folder = folder.path().c_str();
  config.save_seconds = 0.5;
  WatchedGame game(config);
  game.frames(80);
  game.player->press(TestKey::kF2);
  while (game.player->state("file_busy") == "true") game.player->frames();  // ends when the file's thread does
  REQUIRE(folder.count() == 1);
  const std::filesystem::path file = std::filesystem::directory_iterator(folder.path())->path();
  const std::string path = file.string();
  flamelet_capture* saved = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, path.c_str(), &saved, nullptr) == FLAMELET_OK);
  flamelet_frame_info first, last;
  const size_t count = flamelet_capture_frame_count(saved);
  REQUIRE((count > 5 && count < 70));
  REQUIRE(flamelet_capture_frame(saved, 0, &first));
  REQUIRE(flamelet_capture_frame(saved, count - 1, &last));
  CHECK(last.index == game.newest());
  CHECK(last.end_ns - first.begin_ns >= 500000000);
  CHECK(last.end_ns - first.end_ns <= 500000000);
  flamelet_capture_destroy(saved);
  CHECK(file.filename().string().rfind("last-", 0) == 0);
}

TEST_CASE_FIXTURE(WatchedGame, "hitches: no frame of the overlay allocates for the strip") {
  frames(45);
  hitch(12);
  hitch(9);
  frames(30);
  CHECK(HeadlessImGui::allocations_in([&] { player->frames(20); }) == 0);
}

TEST_CASE("overlay HUD: scopes over their budgets have rows, until they keep them for a while") {
  flamelet::OverlayConfig config = small_overlay();
  config.mode = flamelet::OverlayMode::kHud;
  WatchedGame watched(config);
  const std::string text =
      "frame 1000\nscope 2000 ai_update\nscope 0.5 p99 Physics::broadphase\nscope 0.6 Render::cull\n";
  flamelet_budget budgets[4];
  size_t count = 0;
  REQUIRE(flamelet_budgets_read(text.data(), text.size(), budgets, 4, &count, nullptr) == FLAMELET_OK);
  watched.frames(3);
  const int vertices = HeadlessImGui::drawn("##flamelet_hud").vertices;
  CHECK(watched.player->state("over_scope") == "(no such field)");
  REQUIRE(flamelet_flight_set_budgets(watched.flight, budgets, count) == FLAMELET_OK);
  watched.frames(3);
  CHECK(watched.player->state("over_scope") == "\"Physics::broadphase\"");  // 0.9 ms, further over than the other
  CHECK(watched.player->number("over_ms") >= 0.9);
  CHECK(watched.player->number("over_budget_ms") == 0.5);
  CHECK(HeadlessImGui::drawn("##flamelet_hud").vertices > vertices + 60);  // two rows of text
  REQUIRE(flamelet_flight_set_scope_budget(watched.flight, "Physics::broadphase", 100000000) == FLAMELET_OK);
  REQUIRE(flamelet_flight_set_scope_budget(watched.flight, "Render::cull", 100000000) == FLAMELET_OK);
  watched.frames(5);
  CHECK(watched.player->state("over_scope") == "\"Physics::broadphase\"");
  watched.frames(60);
  CHECK(watched.player->state("over_scope") == "(no such field)");
}

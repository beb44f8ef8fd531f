// SPDX-License-Identifier: MIT
//
// One live capture for the overlay and the flight recorder, and what recorder, capture, overlay and flight recorder take.
#include <doctest/doctest.h>

#include <optional>

#include "flamelet/scope.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "support/counting_allocator.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using flamelet::OverlayConfig;

namespace {

// A game whose loop updates the capture and the flight recorder, with an overlay that shows the same capture.
struct SharedGame {
  SharedGame() : game(small_game()) {
    flamelet_capture_config capture_config = flamelet_capture_config_default();
    capture_config.budget_bytes = size_t{16} << 20;
    REQUIRE(flamelet_capture_create(&capture_config, &capture) == FLAMELET_OK);
    flamelet_flight_config flight_config = flamelet_flight_config_small();
    flight_config.median_factor = 0;
    flight_config.frame_budget_ns = 25000000;
    flight_config.frames_before = 2;
    flight_config.frames_after = 2;
    REQUIRE(flamelet_flight_create(&flight_config, capture, &flight) == FLAMELET_OK);
    OverlayConfig config = flamelet::overlay_config_small();
    config.mode = flamelet::OverlayMode::kActive;
    config.shared_capture = capture;
    config.flight = flight;
    player.emplace(config);
  }
  ~SharedGame() {
    player.reset();
    flamelet_flight_destroy(flight);
    flamelet_capture_destroy(capture);
  }
  void frames(int count, double slowdown = 1) {
    for (int i = 0; i < count; ++i) {
      game.frame(slowdown);
      REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
      CHECK(flamelet_flight_update(flight) == FLAMELET_OK);
      player->frames();
    }
  }
  uint64_t newest() const {
    flamelet_frame_info frame = {};
    flamelet_capture_frame(capture, flamelet_capture_frame_count(capture) - 1, &frame);
    return frame.index;
  }
  flamelet_flight_stats stats() const {
    flamelet_flight_stats stats;
    flamelet_flight_get_stats(flight, &stats);
    return stats;
  }

  RecordedGame game;
  flamelet_capture* capture = nullptr;
  flamelet_flight* flight = nullptr;
  std::optional<OverlayPlayer> player;
};

struct Sizes {
  size_t recorder, capture, flight, overlay;
  size_t all() const { return recorder + capture + flight + overlay; }
};

// What an allocator is asked for by a profiler of these configs, with one capture.
Sizes measure(flamelet_config recorder, flamelet_capture_config capture_config, flamelet_flight_config flight_config,
              OverlayConfig overlay_config) {
  recorder_test::CountingAllocator of_recorder, of_capture, of_flight, of_overlay;
  recorder.allocator = of_recorder.get();
  capture_config.allocator = of_capture.get();
  flight_config.allocator = of_flight.get();
  overlay_config.allocator = of_overlay.get();
  REQUIRE(flamelet_init(&recorder) == FLAMELET_OK);
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&capture_config, &capture) == FLAMELET_OK);
  flamelet_flight* flight = nullptr;
  REQUIRE(flamelet_flight_create(&flight_config, capture, &flight) == FLAMELET_OK);
  overlay_config.shared_capture = capture;
  overlay_config.flight = flight;
  flamelet::Overlay* overlay = nullptr;
  REQUIRE(flamelet::overlay_create(overlay_config, &overlay) == FLAMELET_OK);
  const Sizes sizes = {of_recorder.bytes, of_capture.bytes, of_flight.bytes, of_overlay.bytes};
  flamelet::overlay_destroy(overlay);
  flamelet_flight_destroy(flight);
  flamelet_capture_destroy(capture);
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  for (const recorder_test::CountingAllocator* allocator : {&of_recorder, &of_capture, &of_flight, &of_overlay}) {
    CHECK(allocator->allocations == 1);
    CHECK(allocator->freed_bytes == allocator->bytes);
  }
  MESSAGE("recorder " << sizes.recorder << ", capture " << sizes.capture << ", flight recorder " << sizes.flight
                      << ", overlay " << sizes.overlay << ", all " << sizes.all());
  return sizes;
}

constexpr size_t kMiB = size_t{1} << 20;

}  // namespace

TEST_CASE_FIXTURE(SharedGame, "shared capture: pausing the overlay holds it, and going on lets it go") {
  frames(10);
  CHECK(flamelet::overlay_shows_live_game(player->overlay));
  const uint64_t seen = newest();
  flamelet::overlay_set_paused(player->overlay, true);
  CHECK(flamelet_capture_is_held(capture));
  frames(10);
  CHECK(newest() == seen);
  flamelet::overlay_set_paused(player->overlay, false);
  CHECK_FALSE(flamelet_capture_is_held(capture));
  frames(1);
  CHECK(newest() == seen + 11);
  REQUIRE(flamelet::overlay_select_frames(player->overlay, seen, seen));
  CHECK(flamelet_capture_is_held(capture));
  player.reset();
  CHECK_FALSE(flamelet_capture_is_held(capture));
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
}

TEST_CASE_FIXTURE(SharedGame, "shared capture: an overlay that is turned off while it is paused lets it go") {
  frames(10);
  flamelet::overlay_set_paused(player->overlay, true);
  const uint64_t seen = newest();
  flamelet::overlay_set_mode(player->overlay, flamelet::OverlayMode::kHud);
  frames(2);
  CHECK(newest() == seen);
  flamelet::overlay_set_mode(player->overlay, flamelet::OverlayMode::kOff);
  frames(2);
  CHECK_FALSE(flamelet_capture_is_held(capture));
  CHECK_FALSE(flamelet::overlay_paused(player->overlay));
  CHECK(newest() >= seen + 3);
  flamelet::overlay_set_mode(player->overlay, flamelet::OverlayMode::kActive);
  frames(2);
  CHECK(newest() >= seen + 5);
}

TEST_CASE(
    "shared capture: the flight recorder keeps hitches of the time in which it was held, and triggers on nothing "
    "else") {
  SharedGame f;
  f.frames(10);
  flamelet::overlay_set_paused(f.player->overlay, true);
  f.frames(5);
  f.frames(1, 20);
  f.frames(5);
  CHECK(f.stats().triggers == 0);
  flamelet::overlay_set_paused(f.player->overlay, false);
  f.frames(30);
  CHECK(f.stats().triggers == 1);
  REQUIRE(flamelet_flight_count(f.flight) == 1);
  flamelet_flight_info info;
  REQUIRE(flamelet_flight_get(f.flight, 0, &info));
  CHECK(info.cause == FLAMELET_FLIGHT_FRAME_BUDGET);
}

TEST_CASE_FIXTURE(SharedGame, "shared capture: another file on the screen lets the live capture go on") {
  frames(10);
  const TemporaryFolder folder;
  const std::string path = folder.file("saved.flamelet");
  REQUIRE(flamelet::overlay_save_capture(player->overlay, path.c_str()) == FLAMELET_OK);
  REQUIRE(flamelet::overlay_open_capture(player->overlay, path.c_str()) == FLAMELET_OK);
  CHECK_FALSE(flamelet_capture_is_held(capture));
  const uint64_t seen = newest();
  frames(3);
  CHECK(newest() == seen + 3);
}

TEST_CASE("memory: the small configs take 16 MiB together") {
  const Sizes sizes = measure(flamelet_config_small(), flamelet_capture_config_small(), flamelet_flight_config_small(),
                              flamelet::overlay_config_small());
  CHECK(sizes.recorder == 4 * kMiB);
  CHECK(sizes.capture <= 17 * kMiB / 4);
  CHECK(sizes.flight <= 7 * kMiB / 4);
  CHECK(sizes.overlay <= 6 * kMiB);
  CHECK(sizes.all() <= 16 * kMiB);
}

TEST_CASE("memory: by default all of it takes 76 MiB, and the capture holds 74 frames of 20,000 scopes") {
  flamelet_capture_config capture = flamelet_capture_config_default();
  capture.budget_bytes = 16 * kMiB;
  const Sizes sizes =
      measure(flamelet_config_default(), capture, flamelet_flight_config_default(), flamelet::OverlayConfig());
  CHECK(sizes.recorder == 16 * kMiB);
  CHECK(sizes.capture <= 16 * kMiB);
  CHECK(sizes.flight <= 13 * kMiB);
  CHECK(sizes.overlay <= 31 * kMiB);
  CHECK(sizes.all() <= 76 * kMiB);
  // So does the overlay's own, where there is no other.
  CHECK(OverlayConfig().budget_bytes - sizes.overlay >= 16 * kMiB);
  const flamelet_config recorder = flamelet_config_default();
  REQUIRE(flamelet_init(&recorder) == FLAMELET_OK);
  flamelet_capture* made = nullptr;
  REQUIRE(flamelet_capture_create(&capture, &made) == FLAMELET_OK);
  for (int frame = 0; frame < 80; ++frame) {
    for (int scope = 0; scope < 20000; scope += 4) {
      FLAMELET_SCOPE("Agent");
      { FLAMELET_SCOPE("Steer"); }
      { FLAMELET_SCOPE("Think"); }
      { FLAMELET_SCOPE("Move"); }
    }
    flamelet_frame();
    REQUIRE(flamelet_capture_update(made) == FLAMELET_OK);
  }
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(made, &stats);
  CHECK(stats.events_lost == 0);
  CHECK(stats.events_held >= 74 * 2 * 20000);
  flamelet_capture_destroy(made);
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
}

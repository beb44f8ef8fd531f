// SPDX-License-Identifier: MIT
//
// What triggers a flight recorder, and what does not.
#include <thread>

#include "profiler/flight/flight_game.h"

using namespace recorder_test;

TEST_CASE("flight: a frame over the budget is kept with the frames before and after it") {
  FlightGame game(flight_over(33));
  game.frames(20);
  game.frame(50);
  const uint64_t slow = game.newest_frame();
  game.frames(1);
  CHECK(game.count() == 0);
  game.settle();
  REQUIRE(game.count() == 1);
  const flamelet_flight_info info = game.info();
  CHECK(info.id == 1);
  CHECK(info.cause == FLAMELET_FLIGHT_FRAME_BUDGET);
  CHECK(info.limit_ns == 33000000);
  CHECK(info.frame.index == slow);
  CHECK(info.frame.end_ns - info.frame.begin_ns == 50000000);
  CHECK(info.first_frame == slow - 3);
  CHECK(info.last_frame == slow + 2);
  CHECK(info.flags == (FLAMELET_FLIGHT_WORST | FLAMELET_FLIGHT_LATEST));
  CHECK(info.unix_ns == flamelet_clock_info().origin_unix_ns + static_cast<uint64_t>(info.frame.begin_ns));

  flamelet_capture* kept = nullptr;
  REQUIRE(flamelet_flight_open(game.flight, info.id, nullptr, &kept) == FLAMELET_OK);
  for (uint64_t index = info.first_frame; index <= info.last_frame; ++index)
    CHECK(flamelet_capture_find_frame(kept, index) != SIZE_MAX);
  const std::vector<flamelet_span> spans =
      read_spans(kept, find_lane(kept, "Main"), info.frame.begin_ns, info.frame.end_ns);
  CHECK(spans.size() == 1);
  CHECK(text_of(kept, spans.at(0).name) == "Update");
  flamelet_capture_destroy(kept);
}

TEST_CASE("flight: frames that keep to the budget, partial ones and the first one trigger nothing") {
  FlightGame game(flight_over(33));
  game.frames(30, 33);
  FlightGame::pass(100);
  flamelet_set_enabled(false);
  flamelet_set_enabled(true);
  game.mark();
  game.frames(30);
  CHECK(game.stats().triggers == 0);
}

TEST_CASE("flight: a frame is compared with the median of those before it") {
  FlightGame game(with(quiet_flight(), &flamelet_flight_config::median_factor, 2.5));
  game.frames(10);
  game.frame(90);  // too few frames for a median
  game.frames(10);
  CHECK(game.stats().triggers == 0);
  game.frame(24.9);
  CHECK(game.stats().triggers == 0);
  game.frame(25.1);
  game.settle();
  REQUIRE(game.count() == 1);
  CHECK(game.info().cause == FLAMELET_FLIGHT_FRAME_MEDIAN);
  CHECK(game.info().limit_ns == 25000000);
  // A game that stays slow is usual in the end.
  for (int i = 0; i < 400; ++i) game.frame(30);
  const uint64_t triggers = game.stats().triggers;
  for (int i = 0; i < 100; ++i) game.frame(30);
  CHECK(game.stats().triggers == triggers);
}

TEST_CASE_FIXTURE(FlightGame, "flight: the frame in which the game asks for it is kept, from whichever thread") {
  frames(20);
  std::thread([&] { flamelet_flight_trigger(flight, "desync"); }).join();
  const uint64_t called = newest_frame() + 1;
  update();
  update();
  settle();
  frame(10);
  settle();
  REQUIRE(count() == 1);
  CHECK(info().cause == FLAMELET_FLIGHT_CALL);
  CHECK(std::string(info().text) == "desync");
  CHECK(info().frame.index == called);
  CHECK(info().limit_ns == 0);
}

TEST_CASE_FIXTURE(
    FlightGame,
    "flight: a call while another one waits is skipped and counted, and a long text is cut between characters") {
  frames(5);
  flamelet_flight_trigger(flight, (std::string(62, 'x') + "\xC3\xA4 and more").c_str());
  flamelet_flight_trigger(flight, "second");
  flamelet_flight_trigger(flight, nullptr);
  CHECK(stats().skipped_busy == 2);
  frames(1);
  settle();
  REQUIRE(count() == 1);
  CHECK(std::string(info().text) == std::string(62, 'x'));
  flamelet_flight_trigger(flight, nullptr);
  frames(1);
  settle();
  CHECK(count() == 2);
  CHECK(stats().triggers == 4);
}

TEST_CASE("flight: triggers in the dead time and beyond the limit are skipped and counted") {
  flamelet_flight_config config = flight_over(5);
  config.dead_time_ms = 200;
  config.max_triggers = 4;
  FlightGame game(config);
  game.frames(200);  // every one of them is over the budget
  const flamelet_flight_stats stats = game.stats();
  CHECK(stats.kept == 4);
  CHECK(stats.triggers == 200);
  CHECK(stats.skipped_dead_time >= 60);
  CHECK(stats.skipped_limit > 80);
  CHECK(stats.triggers == stats.kept + stats.skipped_dead_time + stats.skipped_limit + stats.skipped_busy);
  for (size_t i = 0; i < 4; ++i) {
    for (size_t k = 0; k < i; ++k) {
      const uint64_t a = game.info(i).frame.index, b = game.info(k).frame.index;
      CHECK((a > b ? a - b : b - a) > 20);
    }
  }
}

TEST_CASE("flight: a longer frame among those after a trigger takes its place; after a call, it is kept, too") {
  FlightGame game(with(flight_over(33), &flamelet_flight_config::dead_time_ms, 500));
  game.frames(10);
  game.frame(40);
  game.frame(35);
  game.frame(90);
  const uint64_t longest = game.newest_frame();
  game.settle();
  REQUIRE(game.count() == 1);
  CHECK(game.info().frame.index == longest);
  CHECK(game.info().last_frame == longest + 2);
  CHECK(game.stats().triggers == 3);
  CHECK(game.stats().skipped_busy == 1);
  CHECK(game.stats().skipped_dead_time == 1);
  game.frames(60);
  flamelet_flight_trigger(game.flight, "desync");
  game.frames(1);
  game.frame(90);
  game.settle();
  REQUIRE(game.count() == 3);
  CHECK(game.info(flamelet_flight_find(game.flight, 2)).cause == FLAMELET_FLIGHT_CALL);
  CHECK(game.info(flamelet_flight_find(game.flight, 3)).cause == FLAMELET_FLIGHT_FRAME_BUDGET);
}

TEST_CASE("flight: a longer frame in the dead time is kept, and none that is shorter, until it has passed") {
  FlightGame game(with(flight_over(33), &flamelet_flight_config::dead_time_ms, 500));
  game.frames(10);
  game.frame(48);
  game.settle();
  REQUIRE(game.count() == 1);
  game.frames(3);
  game.frame(47);
  game.frame(526);
  const uint64_t longest = game.newest_frame();
  game.settle();
  game.frame(100);
  game.settle();
  REQUIRE(game.count() == 2);
  CHECK(game.info(0).frame.index == longest);
  CHECK(game.stats().skipped_dead_time == 2);
  game.frames(50);
  game.frame(40);
  game.settle();
  CHECK(game.count() == 3);
}

TEST_CASE("flight: while one is copied, the longest of the longer frames waits for its turn") {
  flamelet_flight_config config = flight_over(33);
  config.dead_time_ms = 500;
  config.copy_bytes = 1;
  FlightGame game(config);
  const auto copy_slowly = [&] {
    game.frames(10);
    game.frame(48);
    game.frames(3);
    REQUIRE(game.stats().busy);
    game.frame(300);
    game.frame(526);
    game.frame(100);
    CHECK(game.stats().kept == 0);
  };
  copy_slowly();
  const uint64_t longest = game.newest_frame() - 1;
  game.settle();
  REQUIRE(game.count() == 2);
  CHECK(game.info(0).frame.index == longest);
  CHECK(game.info(0).first_frame == longest - 3);
  CHECK(game.info(1).frame.end_ns - game.info(1).frame.begin_ns == 48000000);
  CHECK(game.stats().triggers == 4);
  CHECK(game.stats().skipped_busy == 1);
  CHECK(game.stats().skipped_dead_time == 1);

  // Of max_triggers, one that waits is the last.
  config.max_triggers = 1;
  config.allocator = game.allocator.get();
  flamelet_flight_destroy(game.flight);
  REQUIRE(flamelet_flight_create(&config, game.capture, &game.flight) == FLAMELET_OK);
  copy_slowly();
  game.settle();
  CHECK(game.count() == 1);
  CHECK(game.stats().skipped_limit == 3);
}

TEST_CASE("flight: lost events trigger, once for each loss") {
  FlightGame game(with(quiet_flight(), &flamelet_flight_config::loss, true), 4);
  game.frames(5);
  CHECK(game.stats().triggers == 0);
  game.frame(10, "Update", 30000);
  game.settle();
  REQUIRE(game.capture.stats().events_lost > 0);
  REQUIRE(game.count() == 1);
  CHECK(game.info().cause == FLAMELET_FLIGHT_LOSS);
  game.frames(20);
  CHECK(game.stats().triggers == 1);
}

TEST_CASE("flight: an update that brings a large share of the ring triggers before anything is lost") {
  FlightGame game(with(quiet_flight(), &flamelet_flight_config::ring_share, 0.5), 64);
  game.frames(20, 10, 2000);
  CHECK(game.stats().triggers == 0);
  game.frame(10, "Update", 15000);
  game.settle();
  CHECK(game.capture.stats().events_lost == 0);
  REQUIRE(game.count() == 1);
  CHECK(game.info().cause == FLAMELET_FLIGHT_MEMORY);
}

TEST_CASE("flight: what a hold of the capture loses, and that much comes at once after it, does not trigger") {
  flamelet_flight_config config = quiet_flight();
  config.loss = true;
  config.ring_share = 0.5;
  FlightGame game(config, 64);
  game.frames(5);
  flamelet_capture_hold(game.capture, true);
  game.frames(50, 10, 2000);
  flamelet_capture_hold(game.capture, false);
  game.frames(5);
  CHECK(game.stats().triggers == 0);
  for (int i = 0; i < 64 * 252; ++i) flamelet_instant("much", "", nullptr);
  game.frames(1);
  CHECK(game.stats().triggers == 1);
}

TEST_CASE("flight: after a restart of the recorder it goes on, and keeps what it has") {
  FlightGame game(flight_over(33));
  game.frames(20);
  game.frame(50);
  game.settle();
  const std::string before = game.bytes(1);
  game.frames(20);
  game.frame(60);
  CHECK(game.stats().busy);
  FlightGame::restart();
  flamelet_frame();
  game.frame(50);  // the first after the mark
  CHECK(game.stats().given_up == 1);
  game.frames(20);
  game.frame(70);
  game.settle();
  CHECK(game.count() >= 2);
  CHECK(game.bytes(1) == before);
  CHECK(game.info(0).frame.end_ns - game.info(0).frame.begin_ns == 70000000);
}

TEST_CASE("flight: a restart gives up the one that is copied and the one that waits") {
  FlightGame game(with(flight_over(33), &flamelet_flight_config::copy_bytes, 1));
  game.frames(10);
  game.frame(48);
  game.frames(3);
  game.frame(90);
  FlightGame::restart();
  game.frames(3);
  CHECK(game.stats().given_up == 2);
  CHECK_FALSE(game.stats().busy);
}

TEST_CASE_FIXTURE(
    FlightGame,
    "flight: a call before a restart of the recorder is given up, and does not stand in the way of later ones") {
  frames(20);
  flamelet_flight_trigger(flight, "before");
  FlightGame::restart();  // the clock begins anew, too
  frames(3);
  CHECK(stats().given_up == 1);
  flamelet_flight_trigger(flight, "after");
  frame();
  settle();
  REQUIRE(count() == 1);
  CHECK(std::string(info().text) == "after");
  CHECK(stats().triggers == 2);
}

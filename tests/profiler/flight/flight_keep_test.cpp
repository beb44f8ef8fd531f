// SPDX-License-Identifier: MIT
//
// What a flight recorder keeps: exactly what a capture had, the longest and the newest, and never more memory.
#include <random>
#include "profiler/flight/flight_game.h"

#include <atomic>
#include <thread>
#include <vector>

#include "rounds.h"

using namespace recorder_test;

namespace {

// A frame of `ms` that triggers, and what belongs to it.
void slow_frame(FlightGame* game, double ms, int inner = 0) {
  REQUIRE(game->frame(ms, "Update", inner) == FLAMELET_OK);
  game->settle();
}

// In milliseconds.
std::vector<int64_t> lengths(const FlightGame& game) {
  std::vector<int64_t> found;
  for (size_t i = 0; i < game.count(); ++i) {
    const flamelet_frame_info frame = game.info(i).frame;
    found.push_back((frame.end_ns - frame.begin_ns) / 1000000);
  }
  return found;
}

}  // namespace

TEST_CASE("flight: kept frames are byte for byte what a save had when the last of them was complete") {
  flamelet_flight_config config = flight_over(33);
  config.copy_bytes = 3000;  // many updates for each
  FlightGame game(config, 512);
  std::mt19937 random(1);
  std::string expected;
  uint64_t kept = 0;
  for (int i = 0; i < 3000 && kept < 40; ++i) {
    const bool copied = game.flight->state == FlightState::kCopies;
    game.frame(random() % 40 == 0 ? 40 : 10, "Update", static_cast<int>(random() % 400));
    flamelet_counter("value", "game", static_cast<double>(i));
    if (!copied && game.flight->state == FlightState::kCopies)
      expected = saved_now(game.capture, game.flight->copied->info);
    if (game.stats().kept == kept) continue;
    kept = game.stats().kept;
    CHECK(game.bytes(kept) == expected);
    CHECK(game.info(flamelet_flight_find(game.flight, kept)).bytes == expected.size());
  }
  CHECK(kept == 40);
  CHECK(game.stats().pages_missed == 0);
}

TEST_CASE("flight: what is kept says what triggered, also loaded and saved again, and no frame in it has losses") {
  FlightGame game(quiet_flight());
  REQUIRE(flamelet_flight_set_scope_budget(game.flight, "Physics", 20000000) == FLAMELET_OK);
  game.frames(30, 10, 50);
  REQUIRE(game.frame(25, "Physics", 50) == FLAMELET_OK);
  game.settle();
  const flamelet_flight_info live = game.info();
  flamelet_flight_info found;
  CHECK(!flamelet_flight_of_capture(game.capture, &found));
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_flight_open(game.flight, live.id, nullptr, &capture) == FLAMELET_OK);
  REQUIRE(flamelet_flight_of_capture(capture, &found));
  CHECK(found.cause == FLAMELET_FLIGHT_SCOPE_BUDGET);
  CHECK(std::string(found.text) == "Physics");
  CHECK(found.limit_ns == 20000000);
  CHECK(found.frame.index == live.frame.index);
  CHECK(found.frame.begin_ns == live.frame.begin_ns);
  CHECK(found.first_frame == live.first_frame);
  CHECK(found.last_frame == live.last_frame);
  CHECK(found.unix_ns == live.unix_ns);
  flamelet_frame_info frame;
  for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) CHECK(frame.flags == 0);
  CHECK(recorder_test::save(capture) == game.bytes(live.id));
  const std::string cut = save(capture, 0, found.frame.begin_ns);
  flamelet_capture_destroy(capture);
  REQUIRE(flamelet_capture_load_bytes(nullptr, cut.data(), cut.size(), &capture, nullptr) == FLAMELET_OK);
  CHECK(!flamelet_flight_of_capture(capture, &found));
  flamelet_capture_destroy(capture);
}

TEST_CASE("flight: the longest frames and the newest ones are kept, and it is said which is which") {
  flamelet_flight_config config = flight_over(33);
  config.keep_worst = 2;
  config.keep_latest = 3;
  FlightGame game(config);
  for (const double ms : {40.0, 90.0, 50.0, 80.0, 60.0, 45.0, 41.0}) slow_frame(&game, ms);
  CHECK(lengths(game) == std::vector<int64_t>{90, 80, 60, 45, 41});
  CHECK(game.info(0).flags == FLAMELET_FLIGHT_WORST);
  CHECK(game.info(1).flags == FLAMELET_FLIGHT_WORST);
  for (size_t i = 2; i < 5; ++i) CHECK(game.info(i).flags == FLAMELET_FLIGHT_LATEST);
  slow_frame(&game, 100);
  CHECK(lengths(game) == std::vector<int64_t>{100, 90, 45, 41});
  CHECK(game.info(0).flags == (FLAMELET_FLIGHT_WORST | FLAMELET_FLIGHT_LATEST));
  CHECK(flamelet_flight_find(game.flight, 1) == SIZE_MAX);
  CHECK(game.info(flamelet_flight_find(game.flight, 2)).frame.end_ns > 0);
  flamelet_capture* capture = nullptr;
  CHECK(flamelet_flight_open(game.flight, 1, nullptr, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_flight_save_to(game.flight, 1, {}) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("flight: a full store gives up the oldest of the newest first, then the shortest") {
  flamelet_flight_config config = flight_over(33);
  config.store_bytes = size_t{512} << 10;  // 8 blocks
  config.keep_worst = 3;
  config.frames_before = 0;
  config.frames_after = 0;
  FlightGame game(config);
  for (const double ms : {90.0, 80.0, 70.0, 40.0, 41.0}) slow_frame(&game, ms, 3000);  // one block each
  const size_t each = game.stats().store_used / 5;
  REQUIRE(game.count() == 5);
  // Room for all that fits; 40 and 41 go before 70, 80 and 90.
  for (int i = 0; i < 20; ++i) slow_frame(&game, 42 + i, 3000);
  CHECK(game.stats().store_used <= game.stats().store_bytes);
  CHECK(game.count() >= 512 * 1024 / each - 2);
  std::vector<int64_t> longest = lengths(game);
  longest.resize(4);
  CHECK(longest == std::vector<int64_t>{90, 80, 70, 61});
}

TEST_CASE("flight: what does not fit is cut before the frame, and counted where the frame alone is too large") {
  flamelet_flight_config config = flight_over(33);
  config.store_bytes = size_t{512} << 10;
  config.frames_before = 40;
  FlightGame game(config, 1024);
  game.frames(60, 10, 10000);
  slow_frame(&game, 50, 10000);
  REQUIRE(game.count() == 1);
  CHECK((game.info().flags & FLAMELET_FLIGHT_CUT) != 0);
  CHECK(game.info().first_frame > game.info().frame.index - 40);
  CHECK(game.info().first_frame < game.info().frame.index);
  CHECK(game.stats().store_used <= 256 * 1024 + FLAMELET_PAGE_BYTES * 16);
  slow_frame(&game, 60, 300000);
  CHECK(game.count() == 1);
  CHECK(game.stats().skipped_memory == 1);
  slow_frame(&game, 55);
  CHECK(game.count() == 2);
}

TEST_CASE("flight: copying keeps ahead of a capture that forgets quickly") {
  flamelet_flight_config config = flight_over(33);
  config.store_bytes = size_t{16} << 20;
  config.frames_before = 30;
  config.copy_bytes = 4096;
  flamelet_capture_config capture = small_capture_config();
  capture.max_tracks = 512;
  capture.max_sites = capture.max_strings = 1024;
  capture.string_bytes = 64 * 1024;
  capture.max_fiber_runs = 0;
  capture.budget_bytes = 0;
  flamelet_capture_config least = capture;
  capture.budget_bytes = flamelet_capture_memory_required(&least) + size_t{350} * 1200;
  FlightGame game(config, 2048, capture);
  game.frames(40, 10, 4000);
  game.frame(50, "Update", 4000);
  game.frames(2, 10, 4000);
  const std::string expected = saved_now(game.capture, game.flight->copied->info);
  for (int i = 0; game.stats().busy && i < 1000; ++i) game.frames(1, 10, 4000);
  CHECK(game.capture.stats().events_evicted > 0);
  REQUIRE(game.count() == 1);
  CHECK(game.info().flags == (FLAMELET_FLIGHT_WORST | FLAMELET_FLIGHT_LATEST));
  CHECK(game.bytes(1) == expected);
}

// A page that is open when the frames are complete is copied as it was then, although it grows, and moves in the store.
TEST_CASE("flight: an open page is kept as it was") {
  FlightGame game(with(flight_over(33), &flamelet_flight_config::copy_bytes, 1));
  game.frames(5);
  game.frame(50);
  game.frames(2);
  REQUIRE(game.flight->state == FlightState::kCopies);
  const std::string expected = saved_now(game.capture, game.flight->copied->info);
  for (int i = 0; game.stats().busy && i < 1000; ++i) game.frame(10, "Later", 100);
  CHECK(game.bytes(1) == expected);
}

TEST_CASE_FIXTURE(recorder_test::Recording, "flight: one allocation, as large as was said") {
  Capture capture;
  CountingAllocator allocator;
  const flamelet_flight_config config = with(quiet_flight(), &flamelet_flight_config::allocator, allocator.get());
  flamelet_flight* flight = nullptr;
  REQUIRE(flamelet_flight_create(&config, capture, &flight) == FLAMELET_OK);
  CHECK(allocator.allocations == 1);
  CHECK(allocator.bytes == flamelet_flight_memory_required(&config, capture));
  flamelet_flight_stats stats;
  flamelet_flight_get_stats(flight, &stats);
  CHECK(stats.memory_bytes == allocator.bytes);
  CHECK(stats.store_bytes == config.store_bytes);
  flamelet_flight_destroy(flight);
  CHECK(allocator.blocks_held() == 0);
  allocator.blocks_left = 0;
  CHECK(flamelet_flight_create(&config, capture, &flight) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(flight == nullptr);
}

TEST_CASE_FIXTURE(recorder_test::Recording, "flight: configs out of range are refused") {
  Capture capture;
  const auto is_refused = [&](auto change) {
    flamelet_flight_config config = flamelet_flight_config_default();
    change(&config);
    flamelet_flight* flight = nullptr;
    const bool refused = flamelet_flight_create(&config, capture, &flight) == FLAMELET_ERROR_INVALID_ARGUMENT;
    CHECK((flight == nullptr) == refused);
    CHECK((flamelet_flight_memory_required(&config, capture) == 0) == refused);
    flamelet_flight_destroy(flight);
    return refused;
  };
  CHECK(!is_refused([](flamelet_flight_config*) {}));
  CHECK(is_refused([](flamelet_flight_config* c) { c->cookie = 0; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->store_bytes = 1000; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->keep_latest = 0; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->keep_worst = 513; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->frame_budget_ns = -1; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->median_factor = 0.0 / 0.0; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->ring_share = 1.5; }));
  CHECK(is_refused([](flamelet_flight_config* c) { c->copy_bytes = 0; }));
  const std::string longest(1023, 'x');
  CHECK(!is_refused([&](flamelet_flight_config* c) { c->folder = longest.c_str(); }));
  const flamelet_flight_config config = flamelet_flight_config_default();
  flamelet_flight* flight = nullptr;
  CHECK(flamelet_flight_create(&config, nullptr, &flight) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_flight_create(&config, capture, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_flight_destroy(nullptr);
  CHECK(flamelet_flight_update(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

// ---- Flight storm -------------------------------------------------------------------------------------------------

// Ten thousand triggers while threads record: the memory stays the same, what is kept is what the capture had, and no
// event is lost.

namespace {

// Threads that record a while in each frame, beside whatever the main thread does. What they record of a frame is
// bounded, so that the ring holds it even if the main thread does not run for a while.
class Load {
 public:
  explicit Load(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Load() {
    stop_.store(true);
    for (std::thread& thread : threads_) thread.join();
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  void next_frame() { frame_.fetch_add(1); }

 private:
  void run() {
    uint64_t done = 0;
    while (!stop_.load()) {
      const uint64_t frame = frame_.load();
      if (done == frame) {
        std::this_thread::yield();
        continue;
      }
      done = frame;  // a thread that did not run for a while catches up at once
      for (int i = 0; i < 60; ++i) {
        FLAMELET_SCOPE("job");
        FLAMELET_SCOPE("part");
      }
    }
  }

  std::atomic<uint64_t> frame_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("flight: of ten thousand triggers under load each is kept as the capture had it, and nothing is lost") {
  const Recording recording(small_config(2048));
  Capture capture;
  CountingAllocator allocator;
  flamelet_flight_config config = quiet_flight();
  config.allocator = allocator.get();
  config.frames_before = 2;
  config.frames_after = 1;
  config.copy_bytes = 64 * 1024;
  config.keep_worst = 4;
  config.keep_latest = 4;
  flamelet_flight* flight = nullptr;
  REQUIRE(flamelet_flight_create(&config, capture, &flight) == FLAMELET_OK);
  Load load(3);
  const uint64_t wanted = rounds(10000);
  uint64_t calls = 0, compared = 0, wrong = 0;
  std::string expected, bytes;
  flamelet_flight_stats stats = {};
  const auto frame = [&] {
    FLAMELET_SCOPE("frame");
    load.next_frame();
    flamelet_frame();
    capture.update();
  };
  for (int i = 0; i < 100; ++i) frame();  // all names are known
  CHECK(flamelet_flight_update(flight) == FLAMELET_OK);
  while (stats.kept < wanted) {
    flamelet_flight_trigger(flight, "storm");
    ++calls;
    frame();
    const bool copied = flight->state == FlightState::kCopies;
    REQUIRE(flamelet_flight_update(flight) == FLAMELET_OK);
    if (!copied && flight->state == FlightState::kCopies) expected = saved_now(capture, flight->copied->info);
    const uint64_t kept = stats.kept;
    flamelet_flight_get_stats(flight, &stats);
    if (stats.kept == kept) continue;
    bytes.clear();
    REQUIRE(flamelet_flight_save_to(flight, stats.kept, sink_to(&bytes)) == FLAMELET_OK);
    ++compared;
    if (bytes != expected) ++wrong;
  }
  CHECK(compared == wanted);
  CHECK(wrong == 0);
  CHECK(stats.pages_missed == 0);
  CHECK(stats.given_up + stats.skipped_memory + stats.skipped_limit == 0);
  // The second of two triggers of one frame falls into its dead time.
  CHECK(stats.triggers - stats.kept - stats.skipped_busy - stats.skipped_dead_time == (stats.busy ? 1 : 0));
  CHECK(stats.triggers + (flight->box.get() != nullptr ? 1 : 0) == calls);
  CHECK(capture.stats().events_lost == 0);
  CHECK(recorder_test::stats().dropped_no_page == 0);
  CHECK(allocator.allocations == 1);
  CHECK(stats.memory_bytes == allocator.bytes);
  CHECK(flamelet_flight_count(flight) <= 8);
  MESSAGE(calls, " triggers, ", stats.kept, " kept");
  flamelet_flight_destroy(flight);
}

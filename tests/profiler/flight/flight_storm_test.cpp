// SPDX-License-Identifier: MIT
//
// Ten thousand triggers while threads record: the memory stays the same, what is kept is what the capture had, and no
// event is lost.
#include <atomic>
#include <thread>
#include <vector>

#include "profiler/flight/flight_game.h"
#include "rounds.h"

using namespace recorder_test;

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

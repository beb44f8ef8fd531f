// SPDX-License-Identifier: MIT
//
// Threads that come and go, more at a time than there are tracks.
#include <vector>

#include "stress.h"
#include "support/capture.h"

using namespace recorder_test;

TEST_CASE("churn: of many more threads than tracks, each event is recorded or counted") {
  constexpr uint32_t kAtOnce = 6, kEvents = 20;
  const uint64_t rounds = scaled(100'000) / kAtOnce + 1;
  flamelet_config config = with_tracks(4, 200);  // more than the threads between two looks of the reader take
  Recording recording(config);
  std::atomic<uint64_t> recorded{0}, refused{0};
  EventReader reader;
  for (uint64_t round = 0; round < rounds; ++round) {
    std::vector<std::thread> threads;
    std::atomic<uint32_t> begun{0};
    for (uint32_t i = 0; i < kAtOnce; ++i)
      threads.emplace_back([&recorded, &refused, &begun] {
        for (uint32_t k = 0; k < kEvents; ++k) {
          // None ends before all have asked for a track.
          if (k == 1) ++begun;
          while (k == 1 && begun != kAtOnce) std::this_thread::yield();
          const flamelet_id id = flamelet_begin("short", "", nullptr);
          if (id == 0) {
            ++refused;
            continue;
          }
          recorded += 2;
          flamelet_end(id);
        }
      });
    if (round % 4 == 0) reader.poll();
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(reader.read_problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.tracks_live == 0);
  CHECK(now.dropped_no_track == 2 * refused);  // begin and end
  CHECK(now.events_recorded == recorded + 1);
  CHECK(reader.total_read() == recorded + 1);
  CHECK(refused >= (kAtOnce - config.max_tracks) * rounds);
  CHECK(recorded / 2 + refused == rounds * kAtOnce * kEvents);
  MESSAGE((rounds * kAtOnce) << " threads, " << refused.load() << " of their scopes without a track");
}

TEST_CASE("churn: a track that has ended gives its total, or its place to another, never something between") {
  // One thread asks for all tracks while others come and go: a total never shrinks, and never comes after the end.
  const uint64_t rounds = scaled(10'000);
  Recording recording(small_config(256));
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> wrong{0};
  std::thread asking([&] {
    std::vector<uint64_t> events(rounds * 2 + 2), final_events(rounds * 2 + 2);
    while (!stop) {
      if (!flamelet::hold_session()) continue;
      for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot) {
        flamelet::TrackRecord record;
        if (!flamelet::get_track(slot, &record) || record.id >= events.size()) continue;
        if (!record.ended) continue;
        // Each thread records 7 events, or 8.
        if (record.events != 7 + record.id % 2) ++wrong;
        if (final_events[record.id] != 0 && final_events[record.id] != record.events) ++wrong;
        final_events[record.id] = record.events;
      }
      flamelet::release_session();
    }
  });
  for (uint64_t round = 0; round < rounds; ++round) {
    const auto work = [] {
      const uint32_t id = flamelet_thread_id();
      for (uint32_t i = 0; i < 7 + id % 2; ++i) FLAMELET_INSTANT("point");
    };
    std::thread first(work), second(work);
    first.join();
    second.join();
  }
  stop = true;
  asking.join();
  CHECK(wrong == 0);
}

TEST_CASE("churn: threads and fibers come and go while captures are made: recorded is read plus lost in each") {
  constexpr uint32_t kAtOnce = 4;
  const uint64_t rounds = scaled(10'000) / kAtOnce + 1;
  flamelet_config config = small_config();
  config.max_tracks = 16;
  config.max_fibers = 32;
  keep_pages(&config, 300);
  Recording recording(config);
  std::atomic<uint32_t> running{kAtOnce};
  std::atomic<uint64_t> recorded{0};
  std::vector<std::thread> spawners;
  for (uint32_t i = 0; i < kAtOnce; ++i)
    spawners.emplace_back([rounds, &recorded, &running] {
      for (uint64_t round = 0; round < rounds; ++round)
        std::thread([round, &recorded] {
          { FLAMELET_SCOPE("job"); }
          recorded += 2;
          if (round % 2 != 0) return;
          const uint32_t fiber = flamelet_fiber_create("fiber");
          flamelet_fiber_switch(0, fiber);
          { FLAMELET_SCOPE("task"); }
          flamelet_fiber_switch(fiber, 0);
          flamelet_fiber_destroy(fiber);
          recorded += 5;  // switches and the destroy are events, too
        }).join();
      --running;
    });
  flamelet_capture_config few = flamelet_capture_config_default();
  few.max_tracks = 2 * FLAMELET_MAX_TRACKS;
  few.budget_bytes = size_t{16} << 20;
  Capture growing(few);
  uint32_t captures = 0;
  while (running != 0) {
    growing.update();
    Capture once(Captured::kNow);
    const flamelet_capture_stats sums = once.stats();
    CHECK(sums.events_read + sums.events_lost <= stats().events_recorded);
    CHECK(sums.bad_words == 0);
    ++captures;
  }
  for (std::thread& spawner : spawners) spawner.join();
  Capture last;
  for (Capture* capture : {&growing, &last}) {
    capture->update();
    const flamelet_capture_stats sums = capture->stats();
    CHECK(sums.events_read + sums.events_lost == stats().events_recorded);
    CHECK(sums.bad_words == 0);
  }
  CHECK(stats().events_recorded == recorded + 1);
  MESSAGE((rounds * kAtOnce) << " threads, " << captures << " captures");
}

// SPDX-License-Identifier: MIT
//
// Start, stop and switch while threads record, mark frames, switch fibers, submit and read.
#include <vector>

#include "profiler/record/categories_guard.h"
#include "stress.h"

using namespace recorder_test;

namespace {

// Everything that a thread can do, again and again.
void do_everything(const std::atomic<bool>& stop, uint32_t seed) {
  uint32_t round = seed;
  uint32_t fiber = 0, track = 0;
  while (!stop) {
    ++round;
    FLAMELET_SCOPE("outer");
    FLAMELET_BEGIN(scope, "inner");
    FLAMELET_NEXT(scope, "next");
    FLAMELET_COUNTER("round", round);
    FLAMELET_INSTANT_OBJECT("point", "object");
    flamelet_intern("name");  // which may be gone with its session in the next line
    const flamelet_id call = flamelet_begin("call", "category", "object");
    { FLAMELET_SCOPE_DYNAMIC("dynamic"); }
    const flamelet_id interval = flamelet_interval_begin("interval", "", nullptr);
    switch (round % 16) {
      case 0:
        flamelet_frame();
        break;
      case 1:
        fiber = flamelet_fiber_create("fiber");
        break;
      case 2:
      case 3: {
        flamelet_fiber_switch(0, fiber);
        { FLAMELET_SCOPE("in fiber"); }
        flamelet_fiber_switch(fiber, 0);
        break;
      }
      case 4:
        flamelet_fiber_destroy(fiber);
        break;
      case 5:
        track = flamelet_track_create("track", FLAMELET_TRACK_EXTERNAL, 1e9);
        flamelet_track_calibrate(track, 0, flamelet_now_ticks());
        break;
      case 6:
      case 7: {
        flamelet_event events[3] = {};
        events[0].type = 'B';
        events[1].type = 'E';
        events[2].type = 'I';
        events[0].id = events[1].id = 1;
        flamelet_submit(track, events, 3);
        break;
      }
      case 8:
        flamelet_track_destroy(track);
        break;
      case 9:
        flamelet_set_thread_name("worker");
        break;
      case 10:
        flamelet_get_stats(nullptr);
        stats();
        flamelet_clock_info();
        break;
      case 11:
        flamelet_end(round);
        break;
      case 12:
        flamelet_category_set_enabled("category", round % 32 == 12);
        break;
      default:
        break;
    }
    flamelet_interval_end(interval);
    flamelet_end(call);
  }
}

flamelet_config load_config() {
  flamelet_config config = small_config();
  config.max_tracks = 16;
  config.max_fibers = 8;
  keep_pages(&config, 64);
  return config;
}

// Until this much more was recorded, or the recorder does not record.
void let_run(uint64_t events) {
  const uint64_t until = stats().events_recorded + events;
  for (int i = 0; i < 10'000 && stats().events_recorded < until; ++i) std::this_thread::yield();
}

}  // namespace

TEST_CASE("control: the recorder starts and stops while threads record, and its memory is left alone afterwards") {
  const CategoriesGuard guard;
  const uint64_t rounds = scaled(300);
  PoisonedHeap heap;
  const flamelet_config config = heap.in(load_config());
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 3; ++i) threads.emplace_back([&stop, i] { do_everything(stop, i * 5); });
  EventReader reader;
  threads.emplace_back([&stop, &reader] {
    while (!stop) {
      reader.poll();
      std::this_thread::yield();
    }
  });
  for (uint64_t round = 0; round < rounds; ++round) {
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
    let_run(round % 8 * 100);
    if (round % 2 == 0) flamelet_set_enabled(false);
    if (round % 4 == 0) flamelet_set_enabled(true);
    REQUIRE(stop_recorder() == FLAMELET_OK);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(reader.problem() == "");
  CHECK(heap.allocations == rounds);
  CHECK(heap.frees == rounds);
  MESSAGE(rounds << " starts and stops");
}

TEST_CASE("control: switching on and off under load leaves every track well nested and every event counted") {
  const CategoriesGuard guard;
  const uint64_t toggles = scaled(10'000);
  Recording recording(load_config());
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 4; ++i) threads.emplace_back([&stop, i] { do_everything(stop, i * 3); });
  EventReader reader;
  for (uint64_t i = 0; i < toggles; ++i) {
    flamelet_set_enabled(i % 2 != 0);
    if (i % 16 == 0) reader.poll();
    if (i % 64 == 1) let_run(1);
  }
  flamelet_set_enabled(true);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(reader.read_problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.missing_ends == 0);
  CHECK(reader.total_read() + reader.total_lost() <= now.events_recorded);
  for (const auto& track : reader.tracks()) CHECK(track.second.open.empty());
  MESSAGE(toggles << " switches, " << now.events_recorded << " events");
}

TEST_CASE("control: starting and stopping waits for a thread that switches, and is never refused for it") {
  const uint64_t rounds = scaled(500);
  const flamelet_config config = small_config(0);
  std::atomic<bool> stop{false};
  std::thread switching([&stop] {
    for (bool enabled = false; !stop; enabled = !enabled) flamelet_set_enabled(enabled);
  });
  uint64_t refused = 0;
  for (uint64_t i = 0; i < rounds; ++i) {
    if (flamelet_init(&config) != FLAMELET_OK) ++refused;
    { FLAMELET_SCOPE("work"); }
    if (flamelet_shutdown() != FLAMELET_OK) ++refused;
  }
  stop = true;
  switching.join();
  flamelet_shutdown();
  CHECK(refused == 0);
}

TEST_CASE("control: of two threads that start or stop at once, one does and the other is told") {
  const uint64_t rounds = scaled(2000);
  PoisonedHeap heap;
  flamelet_config config = heap.in(small_config(0));
  std::atomic<uint32_t> started{0}, stopped{0}, odd{0};
  const auto work = [&] {
    for (uint64_t i = 0; i < rounds; ++i) {
      const flamelet_result init = flamelet_init(&config);
      if (init == FLAMELET_OK)
        ++started;
      else if (init != FLAMELET_ERROR_ALREADY_INITIALIZED && init != FLAMELET_ERROR_BUSY)
        ++odd;
      { FLAMELET_SCOPE("work"); }
      const flamelet_result shutdown = stop_recorder();
      if (shutdown == FLAMELET_OK)
        ++stopped;
      else if (shutdown != FLAMELET_ERROR_NOT_INITIALIZED && shutdown != FLAMELET_ERROR_BUSY)
        ++odd;
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  flamelet_result last;
  while ((last = flamelet_shutdown()) == FLAMELET_ERROR_BUSY) {
  }
  if (last == FLAMELET_OK) ++stopped;
  CHECK(odd == 0);
  CHECK(started == stopped);
  CHECK(heap.allocations == started);
  CHECK(heap.frees == started);
}

TEST_CASE("control: a thread that stays inside keeps the memory; the shutdown says so, and can be repeated") {
  PoisonedHeap heap;
  flamelet_config config = heap.in(small_config());
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  REQUIRE(flamelet::hold_session());  // as a reader that takes long
  CHECK(flamelet_shutdown() == FLAMELET_ERROR_THREADS_RUNNING);
  CHECK(heap.frees == 0);
  CHECK(flamelet_init(&config) == FLAMELET_ERROR_THREADS_RUNNING);
  CHECK(flamelet_begin("off", "", nullptr) == 0);
  CHECK_FALSE(flamelet_enabled());
  flamelet::release_session();
  CHECK(flamelet_shutdown() == FLAMELET_OK);
  CHECK(heap.frees == 1);
  Recording again(config);
  CHECK(flamelet_begin("on", "", nullptr) != 0);
}

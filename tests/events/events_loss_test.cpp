// SPDX-License-Identifier: MIT
//
// What is overwritten before it is read: no event is read twice, and recorded = read + lost.
#include <atomic>
#include <thread>
#include <vector>

#include "events_session.h"

using namespace events_test;

namespace {

void record_scopes(int scopes) {
  for (int i = 0; i < scopes; ++i) flamelet_end(flamelet_begin("a", nullptr, nullptr));
}

uint64_t events_recorded() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

}  // namespace

TEST_CASE("an answer ends at a gap, and the next one begins behind it") {
  for (const bool seen_before : {false, true}) {
    CAPTURE(seen_before);
    Session session(0);
    const Reader reader;
    record_scopes(100);
    if (seen_before) CHECK(reader.total() == 201);
    record_scopes(20000);
    const uint64_t recorded = events_recorded();
    const Answer first = reader.copy(0, 100000);
    CHECK(types(first) == "M");  // its page is owned; what comes next by index is gone
    Poller poller{reader};
    std::vector<uint64_t> times_read(recorded, 0);
    poller.poll(100000, [&](const flamelet_event&, uint64_t index) { ++times_read.at(index); });
    CHECK(poller.lost > 0);
    CHECK(poller.read > 1000);
    CHECK(poller.read + poller.lost == recorded);
    for (const uint64_t times : times_read) REQUIRE(times <= 1);
  }
}

TEST_CASE("a poller that is slower than the threads reads each event at most once, and knows how many it lost") {
  Session session(4);
  const Reader reader(64);
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&go] {
      while (!go) std::this_thread::yield();
      for (int i = 0; i < 20000; ++i) flamelet_instant("a", nullptr, i % 2 == 0 ? "even" : "odd");
    });
  go = true;
  Poller poller{reader};
  std::vector<uint8_t> times_read(3 * 20000 + 1, 0);
  const auto use = [&](const flamelet_event&, uint64_t index) { ++times_read.at(index); };
  for (int i = 0; i < 200; ++i) poller.poll(50, use);
  for (std::thread& thread : threads) thread.join();
  poller.poll(50, use);
  CHECK(events_recorded() == 3 * 20000 + 1);
  CHECK(poller.next == 3 * 20000 + 1);
  CHECK(poller.read + poller.lost == poller.next);
  for (const uint8_t times : times_read) REQUIRE(times <= 1);
}

TEST_CASE("what a thread recorded is in the total although all of it was overwritten before anyone looked") {
  Session session(0);
  const Reader reader;
  std::thread([] { record_scopes(10000); }).join();
  record_scopes(10000);
  const uint64_t recorded = events_recorded();
  CHECK(recorded == 40001);
  CHECK(reader.total() == recorded);
}

TEST_CASE("threads that took each other's place in the table are in the total, each in full") {
  Session session(0);
  const Reader reader, late;
  uint64_t expected = 1;
  for (int round = 0; round < 50; ++round) {
    const int scopes = round % 7 == 0 ? 9000 : 1 + 97 * round;
    std::thread([scopes] { record_scopes(scopes); }).join();
    expected += 2 * static_cast<uint64_t>(scopes);
    if (round % 3 == 0) CHECK(reader.total() == expected);
  }
  CHECK(reader.total() == expected);
  CHECK(late.total() == expected);
}

TEST_CASE("the total never goes back, and is exact when threads that come and go have gone") {
  Session session(16);
  const Reader reader;
  std::atomic<bool> stop{false};
  std::vector<std::thread> starters;
  std::atomic<uint64_t> recorded{1};
  for (int t = 0; t < 2; ++t)
    starters.emplace_back([&] {
      while (!stop)
        std::thread([&recorded] {
          record_scopes(700);
          recorded += 1400;
        }).join();
    });
  uint64_t last = 0;
  bool went_back = false;
  for (int i = 0; i < 300; ++i) {
    const uint64_t now = reader.total();
    went_back |= now < last;
    last = now;
    std::this_thread::yield();
  }
  stop = true;
  for (std::thread& starter : starters) starter.join();
  CHECK_FALSE(went_back);
  CHECK(reader.total() == recorded);
  CHECK(events_recorded() == recorded);
}

TEST_CASE("two readers have indices of their own") {
  Session session(8);
  const Reader first;
  record_scopes(3);
  CHECK(first.total() == 7);
  const Reader second;
  record_scopes(2);
  CHECK(second.total() == 11);
  CHECK(first.total() == 11);
  CHECK(types(second.copy(0, 3)) == types(first.copy(0, 3)));
}

TEST_CASE_FIXTURE(Reader, "a reader that was made before the recorder started sees each session from its first event") {
  for (int round = 0; round < 3; ++round) {
    Session session(8);
    record_scopes(round + 1);
    CHECK(types(copy(0, 2)) == "MB");
    CHECK(total() == static_cast<uint64_t>(2 * round + 3));
  }
  CHECK(copy(0, 1).result == FLAMELET_ERROR_NOT_INITIALIZED);
}

TEST_CASE("events: what cannot be made says why") {
  flamelet_events* events = nullptr;
  flamelet_events_config config = flamelet_events_config_default();
  CHECK(flamelet_events_create(&config, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_events_create(nullptr, &events) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_events_memory_required(nullptr) == 0);
  config.max_parts = 0;
  CHECK(flamelet_events_memory_required(&config) == 0);
  CHECK(flamelet_events_create(&config, &events) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config = flamelet_events_config_default();
  config.cookie = 0;
  CHECK(flamelet_events_create(&config, &events) == FLAMELET_ERROR_INVALID_ARGUMENT);

  struct Heap {
    size_t asked = 0, freed = 0;
    alignas(64) char memory[65536];
    size_t offset = 0;
  };
  static Heap heap;
  config = flamelet_events_config_default();
  config.max_parts = 100;
  config.allocator.user = &heap;
  config.allocator.free = [](void* user, void*, size_t size, size_t) { static_cast<Heap*>(user)->freed = size; };
  config.allocator.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  CHECK(flamelet_events_create(&config, &events) == FLAMELET_ERROR_OUT_OF_MEMORY);
  config.allocator.allocate = [](void* user, size_t size, size_t) -> void* {
    static_cast<Heap*>(user)->asked = size;
    return static_cast<Heap*>(user)->memory + static_cast<Heap*>(user)->offset;
  };
  heap.offset = 2;
  CHECK(flamelet_events_create(&config, &events) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(heap.freed == heap.asked);
  CHECK(events == nullptr);
  heap.offset = heap.freed = 0;
  REQUIRE(flamelet_events_create(&config, &events) == FLAMELET_OK);
  CHECK(heap.asked == flamelet_events_memory_required(&config));
  uint64_t start = 0;
  size_t count = 0;
  flamelet_event event;
  CHECK(flamelet_events_copy(nullptr, &event, 0, 1, &start, &count) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_events_copy(events, nullptr, 0, 1, &start, &count) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_events_copy(events, &event, 0, 1, nullptr, &count) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_events_buffer(events, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_events_buffer(nullptr, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_events_destroy(events);
  CHECK(heap.freed == heap.asked);
  flamelet_events_destroy(nullptr);
}

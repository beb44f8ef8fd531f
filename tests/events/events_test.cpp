// SPDX-License-Identifier: MIT
#include "events_session.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace events_test;

TEST_CASE("the public event takes 48 bytes, and less where pointers are short") {
  CHECK((sizeof(void*) == 8 ? sizeof(flamelet_event) == 48 : sizeof(flamelet_event) < 48));
}

TEST_CASE_FIXTURE(ReadSession<8>, "copy gives every kind of event with its names, time and id") {
  now_ns += 10;
  const flamelet_id outer = flamelet_begin("outer", "physics", nullptr);
  now_ns += 10;
  const flamelet_id inner = flamelet_begin("inner", "physics", flamelet_intern("crate 7"));
  const flamelet_id second = flamelet_next(inner, "second", "physics");
  flamelet_instant("boom", "fx", nullptr);
  flamelet_counter("bodies", "physics", 2.5);
  flamelet_end(second);
  const flamelet_id interval = flamelet_interval_begin("load", "io", "file");
  flamelet_interval_end(interval);
  now_ns += 10;
  flamelet_end(outer);

  const Answer all = reader.copy(0, 100);
  CHECK(all.result == FLAMELET_OK);
  CHECK(all.start == 0);
  REQUIRE(types(all) == "MBBEBICESFE");
  CHECK(all.events[1].id == outer);
  CHECK(std::strcmp(all.events[1].name, "outer") == 0);
  CHECK(std::strcmp(all.events[1].category, "physics") == 0);
  CHECK(all.events[1].object == nullptr);
  CHECK(all.events[1].time_ticks == 1'000'000'010);
  CHECK(all.events[2].id == inner);
  CHECK(std::strcmp(all.events[2].object, "crate 7") == 0);
  CHECK(all.events[3].id == inner);
  CHECK(std::strcmp(all.events[3].name, "inner") == 0);
  CHECK(all.events[4].id == second);
  CHECK(std::strcmp(all.events[5].name, "boom") == 0);
  CHECK(flamelet_event_value(&all.events[6]) == 2.5);
  CHECK(all.events[7].id == second);
  CHECK(all.events[8].id == interval);
  CHECK(std::strcmp(all.events[8].object, "file") == 0);
  CHECK(all.events[9].id == interval);
  CHECK(all.events[10].id == outer);
  CHECK(all.events[10].time_ticks == 1'000'000'030);
  CHECK(all.events[1].track == flamelet_thread_id());
}

TEST_CASE_FIXTURE(ReadSession<8>, "copy marks the ends that were missing") {
  const flamelet_id outer = flamelet_begin("outer", nullptr, nullptr);
  flamelet_begin("left open", nullptr, nullptr);
  flamelet_end(outer);
  const Answer all = reader.copy(1, 100);
  REQUIRE(types(all) == "BBEE");
  CHECK(all.events[2].missing_end);
  CHECK(std::strcmp(all.events[2].name, "left open") == 0);
  CHECK_FALSE(all.events[3].missing_end);
}

TEST_CASE_FIXTURE(ReadSession<64>, "copy in pieces gives the same events as at once") {
  for (int i = 0; i < 3000; ++i) {
    now_ns += 3;
    const flamelet_id scope = flamelet_begin(i % 3 == 0 ? "a" : "b", nullptr, i % 5 == 0 ? "object" : nullptr);
    if (i % 7 == 0) reader.total();  // gives indices in the middle of a page
    flamelet_end(scope);
  }
  const Answer all = reader.copy(0, 10000);
  REQUIRE(all.events.size() == 6001);
  for (size_t piece : {1u, 7u, 500u, 1009u}) {
    std::vector<flamelet_event> pieced;
    for (uint64_t at = 0; at < all.events.size();) {
      const Answer part = reader.copy(at, piece);
      REQUIRE(part.start == at);
      REQUIRE(!part.events.empty());
      pieced.insert(pieced.end(), part.events.begin(), part.events.end());
      at += part.events.size();
    }
    REQUIRE(pieced.size() == all.events.size());
    CHECK(std::memcmp(pieced.data(), all.events.data(), pieced.size() * sizeof(flamelet_event)) == 0);
  }
}

TEST_CASE_FIXTURE(ReadSession<8>, "a start in the future gives no event and the number recorded") {
  flamelet_end(flamelet_begin("a", nullptr, nullptr));
  const Answer future = reader.copy(99, 10);
  CHECK(future.result == FLAMELET_OK);
  CHECK(future.events.empty());
  CHECK(future.start == 3);
}

TEST_CASE("the start moves up when the oldest events are overwritten, and the rest is contiguous") {
  Session session(0);
  const Reader reader;
  uint64_t written = 1;  // the first frame mark
  for (int i = 0; i < 20000; ++i) {
    ++now_ns;
    flamelet_end(flamelet_begin("a", nullptr, nullptr));
    written += 2;
    if (i % 100 == 0) CHECK(reader.total() == written);
  }
  const Answer all = reader.copy(0, 100000);
  CHECK(reader.total() == written);
  // The frame mark's page is owned, so event 0 stays; what follows it in index is gone.
  REQUIRE(!all.events.empty());
  const Answer rest = reader.copy(all.start + all.events.size(), 100000);
  CHECK(rest.start > 1);
  CHECK(rest.start + rest.events.size() == written);
  CHECK(rest.events.size() > 1000);
  for (size_t i = 1; i < rest.events.size(); ++i) REQUIRE(rest.events[i].time_ticks >= rest.events[i - 1].time_ticks);
}

TEST_CASE_FIXTURE(SmallSession<64>, "an index that is too small forgets the oldest events") {
  const Reader reader(2);
  for (int i = 0; i < 10; ++i) {
    flamelet_end(flamelet_begin("a", nullptr, nullptr));
    reader.total();
  }
  const Answer all = reader.copy(0, 100);
  CHECK(all.start == 17);
  CHECK(types(all) == "BEBE");
}

TEST_CASE_FIXTURE(Reader, "without a recorder, copy and buffer say so") {
  CHECK(copy(0, 1).result == FLAMELET_ERROR_NOT_INITIALIZED);
  flamelet_buffer buffer;
  CHECK(flamelet_events_buffer(get(), &buffer) == FLAMELET_ERROR_NOT_INITIALIZED);
}

TEST_CASE("the buffer's two parts hold every event once, before and after the wrap") {
  for (int scopes : {10, 4000, 9000}) {
    Session session(4);
    const Reader reader;
    for (int i = 0; i < scopes; ++i) {
      ++now_ns;
      flamelet_end(flamelet_begin("a", nullptr, nullptr));
    }
    flamelet_buffer buffer;
    REQUIRE(flamelet_events_buffer(reader.get(), &buffer) == FLAMELET_OK);
    CHECK(buffer.total_recorded == static_cast<uint64_t>(2 * scopes + 1));
    flamelet_stats stats;
    flamelet_get_stats(&stats);
    CHECK(buffer.parts[0].page_count + buffer.parts[1].page_count == stats.page_count);

    size_t events = 0, pages_used = 0;
    uint64_t newest = 0;
    std::vector<flamelet_event> decoded(600);
    for (const flamelet_buffer_part& part : buffer.parts) {
      for (size_t i = 0; i < part.page_count; ++i) {
        const void* page = static_cast<const char*>(part.pages) + i * FLAMELET_PAGE_BYTES;
        if (!flamelet_events_pin_page(page)) continue;
        const size_t count = flamelet_events_decode_page(page, decoded.data(), decoded.size());
        flamelet_events_unpin_page(page);
        ++pages_used;
        if (count != 0 && decoded[0].type == 'B') {
          CHECK(decoded[0].time_ticks >= newest);  // the older part comes first
          newest = decoded[count - 1].time_ticks;
        }
        events += count;
      }
    }
    CHECK(pages_used <= stats.page_count);
    if (scopes < 4000)
      CHECK(events == static_cast<size_t>(2 * scopes + 1));
    else
      CHECK(events > 2000);
    CHECK(newest == now_ns);
  }
}

TEST_CASE("a page that is unpinned once too often is as it was, and so is one that nobody pinned") {
  Session session(8);
  const Reader reader;
  const flamelet_id outer = flamelet_begin("outer", nullptr, nullptr);
  flamelet_buffer buffer;
  REQUIRE(flamelet_events_buffer(reader.get(), &buffer) == FLAMELET_OK);
  size_t pinned = 0;
  for (const flamelet_buffer_part& part : buffer.parts) {
    for (size_t i = 0; i < part.page_count; ++i) {
      const void* page = static_cast<const char*>(part.pages) + i * FLAMELET_PAGE_BYTES;
      const bool used = flamelet_events_pin_page(page);
      pinned += used ? 1 : 0;
      if (used) flamelet_events_unpin_page(page);
      flamelet_events_unpin_page(page);
      CHECK(flamelet_events_pin_page(page) == used);
      if (used) flamelet_events_unpin_page(page);
    }
  }
  CHECK(pinned == 2);  // the thread's and the frame marks'
  flamelet_events_unpin_page(nullptr);
  flamelet_end(outer);
  REQUIRE(types(reader.copy(0, 100)) == "MBE");
}

TEST_CASE("an event that is not there has the value 0") {
  CHECK(flamelet_event_value(nullptr) == 0);
}

TEST_CASE_FIXTURE(ReadSession<8>, "decoding refuses what is not a page of the ring") {
  alignas(8) static const char other[FLAMELET_PAGE_BYTES] = {};
  CHECK(flamelet_events_decode_page(other, nullptr, 0) == 0);
  CHECK_FALSE(flamelet_events_pin_page(other));
  flamelet_buffer buffer;
  REQUIRE(flamelet_events_buffer(reader.get(), &buffer) == FLAMELET_OK);
  CHECK_FALSE(flamelet_events_pin_page(static_cast<const char*>(buffer.parts[0].pages) + 8));
}

TEST_CASE_FIXTURE(ReadSession<0>, "scopes keep their id in copies after their page was overwritten") {
  const flamelet_id outer = flamelet_begin("outer", nullptr, "object");
  const flamelet_id first = flamelet_begin("first", nullptr, nullptr);
  const flamelet_id second = flamelet_next(first, "second", nullptr);
  for (int i = 0; i < 20000; ++i) {
    ++now_ns;
    flamelet_end(flamelet_begin("a", nullptr, nullptr));
  }
  const uint64_t before = reader.total();
  flamelet_end(second);
  flamelet_end(outer);
  const Answer ends = reader.copy(before, 10);
  REQUIRE(types(ends) == "EE");
  CHECK(ends.events[0].id == second);
  CHECK(std::strcmp(ends.events[0].name, "second") == 0);
  CHECK(ends.events[1].id == outer);
  CHECK(std::strcmp(ends.events[1].object, "object") == 0);
}

TEST_CASE("copying while threads record gives whole events without gaps") {
  const recorder_test::Recording recording(flamelet_config_default());
  const Reader reader(65536);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 20000; ++i) {
        FLAMELET_SCOPE("outer");
        FLAMELET_SCOPE("inner");
      }
    });
  uint64_t next = 0;
  std::vector<int> depth(8, 0);
  size_t bad = 0;
  std::vector<flamelet_event> events(5000);
  const auto take = [&] {
    for (;;) {
      uint64_t start = 0;
      size_t count = 0;
      REQUIRE(flamelet_events_copy(reader.get(), events.data(), next, events.size(), &start, &count) == FLAMELET_OK);
      if (start != next) ++bad;
      for (size_t i = 0; i < count; ++i) {
        if (events[i].type == 'M') continue;
        int& d = depth[events[i].track];
        const bool begin = events[i].type == 'B';
        if (!begin) --d;
        if (d < 0 || d > 1 || std::strcmp(events[i].name, d == 0 ? "outer" : "inner") != 0) ++bad;
        if (begin) ++d;
      }
      next += count;
      if (count == 0) return;
    }
  };
  for (int i = 0; i < 50; ++i) take();
  for (std::thread& thread : threads) thread.join();
  take();
  CHECK(bad == 0);
  CHECK(next == 1 + 3 * 20000 * 4);
}

TEST_CASE_FIXTURE(ReadSession<0>, "an idle thread's page is read in full however often the ring went round meanwhile") {
  uint32_t idle_track = 0;
  bool finish = false, started = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread idle([&] {
    const flamelet_id scope = flamelet_begin("idle", nullptr, nullptr);
    idle_track = flamelet_thread_id();
    std::unique_lock<std::mutex> lock(mutex);
    started = true;
    changed.notify_all();
    changed.wait(lock, [&] { return finish; });
    flamelet_end(scope);
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return started; });
  }
  const auto busy_work = [] {
    for (int i = 0; i < 30000; ++i) flamelet_end(flamelet_begin("busy", nullptr, nullptr));
  };
  busy_work();
  uint64_t next = 0;
  std::string idle_types;
  const auto take = [&] {
    for (uint64_t end = reader.total(); next < end;) {
      const Answer answer = reader.copy(next, 1000);
      if (answer.events.empty()) break;
      for (const flamelet_event& event : answer.events)
        if (event.track == idle_track) idle_types += event.type;
      next = answer.start + answer.events.size();
    }
  };
  take();
  CHECK(idle_types == "B");
  busy_work();
  take();
  {
    std::lock_guard<std::mutex> lock(mutex);
    finish = true;
  }
  changed.notify_all();
  idle.join();
  take();
  CHECK(idle_types == "BE");
}

TEST_CASE_FIXTURE(ReadSession<8>, "a named frame mark has its set and its index in it") {
  flamelet_frame_named("step");
  now_ns += 10;
  flamelet_frame_named("step");
  const Answer answer = reader.copy(0, 100);
  std::string text;
  for (const flamelet_event& event : answer.events) {
    if (event.type == 'm') text += std::string(event.name) + " " + std::to_string(event.id) + " ";
  }
  CHECK(text == "step 1 step 2 ");
}

TEST_CASE_FIXTURE(ReadSession<8>, "the ends of a flow have its id, and no name") {
  flamelet_flow_begin(UINT64_MAX);
  now_ns += 10;
  flamelet_flow_end(7);
  const Answer answer = reader.copy(0, 100);
  std::string text;
  for (const flamelet_event& event : answer.events) {
    if (event.type == 's' || event.type == 'f') text += event.type + std::to_string(event.id) + " ";
    if (event.type == 'f') CHECK(event.name == nullptr);
  }
  CHECK(text == "s18446744073709551615 f7 ");
}

// ---- What is overwritten before it is read: no event is read twice, and recorded = read + lost --------------------

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

TEST_CASE_FIXTURE(SmallSession<0>, "threads that took each other's place in the table are in the total, each in full") {
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

TEST_CASE_FIXTURE(ReadSession<16>, "the total never goes back, and is exact when threads that come and go have gone") {
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

TEST_CASE_FIXTURE(SmallSession<8>, "two readers have indices of their own") {
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

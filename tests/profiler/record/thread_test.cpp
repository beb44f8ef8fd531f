// SPDX-License-Identifier: MIT
//
// How threads get tracks, keep names, and give their places back.
#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <thread>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "record/thread.h"
#include "support/recording.h"

namespace thread_test {

using namespace recorder_test;

TEST_CASE_FIXTURE(Recording, "thread: ids count from 1, and are never used again") {
  CHECK(flamelet_thread_id() == 1);
  CHECK(flamelet_thread_id() == 1);
  for (uint32_t i = 2; i < 40; ++i) {
    uint32_t id = 0;
    on_thread([&id] { id = flamelet_thread_id(); });
    CHECK(id == i);
  }
}

TEST_CASE_ON_EACH_CLOCK("thread: registered by its first event, whatever that is") {
  on_thread([] { FLAMELET_SCOPE("a"); });
  on_thread([] { FLAMELET_INSTANT("a"); });
  on_thread([] { FLAMELET_COUNTER("a", 1); });
  on_thread([] { flamelet_interval_end(1); });
  on_thread([] { flamelet_set_thread_name("a"); });
  on_thread([] { flamelet_end(flamelet_begin("a", "", nullptr)); });
  on_thread([] { flamelet_end(flamelet_next(0, "a", "")); });
  log.read();
  CHECK(log.text(1) == "+a -");
  CHECK(log.text(2) == "!a");
  CHECK(log.text(3) == "a=1");
  CHECK(log.text(4) == "<?");
  CHECK(log.text(5) == "");
  CHECK(log.text(6) == "+a -");
  CHECK(log.text(7) == "+a -");
  CHECK(stats().tracks_live == 0);
}

TEST_CASE_FIXTURE(Recording, "thread: names are set by the thread, or by any other, also again") {
  flamelet_set_thread_name("main");
  CHECK(find_track(1).name == "main");
  CHECK(find_track(1).record.kind == FLAMELET_TRACK_THREAD);
  flamelet_set_thread_name("main again");
  CHECK(find_track(1).name == "main again");
  on_thread([] { flamelet_set_track_name(1, "named by another"); });
  CHECK(find_track(1).name == "named by another");
  flamelet_set_track_name(77, "nobody");
  flamelet_set_track_name(0, "nobody");
  flamelet_set_thread_name(nullptr);
  CHECK(find_track(1).name == "(null)");
}

TEST_CASE("thread: a name is set while disabled too") {
  Recording recording(with(small_config(), &flamelet_config::start_disabled, true));
  flamelet_set_thread_name("early");
  CHECK(find_track(1).name == "early");
}

TEST_CASE("thread: an unnamed thread does not get the name of the one whose place it takes") {
  flamelet_config config = small_config();
  Recording recording(config);
  for (int i = 0; i < 300; ++i) on_thread([] { flamelet_set_thread_name("gone"); });
  on_thread([] {
    const uint32_t id = flamelet_thread_id();
    CHECK(find_track(id).found);
    CHECK(find_track(id).record.name == 0);
  });
}

TEST_CASE("thread: places are recycled after exit, more often than there are tracks") {
  for_each_clock([](flamelet_config config) {
    config.max_tracks = 2;
    keep_pages(&config, 16);
    Recording recording(config);
    EventReader reader;
    for (uint32_t i = 0; i < 3 * FLAMELET_MAX_TRACKS; ++i) {
      on_thread([] { FLAMELET_SCOPE("short"); });
      if (i % 8 == 0) reader.read();
    }
    CHECK(reader.read_problem() == "");
    CHECK(stats().dropped_no_track == 0);
    CHECK(stats().tracks_live == 0);
    CHECK(reader.total_lost() == 0);
    CHECK(reader.total_read() == 1 + 2 * 3 * FLAMELET_MAX_TRACKS);
    CHECK(stats().events_recorded == reader.total_read());
  });
}

TEST_CASE_FIXTURE(Recording, "thread: what an ended thread recorded stays known until its place is taken") {
  uint32_t id = 0;
  on_thread([&id] {
    flamelet_set_thread_name("worker");
    for (int i = 0; i < 10; ++i) FLAMELET_INSTANT("point");
    id = flamelet_thread_id();
    CHECK_FALSE(find_track(id).record.ended);
    CHECK(find_track(id).record.events == 10);
  });
  const FoundTrack found = find_track(id);
  REQUIRE(found.found);
  CHECK(found.record.ended);
  CHECK(found.record.events == 10);
  CHECK(found.name == "worker");
}

TEST_CASE("thread: open scopes are closed by the exit, also while disabled, and counted") {
  for (const bool enabled : {true, false})
    on_each_clock([enabled](EventLog& log) {
      on_thread([enabled] {
        flamelet_begin("a", "", nullptr);
        flamelet_begin("b", "", nullptr);
        flamelet_set_enabled(enabled);
      });
      log.read();
      CHECK(log.text(1) == "+a +b -2");
      CHECK(stats().missing_ends == 2);
      CHECK(stats().tracks_live == 0);
    });
}

TEST_CASE_FIXTURE(
    Recording,
    "thread: one that is cancelled inside the recorder gives its place back, and what it had recorded is whole") {
  EventLog log;
  uint32_t id = 0;
  std::thread([&id] {
    id = flamelet_thread_id();
    flamelet_begin("open", "", nullptr);
    flamelet::as_atomic(flamelet::current_head()->depth).store_relaxed(uint64_t{FLAMELET_DEPTH_BUSY_});
  }).join();
  CHECK(log.read_problem() == "");
  CHECK(log.text(id) == "+open");
  CHECK(stats().tracks_live == 0);
}

TEST_CASE("thread: an exit after the shutdown, and after a restart, gives the place back") {
  const auto taken_slots = [] {
    uint32_t taken = 0;
    for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot)
      taken += flamelet::tracks[slot].state.load_relaxed() == flamelet::kTrackFree ? 0u : 1u;
    return taken;
  };
  const uint32_t taken_before = taken_slots();
  for (bool restarted : {false, true}) {
    std::atomic<int> step{0};
    std::thread thread;
    {
      Recording recording;
      thread = std::thread([&step] {
        flamelet_begin("a", "", nullptr);
        step = 1;
        while (step != 2) std::this_thread::yield();
      });
      while (step != 1) std::this_thread::yield();
    }
    flamelet_config config = small_config();
    if (restarted) {
      Recording recording(config);
      step = 2;
      thread.join();
      CHECK(stats().tracks_live == 0);
      CHECK(stats().missing_ends == 0);
    } else {
      step = 2;
      thread.join();
    }
    CHECK(taken_slots() == taken_before);
  }
}

TEST_CASE("thread: one that lives on records in the next session under an id of that session") {
  for_each_clock([](const flamelet_config& config) {
    std::atomic<int> step{0};
    std::thread thread([&step] {
      for (int session = 1; session <= 6; session += 2) {
        while (step != session) std::this_thread::yield();
        flamelet_begin("left open", "", nullptr);
        CHECK(flamelet_thread_id() == 2);
        step = session + 1;
      }
      while (step != 7) std::this_thread::yield();  // its exit would close the scope
    });
    for (int session = 1; session <= 6; session += 2) {
      Recording recording(config);
      EventLog log;
      CHECK(flamelet_thread_id() == 1);
      step = session;
      while (step != session + 1) std::this_thread::yield();
      CHECK(log.read_problem() == "");
      CHECK(log.text(2) == "+left open");
      CHECK(stats().tracks_live == 2);
    }
    step = 7;
    thread.join();
  });
}

TEST_CASE("thread: an external track is found although a thread holds the same id from the session before") {
  {
    Recording recording;
    CHECK(flamelet_thread_id() == 1);
  }
  Recording recording;
  const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
  CHECK(track == 1);
  CHECK(flamelet_track_calibrate(track, 0, flamelet_now_ticks()) == FLAMELET_OK);
  flamelet_event event = {};
  event.type = 'I';
  CHECK(flamelet_submit(track, &event, 1) == 1);
}

namespace {

struct RecordsWhenDestroyed {
  ~RecordsWhenDestroyed() {
    FLAMELET_SCOPE("destructor");
    flamelet_set_thread_name("destructor");
    flamelet_end(flamelet_begin("call", "", nullptr));
    flamelet_intern("destructor");
  }
};

}  // namespace

TEST_CASE_FIXTURE(Recording, "thread: destructors of thread-locals may record, before or after the thread's own exit") {
  EventReader reader;
  for (int i = 0; i < 20; ++i) {
    on_thread([] {
      thread_local RecordsWhenDestroyed before;
      (void)&before;
      { FLAMELET_SCOPE("work"); }
      thread_local RecordsWhenDestroyed after;
      (void)&after;
    });
  }
  CHECK(reader.read_problem() == "");
  CHECK(stats().tracks_live == 0);
  CHECK(stats().events_recorded == reader.total_read());
}

TEST_CASE("thread: pthread keys' destructors may record, in every round of them, and no place is lost") {
  static pthread_key_t key;
  static const auto again = [](void* rounds) {
    FLAMELET_SCOPE("key");
    const uintptr_t left = reinterpret_cast<uintptr_t>(rounds) - 1;
    pthread_setspecific(key, reinterpret_cast<void*>(left));
  };
  REQUIRE(pthread_key_create(&key, [](void* rounds) { again(rounds); }) == 0);
  {
    Recording recording;
    EventReader reader;
    for (int i = 0; i < 20; ++i) {
      on_thread([] {
        pthread_setspecific(key, reinterpret_cast<void*>(uintptr_t{3}));
        FLAMELET_SCOPE("work");
      });
      reader.read();
    }
    CHECK(reader.problem() == "");
    CHECK(stats().tracks_live == 0);
    CHECK(stats().events_recorded == reader.total_read());
  }
  pthread_key_delete(key);
}

}  // namespace thread_test

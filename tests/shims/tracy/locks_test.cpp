// SPDX-License-Identifier: MIT
#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "shim_recording.h"

using namespace shim_test;

namespace {

// A lock without try_lock().
struct Simple {
  void lock() { lock_.lock(); }
  void unlock() { lock_.unlock(); }

 private:
  std::mutex lock_;
};

struct Refusing {
  bool try_lock() { return false; }
  void lock() { throw 1; }
  void unlock() {}
};

// Until another thread has recorded something.
void wait_for_event(uint64_t before) {
  while (stats().events_recorded <= before) std::this_thread::yield();
}

}  // namespace

TEST_CASE("tracy locks: who waits has a wait scope, and who does not has none") {
  Shim shim;
  TracyLockable(std::mutex, lock);
  lock.lock();
  uint64_t before = 0;
  std::atomic<bool> starts{false};
  std::thread waiter([&] {
    tracy::SetThreadName("waiter");
    { ZoneScopedN("first"); }
    before = stats().events_recorded;
    starts = true;
    const std::lock_guard<LockableBase(std::mutex)> guard(lock);
  });
  while (!starts) std::this_thread::yield();
  wait_for_event(before);
  lock.unlock();
  waiter.join();
  CHECK(shim.tree("waiter") == "first std::mutex lock");
  const flamelet_span wait = shim.capture().spans(shim.capture().lane("waiter"))[1];
  CHECK(text_of(shim.site(wait.site).category) == "wait");
  const std::vector<flamelet_interval> holds = shim.intervals("std::mutex lock");
  REQUIRE(holds.size() == 2);
  CHECK(holds[0].begin_track != holds[1].begin_track);
  CHECK(holds[0].end_ns <= holds[1].begin_ns);  // one holds it after the other
  CHECK(holds[1].begin_ns >= wait.end_ns);
}

TEST_CASE("tracy locks: a recursive lock is held once, and names may change") {
  Shim shim;
  TracyLockableN(std::recursive_mutex, lock, "first name");
  lock.lock();
  CHECK(lock.try_lock());
  lock.unlock();
  lock.unlock();
  LockableName(lock, "second name, cut", 11);
  lock.lock();
  LockMark(lock);
  lock.unlock();
  CHECK(shim.intervals("first name").size() == 1);
  CHECK(shim.intervals("second name").size() == 1);
  REQUIRE(shim.instants().size() == 1);
  CHECK(shim.instants()[0].compare(0, 13, "second name: ") == 0);
}

TEST_CASE("tracy locks: a lock without try_lock, and one that throws") {
  Shim shim;
  {
    TracyLockable(Simple, lock);
    lock.lock();
    lock.unlock();
    CHECK(shim.intervals("Simple lock").size() == 1);
  }
  TracyLockable(Refusing, refusing);
  CHECK_THROWS(refusing.lock());
  CHECK_FALSE(refusing.try_lock());
  CHECK(shim.tree() == "Simple lock Refusing refusing");
  CHECK(shim.intervals("Refusing refusing").empty());
  CHECK(stats().missing_ends == 0);
}

TEST_CASE("tracy locks: readers share one hold, from the first to the last") {
  Shim shim;
  TracySharedLockable(std::shared_mutex, lock);
  lock.lock_shared();
  std::thread([&] {
    CHECK(lock.try_lock_shared());
    lock.unlock_shared();
  }).join();
  CHECK(shim.intervals("std::shared_mutex lock").size() == 1);
  CHECK(shim.intervals("std::shared_mutex lock")[0].flags == FLAMELET_SPAN_OPEN);
  CHECK_FALSE(lock.try_lock());
  lock.unlock_shared();
  lock.lock();
  lock.unlock();
  CHECK(shim.intervals("std::shared_mutex lock").size() == 2);
  CHECK(shim.intervals("std::shared_mutex lock")[0].flags == 0);
}

TEST_CASE("tracy locks: many threads, each hold once and none over another") {
  Shim shim;
  TracyLockable(std::mutex, lock);
  int sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const std::lock_guard<LockableBase(std::mutex)> guard(lock);
        ++sum;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == 800);
  const std::vector<flamelet_interval> holds = shim.intervals("std::mutex lock");
  REQUIRE(holds.size() == 800);
  for (const flamelet_interval& hold : holds) REQUIRE(hold.flags == 0);
}

TEST_CASE("tracy locks: a name may change while others wait") {
  Shim shim;
  TracyLockable(std::mutex, lock);
  std::thread other([&] {
    for (int i = 0; i < 500; ++i) {
      lock.lock();
      lock.unlock();
    }
  });
  for (int i = 0; i < 500; ++i) {
    const std::string name = "name " + std::to_string(i);
    LockableName(lock, name.c_str(), name.size());
    lock.lock();
    lock.unlock();
  }
  other.join();
  CHECK(read_intervals(shim.capture()).size() == 1000);
  CHECK(shim.intervals("name 499").size() >= 1);
}

TEST_CASE("tracy locks: a wait that is not recorded leaves later ends alone") {
  Shim shim;
  flamelet_begin("outer", "", nullptr);
  flamelet_set_enabled(false);
  {
    TracyLockable(Simple, lock);
    lock.lock();
    lock.unlock();
  }
  flamelet_set_enabled(true);
  flamelet_end_top();
  CHECK(shim.capture().spans(shim.capture().lane("main"))[0].flags == 0);
}

TEST_CASE("tracy locks in C: waits and holds belong to their threads") {
  Shim shim;
  TracyCLockCtx lock = nullptr;
  TracyCLockAnnounce(lock);
  TracyCLockCustomName(lock, "c lock", 6);
  TracyCLockBeforeLock(lock);
  TracyCLockAfterLock(lock);
  // The next holder tells before this one does.
  std::thread([lock] {
    tracy::SetThreadName("next");
    TracyCLockBeforeLock(lock);
    TracyCLockAfterLock(lock);
    TracyCLockAfterUnlock(lock);
    TracyCLockAfterUnlock(lock);  // held no more
  }).join();
  TracyCLockAfterUnlock(lock);
  TracyCLockAfterTryLock(lock, 0);
  TracyCLockTerminate(lock);
  CHECK(shim.tree("main") == "c lock");
  CHECK(shim.tree("next") == "c lock");
  const std::vector<flamelet_interval> holds = shim.intervals("c lock");
  REQUIRE(holds.size() == 2);
  CHECK(holds[0].end_track == holds[0].begin_track);
  CHECK(holds[1].end_track == holds[1].begin_track);
  CHECK(holds[0].end_ns >= holds[1].end_ns);
}

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

// Until a thread of this name waits for something.
void until_waiting(Shim* shim, const char* lane) {
  for (;;) {
    const recorder_test::Capture& capture = shim->capture();
    for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i)
      if (capture.lane_name(i) == lane)
        for (const flamelet_span& span : capture.spans(i))
          if ((span.flags & FLAMELET_SPAN_OPEN) != 0) return;
    std::this_thread::yield();
  }
}

// How many flows lead from one thread to another.
size_t hand_overs(Shim* shim) {
  const flamelet_capture* capture = shim->capture();
  std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, INT64_MIN, INT64_MAX));
  flamelet_capture_read_flows(capture, INT64_MIN, INT64_MAX, flows.data(), flows.size(), nullptr);
  flamelet_flow_counts counts;
  flamelet_count_flows(flows.data(), flows.size(), &counts);
  CHECK(counts.missing_begins == 0);
  return counts.ends;
}

}  // namespace

TEST_CASE("tracy locks: who waits has a wait scope with the holder, and who does not has none") {
  Shim shim;
  TracyLockable(std::mutex, lock);
  std::thread waiter;
  {
    ZoneScopedN("holds");
    const std::lock_guard<LockableBase(std::mutex)> guard(lock);
    waiter = std::thread([&] {
      tracy::SetThreadName("waiter");
      { ZoneScopedN("first"); }
      const std::lock_guard<LockableBase(std::mutex)> inner(lock);
    });
    until_waiting(&shim, "waiter");
  }
  waiter.join();
  CHECK(shim.tree("main") == "holds");
  CHECK(shim.tree("waiter") == "first std::mutex lock");
  const flamelet_span wait = shim.capture().spans(shim.capture().lane("waiter"))[1];
  CHECK(text_of(shim.site(wait.site).category) == "wait");
  CHECK(text_of(shim.site(wait.site).name) == "lock");
  CHECK(shim.capture().string(wait.object) == "main in holds");
  CHECK(hand_overs(&shim) == 1);
}

TEST_CASE("tracy locks: a recursive lock, marks, and names that change") {
  Shim shim;
  TracyLockableN(std::recursive_mutex, lock, "first name");
  lock.lock();
  CHECK(lock.try_lock());
  LockMark(lock);
  lock.unlock();
  lock.unlock();
  LockableName(lock, "second name, cut", 11);
  LockMark(lock);
  REQUIRE(shim.instants().size() == 2);
  CHECK(shim.instants()[0].compare(0, 12, "first name: ") == 0);
  CHECK(shim.instants()[1].compare(0, 13, "second name: ") == 0);
  CHECK(shim.tree() == "");
}

TEST_CASE("tracy locks: a lock without try_lock, and one that throws") {
  Shim shim;
  {
    TracyLockable(Simple, lock);
    lock.lock();
    lock.unlock();
  }
  TracyLockable(Refusing, refusing);
  CHECK_THROWS(refusing.lock());
  CHECK_FALSE(refusing.try_lock());
  CHECK(shim.tree() == "Simple lock Refusing refusing");
  CHECK(stats().missing_ends == 0);
}

TEST_CASE("tracy locks: readers do not wait for each other, but for who writes") {
  Shim shim;
  TracySharedLockable(std::shared_mutex, lock);
  lock.lock_shared();
  std::thread([&] {
    CHECK(lock.try_lock_shared());
    lock.unlock_shared();
  }).join();
  CHECK_FALSE(lock.try_lock());
  lock.unlock_shared();
  lock.lock();
  std::thread reader([&] {
    tracy::SetThreadName("reader");
    const std::shared_lock<SharedLockableBase(std::shared_mutex)> guard(lock);
  });
  until_waiting(&shim, "reader");
  lock.unlock();
  reader.join();
  CHECK(shim.tree("reader") == "std::shared_mutex lock");
  CHECK(hand_overs(&shim) == 1);
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
  LockMark(lock);
  CHECK(shim.instants().back().compare(0, 10, "name 499: ") == 0);
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

TEST_CASE("tracy locks in C: waits belong to their threads, and know who holds the lock") {
  Shim shim;
  TracyCLockCtx lock = nullptr;
  TracyCLockAnnounce(lock);
  TracyCLockCustomName(lock, "c lock", 6);
  TracyCLockBeforeLock(lock);
  TracyCLockAfterLock(lock);
  ZoneScopedN("holds");
  std::thread([lock] {
    tracy::SetThreadName("next");
    TracyCLockBeforeLock(lock);
    TracyCLockAfterLock(lock);
    TracyCLockAfterUnlock(lock);
  }).join();
  TracyCLockAfterUnlock(lock);
  TracyCLockAfterTryLock(lock, 0);
  TracyCLockTerminate(lock);
  CHECK(shim.tree("main") == "c lock holds");
  CHECK(shim.tree("next") == "c lock");
  CHECK(shim.capture().string(shim.capture().spans(shim.capture().lane("next"))[0].object) == "main in holds");
}

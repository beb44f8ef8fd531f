// SPDX-License-Identifier: MIT
//
// Threads that know who held a lock, who gave it to whom and who woke whom, against what a capture says.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/lock.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

// What happened between a begin of a flow and its end, by lanes: "Main>Worker".
std::vector<std::string> hand_overs(const flamelet_capture* capture) {
  const std::vector<flamelet_flow> flows = read_flows(capture);
  std::vector<flamelet_flow> ends;
  for (const flamelet_flow& flow : flows) {
    if ((flow.flags & FLAMELET_FLOW_IS_END) == 0) continue;
    CHECK(flow.flags == FLAMELET_FLOW_IS_END);
    CHECK(flows[flow.begin].time_ns <= flow.time_ns);
    ends.push_back(flow);
  }
  std::sort(ends.begin(), ends.end(),
            [](const flamelet_flow& a, const flamelet_flow& b) { return a.time_ns < b.time_ns; });
  std::vector<std::string> result;
  for (const flamelet_flow& end : ends)
    result.push_back(text_of(lane_of(capture, flows[end.begin].lane).name) + ">" +
                     text_of(lane_of(capture, end.lane).name));
  return result;
}

struct Wait {
  std::string lane, kind, name, holder;
  flamelet_span span;
};

std::vector<Wait> waits(const flamelet_capture* capture) {
  std::vector<Wait> result;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
    for (const flamelet_span& span : read_spans(capture, lane)) {
      const flamelet_site_info site = site_of(capture, span.site);
      if (text_of(site.function) != FLAMELET_WAIT_FUNCTION_) continue;
      CHECK(text_of(site.category) == FLAMELET_WAIT_CATEGORY);
      result.push_back({text_of(lane_of(capture, lane).name), text_of(site.name), text_of(capture, span.name),
                        span.object == 0 ? "" : text_of(capture, span.object), span});
    }
  return result;
}

// "Worker waits for lock queue, held by Main in Compact log"
std::string sentence(const Wait& wait) {
  return wait.lane + " waits for " + wait.kind + " " + wait.name +
         (wait.holder.empty() ? "" : ", held by " + wait.holder);
}
std::string sentences(const flamelet_capture* capture) {
  std::string text;
  for (const Wait& wait : waits(capture)) text += (text.empty() ? "" : "; ") + sentence(wait);
  return text;
}

class LockRecording {
 public:
  explicit LockRecording(uint32_t max_fibers = 0) : recording_(config(max_fibers)) { flamelet_set_thread_name("Main"); }

  flamelet_capture* capture() {
    capture_.update();
    return capture_;
  }
  // Until so many threads are inside a wait now.
  void until_waiting(size_t count) {
    for (;;) {
      size_t open = 0;
      for (const Wait& wait : waits(capture())) open += (wait.span.flags & FLAMELET_SPAN_OPEN) != 0;
      if (open >= count) return;
      std::this_thread::yield();
    }
  }

 private:
  static flamelet_config config(uint32_t max_fibers) {
    flamelet_config config = small_config(256);
    if (max_fibers == 0) return config;
    config.max_fibers = max_fibers;
    config.max_tracks = 16;
    keep_pages(&config, 256);
    return config;
  }
  const Recording recording_;
  Capture capture_;
};

template <class Work>
std::thread thread_named(const char* name, Work work) {
  return std::thread([name, work] {
    flamelet_set_thread_name(name);
    FLAMELET_SCOPE("thread");
    work();
  });
}

// A lock of an engine that has no try_lock().
class PlainLock {
 public:
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Which one thread may lock and another one unlock.
class FlagLock {
 public:
  bool try_lock() { return !taken_.exchange(true); }
  void lock() {
    while (!try_lock()) std::this_thread::yield();
  }
  void unlock() { taken_ = false; }

 private:
  std::atomic<bool> taken_{false};
};

// ThreadSanitizer of g++ 12 does not know what std::timed_mutex calls.
class TimedLock {
 public:
  bool try_lock() { return mutex_.try_lock(); }
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  bool try_lock_until(std::chrono::steady_clock::time_point time) {
    while (!mutex_.try_lock()) {
      if (std::chrono::steady_clock::now() >= time) return false;
      std::this_thread::yield();
    }
    return true;
  }
  bool try_lock_for(std::chrono::steady_clock::duration time) {
    return try_lock_until(std::chrono::steady_clock::now() + time);
  }

 private:
  std::mutex mutex_;
};

// Made of one that records its waits itself, as a recorded lock is of the system's where `flamelet record --locks` runs.
class InnerLock {
 public:
  bool try_lock() { return mutex_.try_lock(); }
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  flamelet::Mutex mutex_{"inner"};
};

struct FailingLock {
  bool try_lock() { return false; }
  void lock() { throw std::runtime_error("no"); }
  void unlock() {}
};

}  // namespace

TEST_CASE_FIXTURE(LockRecording, "locks: a lock that is free records nothing") {
  flamelet::Mutex mutex{"queue"};
  flamelet::SharedMutex shared{"world"};
  const uint64_t before = stats().events_recorded;
  for (int i = 0; i < 3; ++i) {
    const std::scoped_lock both(mutex, shared);
  }
  {
    const std::shared_lock<flamelet::SharedMutex> one(shared);
    CHECK(shared.try_lock_shared());
    shared.unlock_shared();
  }
  CHECK(mutex.try_lock());
  mutex.unlock();
  CHECK(sentences(capture()) == "");
  CHECK(hand_overs(capture()).empty());
  CHECK(stats().events_recorded == before);
}

TEST_CASE_FIXTURE(LockRecording, "locks: a wait names the lock, who held it and the scope that was open there") {
  flamelet::Mutex mutex{"queue"};
  std::thread worker;
  {
    FLAMELET_SCOPE("frame");
    const std::lock_guard<flamelet::Mutex> guard(mutex);
    {
      FLAMELET_SCOPE("Compact log");
      worker = thread_named("Worker", [&mutex] { const std::lock_guard<flamelet::Mutex> inner(mutex); });
      until_waiting(1);
    }
    FLAMELET_SCOPE("Write log");
  }
  worker.join();
  CHECK(sentences(capture()) == "Worker waits for lock queue, held by Main in Compact log");
  CHECK(hand_overs(capture()) == std::vector<std::string>{"Main>Worker"});
  CHECK(stats().interned_on_the_spot == 0);
}

TEST_CASE_FIXTURE(LockRecording, "locks: a wait inside of a wait is one, the outer one") {
  flamelet::Lockable<InnerLock> mutex{"outer"};
  std::thread worker;
  for (int time = 0; time < 2; ++time) {
    {
      FLAMELET_SCOPE("frame");
      const std::lock_guard<flamelet::Lockable<InnerLock>> guard(mutex);
      worker = thread_named("Worker", [&mutex] { const std::lock_guard<flamelet::Lockable<InnerLock>> inner(mutex); });
      until_waiting(1);
    }
    worker.join();
  }
  CHECK(sentences(capture()) ==
        "Worker waits for lock outer, held by Main in frame; Worker waits for lock outer, held by Main in frame");
}

TEST_CASE_FIXTURE(LockRecording, "locks: the holder's scope may have a name of its own") {
  flamelet::Mutex mutex;
  {
    const std::lock_guard<flamelet::Mutex> guard(mutex);
    const std::string name = "level " + std::to_string(7);
    FLAMELET_SCOPE_DYNAMIC(name.c_str());
    std::thread worker = thread_named("Worker", [&mutex] { CHECK(!mutex.try_lock()); });
    worker.join();
    worker = thread_named("Worker", [&mutex] { const std::lock_guard<flamelet::Mutex> inner(mutex); });
    until_waiting(1);
    mutex.unlock();
    worker.join();
    mutex.lock();
  }
  CHECK(sentences(capture()) == "Worker waits for lock lock, held by Main in level 7");
}

TEST_CASE("locks: what a fiber holds while it does not run is held by the fiber, not by the thread") {
  LockRecording recording(4);
  const uint32_t a = flamelet_fiber_create("fiber A"), b = flamelet_fiber_create("fiber B");
  flamelet::Lockable<FlagLock> world{"world"}, own{"own"};
  const auto wait_for = [&](flamelet::Lockable<FlagLock>* mutex, const char* name) {
    return thread_named(name, [mutex] { const std::lock_guard<flamelet::Lockable<FlagLock>> guard(*mutex); });
  };
  const flamelet_id frame = flamelet_begin("frame", "", nullptr);
  own.lock();
  flamelet_fiber_switch(0, a);
  const flamelet_id save = flamelet_begin("Save game", "", nullptr);
  world.lock();
  std::thread first = wait_for(&world, "W1"), second = wait_for(&own, "W2");
  recording.until_waiting(2);
  flamelet_fiber_switch(a, b);
  const flamelet_id job = flamelet_begin("Job B", "", nullptr);
  std::thread third = wait_for(&world, "W3"), fourth = wait_for(&own, "W4");
  recording.until_waiting(4);
  flamelet_end(job);
  flamelet_fiber_switch(b, 0);
  std::thread fifth = wait_for(&world, "W5");
  recording.until_waiting(5);
  std::thread other = thread_named("Other", [&] {  // where the fiber goes on
    flamelet_fiber_switch(0, a);
    std::thread sixth = wait_for(&world, "W6");
    recording.until_waiting(6);
    world.unlock();
    flamelet_end(save);
    flamelet_fiber_switch(a, 0);
    sixth.join();
  });
  other.join();
  own.unlock();
  flamelet_end(frame);
  for (std::thread* thread : {&first, &second, &third, &fourth, &fifth}) thread->join();
  std::vector<std::string> found;
  for (const Wait& wait : waits(recording.capture())) {
    if (wait.lane.substr(0, 5) == "fiber") continue;
    found.push_back(sentence(wait));
  }
  std::sort(found.begin(), found.end());
  const std::vector<std::string> expected = {
      "W1 waits for lock world, held by Main in Save game",    "W2 waits for lock own, held by Main in frame",
      "W3 waits for lock world, held by fiber A in Save game", "W4 waits for lock own, held by Main in frame",
      "W5 waits for lock world, held by fiber A in Save game", "W6 waits for lock world, held by Other in Save game"};
  CHECK(found == expected);
}

TEST_CASE_FIXTURE(LockRecording, "locks: each hand-over is a flow from who released it to who got it") {
  flamelet::Mutex mutex{"queue"};
  std::vector<std::string> order;
  std::vector<std::thread> workers;
  mutex.lock();
  {
    FLAMELET_SCOPE("frame");
    for (const char* name : {"A", "B", "C"})
      workers.push_back(thread_named(name, [&mutex, &order, name] {
        const std::lock_guard<flamelet::Mutex> guard(mutex);
        order.push_back(name);
      }));
    until_waiting(3);
  }
  mutex.unlock();
  for (std::thread& worker : workers) worker.join();
  const std::vector<std::string> expected = {"Main>" + order[0], order[0] + ">" + order[1], order[1] + ">" + order[2]};
  CHECK(hand_overs(capture()) == expected);
  for (const Wait& wait : waits(capture())) CHECK(wait.holder == "Main in frame");
}

TEST_CASE_FIXTURE(LockRecording, "locks: who gave it on is the newest holder, not the one of the wait's begin") {
  flamelet::Mutex mutex{"queue"};
  std::atomic<bool> release{false};
  mutex.lock();
  flamelet_instant("a track", "", nullptr);
  std::thread worker = thread_named("Worker", [&mutex] { const std::lock_guard<flamelet::Mutex> guard(mutex); });
  until_waiting(1);
  mutex.unlock();
  worker.join();
  // A wait that is over leaves nothing behind for the next one.
  mutex.lock();
  worker = thread_named("Second", [&mutex, &release] {
    while (!release) std::this_thread::yield();
    const std::lock_guard<flamelet::Mutex> guard(mutex);
  });
  mutex.unlock();
  release = true;
  worker.join();
  CHECK(sentences(capture()) == "Worker waits for lock queue, held by Main");
  CHECK(hand_overs(capture()) == std::vector<std::string>{"Main>Worker"});
}

TEST_CASE_FIXTURE(LockRecording, "locks: readers wait for who writes, and who writes waits for a reader") {
  flamelet::SharedMutex mutex{"world"};
  std::vector<std::thread> readers;
  {
    FLAMELET_SCOPE("write world");
    const std::unique_lock<flamelet::SharedMutex> guard(mutex);
    for (const char* name : {"A", "B"})
      readers.push_back(thread_named(name, [&mutex] { const std::shared_lock<flamelet::SharedMutex> inner(mutex); }));
    until_waiting(2);
  }
  for (std::thread& reader : readers) reader.join();
  std::vector<std::string> sentences;
  for (const Wait& wait : waits(capture())) sentences.push_back(sentence(wait));
  std::sort(sentences.begin(), sentences.end());  // either reader may be the first to get a track
  CHECK(sentences == std::vector<std::string>{"A waits for shared lock world, held by Main in write world",
                                              "B waits for shared lock world, held by Main in write world"});
  std::vector<std::string> flows = hand_overs(capture());
  std::sort(flows.begin(), flows.end());
  CHECK(flows == std::vector<std::string>{"Main>A", "Main>B"});

  std::thread writer;
  {
    FLAMELET_SCOPE("read world");
    const std::shared_lock<flamelet::SharedMutex> guard(mutex);
    writer = thread_named("Writer", [&mutex] { const std::unique_lock<flamelet::SharedMutex> inner(mutex); });
    until_waiting(1);
  }
  writer.join();
  CHECK(sentence(waits(capture()).back()) == "Writer waits for lock world, held by Main in read world");
  CHECK(hand_overs(capture()).back() == "Main>Writer");
}

TEST_CASE_FIXTURE(LockRecording, "locks: a lock that is not to be had in time is a wait without a flow") {
  flamelet::Lockable<TimedLock> mutex{"timed"};
  mutex.lock();
  flamelet_instant("a track", "", nullptr);
  thread_named("Worker", [&mutex] { CHECK(!mutex.try_lock_for(std::chrono::milliseconds(1))); }).join();
  mutex.unlock();
  CHECK(mutex.try_lock_until(std::chrono::steady_clock::now()));
  std::thread worker = thread_named("Second", [&mutex] {
    CHECK(mutex.try_lock_for(std::chrono::hours(1)));
    mutex.unlock();
  });
  until_waiting(1);
  mutex.unlock();
  worker.join();
  CHECK(sentences(capture()) == "Worker waits for lock timed, held by Main; Second waits for lock timed, held by Main");
  CHECK(hand_overs(capture()) == std::vector<std::string>{"Main>Second"});
}

TEST_CASE_FIXTURE(LockRecording, "locks: a notify is a flow to who wakes") {
  flamelet::Mutex mutex{"queue"};
  flamelet::ConditionVariable filled{"queue is filled"};
  bool is_filled = false;
  filled.notify_all();  // nobody waits
  std::thread worker = thread_named("Worker", [&] {
    std::unique_lock<flamelet::Mutex> lock(mutex);
    filled.wait(lock, [&] { return is_filled; });
    CHECK(lock.owns_lock());
    CHECK_FALSE(filled.wait_for(lock, std::chrono::microseconds(10), [&] { return !is_filled; }));
  });
  until_waiting(1);
  {
    const std::lock_guard<flamelet::Mutex> guard(mutex);
    is_filled = true;
  }
  filled.notify_one();
  worker.join();
  const std::vector<Wait> found = waits(capture());
  REQUIRE(found.size() >= 2);  // the system may wake it for nothing
  CHECK(sentence(found[0]) == "Worker waits for condition queue is filled");
  CHECK(hand_overs(capture()) == std::vector<std::string>{"Main>Worker"});
}

TEST_CASE_FIXTURE(LockRecording, "locks: a semaphore's release is a flow to who acquires it") {
  flamelet::Semaphore slots(1, "slots");
  slots.acquire();
  CHECK_FALSE(slots.try_acquire());
  CHECK_FALSE(slots.try_acquire_for(std::chrono::microseconds(1)));
  std::thread worker = thread_named("Worker", [&slots] { slots.acquire(); });
  until_waiting(1);
  slots.release();
  worker.join();
  slots.release(2);
  CHECK(slots.try_acquire());
  CHECK(slots.try_acquire());
  CHECK_FALSE(slots.try_acquire());
  CHECK(sentences(capture()) == "Main waits for semaphore slots; Worker waits for semaphore slots");
  CHECK(hand_overs(capture()) == std::vector<std::string>{"Main>Worker"});
}

TEST_CASE_FIXTURE(LockRecording, "locks: a condition variable of any lock takes these") {
  FLAMELET_LOCKABLE(std::mutex, queue_mutex);
  std::condition_variable_any filled;
  bool is_filled = false;
  std::thread worker = thread_named("Worker", [&] {
    std::unique_lock<flamelet::Lockable<std::mutex>> lock(queue_mutex);
    filled.wait(lock, [&] { return is_filled; });
  });
  {
    const std::scoped_lock guard(queue_mutex);
    is_filled = true;
  }
  filled.notify_one();
  worker.join();
  CHECK(is_filled);
}

TEST_CASE_FIXTURE(LockRecording,
                  "locks: a lock without try_lock() is always waited for, and one that throws is not taken") {
  FLAMELET_LOCKABLE(PlainLock, engine_lock);
  { const std::lock_guard<flamelet::Lockable<PlainLock>> guard(engine_lock); }
  CHECK(sentences(capture()) == "Main waits for lock engine_lock");
  flamelet::Lockable<FailingLock> failing{"failing"};
  CHECK_THROWS_AS(failing.lock(), std::runtime_error);
  CHECK(sentence(waits(capture()).back()) == "Main waits for lock failing");
  CHECK((waits(capture()).back().span.flags & FLAMELET_SPAN_OPEN) == 0);
  CHECK(hand_overs(capture()).empty());
}

TEST_CASE("locks: nothing is recorded while the recorder is off, or waits are") {
  flamelet::Lockable<PlainLock> lock{"engine"};
  { const std::lock_guard<flamelet::Lockable<PlainLock>> guard(lock); }
  LockRecording recording;
  flamelet_set_enabled(false);
  { const std::lock_guard<flamelet::Lockable<PlainLock>> guard(lock); }
  flamelet_set_enabled(true);
  CHECK(flamelet_category_set_enabled(FLAMELET_WAIT_CATEGORY, false) == FLAMELET_OK);
  { const std::lock_guard<flamelet::Lockable<PlainLock>> guard(lock); }
  CHECK(flamelet_category_set_enabled(FLAMELET_WAIT_CATEGORY, true) == FLAMELET_OK);
  CHECK(sentences(recording.capture()) == "");
  { const std::lock_guard<flamelet::Lockable<PlainLock>> guard(lock); }
  CHECK(sentences(recording.capture()) == "Main waits for lock engine");
  CHECK(hand_overs(recording.capture()).empty());
}

TEST_CASE("locks: who holds a lock while the recorder stops and starts still does, in no scope of the new session") {
  flamelet::Mutex mutex{"queue"};
  {
    LockRecording recording;
    FLAMELET_SCOPE("held");
    mutex.lock();
  }
  LockRecording recording;
  std::thread worker = thread_named("Worker", [&mutex] { const std::lock_guard<flamelet::Mutex> guard(mutex); });
  recording.until_waiting(1);
  mutex.unlock();
  worker.join();
  CHECK(sentences(recording.capture()) == "Worker waits for lock queue, held by Main");
}

TEST_CASE_FIXTURE(LockRecording, "locks: in C, by its calls") {
  flamelet_lock lock = {"device", nullptr, 0, 0, 0};
  FLAMELET_SCOPE("render");
  flamelet_lock_taken(&lock);
  std::thread waiter = thread_named("Waiter", [&lock] {
    const flamelet_wait wait = flamelet_wait_begin(&lock, FLAMELET_WAIT_LOCK);
    CHECK(wait.id != 0);
    flamelet_wait_end(&lock, wait, true);
  });
  waiter.join();
  flamelet_lock_freed(&lock);
  CHECK(sentences(capture()) == "Waiter waits for lock device, held by Main in render");
  CHECK(hand_overs(capture()).empty());
}

TEST_CASE_FIXTURE(LockRecording, "locks: many threads, many locks: each flow's end has its begin, before it") {
  flamelet::Mutex mutexes[2];
  flamelet::SharedMutex shared{"shared"};
  flamelet::Semaphore slots(2, "slots");
  size_t counts[2] = {};
  std::atomic<size_t> reads{0};
  on_threads(4, [&](uint32_t thread) {
    for (uint32_t i = 0; i < 300; ++i) {
      FLAMELET_SCOPE("round");
      {
        FLAMELET_SCOPE("count");
        const std::lock_guard<flamelet::Mutex> guard(mutexes[i % 2]);
        ++counts[i % 2];
        if (i % 16 == 0) std::this_thread::yield();
      }
      slots.acquire();
      if ((i + thread) % 4 == 0) {
        const std::unique_lock<flamelet::SharedMutex> guard(shared);
      } else {
        const std::shared_lock<flamelet::SharedMutex> guard(shared);
        ++reads;
      }
      slots.release();
    }
  });
  CHECK(counts[0] + counts[1] == 1200);
  CHECK(reads == 900);
  hand_overs(capture());
  for (const Wait& wait : waits(capture())) {
    CHECK((wait.span.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_END)) == 0);
    CHECK((wait.holder.empty() || wait.holder.find("thread ") == 0));
  }
}

// SPDX-License-Identifier: MIT
//
// Handlers that record, wherever they interrupt: their events are recorded, or dropped and counted, and never torn.
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <cerrno>

#include "stress.h"

using namespace recorder_test;

namespace {

std::atomic<uint64_t> handler_calls{0};  // recorded or dropped, each counts one
std::atomic<uint64_t> handlers{0};
std::atomic<uint64_t> nested{0};  // of them: that interrupted the record path of their thread
std::atomic<bool> guarded{false};

void record_in_handler(int) {
  const int saved = errno;
  const flamelet_track_head_* interrupted = flamelet::current_head();
  if (flamelet::is_recording_head(interrupted) &&
      flamelet::as_atomic(interrupted->depth).load_relaxed() == FLAMELET_DEPTH_BUSY_)
    ++nested;
  const bool guard = guarded;
  if (guard) flamelet_signal_enter();
  uint64_t calls = 0;
  {
    FLAMELET_BEGIN(scope, "handler");
    ++calls;
    FLAMELET_COUNTER("in handler", 1);
    ++calls;
    const flamelet_id id = flamelet_begin("in handler", "", nullptr);
    calls += id != 0 ? 2 : 1;
    flamelet_end(id);
    FLAMELET_INSTANT_OBJECT("in handler", "object");
    ++calls;
    if (scope.id() != 0) ++calls;
  }
  if (guard) flamelet_signal_leave();
  handler_calls += calls;
  ++handlers;
  errno = saved;
}

void start_counting(bool with_guard) {
  guarded = with_guard;
  handler_calls = 0;
  handlers = 0;
  nested = 0;
}

class Handler {
 public:
  explicit Handler(int signal) : signal_(signal) {
    struct sigaction action = {};
    action.sa_handler = record_in_handler;
    action.sa_flags = SA_RESTART;
    REQUIRE(sigaction(signal, &action, &old_) == 0);
  }
  ~Handler() { sigaction(signal_, &old_, nullptr); }

 private:
  int signal_;
  struct sigaction old_;
};

// What a thread does while signals come: every kind of step in the record path. Returns how many calls it made.
uint64_t record_one_round(uint32_t fiber) {
  FLAMELET_BEGIN(scope, "outer");
  { FLAMELET_SCOPE("inner"); }
  FLAMELET_NEXT(scope, "next");
  { FLAMELET_SCOPE_OBJECT("object", "object"); }
  FLAMELET_COUNTER("count", 1);
  flamelet_fiber_switch(0, fiber);
  { FLAMELET_SCOPE("in fiber"); }
  flamelet_fiber_switch(fiber, 0);
  return 12;
}

// Every call has been recorded or dropped, and what was read is whole and well nested.
void check_counts(EventReader* reader, uint64_t calls) {
  CHECK(reader->read_problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.events_recorded + now.dropped_nested == 1 + calls + handler_calls);
  CHECK(now.extra_ends + now.missing_ends + now.fiber_misuse + now.dropped_no_track == 0);
  CHECK(reader->total_read() + reader->total_lost() <= now.events_recorded);
  // Nothing but what interrupted the recorder is dropped, and of that everything: the 4 events that a handler begins.
  if (guarded)
    CHECK(now.dropped_nested == 0);
  else
    CHECK(now.dropped_nested == 4 * nested);
  MESSAGE(handlers.load() << " handlers ran, " << nested.load()
                          << " of them inside the record path: " << now.dropped_nested << " events were dropped");
}

// Threads that record what record_one_round() does, and get signals.
class Targets {
 public:
  Targets() {
    for (std::thread& thread : threads_)
      thread = std::thread([this] {
        uint64_t own = 0;
        const uint32_t fiber = flamelet_fiber_create("fiber");
        ++ready_;
        while (!stop_) own += record_one_round(fiber);
        calls_ += own;
      });
    while (ready_ != 2) std::this_thread::yield();
  }
  void send(int signal) {
    for (std::thread& thread : threads_) pthread_kill(thread.native_handle(), signal);
  }
  // Returns how many calls they made.
  uint64_t join() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    return calls_;
  }

 private:
  std::thread threads_[2];
  std::atomic<uint32_t> ready_{0};
  std::atomic<bool> stop_{false};
  std::atomic<uint64_t> calls_{0};
};

// Two threads record, and a third sends them both signals as fast as they take them.
void storm(bool with_guard) {
  const uint64_t wanted = scaled(10'000);
  start_counting(with_guard);
  const Handler first(SIGUSR1), second(SIGUSR2);
  Recording recording(with_fibers(8, 200));
  EventReader reader;
  Targets targets;
  for (uint64_t i = 0; handlers < wanted; ++i) {
    targets.send(SIGUSR1);
    targets.send(SIGUSR2);
    if (i % 256 == 0) reader.poll();  // the writers fill the ring while it reads
  }
  check_counts(&reader, targets.join());
}

#if defined(__x86_64__) && !FLAMELET_TESTS_SANITIZED
// The CPU raises SIGTRAP after every instruction while the trap flag is set. The kernel clears it for the handler.
constexpr uint64_t kTrapFlag = 0x100;

// One thread records, and a handler that records runs after each of its instructions: no place in the record path is
// left out by chance.
void step(bool with_guard) {
  const uint64_t wanted = scaled(100'000);
  start_counting(with_guard);
  const Handler handler(SIGTRAP);
  Recording recording(
      with_fibers(8, 4000));  // for all that the handlers record while the first round registers its sites
  EventReader reader;
  uint64_t calls = 0;
  const uint32_t fiber = flamelet_fiber_create("fiber");
  while (nested < wanted) {
    __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | kTrapFlag);
    calls += record_one_round(fiber);
    __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~kTrapFlag);
    reader.poll();
  }
  check_counts(&reader, calls);
  CHECK(reader.total_read() == stats().events_recorded);
}
#endif

}  // namespace

#if defined(__x86_64__) && !FLAMELET_TESTS_SANITIZED
TEST_CASE("signals: after every instruction of the record path, a handler tears nothing and loses no count") {
  step(false);
}

TEST_CASE("signals: after every instruction of the record path, a handler with the guard loses no event") {
  step(true);
}
#endif

TEST_CASE("signals: storms of them inside the record path tear nothing and lose no count") {
  storm(false);
}

TEST_CASE("signals: in storms of them, handlers with the guard lose no event") {
  storm(true);
}

TEST_CASE("signals: handlers with the guard run on while the recorder starts, stops and is switched") {
  const uint64_t rounds = scaled(300);
  start_counting(true);
  const Handler first(SIGUSR1), second(SIGUSR2);
  PoisonedHeap heap;
  const flamelet_config config = heap.in(with_fibers(8, 200));
  Targets targets;
  for (uint64_t round = 0; round < rounds; ++round) {
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
    for (uint64_t i = 0; i < round % 8; ++i) {
      targets.send(i % 2 == 0 ? SIGUSR1 : SIGUSR2);
      if (i == 3) flamelet_set_enabled(false);
      if (i == 5) flamelet_set_enabled(true);
    }
    if (round % 2 == 0) std::this_thread::yield();
    REQUIRE(stop_recorder() == FLAMELET_OK);
  }
  targets.join();
  CHECK(heap.allocations == rounds);
  CHECK(heap.frees == rounds);
  // No thread and no handler has a place in a session that it did not record in.
  Recording recording(config);
  CHECK(stats().tracks_live == 0);
}

TEST_CASE("signals: a timer's, on whichever thread it finds, also while threads register and exit") {
  const uint64_t wanted = scaled(2000);
  start_counting(false);
  const Handler handler(SIGALRM);
  Recording recording(with_fibers(8, 200));
  EventReader reader;
  const itimerval often = {{0, 100}, {0, 100}};
  REQUIRE(setitimer(ITIMER_REAL, &often, nullptr) == 0);
  uint64_t calls = 0;
  for (uint64_t i = 0; i < wanted || handlers < wanted / 4; ++i) {
    std::thread([] { FLAMELET_SCOPE("short"); }).join();
    FLAMELET_SCOPE("main");
    calls += 4;
    if (i % 64 == 0) reader.poll();
  }
  const itimerval never = {};
  REQUIRE(setitimer(ITIMER_REAL, &never, nullptr) == 0);
  CHECK(reader.read_problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.tracks_live == 1);
  CHECK(now.dropped_no_track == 0);
  // A handler on a thread that has given its track back records nothing, and counts nothing.
  CHECK(now.events_recorded + now.dropped_nested <= 1 + calls + handler_calls);
  CHECK(now.events_recorded >= 1 + calls);
}

TEST_CASE("signals: one that comes while a scope is measured waits") {
  start_counting(false);
  const Handler handler(SIGUSR1);
  Recording recording;
  EventReader reader;
  std::atomic<bool> stop{false};
  std::thread measuring([&stop] {
    for (uint32_t i = 0; !stop; ++i)
      flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(i % FLAMELET_SCOPE_KINDS));
  });
  const uint64_t wanted = scaled(2000);
  while (handlers < wanted) {
    pthread_kill(measuring.native_handle(), SIGUSR1);
    reader.poll();
  }
  stop = true;
  measuring.join();
  CHECK(reader.read_problem() == "");
  CHECK(stats().dropped_nested == 0);
}

// SPDX-License-Identifier: MIT
//
// Handlers that record, wherever they interrupt: their events are recorded, or dropped and counted, and never torn.
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <cerrno>
#include <vector>

#include "stress.h"

using namespace recorder_test;

namespace {

std::atomic<uint64_t> handler_calls{0};  // recorded or dropped, each counts one
std::atomic<uint64_t> handlers{0};

void record_in_handler(int) {
  const int saved = errno;
  uint64_t calls = 0;
  {
    FLAMELET_SCOPE_VAR(scope, "handler");
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
  handler_calls += calls;
  ++handlers;
  errno = saved;
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

flamelet_config with_fibers() {
  flamelet_config config = small_config();
  config.max_fibers = 8;
  keep_pages(&config, 200);
  return config;
}

}  // namespace

TEST_CASE("signals: storms of them inside the record path tear nothing and lose no count") {
  const uint64_t wanted = scaled(20'000);
  handler_calls = 0;
  handlers = 0;
  const Handler first(SIGUSR1), second(SIGUSR2);
  Recording recording(with_fibers());
  EventReader reader;
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> calls{0};
  std::vector<std::thread> threads;
  std::atomic<uint32_t> ready{0};
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      uint64_t own = 0;
      const uint32_t fiber = flamelet_fiber_create("fiber");
      ++ready;
      while (!stop) {
        FLAMELET_SCOPE_VAR(scope, "outer");
        { FLAMELET_SCOPE("inner"); }
        FLAMELET_NEXT(scope, "next");
        { FLAMELET_SCOPE_OBJECT("object", "object"); }
        FLAMELET_COUNTER("count", 1);
        flamelet_fiber_switch(0, fiber);
        { FLAMELET_SCOPE("in fiber"); }
        flamelet_fiber_switch(fiber, 0);
        own += 12;
      }
      calls += own;
    });
  while (ready != 2) std::this_thread::yield();
  for (uint64_t i = 0; handlers < wanted; ++i) {
    for (std::thread& thread : threads) {
      pthread_kill(thread.native_handle(), SIGUSR1);
      pthread_kill(thread.native_handle(), SIGUSR2);
    }
    if (i % 256 == 0) reader.poll();  // the writers fill the ring while it reads
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  reader.read();
  CHECK(reader.problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.events_recorded + now.dropped_nested == 1 + calls + handler_calls);
  CHECK(now.extra_ends + now.missing_ends + now.fiber_misuse == 0);
  CHECK(reader.total_read() + reader.total_lost() <= now.events_recorded);
  MESSAGE(handlers.load() << " handlers ran, " << now.dropped_nested << " of their events were dropped");
}

TEST_CASE("signals: a timer's, on whichever thread it finds, also while threads register and exit") {
  const uint64_t wanted = scaled(2000);
  handler_calls = 0;
  handlers = 0;
  const Handler handler(SIGALRM);
  Recording recording(with_fibers());
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
  reader.read();
  CHECK(reader.problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.tracks_live == 1);
  CHECK(now.dropped_no_track == 0);
  // A handler on a thread that has given its track back records nothing, and counts nothing.
  CHECK(now.events_recorded + now.dropped_nested <= 1 + calls + handler_calls);
  CHECK(now.events_recorded >= 1 + calls);
}

TEST_CASE("signals: one that comes while a scope is measured waits") {
  handlers = 0;
  const Handler handler(SIGUSR1);
  Recording recording;
  EventReader reader;
  std::atomic<bool> stop{false};
  std::thread measuring([&stop] {
    while (!stop) flamelet_measure_scope_ns();
  });
  const uint64_t wanted = scaled(2000);
  while (handlers < wanted) {
    pthread_kill(measuring.native_handle(), SIGUSR1);
    reader.poll();
  }
  stop = true;
  measuring.join();
  reader.read();
  CHECK(reader.problem() == "");
  CHECK(stats().dropped_nested == 0);
}

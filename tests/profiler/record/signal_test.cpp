// SPDX-License-Identifier: MIT
//
// Handlers that record, called where it matters: the recorder reads an injected clock in the middle of every event, and
// that clock raises the signal.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "flamelet/api.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

bool guarded = true;
int nested_more = 0;  // handlers that interrupt handlers
uint32_t handler_track = 0;

void in_handler(int) {
  if (guarded) flamelet_signal_enter();
  handler_track = flamelet_thread_id();
  FLAMELET_INSTANT("point");
  {
    FLAMELET_SCOPE("handler");
    if (nested_more > 0) {
      --nested_more;
      in_handler(0);  // and not raise(): a sanitizer may put that off until this handler has returned
    }
  }
  if (guarded) flamelet_signal_leave();
}

// A clock that raises the signal once, in the event that reads it next.
struct RaisingClock {
  uint64_t ticks = 1000;
  bool raise_now = false;

  static uint64_t read(void* self) {
    RaisingClock* clock = static_cast<RaisingClock*>(self);
    if (clock->raise_now) {
      clock->raise_now = false;
      raise(SIGUSR1);
    }
    return clock->ticks += 10;
  }
};

class Handler {
 public:
  explicit Handler(void (*function)(int)) {
    struct sigaction action = {};
    action.sa_handler = function;
    action.sa_flags = SA_NODEFER;
    REQUIRE(sigaction(SIGUSR1, &action, &old_) == 0);
    guarded = true;
    nested_more = 0;
    handler_track = 0;
  }
  ~Handler() { sigaction(SIGUSR1, &old_, nullptr); }

 private:
  struct sigaction old_;
};

struct Handled : Handler, LoggedRecording {
  Handled() : Handler(in_handler) {}
};

flamelet_config with_raising(RaisingClock* clock, flamelet_config config = small_config()) {
  config.clock = RaisingClock::read;
  config.clock_user = clock;
  config.clock_ticks_per_second = 1e9;
  return config;
}

}  // namespace

TEST_CASE("signal: a handler in the middle of an event loses its own events, counted, without the guard") {
  const Handler handler(in_handler);
  guarded = false;
  RaisingClock clock;
  Recording recording(with_raising(&clock));
  EventLog log;
  {
    FLAMELET_SCOPE("outer");
    clock.raise_now = true;
    FLAMELET_SCOPE("inner");
  }
  CHECK(own_events(&log) == "+outer +inner - -");
  CHECK(stats().dropped_nested == 3);  // the id, the point and the scope
  CHECK(handler_track == 0);
}

TEST_CASE("signal: a handler in the middle of an event loses nothing with the guard; a track of its own has it") {
  const Handler handler(in_handler);
  RaisingClock clock;
  Recording recording(with_raising(&clock));
  EventLog log;
  {
    FLAMELET_SCOPE("outer");
    clock.raise_now = true;
    FLAMELET_SCOPE("inner");
    clock.raise_now = true;
  }
  CHECK(own_events(&log) == "+outer +inner - -");
  CHECK(log.text(handler_track) == "!point +handler - !point +handler -");
  CHECK(find_track(handler_track).name == "signal handler");
  CHECK(handler_track != flamelet_thread_id());
  CHECK(stats().dropped_nested == 0);
  CHECK(stats().tracks_live == 2);
}

TEST_CASE_FIXTURE(Handled, "signal: outside of an event the guard does the same") {
  FLAMELET_INSTANT("first");
  raise(SIGUSR1);
  FLAMELET_INSTANT("second");
  CHECK(own_events(&log) == "!first !second");
  CHECK(log.text(handler_track) == "!point +handler -");
}

TEST_CASE("signal: each handler that interrupts another has a track of its own, as far as there are levels") {
  const Handler handler(in_handler);
  Recording recording(with_tracks(32));
  EventLog log;
  FLAMELET_INSTANT("first");
  nested_more = 7;
  raise(SIGUSR1);
  CHECK(stats().tracks_live == 1 + 8);
  // What is deeper records on the track that it interrupted.
  nested_more = 9;
  raise(SIGUSR1);
  CHECK(stats().tracks_live == 1 + 8);
  CHECK(stats().dropped_nested == 0);
  FLAMELET_INSTANT("last");
  CHECK(own_events(&log) == "!first !last");
  CHECK(stats().events_recorded == 1 + 2 + (8 + 10) * 3);
}

TEST_CASE_FIXTURE(Recording,
                  "signal: begins that were not recorded stay with the handler or with what it interrupted") {
  flamelet_instant("registers the thread", "", nullptr);
  flamelet_signal_enter();
  flamelet_instant("registers the handler", "", nullptr);
  flamelet_signal_leave();
  flamelet_set_enabled(false);
  flamelet_begin("interrupted", "", nullptr);
  flamelet_signal_enter();
  flamelet_end(0);  // not that of what was interrupted
  flamelet_begin("handler", "", nullptr);
  flamelet_begin("handler", "", nullptr);
  flamelet_end(0);
  flamelet_signal_leave();
  flamelet_set_enabled(true);
  flamelet_end_top();
  CHECK(stats().extra_ends == 0);
  flamelet_end_top();
  CHECK(stats().extra_ends == 1);
  flamelet_signal_enter();
  flamelet_end_top();  // nothing is left of the handler before
  flamelet_signal_leave();
  CHECK(stats().extra_ends == 2);
}

TEST_CASE_FIXTURE(Handled, "signal: a thread that has not recorded is registered by its handler, as by any event") {
  uint32_t own = 0;
  std::thread([&own] {
    raise(SIGUSR1);
    FLAMELET_INSTANT("own");
    own = flamelet_thread_id();
  }).join();
  CHECK(own == handler_track);
  log.read();
  CHECK(log.text(own) == "!point +handler - !own");
  CHECK(stats().tracks_live == 0);
}

TEST_CASE_FIXTURE(Handled, "signal: the handlers' tracks are given back when the thread exits") {
  for (int i = 0; i < 20; ++i)
    std::thread([] {
      FLAMELET_INSTANT("own");
      nested_more = 2;
      raise(SIGUSR1);
    }).join();
  CHECK(stats().tracks_live == 0);
  CHECK(stats().dropped_no_track == 0);
  CHECK(stats().events_recorded == 1 + 20 * (1 + 3 * 3));
}

TEST_CASE("signal: with no track left, a handler records on the track it interrupted, or is counted") {
  const Handler handler(in_handler);
  RaisingClock clock;
  flamelet_config config = with_tracks(1);
  Recording recording(with_raising(&clock, config));
  EventLog log;
  FLAMELET_INSTANT("first");
  raise(SIGUSR1);
  clock.raise_now = true;
  FLAMELET_INSTANT("last");
  CHECK(own_events(&log) == "!first !point +handler - !last");
  CHECK(stats().dropped_no_track == 0);
  CHECK(stats().dropped_nested == 3);
}

TEST_CASE("signal: scopes that a handler leaves open are ended when it leaves, and those outside stay open") {
  const Handler handler([](int) {
    FLAMELET_SIGNAL_GUARD();
    handler_track = flamelet_thread_id();
    flamelet_begin("one", "", nullptr);
    flamelet_begin("two", "", nullptr);
  });
  Recording recording;
  EventLog log;
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  raise(SIGUSR1);
  raise(SIGUSR1);
  flamelet_end(outer);
  CHECK(own_events(&log) == "+outer -");
  CHECK(log.track(handler_track).open.empty());
  CHECK(log.track(handler_track).next_index() == 6);
  CHECK(stats().missing_ends == 4);
  CHECK(stats().extra_ends == 0);
}

TEST_CASE("signal: a fiber that a handler leaves running is idle after it, and can run anywhere") {
  static uint32_t fiber;
  const Handler handler([](int) {
    FLAMELET_SIGNAL_GUARD();
    handler_track = flamelet_thread_id();
    flamelet_fiber_switch(0, fiber);
    FLAMELET_INSTANT("in fiber");
  });
  Recording recording(with_fibers(1));
  EventLog log;
  FLAMELET_INSTANT("own");
  fiber = flamelet_fiber_create("fiber");
  raise(SIGUSR1);
  flamelet_fiber_switch(0, fiber);
  flamelet_fiber_switch(fiber, 0);
  raise(SIGUSR1);
  CHECK(log.read_problem() == "");
  CHECK(stats().fiber_misuse == 0);
}

TEST_CASE_FIXTURE(Recording, "signal: a thread that exits inside of handlers gives all its tracks back") {
  std::thread([] {
    FLAMELET_INSTANT("own");
    for (int level = 0; level < 10; ++level) {
      flamelet_signal_enter();
      FLAMELET_INSTANT("in handler");
    }
  }).join();
  CHECK(stats().tracks_live == 0);
  CHECK(stats().events_recorded == 1 + 1 + 10);
}

TEST_CASE("signal: the guard works in the next session, while off, and after a leave too many") {
  const Handler handler(in_handler);
  for (int i = 0; i < 3; ++i) {
    Recording recording;
    EventLog log;
    FLAMELET_INSTANT("own");
    raise(SIGUSR1);
    flamelet_set_enabled(false);
    raise(SIGUSR1);
    CHECK(handler_track == 0);
    flamelet_set_enabled(true);
    raise(SIGUSR1);
    flamelet_signal_leave();
    CHECK(own_events(&log) == "!own");
    CHECK(log.text(handler_track) == "!point +handler - !point +handler -");
    CHECK(find_track(handler_track).name == "signal handler");
    CHECK(stats().tracks_live == 2);
  }
  raise(SIGUSR1);
  CHECK(handler_track == 0);
}

TEST_CASE("signal: in the child of a fork the handlers' tracks are free, also if a handler called it") {
  static pid_t child;
  const auto forking = [] {
    FLAMELET_SIGNAL_GUARD();
    FLAMELET_INSTANT("point");
    child = fork();
    FLAMELET_INSTANT("point");  // the child's recorder is off
  };
  flamelet_config config = with_tracks(2);
  Recording recording(config);
  FLAMELET_INSTANT("own");
  forking();  // and not raise(): ThreadSanitizer's own fork() allocates
  if (child == 0) {
    const bool was_off = flamelet_shutdown() == FLAMELET_ERROR_NOT_INITIALIZED;
    const bool started = flamelet_init(&config) == FLAMELET_OK;
    FLAMELET_INSTANT("own");
    in_handler(0);
    const flamelet_stats now = stats();
    const bool counted = now.tracks_live == 2 && now.events_recorded == 5 && now.dropped_no_track == 0;
    _exit(was_off && started && counted && flamelet_shutdown() == FLAMELET_OK ? 0 : 1);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  CHECK(status == 0);
  CHECK(stats().events_recorded == 4);
}

TEST_CASE_FIXTURE(Handled, "signal: a handler leaves errno alone") {
  errno = 123;
  raise(SIGUSR1);
  FLAMELET_INSTANT("own");
  raise(SIGUSR1);
  CHECK(errno == 123);
}

TEST_CASE("signal: a thread's first event, in a handler without the guard, registers it like any other") {
  struct sigaction action = {}, old = {};
  action.sa_handler = [](int) { FLAMELET_SCOPE("handler"); };
  REQUIRE(sigaction(SIGUSR1, &action, &old) == 0);
  {
    Recording recording;
    EventLog log;
    std::thread([] {
      pthread_kill(pthread_self(), SIGUSR1);
      FLAMELET_SCOPE("after");
    }).join();
    log.read();
    CHECK(log.text(1) == "+handler - +after -");
    CHECK(stats().tracks_live == 0);
  }
  sigaction(SIGUSR1, &old, nullptr);
}

// SPDX-License-Identifier: MIT
//
// Scopes belong to their fiber, whichever threads it runs on: with switches by hand, and with real fibers. Those of one
// thread are in record_model_test.cpp, too.
#include <doctest/doctest.h>
#include <future>
#include <thread>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "profiler/record/job_fiber.h"
#include "record/session.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(4, 400),
                           "fiber: scopes keep names, objects and times through switches and pages") {
  const uint32_t a = flamelet_fiber_create("a");
  flamelet_begin("plain", "", nullptr);
  flamelet_begin("object", "", "boss");
  FLAMELET_BEGIN(next, "replaced");
  FLAMELET_NEXT(next, "next");
  for (int i = 0; i < 400; ++i) {
    flamelet_fiber_switch(0, a);
    if (i % 50 == 0) flamelet_begin("in fiber", "", "object");
    { FLAMELET_SCOPE("work"); }
    flamelet_fiber_switch(a, 0);
    { FLAMELET_SCOPE("work"); }
    log.read();
  }
  CHECK(log.problem() == "");
  CHECK(log.track(flamelet_thread_id()).lost == 0);
  const std::string text = log.text(flamelet_thread_id());
  CHECK(text.find("@1>0(plain,object{boss},next)") != std::string::npos);
  CHECK(text.find("@0>1(in fiber{object},in fiber{object})") != std::string::npos);
  next.end();
}

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(4, 400), "fiber: the deepest stacks can be switched at every place of a page") {
  EventReader reader;
  const uint32_t a = flamelet_fiber_create("a");
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) REQUIRE(flamelet_begin("home", "", nullptr) != 0);
  flamelet_fiber_switch(0, a);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) REQUIRE(flamelet_begin("fiber", "", "o") != 0);
  uint64_t events = 1 + 2 * FLAMELET_MAX_DEPTH + 1;
  for (uint32_t i = 0; i < 600; ++i) {
    events += 3 + i % 7;
    flamelet_fiber_switch(a, 0);
    for (uint32_t k = 0; k < i % 7; ++k) FLAMELET_COUNTER("count", k);
    flamelet_fiber_switch(0, a);
    FLAMELET_INSTANT("point");
    REQUIRE(reader.read_problem() == "");
  }
  CHECK(reader.total_lost() == 0);
  CHECK(reader.total_read() == events);
  CHECK(stats().events_recorded == events);
}

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(16), "fiber: one that moves to another thread takes its scopes along") {
  const uint32_t fiber = flamelet_fiber_create("a");
  flamelet_id id = 0;
  on_thread([&] {
    flamelet_fiber_switch(0, fiber);
    id = flamelet_begin("moves", "", "object");
    flamelet_fiber_switch(fiber, 0);
  });
  on_thread([&] {
    FLAMELET_SCOPE("thread");
    flamelet_fiber_switch(0, fiber);
    flamelet_end(id);
    flamelet_fiber_switch(fiber, 0);
  });
  log.read();
  CHECK(log.text(1) == "@0>1() +moves{object} @1>0()");
  CHECK(log.text(2) == "+thread @0>1(moves{object}) - @1>0(thread) -");
  CHECK(stats().extra_ends + stats().missing_ends + stats().fiber_misuse == 0);
}

TEST_CASE("fiber: misuse is counted, and changes nothing") {
  Recording recording(with_fibers(16));
  EventLog log;
  const uint32_t a = flamelet_fiber_create("a"), b = flamelet_fiber_create("b");
  uint64_t misuse = 0;
  const auto misused = [&misuse] { return stats().fiber_misuse == ++misuse; };
  FLAMELET_BEGIN(scope, "stays");
  flamelet_fiber_switch(0, 0);
  CHECK(misused());
  flamelet_fiber_switch(a, b);  // a does not run here
  CHECK(misused());
  flamelet_fiber_switch(0, 999);
  CHECK(misused());
  flamelet_fiber_switch(0, UINT32_MAX);
  CHECK(misused());
  flamelet_fiber_switch(999, a);
  CHECK(misused());
  flamelet_fiber_destroy(999);
  CHECK(misused());
  flamelet_fiber_switch(0, a);
  flamelet_fiber_switch(a, a);
  CHECK(misused());
  flamelet_fiber_switch(0, b);  // a runs here, not the thread
  CHECK(misused());
  flamelet_fiber_destroy(a);  // runs
  CHECK(misused());
  on_thread([&] {
    flamelet_fiber_switch(0, a);  // runs elsewhere
    CHECK(misused());
    flamelet_fiber_switch(a, 0);
    CHECK(misused());
  });
  flamelet_fiber_switch(a, 0);
  scope.end();
  flamelet_fiber_destroy(a);
  flamelet_fiber_destroy(a);  // gone
  CHECK(misused());
  flamelet_fiber_switch(0, a);
  CHECK(misused());
  flamelet_fiber_destroy(0);
  CHECK(stats().fiber_misuse == misuse);
  CHECK(own_events(&log) == "+stays @0>1() @1>0(stays) - x1(0)");
}

TEST_CASE("fiber: open scopes of a destroyed fiber are not seen by the next one in its place") {
  Recording recording(with_fibers(1));
  EventLog log;
  const uint32_t a = flamelet_fiber_create("a");
  flamelet_fiber_switch(0, a);
  flamelet_begin("left open", "", nullptr);
  flamelet_fiber_switch(a, 0);
  flamelet_fiber_destroy(a);
  const uint32_t b = flamelet_fiber_create("b");
  CHECK(b == 2);
  flamelet_fiber_switch(0, b);
  flamelet_fiber_switch(b, 0);
  CHECK(own_events(&log) == "@0>1() +left open @1>0() x1(1) @0>2() @2>0()");
  CHECK(stats().missing_ends == 1);
  const uint32_t never_ran = 3;
  flamelet_fiber_destroy(b);
  CHECK(flamelet_fiber_create("never ran") == never_ran);
  flamelet_fiber_destroy(never_ran);
  CHECK(own_events(&log).find("x3") == std::string::npos);
  CHECK(stats().missing_ends == 1);
}

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(16), "fiber: a thread that exits on a fiber lets go of it") {
  const uint32_t a = flamelet_fiber_create("a");
  on_thread([a] {
    flamelet_begin("home", "", nullptr);
    flamelet_fiber_switch(0, a);
    flamelet_begin("fiber", "", nullptr);
  });
  log.read();
  CHECK(log.text(1) == "+home @0>1() +fiber @1>0(home) -1");
  CHECK(stats().missing_ends == 1);
  flamelet_fiber_switch(0, a);
  flamelet_end_top();
  flamelet_fiber_switch(a, 0);
  CHECK(own_events(&log) == "@0>1(fiber) - @1>0()");
  CHECK(stats().fiber_misuse == 0);
}

TEST_CASE("fiber: a thread that exits on a fiber of an earlier session is nothing to the new one") {
  std::promise<void> on_fiber, may_exit;
  std::thread thread;
  {
    Recording recording(with_fibers(16));
    thread = std::thread([&] {
      flamelet_fiber_switch(0, flamelet_fiber_create("a"));
      on_fiber.set_value();
      may_exit.get_future().wait();
    });
    on_fiber.get_future().wait();
  }
  Recording recording(with_fibers(16));
  may_exit.set_value();
  thread.join();
  CHECK(stats().fiber_misuse == 0);
}

TEST_CASE("fiber: those that are alive are counted beside their limit, from zero in each session") {
  for (int session = 0; session < 2; ++session) {
    Recording recording(with_fibers(16));
    CHECK(stats().fibers_live == 0);
    CHECK(stats().fibers_limit == with_fibers(16).max_fibers);
    const uint32_t a = flamelet_fiber_create("a"), b = flamelet_fiber_create("b");
    CHECK(stats().fibers_live == 2);
    flamelet_fiber_destroy(a);
    CHECK(stats().fibers_live == 1);
    flamelet_fiber_destroy(a);  // misuse
    CHECK(stats().fibers_live == 1);
    flamelet_fiber_switch(0, b);
    CHECK(stats().fibers_live == 1);
    flamelet_fiber_switch(b, 0);
  }
}

TEST_CASE("fiber: ids are new for each fiber, and every one is found") {
  Recording recording(with_fibers(100));
  std::vector<uint32_t> fibers;
  std::set<uint32_t> all;
  for (int round = 0; round < 10; ++round) {
    while (fibers.size() < 100) {
      const uint32_t id = flamelet_fiber_create("fiber");
      REQUIRE(id != 0);
      REQUIRE(all.insert(id).second);
      fibers.push_back(id);
    }
    CHECK(flamelet_fiber_create("one too many") == 0);
    for (uint32_t id : fibers) {
      flamelet_fiber_switch(0, id);
      flamelet_fiber_switch(id, 0);
    }
    // Every third one goes.
    std::vector<uint32_t> left;
    for (size_t i = 0; i < fibers.size(); ++i)
      if (i % 3 == 0)
        flamelet_fiber_destroy(fibers[i]);
      else
        left.push_back(fibers[i]);
    fibers = left;
  }
  CHECK(stats().fiber_misuse == 0);
  CHECK(stats().dropped_fiber == 10);
}

TEST_CASE("fiber: creating, switching and destroying from many threads at once keeps every stack its own") {
  constexpr uint32_t kThreads = 4, kRounds = 500;
  Recording recording(with_fibers(kThreads + 1, 2000));
  EventReader reader;
  on_threads(kThreads, [](uint32_t) {
    for (uint32_t i = 0; i < kRounds; ++i) {
      const uint32_t fiber = flamelet_fiber_create("fiber");
      const flamelet_id home = flamelet_begin("home", "", nullptr);
      flamelet_fiber_switch(0, fiber);
      const flamelet_id inside = flamelet_begin("inside", "", nullptr);
      flamelet_fiber_switch(fiber, 0);
      flamelet_end(home);
      flamelet_fiber_switch(0, fiber);
      flamelet_end(inside);
      flamelet_fiber_switch(fiber, 0);
      flamelet_fiber_destroy(fiber);
    }
  });
  CHECK(reader.read_problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.fiber_misuse + now.extra_ends + now.missing_ends + now.dropped_fiber == 0);
  CHECK(reader.total_read() == 1 + kThreads * kRounds * 9);
}

// ---- Real fibers -------------------------------------------------------------------------------------------------

namespace {

void nested_work(JobFiber* job) {
  FLAMELET_FUNCTION();
  for (int i = 0; i < 3; ++i) {
    FLAMELET_SCOPE("outer");
    job->yield();
    FLAMELET_BEGIN(step, "first step");
    job->yield();
    FLAMELET_NEXT(step, "second step");
    job->yield();
  }
}

}  // namespace

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(16, 64, small_config(200)),
                           "fiber: scopes of real fibers close correctly when each step runs on another thread") {
  EventReader reader;
  {
    JobFiber job(nested_work);
    while (!job.done()) on_thread([&job] { job.run(); });
  }
  CHECK(reader.read_problem() == "");
  const flamelet_stats now = stats();
  CHECK(now.extra_ends + now.missing_ends + now.fiber_misuse == 0);
  // nested_work: 1 + 3 * (outer, step) begins and as many ends, 3 next; 10 runs with two switches each.
  CHECK(reader.total_read() == 1 + 14 + 3 + 20 + 1);
}

TEST_CASE("fiber: real fibers that wander among running threads keep their scopes") {
  constexpr uint32_t kThreads = 4, kJobs = 8;
  Recording recording(with_fibers(kJobs, 3000));
  EventReader reader;
  std::atomic<uint32_t> left{kJobs};
  {
    std::vector<std::unique_ptr<JobFiber>> jobs;
    std::vector<std::atomic<bool>> busy(kJobs);
    for (uint32_t i = 0; i < kJobs; ++i)
      jobs.emplace_back(new JobFiber([](JobFiber* job) {
        for (int round = 0; round < 30; ++round) nested_work(job);
      }));
    on_threads(kThreads, [&](uint32_t) {
      FLAMELET_SCOPE("worker");
      while (left != 0) {
        for (uint32_t i = 0; i < kJobs; ++i) {
          if (busy[i].exchange(true)) continue;
          if (!jobs[i]->done()) {
            jobs[i]->run();
            if (jobs[i]->done()) --left;
          }
          busy[i] = false;
        }
      }
    });
  }
  CHECK(reader.read_problem() == "");
  CHECK(reader.total_lost() == 0);
  const flamelet_stats now = stats();
  CHECK(now.extra_ends + now.missing_ends + now.fiber_misuse == 0);
  CHECK(reader.total_read() == 1 + kThreads * 2 + kJobs * (30 * 17 + 2 * (30 * 9 + 1) + 1));
}

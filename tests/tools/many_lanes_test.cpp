// SPDX-License-Identifier: MIT
//
// Captures with many lanes, with losses, and cut to a part: what the commands say of them.
#include <doctest/doctest.h>

#include <atomic>
#include <sstream>
#include <string>
#include <thread>

#include "flamelet/capture_file.h"
#include "flamelet/scope.h"
#include "rounds.h"
#include "support/capture.h"
#include "support/recording.h"
#include "tool_place.h"

using namespace flamelet::tests;
using recorder_test::Capture;
using recorder_test::Recording;

namespace {

flamelet_config many_threads(uint32_t pages) {
  flamelet_config config = recorder_test::small_config(pages);
  config.max_tracks = 16;
  config.thread_times = false;  // marks are small then, so that they outlive the scopes of their frames
  recorder_test::keep_pages(&config, pages);
  return config;
}

// "Main", whose thread has the first lane, and short threads, every other one of them called "Worker".
void record(uint32_t threads) {
  flamelet_set_thread_name("Main");
  for (uint32_t i = 0; i < threads; ++i) {
    for (int n = 0; n < 10; ++n) flamelet_end(flamelet_begin("update", "", nullptr));
    std::thread([i] {
      if (i % 2 == 1) flamelet_set_thread_name("Worker");
      flamelet_end(flamelet_begin("job", "", nullptr));
    }).join();
    flamelet_frame();
  }
}

void save(const std::string& path, const flamelet_capture_config& config = flamelet_capture_config_default()) {
  Capture capture(config);
  capture.update();
  REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str()) == FLAMELET_OK);
}

size_t lines_of(const std::string& text) {
  size_t lines = 0;
  for (const char c : text) lines += c == '\n';
  return lines;
}

}  // namespace

TEST_CASE_FIXTURE(ToolPlace,
                  "info command: of many lanes those with the fewest spans are one row, unless all are asked for") {
  {
    Recording recording(many_threads(400));
    record(200);
    save(path("game.flamelet"));
  }
  const ToolResult result = run("info game.flamelet");
  CHECK(result.err == "");
  CHECK(has(result.out, "\nMain "));
  CHECK(has(result.out, " 2000       0    4000     0"));
  CHECK(has(result.out, "\n… 169 more  thread"));
  CHECK(has(result.out, "(--all-lanes lists every lane, --merge-lanes those of a name as one)\n"));
  CHECK(lines_of(result.out) < 60);
  CHECK(lines_of(run("info game.flamelet --all-lanes").out) > 200);
  CHECK(lines_of(run("info game.flamelet --csv").out) == 202);
  // The recorder has the names of the newest threads. The others are one row, too.
  const std::string merged = run("info game.flamelet --merge-lanes --csv").out;
  CHECK(has(merged, "\nWorker ("));
  CHECK(has(merged, "\nthread ("));
  CHECK(lines_of(merged) == 4);
  CHECK(has(run("tree game.flamelet --by thread --merge-lanes -t Worker").out, "Worker ("));
  CHECK_FALSE(has(run("tree game.flamelet --by thread -t Worker").out, "Worker ("));
  const ToolResult nobody = run("stats game.flamelet -t Nobody");
  CHECK(nobody.exit_code == 1);
  CHECK(has(nobody.err, "there are:\n  thread    Main\n  thread    thread ("));
  CHECK(lines_of(nobody.err) == 4);
  // Each name that is listed is taken.
  std::istringstream listed(nobody.err);
  std::string line;
  std::getline(listed, line);
  while (std::getline(listed, line)) {
    const std::string name = line.substr(line.find_first_not_of(' ', 2 + 9));
    CAPTURE(name);
    CHECK(run("stats game.flamelet -t '" + name + "'").exit_code == 0);
    CHECK(run("stats game.flamelet -t '" + name.substr(0, name.find(" (")) + "'").exit_code == 0);
  }
}

TEST_CASE_FIXTURE(ToolPlace, "info command: of many lanes those of threads that have ended share a row first") {
  {
    recorder_test::ManualClock clock;  // each event is a tick: the last tenth has less than 32 threads
    Recording recording(recorder_test::with_clock(many_threads(400), &clock));
    std::atomic<bool> waits{false}, stop{false};
    std::thread idle([&] {
      flamelet_set_thread_name("Idle");
      FLAMELET_SCOPE("wait");
      waits = true;
      while (!stop) std::this_thread::yield();
    });
    while (!waits) std::this_thread::yield();
    for (int i = 0; i < 40; ++i)
      std::thread([] {
        for (int n = 0; n < 50; ++n) flamelet_end(flamelet_begin("busy", "", nullptr));
      }).join();
    record(100);
    stop = true;
    idle.join();
    save(path("game.flamelet"));
  }
  const std::string out = run("info game.flamelet").out;
  CAPTURE(out);
  CHECK(has(out, "\nIdle "));
}

#if FLAMELET_TESTS_SLOWER == 1  // a sanitizer reserves more than that
TEST_CASE_FIXTURE(ToolPlace, "tree command: one tree for each of many lanes takes no more memory than for a few" *
                                 doctest::test_suite("gate")) {
  {
    Recording recording(many_threads(1200));
    record(1000);
    save(path("game.flamelet"));
  }
  const ToolResult result = shell("ulimit -v 1000000; COLUMNS=100 '" FLAMELET_TOOL "' tree game.flamelet --by thread");
  CHECK(result.exit_code == 0);
  CHECK(lines_of(result.out) > 3000);
}
#endif

TEST_CASE_FIXTURE(ToolPlace, "info command: lanes stand by kind and id") {
  {
    flamelet_config config = many_threads(100);
    config.max_fibers = 4;
    recorder_test::keep_pages(&config, 100);
    Recording recording(config);
    const uint32_t fiber = flamelet_fiber_create("Fiber");
    const uint32_t gpu = flamelet_track_create("GPU", FLAMELET_TRACK_GPU, 1e9);
    flamelet_track_calibrate(gpu, 1000, flamelet_now_ticks());
    flamelet_event event = {};
    event.type = 'I';
    event.time_ticks = 1000;
    event.name = "point";
    flamelet_submit(gpu, &event, 1);
    flamelet_fiber_switch(0, fiber);
    flamelet_end(flamelet_begin("task", "", nullptr));
    flamelet_fiber_switch(fiber, 0);
    std::thread([] { flamelet_instant("i", "", nullptr); }).join();
    save(path("game.flamelet"));
  }
  const std::string csv = run("info game.flamelet --csv").out;
  const size_t first = csv.find("\nthread 2,thread,2,"), second = csv.find("\nthread 3,thread,3,"),
               gpu = csv.find("\nGPU,gpu,1,"), fiber = csv.find("\nFiber,fiber,1,");
  REQUIRE(first != std::string::npos);
  REQUIRE(fiber != std::string::npos);
  CHECK(first < second);
  CHECK(second < gpu);
  CHECK(gpu < fiber);
}

TEST_CASE_FIXTURE(ToolPlace, "commands say in one line what a recording lost" * doctest::test_suite("gate")) {
  flamelet_capture_config small = flamelet_capture_config_default();
  {
    // The page of the newest marks goes further back than the scopes that are left.
    Recording recording(many_threads(100));
    record(320);
    save(path("lost.flamelet"));
  }
  {
    Recording recording(many_threads(2000));
    record(1500);
    small.budget_bytes = flamelet_capture_memory_required(&small);
    save(path("evicted.flamelet"), small);
  }
  for (const char* command :
       {"info", "stats", "frames --no-plots", "tree", "diff lost.flamelet", "why", "budgets learn -o budgets.txt"}) {
    CAPTURE(command);
    const ToolResult lost = run(std::string(command) + " lost.flamelet");
    CHECK(lost.exit_code == 0);
    CHECK(has(lost.err, "lost.flamelet is not complete: "));
    CHECK(has(lost.err, " events were overwritten before they were read; "));
    CHECK(has(lost.err, " frames are incomplete\n"));
    const ToolResult evicted = run(std::string(command) + " evicted.flamelet");
    CHECK(has(evicted.err, "evicted.flamelet is not complete: "));
    CHECK(has(evicted.err, " events were evicted because the capture was full; "));
  }
}

TEST_CASE_FIXTURE(ToolPlace, "commands call a file complete whose frames are, whatever was lost before them") {
  flamelet_capture_config newest = flamelet_capture_config_default();
  newest.max_frames = 4;
  {
    Recording recording(many_threads(100));
    record(320);
    save(path("whole.flamelet"), newest);
  }
  const ToolResult info = run("info whole.flamelet");
  CHECK_FALSE(has(info.out, " 0 overwritten before that"));
  CHECK(info.err.empty());
}

TEST_CASE_FIXTURE(ToolPlace, "info command: a file that was cut from another has the counts of what it holds") {
  {
    Recording recording(many_threads(300));
    for (int frame = 0; frame < 60; ++frame) {
      for (int i = 0; i < 300; ++i) flamelet_end(flamelet_begin("scope", "", nullptr));
      flamelet_frame();
    }
    save(path("game.flamelet"));
  }
  REQUIRE(run("convert game.flamelet cut.flamelet --frames 30").exit_code == 0);
  CHECK(has(run("info game.flamelet").out, "events    36000 here and 61 frame marks; 36061 were read, 0 overwritten"));
  const std::string out = run("info cut.flamelet").out;
  CHECK_FALSE(has(out, "36061"));
  CHECK(has(out, " and 1 frame mark; "));
  CHECK(has(out, ", 0 overwritten before that, 0 evicted after it\n"));
}

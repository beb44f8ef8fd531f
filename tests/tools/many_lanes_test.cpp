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
#include "gate.h"
#include "rounds.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/recording.h"
#include "tool_place.h"

using namespace flamelet::tests;
using namespace recorder_test;

namespace {

flamelet_config many_threads(uint32_t pages) {
  flamelet_config config = small_config(pages);
  config.max_tracks = 16;
  config.thread_times = false;  // marks are small then, so that they outlive the scopes of their frames
  keep_pages(&config, pages);
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
  Capture capture(config, Captured::kNow);
  REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str()) == FLAMELET_OK);
}

size_t lines_of(const std::string& text) {
  return count_of(text, "\n");
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
    ManualClock clock;  // each event is a tick: the last tenth has less than 32 threads
    Recording recording(with_clock(many_threads(400), &clock));
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
    keep_pages(&config, 100);
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
    const ToolResult lost = good(std::string(command) + " lost.flamelet");
    CHECK(has(lost.err, "lost.flamelet is not complete: "));
    CHECK(has(lost.err, " events were overwritten before they were read; "));
    CHECK(has(lost.err, " frames are incomplete. More flamelet_config.budget_bytes, or more "));
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

// ---- Long lane ----------------------------------------------------------------------------------------------------

// A lane with ten times the spans of what any command holds at once, inside of scopes that are open all the while: each
// command says the same as sums made by hand.

namespace {

constexpr int kFrames = 40;
constexpr int64_t kSteps = 100, kLastSteps = 170000, kAllSteps = (kFrames - 1) * kSteps + kLastSteps;
constexpr int64_t kSpans = 2 * kAllSteps + kFrames + 1;
constexpr int64_t kFrameNs = 1000000, kStepNs = 80, kInnerNs = 50, kLastNs = kFrameNs + 100 * kLastSteps,
                  kAllNs = (kFrames - 1) * kFrameNs + kLastNs;
static_assert(kSpans > 10 * (int64_t{1} << 15), "a command holds so many");

// Program, which never ends > Frame > Step > Inner.
class LongLane : public ToolPlace {
 public:
  LongLane() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{64} << 20;
    Building building(config);
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
    const uint32_t frame = building.site("Frame"), step = building.site("Step"), inner = building.site("Inner");
    building.begin(lane, 0, building.site("Program"));
    int64_t begin_ns = 0;
    for (int i = 0; i < kFrames; ++i) {
      building.begin(lane, begin_ns, frame);
      int64_t now_ns = begin_ns;
      for (int64_t n = i + 1 == kFrames ? kLastSteps : kSteps; n != 0; --n, now_ns += 100) {
        building.begin(lane, now_ns, step);
        building.begin(lane, now_ns + 10, inner);
        building.end(lane, now_ns + 10 + kInnerNs);
        building.end(lane, now_ns + kStepNs);
      }
      const int64_t end_ns = begin_ns + (i + 1 == kFrames ? kLastNs : kFrameNs);
      building.end(lane, end_ns);
      building.frame(static_cast<uint64_t>(i), begin_ns, end_ns);
      begin_ns = end_ns;
    }
    write("long.flamelet", recorder_test::save(building.finish()));
  }

  std::string out(const std::string& command, int exit_code = 0) const {
    const ToolResult result = run(command);
    CAPTURE(command);
    CAPTURE(result.err);
    CHECK(result.exit_code == exit_code);
    return result.out;
  }
};

}  // namespace

TEST_CASE_FIXTURE(LongLane, "long lane: every command reads all of its spans" * doctest::test_suite("gate")) {
  const auto text = [](int64_t number) { return std::to_string(number); };
  const std::string steps = text(kAllSteps), steps_ns = text(kAllSteps * kStepNs);
  const std::string self_ns = text(kAllSteps * (kStepNs - kInnerNs)), inner_ns = text(kAllSteps * kInnerNs);
  const std::string all_ns = text(kAllNs), frame_self_ns = text(kAllNs - kAllSteps * kStepNs);

  const std::string info = out("info long.flamelet");
  CHECK(has(info, "\nMain  thread   1  " + text(kSpans) + "       0  " + text(2 * kSpans - 1) + "     0\n"));
  CHECK(has(info, "\nMain  Program\n"));
  const std::string stats = out("stats long.flamelet --csv");
  CHECK(has(stats, "\nFrame,,40,0," + all_ns + "," + frame_self_ns + ","));
  CHECK(has(stats, "\nStep,," + steps + ",0," + steps_ns + "," + self_ns + ",80,80,80,80,80,80,,0\n"));
  CHECK(has(stats, "\nInner,," + steps + ",0," + inner_ns + "," + inner_ns + ",50,50,50,50,50,50,,0\n"));
  const std::string per_frame = out("stats long.flamelet --per-frame --csv");
  CHECK(has(per_frame, "\nProgram,,40,1,"));
  CHECK(has(per_frame, "\nStep,,40," + steps + ","));
  CHECK(has(per_frame, ",8000,8000," + text(kLastSteps * kStepNs) + ",39,\n"));
  CHECK(out("tree long.flamelet --csv") ==
        "tree,id,parent,depth,name,calls,total_ns,self_ns,category\nMain,0,,0,[root],0," + all_ns +
            ",0,\nMain,1,0,1,Program,1," + all_ns + ",0,\nMain,2,1,2,Frame,40," + all_ns + "," + frame_self_ns +
            ",\nMain,3,2,3,Step," + steps + "," + steps_ns + "," + self_ns + ",\nMain,4,3,4,Inner," + steps + "," +
            inner_ns + "," + inner_ns + ",\n");
  const std::string frames = out("frames long.flamelet --csv --top 1");
  CHECK(has(frames, "\n39,39000000," + text(kLastNs) + ",,1000000,"));
  CHECK(has(frames, ",more calls,Main: Program > Frame > Step"));
  CHECK(has(out("why long.flamelet"), ": " + text(kLastSteps) + " calls, usually 100, each about as long as usual"));
  CHECK(has(out("why long.flamelet --baseline long.flamelet"), ": " + text(kLastSteps) + " calls, usually 100,"));
}

TEST_CASE("long lane: what compares captures reads all of its spans" * doctest::test_suite("gate")) {
  const LongLane place;
  const std::string step_ns = std::to_string(kAllSteps * kStepNs / kFrames);
  CHECK(has(place.out("diff long.flamelet long.flamelet --csv"),
            "> Step,,130425,130425,0," + step_ns + "," + step_ns + ",0,"));
  place.write("b", "scope 13.6 Step\n");
  place.out("budgets check b long.flamelet");
  place.write("b", "scope 13.599999 Step\n");
  place.out("budgets check b long.flamelet", 5);
  // As the gate reads each run.
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, place.path("long.flamelet").c_str(), &capture, nullptr) == FLAMELET_OK);
  flamelet::tools::PathNames names;
  const flamelet::tools::Run run = flamelet::tools::read_run(capture, 0, kFrames, &names);
  double calls = 0, self_ns = 0;
  for (const flamelet::tools::RunPath& path : run.paths) {
    calls += path.calls;
    self_ns += path.self.mean_ns;
  }
  CHECK(calls == doctest::Approx(static_cast<double>(kSpans) / kFrames));
  CHECK(self_ns == doctest::Approx(static_cast<double>(kAllNs) / kFrames));
  flamelet_capture_destroy(capture);
}

TEST_CASE_FIXTURE(LongLane, "long lane: every format has all of its spans" * doctest::test_suite("gate")) {
  for (const char* const name : {"a.flamelet", "a.json", "a.perfetto-trace", "a.speedscope.json", "a.folded", "a.pb"})
    out(std::string("convert long.flamelet ") + name);
  CHECK(has(out("info a.flamelet"), "  " + std::to_string(kSpans) + "       0  "));
  CHECK(has(out("info a.json"), "  " + std::to_string(kSpans) + "       0  "));
  CHECK(has(out("info a.perfetto-trace"), "  " + std::to_string(kSpans) + "       0  "));
  CHECK(count_of(read("a.json"), "\"ph\":\"X\"") == static_cast<size_t>(kSpans + kFrames));
  CHECK(count_of(read("a.speedscope.json"), "\"type\":\"O\"") == static_cast<size_t>(kSpans));
  CHECK(has(read("a.folded"), ";Step " + std::to_string(kAllSteps * (kStepNs - kInnerNs)) + "\n"));
  CHECK(has(read("a.folded"), ";Inner " + std::to_string(kAllSteps * kInnerNs) + "\n"));
  CHECK(!read("a.pb").empty());
}

TEST_CASE("every command reads scopes that nest as deep as they like, beside others") {
  constexpr int kDeep = 40'000, kFlat = 100;
  const auto event = [](const char* phase, int tid, int ts, const std::string& more) {
    return std::string(",{\"ph\":\"") + phase + "\",\"pid\":1,\"tid\":" + std::to_string(tid) +
           ",\"ts\":" + std::to_string(ts) + more + "}";
  };
  const std::string name = ",\"name\":\"deep\"";
  const struct {
    const char* what;
    const char* begin;  // of each deep scope
    int end_us;         // of the outermost
  } kinds[] = {{"begins whose ends are missing", "B", kDeep},
               {"begins and ends", "B", 2 * kDeep},
               {"whole scopes", "X", 2 * kDeep}};
  for (const auto& kind : kinds) {
    CAPTURE(std::string(kind.what));
    std::string text = "[{\"ph\":\"M\",\"pid\":1,\"tid\":2}";
    for (int i = 0; i < kFlat; ++i) text += event("X", 2, 10 * i, ",\"dur\":4,\"name\":\"flat\"");
    for (int i = 0; i < kDeep; ++i)
      text += event(kind.begin, 1, i, name + (*kind.begin == 'X' ? ",\"dur\":" + std::to_string(2 * (kDeep - i)) : ""));
    for (int i = 0; i < kDeep && *kind.begin == 'B' && kind.end_us != kDeep; ++i)
      text += event("E", 1, kDeep + i + 1, name);
    const ToolPlace place;
    place.write("deep.json", text + "]");
    place.good("convert deep.json deep.flamelet");
    for (const std::string file : {"deep.json", "deep.flamelet"}) {
      CAPTURE(file);
      for (const std::string command :
           {"info", "tree", "frames --frames-of flat", "why --frames-of flat", "stats --per-frame --frames-of flat"})
        place.good(command + " " + file);
      CHECK(has(place.error("locks " + file), "no thread waited"));
      // All of them once, and what they took is their own time: they are one in the other.
      const std::string rows = place.good("stats " + file).out;
      CHECK(has(rows, std::string("\ndeep   40000  80.00 ms  80.00 ms")) == (kind.end_us == 2 * kDeep));
      CHECK(has(rows, std::string("\ndeep   40000  40.00 ms  40.00 ms")) == (kind.end_us == kDeep));
      CHECK(has(rows, "\nflat     100  400.0 us  400.0 us"));
    }
  }
}

// SPDX-License-Identifier: MIT
//
// The simulated machine, and the scorer, on the toy engine and on programs of a few lines.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engines/scoring.h"
#include "flamelet/capture_file.h"
#include "support/building.h"
#include "support/read.h"

using engines::Engine;
using engines::Facts;
using engines::Machine;
using recorder_test::find_lane;

namespace {

const Engine& engine_of(const std::string& name) {
  for (const Engine* engine : engines::all_engines())
    if (engine->name == name) return *engine;
  FAIL(name);
  return *engines::all_engines().front();
}
const Engine& toy() {
  return engine_of("toy");
}

struct Ran {
  flamelet_capture* capture;
  ~Ran() { flamelet_capture_destroy(capture); }
};

engines::Options quiet(unsigned processors, uint64_t frames = 1) {
  engines::Options options;
  options.processors = processors;
  options.frames = frames;
  options.has_other_programs = false;
  return options;
}

flamelet_state_times times_in(const flamelet_capture* capture, const char* lane, uint64_t index) {
  const flamelet_frame_info frame = recorder_test::frame_of(capture, flamelet_capture_find_frame(capture, index));
  flamelet_state_times times;
  flamelet_capture_state_times(capture, find_lane(capture, lane), frame.begin_ns, frame.end_ns, &times);
  return times;
}
flamelet_thread_time system_times_in(const flamelet_capture* capture, const char* lane, uint64_t index) {
  flamelet_thread_time time;
  REQUIRE(flamelet_capture_thread_time(capture, flamelet_capture_find_frame(capture, index), find_lane(capture, lane),
                                       &time));
  return time;
}

}  // namespace

TEST_CASE("simulated machine: the states of each thread fill each frame, and agree with the system's times") {
  Machine machine(engines::run_options(toy(), 3, {}));
  const Ran ran = {machine.run(toy().run)};
  CHECK(recorder_test::stats_of(ran.capture).thread_states == FLAMELET_THREAD_STATES_RECORDED);
  for (const char* lane : {"Main", "Worker 1", "Worker 2"}) {
    for (uint64_t index = 2; index < 100; ++index) {
      const flamelet_state_times states = times_in(ran.capture, lane, index);
      const flamelet_thread_time time = system_times_in(ran.capture, lane, index);
      CHECK(states.ns[FLAMELET_STATE_UNKNOWN] == 0);
      CHECK(states.ns[FLAMELET_STATE_RUNNING] == time.ran_ns);
    }
  }
}

TEST_CASE("simulated machine: two threads on one processor share it by slices, and one that goes first takes it") {
  for (const int priority : {0, 1}) {
    Machine machine(quiet(1));
    const Ran ran = {machine.run([&](Machine& m) {
      m.frame();
      engines::ThreadOptions options;
      options.priority = priority;
      m.start_thread(
          "Rival", [&] { m.scope("Rival", [&] { m.work(10); }); }, options);
      m.work(1);
      m.work(20);
      m.instant("end");  // up to here, something is known
      m.frame();
    })};
    const flamelet_state_times main = times_in(ran.capture, "Main", 1);
    CHECK(main.ns[FLAMELET_STATE_RUNNING] == 21'000'000);
    CHECK(main.ns[FLAMELET_STATE_TAKEN_OFF] == 10'000'000);
    CHECK(system_times_in(ran.capture, "Main", 1).ready_ns == 10'000'000);
    CHECK(system_times_in(ran.capture, "Main", 1).switches == (priority == 0 ? 4 : 1));
  }
}

TEST_CASE("simulated machine: another program, a stop, the disk and faults show as the system would show them") {
  Machine machine(quiet(2, 5));
  const Ran ran = {machine.run([](Machine& m) {
    m.scope("Game", [&] {
      m.frame();
      m.other_program(0, 7, 1);
      m.work(1);
      m.frame();
      m.stop_process(50);
      m.frame();
      m.stop_machine(40);
      m.frame();
      m.other_program_reads(3);
      m.read_file(2);
      m.touch_swapped_memory(4);
      m.touch_new_memory(2000);
      m.frame();
      m.set_speed(0.5);
      m.work(3);
      m.instant("end");
      m.frame();
    });
  })};
  const flamelet_capture* capture = ran.capture;
  CHECK(times_in(capture, "Main", 1).ns[FLAMELET_STATE_TAKEN_OFF] == 1'000'000);  // then it went to the other processor
  CHECK(times_in(capture, "Main", 2).ns[FLAMELET_STATE_ASLEEP] == 50'000'000);
  CHECK(system_times_in(capture, "Main", 2).ready_ns == 0);
  CHECK(times_in(capture, "Main", 3).ns[FLAMELET_STATE_RUNNING] == 40'000'000);
  CHECK(times_in(capture, "Main", 4).ns[FLAMELET_STATE_ASLEEP] == 5'400'000);
  CHECK(times_in(capture, "Main", 4).ns[FLAMELET_STATE_RUNNING] == 1'000'000);
  CHECK(system_times_in(capture, "Main", 4).major_faults == 4);
  CHECK(system_times_in(capture, "Main", 4).minor_faults == 2000);
  CHECK(times_in(capture, "Main", 5).ns[FLAMELET_STATE_RUNNING] == 6'000'000);
}

TEST_CASE("simulated machine: without facts nothing is known of threads but their scopes") {
  engines::Options options = quiet(1);
  options.facts = Facts::kNone;
  Machine machine(options);
  const Ran ran = {machine.run([](Machine& m) {
    m.frame();
    m.scope("Game", [&] { m.work(1); });
    m.frame();
  })};
  CHECK(recorder_test::stats_of(ran.capture).switches_held == 0);
  flamelet_thread_time time;
  CHECK_FALSE(flamelet_capture_thread_time(ran.capture, 1, 0, &time));
  CHECK(recorder_test::read_spans(ran.capture, 0).size() == 1);
}

TEST_CASE("simulated machine: a deadlock and a wrong unlock are said") {
  const auto message = [](void (*body)(Machine&)) -> std::string {
    Machine machine(quiet(1));
    try {
      flamelet_capture_destroy(machine.run(body));
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message([](Machine& m) {
          engines::Event never;
          m.wait(never);
        }) == "no frame was marked for 60 s, as in a deadlock; Main waits for a condition");
  CHECK(message([](Machine& m) {
          engines::Mutex mutex;
          m.unlock(mutex);
        }) == "Main unlocks a mutex that it has not locked");
}

TEST_CASE("simulated machine: locks that are recorded say who held them, in which scope, and who gave them on") {
  engines::Options options = quiet(2);
  options.records_locks = true;
  Machine machine(options);
  engines::Mutex mutex = {nullptr, {}, "world"};
  const Ran ran = {machine.run([&](Machine& m) {
    m.start_thread("Saver", [&] { m.scope("Save", [&] { m.locked(mutex, [&] { m.work(5); }); }); });
    m.work(1);
    m.frame();
    m.locked(mutex, [] {});
    m.frame();
  })};
  const std::vector<flamelet_span> spans = recorder_test::read_spans(ran.capture, find_lane(ran.capture, "Main"));
  REQUIRE(spans.size() == 1);
  CHECK(recorder_test::text_of(ran.capture, spans[0].name) == "world");
  CHECK(recorder_test::text_of(ran.capture, spans[0].object) == "Saver in Save");
  const std::vector<flamelet_flow> flows = recorder_test::read_flows(ran.capture);
  REQUIRE(flows.size() == 2);
  CHECK(flows[0].lane == find_lane(ran.capture, "Saver"));
  CHECK(flows[1].lane == find_lane(ran.capture, "Main"));
  CHECK(flows[1].time_ns == spans[0].end_ns);
}

TEST_CASE("engines: each run of a seed is the same, fills each frame with states, and asks for each hitch") {
  for (const Engine* engine : engines::all_engines()) {
    CAPTURE(engine->name);
    engines::ScoreOptions options;
    options.rounds = 1;
    const engines::Options run = engines::run_options(*engine, 1, options);
    Machine machine(run), other(run);
    Machine another(engines::run_options(*engine, 2, options));
    const Ran ran = {machine.run(engine->run)}, again = {other.run(engine->run)}, differs = {another.run(engine->run)};
    CHECK(recorder_test::save(ran.capture) == recorder_test::save(again.capture));
    CHECK(recorder_test::save(ran.capture) != recorder_test::save(differs.capture));
    for (uint64_t index = 5; index < run.frames; ++index) {
      const flamelet_state_times states = times_in(ran.capture, "Main", index);
      CHECK(states.ns[FLAMELET_STATE_UNKNOWN] == 0);
      CHECK(states.ns[FLAMELET_STATE_RUNNING] == system_times_in(ran.capture, "Main", index).ran_ns);
    }
    for (size_t i = 0; i < run.hitches.size(); ++i) {
      CAPTURE(engine->kinds[run.hitches[i].kind].name);
      CHECK(machine.begun_in(i) != UINT64_MAX);
    }
  }
}

TEST_CASE("engines: the toy's hitches are found, and a wrong answer is called wrong") {
  engines::ScoreOptions options;
  options.seeds = 1;
  options.rounds = 4;
  const engines::Score score = score_engine(toy(), options);
  for (const engines::KindScore& kind : score.kinds) {
    CHECK(kind.hitches == 4);
    CHECK(kind.seen == 4);
    CHECK(kind.first == 4);
    CHECK(kind.in_three == 4);
  }
  CHECK(score.ordinary > 50);

  Engine wrong = toy();
  wrong.kinds[0].scopes = {"Move people"};
  wrong.kinds[1].causes = engines::kGpu;
  wrong.kinds[2].lane = "Worker 1";
  const engines::Score worse = score_engine(wrong, options);
  CHECK(worse.kinds[0].place == 0);
  CHECK(worse.kinds[1].place == 4);
  for (const engines::KindScore& kind : worse.kinds) {
    CHECK(kind.seen == 4);
    CHECK(kind.first == 0);
    CHECK(kind.wrong.size() == 4);
  }
  CHECK(report(wrong, worse).find("right first   0.0 %") != std::string::npos);
}

TEST_CASE("score of made-up engines: as many right first as ever, and \"probably\" just where a cause is not sure") {
  struct Right {
    std::string engine;
    int hitches, refused, all;  // right with states refused; with states and locks
  };
  const Right kRight[] = {{"atelier", 36, 34, 36}, {"bastion", 26, 25, 26}, {"cartridge", 48, 44, 47},
                          {"phalanx", 57, 46, 53}, {"toy", 3, 3, 3},        {"visor", 62, 59, 60}};
  for (const Right& right : kRight) {
    const Engine& engine = engine_of(right.engine);
    for (const bool knows_all : {false, true}) {
      engines::ScoreOptions options;
      options.seeds = 1;
      options.rounds = 1;
      options.facts = knows_all ? Facts::kStates : Facts::kTimes;
      options.records_locks = knows_all;
      const engines::Score score = score_engine(engine, options);
      int hitches = 0, first = 0;
      for (const engines::KindScore& kind : score.kinds) {
        hitches += kind.hitches;
        first += kind.first;
      }
      CAPTURE(right.engine);
      CAPTURE(knows_all);
      CHECK(hitches == right.hitches);
      CHECK(first >= (knows_all ? right.all : right.refused));
      CHECK(score.blamed * 100 <= score.ordinary);
      for (const std::string& sentence : score.unlike) FAIL_CHECK(sentence);
    }
  }
}

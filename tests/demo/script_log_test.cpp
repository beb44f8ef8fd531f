// SPDX-License-Identifier: MIT
//
// A script's calls as PERF blocks, and their log.
#include <string>

#include "captain.h"
#include "machine.h"
#include "parity.h"
#include "profiler/perf/perf_logs.h"

using namespace perf_test;
using script::Machine;

namespace {

const std::string kScript = std::string(kParity) + R"(
function count_down 1
  argument 0  jump_if_zero over
  wait  argument 0  push 1  subtract  tail_call count_down
over:
  argument 0  push 0  divide  return
)";

void run_to_end(Machine* machine) {
  while (machine->state() == Machine::State::kReady || machine->state() == Machine::State::kWaiting) {
    machine->wake();
    machine->run(1);
    work(1);
  }
}

}  // namespace

TEST_CASE("script log: every call of a script is a block, nested as the calls are") {
  const script::Program program(kScript, {});
  Log log;
  Machine machine(program, program.find("main"), {4}, nullptr, Machine::Limits(), true);
  run_to_end(&machine);
  CHECK(machine.result() == 1);
  const std::string text = log.poll();
  CHECK(count_of(text, "Frame : main on thread \"main\"\n") == 1);
  CHECK(count_of(text, "\n2,is_even,") == 1);
  CHECK(count_of(text, "\n3,is_odd,") == 1);
  CHECK(count_of(text, "\n4,is_even,") == 1);
  CHECK(count_of(text, "\n5,is_odd,") == 1);
  CHECK(count_of(text, "\n6,is_even,") == 1);
  CHECK(log.stats().lines == 6);
  CHECK(log.routine("is_even").block_count == 3);
  CHECK(log.routine("is_odd").block_count == 2);
}

TEST_CASE("script log: a tail call ends the block that it takes the place of, and a fault ends all") {
  const script::Program program(kScript, {});
  Log log;
  Machine machine(program, program.find("count_down"), {3}, nullptr, Machine::Limits(), true);
  run_to_end(&machine);
  CHECK(machine.state() == Machine::State::kFault);
  const std::string text = log.poll();
  CHECK(count_of(text, "Frame : count_down on thread \"main\"\n1,count_down,") == 4);
  CHECK(log.stats().lines == 4);
  CHECK(recorder_test::stats().missing_ends == 0);
}

TEST_CASE("script log: machines that take turns are fibers, and their blocks do not mix") {
  const script::Program program(kScript, {});
  Log log;
  std::vector<Machine> machines;
  std::vector<uint32_t> fibers;
  for (const char* name : {"first", "second"}) {
    fibers.push_back(flamelet_fiber_create(name));
    flamelet_fiber_switch(0, fibers.back());
    machines.emplace_back(program, program.find("count_down"), std::vector<int64_t>{2}, nullptr, Machine::Limits(),
                          true);
    flamelet_fiber_switch(fibers.back(), 0);
  }
  for (int turn = 0; turn < 3; ++turn)
    for (size_t i = 0; i < machines.size(); ++i) {
      flamelet_fiber_switch(0, fibers[i]);
      machines[i].wake();
      machines[i].run(1000);
      work(1);
      flamelet_fiber_switch(fibers[i], 0);
    }
  const std::string text = log.poll();
  CHECK(count_of(text, "Frame : count_down on fiber \"first\"\n1,count_down,") == 3);
  CHECK(count_of(text, "Frame : count_down on fiber \"second\"\n1,count_down,") == 3);
  CHECK(log.stats().lines == 6);
  CHECK(log.stats().blocks_dropped == 0);
  CHECK(recorder_test::stats().extra_ends == 0);
}

TEST_CASE("script log: a machine without blocks records nothing") {
  const script::Program program(kScript, {});
  Log log;
  Machine machine(program, program.find("main"), {4}, nullptr, Machine::Limits());
  run_to_end(&machine);
  CHECK(log.poll() == "");
}

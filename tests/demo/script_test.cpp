// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <flamelet/call_tree.h>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "captain.h"
#include "machine.h"
#include "parity.h"
#include "profiler/perf/perf_logs.h"

using namespace perf_test;
using script::Machine;

namespace script_test {

using namespace script;

namespace {

class Tree {
 public:
  explicit Tree(uint32_t max_nodes = 256) {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    config.max_nodes = max_nodes;
    config.max_blocks = 64;
    config.max_jumps = 64;
    memory_.resize(flamelet_call_tree_memory_required(&config));
    REQUIRE(flamelet_call_tree_create(&config, memory_.data(), memory_.size(), &tree_) == FLAMELET_OK);
  }

  flamelet_call_tree* get() const { return tree_; }

  // "main is_even 2/3": a path, its calls and its samples; a line for each, the root's left out.
  std::string text() const {
    std::string result;
    visit([&](const flamelet_call_path& path) {
      if (path.depth == 0) return;
      for (uint32_t i = 0; i < path.depth; ++i)
        result += (i ? " " : "") + std::string(flamelet_call_tree_name(tree_, path.ids[i]));
      result += " " + std::to_string(path.calls) + "/" + std::to_string(path.self_samples) + "\n";
    });
    return result;
  }
  uint64_t samples() const { return flamelet_call_tree_sequence(tree_, nullptr, 0).overall_samples; }
  uint64_t calls() const {  // all, without the one that the root has for each thread
    uint64_t sum = 0;
    visit([&](const flamelet_call_path& path) { sum += path.depth ? path.calls : 0; });
    return sum;
  }
  flamelet_call_tree_stats stats() const {
    flamelet_call_tree_stats stats = {};
    flamelet_call_tree_get_stats(tree_, &stats);
    return stats;
  }

 private:
  template <class Function>
  void visit(Function function) const {
    flamelet_call_tree_query(
        tree_, 0,
        [](void* user, const flamelet_call_path* path) {
          (*static_cast<Function*>(user))(*path);
          return true;
        },
        &function);
  }

  std::vector<unsigned char> memory_;
  flamelet_call_tree* tree_ = nullptr;
};

// One script run to its end, `piece` instructions at a time.
struct Run {
  Run(const char* text, const char* function, std::vector<int64_t> arguments, Machine::Limits limits = {},
      uint64_t piece = UINT64_MAX)
      : program(text, {}) {
    name_functions(tree.get(), program);
    thread = flamelet_call_thread_create(tree.get());
    Machine machine(program, program.find(function), arguments, thread, limits);
    while (machine.state() == Machine::State::kReady) {
      executed += machine.run(piece);
      deepest = std::max(deepest, machine.depth());
    }
    state = machine.state();
    fault = machine.fault();
    result = machine.result();
    flamelet_call_thread_sample(thread, 1000000000);  // goes to the root's self samples if no frame is open
    root_is_top = tree.samples() == executed + 1000000000 && tree.text().find("1000000") == std::string::npos;
  }

  Program program;  // outlives the tree
  Tree tree;
  flamelet_call_thread* thread = nullptr;
  Machine::State state = Machine::State::kReady;
  std::string fault;
  int64_t result = 0;
  uint64_t executed = 0;
  size_t deepest = 0;
  bool root_is_top = false;
};

int64_t evaluate(const std::string& body) {
  Run run(("function f 0 " + body + " return").c_str(), "f", {});
  REQUIRE(run.state == Machine::State::kDone);
  return run.result;
}

std::string problem_of(const char* text) {
  try {
    Program program(text, {"speed"});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a script's calls and instructions are the tree's calls and samples") {
  const Run run(kParity, "main", {3});
  CHECK(run.result == 0);
  CHECK(run.tree.text() ==
        "main 1/3\n"                  // argument, call, return
        "main is_even 1/7\n"          // of 3
        "main is_even is_odd 2/11\n"  // of 2; of 0 in 4 instructions, folded
        "main is_even is_odd is_even 1/7\n");
  CHECK(run.executed == 28);
  CHECK(run.root_is_top);
}

TEST_CASE("mutual tail calls a million long take one frame of the machine") {
  constexpr int64_t kLength = 1000001;
  const Run run(kParity, "main_by_tail_calls", {kLength}, {}, 1000);
  REQUIRE(run.state == Machine::State::kDone);
  CHECK(run.result == 0);
  CHECK(run.deepest == 1);
  CHECK(run.tree.stats().nodes_used <= 5);
  CHECK(run.tree.calls() == kLength + 2);
  CHECK(run.executed == 2 + 6 * kLength + 4);
  CHECK(run.root_is_top);
}

TEST_CASE("the tree does not depend on where budgets interrupt a script") {
  const Run whole(kParity, "main", {20});
  for (const uint64_t piece : {1u, 2u, 7u}) {
    const Run pieces(kParity, "main", {20}, {}, piece);
    CHECK(pieces.tree.text() == whole.tree.text());
    CHECK(pieces.executed == whole.executed);
  }
}

TEST_CASE("a script computes") {
  CHECK(evaluate("push 7 push 5 subtract") == 2);
  CHECK(evaluate("push 7 push -5 multiply") == -35);
  CHECK(evaluate("push -7 push 2 divide") == -3);
  CHECK(evaluate("push 2 push 7 less") == 1);
  CHECK(evaluate("push 7 push 7 less") == 0);
  CHECK(evaluate("push 9223372036854775807 push 1 add") == INT64_MIN);
  CHECK(evaluate("push -9223372036854775808 push -1 divide") == INT64_MIN);
}

TEST_CASE("a fault ends the script, and its open calls with it") {
  struct Case {
    const char* text;
    const char* fault;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"function f 0 call f return", "calls are nested too deeply"},
           {"function f 0 again: push 1 jump again", "the stack is full"},
           {"function f 0 push 1 push 0 divide return", "division by zero"},
           {"function f 0 add return", "the stack is empty"},
           {"function f 0 push 1 call g return function g 1 subtract return", "the stack is empty"},
           {"function f 0 tail_call g function g 1 argument 0 return", "the stack is empty"},
       }) {
    CAPTURE(c.text);
    const Run run(c.text, "f", {});
    CHECK(run.state == Machine::State::kFault);
    CHECK(run.fault == c.fault);
    CHECK(run.deepest <= Machine::Limits().depth);
    CHECK(run.root_is_top);
  }
  const Run run("function f 1 argument 0 return", "f", {});
  CHECK(run.fault == "arguments are missing");
  CHECK(run.executed == 0);
}

TEST_CASE("a script that cannot be read says where") {
  CHECK(problem_of("function f 0\n  push 1 # fine\n  return\n") == "");
  CHECK(problem_of("") == "The script is empty.");
  CHECK(problem_of("push 1") == "Script, line 1: a script begins with a function: push");
  CHECK(problem_of("function f 0\n\n  jmp 3") == "Script, line 3: this is no instruction: jmp");
  CHECK(problem_of("function f 0\n push one") == "Script, line 2: this is not a number: one");
  CHECK(problem_of("function f 0\n push") == "Script, line 2: something has to follow: push");
  CHECK(problem_of("function f 0\n read height return") == "Script, line 2: there is no such port: height");
  CHECK(problem_of("function f 1\n argument 1 return") == "Script, line 2: this function has no such argument: 1");
  CHECK(problem_of("function f 0\n tail_call g") == "Script, line 2: there is no such function: g");
  CHECK(problem_of("function f 0\n jump g\nfunction g 0\ng: jump g") ==
        "Script, line 2: there is no such label in this function: g");
  CHECK(problem_of("function f 0\n jump x\nx:") == "Script, line 2: nothing follows this label: x");
  CHECK(problem_of("function f 0\nx:\nx: jump x") == "Script, line 3: there are two labels of this name: x:");
  CHECK(problem_of("function f 0\n push 1\nfunction g 0 jump x") ==
        "Script, line 3: the function before this word can run past its end: function");
  CHECK(problem_of("function f 17\n") == "Script, line 1: this is no number of arguments: 17");
  CHECK(problem_of("function f 0 x: jump x\nfunction f 0 x: jump x") ==
        "Script, line 2: there are two functions of this name: f");
}

TEST_CASE("a captain's tree stays small, whatever happens to the squad") {
  const Program program(kCaptainScript, captain_ports());
  Tree tree(1024);
  name_functions(tree.get(), program);
  Machine captain(program, program.find("captain"), {}, flamelet_call_thread_create(tree.get()), {});
  std::mt19937 random(7);
  uint64_t executed = 0;
  uint32_t nodes_early = 0;
  bool seen[3] = {};  // marching, gathering, fleeing
  for (int turn = 0; turn < 50000; ++turn) {
    captain.port(kPortSpread) = static_cast<int64_t>(random() % 1500);
    if (random() % 64 == 0) ++captain.port(kPortExplosions);
    captain.wake();
    executed += captain.run(UINT64_MAX);
    REQUIRE(captain.state() == Machine::State::kWaiting);
    const int64_t pace = captain.port(kPortPace);
    seen[0] |= pace == 100;
    seen[1] |= pace == 75;
    seen[2] |= pace == 150;
    if (turn == 25000) nodes_early = tree.stats().nodes_used;
  }
  CHECK(seen[0]);
  CHECK(seen[1]);
  CHECK(seen[2]);
  CHECK(captain.depth() == 1);
  CHECK(tree.stats().nodes_used == nodes_early);
  CHECK(tree.stats().nodes_used < 100);
  CHECK(tree.stats().charged_no_room == 0);
  CHECK(tree.stats().charged_no_jump == 0);
  CHECK(tree.samples() == executed);
}

TEST_CASE("a captain's square root is rounded down") {
  const Program program(kCaptainScript, captain_ports());
  for (int64_t root = 1; root < 2000; root += 37) {
    for (const int64_t more : {int64_t{0}, 2 * root}) {
      Machine machine(program, program.find("root"), {root * root + more}, nullptr, {});
      machine.run(UINT64_MAX);
      CHECK(machine.result() == root);
    }
  }
}

}  // namespace script_test

// ---- A script's calls as PERF blocks, and their log ---------------------------------------------------------------

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

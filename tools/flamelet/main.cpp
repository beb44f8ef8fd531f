// SPDX-License-Identifier: MIT
//
// main.cpp: the `flamelet` program: what can be done with recorded data after the game has ended.
#include <cstdio>
#include <new>

#include "command_line.h"
#include "platform/system.h"

namespace {

constexpr flamelet::tools::ProgramText kText = {
    "flamelet", "Reads what Flamelet, the in-game frame profiler, has recorded.", FLAMELET_TOOL_VERSION,
    "Exit codes: 0 done; 1 the input is good, but has nothing of what was asked for, or a frame took longer than\n"
    "--within; 2 the command line is wrong; 3 an input cannot be read or, with --strict, is damaged; 4 an output\n"
    "cannot be written; 5 something is slower than it was or may be; 6 there is no verdict."};

int complain(const char* message, int exit_code) {
  std::fprintf(stderr, "flamelet: %s\n", message);
  return exit_code;
}

}  // namespace

int main(int argument_count, char** arguments) {
  using namespace flamelet::tools;
  prepare_terminal();
  try {
    return run_program(kText, utf8_arguments(argument_count, arguments), [](Command* program) {
      add_info_command(program);
      add_stats_command(program);
      add_tree_command(program);
      add_frames_command(program);
      add_why_command(program);
      add_locks_command(program);
      add_diff_command(program);
      add_gate_command(program);
      add_budgets_command(program);
      add_convert_command(program);
#ifdef FLAMELET_HAS_VIEW
      add_view_command(program);
#endif
      add_log_command(program);
      add_record_command(program);
    });
  } catch (const CommandError& error) {
    return complain(error.what(), error.code());
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory", kExitInput);
  }
}

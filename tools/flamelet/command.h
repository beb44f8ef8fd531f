// SPDX-License-Identifier: MIT
//
// command.h: what the commands of the `flamelet` program share. Each command is a file with one function that adds its
// options and its work to the program; main.cpp lists them.
#ifndef FLAMELET_TOOLS_COMMAND_H
#define FLAMELET_TOOLS_COMMAND_H

#include <stdexcept>
#include <string>

#include "command_line.h"

namespace flamelet::tools {

enum ExitCode {
  kExitDone = 0,
  kExitNothing = 1,  // the input is good, and holds nothing of what was asked for
  kExitUsage = 2,    // the command line is wrong
  kExitInput = 3,    // an input cannot be read, is of no known kind, or (with --strict) is damaged
  kExitOutput = 4,   // an output cannot be written
  kExitSlower = 5,   // something takes longer than it did, or than it may
  kExitUnclear = 6,  // there is no verdict
};

// Ends the command: printed after "flamelet: ". Lines of the message are printed as they are; what came out of files
// and arguments is made printable() before it enters one.
class CommandError : public std::runtime_error {
 public:
  CommandError(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Each adds the command of its name.
void add_budgets_command(Command* program);
void add_convert_command(Command* program);
void add_diff_command(Command* program);
void add_frames_command(Command* program);
void add_gate_command(Command* program);
void add_info_command(Command* program);
void add_locks_command(Command* program);
void add_log_command(Command* program);
void add_record_command(Command* program);
void add_stats_command(Command* program);
void add_tree_command(Command* program);
void add_why_command(Command* program);
#ifdef FLAMELET_HAS_VIEW
void add_view_command(Command* program);
#endif

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_COMMAND_H

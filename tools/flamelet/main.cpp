// SPDX-License-Identifier: MIT
//
// main.cpp: the `flamelet` program: what can be done with recorded data after the game has ended.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>

#include "command.h"
#include "display_text.h"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 done; 1 the input is good, and holds nothing of what was asked for; 2 the command line is wrong;\n"
    "3 an input cannot be read or, with --strict, is damaged; 4 an output cannot be written.";

int complain(const std::string& message, int exit_code) {
  std::fprintf(stderr, "flamelet: %s\n", message.c_str());
  return exit_code;
}

// The parser would only say that a command is missing.
bool is_unknown_command(const CLI::App& app, int argument_count, char** arguments) {
  if (argument_count < 2 || arguments[1][0] == '-') return false;
  return app.get_subcommands([&](const CLI::App* command) { return command->check_name(arguments[1]); }).empty();
}

}  // namespace

int main(int argument_count, char** arguments) {
  using namespace flamelet::tools;
  int exit_code = kExitDone;
  try {
    CLI::App app("Looks at what Flamelet, the in-game frame profiler, has recorded.", "flamelet");
    app.set_version_flag("--version", FLAMELET_TOOL_VERSION);
    app.require_subcommand(1);
    app.footer(kExitCodes);
    add_tree_command(&app, &exit_code);
    add_log_command(&app, &exit_code);
    if (is_unknown_command(app, argument_count, arguments))
      return complain("there is no command " + printable(arguments[1]) + "; flamelet --help lists them", kExitUsage);
    try {
      app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? kExitDone : kExitUsage;
    }
  } catch (const CommandError& error) {
    return complain(error.what(), error.code());
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory", kExitInput);
  }
  return exit_code;
}

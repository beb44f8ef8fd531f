// SPDX-License-Identifier: MIT
//
// What every command of the `flamelet` program says of a command line that is wrong.
#include <doctest/doctest.h>

#include <string>

#include "game_capture.h"
#include "tool_place.h"

namespace {

using flamelet::tests::has;
using Place = flamelet::tests::GamePlace;
using Result = flamelet::tests::ToolResult;

}  // namespace

TEST_CASE_FIXTURE(Place, "command line: without a command, the help is shown and the command line is wrong") {
  for (const std::string command : {"", "log "}) {
    const Result result = run(command);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(has(result.err, "Usage: flamelet " + command + "[OPTIONS] COMMAND\n"));
  }
  CHECK(run("log nonsense").err ==
        "flamelet log: there is no command nonsense\nflamelet log --help lists the commands\n");
}

TEST_CASE_FIXTURE(Place, "command line: what is wrong is said in the name of the command") {
  const struct {
    const char* arguments;
    const char* problem;
  } kCases[] = {
      {"stats", "FILE is required"},
      {"stats game.flamelet more", "more is one argument too many"},
      {"stats --nonsense game.flamelet", "there is no option --nonsense"},
      {"stats game.flamelet --top", "--top needs a value"},
      {"stats game.flamelet --top x", "--top: x is no whole number from 0 on"},
      {"stats game.flamelet --top -1", "--top: -1 is no whole number from 0 on"},
      {"stats game.flamelet --top 99999999999999999999", "--top: 99999999999999999999 is no whole number from 0 on"},
      {"stats game.flamelet --width 39", "--width: 39 is no whole number from 40 to 1000"},
      {"tree game.flamelet --min 100.5", "--min: 100.5 is no number from 0 to 100"},
      {"stats game.flamelet --sort colour",
       "--sort: colour is none of name, count, frames, total, self, min, mean, median, p95, p99, max, "
       "running, taken_off, asleep"},
      {"stats game.flamelet --csv --json", "--csv excludes --json"},
      {"stats game.flamelet -o table.png",
       "--output: the name table.png does not say what to write: it can end with .csv, .json, .txt"},
      {"stats game.flamelet -o ''", "--output: the name of the file is empty"}};
  for (const auto& each : kCases) {
    CAPTURE(each.arguments);
    const Result result = run(each.arguments);
    const std::string name = std::string("flamelet ") + (each.arguments[0] == 't' ? "tree" : "stats");
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == name + ": " + each.problem + "\n" + name + " --help lists the options\n");
  }
  CHECK(has(run("record --level 3 ./game").err, "flamelet record: there is no option --level\n"));
  CHECK_FALSE(exists("table.png"));
}

TEST_CASE_FIXTURE(Place, "command line: of an option that is given twice the last one counts") {
  CHECK(run("stats game.flamelet --top 1 --top 3").out == run("stats game.flamelet --top 3").out);
}

TEST_CASE("command line: help that cannot be written is an error") {
  CHECK(Place().run("--help", ">/dev/full").exit_code == 4);
}

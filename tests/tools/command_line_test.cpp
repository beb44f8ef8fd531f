// SPDX-License-Identifier: MIT
//
// What every command of the `flamelet` program says of a command line that is wrong.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "display_text.h"
#include "tool_place.h"

using namespace flamelet::tests;

TEST_CASE_FIXTURE(GamePlace, "command line: without a command, the help is shown and the command line is wrong") {
  for (const std::string command : {"", "log "}) {
    const ToolResult result = run(command);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(has(result.err, "Usage: flamelet " + command + "[OPTIONS] COMMAND\n"));
  }
  CHECK(run("log nonsense").err ==
        "flamelet log: there is no command nonsense\nflamelet log --help lists the commands\n");
}

TEST_CASE_FIXTURE(GamePlace, "command line: what is wrong is said in the name of the command") {
  const struct {
    const char* arguments;
    const char* problem;
  } kCases[] = {
      {"stats", "FILE is required"},
      {"stats game.flamelet more", "more is one argument too many"},
      {"stats game.flamelet game.flamelet",
       "game.flamelet is one argument too many. To compare two captures: flamelet diff; in the window of flamelet "
       "view, B "
       "in the tab of each"},
      {"stats --nonsense game.flamelet", "there is no option --nonsense"},
      {"stats game.flamelet --top", "--top needs a value"},
      {"stats game.flamelet --top x", "--top: x is no whole number from 0 on"},
      {"stats game.flamelet --top -1", "--top: -1 is no whole number from 0 on"},
      {"stats game.flamelet --top 99999999999999999999", "--top: 99999999999999999999 is no whole number from 0 on"},
      {"frames game.flamelet -n -3", "-n: -3 is no whole number from 0 on"},
      {"frames game.flamelet --worst=-3", "--worst: -3 is no whole number from 0 on"},
      {"frames game.flamelet -n", "-n needs a value"},
      {"stats game.flamelet --width 39", "--width: 39 is no whole number from 40 to 1000"},
      {"tree game.flamelet --min 100.5", "--min: 100.5 is no number from 0 to 100"},
      {"stats game.flamelet --sort colour",
       "--sort: colour is none of name, count, frames, total, self, min, mean, median, p95, p99, max, "
       "running, taken_off, asleep"},
      {"stats game.flamelet --csv --json", "--csv excludes --json"},
      {"stats game.flamelet -o table.png",
       "-o: the name table.png does not say what to write: it can end with .csv, .json, .txt"},
      {"stats game.flamelet -o ''", "-o: the name of the file is empty"},
      {"stats game.flamelet -o x.csv -o y.csv", "-o takes one file"},
      {"stats --output= game.flamelet", "--output needs a value"},
      {"record --output= ./game", "--output needs a value"},
      {"record --categories= -o x ./game", "--categories needs a value"},
      {"record --files-from= --files ./game", "--files-from needs a value"},
      {"record -o x -o y ./game", "-o takes one file"},
      {"record -o '' ./game", "-o: the name of the file is empty"},
      {"convert game.flamelet -o ''", "-o: the name of the file is empty"},
      {"frames game.flamelet --frames-of ''", "--frames-of: give a name"}};
  for (const auto& each : kCases) {
    CAPTURE(each.arguments);
    const ToolResult result = run(each.arguments);
    const std::string name =
        std::string("flamelet ") + std::string(each.arguments).substr(0, std::string(each.arguments).find(' '));
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == name + ": " + each.problem + "\n" + name + " --help lists the options\n");
  }
  CHECK(begins_with(run("log stats x.log --interval 2").err, "flamelet log stats: --interval requires --follow\n"));
  CHECK(begins_with(run("log stats --output= x.log").err, "flamelet log stats: --output needs a value\n"));
  CHECK(has(run("record --level 3 ./game").err, "flamelet record: there is no option --level\n"));
  CHECK_FALSE(exists("table.png"));
}

TEST_CASE_FIXTURE(GamePlace, "command line: of an option that is given twice the last one counts") {
  CHECK(run("stats game.flamelet --top 1 --top 3").out == run("stats game.flamelet --top 3").out);
}

TEST_CASE_FIXTURE(GamePlace, "command line: an option and a file's name that ask for different formats are an error") {
  for (const std::string both : {"frames --json -o x.svg", "frames --csv -o x.png", "stats --csv -o x.json",
                                 "stats --json -o x.csv", "tree --json -o x.folded", "tree --csv -o x.pb.gz"}) {
    CAPTURE(both);
    const ToolResult result = run(both + " game.flamelet");
    CHECK(result.exit_code == 2);
    const std::string flag = has(both, "--csv") ? "--csv" : "--json", name = both.substr(both.find("x."));
    CHECK(result.err ==
          "flamelet: " + flag + " and the name " + name + " ask for different formats: leave one of them out\n");
    CHECK_FALSE(exists(name));
  }
  CHECK(run("why game.flamelet --frame 107 -o why.svg").exit_code == 2);
  CHECK(run("stats game.flamelet --json -o stats.txt").exit_code == 0);
}

TEST_CASE_FIXTURE(GamePlace, "command line: what is like a command or an option is named") {
  const struct {
    const char* arguments;
    const char* problem;
  } kCases[] = {{"frame game.flamelet", "flamelet: there is no command frame; did you mean frames?\n"},
                {"stat", "flamelet: there is no command stat; did you mean stats?\n"},
                {"inof game.flamelet", "flamelet: there is no command inof; did you mean info?\n"},
                {"budgets chekc", "flamelet budgets: there is no command chekc; did you mean check?\n"},
                {"why game.flamelet --frmae 3", "flamelet why: there is no option --frmae; did you mean --frame?\n"},
                {"nonsense", "flamelet: there is no command nonsense\n"},
                {"help frame", "flamelet: there is no command frame; did you mean frames?\n"}};
  for (const auto& each : kCases) {
    CAPTURE(each.arguments);
    const ToolResult result = run(each.arguments);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.substr(0, result.err.find('\n') + 1) == each.problem);
  }
}

TEST_CASE_FIXTURE(GamePlace, "command line: help is a command, and no line of it is wider than 80 columns") {
  CHECK(run("help").exit_code == 0);
  CHECK(run("help").out == run("--help").out);
  CHECK(run("help frames").out == run("frames --help").out);
  CHECK(run("-h frames").out == run("frames --help").out);
  CHECK(run("help budgets learn").out == run("budgets learn --help").out);
  for (const std::string command : {"", "info", "stats", "tree", "frames", "why", "locks", "diff", "gate", "budgets",
                                    "budgets learn", "budgets check", "convert", "log", "log cost", "record"}) {
    CAPTURE(command);
    const ToolResult help = good("help " + command);
    CHECK(has(help.out, "--help"));
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      size_t columns = 0;
      for (const char c : line) columns += (c & 0xC0) != 0x80;
      CHECK(columns <= 80);
    }
  }
}

TEST_CASE_FIXTURE(GamePlace, "command line: the slowest are asked for by either name") {
  for (const std::string command : {"frames", "why"}) {
    CAPTURE(command);
    const ToolResult top = good(command + " game.flamelet --top 2");
    CHECK(run(command + " game.flamelet --worst 2").out == top.out);
  }
}

TEST_CASE("command line: help that cannot be written is an error") {
  CHECK(GamePlace().run("--help", ">/dev/full").exit_code == 4);
}

TEST_CASE("text for the terminal: paragraphs are filled, and long indented lines go on, indented by two more") {
  CHECK(flamelet::tools::wrapped("one two\nthree four five\n\nsix", 14) == "one two three\nfour five\n\nsix");
  CHECK(flamelet::tools::wrapped("why:\n  +1.0 ms  Main: Draw: slower\n  short", 16) ==
        "why:\n  +1.0 ms Main:\n    Draw: slower\n  short");
  CHECK(flamelet::tools::wrapped("  a-very-long-word-alone\n", 8) == "  a-very-long-word-alone");
}

TEST_CASE("text for the terminal: any text is one word of a shell") {
  CHECK(flamelet::tools::shell_word("plain.flamelet") == "'plain.flamelet'");
  CHECK(flamelet::tools::shell_word("it's") == "'it'\\''s'");
  CHECK(flamelet::tools::shell_word("a'$(touch x)'b") == "'a'\\''$(touch x)'\\''b'");
  CHECK(flamelet::tools::shell_word("") == "''");
}

// SPDX-License-Identifier: MIT
#include "files.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "command_line.h"
#include "game_capture.h"
#include "tool_place.h"

namespace {

using namespace flamelet::tools;
using flamelet::tests::has;
using Place = flamelet::tests::GamePlace;
using Result = flamelet::tests::ToolResult;

unsigned mode_of(const std::string& path) {
  struct stat status = {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE_FIXTURE(
    Place, "files: a new output is for its user alone, as captures are, and who may read an old report is as it was") {
  for (const std::string command :
       {"convert game.flamelet new.json", "convert game.flamelet new.flamelet", "stats game.flamelet -o new.csv",
        "stats game.flamelet -o new.txt", "frames game.flamelet -o new.svg", "frames game.flamelet -o frames.json",
        "budgets learn game.flamelet -o new.budgets", "why game.flamelet --frame 107 -o why.txt",
        "gate game.flamelet -- game.flamelet --html gate.html --junit gate.xml --markdown gate.md"}) {
    CAPTURE(command);
    shell("umask 022 && '" FLAMELET_TOOL "' " + command);
  }
  size_t made = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
    const std::string name = entry.path().filename().string();
    if (name == "out" || name == "err" || name == "game.flamelet") continue;
    CAPTURE(name);
    CHECK(mode_of(entry.path().string()) == 0600);
    ++made;
  }
  CHECK(made == 11);
  CHECK(shell("chmod 604 new.json && '" FLAMELET_TOOL "' stats game.flamelet -o new.json").exit_code == 0);
  CHECK(mode_of(path("new.json")) == 0604);
  CHECK(shell("chmod 666 new.flamelet && '" FLAMELET_TOOL "' convert game.flamelet new.flamelet").exit_code == 0);
  CHECK(mode_of(path("new.flamelet")) == 0600);  // a capture is stricter
}

TEST_CASE_FIXTURE(Place, "files: a device or a pipe is written to, and stays what it is") {
  const std::string table = run("stats game.flamelet --csv").out;
  // By links of their own: if they were replaced after all, nothing of the machine would be.
  std::filesystem::create_symlink("/dev/stdout", path("stdout"));
  std::filesystem::create_symlink("/dev/full", path("full"));
  CHECK(run("stats game.flamelet --csv -o stdout", "| cat >piped").exit_code == 0);
  CHECK(has(read("piped"), table));
  REQUIRE(shell("mkfifo fifo && (cat fifo >read & '" FLAMELET_TOOL "' stats game.flamelet --csv -o fifo; wait)")
              .exit_code == 0);
  CHECK(read("read") == table);
  CHECK(std::filesystem::is_fifo(path("fifo")));
  const Result full = run("stats game.flamelet -o full");
  CHECK(full.exit_code == 4);
  CHECK(full.err == "flamelet: cannot write full: No space left on device\n");
  CHECK(std::filesystem::is_symlink(path("full")));
}

TEST_CASE_FIXTURE(Place, "files: a folder is no output, and nothing is left behind beside it") {
  REQUIRE(std::filesystem::create_directory(path("folder.csv")));
  CHECK(error("stats game.flamelet -o folder.csv") == "4: flamelet: cannot write folder.csv: Is a directory\n");
  CHECK(shell("ls | wc -l").out == "4\n");  // game.flamelet, folder.csv, out, err
}

TEST_CASE_FIXTURE(Place, "files: of an output that a signal interrupts nothing is left") {
  const pid_t process = fork();
  if (process == 0) {
    OutputFile file(path("half.json"));
    file.write("half");
    raise(SIGHUP);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(process, &status, 0) == process);
  CHECK(WIFSIGNALED(status));
  CHECK_FALSE(exists("half.json.tmp-00"));
}

TEST_CASE_FIXTURE(Place, "files: names are whole where the output is no terminal") {
  const std::string name(200, 'n');
  flamelet::tests::GameCapture(0, name).save(path("long.flamelet"));
  for (const std::string command : {"stats long.flamelet", "tree long.flamelet", "diff game.flamelet long.flamelet"}) {
    CAPTURE(command);
    CHECK(has(shell("unset COLUMNS; '" FLAMELET_TOOL "' " + command).out, name));
    CHECK_FALSE(has(run(command).out, name));  // COLUMNS is 100
    REQUIRE(run(command + " -o text.txt").exit_code == 0);
    CHECK(has(read("text.txt"), name));
  }
}

TEST_CASE("files: progress is a bar where the end is known") {
  CHECK(progress_text("writing x", 5000, 0) == "5000 bytes, writing x");
  CHECK(progress_text("reading x", 0, 20000) == "░░░░░░░░░░░░░░░░░░░░   0 % of 19.5 KiB, reading x");
  CHECK(progress_text("reading x", 19999, 20000) == "████████████████████  99 % of 19.5 KiB, reading x");
  CHECK(progress_text("reading x", 20001, 20000) == "████████████████████ 100 % of 19.5 KiB, reading x");
  CHECK(progress_text("adding up x", 5000000, 10000000, Progress::Unit::kSpans) ==
        "██████████░░░░░░░░░░  50 % of 10000000 spans, adding up x");
}

TEST_CASE_FIXTURE(Place, "files: a capture and a performance log in each other's place are told apart") {
  write("perf.log", "Frame : update\n1,update,1000\n");
  for (const std::string command : {"info", "stats", "tree", "frames"}) {
    const Result result = run(command + " perf.log");
    CHECK(result.exit_code == 3);
    CHECK(result.err == "flamelet: perf.log is a performance log: flamelet log reads those\n");
  }
  Result result = run("log stats game.flamelet");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "flamelet: game.flamelet is a capture: flamelet stats, frames and tree read those\n");
  CHECK(run("log stats game.flamelet --follow").err == result.err);
  write("text", "nothing of ours\n");
  result = run("log stats text");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "flamelet: text is no performance log: line 1: it is neither a frame nor a block\n");
}

// SPDX-License-Identifier: MIT
//
// Runs `flamelet record` on a real program that ends in every way a program can.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "flamelet/capture_file.h"
#include "support/read.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace {

struct RecordPlace : ToolPlace {
  ToolResult record(const std::string& arguments) const {
    // Places of its own for what the command keeps while the program runs.
    return shell("mkdir -p run disk && XDG_RUNTIME_DIR=" + path("run") + " TMPDIR=" + path("disk") +
                 " '" FLAMELET_TOOL "' record " + arguments);
  }
};

// The names of the spans, with * behind one that is open.
std::vector<std::string> spans_in(const std::string& path) {
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, path.c_str(), &capture, nullptr) == FLAMELET_OK);
  REQUIRE(flamelet_capture_lane_count(capture) == 1);
  std::vector<std::string> names;
  for (const flamelet_span& span : recorder_test::read_spans(capture, 0))
    names.push_back(recorder_test::text_of(capture, span.name) + ((span.flags & FLAMELET_SPAN_OPEN) != 0 ? "*" : ""));
  flamelet_capture_destroy(capture);
  return names;
}

}  // namespace

TEST_CASE_FIXTURE(RecordPlace, "record command: what a program recorded is saved, and its exit code passed on") {
  const ToolResult result = record("-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 7");
  CHECK(result.exit_code == 7);
  CHECK(has(result.err, "wrote saved.flamelet: 1 frame, 205 events, and 0 before them are overwritten\n"));
  const std::vector<std::string> spans = spans_in(path("saved.flamelet"));
  REQUIRE(spans.size() == 101);
  CHECK(std::count(spans.begin(), spans.end(), "work") == 100);
  CHECK(spans.back() == "the end");
  CHECK(std::filesystem::is_empty(path("run")));
  const std::string info = run("info saved.flamelet").out;
  CHECK(has(info, "\nbuilt     Flamelet 0.1.0, "));
  CHECK(has(info, "\nnote      recorded program\n"));
  CHECK(has(run("info saved.flamelet --json").out, "\"note\":\"recorded program\""));
}

TEST_CASE_FIXTURE(RecordPlace,
                  "record command: with --states the program records when its threads ran, or it is said why not") {
  const ToolResult result = record("--states -o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 0");
  CHECK(result.exit_code == 0);
  const std::string info = run("info saved.flamelet").out;
  CHECK((has(info, "\nstates    of threads recorded: ") || has(info, "\nstates    of threads refused: ")));
  CHECK(has(info, "\nstates    of threads recorded: ") != has(result.err, "\nflamelet: without states of threads. "));
  REQUIRE(record("-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 0").exit_code == 0);
  CHECK_FALSE(has(run("info saved.flamelet").out, "\nstates "));
}

TEST_CASE_FIXTURE(ToolPlace, "info command: what a file says of its recorder cannot steer the terminal") {
  REQUIRE(shell("FLAMELET_RING_FILE=ring '" FLAMELET_RECORDED_PROGRAM "' exit 0").exit_code == 0);
  std::string ring = read("ring");
  const size_t build = ring.find("Flamelet 0.1.0, ");
  REQUIRE(build != std::string::npos);
  ring.replace(build, 5, "\x1b[31m");
  write("ring", ring);
  const ToolResult result = good("info ring");
  CHECK(has(result.out, "\nbuilt "));
  CHECK_FALSE(has(result.out, "\x1b"));
}

TEST_CASE_FIXTURE(RecordPlace,
                  "info command: where pages were being overwritten, nobody knows how much was before them") {
  REQUIRE(shell("FLAMELET_RING_FILE=ring '" FLAMELET_RECORDED_PROGRAM "' exit 0").exit_code == 0);
  CHECK(has(good("info ring").out, " were read, 0 overwritten"));
  std::string ring = read("ring");
  uint64_t pages;  // flamelet::RingFileHeader
  std::memcpy(&pages, &ring[24], sizeof pages);
  ring.replace(pages, 16, 16, '\xff');
  write("ring", ring);
  CHECK(has(run("info ring").out, " were read, at least 0 overwritten"));
}

TEST_CASE_FIXTURE(RecordPlace,
                  "frames command: frame 0 is said to be the start, and not one in which recording was switched") {
  REQUIRE(record("-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 0").exit_code == 0);
  const std::string out = run("frames saved.flamelet --frames 0.. --top 0 --no-plots").out;
  CHECK(has(out, "  start "));
  CHECK_FALSE(has(out, "partial"));
}

TEST_CASE_FIXTURE(RecordPlace, "record command: what follows the program is the program's") {
  write("program", "#!/bin/sh\necho \"$@\"\n");
  REQUIRE(shell("chmod +x program").exit_code == 0);
  for (const std::string options : {"", "-o x ", "--output x -- ", "--output=x "}) {
    CAPTURE(options);
    CHECK(record(options + "./program -o y --level 3 -- z").out == "-o y --level 3 -- z\n");
  }
}

TEST_CASE_FIXTURE(RecordPlace,
                  "record command: a category that is switched off is not recorded, and a bad list starts nothing") {
  REQUIRE(record("--categories=-work -o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 0").exit_code == 0);
  CHECK(spans_in(path("saved.flamelet")) == std::vector<std::string>{"the end"});
  const ToolResult bad = record("--categories work -o bad.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 0");
  CHECK(bad.exit_code == 2);
  CHECK(has(bad.err, "--categories work: this is not a list of categories"));
  std::string many;
  for (int i = 0; i < 300; ++i) many += (i == 0 ? "+c" : ",+c") + std::to_string(i);
  const ToolResult full = record("--categories " + many + " -- '" FLAMELET_RECORDED_PROGRAM "' exit 0");
  CHECK(full.exit_code == bad.exit_code);
  CHECK(has(full.err, flamelet_result_message(FLAMELET_ERROR_LIMIT)));
  CHECK_FALSE(std::filesystem::exists(path("bad.flamelet")));
}

TEST_CASE_FIXTURE(RecordPlace, "record command: a program that crashes leaves its capture, named after it") {
  const ToolResult result = record("-- '" FLAMELET_RECORDED_PROGRAM "' crash");
  CHECK(result.exit_code == 128 + SIGABRT);
  CHECK(has(result.err, "was ended by signal 6"));
  const std::vector<std::string> spans = spans_in(path("flamelet_recorded_program.flamelet"));
  REQUIRE(spans.size() == 101);
  CHECK(spans.back() == "the end*");
  CHECK(std::filesystem::is_empty(path("run")));
}

TEST_CASE_FIXTURE(RecordPlace, "record command: a signal is passed on to the program, and the capture saved") {
  const ToolResult result = record("-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' stop");
  CHECK(result.exit_code == 128 + SIGTERM);
  CHECK(spans_in(path("saved.flamelet")).back() == "the end*");
}

TEST_CASE_FIXTURE(RecordPlace, "record command: a program that does not record into the file is told of") {
  const ToolResult result = record("-- '" FLAMELET_RECORDED_PROGRAM "' silent");
  CHECK(result.exit_code == 5);
  CHECK(has(result.err, "ring_path_from_environment"));
  CHECK(has(result.err, "cleared its environment"));
  CHECK_FALSE(has(result.err, "FLAMELET_RECORD=off"));
  CHECK(!exists("flamelet_recorded_program.flamelet"));
  const std::string off = "FLAMELET_RECORD=off '" FLAMELET_TOOL "' record -- '" FLAMELET_RECORDED_PROGRAM "' silent";
  CHECK(has(shell(off).err, "FLAMELET_RECORD=off is set"));
}

TEST_CASE_FIXTURE(
    RecordPlace,
    "record command: a program that ends without a shutdown tells what was dropped since its last frame mark") {
  CHECK(record("-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' deep").exit_code == 0);
  const std::string text = "181 scopes deeper than 120 were not recorded";
  CHECK(has(run("info saved.flamelet").out, text));
  CHECK(has(run("stats saved.flamelet").err, text));
}

TEST_CASE_FIXTURE(ToolPlace, "record command: wrong values of variables are said once") {
  const std::string program = "'" FLAMELET_RECORDED_PROGRAM "' exit 0";
  CHECK(has(shell("FLAMELET_THREAD_STATES=maybe " + program).err, "'maybe', and neither 'on' nor 'off'"));
  CHECK(has(shell("FLAMELET_RING_FILE=/no/such/x " + program).err, "FLAMELET_RING_FILE: No such file"));
  CHECK(shell("FLAMELET_THREAD_STATES=on " + program).err.empty());
}

TEST_CASE_FIXTURE(RecordPlace,
                  "record command: each recorder that begins is saved, the one with most events under the name") {
  const std::string program = "'" FLAMELET_RECORDED_PROGRAM "'";
  const ToolResult script = record("-o saved.flamelet -- sh -c \"" + program + " one; " + program + " exit 7\"");
  CHECK(script.exit_code == 7);
  CHECK(has(script.err, "flamelet: 2 recorders began, in one program or several: saved.flamelet has most events\n"));
  CHECK(has(script.err, "wrote saved.flamelet: 1 frame, 205 events, and 0 before them are overwritten\n"));
  CHECK(has(script.err, "wrote saved-2.flamelet: 1 frame, "));
  CHECK(spans_in(path("saved.flamelet")).back() == "the end");
  CHECK(spans_in(path("saved-2.flamelet")) == std::vector<std::string>{"the one"});

  const ToolResult sessions = record("-o x -- " + program + " sessions");
  CHECK(sessions.exit_code == 0);
  CHECK(has(sessions.err, "wrote x: 1 frame, 205 events,"));
  CHECK(has(sessions.err, "wrote x-2: 1 frame, "));
  CHECK(std::filesystem::is_empty(path("run")));

  const ToolResult many =
      record("-o m -- sh -c \"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do " + program + " one; done\"");
  CHECK(has(many.err, "flamelet: 16 recorders began"));
  CHECK(has(many.err, "flamelet: more than 16 recorders began: what the later ones recorded is not here\n"));
  CHECK(exists("m-16"));
}

TEST_CASE_FIXTURE(RecordPlace, "record command: where nobody reads its messages, all is saved, and nothing is left") {
  const std::string program = "'" FLAMELET_RECORDED_PROGRAM "'";
  write("script", "until [ -e gone ]; do sleep 0.01; done; " + program + " one; " + program + " exit 7\n");
  write("saved-2.flamelet", "precious");
  shell("(mkdir -p run && XDG_RUNTIME_DIR=run TMPDIR=run '" FLAMELET_TOOL
        "' record -o saved.flamelet sh script; echo $? >code) 2>&1 | (exec <&-; touch gone)");
  CHECK(read("code") == "7\n");
  CHECK(exists("saved.flamelet"));
  CHECK(exists("saved-3.flamelet"));
  CHECK(read("saved-2.flamelet") == "precious");
  CHECK(std::filesystem::is_empty(path("run")));
}

TEST_CASE_FIXTURE(
    RecordPlace, "record command: a program goes on where there is no room for its recorder's memory, and it is said") {
  const std::string program = "'" FLAMELET_RECORDED_PROGRAM "'";
  const ToolResult limited = record("-o x -- sh -c \"ulimit -f 100; exec " + program + " exit 0\"");
  CHECK(limited.exit_code == 1);
  CHECK(limited.err ==
        "flamelet: a recorder got no file of 4 MiB for its memory: File too large. What it recorded is not here\n");
  CHECK(!exists("x"));
  const ToolResult elsewhere =
      record("-o x -- sh -c 'rm -r \"${FLAMELET_RING_FILE%/*}\"; exec \"$0\" exit 7' " + program);
  CHECK(elsewhere.exit_code == 7);
  CHECK(has(elsewhere.err, "wrote x: 1 frame, 205 events,"));

  const ToolResult daemon = record(
      "-o y -- sh -c '(while [ -d \"${FLAMELET_RING_FILE%/*}\" ]; do sleep 0.01; done; \"$0\" exit 7; echo $? "
      ">code.new; mv code.new code) >/dev/null 2>&1 &' " +
      program);
  CHECK(daemon.exit_code == 1);
  CHECK(has(daemon.err, "as a daemon may"));
  shell("for i in $(seq 500); do [ -e code ] && break; sleep 0.02; done");
  CHECK(read("code") == "7\n");
}

TEST_CASE_FIXTURE(RecordPlace,
                  "record command: a program whose launcher has ended is waited for, but not after two signals") {
  write("launcher",
        "trap '' INT HUP\n"
        "await() { until $1; do sleep 0.01; done; }\n"
        "said() { grep -q \"$1\" err; }\n"
        "(\"$1\" outlive; touch ended) &\n"
        "(await 'said goes.on\\|wrote'; if [ $2 = twice ]; then kill -INT $PPID; kill -HUP $PPID; fi\n"
        " await \"test -e $2\"; touch go) &\n"
        "await 'test -e begun'; exit 3\n");
  const std::string arguments = "-o saved.flamelet sh launcher '" FLAMELET_RECORDED_PROGRAM "' ";
  write("once", "");
  const ToolResult whole = record(arguments + "once");
  CHECK(whole.exit_code == 3);
  CHECK(has(whole.err, "flamelet: sh has ended, and process "));
  CHECK(has(whole.err, " goes on and records: this waits for it. A second Ctrl+C saves what it recorded until then\n"));
  CHECK(spans_in(path("saved.flamelet")).back() == "the end");
  shell("until [ -e ended ]; do sleep 0.01; done; rm ended begun go");
  const ToolResult cut = record(arguments + "twice");
  write("twice", "");
  CHECK(cut.exit_code == 3);
  CHECK(has(cut.err, "flamelet: wrote saved.flamelet: 1 frame, "));
  CHECK(has(cut.err, " still records: what it records from now on is not here\n"));
  CHECK(spans_in(path("saved.flamelet")).back() == "the end*");
  shell("until [ -e ended ]; do sleep 0.01; done");
}

TEST_CASE_FIXTURE(RecordPlace,
                  "record command: a pipe is written to, and one that nobody reads is refused or given up") {
  const std::string program = "'" FLAMELET_RECORDED_PROGRAM "'";
  REQUIRE(shell("mkfifo fifo").exit_code == 0);
  const ToolResult unread = shell("timeout -s KILL 20 '" FLAMELET_TOOL "' record -o fifo -- touch started");
  CHECK(unread.exit_code == 4);
  CHECK(unread.err == "flamelet: cannot write fifo: nobody reads this pipe, or it is a socket\n");
  CHECK(!exists("started"));

  REQUIRE(shell("(cat fifo >read & exec 3>fifo; '" FLAMELET_TOOL "' record -o fifo " + program +
                " exit 7 3>&-; echo $? >code; exec 3>&-; wait)")
              .exit_code == 0);
  CHECK(read("code") == "7\n");
  CHECK(spans_in(path("read")).back() == "the end");

  write("script", "trap '' TERM; (while kill -TERM $PPID; do sleep 0.01; done) 2>/dev/null & exec \"$1\" exit 0");
  const std::string full = "exec 3<>fifo; dd if=/dev/zero of=fifo bs=4096 count=17 oflag=nonblock 2>/dev/null; ";
  const ToolResult stopped =
      shell(full + "XDG_RUNTIME_DIR=. timeout -s KILL 20 '" FLAMELET_TOOL "' record -o fifo sh script " + program);
  CHECK(stopped.exit_code == 128 + SIGTERM);
  CHECK(has(stopped.err, "flamelet: ended before it had saved\nThe recording is still there: flamelet convert ./"));
  CHECK(shell("ls ./flamelet-record-*/ring").exit_code == 0);
}

TEST_CASE_FIXTURE(RecordPlace, "record command: what cannot be meant is refused, and nothing is started") {
  const std::string program = " -- touch started";
  const ToolResult standard = record("-o -" + program);
  CHECK(standard.exit_code == 2);
  CHECK(has(standard.err, "record -o -: the program writes to the standard output, too"));
  for (const std::string name : {"x.json", "x.json.gz", "x.html", "x.folded"}) {
    CAPTURE(name);
    const ToolResult other = record("-o " + name + program);
    CHECK(other.exit_code == 2);
    CHECK(has(other.err, "flamelet convert FILE.flamelet " + name));
  }
  for (const std::string end : {".gz", ".zst", ".zip"}) {
    CAPTURE(end);
    const std::string name = "x.flamelet" + end, problem = "captures are not compressed: leave " + end + " out";
    const ToolResult compressed = record("-o " + name + program);
    CHECK(compressed.exit_code == 2);
    CHECK(has(compressed.err, problem));
    CHECK(error("convert none.flamelet --format capture " + name) == "2: flamelet: " + problem + "\n");
  }
  CHECK(has(record("--files-from 5 -o y" + program).err, "--files-from 5 is nothing without --files"));
  const ToolResult number = record("--files-from x -o y" + program);
  CHECK(number.exit_code == 2);
  CHECK(has(number.err, "--files-from x: that is no number of microseconds"));
  CHECK(!exists("started"));
}

TEST_CASE_FIXTURE(RecordPlace,
                  "record command: a program with more rights than its user heeds no variables, and that is said") {
  if (geteuid() != 0) return;  // only root can give a file away
  REQUIRE(shell("cp '" FLAMELET_RECORDED_PROGRAM "' other && chown 65534 other && chmod u+s other").exit_code == 0);
  const ToolResult result = record("-- ./other exit 0");
  CHECK(result.exit_code == 1);
  CHECK(has(result.err,
            "flamelet: ./other recorded nothing here: it has more rights than its user (set-user-id), and heeds no "
            "FLAMELET_RING_FILE\n"));
}

TEST_CASE_FIXTURE(RecordPlace, "record command: a program that is not there, and a capture that cannot be written") {
  const ToolResult missing = record("-- ./no_such_program");
  CHECK(missing.exit_code == 3);
  CHECK(has(missing.err, "cannot run ./no_such_program: No such file"));
  CHECK(record("").exit_code == 2);
  const ToolResult unwritten = record("-o no/folder/x -- '" FLAMELET_RECORDED_PROGRAM "'");
  CHECK(unwritten.exit_code == 4);
  CHECK(has(unwritten.err, "cannot write no/folder/x: No such file"));
  CHECK(std::filesystem::is_empty(path("run")));  // the program was not even started
}

TEST_CASE_FIXTURE(
    RecordPlace, "record command: of a capture that cannot be written the recorder's memory is kept, and can be read") {
  std::filesystem::create_symlink("/dev/full", path("full"));
  const ToolResult unwritten = record("-o full -- '" FLAMELET_RECORDED_PROGRAM "' crash");
  CHECK(unwritten.exit_code == 4);
  CHECK(has(unwritten.err, "cannot write full: No space left on device\nThe recording is still there: "));
  REQUIRE(shell("cp run/*/ring ring").exit_code == 0);
  CHECK(std::filesystem::is_empty(path("disk")));
  CHECK(has(run("info - <ring").out, "not shut down: the program crashed, or still runs\n"));
  CHECK(run("convert ring ring.flamelet").exit_code == 0);
  CHECK(spans_in(path("ring.flamelet")).back() == "the end*");

  std::string bytes = read("ring");
  write("cut", bytes.substr(0, bytes.size() - 1));
  const ToolResult cut = run("info cut --strict");
  CHECK(cut.exit_code == 3);
  CHECK(has(cut.out, "damage    it ends too early"));
  bytes[8] ^= 64;  // the version
  write("other", bytes);
  const ToolResult other = run("info other");
  CHECK(other.exit_code == 3);
  CHECK(other.err == "flamelet: other is the ring of another version of Flamelet, which alone can read it\n");
}

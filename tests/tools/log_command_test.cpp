// SPDX-License-Identifier: MIT
//
// Runs the `flamelet` program on real files.
#include <string>

#include "plot.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace {

// A folder with a log in it.
class Workplace : public ToolPlace {
 public:
  Workplace() {
    std::string text;
    for (int frame = 0; frame < 100; ++frame) {
      const int slow = frame == 41 ? 20 : 1;
      text += "Frame : Game::update\n2,\"move<int, 3>\"," + std::to_string(slow * 1000000) + "\n1,Game::update," +
              std::to_string((slow + 1) * 1000000) + "\n";
    }
    write("game.log", text);
  }
};

}  // namespace

TEST_CASE("log command: stats names the slow frame, and the routine that made it so") {
  const ToolResult result = Workplace().quiet("log stats game.log --above 15 -k 1");
  CHECK(has(result.out, "largest:  20.000 ms in frame 42 (line 124)"));
  CHECK(has(result.out, "above 15.000 ms: 1 of 100 frames: 20.000 ms in frame 42 (line 124)"));
  CHECK(has(result.out, "routine       frames  blocks      mean        sd       min       max     total\n"));
  CHECK(has(result.out, "move<int, 3>     100     100  1.190 ms  1.900 ms  1.000 ms  20.00 ms  119.0 ms\n"));
}

TEST_CASE("log command: a narrow terminal keeps the routines, means and totals") {
  const std::string out = Workplace().run("log stats game.log -k 0 --width 50").out;
  CHECK(has(out, "routine           mean       max     total\n"));
  CHECK(has(out, "move<int, 3>  1.190 ms  20.00 ms  119.0 ms\n(no room for: blocks, frames, sd, min)\n"));
}

TEST_CASE("log command: a task before the file does not take the file for another") {
  const ToolResult result = Workplace().good("log stats -t 'move<int, 3>' game.log");
  CHECK(has(result.out, "move<int, 3>"));
  CHECK_FALSE(has(result.out, "Game::update"));
}

TEST_CASE("log command: an unknown task is answered with those that are there") {
  const ToolResult result = Workplace().run("log cost game.log -t nothing");
  CHECK(result.exit_code == 1);
  CHECK(result.out.empty());
  CHECK(result.err ==
        "flamelet: no routine of game.log is called nothing; there are:\n  Game::update\n  move<int, 3>\n");
}

TEST_CASE_FIXTURE(Workplace, "log command: a name that only frames have is no task, and is not offered as one") {
  write("cut.log", "Frame : Game::update\n2,move,7\nFrame : Game::update\n2,move,8\n");
  const ToolResult frame = run("log stats cut.log -t Game::update");
  CHECK(frame.exit_code == 1);
  CHECK(frame.err == "flamelet: no routine of cut.log is called Game::update; there are:\n  move\n");
  const ToolResult none = run("log stats cut.log -t nosuch");
  CHECK(none.err == "flamelet: no routine of cut.log is called nosuch; there are:\n  move\n");
}

TEST_CASE_FIXTURE(Workplace, "log command: durations below half a microsecond are shown as they are") {
  write("short.log", "1,tiny,300,0,300\n1,tiny,100,300,400\n");
  CHECK(has(run("log stats short.log -k 0").out, "tiny          2       2  200 ns  141 ns  100 ns  300 ns  400 ns\n"));
}

TEST_CASE_FIXTURE(Workplace, "log command: figures and plots as CSV and JSON") {
  ToolResult result = good("log stats game.log --csv -t 'move<int, 3>'");
  CHECK(result.out ==
        "routine,frames,blocks,mean_ns,sd_ns,min_ns,max_ns,total_ns\n"
        "\"move<int, 3>\",100,100,1190000,1900000,1000000,20000000,119000000\n");
  CHECK(run("log stats game.log -o stats.csv").out == "wrote stats.csv\n");
  CHECK(has(read("stats.csv"), "Game::update,100,100,"));
  result = run("log stats game.log --json -k 1 -t 'move<int, 3>'");
  CHECK(has(result.out, "\"frames\":100,\"frames_not_whole\":0,"));
  CHECK(has(result.out, "\"routines\":[{\"routine\":\"move<int, 3>\",\"frames\":100,"));
  CHECK(has(result.out, "\"cost_ns\":20000000,\"frame\":42,\"line\":124,\"place\":null"));
  result = run("log cost game.log --csv -t 'move<int, 3>'");
  CHECK(has(result.out, "routine,first_frame,last_frame,frames,min_ns,mean_ns,max_ns\n"));
  CHECK(has(result.out, "\"move<int, 3>\",42,42,1,20000000,20000000,20000000\n"));
  result = run("log timeline game.log --json -t Game::update");
  CHECK(has(result.out, "\"bars\":[{\"routine\":\"Game::update\",\"begin_ns\":0,\"end_ns\":2000000,"));
  CHECK(run("log stats game.log --follow --csv").exit_code == 2);
  for (const std::string option : {"-k 2", "--above 1", "--strict"})
    CHECK(error("log stats - </dev/null --follow " + option) ==
          "2: flamelet: --follow shows only the table: leave -k, --above and --strict out\n");
}

TEST_CASE_FIXTURE(Workplace, "log command: a cost says on which thread or fiber its frame ran, where the log does") {
  write("placed.log", "Frame : a on thread \"Main\"\n1,a,7000,0,7000\nFrame : a on fiber 3\n1,a,9000,0,9000\n");
  const std::string out = run("log stats placed.log").out;
  CHECK(has(out, "largest:  9.000 us in frame 2 (line 3, fiber 3), 7.000 us in frame 1 (line 1, thread Main)"));
}

TEST_CASE_FIXTURE(Workplace,
                  "log command: a log that tells of lost events is whole, and it is said that frames are missing") {
  write("lost.log", "Frame : a\n1,a,300,0,300\nLost : 1200 events\nLost : 30 events\n1,a,100,900,1000\n");
  const ToolResult result = run("log stats lost.log --strict");
  CHECK(result.exit_code == 0);
  CHECK(has(result.out, "\n1230 events were lost before the log was written: frames in between are missing\n"));
  CHECK(has(run("log stats lost.log --json").out, "\"frames_not_whole\":0,\"events_lost\":1230,"));
  write("cut.log", "1,a,300,0,300\nLost : many events\nLost : 30 eve\n");
  CHECK(run("log stats cut.log --strict").exit_code == 3);
  CHECK(has(run("log stats cut.log --json").out, "\"events_lost\":0,"));
}

TEST_CASE_FIXTURE(Workplace, "log command: each plot shows as many routines as its help says") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "2,part" + std::to_string(i) + ",1\n";
  write("wide.log", text + "1,all,30\n");
  CHECK(has(run("log cost wide.log").out, "23 routines that took less are not shown"));
  CHECK(has(run("log timeline wide.log").out, "7 routines that took less are not shown"));
  CHECK_FALSE(has(run("log stats wide.log").out, "not shown"));
}

TEST_CASE_FIXTURE(Workplace, "log command: plots go to the terminal, or to a picture") {
  CHECK(has(run("log cost game.log").out, "frame 1"));
  CHECK(has(run("log timeline game.log").out, "Game::update │"));
  CHECK(run("log cost game.log -o cost.svg").out == "wrote cost.svg\n");
  CHECK(has(read("cost.svg"), "move&lt;int, 3&gt;"));
  CHECK(run("log timeline game.log -o line.svg").exit_code == 0);
  CHECK(read("line.svg").substr(0, 4) == "<svg");
  if (flamelet::tools::can_draw_png()) {
    const ToolResult result = run("log cost game.log -o cost.png");
    CHECK(result.out == "wrote cost.png\n");
    CHECK(result.exit_code == 0);
    CHECK(read("cost.png").substr(1, 3) == "PNG");
  } else {
    CHECK(run("log cost game.log -o cost.png").exit_code == 2);
  }
}

TEST_CASE_FIXTURE(Workplace, "log command: a log is followed until its file is removed") {
  // Opened by a descriptor that outlives the name: the file is gone before the command begins.
  const ToolResult result = shell("exec 3<game.log; rm game.log; '" FLAMELET_TOOL "' log stats /dev/fd/3 --follow");
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(has(result.out, "/dev/fd/3: 100 frames\nroutine "));
  CHECK(has(result.out, "move<int, 3>     100     100 "));
}

TEST_CASE_FIXTURE(Workplace, "log command: a log that has got another name is followed under its own") {
  write("new.log", "Frame : a\n1,a,7000,0,7000\nFrame : a\n1,a,9000,0,9000\n");
  const std::string until_has = "for i in $(seq 200); do grep -q ' frames' live && break; sleep 0.02; done; ";
  shell("(timeout 20 '" FLAMELET_TOOL "' log stats game.log --follow --interval 0.05 >>live & " + until_has +
        "mv game.log game.log.1; : >live; mv new.log game.log; " + until_has + "rm game.log game.log.1; wait)");
  CHECK(has(read("live"), "game.log: 2 frames\n"));
}

TEST_CASE_FIXTURE(Workplace, "log command: a followed pipe shows its last table when it ends") {
  const ToolResult result = good("log stats - --follow --interval 0.05 -t Game::update <game.log");
  CHECK(has(result.out, "standard input: 100 frames\n"));
  CHECK_FALSE(has(result.out, "move<int, 3>"));
  CHECK(run("log stats - -f </dev/null").exit_code == 1);
}

TEST_CASE_FIXTURE(Workplace, "log command: inputs that cannot be read are named, with exit code 3") {
  ToolResult result = run("log stats absent.log");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "flamelet: cannot open absent.log: No such file or directory\n");
  result = run("log stats .");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "flamelet: cannot read .: Is a directory\n");
}

TEST_CASE_FIXTURE(Workplace, "log command: an empty file, or one of another kind in one line, is no log") {
  write("empty.log", "");
  ToolResult result = run("log stats empty.log");
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  CHECK(result.err == "flamelet: empty.log is empty\n");
  write("trace.json", "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\"}]");
  result = run("log stats trace.json");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "flamelet: trace.json is no performance log: there is no PERF block in it\n");
}

TEST_CASE_FIXTURE(Workplace, "log command: a log with a header only is an empty log") {
  write("header.log",
        "Log file created at: 2022/10/30 16:22:29\nRunning on machine: build-3\n"
        "Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg\n");
  CHECK(error("log stats header.log --strict") ==
        "1: flamelet: there is no PERF block in header.log: it is an empty log, with a header and nothing else\n");
  write("both.log", read("header.log") + read("game.log"));
  CHECK(run("log stats both.log --strict").exit_code == 0);
}

TEST_CASE_FIXTURE(Workplace, "log command: a log cut in the middle of a line says so, and shows the rest") {
  const std::string log = read("game.log");
  const size_t cut = log.rfind("1,Game::update") + 5;
  write("cut.log", log.substr(0, cut));
  ToolResult result = good("log stats cut.log");
  CHECK(result.err == "cut.log:300: skipped: the last field is not a duration\n");
  CHECK(has(result.out, "1 frame is not whole"));
  CHECK(run("log stats cut.log --strict").exit_code == 3);
}

TEST_CASE_FIXTURE(Workplace, "log command: a frame of which a log has the first line alone is counted") {
  write("begun.log", "Frame : a\n1,a,100,0,100\nFrame : a\n");
  CHECK(has(run("log stats begun.log --json").out, "\"frames\":2,\"frames_not_whole\":1,"));
  CHECK(has(run("log cost begun.log").out, "\n1 frame is not whole"));
  write("first.log", "Frame : a\n");
  CHECK(error("log stats first.log") == "3: flamelet: first.log is no performance log: there is no PERF block in it\n");
}

TEST_CASE_FIXTURE(Workplace, "log command: a timeline of times since 1970 is drawn to the nanosecond") {
  const auto log = [](int64_t from_ns) {
    std::string text;
    for (int64_t at = from_ns; at != from_ns + 2000; at += 100) {
      text += "1,a,50," + std::to_string(at) + "," + std::to_string(at + 50) + "\n";
      text += "1,b,30," + std::to_string(at + 50) + "," + std::to_string(at + 80) + "\n";
    }
    return text;
  };
  write("t.log", log(0));
  const std::string shown = good("log timeline t.log").out,
                    drawn = (good("log timeline t.log -o t.svg"), read("t.svg"));
  write("t.log", log(1700000000000000000));
  CHECK(run("log timeline t.log").out == shown);
  run("log timeline t.log -o far.svg");
  CHECK(read("far.svg") == drawn);
}

TEST_CASE("log command: the standard input is a file too") {
  const ToolResult result = Workplace().good("log stats - <game.log");
  CHECK(has(result.out, "Game::update"));
}

TEST_CASE_FIXTURE(Workplace, "log command: a closed pipe ends it without a word") {
  const ToolResult result = run("log stats game.log", "| true");
  CHECK(result.exit_code == 0);  // that of the last in the pipe
  CHECK(result.err.empty());
}

TEST_CASE_FIXTURE(Workplace, "log command: outputs that cannot be written are named, with exit code 4") {
  ToolResult result = run("log cost game.log -o absent/cost.svg");
  CHECK(result.exit_code == 4);
  CHECK(has(result.err, "cannot write absent/cost.svg: No such file or directory"));
  result = run("log stats game.log", ">/dev/full");
  CHECK(result.exit_code == 4);
  CHECK(has(result.err, "cannot write to the standard output"));
}

TEST_CASE_FIXTURE(Workplace, "log command: a wrong command line is explained, with exit code 2") {
  CHECK(run("").exit_code == 2);
  ToolResult result = run("nonsense");
  CHECK(result.exit_code == 2);
  CHECK(result.err == "flamelet: there is no command nonsense\nflamelet --help lists the commands\n");
  CHECK(run("log stats").exit_code == 2);
  CHECK(run("log stats game.log --width 3").exit_code == 2);
  result = run("log cost game.log -o cost.gif");
  CHECK(result.exit_code == 2);
  CHECK_FALSE(exists("cost.gif"));
}

TEST_CASE_FIXTURE(Workplace, "log command: help teaches, and succeeds") {
  CHECK(has(run("--help").out, "Exit codes: 0 done"));
  const ToolResult result = good("log --help");
  CHECK(has(result.out, "Examples:"));
  CHECK(has(run("--version").out, "flamelet "));
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "game_capture.h"
#include "tool_place.h"

using namespace flamelet::tests;

TEST_CASE("tree command: every path has its line, the largest first") {
  const ToolResult result = GamePlace().quiet("tree game.flamelet");
  CHECK(result.out ==
        "     total      self     calls    share\n"
        "  150.0 ms      0 ns            100.0 %  sum of 2 threads\n"
        "  110.0 ms      0 ns        10   73.3 %  ├╴Frame\n"
        "  80.00 ms      0 ns        10   53.3 %  │ ├╴Update\n"
        "  60.00 ms  60.00 ms        10   40.0 %  │ │ ├╴Physics\n"
        "  20.00 ms  5.000 ms        10   13.3 %  │ │ └╴eval\n"
        "  15.00 ms  10.00 ms        20   10.0 %  │ │   └╴apply\n"
        "  5.000 ms  5.000 ms        10    3.3 %  │ │     └╴eval\n"
        "  30.00 ms  30.00 ms        10   20.0 %  │ └╴Draw\n"
        "  40.00 ms  40.00 ms        10   26.7 %  └╴Job\n");
}

TEST_CASE("tree command: recursion can be kept as it was called") {
  const std::string out = GamePlace().run("tree game.flamelet --keep --thread Main").out;
  CHECK(has(out, "  10.00 ms  5.000 ms        10    9.1 %    │     └╴eval\n"));
  CHECK(has(out, "  5.000 ms  5.000 ms        10    4.5 %    │       └╴apply\n"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: frames and time cut the tree") {
  CHECK(has(run("tree game.flamelet --frames 107").out, "24.00 ms  24.00 ms         1"));
  CHECK(has(run("tree game.flamelet --frames 100..101").out, "8.000 ms  8.000 ms         2"));
  // The first half of the first frame's physics.
  CHECK(has(run("tree game.flamelet --time ..2ms").out, "2.000 ms  2.000 ms         1"));
  CHECK(error("tree game.flamelet --frames 5..7") ==
        "1: flamelet: there are no such frames in game.flamelet: it has the frames 100..109\n");
  CHECK(run("tree game.flamelet --time 9s..").exit_code == 1);
  CHECK(run("tree game.flamelet --frames x").exit_code == 2);
  CHECK(run("tree game.flamelet --time 2s..1s").exit_code == 2);
}

TEST_CASE_FIXTURE(GamePlace, "tree command: what is cut off is summed up") {
  const std::string deep = run("tree game.flamelet --thread Main --depth 2").out;
  CHECK(has(deep, "80.00 ms                  20   72.7 %    │ └╴… 4 more paths\n"));
  const std::string small = run("tree game.flamelet --thread Main --min 20").out;
  CHECK(has(small, "20.00 ms                  10   18.2 %    │ └╴… 3 more paths\n"));
  CHECK_FALSE(has(small, "eval"));
  // In files of figures, too: without a number of its own, below the path whose these are.
  const std::string csv = run("tree game.flamelet --thread Main --depth 2 --csv").out;
  CHECK(has(csv, "\nMain,,2,3,… 4 more paths,20,80000000,,\n"));
  const std::string json = run("tree game.flamelet --thread Main --depth 2 --json").out;
  CHECK(has(json, "{\"parent\":2,\"depth\":3,\"more_paths\":4,\"calls\":20,\"total\":80000000}"));
  CHECK_FALSE(has(run("tree game.flamelet --thread Main --json").out, "more_paths"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: a filter keeps what leads to a name and what comes from it") {
  const std::string out = run("tree game.flamelet --filter UPD").out;
  CHECK(has(out, "Frame"));
  CHECK(has(out, "Physics"));
  CHECK_FALSE(has(out, "Draw"));
  CHECK(error("tree game.flamelet --filter nothing") == "1: flamelet: no name holds nothing\n");
}

TEST_CASE_FIXTURE(GamePlace, "tree command: each lane has its tree, and lanes are chosen by kind and by name") {
  const std::string out = run("tree game.flamelet --by thread").out;
  CHECK(has(out, "100.0 %  Main\n"));
  CHECK(has(out, "100.0 %  Worker 1\n"));
  CHECK(has(run("tree game.flamelet --lanes gpu").out, "20.00 ms        10  100.0 %  └╴Shadow\n"));
  const ToolResult result = run("tree game.flamelet --thread Audio");
  CHECK(result.exit_code == 1);
  CHECK(result.err ==
        "flamelet: no lane of game.flamelet is called Audio; there are:\n  thread    Main\n  thread    Worker 1\n"
        "  gpu       GPU\n");
  CHECK(run("tree game.flamelet --lanes fibers").exit_code == 1);
}

TEST_CASE_FIXTURE(GamePlace, "tree command: lanes are merged only where each has its tree") {
  const auto result = run("tree game.flamelet --merge-lanes");
  CHECK(result.exit_code == 2);
  CHECK(has(result.err, "--merge-lanes is nothing without --by thread"));
}

TEST_CASE("tree command: siblings are sorted by a column") {
  const std::string out = GamePlace().run("tree game.flamelet --sort name --csv --thread Main").out;
  CHECK(out.find("Draw") < out.find("Update"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: JSON and CSV hold every path") {
  const std::string json = run("tree game.flamelet --json --thread 'Worker 1'").out;
  CHECK(json ==
        "{\"file\":\"game.flamelet\",\"unit\":\"ns\",\"trees\":[{\"name\":\"Worker 1\",\"paths\":["
        "{\"id\":0,\"depth\":0,\"name\":\"[root]\",\"calls\":0,\"total\":40000000,\"self\":0,\"category\":\"\"},"
        "{\"id\":1,\"parent\":0,\"depth\":1,\"name\":\"Job\",\"calls\":10,\"total\":40000000,\"self\":40000000,"
        "\"category\":\"\"}]}]}\n");
  CHECK(run("tree game.flamelet --thread 'Worker 1' -o tree.csv").out == "wrote tree.csv\n");
  CHECK(read("tree.csv") ==
        "tree,id,parent,depth,name,calls,total_ns,self_ns,category\n"
        "Worker 1,0,,0,[root],0,40000000,0,\n"
        "Worker 1,1,0,1,Job,10,40000000,40000000,\n");
}

TEST_CASE_FIXTURE(GamePlace, "tree command: collapsed stacks, too") {
  REQUIRE(run("tree game.flamelet --thread 'Worker 1' -o job.folded").exit_code == 0);
  CHECK(read("job.folded") == "[root];Job 40000000\n");
  CHECK(run("tree game.flamelet -o game.pb.gz").out == "wrote game.pb.gz\n");
  for (const std::string cut : {"--by thread", "--depth 2", "--min 1", "--filter Draw"}) {
    CAPTURE(cut);
    CHECK(run("tree game.flamelet " + cut + " -o game.folded").exit_code == 2);
  }
  CHECK(has(run("tree game.flamelet --filter Draw -o game.pb.gz").err, "leave --depth, --min and --filter out"));
  CHECK_FALSE(exists("game.folded"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: files of figures hold what the text would, too") {
  REQUIRE(run("tree game.flamelet --thread Main --filter draw -o draw.csv").exit_code == 0);
  CHECK(read("draw.csv") ==
        "tree,id,parent,depth,name,calls,total_ns,self_ns,category\n"
        "Main,0,,0,[root],0,110000000,0,\n"
        "Main,1,0,1,Frame,10,110000000,0,\n"
        "Main,7,1,2,Draw,10,30000000,30000000,\n");
  REQUIRE(run("tree game.flamelet --depth 1 -o top.json").exit_code == 0);
  CHECK(has(read("top.json"), "\"name\":\"Frame\""));
  CHECK_FALSE(has(read("top.json"), "\"name\":\"Draw\""));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: a narrow terminal keeps the names") {
  const std::string narrow = run("tree game.flamelet --width 40").out;
  CHECK(has(narrow, "     total    share\n"));
  CHECK(has(narrow, "  15.00 ms   10.0 %  │ │   └╴apply\n"));
  CHECK(has(narrow, "(no room for: calls, self)\n"));
  CHECK(has(run("tree game.flamelet --width 60").out, "     total      self    share\n"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: samples of perf without periods are counted, not taken for nanoseconds") {
  write("perf.txt",
        "game  10 [000] 1.000000: cpu-clock: \n\t10 visit (/g)\n\t20 main (/g)\n\n"
        "game  10 [000] 1.010000: cpu-clock: \n\t20 main (/g)\n\n");
  const ToolResult result = good("tree perf.txt --json");
  CHECK(has(result.out, "\"unit\":\"samples\""));
  CHECK_FALSE(has(run("tree perf.txt").out, " ns"));
}

TEST_CASE_FIXTURE(GamePlace,
                  "tree command: a sample of perf without a period among others counts as their mean, and it is said") {
  write("perf.txt",
        "game  10 [000] 1.000000: 250000 cpu-clock: \n\t10 visit (/g)\n\n"
        "game  10 [000] 1.005000: 150000 cpu-clock: \n\t10 visit (/g)\n\n"
        "game  10 [000] 1.010000: cpu-clock: \n\t20 main (/g)\n\n");
  const ToolResult result = good("tree perf.txt");
  CHECK(result.err == "perf.txt: 1 sample is without a period, and counted as the mean period\n");
  CHECK(has(result.out, "  200.0 us  200.0 us         1   33.3 %    └╴main\n"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: the text of perf script is a tree, too") {
  write("perf.txt",
        "game 1/2 10.5: 300 cycles:u:\n\t7f00 inner+0x1 (/bin/game)\n\t7f01 main+0x2 (/bin/game)\n\n"
        "game 1/2 10.6: 700 cycles:u:\n\t7f01 main+0x2 (/bin/game)\n\n");
  const ToolResult result = good("tree - <perf.txt");
  CHECK(result.out ==
        "     total      self   samples    share\n"
        "    1000         0              100.0 %  cycles:u\n"
        "    1000         0           2  100.0 %  └╴[game]\n"
        "    1000       700           2  100.0 %    └╴main\n"
        "     300       300           1   30.0 %      └╴inner\n");
  for (const char* none : {"--frames 1", "--frames-of main", "--time 1s..2s", "--thread game", "--lanes gpu",
                           "--by thread", "--merge-lanes"}) {
    CAPTURE(none);
    CHECK(run(std::string("tree perf.txt ") + none).exit_code == 2);
  }
  CHECK(run("tree perf.txt --event page-faults").exit_code == 1);
}

TEST_CASE_FIXTURE(GamePlace, "tree command: perf's text and traces are told apart, whatever they begin with") {
  const std::string frames = "\t7f00 work+0x1 (/bin/game)\n\n";
  for (const std::string head :
       {"[001] cycles:u: \n", "[001]   100.000001:     250000 cycles:u: \n", "[001] 100.000001: cycles:u: \n",
        "[kthr] 7  1234 [001] 100.000001: 250000 cycles:u: \n", "{foo}  1234 [001] 100.000001: 250000 cycles:u: \n",
        "[ perf record: Woken up 1 times to write data ]\ngame 1 [001] 5.5: 7 cycles:\n",
        "\n\ngame 1 [001] 5.5: 7 cycles:\n", "\n[001] cycles:u: \n"}) {
    CAPTURE(head);
    write("perf.txt", head + frames);
    const ToolResult tree = good("tree perf.txt");
    CHECK(has(tree.out, "work"));
    CHECK(has(run("info perf.txt").err, "perf.txt looks like the text of perf script"));
  }
  const std::string event = R"({"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":2})";
  for (const std::string& json :
       {"[" + event, " [\n " + event + "]", "[[1]," + event + "]", "[17," + event + "]", "[NaN , " + event + "]",
        "[null," + event + "]", "[," + event + "]", "[//\n" + event + "]", "\n\n" + event,
        "{\n\"traceEvents\":[" + event + "]}", "{,\"traceEvents\":[" + event + "]}", "\n\n\n[" + event + "]"}) {
    CAPTURE(json);
    write("trace.json", json);
    CHECK(has(run("tree trace.json").out, "work"));
  }
  // One packet of 10 bytes, then a thread and its slice, all as line feeds and lengths.
  const auto bytes_of = [](std::initializer_list<int> bytes) {
    std::string text;
    for (const int byte : bytes) text += static_cast<char>(byte);
    return text;
  };
  const std::string slice =
      bytes_of({0x0a, 19, 0xe2, 0x03, 14, 0x08, 10, 0x22, 10, 0x08, 1, 0x10, 2, 0x2a, 4, 'M', 'a', 'i', 'n', 0x50, 1}) +
      bytes_of({0x0a, 17, 0x40, 5, 0x50, 1, 0x5a, 11, 0x48, 1, 0x58, 10, 0xba, 0x01, 4, 'w', 'o', 'r', 'k'}) +
      bytes_of({0x0a, 10, 0x40, 9, 0x50, 1, 0x5a, 4, 0x48, 2, 0x58, 10});
  for (const std::string& first : {bytes_of({0x0a, 10, 0xe2, 0x03, 5, 0x08, 5, 0x12, 1, 'q', 0x50, 1}),
                                   bytes_of({0x0a, 10, 0xa2, 0x02, 7}) + "1234567", std::string()}) {
    write("trace", first + slice);
    CHECK(has(run("tree trace").out, "work"));
  }
  for (const char* const head : {"[001] cycles:u: ", "game 1 5.5: 7 cycles:"}) {
    write("perf.txt", head + ("\n" + frames));
    REQUIRE(shell("gzip -c perf.txt", ">perf.gz").exit_code == 0);
    CHECK(has(run("tree perf.gz").err, "If it is the text of perf script, unpack it first.\n"));
  }
}

TEST_CASE_FIXTURE(GamePlace, "tree command: a capture has no events of perf") {
  CHECK(run("tree game.flamelet --event cycles").exit_code == 2);
}

TEST_CASE_FIXTURE(GamePlace, "tree command: what is missing in the text of perf script is said") {
  write("cut.txt", "game 1/2 10.5: 300 cycles:u:\n\t7f00 inner+0x1 (/bin/game)\n\t7f01 ma");
  const ToolResult result = good("tree cut.txt");
  CHECK(result.err ==
        "cut.txt is damaged (it ends too early, so the last sample may lack frames); the rest of it is shown\n");
  CHECK(run("tree cut.txt --strict").exit_code == 3);
  write("stacks.txt", "\t7f00 inner\n\t7f01 main\n\n");
  const ToolResult stacks = run("tree stacks.txt");
  CHECK(stacks.exit_code == 3);
  CHECK(has(stacks.err, "perf script -F comm,tid,time,period,event,ip,sym,dso"));
}

TEST_CASE_FIXTURE(GamePlace, "tree command: a capture comes through a pipe as well, and goes into one that is closed") {
  CHECK(shell("cat game.flamelet | '" FLAMELET_TOOL "' tree - --csv").out == run("tree game.flamelet --csv").out);
  CHECK(run("tree game.flamelet", "| true").err.empty());
}

TEST_CASE_FIXTURE(GamePlace,
                  "tree command: a damaged capture shows what is left of it, and fails if told to be strict") {
  const std::string whole = read("game.flamelet");
  write("cut.flamelet", whole.substr(0, whole.size() - 8));
  ToolResult result = good("tree cut.flamelet");
  CHECK(result.err == "cut.flamelet is damaged (it ends too early); the rest of it is shown\n");
  CHECK(run("tree cut.flamelet --strict").exit_code == 3);
  write("text", "nothing of ours");
  result = run("tree text");
  CHECK(result.exit_code == 3);
  CHECK(has(result.err, "text is neither a capture, nor a trace of a known kind, nor the text of perf script\n"));
  write("utf16", std::string("\xFF\xFE"
                             "g\0 \0"
                             "1\0",
                             8));
  CHECK(has(run("tree utf16").err, "This is text in UTF-16, and no Chrome trace: save it as UTF-8.\n"));
  write("perf.data", "PERFILE2\x68");
  CHECK(has(run("tree perf.data").err, "perf.data is what perf record writes: flamelet tree reads what perf script"));
  CHECK_FALSE(has(result.err, "skipped"));
  write("empty", "");
  CHECK(run("tree empty").exit_code == 3);
}

TEST_CASE_FIXTURE(GamePlace, "tree command: names cannot drive the terminal") {
  GameCapture(0, "\x1b[31mred, \"quoted\"\n").save(path("evil.flamelet"));
  CHECK_FALSE(has(run("tree evil.flamelet").out, "\x1b"));
  CHECK(has(run("tree evil.flamelet --csv").out, "\"\uFFFD[31mred, \"\"quoted\"\"\n\""));
  CHECK(has(run("tree evil.flamelet --json").out, "red, \\\"quoted\\\""));
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "support/building.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace {

// The sixth column of its row.
std::string self_of_loop(const std::string& csv) {
  size_t at = csv.find("\nLoop,");
  for (int column = 0; column < 5 && at != std::string::npos; ++column) at = csv.find(',', at + 1);
  return at == std::string::npos ? csv : csv.substr(at + 1, csv.find(',', at + 1) - at - 1);
}

}  // namespace

TEST_CASE_FIXTURE(GamePlace, "convert command: the name says the format") {
  const ToolResult result = quiet("convert game.flamelet game.json");
  CHECK(has(result.out, "wrote game.json ("));
  CHECK(has(result.out, "100 spans, 10 frames)\n"));
  CHECK(has(read("game.json"), "\"traceEvents\""));
  CHECK(run("convert game.flamelet game.folded").exit_code == 0);
  CHECK(has(read("game.folded"), "Worker 1;Job 40000000\n"));
  CHECK(run("convert game.flamelet game.speedscope.json").exit_code == 0);
  CHECK(has(read("game.speedscope.json"), "speedscope"));
  for (const std::string name : {"game.pb.gz", "game.json.gz", "game.perfetto-trace.gz"}) {
    CHECK(run("convert game.flamelet " + name).exit_code == 0);
    CHECK(read(name).substr(0, 2) == "\x1f\x8b");
  }
}

TEST_CASE_FIXTURE(GamePlace, "convert command: -o names the file as TO does, and one of them is needed") {
  CHECK(has(quiet("convert -o o.json game.flamelet").out, "wrote o.json ("));
  CHECK(run("convert game.flamelet game.json").exit_code == 0);
  CHECK(read("o.json") == read("game.json"));
  CHECK(has(run("convert game.flamelet both.json -o o.json").err, "TO excludes --output\n"));
  CHECK_FALSE(std::filesystem::exists(path("both.json")));
  for (const std::string none : {"", " ''"}) {
    const ToolResult result = run("convert game.flamelet" + none);
    CHECK(result.exit_code == 2);
    CHECK(result.err == "flamelet: TO is required: the file to write\n");
  }
}

TEST_CASE_FIXTURE(GamePlace, "convert command: what is taken for frames is written as frames") {
  CHECK(run("convert game.flamelet physics.flamelet --frames-of Physics").exit_code == 0);
  CHECK(has(run("frames physics.flamelet --no-plots").out, "physics.flamelet: 10 frames, 1 to 10, mean 6.000 ms"));
}

TEST_CASE_FIXTURE(GamePlace, "convert command: a capture stays the same, byte for byte") {
  CHECK(run("convert game.flamelet again.flamelet").exit_code == 0);
  CHECK(read("again.flamelet") == read("game.flamelet"));
  CHECK(run("convert game.flamelet game.flamelet").exit_code == 0);
  CHECK(read("again.flamelet") == read("game.flamelet"));
  CHECK(run("convert game.flamelet small.flamelet.gz").exit_code == 2);
}

TEST_CASE_FIXTURE(GamePlace, "convert command: a trace that came back is the same tree, and the same trace again") {
  REQUIRE(run("convert game.flamelet game.json.gz").exit_code == 0);
  CHECK(run("convert - back.flamelet <game.json.gz").exit_code == 0);
  CHECK(run("tree back.flamelet --csv").out == run("tree game.flamelet --csv").out);
  CHECK(run("tree game.json.gz --csv").out == run("tree game.flamelet --csv").out);
  CHECK(run("convert back.flamelet again.json.gz --process-name game").exit_code == 0);
  CHECK(read("again.json.gz") == read("game.json.gz"));
}

TEST_CASE_FIXTURE(GamePlace, "convert command: no output replaces a file that is read for it") {
  good("convert game.flamelet game.json");
  const std::string before = read("game.json");
  CHECK(error("stats game.json -o ./game.json") == "2: flamelet: cannot write ./game.json: it is read for that\n");
  CHECK(run("gate game.flamelet game.json -- game.flamelet -o game.json").exit_code == 2);
  CHECK(run("convert game.json game.json").exit_code == 2);
  CHECK(read("game.json") == before);
  good("convert game.flamelet game.json");
}

TEST_CASE_FIXTURE(GamePlace, "convert command: a trace that is saved as a capture keeps the order of its lanes") {
  write("sorted.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},
      {"ph":"X","name":"b","pid":1,"tid":2,"ts":0,"dur":1},
      {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":-1}}])");
  REQUIRE(run("convert sorted.json sorted.flamelet").exit_code == 0);
  CHECK(run("info sorted.flamelet --csv").out == run("info sorted.json --csv").out);
  CHECK(has(run("info sorted.flamelet --csv").out, "\nthread 2,thread,2,1,0,1,0\nthread 1,"));
}

TEST_CASE_FIXTURE(GamePlace, "convert command: arrows, which stand behind all scopes in a file, are not called late") {
  std::string events = "[{}";
  for (int i = 0; i < 200; ++i) {
    const std::string at = std::to_string(100 * i) + "}";
    events += R"(,{"ph":"X","name":"a","pid":1,"tid":1,"dur":50,"ts":)" + at;
    events += R"(,{"ph":"s","name":"f","id":1,"pid":1,"tid":1,"ts":)" + at;
    events += R"(,{"ph":"f","name":"f","id":1,"pid":1,"tid":2,"ts":)" + at;
  }
  write("arrows.json", events + "]");
  for (const std::string name : {"arrows.trace.json", "arrows.pftrace"}) {
    REQUIRE(run("convert arrows.json " + name).exit_code == 0);
    CHECK(run("info " + name).err.empty());
  }
}

TEST_CASE_FIXTURE(GamePlace, "convert command: a time that is far from all others changes none of their lengths") {
  std::string events = R"([{"ph":"X","name":"boot","pid":1,"tid":1,"ts":0,"dur":5})";
  for (int i = 0; i < 9; ++i)
    events += R"(,{"ph":"X","name":"w","pid":1,"tid":1,"dur":50.001,"ts":172435680000)" +
              std::to_string(1000 + 100 * i) + "}";
  write("astray.json", events + "]");
  REQUIRE(run("convert astray.json astray.trace.json").exit_code == 0);
  CHECK(run("stats astray.trace.json --csv").out == run("stats astray.json --csv").out);
}

TEST_CASE_FIXTURE(GamePlace, "convert command: through pipes, with the format named") {
  const ToolResult result = good("convert - - --format collapsed <game.flamelet");
  CHECK(has(result.out, "Worker 1;Job 40000000\n"));
  CHECK_FALSE(has(result.out, "wrote"));
  CHECK(run("convert game.flamelet -").exit_code == 2);
  CHECK(run("convert game.flamelet - --format chrome", "| true").err.empty());
}

TEST_CASE_FIXTURE(GamePlace, "convert command: a window of it") {
  CHECK(has(run("convert game.flamelet slow.json --frames 107").out, "10 spans, 1 frame)\n"));
  CHECK(run("convert game.flamelet none.json --frames 7").exit_code == 1);
  CHECK_FALSE(exists("none.json"));
}

TEST_CASE_FIXTURE(GamePlace, "convert command: frames of no length at the edges of a window are in it") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  int64_t at = 0, frame = 0;
  for (const int64_t length : {10, 0, 10, 10, 0, 10}) {
    building.begin(main, at, building.site("Frame"));
    building.end(main, at + length);
    building.frame(static_cast<uint64_t>(++frame), at, at + length);
    at += length;
  }
  write("short.flamelet", recorder_test::save(building.finish()));
  for (const std::string range : {"2..3", "4..5", "2..5", "2..2", "1..6"}) {
    CAPTURE(range);
    CHECK(run("convert short.flamelet part.flamelet --frames " + range).exit_code == 0);
    CHECK(run("convert short.flamelet part.json --frames " + range).exit_code == 0);
    for (const char* const part : {"part.flamelet", "part.json"}) {
      if (range == "2..2" && part == std::string("part.json")) continue;  // has all of the frame behind it
      const std::string frames = run(std::string("frames ") + part + " --csv --top 0").out;
      for (char index = '1'; index <= '6'; ++index)
        CHECK(has(frames, std::string("\n") + index + ",") == (index >= range.front() && index <= range.back()));
    }
  }
}

TEST_CASE_FIXTURE(GamePlace,
                  "convert command: the self time of a call that reaches out of what is held is that inside of it") {
  // A loop around 40 frames of 10 ms; in each, 400 tiles of 20 us, on a thread and on a queue.
  recorder_test::Building building(flamelet_capture_config_default());
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), gpu = building.lane(FLAMELET_LANE_GPU, "GPU");
  building.begin(main, 0, building.site("Loop"));
  for (int64_t frame = 0; frame < 40; ++frame) {
    const int64_t at = frame * 10'000'000;
    for (int64_t tile = 0; tile < 400; ++tile) {
      building.begin(main, at + tile * 20'000, building.site("Tile"));
      building.end(main, at + (tile + 1) * 20'000);
      building.span(gpu, at + tile * 20'000, at + (tile + 1) * 20'000, building.site("Tile"), 0, 0);
    }
    building.frame(static_cast<uint64_t>(frame) + 1, at, at + 10'000'000);
  }
  building.end(main, 400'000'000);
  building.span(gpu, 0, 400'000'000, building.site("Loop"), 0, 0);
  REQUIRE(flamelet_capture_save(building.finish(), INT64_MIN, INT64_MAX, path("loop.flamelet").c_str()) == FLAMELET_OK);
  CHECK(run("convert loop.flamelet part.flamelet --frames 20..21").exit_code == 0);
  for (const std::string lanes : {"threads", "gpu"}) {
    CAPTURE(lanes);
    CHECK(self_of_loop(run("stats loop.flamelet --csv --lanes " + lanes).out) == "80000000");
    const auto self_ns = std::stoll(self_of_loop(run("stats part.flamelet --csv --lanes " + lanes).out));
    // A thread's pages reach beyond the window, by less than two frames at each side: there its children are, too.
    CHECK(self_ns >= 4'000'000);
    CHECK(self_ns <= (lanes == "gpu" ? 4'000'000 : 12'000'000));
  }
}

TEST_CASE_FIXTURE(GamePlace, "convert command: what it cannot do is said, and leaves nothing behind") {
  ToolResult result = run("convert game.flamelet game.txt");
  CHECK(result.exit_code == 2);
  CHECK(has(result.err, "the name game.txt says no format"));
  result = run("convert game.flamelet b.flamelet.gz");
  CHECK(result.exit_code == 2);
  CHECK(has(result.err, "captures are not compressed"));
  CHECK(has(run("convert game.flamelet b.html.gz").err, "in an HTML file the capture is compressed already"));
  REQUIRE(run("convert game.flamelet -", "--format capture | gzip -c >zipped.flamelet.gz").exit_code == 0);
  CHECK(has(run("info zipped.flamelet.gz").err, ": This is a Flamelet capture in gzip: unpack it first.\n"));
  for (const auto& [range, why] : {std::pair<const char*, const char*>{"5s..1s", "the time ends before it begins"},
                                   {"1.5..2.5ms", "a number without a unit is seconds"},
                                   {"3s..3s", "the time is empty"},
                                   {"1x..2", "give a time as"}}) {
    result = run(std::string("convert game.flamelet game.json --time ") + range);
    CHECK(result.exit_code == 2);
    CHECK(has(result.err, why));
  }
  result = run("convert game.flamelet absent/game.json");
  CHECK(result.exit_code == 4);
  CHECK(has(result.err, "cannot write absent/game.json: No such file or directory"));
  CHECK(run("convert game.flamelet - --format chrome", ">/dev/full").exit_code == 4);
  write("text", "nothing of ours");
  CHECK(run("convert text game.json").exit_code == 3);
  CHECK_FALSE(exists("game.json"));
}

TEST_CASE_FIXTURE(GamePlace, "convert command: to one HTML file, or why not") {
  const ToolResult result = run("convert game.flamelet game.html");
  if (result.exit_code == 0) {
    CHECK(has(read("game.html"), "<!doctype html>"));
    CHECK(has(read("game.html"), "data-name=\"game.flamelet\""));
  } else {
    CHECK(result.exit_code == 4);
    CHECK(has(result.err, "cannot write game.html: this flamelet was built without its page, which comes with"));
    CHECK_FALSE(exists("game.html"));
  }
  CHECK(run("convert game.flamelet - --format html").exit_code == result.exit_code);
  CHECK(run("convert game.flamelet game.html.gz").exit_code == 2);
  CHECK(run("convert game.flamelet game.html --gzip").exit_code == 2);
  for (const std::string to : {"game.html", "saved.flamelet", "game.folded", "game.speedscope.json"})
    CHECK(error("convert game.flamelet --process-name game " + to) ==
          "2: flamelet: --process-name is nothing here: only Chrome, Perfetto and pprof have processes\n");
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "game_capture.h"
#include "tool_place.h"

namespace {

using flamelet::tests::has;
using Place = flamelet::tests::GamePlace;
using Result = flamelet::tests::ToolResult;

}  // namespace

TEST_CASE("convert command: the name says the format") {
  const Place place;
  const Result result = place.run("convert game.flamelet game.json");
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(has(result.out, "wrote game.json ("));
  CHECK(has(result.out, "100 spans, 10 frames)\n"));
  CHECK(has(place.read("game.json"), "\"traceEvents\""));
  CHECK(place.run("convert game.flamelet game.folded").exit_code == 0);
  CHECK(has(place.read("game.folded"), "Worker 1;Job 40000000\n"));
  CHECK(place.run("convert game.flamelet game.speedscope.json").exit_code == 0);
  CHECK(has(place.read("game.speedscope.json"), "speedscope"));
  for (const std::string name : {"game.pb.gz", "game.json.gz", "game.perfetto-trace.gz"}) {
    CHECK(place.run("convert game.flamelet " + name).exit_code == 0);
    CHECK(place.read(name).substr(0, 2) == "\x1f\x8b");
  }
}

TEST_CASE("convert command: a capture stays the same, byte for byte") {
  const Place place;
  CHECK(place.run("convert game.flamelet again.flamelet").exit_code == 0);
  CHECK(place.read("again.flamelet") == place.read("game.flamelet"));
  CHECK(place.run("convert game.flamelet game.flamelet").exit_code == 0);
  CHECK(place.read("again.flamelet") == place.read("game.flamelet"));
  CHECK(place.run("convert game.flamelet small.flamelet.gz").exit_code == 2);
}

TEST_CASE("convert command: a trace that came back is the same tree, and the same trace again") {
  const Place place;
  REQUIRE(place.run("convert game.flamelet game.json.gz").exit_code == 0);
  CHECK(place.run("convert - back.flamelet <game.json.gz").exit_code == 0);
  CHECK(place.run("tree back.flamelet --csv").out == place.run("tree game.flamelet --csv").out);
  CHECK(place.run("tree game.json.gz --csv").out == place.run("tree game.flamelet --csv").out);
  CHECK(place.run("convert back.flamelet again.json.gz --process-name game").exit_code == 0);
  CHECK(place.read("again.json.gz") == place.read("game.json.gz"));
}

TEST_CASE("convert command: through pipes, with the format named") {
  const Place place;
  const Result result = place.run("convert - - --format collapsed <game.flamelet");
  CHECK(result.exit_code == 0);
  CHECK(has(result.out, "Worker 1;Job 40000000\n"));
  CHECK_FALSE(has(result.out, "wrote"));
  CHECK(place.run("convert game.flamelet -").exit_code == 2);
  CHECK(place.run("convert game.flamelet - --format chrome", "| true").err.empty());
}

TEST_CASE("convert command: a window of it") {
  const Place place;
  CHECK(has(place.run("convert game.flamelet slow.json --frames 107").out, "10 spans, 1 frame)\n"));
  CHECK(place.run("convert game.flamelet none.json --frames 7").exit_code == 1);
  CHECK_FALSE(place.exists("none.json"));
}

TEST_CASE("convert command: what it cannot do is said, and leaves nothing behind") {
  const Place place;
  Result result = place.run("convert game.flamelet game.txt");
  CHECK(result.exit_code == 2);
  CHECK(has(result.err, "the name game.txt says no format"));
  result = place.run("convert game.flamelet absent/game.json");
  CHECK(result.exit_code == 4);
  CHECK(has(result.err, "cannot write absent/game.json: No such file or directory"));
  CHECK(place.run("convert game.flamelet - --format chrome", ">/dev/full").exit_code == 4);
  place.write("text", "nothing of ours");
  CHECK(place.run("convert text game.json").exit_code == 3);
  CHECK_FALSE(place.exists("game.json"));
}

TEST_CASE("convert command: to one HTML file, or why not") {
  const Place place;
  const Result result = place.run("convert game.flamelet game.html");
  if (result.exit_code == 0) {
    CHECK(has(place.read("game.html"), "<!doctype html>"));
    CHECK(has(place.read("game.html"), "data-name=\"game.flamelet\""));
  } else {
    CHECK(result.exit_code == 4);
    CHECK(has(result.err, "cannot write game.html: this flamelet was built without its page"));
    CHECK_FALSE(place.exists("game.html"));
  }
  CHECK(place.run("convert game.flamelet - --format html").exit_code == result.exit_code);
  CHECK(place.run("convert game.flamelet game.html.gz").exit_code == 2);
  CHECK(place.run("convert game.flamelet game.html --gzip").exit_code == 2);
}

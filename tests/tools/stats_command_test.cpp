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

TEST_CASE("stats command: a row for each scope, with its calls and times") {
  const Result result = Place().run("stats game.flamelet");
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(result.out ==
        "scope    count     total      self       min      mean    median       p95       max\n"
        "Frame       10  110.0 ms      0 ns  9.000 ms  11.00 ms  9.000 ms  29.00 ms  29.00 ms\n"
        "Update      10  80.00 ms      0 ns  6.000 ms  8.000 ms  6.000 ms  26.00 ms  26.00 ms\n"
        "Physics     10  60.00 ms  60.00 ms  4.000 ms  6.000 ms  4.000 ms  24.00 ms  24.00 ms\n"
        "Job         10  40.00 ms  40.00 ms  4.000 ms  4.000 ms  4.000 ms  4.000 ms  4.000 ms\n"
        "Draw        10  30.00 ms  30.00 ms  3.000 ms  3.000 ms  3.000 ms  3.000 ms  3.000 ms\n"
        "eval        20  20.00 ms  10.00 ms  1.000 ms  1.500 ms  1.000 ms  2.000 ms  2.000 ms\n"
        "apply       20  15.00 ms  10.00 ms  500.0 µs  1.000 ms  500.0 µs  1.500 ms  1.500 ms\n"
        "\ncount, total, self: of the sum of 2 threads; the others: of one call\n");
}

TEST_CASE("stats command: per frame, with the frame in which it was worst") {
  const Place place;
  const Result result = place.run("stats game.flamelet --per-frame --filter phys");
  CHECK(result.out ==
        "scope    frames  calls/frame      mean    median       p95       max  in frame\n"
        "Physics      10         1.00  6.000 ms  4.000 ms  24.00 ms  24.00 ms       107\n"
        "\nof the sum of 2 threads in each of 10 frames, those in which a scope did not run included\n");
  // A recursion counts once: 2 ms in each frame.
  CHECK(has(place.run("stats game.flamelet --per-frame --filter eval --csv").out,
            "eval,,10,20,2.000000,20000000,2000000,2000000,2000000,2000000,100\n"));
}

TEST_CASE("stats command: frames, lanes, order and number of rows are chosen") {
  const Place place;
  CHECK(has(place.run("stats game.flamelet --frames 107 --filter physics").out, "24.00 ms  24.00 ms"));
  CHECK(has(place.run("stats game.flamelet --lanes gpu").out, "Shadow     10  20.00 ms"));
  const std::string out = place.run("stats game.flamelet --sort name --top 2").out;
  CHECK(has(out, "Draw "));
  CHECK(has(out, "Frame "));
  CHECK(has(out, "\n5 scopes are not shown (--top 0 shows all)\n"));
  CHECK(place.run("stats game.flamelet --sort colour").exit_code == 2);
  const Result no_column = place.run("stats game.flamelet --per-frame --sort self");
  CHECK(no_column.exit_code == 2);
  CHECK(no_column.err == "flamelet: there is a column self only without --per-frame\n");
  CHECK(place.run("stats game.flamelet --sort frames").err ==
        "flamelet: there is a column frames only with --per-frame\n");
  CHECK(place.run("stats game.flamelet --filter nothing").exit_code == 1);
}

TEST_CASE("stats command: a narrow terminal keeps what matters") {
  const std::string out = Place().run("stats game.flamelet --width 40").out;
  CHECK(has(out, "scope    count     total       max\n"));
  CHECK(has(out, "(no room for: min, median, p95, mean, self)\n"));
}

TEST_CASE("stats command: CSV and JSON have every column") {
  const Place place;
  CHECK(place.run("stats game.flamelet --thread 'Worker 1' --csv").out ==
        "scope,place,count,incomplete,total_ns,self_ns,min_ns,mean_ns,median_ns,p95_ns,p99_ns,max_ns\n"
        "Job,,10,0,40000000,40000000,4000000,4000000,4000000,4000000,4000000,4000000\n");
  CHECK(place.run("stats game.flamelet --thread 'Worker 1' --json").out ==
        "{\"file\":\"game.flamelet\",\"frames\":10,\"scopes\":[{\"scope\":\"Job\",\"place\":\"\",\"count\":10,"
        "\"incomplete\":0,\"total_ns\":40000000,\"self_ns\":40000000,\"min_ns\":4000000,\"mean_ns\":4000000,"
        "\"median_ns\":4000000,\"p95_ns\":4000000,\"p99_ns\":4000000,\"max_ns\":4000000}]}\n");
}

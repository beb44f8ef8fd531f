// SPDX-License-Identifier: MIT
//
// Every command where numbers are written with a decimal comma: what it reads and writes is the same as everywhere.
#include <doctest/doctest.h>

#include <string>

#include "explain/explaining.h"
#include "explain/simulated_game.h"
#include "export/exported.h"
#include "support/comma_locale.h"
#include "tool_place.h"

using namespace flamelet::tests;

using explain_test::SimulatedGame;
using explain_test::Trouble;

namespace {

void add_game(const ToolPlace& place, const char* name, uint32_t seed, Trouble trouble) {
  SimulatedGame game(seed);
  for (int i = 1; i <= 100; ++i) game.add_frame(i == 90 ? trouble : Trouble::kNone, 20);
  place.write(name, recorder_test::save(game.finish()));
}

std::string result_of(const ToolPlace& place, const std::string& environment, const std::string& arguments) {
  for (const char* const name : {"made", "made.svg"}) place.write(name, "");
  const ToolResult result = place.shell(environment + " COLUMNS=100 '" FLAMELET_TOOL "' " + arguments);
  return std::to_string(result.exit_code) + "\n" + result.out + result.err + place.read("made") +
         place.read("made.svg");
}

}  // namespace

TEST_CASE("decimal comma: explain and exports have decimal points in every locale") {
  SimulatedGame game(1);
  for (int i = 1; i <= 100; ++i) game.add_frame(i == 100 ? Trouble::kMoreCalls : Trouble::kNone, 20);
  const flamelet_capture* const capture = game.finish();
  const auto written = [&] {
    const explain_test::Explaining explain;
    const flamelet_explanation why = explain.frame(capture, flamelet_capture_frame_count(capture) - 1);
    std::string text = explain.text(capture, why) + explain.json(capture, why);
    for (const flamelet_export_format format :
         {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_SPEEDSCOPE, FLAMELET_EXPORT_COLLAPSED, FLAMELET_EXPORT_PPROF})
      text += exported(capture, format);
    return text;
  };
  const std::string points = written();
  REQUIRE(has(points, "\"usual_calls\":"));
  const CommaLocale commas;
  if (commas.is_there()) CHECK(written() == points);
}

TEST_CASE("decimal comma: every command reads and writes what it does everywhere") {
  const ToolPlace place;
  add_game(place, "a.flamelet", 1, Trouble::kMoreCalls);
  add_game(place, "b.flamelet", 2, Trouble::kNewScope);
  place.write("budgets.txt", "frame 12.25 p95\nscope 1.75 max Contact\n");
  place.write("perf.log",
              "Frame : update\n3,read,1000,105,1105\n2,collect,11,105,116\n1,update,36,100,136\n"
              "Frame : update\n1,update,1234567,200,1234767\n");
  REQUIRE(place.run("convert a.flamelet a.json").exit_code == 0);
  REQUIRE(place.run("convert a.flamelet a.perfetto-trace").exit_code == 0);
  const char* const kCommands[] = {
      "info a.flamelet",
      "info a.flamelet --json",
      "info a.json --json",
      "info a.perfetto-trace --json",
      "stats a.flamelet",
      "stats a.flamelet --csv --time 0.5s..0.75s",
      "stats a.flamelet --json --per-frame",
      "stats a.json --csv",
      "frames a.flamelet --above 12.5",
      "frames a.flamelet --csv",
      "frames a.flamelet --json --above 12.5",
      "frames a.flamelet -o made.svg",
      "tree a.flamelet --min 0.5",
      "tree a.flamelet --csv",
      "tree a.flamelet --json",
      "locks a.flamelet --json",
      "locks a.flamelet --csv",
      "why a.flamelet",
      "why a.flamelet --json --budget 12.5",
      "diff a.flamelet b.flamelet --min 0.25",
      "diff a.flamelet b.flamelet --csv",
      "diff a.flamelet b.flamelet --json",
      "gate a.flamelet a.flamelet a.flamelet -- b.flamelet b.flamelet b.flamelet --alarms 12.5 --budget 12.5",
      "gate a.flamelet a.flamelet a.flamelet -- b.flamelet b.flamelet b.flamelet --json --alarms 12.5",
      "gate a.flamelet -- b.flamelet --html made --budgets budgets.txt",
      "gate a.flamelet -- b.flamelet --junit made",
      "gate a.flamelet -- b.flamelet --markdown made",
      "budgets learn a.flamelet --margin 12.5 --min 1.5",
      "budgets check budgets.txt a.flamelet",
      "budgets check budgets.txt a.flamelet --json",
      "log stats perf.log --above 0.0015",
      "log stats perf.log --csv",
      "log stats perf.log --json",
      "log cost perf.log",
      "log timeline perf.log",
      "log cost perf.log -o made.svg",
      "convert a.flamelet made --format chrome",
      "convert a.flamelet made --format speedscope --time 0.5s..0.75s",
      "convert a.flamelet made --format collapsed",
      "convert a.flamelet made --format pprof",
      "convert a.flamelet made --format perfetto",
  };
  const CommaLocale commas;
  if (!commas.is_there()) return;
  const std::string preload =
      "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD='" FLAMELET_SET_LOCALE "' FLAMELET_POINT_FILE=point ";
  for (const std::string command : kCommands) {
    CAPTURE(command);
    const std::string points = result_of(place, preload + "LC_ALL=C", command);
    REQUIRE(place.read("point") == ".");
    CHECK(result_of(place, preload + "LC_ALL=" + CommaLocale::name(), command) == points);
    REQUIRE(place.read("point") == ",");
    CHECK_FALSE(has(points, "--help"));  // the command is one
  }
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "game_capture.h"
#include "profiler/record/categories_guard.h"
#include "support/capture.h"
#include "support/recording.h"
#include "tool_place.h"

namespace {

using flamelet::tests::has;
using Place = flamelet::tests::GamePlace;
using Result = flamelet::tests::ToolResult;

}  // namespace

TEST_CASE("info command: says what is in a capture") {
  const Result result = Place().run("info game.flamelet");
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(has(result.out, "file      game.flamelet\nformat    Flamelet capture, version 2, "));
  CHECK(has(result.out, "frames    10, from 100 to 109, mean 12.000 ms\n"));
  CHECK(has(result.out, "damage    none\n"));
  CHECK(has(result.out,
            "lane      kind    id  spans  points  events  lost\n"
            "Main      thread   1     80       0     160     0\n"
            "Worker 1  thread   2     10       0      20     0\n"));
}

TEST_CASE("info command: the same as JSON and the lanes as CSV") {
  const Place place;
  const std::string json = place.run("info game.flamelet --json").out;
  CHECK(has(json, "\"frames\":{\"count\":10,\"first\":100,\"last\":109,\"begin_ns\":0,\"end_ns\":120000000,"));
  CHECK(has(json, "{\"lane\":\"Worker 1\",\"kind\":\"thread\",\"id\":2,\"spans\":10,"));
  CHECK(has(place.run("info game.flamelet --csv").out,
            "lane,kind,id,spans,points,events_held,events_lost\nMain,thread,1,80,"));
}

TEST_CASE("info command: flows are counted, and those that do not pair") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  const auto flow = [&](int64_t time_ns, uint64_t id, bool ends) {
    flamelet_capture_builder_flow(building.builder, lane, time_ns, id, ends);
  };
  flow(1, 1, true);
  flow(2, 1, false);
  flow(3, 2, false);
  flow(4, 2, false);
  flow(5, 2, true);
  const flamelet::tests::ToolPlace place;
  place.write("flows.flamelet", recorder_test::save(building.finish()));
  CHECK(has(place.run("info flows.flamelet").out,
            "flows     3 begun, 2 ends; 2 never ended (1 begun again), 1 end without a begin\n"));
  CHECK(has(place.run("info flows.flamelet --json").out,
            "\"flows\":{\"begins\":3,\"ends\":2,\"open\":2,\"begun_again\":1,\"missing_begins\":1}"));
}

TEST_CASE("info command: categories that were off are named") {
  const recorder_test::AllCategoriesAfterwards guard;
  const recorder_test::Recording recording(recorder_test::small_config());
  flamelet_category_set_enabled("physics", false);
  recorder_test::Capture capture;
  capture.update();
  const flamelet::tests::ToolPlace place;
  place.write("off.flamelet", recorder_test::save(capture));
  CHECK(has(place.run("info off.flamelet").out,
            "off       physics (categories that were not recorded, or not all the time)\n"));
  CHECK(has(place.run("info off.flamelet --json").out, "\"categories_off\":\"physics\""));
}

TEST_CASE("info command: damage is told, and fails only if asked to be strict") {
  const Place place;
  const std::string whole = place.read("game.flamelet");
  std::string damaged = whole;
  damaged[damaged.size() / 2] ^= 1;
  place.write("bad.flamelet", damaged);
  CHECK(has(place.run("info bad.flamelet").out, "damage    1 damaged chunk\n"));
  const Result result = place.run("info bad.flamelet --strict");
  CHECK(result.exit_code == 3);
  CHECK(has(result.out, "1 damaged chunk"));
  place.write("cut.flamelet", whole.substr(0, whole.size() - 8));
  CHECK(has(place.run("info cut.flamelet --json").out, "\"truncated\":true"));
}

TEST_CASE("info command: other tools' traces are read, too") {
  const Place place;
  REQUIRE(place.run("convert game.flamelet game.json").exit_code == 0);
  const Result result = place.run("info game.json");
  CHECK(result.exit_code == 0);
  CHECK(has(result.out, "format    Chrome trace, "));
  CHECK(has(result.out, "frames    10, from 100 to 109, mean 12.000 ms\n"));
  place.write("cut.json", place.read("game.json").substr(0, 2000));
  CHECK(has(place.run("info cut.json").out, "damage    it ends too early\n"));
  CHECK(place.run("info cut.json --strict").exit_code == 3);
  place.write("other.json", "{\"name\": \"no trace\"}");
  CHECK(place.run("info other.json").exit_code == 3);
}

TEST_CASE("info command: scopes that have not ended are named, lane by lane") {
  const Place place;
  place.write(
      "crash.json",
      R"([{"ph":"B","pid":1,"tid":1,"name":"Frame","ts":0},{"ph":"X","pid":1,"tid":2,"name":"Job","ts":0,"dur":9},
    {"ph":"X","pid":1,"tid":1,"name":"Input","ts":1,"dur":2},{"ph":"B","pid":1,"tid":1,"name":"Load level","ts":9}])");
  const std::string out = place.run("info crash.json").out;
  CHECK(has(out, "\n\nlane      open at the end\nthread 1  Frame > Load level\n"));
  CHECK(has(place.run("info crash.json --json").out,
            "\"open_at_end\":[{\"lane\":\"thread 1\",\"open\":\"Frame > Load level\"}]"));
  CHECK_FALSE(has(place.run("info game.flamelet").out, "open at the end"));
}

TEST_CASE("info command: what is no capture is named") {
  const Place place;
  place.write("text", "nothing of ours");
  const Result result = place.run("info text");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "flamelet: text is neither a capture nor a trace of a known kind\n");
  CHECK(place.run("info absent").exit_code == 3);
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <thread>

#include "game_capture.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/categories_guard.h"
#include "profiler/record/page_builder.h"
#include "support/capture.h"
#include "support/recording.h"
#include "tool_place.h"

using namespace flamelet::tests;

TEST_CASE_FIXTURE(ToolPlace,
                  "info command: what the recorder dropped is in the file, by cause, and every command says it") {
  {
    flamelet_config config = recorder_test::small_config();
    config.max_tracks = 1;
    config.max_sites = 16;
    const recorder_test::Recording recording(config);
    for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 80; ++i) flamelet_begin("deep", "", nullptr);
    for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 80; ++i) flamelet_end_top();
    std::thread([] { FLAMELET_SCOPE("beside"); }).join();
    flamelet_fiber_create("fiber");
    recorder_test::Capture capture(recorder_test::Captured::kNow);
    flamelet_capture_dropped dropped;
    flamelet_capture_get_dropped(capture, &dropped);
    CHECK(dropped.dropped_depth == recorder_test::stats().dropped_depth);
    CHECK(dropped.dropped_depth == 80);
    CHECK(dropped.dropped_no_track == 2);
    CHECK(dropped.dropped_fiber == 1);
    const uint64_t version = flamelet_capture_version(capture);
    for (uint32_t i = 0; i < 20; ++i) flamelet_intern(std::to_string(i).c_str());
    for (uint32_t i = 0; i < 20; ++i) flamelet_end(flamelet_begin(std::to_string(i).c_str(), "", nullptr));
    capture.update();
    CHECK(flamelet_capture_version(capture) != version);
    flamelet_capture_get_dropped(capture, &dropped);
    CHECK(dropped.sites_overflowed == recorder_test::stats().sites_overflowed);
    CHECK(dropped.sites_overflowed > 0);
    REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path("game.flamelet").c_str()) == FLAMELET_OK);
    int64_t begin_ns = 0, end_ns = 0;
    REQUIRE(flamelet_capture_extent(capture, &begin_ns, &end_ns));
    REQUIRE(flamelet_capture_save(capture, begin_ns, end_ns, path("part.flamelet").c_str()) == FLAMELET_OK);
  }
  const std::string text =
      "2 events or tracks beyond max_tracks were not recorded, 80 scopes deeper than 120 were not recorded, "
      "1 fiber beyond max_fibers was not recorded, ";
  for (const std::string file : {"game.flamelet", "part.flamelet"}) {
    CAPTURE(file);
    const ToolResult info = run("info " + file);
    CAPTURE(info.out);
    CHECK(has(info.out, "\ndropped   " + text));
    CHECK(has(info.out, " times a site had no room and is called (overflow) (max_sites)\n"));
    CHECK(has(info.out, "\ndamage    none\n"));
    CHECK(has(run("info " + file + " --json").out, "\"dropped\":{\"no_track\":2,\"no_page\":0,\"depth\":80,"));
    for (const std::string command : {"info ", "stats ", "tree "})
      CHECK(has(run(command + file).err, file + " is not complete: " + text));
  }
}

TEST_CASE_FIXTURE(ToolPlace, "info command: GPU passes without an end are said, also after a crash") {
  const auto submit = [](uint32_t track, std::vector<flamelet_event> events) {
    return flamelet_submit(track, events.data(), events.size());
  };
  for (const bool is_ring : {false, true}) {
    CAPTURE(is_ring);
    const std::string ring = path("ring");
    flamelet_config config = recorder_test::small_config();
    if (is_ring) config.ring_path = ring.c_str();
    const recorder_test::Recording recording(config);
    const uint32_t track = flamelet_track_create("GPU", FLAMELET_TRACK_GPU, 1e9);
    flamelet_track_calibrate(track, 0, flamelet_now_ticks());
    const flamelet_event pass = {0, 1, "pass", "", nullptr, 0, 'B', false, 0};
    const flamelet_event end = {10, 1, "", "", nullptr, 0, 'E', false, 0};
    flamelet_event other = pass, last = pass;
    other.id = 2, last.id = 3;
    CHECK(submit(track, {pass, end, other, last}) == 4);
    flamelet_frame();
    const std::string file = is_ring ? "ring" : "game.flamelet";
    if (!is_ring) {
      recorder_test::Capture capture(recorder_test::Captured::kNow);
      REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path(file).c_str()) == FLAMELET_OK);
    }
    const std::string text =
        "\nwaiting   2 begins or ends of GPU passes or other submitted scopes had no partner in the end\n";
    const ToolResult info = run("info " + file);
    CAPTURE(info.out);
    CHECK(has(info.out, text));
    CHECK_FALSE(has(info.out, "\ndropped"));
    CHECK(has(run("info " + file + " --json").out, "\"submit_waiting\":2,"));
    CHECK(info.err.empty());
  }
}

TEST_CASE_FIXTURE(ToolPlace, "info command: submitted spans that no lane was left for are told of by every command") {
  flamelet_config config = recorder_test::small_config();
  config.max_tracks = 2;
  recorder_test::keep_pages(&config, 16);
  const recorder_test::Recording recording(config);
  const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(flamelet_track_calibrate(track, 0, flamelet_now_ticks()) == FLAMELET_OK);
  for (uint16_t i = 1; i <= 3; ++i) {  // each overlaps the one before it
    const flamelet_event events[] = {{i * 5u, 1, "pass", "", nullptr, 0, 'B', false, i},
                                     {i * 5u + 12, 1, "", "", nullptr, 0, 'E', false, i}};
    REQUIRE(flamelet_submit(track, events, 2) == 2);
  }
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path("game.flamelet").c_str()) == FLAMELET_OK);
  const std::string text = "1 submitted span had no lane of its own and is cut where it overlaps another";
  CHECK(has(run("info game.flamelet").out, "\ndropped   " + text + "\n"));
  CHECK(has(run("info game.flamelet --json").out, "\"submit_cut\":1,"));
  CHECK(has(run("stats game.flamelet --csv").err, text));
}

TEST_CASE_FIXTURE(ToolPlace,
                  "info command: extra ends and misuse of fibers are in the file, and every command doubts its times") {
  for (const bool is_ring : {false, true}) {
    CAPTURE(is_ring);
    const std::string ring = path("ring");
    flamelet_config config = recorder_test::small_config();
    config.max_fibers = 2;
    recorder_test::keep_pages(&config, 16);
    if (is_ring) config.ring_path = ring.c_str();
    const recorder_test::Recording recording(config);
    flamelet_frame();
    const flamelet_id scope = flamelet_begin("scope", "", nullptr);
    flamelet_end(scope);
    flamelet_end(scope);
    flamelet_end_top();
    flamelet_fiber_switch(0, 99);
    flamelet_frame();
    CHECK(recorder_test::stats().extra_ends == 2);
    CHECK(recorder_test::stats().fiber_misuse == 1);
    const std::string file = is_ring ? "ring" : "game.flamelet";
    if (!is_ring) {
      recorder_test::Capture capture(recorder_test::Captured::kNow);
      flamelet_capture_dropped dropped;
      flamelet_capture_get_dropped(capture, &dropped);
      CHECK(dropped.extra_ends == 2);
      CHECK(dropped.fiber_misuse == 1);
      REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path(file).c_str()) == FLAMELET_OK);
    }
    const std::string text = "2 ends of scopes that were not open, 1 switch or destroy of a wrong fiber";
    const ToolResult info = run("info " + file);
    CAPTURE(info.out);
    CHECK_FALSE(has(info.out, "\nrepaired"));  // the same ends would be there twice
    CHECK(has(info.out, "\nignored   " + text + "\n"));
    CHECK_FALSE(has(info.out, "\ndropped"));
    CHECK(has(run("info " + file + " --json").out, "\"extra_ends\":2,\"fiber_misuse\":1,"));
    for (const std::string command : {"info ", "stats ", "tree "})
      CHECK(has(run(command + file).err, file + " may have wrong times: " + text + ", which the recorder ignored\n"));
  }
}

TEST_CASE_FIXTURE(ToolPlace, "info command: where the clock jumped in every frame, no length is known") {
  {
    recorder_test::ManualClock clock;
    clock.step = 0;
    clock.ticks = 1;
    const recorder_test::Recording recording(recorder_test::with_clock(recorder_test::small_config(), &clock));
    recorder_test::Capture capture;
    for (int i = 0; i < 3; ++i) {
      flamelet_frame();
      clock.ticks += uint64_t{24} * 3600 * 1'000'000'000;
    }
    capture.update();
    REQUIRE(flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path("jumps.flamelet").c_str()) == FLAMELET_OK);
  }
  const ToolResult info = run("info jumps.flamelet");
  CAPTURE(info.out);
  CHECK(has(info.out, ", no length is known\n"));
  CHECK_FALSE(has(info.out, "mean 0"));
}

TEST_CASE("info command: what a file was saved for is what every command counts") {
  // Frames 103 and 104, and a half of the one before: the page holds all ten. Beside it, the whole under the same name.
  const ToolPlace whole, part;
  const GameCapture game;
  game.save(whole.path("game.flamelet"));
  REQUIRE(flamelet_capture_save(game.capture, 25000000, 50000000, part.path("game.flamelet").c_str()) == FLAMELET_OK);
  int64_t begin_ns = 0, end_ns = 0;
  CHECK_FALSE(flamelet_capture_window(game.capture, &begin_ns, &end_ns));
  const std::string info = part.run("info game.flamelet").out;
  CHECK(has(info, "time      25.000 ms to 50.000 ms (25.000 ms)\n"));
  CHECK(has(info, "frames    2, from 103 to 104, mean 10.000 ms, median 10.000 ms\n"));
  CHECK_FALSE(has(info, "with losses"));
  const ToolResult json = part.run("info game.flamelet --json");
  CHECK(has(json.out, "\"frames\":{\"count\":2,\"first\":103,\"last\":104,"));
  CHECK(has(json.out, "\"lossy\":0,"));
  CHECK(json.err == "");
  CHECK(has(part.run("stats game.flamelet --csv").out, "\nPhysics,,2,"));
  const struct {
    const char* command;
    const char* options;
  } kCommands[] = {
      {"stats", "--csv"},
      {"stats", "--per-frame --csv"},
      {"stats", "--lanes gpu --csv"},
      {"stats", "--frames-of Physics --csv"},
      {"tree", "--csv"},
      {"tree", "--by thread --csv"},
      {"frames", "--csv"},
      {"frames", "--json"},
      {"locks", "--json"},
      {"diff game.flamelet", "--csv"},
      {"diff game.flamelet", "--in-all --by scope --csv"},
      {"budgets learn", ""},
      {"convert", "- --format collapsed"},
      {"convert", "- --format speedscope"},
      {"convert", "- --format chrome"},
      {"convert", "- --format capture"},
  };
  for (const auto& each : kCommands) {
    const std::string command = std::string(each.command) + " game.flamelet " + each.options;
    CAPTURE(command);
    const ToolResult of_part = part.run(command), of_whole = whole.run(command + " --time 25ms..50ms");
    CHECK(of_part.out == of_whole.out);
    CHECK(of_part.exit_code == of_whole.exit_code);
    CHECK(of_part.exit_code <= 1);  // there are no locks
    CHECK(of_part.err == of_whole.err);
  }
  // A part of the part is of both.
  REQUIRE(part.run("convert game.flamelet again.flamelet --time 30ms..").exit_code == 0);
  CHECK(has(part.run("info again.flamelet").out, "time      30.000 ms to 50.000 ms (20.000 ms)\n"));
  CHECK(part.run("stats again.flamelet --csv").out == part.run("stats game.flamelet --csv --time 30ms..").out);
}

TEST_CASE("info command: says what is in a capture") {
  const ToolResult result = GamePlace().quiet("info game.flamelet");
  CHECK(has(result.out, "file      game.flamelet\nformat    Flamelet capture, version 2, "));
  CHECK(has(result.out, "frames    10, from 100 to 109, mean 12.000 ms, median 10.000 ms\n"));
  CHECK(has(result.out, "damage    none\n"));
  CHECK(has(result.out,
            "lane      kind    id  spans  points  events  lost\n"
            "Main      thread   1     80       0     160     0\n"
            "Worker 1  thread   2     10       0      20     0\n"));
}

TEST_CASE_FIXTURE(GamePlace, "info command: the same as JSON and the lanes as CSV") {
  const std::string json = run("info game.flamelet --json").out;
  CHECK(has(json, "\"frames\":{\"count\":10,\"first\":100,\"last\":109,\"begin_ns\":0,\"end_ns\":120000000,"));
  CHECK(has(json, "{\"lane\":\"Worker 1\",\"kind\":\"thread\",\"id\":2,\"spans\":10,"));
  CHECK(
      has(run("info game.flamelet --csv").out, "lane,kind,id,spans,points,events_held,events_lost\nMain,thread,1,80,"));
}

TEST_CASE("info command: counters are listed with their values") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"),
                 other = building.lane(FLAMELET_LANE_THREAD, "Other");
  const auto count = [&](uint32_t lane, int64_t time_ns, const char* name, double value) {
    building.counter(lane, time_ns, building.site(name), value);
  };
  for (int i = 0; i < 5; ++i) count(main, 10 * i, "bodies", 7 - i);
  count(other, 45, "bodies", 2.5);
  count(other, 50, "load", -0.5);
  const ToolPlace place;
  place.write("counters", recorder_test::save(building.finish()));
  INFO(place.run("info counters").out);
  INFO(place.run("info counters --json").out);
  CHECK(has(place.run("info counters").out,
            "\n\ncounter  values    last     min     max\n"
            "bodies        6   2.500   2.500       7\n"
            "load          1  -0.500  -0.500  -0.500\n"));
  CHECK(has(place.run("info counters --json").out,
            "\"counters\":[{\"counter\":\"bodies\",\"values\":6,\"last\":2.5,\"min\":2.5,\"max\":7.0},"
            "{\"counter\":\"load\",\"values\":1,\"last\":-0.5,\"min\":-0.5,\"max\":-0.5}]"));
  CHECK_FALSE(has(GamePlace().run("info game.flamelet").out, "counter"));
}

TEST_CASE(
    "info command: of a cut capture, counters have the values of its time, as points do, not those of its pages") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("load");
  for (int i = 0; i < 20; ++i) flamelet_capture_builder_counter(building.builder, main, 1000 * i, site, i);
  const ToolPlace place;
  place.write("cut", recorder_test::save(building.finish(), 8000, 11500));
  const std::string text = place.run("info cut").out;
  CHECK(has(text, "\n\ncounter  values  last  min  max\nload          4    11    8   11\n"));
  CHECK(has(place.run("info cut --json").out, "\"points\":4,"));
}

TEST_CASE_FIXTURE(recorder_test::Building,
                  "info command: a value of a counter that is no number hides neither its least nor its most") {
  const uint32_t main = lane(FLAMELET_LANE_THREAD, "Main");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  int64_t time_ns = 0;
  for (const double value : {nan, 3.0, nan, -1.0, 2.0, nan}) counter(main, time_ns += 10, site("load"), value);
  counter(main, time_ns, site("none"), nan);
  const ToolPlace place;
  place.write("counters", recorder_test::save(finish()));
  INFO(place.run("info counters").out);
  INFO(place.run("info counters --json").out);
  CHECK(has(place.run("info counters").out,
            "\n\ncounter  values  last  min  max\n"
            "load          6   nan   -1    3\n"
            "none          1   nan  nan  nan\n"));
  CHECK(has(place.run("info counters --json").out,
            "{\"counter\":\"load\",\"values\":6,\"last\":null,\"min\":-1.0,\"max\":3.0},"
            "{\"counter\":\"none\",\"values\":1,\"last\":null,\"min\":null,\"max\":null}]"));
}

TEST_CASE_FIXTURE(ToolPlace, "info command: a counter keeps the digits that are worth reading") {
  const struct {
    const char *value, *text;
  } rows[] = {{"0.0031", "0.0031"}, {"-0.0025", "-0.0025"}, {"-2.9e-8", "-2.9e-08"},
              {"-0.0", "0"},        {"1234.56", "1235"},    {"12.5", "12.50"}};
  for (const auto& row : rows) {
    CAPTURE(row.value);
    write("c.json", R"([{"ph":"C","pid":1,"ts":1,"name":"c","args":{"v":)" + std::string(row.value) + "}}]");
    CHECK(has(quiet("info c.json").out, std::string("  ") + row.text + "\n"));
  }
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  building.counter(main, 10, building.site("c"), std::numeric_limits<double>::infinity());
  write("inf", recorder_test::save(building.finish()));
  CHECK(has(run("info inf --json").out, "\"last\":\"inf\",\"min\":\"inf\",\"max\":\"inf\"}"));
}

TEST_CASE("info command: what an import repairs, leaves out and cannot read is called by its name") {
  const ToolPlace place;
  place.write("c.json", R"([{"ph":"C","pid":1,"ts":1,"name":"c","args":{"v":null}},
      {"ph":"C","pid":1,"ts":2,"name":"c","args":{"v":NaN}},{"ph":"C","pid":1,"ts":3,"name":"c","args":{"v":true}},
      {"ph":"C","pid":1,"ts":4,"name":"c","args":{"v":1}}])");
  CHECK(place.error("info c.json --strict") == "0: c.json: 3 values of counters are no numbers, and left out\n");
  place.write("x.json", R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":-5,"name":"x"}])");
  CHECK(place.error("info x.json") == "0: x.json: 1 time was bad (a missing or negative duration counts as 0)\n");
  place.write("far.json", R"([{"ph":"i","pid":1,"tid":1,"ts":1,"name":"a"},{"ph":"i","pid":1,"tid":1,"ts":2,"name":"a"},
      {"ph":"i","pid":1,"tid":1,"ts":1e300,"name":"a"}])");
  CHECK(has(place.error("info far.json"), "far.json: 1 time was bad (too far from the others)"));
  place.write("bad.json", R"([{"ph":"i","pid":1,"tid":1,"ts":1,"name":"a"},{"ph":"i","pid":1,"tid":1,"name":"a"}])");
  CHECK(has(place.run("info bad.json").out, "events    1 here and 0 frame marks; 1 were read"));
  for (const std::string events : {"{}", "\"x\"", "1"}) {
    place.write("no_array.json", "{\"traceEvents\":" + events + "}");
    CHECK(has(place.error("info no_array.json"), "This is no Chrome trace: its \"traceEvents\" is no array."));
  }
  const std::pair<const char*, std::string> compressors[] = {{"zip", "PK\x03\x04"},
                                                             {"xz",
                                                              "\xFD"
                                                              "7zXZ"},
                                                             {"zstd", "\x28\xB5\x2F\xFD"},
                                                             {"bzip2", "BZh91AY"},
                                                             {"lz4", "\x04\x22\x4D\x18"},
                                                             {"7-Zip", "7z\xBC\xAF\x27\x1C"}};
  for (const auto& [compressor, head] : compressors) {
    place.write("packed", head + "more of it");
    CHECK(place.error("info packed") ==
          "3: flamelet: packed is compressed with " + std::string(compressor) + ": unpack it first\n");
  }
  place.write("s.json", R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]})");
  CHECK(has(place.error("info s.json"), "3: flamelet: cannot read s.json: This is a profile for speedscope"));
  place.write("v8.cpuprofile", R"({"nodes":[{"id":1,"callFrame":{"functionName":"main"}}],"samples":[1]})");
  CHECK(has(place.error("info v8.cpuprofile"), "3: flamelet: cannot read v8.cpuprofile: This is a CPU profile of V8"));
}

TEST_CASE_FIXTURE(GamePlace, "info command: an import takes what is in it, and not what it may take") {
  REQUIRE(run("convert game.flamelet game.json").exit_code == 0);
  const std::string json = run("info game.json --json").out;
  const auto number = [&](const std::string& key) {
    const size_t at = json.find("\"" + key + "\":");
    REQUIRE(at != std::string::npos);
    return std::stoull(json.substr(at + key.size() + 3));
  };
  CHECK(number("memory_limit_bytes") > uint64_t{1023} << 20);
  CHECK(number("memory_bytes") > number("pages") * 1024);
  CHECK(number("memory_bytes") < uint64_t{1} << 28);
  CHECK(has(run("info game.json").out, " MiB, with room for 1"));
}

TEST_CASE("info command: frames and times of threads that went for newer ones are counted") {
  flamelet_capture_config config = flamelet::FedCapture::small_config();
  config.max_frames = 4;
  config.max_thread_times = 3;
  flamelet::FedCapture capture(64, 1e9, config);
  uint64_t ticket = 1;
  flamelet::PageBuilder thread(1, &ticket);
  thread.play("10| 11(0");
  capture.feed(thread);
  flamelet::PageBuilder marks(flamelet::kFrameTrack, &ticket);
  for (uint64_t index = 0; index <= 10; ++index)
    marks.frame(1000 * index + 100, index, false, 1, {{1, flamelet::kTimeRan, 500, 0, 0, 0, 0}});
  capture.feed(marks);
  const ToolPlace place;
  place.write("long.flamelet", recorder_test::save(capture.get()));
  CHECK(has(place.run("info long.flamelet").out,
            "          6 older ones were dropped (max_frames)\n"
            "          1 without times of threads, which were dropped (max_thread_times)\n"));
  const std::string json = place.run("info long.flamelet --json").out;
  CHECK(has(json, "\"times_dropped\":1"));
  CHECK(has(json, "\"frames_dropped\":6,\"thread_times_dropped\":7"));
  CHECK_FALSE(has(GamePlace().run("info game.flamelet").out, "dropped"));
  CHECK(has(place.run("frames long.flamelet").out, "\n6 older frames are in no figure (max_frames)\n"));
  CHECK(has(place.run("frames long.flamelet --json").out, "\"older_frames_dropped\":6"));
  CHECK_FALSE(has(GamePlace().run("frames game.flamelet").out, "older frame"));
}

TEST_CASE("info command: of how many frames the times of threads are known, unless of all") {
  const ToolPlace place;
  for (const uint64_t each : {1u, 4u}) {
    flamelet::FedCapture capture(64, 1e9);
    uint64_t ticket = 1;
    flamelet::PageBuilder thread(1, &ticket);
    thread.play("10| 11(0");
    capture.feed(thread);
    flamelet::PageBuilder marks(flamelet::kFrameTrack, &ticket);
    for (uint64_t index = 0; index <= 20; ++index) {
      if (index % each == 0 && index != 0)
        marks.frame(1000 * index + 100, index, false, 1, {{1, flamelet::kTimeRan, 500, 0, 0, 0, 0}});
      else
        marks.frame(1000 * index + 100, index, false, 1);
    }
    capture.feed(marks);
    place.write("game.flamelet", recorder_test::save(capture.get()));
    const std::string text = place.run("info game.flamelet").out;
    CHECK(has(text, "(how long threads ran, or had no processor, is known of 5 of 19 frames)\n") == (each == 4));
    CHECK(has(text, "is known of") == (each == 4));
    CHECK(has(place.run("info game.flamelet --json").out,
              each == 4 ? "\"times_dropped\":0,\"times_known\":5}" : "\"times_dropped\":0,\"times_known\":20}"));
  }
}

TEST_CASE_FIXTURE(recorder_test::Building, "info command: flows are counted, and those that do not pair") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "Main");
  const auto flow = [&](int64_t time_ns, uint64_t id, bool ends) {
    flamelet_capture_builder_flow(builder, thread, time_ns, id, ends);
  };
  flow(1, 1, true);
  flow(2, 1, false);
  flow(3, 2, false);
  flow(4, 2, false);
  flow(5, 2, true);
  const ToolPlace place;
  place.write("flows.flamelet", recorder_test::save(finish()));
  CHECK(has(place.run("info flows.flamelet").out,
            "flows     3 begun, 2 ends; 2 never ended (1 begun again), 1 end without a begin\n"));
  CHECK(has(place.run("info flows.flamelet --json").out,
            "\"flows\":{\"begins\":3,\"ends\":2,\"open\":2,\"begun_again\":1,\"missing_begins\":1}"));
}

TEST_CASE_FIXTURE(recorder_test::CategoriesGuard, "info command: categories that were off are named") {
  const recorder_test::Recording recording(recorder_test::small_config());
  flamelet_category_set_enabled("physics", false);
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  const ToolPlace place;
  place.write("off.flamelet", recorder_test::save(capture));
  CHECK(has(place.run("info off.flamelet").out,
            "off       physics (categories that were not recorded, or not all the time)\n"));
  CHECK(has(place.run("info off.flamelet --json").out, "\"categories_off\":\"physics\""));
}

TEST_CASE_FIXTURE(recorder_test::CategoriesGuard, "info command: each command says that all categories were off") {
  const recorder_test::Recording recording(recorder_test::small_config());
  const ToolPlace place;
  for (const char* const list : {"-physics", "-*,+ai", "-sounds"}) {
    CHECK(flamelet_categories_apply(list) == FLAMELET_OK);
    for (int i = 0; i < 3; ++i) flamelet_frame();
    recorder_test::Capture capture(recorder_test::Captured::kNow);
    place.write("off.flamelet", recorder_test::save(capture));
    for (const char* const command : {"why", "stats", "frames", "tree", "info"})
      CHECK(has(place.run(command + std::string(" off.flamelet")).err,
                "off.flamelet lacks scopes: all categories not named were off, or for a time (flamelet info: off)\n") ==
            (list != std::string("-physics")));
  }
}

TEST_CASE_FIXTURE(GamePlace, "info command: damage is told, and fails only if asked to be strict") {
  const std::string whole = read("game.flamelet");
  std::string damaged = whole;
  damaged[damaged.size() / 2] ^= 1;
  write("bad.flamelet", damaged);
  CHECK(has(run("info bad.flamelet").out, "damage    1 damaged chunk\n"));
  const ToolResult result = run("info bad.flamelet --strict");
  CHECK(result.exit_code == 3);
  CHECK(has(result.out, "1 damaged chunk"));
  write("cut.flamelet", whole.substr(0, whole.size() - 8));
  CHECK(has(run("info cut.flamelet --json").out, "\"truncated\":true"));
  write("more.flamelet", whole + "more");
  CHECK(run("stats more.flamelet --strict").exit_code == 3);
  CHECK(run("stats more.flamelet").exit_code == 0);
}

TEST_CASE_FIXTURE(GamePlace, "info command: what was made of a damaged file says so, and counts what it holds") {
  std::string damaged = read("game.flamelet");
  const size_t pages = damaged.find("PAGE");
  REQUIRE(pages != std::string::npos);
  damaged[pages + 100] ^= 1;
  write("flipped.flamelet", damaged);
  write("cut.flamelet", damaged.substr(0, damaged.size() - 32));
  run("convert game.flamelet game.json");
  write("cut.json", read("game.json").substr(0, read("game.json").size() / 2));
  run("convert game.flamelet whole.flamelet");
  CHECK(run("info whole.flamelet --strict").exit_code == 0);
  for (const std::string from : {"flipped.flamelet", "cut.flamelet", "cut.json"}) {
    CAPTURE(from);
    CHECK(run("convert " + from + " first.flamelet").exit_code == 0);
    CHECK(run("convert first.flamelet second.flamelet").exit_code == 0);
    for (const std::string file : {"first.flamelet", "second.flamelet"}) {
      const ToolResult info = run("info " + file);
      const std::string places = from == "cut.flamelet" ? "2 damaged or missing places" : "1 damaged or missing place";
      CHECK(has(info.out, "damage    " + places + " in what it was made of\n"));
      CHECK(has(info.out, " frame marks; "));
      CHECK(run("info --strict " + file).exit_code == 3);
    }
  }
}

TEST_CASE_FIXTURE(GamePlace, "info command: other tools' traces are read, too") {
  REQUIRE(run("convert game.flamelet game.json").exit_code == 0);
  const ToolResult result = good("info game.json");
  CHECK(has(result.out, "format    Chrome trace, "));
  CHECK(has(result.out, "frames    10, from 100 to 109, mean 12.000 ms, median 10.000 ms\n"));
  write("cut.json", read("game.json").substr(0, 2000));
  CHECK(has(run("info cut.json").out, "damage    it ends too early\n"));
  CHECK(run("info cut.json --strict").exit_code == 3);
  const std::string event = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":249.5})";
  write("bad.json", "[" + event + ",\n{\"ph\":\"X\"}, 17]");
  const std::string bad = run("info bad.json").out;
  CHECK(has(bad, "damage    2 damaged events, the first at byte 59: it has no time (\"ts\")\n"));
  CHECK(has(bad, "time      0 ns to 249.500 us "));
  CHECK(has(bad, "scopes    1 site\n"));
  write("other.json", "{\"name\": \"no trace\"}");
  CHECK(run("info other.json").exit_code == 3);
}

TEST_CASE("info command: a short time that is long ago has its length to the nanosecond") {
  const ToolPlace place;
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  for (const int64_t at_ns : {int64_t{1700000000000000000}, int64_t{1700000000000995000}})
    building.counter(lane, at_ns, building.site("a"), 1);
  place.write("far.flamelet", recorder_test::save(building.finish()));
  CHECK(has(place.run("info far.flamelet").out, " (995.000 us)\n"));
}

TEST_CASE_FIXTURE(GamePlace, "info command: scopes that have not ended are named, lane by lane") {
  write("crash.json",
        R"([{"ph":"B","pid":1,"tid":1,"name":"Frame","ts":0},{"ph":"X","pid":1,"tid":2,"name":"Job","ts":0,"dur":9},
    {"ph":"X","pid":1,"tid":1,"name":"Input","ts":1,"dur":2},{"ph":"B","pid":1,"tid":1,"name":"Load level","ts":9}])");
  const std::string out = run("info crash.json").out;
  CHECK(has(out, "\n\nlane      open at the end\nthread 1  Frame > Load level\n"));
  CHECK(has(run("info crash.json --json").out,
            "\"open_at_end\":[{\"lane\":\"thread 1\",\"open\":\"Frame > Load level\"}]"));
  CHECK_FALSE(has(run("info game.flamelet").out, "open at the end"));
}

TEST_CASE_FIXTURE(GamePlace, "info command: JSON escapes all controls in names, and text shows none") {
  write("tab.json", R"([{"ph":"X","pid":1,"tid":1,"name":"a\tb\nc\u001bd\u007f\u009b","ts":0,"dur":9}])");
  for (const char* command : {"stats", "tree"}) {
    CAPTURE(command);
    CHECK(has(run(std::string(command) + " --json tab.json").out, "\"a\\tb\\nc\\u001bd\\u007f\\u009b\""));
    CHECK(has(run(std::string(command) + " tab.json").out,
              "a\xEF\xBF\xBD"
              "b\xEF\xBF\xBD"
              "c\xEF\xBF\xBD"
              "d\xEF\xBF\xBD\xEF\xBF\xBD"));
  }
}

TEST_CASE_FIXTURE(GamePlace, "info command: what a trace repairs and what is damaged of gzip is said") {
  write("trail.json", R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":9}]trailing)");
  CHECK(has(run("stats trail.json").err, "at byte 54: it stands behind the end of the trace"));
  REQUIRE(run("convert game.flamelet whole.json.gz").exit_code == 0);
  std::string bytes = read("whole.json.gz");
  bytes[bytes.size() - 8] = static_cast<char>(~bytes[bytes.size() - 8]);
  write("crc.json.gz", bytes);
  CHECK(
      has(error("stats crc.json.gz"), "0: crc.json.gz is damaged (its checksum is wrong); the rest of it is shown\n"));
  write("bad.gz", bytes.substr(0, 10) + "garbage");
  CHECK(
      has(error("stats bad.gz"), "3: flamelet: cannot read bad.gz: The gzip file is damaged right behind its header."));
}

TEST_CASE_FIXTURE(GamePlace, "info command: a trace with many threads is shown whole, and is not damaged") {
  std::string trace = "[";
  for (int i = 1; i <= 5000; ++i)
    trace += std::string(i == 1 ? "" : ",") + R"({"ph":"X","pid":1,"ts":1,"dur":1,"name":"work","tid":)" +
             std::to_string(i) + "}";
  write("threads.json", trace + "]");
  const ToolResult info = run("info threads.json --strict");
  CHECK(info.exit_code == 0);
  CHECK(info.err == "");
  CHECK(has(info.out, "\nevents    5000 here and "));
  CHECK(has(info.out, "\ndamage    none\n"));
}

TEST_CASE_FIXTURE(GamePlace, "info command: what is no capture is named") {
  write("text", "nothing of ours");
  CHECK(error("info text") == "3: flamelet: text is neither a capture nor a trace of a known kind\n");
  write("perf.txt", "# perf script\n\ngame 1 [000] 5.5: 7 cycles:\n\t7f00 main (game)\n\n");
  write("perf.data", "PERFILE2\x68");
  CHECK(error("info perf.txt") ==
        "3: flamelet: perf.txt looks like the text of perf script: flamelet tree reads that\n");
  CHECK(error("info perf.data") ==
        "3: flamelet: perf.data is what perf record writes: flamelet tree reads what perf script prints of it\n");
  CHECK(run("info absent").exit_code == 3);
  write("dump.txt",
        "\n0x2e8@perf.data [0x110]: event: 69\n.\n. ... raw event: size 272 bytes\n.  0000:  45 00  E.\n\n"
        "0 0x2e8 [0x110]: PERF_RECORD_ID_INDEX nr: 1\n ... id: 1458  idx: 0  cpu: 0  tid: 10806\n\n"
        "game 1 [000] 5.5: 7 cycles:\n\t7f00 main (game)\n\n");
  for (const char* command : {"info dump.txt", "why dump.txt", "convert dump.txt a.json", "tree dump.txt"})
    CHECK(error(command) ==
          "3: flamelet: dump.txt is the raw dump of perf script -D: leave -D out, and flamelet tree reads it\n");
  // What flamelet tree does not read is not sent there.
  const std::string ftrace = "# tracer: nop\n#\n  game-100   [001] .... 100.000001: tracing_mark_write: B|100|frame\n";
  write("ftrace.txt", ftrace);
  CHECK(error("info ftrace.txt") == "3: flamelet: ftrace.txt is neither a capture nor a trace of a known kind\n");
  CHECK(run("tree ftrace.txt").exit_code == 3);
  const std::string header = "# ========\n# captured on    : Mon\n# ========\n#\n";
  write("header.txt", header);
  CHECK(has(error("info header.txt"), "3: flamelet: header.txt looks like the text of perf script"));
  CHECK(error("tree header.txt") ==
        "1: flamelet: header.txt has no samples: it is a header of perf script, and nothing else\n");
  write("long.txt", header + "# " + std::string(100000, 'x') + "\ngame 1 [000] 5.5: 7 cycles:\n\t7f00 main (game)\n\n");
  CHECK(has(error("info long.txt"), "long.txt looks like the text of perf script"));
  write("empty.json", "");
  for (const char* command : {"info", "stats", "tree", "frames"}) {
    CAPTURE(command);
    CHECK(error(std::string(command) + " empty.json") == "3: flamelet: empty.json is empty\n");
  }
  write("samples.json",
        R"([{"ph":"P","name":"s","pid":1,"tid":1,"ts":0},{"ph":"P","name":"s","pid":1,"tid":1,"ts":1}])");
  const std::string said = "samples.json: 2 events are of kinds without a place here, and left out\n";
  CHECK(error("stats samples.json") == "1: " + said + "flamelet: samples.json has no lanes: all of it is left out\n");
  write("huge.json", R"([{"ph":"C","name":"c","pid":1,"ts":0,"args":{"v":1e300}}])");
  CHECK(has(run("info huge.json").out, " 1e+300 "));
}

namespace {

// 1000 frames of 10 ms, in each of which Main, in a scope that stays open, has 50 of 0.1 ms; the last frame takes 50.
std::string long_run() {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t step = building.site("step");
  building.begin(main, 0, building.site("run"));
  flamelet_capture_builder_mark_frames(building.builder, main);
  for (int64_t i = 0; i < 1000; ++i) {
    const int64_t at_ns = i * 10000000, end_ns = at_ns + (i == 999 ? 50000000 : 10000000);
    for (int64_t call = 0; call < 50; ++call) {
      building.begin(main, at_ns + call * 200000, step);
      building.end(main, at_ns + call * 200000 + 100000);
    }
    building.frame(static_cast<uint64_t>(i + 1), at_ns, end_ns);
  }
  return recorder_test::save(building.finish());
}

}  // namespace

TEST_CASE("info command: a file without its end has no times and no marks that nobody recorded") {
  const std::string whole = long_run();
  const ToolPlace place;
  place.write("cut.flamelet", whole.substr(0, whole.size() * 6 / 10));
  const ToolResult info = place.run("info cut.flamelet");
  CHECK(has(info.out, "damaged or missing and 0 frame marks; "));
  const std::string all = place.run("info cut.flamelet --json").out;
  CHECK(has(all, "\"events_missing\":"));
  CHECK_FALSE(has(all, "\"events_missing\":0,"));
  CHECK(has(info.out, "damage    it ends too early\n"));
  // What is open ends with the last event, and not where the recording did.
  const std::string stats = place.run("stats cut.flamelet --csv").out;
  const auto field_of = [&](const std::string& scope, int field) {
    size_t at = stats.find("\n" + scope + ",");
    REQUIRE(at != std::string::npos);
    for (int i = 0; i < field; ++i) at = stats.find(',', at) + 1;
    return std::stoll(stats.substr(at));
  };
  const long long steps = field_of("step", 2), run_ns = field_of("run", 4);
  CHECK(steps > 5000);
  CHECK(steps < 45000);
  CHECK(run_ns > (steps - 2) * 200000);
  CHECK(run_ns < (steps + 2) * 200000);
  // The worst frame is one that has events, and that is not the last one.
  const ToolResult why = place.good("why cut.flamelet");
  CHECK_FALSE(has(why.out, "Frame 1000 "));
  CHECK_FALSE(has(why.out, "Events of this frame were lost"));
  // Of a frame whose events are missing nobody knows that no scope ran, and of the others the causes are known.
  const std::string frames = place.run("frames cut.flamelet").out;
  CHECK(has(frames, " lossy "));
  CHECK_FALSE(has(frames, "uninstrumented"));
}

TEST_CASE(
    "info command: time 0 is the earliest event, and events far from all others are said and do not count for it") {
  const ToolPlace place;
  // Ten spans a microsecond apart, and what else there is. `us` is when, of an event named "stray".
  const auto trace = [](bool is_first, const std::string& others) {
    std::string spans;
    for (int i = 0; i < 10; ++i)
      spans += (i == 0 ? "" : ",") +
               std::string(R"({"ph":"X","name":"good","pid":1,"tid":1,"dur":0.5,"ts":171800000000)") +
               std::to_string(1000 + i) + "}";
    return "[" + (is_first ? others + "," + spans : others.empty() ? spans : spans + "," + others) + "]";
  };
  const auto event = [](const std::string& kind, const std::string& us) {
    return R"({"name":"stray","cat":"c","pid":1,"tid":1,)" + kind + R"(,"ts":)" + us + "}";
  };
  const std::string span = R"("ph":"X","dur":0)", counter = R"("ph":"C","args":{"v":1})",
                    instant = R"("ph":"i","s":"t")", begin = R"("ph":"b","id":1)";
  const struct Case {
    std::string text, time, err;
  } cases[] = {
      {trace(false, ""), "time      0 ns to 9.500 us (9.500 us)\n", ""},
      {trace(true, event(span, "0")), "1 event lies elsewhere; with it ", "1 event is more"},
      {trace(false, event(span, "0.000")), "1 event lies elsewhere; with it ", "1 event is more"},
      {trace(false, event(instant, "0")), "1 event lies elsewhere; with it ", "1 event is more"},
      {trace(true, event(counter, "0")), "1 event lies elsewhere; with it ", "1 event is more"},
      {trace(false, event(begin, "0")), "1 event lies elsewhere; with it ", "1 event is more"},
      {trace(true, event(span, "3e15")), "1 event lies elsewhere; with it 0 ns to ", "1 event is more"},
      {trace(true, event(span, "0") + "," + event(span, "1728000000001000")), "2 events lie elsewhere; with them -",
       "2 events are more"},
      // A little before, or long without a gap: these are no strays.
      {trace(false, event(span, "1718000000000999")), "time      0 ns to 10.500 us (10.500 us)\n", ""},
      {trace(false, event(span, "1717999999001000")), "time      0 ns to 1000.010 ms (1000.010 ms)\n", ""},
      {"[" + event(span, "0") + "," + event(span, "36e8") + "," + event(span, "72e8") + "]",
       "time      0 ns to 2 h 0 min (2 h 0 min)\n", ""},
  };
  int file = 0;
  for (const Case& of : cases) {
    CAPTURE(of.text);
    const std::string name = std::to_string(file++) + ".json";
    place.write(name, of.text);
    const ToolResult result = place.run("info " + name);
    CAPTURE(result.out);
    CHECK(result.exit_code == 0);
    CHECK(has(result.out, of.time));
    CHECK(has(result.out, of.err.empty() ? "time      0 ns to " : "time      0 ns to 9.500 us (9.500 us)\n"));
    CAPTURE(result.err);
    CHECK((of.err.empty() ? result.err.empty() : has(result.err, of.err)));
    if (of.err.empty()) continue;
    // The first that can be seen begins at 0, also in the capture that is made of it.
    CHECK(has(place.run("info --json " + name).out, "\"most_events\":{\"begin_ns\":0,"));
    CHECK(place.run("convert " + name + " c.flamelet").exit_code == 0);
    CHECK(has(place.run("info --json c.flamelet").out, "\"most_events\":{\"begin_ns\":0,"));
  }
}

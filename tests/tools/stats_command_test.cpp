// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "game_capture.h"
#include "profiler/record/page_builder.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/clock.h"
#include "support/recording.h"
#include "tool_place.h"

using namespace flamelet::tests;

TEST_CASE("stats command: a row for each scope, with its calls and times") {
  const ToolResult result = GamePlace().quiet("stats game.flamelet");
  CHECK(result.out ==
        "scope    count     total      self       min      mean    median       p95       max\n"
        "Frame       10  110.0 ms      0 ns  9.000 ms  11.00 ms  9.000 ms  29.00 ms  29.00 ms\n"
        "Update      10  80.00 ms      0 ns  6.000 ms  8.000 ms  6.000 ms  26.00 ms  26.00 ms\n"
        "Physics     10  60.00 ms  60.00 ms  4.000 ms  6.000 ms  4.000 ms  24.00 ms  24.00 ms\n"
        "Job         10  40.00 ms  40.00 ms  4.000 ms  4.000 ms  4.000 ms  4.000 ms  4.000 ms\n"
        "Draw        10  30.00 ms  30.00 ms  3.000 ms  3.000 ms  3.000 ms  3.000 ms  3.000 ms\n"
        "eval        20  20.00 ms  10.00 ms  1.000 ms  1.500 ms  1.000 ms  2.000 ms  2.000 ms\n"
        "apply       20  15.00 ms  10.00 ms  500.0 us  1.000 ms  500.0 us  1.500 ms  1.500 ms\n"
        "\ncount, total, self: of the sum of 2 threads; the others: of one call\nwithout 1 GPU queue (--lanes gpu)\n");
}

TEST_CASE("stats command: of frames that are incomplete, the time before the first mark is told apart") {
  recorder_test::Building building;
  for (int64_t i = 0; i < 4; ++i)
    building.frame(static_cast<uint64_t>(i), i * 1000, (i + 1) * 1000,
                   i == 0 ? FLAMELET_FRAME_LOSSY | FLAMELET_FRAME_PARTIAL : FLAMELET_FRAME_LOSSY + 0u);
  const GamePlace place;
  place.write("lossy.flamelet", recorder_test::save(building.finish()));
  CHECK(has(place.run("stats lossy.flamelet").err, ": the start is incomplete; 3 of 3 frames are incomplete\n"));
}

TEST_CASE("stats command: figures of scopes leave out frames that were recorded in part or lost events") {
  // Twenty frames of 10 ms with work of 4; the second ten may have flags, and nothing in them.
  const auto recording = [](uint32_t flags) {
    constexpr int64_t ms = 1'000'000;
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
    for (int64_t i = 0; i < 20; ++i) {
      const int64_t begin_ns = i * 10 * ms;
      const bool is_off = flags != 0 && i >= 10;
      if (!is_off) {
        building.begin(main, begin_ns, building.site("work"));
        building.end(main, begin_ns + 4 * ms);
      }
      building.frame(static_cast<uint64_t>(i + 1), begin_ns, begin_ns + 10 * ms, is_off ? flags : 0);
    }
    return recorder_test::save(building.finish());
  };
  const ToolPlace place;
  place.write("on.flamelet", recording(0));
  place.write("pauses.flamelet", recording(FLAMELET_FRAME_PARTIAL));
  const ToolResult stats = place.run("stats pauses.flamelet --per-frame");
  CHECK(has(stats.out, "\nwork       10         1.00  4.000 ms  4.000 ms  4.000 ms  4.000 ms         1\n"));
  CHECK(has(stats.out,
            "\nof 1 thread in each of 10 frames, those in which a scope did not run included\n"
            "without 10 frames that were recorded in part\n"));
  CHECK(has(place.run("stats pauses.flamelet --per-frame --frames 1..2").out, "\nof 1 thread in each of 2 frames"));
  const std::string diff = place.run("diff on.flamelet pauses.flamelet").out;
  CHECK(has(diff, "A  on.flamelet: 20 frames, mean 10.000 ms, median 10.000 ms; scopes of 1 thread sum to 4.000 ms"));
  CHECK(
      has(diff,
          "B  pauses.flamelet: 10 frames, without 10 frames that were recorded in part, mean 10.000 ms, median 10.000 "
          "ms; scopes of 1 thread sum to 4.000 ms"));
  // What is lost stays known in an export.
  place.write("lossy.flamelet", recording(FLAMELET_FRAME_LOSSY));
  place.run("convert lossy.flamelet lossy.trace.json");
  place.run("convert lossy.flamelet lossy.pftrace");
  for (const std::string file : {"lossy.flamelet", "lossy.trace.json", "lossy.pftrace"}) {
    CAPTURE(file);
    const ToolResult lossy = place.run("stats --per-frame " + file);
    CHECK(lossy.err == file + " is not complete: 10 of 20 frames are incomplete\n");
    CHECK(has(lossy.out, "\nwork       10         1.00  4.000 ms  4.000 ms  4.000 ms  4.000 ms         1\n"));
    CHECK(has(lossy.out, "\nwithout 10 frames with lost events\n"));
    CHECK(has(place.run("stats --per-frame --json " + file).out, "\"frames\":10,\"frames_left_out\":10,"));
    CHECK(has(place.run("stats --json " + file).out, "\"frames\":20,\"frames_left_out\":0,"));
    const std::string change = place.run("diff on.flamelet " + file).out;
    CHECK(has(change, "B  " + file + ": 10 frames, without 10 frames with lost events, mean 10.000 ms"));
    CHECK(has(change, "nothing changed"));
    CHECK(has(place.run("diff --json on.flamelet " + file).out, "\"frames\":10,\"frames_left_out\":10,"));
  }
}

TEST_CASE("stats command: in a window, what a call's children took outside of it is not the call's own") {
  constexpr int64_t us = 1000;
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  building.begin(main, 0, building.site("loop"));
  for (int64_t i = 0; i < 1000; ++i) {  // more than fit into a page
    building.begin(main, i * 1000 * us, building.site("work"));
    building.begin(main, i * 1000 * us, building.site("part"));
    building.end(main, (i * 1000 + 500) * us);
    building.end(main, (i * 1000 + 999) * us);
    building.frame(static_cast<uint64_t>(i + 1), i * 1000 * us, (i + 1) * 1000 * us);
  }
  building.end(main, 1000 * 1000 * us);
  const ToolPlace place;
  place.write("loop.flamelet", recorder_test::save(building.finish()));
  for (const std::string window : {"", " --frames 500", " --frames 1", " --frames 1000", " --time 0.0101..0.0102"}) {
    CAPTURE(window);
    const std::string out = place.run("stats loop.flamelet --csv" + window).out;
    CHECK(has(out, "\nloop,,1,0,1000000000,1000000,"));
    if (!window.empty()) CHECK(has(out, "\nwork,,1,0,999000,499000,"));
  }
}

TEST_CASE_FIXTURE(GamePlace, "stats command: a name is no formula in CSV, and hides nothing on the terminal") {
  const std::string hidden =
      "safe\xE2\x80\xAE"
      "evil";
  int file = 0;
  for (const std::string name : {"=1+1", "+1", "-1", "@a", " =b", "=\"c\",d", hidden.c_str()}) {
    CAPTURE(name);
    const std::string capture = std::to_string(file++) + ".flamelet";
    GameCapture(0, name).save(path(capture));
    const std::string cell = name == hidden       ? "safe<U+202E>evil"
                             : name == "=\"c\",d" ? "\"'=\"\"c\"\",d\""
                                                  : "'" + name;
    CHECK(has(run("stats " + capture + " --csv").out, "\n" + cell + ",,10,"));
    CHECK(has(run("tree " + capture + " --csv").out, "," + cell + ",10,"));
  }
  // What stands in one field may hold a tab and lines (RFC 4180).
  for (const std::string name : {"a\tb\nc", "\t=1"}) {
    const std::string capture = std::to_string(file++) + ".flamelet";
    GameCapture(0, name).save(path(capture));
    const std::string cell = name == "\t=1" ? "\"'\t=1\"" : "\"" + name + "\"";
    CHECK(has(run("stats " + capture + " --csv").out, "\n" + cell + ",,10,"));
    CHECK(has(run("tree " + capture + " --csv").out, "," + cell + ",10,"));
  }
  CHECK(has(run("diff 0.flamelet 1.flamelet --csv --by scope").out, "\n'=1+1,"));
  CHECK(has(run("diff 1.flamelet game.flamelet --csv --keep").out, ",-"));  // a number is as it is
  CHECK(has(run("stats 6.flamelet").out, "safe<U+202E>evil"));
  CHECK(has(run("stats 6.flamelet --json").out, "\"safe\\u202eevil\""));
}

TEST_CASE_FIXTURE(GamePlace, "stats command: per frame, with the frame in which it was worst") {
  const ToolResult result = run("stats game.flamelet --per-frame --filter phys");
  CHECK(result.out ==
        "scope    frames  calls/frame      mean    median       p95       max  in frame\n"
        "Physics      10         1.00  6.000 ms  4.000 ms  24.00 ms  24.00 ms       107\n"
        "\nof the sum of 2 threads in each of 10 frames, those in which a scope did not run included\nwithout 1 GPU "
        "queue (--lanes gpu)\n");
  // A recursion counts once: 2 ms in each frame.
  CHECK(has(run("stats game.flamelet --per-frame --filter eval --csv").out,
            "eval,,10,20,2.000000,20000000,2000000,2000000,2000000,2000000,100,\n"));
  // A call of no length is a call.
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  building.begin(lane, 1'000, building.site("Empty"));
  building.end(lane, 1'000);
  for (int64_t frame = 0; frame < 2; ++frame)
    building.frame(static_cast<uint64_t>(frame) + 1, frame * 5'000, (frame + 1) * 5'000);
  write("empty.flamelet", recorder_test::save(building.finish()));
  CHECK(has(run("stats empty.flamelet --per-frame").out, "Empty       1         0.50  0 ns"));
}

TEST_CASE_FIXTURE(GamePlace, "stats command: frames, lanes, order and number of rows are chosen") {
  CHECK(has(run("stats game.flamelet --frames 107 --filter physics").out, "24.00 ms  24.00 ms"));
  CHECK(has(run("stats game.flamelet --lanes gpu").out, "Shadow     10  20.00 ms"));
  const std::string out = run("stats game.flamelet --sort name --top 2").out;
  CHECK(has(out, "Draw "));
  CHECK(has(out, "Frame "));
  CHECK(has(out, "\n5 scopes are not shown (--top 0 shows all)\n"));
  CHECK(run("stats game.flamelet --sort colour").exit_code == 2);
  CHECK(error("stats game.flamelet --per-frame --sort self") ==
        "2: flamelet: there is a column self only without --per-frame\n");
  CHECK(run("stats game.flamelet --sort frames").err == "flamelet: there is a column frames only with --per-frame\n");
  CHECK(run("stats game.flamelet --filter nothing").exit_code == 1);
}

TEST_CASE("stats command: intervals are content, also where a trace has nothing else") {
  const ToolPlace place;
  place.write("io.json", R"([{"name":"write","cat":"io","ph":"b","ts":10,"pid":1,"tid":1,"id":1},
      {"name":"write","cat":"io","ph":"b","ts":12,"pid":1,"tid":1,"id":2},
      {"name":"write","cat":"io","ph":"e","ts":22,"pid":1,"tid":1,"id":2},
      {"name":"write","cat":"io","ph":"e","ts":30,"pid":1,"tid":1,"id":1},
      {"name":"read","cat":"io","ph":"b","ts":30,"pid":1,"tid":1,"id":3}])");
  struct Case {
    const char* command;
    int exit_code;
    const char* out;  // is in it
  };
  const Case cases[] = {
      {"stats io.json", 0,
       "interval  count     total       min      mean    median       p95       max\n"
       "write         2  30.00 us  10.00 us  15.00 us  10.00 us  20.00 us  20.00 us\n"},
      {"stats io.json --csv", 0, "write,2,0,30000,10000,15000,10000,20000,20000,20000\n"},
      {"stats io.json --json", 0, "\"intervals\":[{\"interval\":\"write\",\"count\":2,"},
      {"stats io.json --filter rea --csv", 0, "read,1,1,0,"},
      {"stats io.json --filter none", 1, ""},
      {"info io.json", 0, "intervals 3, 1 without an end\n"},
      {"info io.json", 0, "time      0 ns to 20.000 us"},
      {"info io.json --json", 0, "\"intervals\":3"},
      {"diff io.json io.json --filter write", 0, "write         30.00 us  30.00 us       0 ns        2        2"},
      {"diff io.json io.json --json", 0, "\"intervals\":[{\"interval\":\"read\""},
  };
  for (const Case& of : cases) {
    CAPTURE(of.command);
    const ToolResult result = place.run(of.command);
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.exit_code == of.exit_code);
    CHECK(has(result.out, of.out));
  }
}

TEST_CASE("stats command: spans that overlap in part count with their whole time, and this is said") {
  const ToolPlace place;
  place.write("gpu.json", R"([{"ph":"X","name":"copy","pid":0,"tid":7,"ts":30,"dur":40},
      {"ph":"X","name":"gemm","pid":0,"tid":7,"ts":50,"dur":200}])");
  const ToolResult result = place.run("stats gpu.json --filter gemm");
  CHECK(has(result.out, "gemm       1  200.0 us"));
  CHECK(result.err == "gpu.json: 1 span that overlaps others of its lane in part stands on a lane beside it\n");
}

TEST_CASE_FIXTURE(recorder_test::Building, "stats command: what is cut, so that it nests, is counted") {
  const uint32_t queue = flamelet_capture_builder_span_lane(builder, FLAMELET_LANE_GPU, 0, string("GPU"), false);
  for (int64_t i = 0; i < 20; ++i) {
    span(queue, i * 100, i * 100 + 10, site("shadow"));
    span(queue, i * 100 + 5, i * 100 + 20, site("lighting"));
  }
  const ToolPlace place;
  place.write("gpu.flamelet", recorder_test::save(finish()));
  CHECK(has(place.run("stats gpu.flamelet --lanes gpu").out,
            "\n20 calls overlap others in part, and count only until the call around them ends\n"));
  CHECK(has(place.run("stats gpu.flamelet --lanes gpu --csv").out, ",,20\n"));
  CHECK(has(place.run("stats gpu.flamelet --lanes gpu --json").out, ",\"cut\":20}"));
  CHECK_FALSE(has(place.run("stats gpu.flamelet --lanes gpu --filter shadow").out, "overlap"));
}

TEST_CASE("stats command: a narrow terminal keeps what matters") {
  const std::string out = GamePlace().run("stats game.flamelet --width 40").out;
  CHECK(has(out, "scope    count     total       max\n"));
  CHECK(has(out, "(no room for: min, median, p95, mean, self)\n"));
}

TEST_CASE_FIXTURE(GamePlace, "stats command: CSV and JSON have every column") {
  CHECK(run("stats game.flamelet --thread 'Worker 1' --csv").out ==
        "scope,place,count,incomplete,total_ns,self_ns,min_ns,mean_ns,median_ns,p95_ns,p99_ns,max_ns,category,cut\n"
        "Job,,10,0,40000000,40000000,4000000,4000000,4000000,4000000,4000000,4000000,,0\n");
  CHECK(run("stats game.flamelet --thread 'Worker 1' --json").out ==
        "{\"file\":\"game.flamelet\",\"frames\":10,\"frames_left_out\":0,\"scopes\":[{\"scope\":\"Job\",\"place\":\"\","
        "\"count\":10,"
        "\"incomplete\":0,\"total_ns\":40000000,\"self_ns\":40000000,\"min_ns\":4000000,\"mean_ns\":4000000,"
        "\"median_ns\":4000000,\"p95_ns\":4000000,\"p99_ns\":4000000,\"max_ns\":4000000,\"category\":\"\",\"cut\":0}]}"
        "\n");
}

TEST_CASE("stats command: calls that are open are said, and one that has only begun is not the shortest") {
  const ToolPlace place;
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("Work");
  building.begin(lane, 0, building.site("Game"));
  building.begin(lane, 0, site);
  building.end(lane, 2'000'000);
  building.begin(lane, 5'000'000, site);
  place.write("open.flamelet", recorder_test::save(building.finish()));
  CHECK(place.run("stats open.flamelet").out ==
        "scope  count     total      self       min      mean    median       p95       max\n"
        "Game       1  5.000 ms  3.000 ms  5.000 ms  5.000 ms  5.000 ms  5.000 ms  5.000 ms\n"
        "Work       2  2.000 ms  2.000 ms  2.000 ms  2.000 ms  2.000 ms  2.000 ms  2.000 ms\n"
        "\ncount, total, self: of 1 thread; the others: of one call\n"
        "2 calls are open: not ended in the capture\n");
  CHECK(has(place.run("stats open.flamelet --filter Work").out, "\n1 call is open: "));
}

TEST_CASE("stats command: intervals that are open are said, as calls are; a mean is rounded") {
  const ToolPlace place;
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("Load");
  building.begin(lane, 0, site);
  building.end(lane, 30'000);
  const auto add = [&](int64_t end_ns, uint32_t end_track, flamelet_id id) {
    flamelet_capture_builder_interval(building.builder, 1, 1'000, end_track, end_ns, id, site, 0, 0);
  };
  add(2'000, 1, 1);
  add(11'000, 1, 2);
  add(19'000, 0, 3);
  flamelet_capture_builder_interval(building.builder, 1, 30'000, 0, 30'000, 4, site, 0, 0);  // has only begun
  flamelet_capture_builder_interval(building.builder, 1, 30'000, 0, 30'000, 5, building.site("Save"), 0, 0);
  place.write("open.flamelet", recorder_test::save(building.finish()));
  const std::string out = place.run("stats open.flamelet").out;
  CHECK(has(out,
            "Load          4  29.00 us  1.000 us  9.667 us  10.00 us  18.00 us  18.00 us\n"
            "Save          1      0 ns      -         -         -         -         -\n"
            "\n3 intervals are open: not ended in the capture\n"));
  CHECK_FALSE(has(out, "call is open"));
}

TEST_CASE_FIXTURE(ToolPlace, "stats command: that times hold some without a processor is said") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  building.begin(lane, 0, building.site("Work"));
  building.end(lane, 10000000);
  building.frame(0, 0, 10000000);
  flamelet_thread_time time = {};
  time.known = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  time.ran_ns = 7000000;
  time.ready_ns = 3000000;
  REQUIRE(flamelet_capture_builder_thread_time(building.builder, 0, lane, &time));
  write("busy.flamelet", recorder_test::save(building.finish()));
  CHECK(has(run("stats busy.flamelet").out, "\nthe times hold 3.000 ms in which a thread had work and no processor\n"));
  CHECK_FALSE(has(run("stats busy.flamelet --filter Work").out, "no processor"));
}

TEST_CASE("stats command: behind a jump of the clock back, calls whose length is unknown are in no mean") {
  const ToolPlace place;
  {
    constexpr uint64_t ms = 1000000, hour = 3600000 * ms;
    const recorder_test::Recording recording(recorder_test::with_still_clock(recorder_test::small_config(), 2 * hour));
    recorder_test::Capture capture;
    for (int frame = 0; frame < 40; ++frame) {
      if (frame == 30) recorder_test::now_ns -= hour;
      const flamelet_id id = flamelet_begin("work", "", nullptr);
      recorder_test::now_ns += 10 * ms;
      flamelet_end(id);
      flamelet_frame();
    }
    capture.update();
    place.write("back.flamelet", recorder_test::save(capture));
  }
  CHECK(has(place.run("stats back.flamelet").out,
            "\nwork      40  300.0 ms  300.0 ms  10.00 ms  10.00 ms  10.00 ms  10.00 ms  10.00 ms\n"));
  CHECK(has(place.run("stats back.flamelet --per-frame").out, "\nwithout 10 frames in which the clock jumped\n"));
  const std::string diff = place.run("diff back.flamelet back.flamelet").out;
  CHECK(has(diff, ", without 10 frames in which the clock jumped, mean 10.000 ms"));
  CHECK_FALSE(has(diff, "recorded in part"));
}

TEST_CASE(
    "stats command, info command: where the states of threads are recorded, scopes ran, were taken off and slept") {
  using namespace flamelet;
  constexpr uint64_t kMs = 1'000'000;
  uint64_t ticket = 1;
  FedCapture capture;
  capture->strings.put(1, {"Load", 4});
  capture->sites.put(0, {1, 0, 0, 0, 0, 0});
  PageBuilder thread(1, &ticket), switches(kSwitchTrack, &ticket);
  thread.new_page(kMs);
  thread.begin(1 * kMs, 0);
  thread.begin(2 * kMs, 0);  // a recursion counts once
  thread.end(10 * kMs);
  thread.end(11 * kMs);
  thread.begin(12 * kMs, 0);
  switches.new_page(kMs / 2);
  switches.thread_switch(kMs / 2, 1, 0, kSwitchIn);
  switches.thread_switch(3 * kMs, 1, 0, kSwitchAsleep);
  switches.thread_switch(6 * kMs, 1, 0, kSwitchIn);
  switches.thread_switch(8 * kMs, 1, 0, kSwitchTakenOff);
  switches.thread_switch(9 * kMs, 1, 0, kSwitchIn);
  switches.thread_switch(20 * kMs, 7, 0, kSwitchLost);
  capture.feed(thread);
  capture.feed(switches);
  capture->states.states = FLAMELET_THREAD_STATES_RECORDED;
  const tests::ToolPlace place;
  place.write("states.flamelet", recorder_test::save(capture.get()));
  const std::string csv = place.run("stats states.flamelet --csv").out;
  CHECK(has(csv, ",max_ns,running_ns,taken_off_ns,asleep_ns,category,cut\n"));
  CHECK(has(csv, ",14000000,1000000,3000000,"));  // 10 ms, and 8 ms of the open one
  CHECK(place.run("stats states.flamelet --sort asleep").exit_code == 0);
  CHECK(has(place.run("info states.flamelet").out,
            "states    of threads recorded: 6 switches here, 7 lost, 0 evicted\n"));
  capture->states.states = FLAMELET_THREAD_STATES_PARANOID;
  place.write("refused.flamelet", recorder_test::save(capture.get()));
  CHECK(has(place.run("info refused.flamelet").out, "Allow it: sudo sysctl kernel.perf_event_paranoid=2\n"));
  CHECK(has(place.run("info refused.flamelet --json").out, "\"thread_states\":\"refused: "));
  CHECK(GamePlace().error("stats game.flamelet --sort asleep") ==
        "2: flamelet: the states of threads are not recorded: there is no column asleep\n");
}

TEST_CASE_FIXTURE(ToolPlace, "stats and tree: scopes of one name are told apart by their categories") {
  write("cats.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":8,"name":"x","cat":"a"},
      {"ph":"X","pid":1,"tid":1,"ts":1,"dur":4,"name":"x","cat":"b"}])");
  const std::string stats = quiet("stats cats.json").out;
  CHECK(has(stats, "\nx (a)      1  8.000 us"));
  CHECK(has(stats, "\nx (b)      1  4.000 us"));
  CHECK(has(quiet("stats cats.json --csv").out, "\nx,,1,0,4000,4000,4000,4000,4000,4000,4000,4000,b,0\n"));
  const std::string tree = quiet("tree cats.json").out;
  CHECK(has(tree, "└╴x (a)\n"));
  CHECK(has(tree, "└╴x (b)\n"));
  CHECK(has(quiet("tree cats.json --csv").out, ",x,1,4000,4000,b\n"));
  CHECK(has(quiet("tree cats.json --json").out, "\"self\":4000,\"category\":\"b\"}"));
}

TEST_CASE("stats and tree: years of calls and intervals are neither too short, nor cut, nor negative") {
  const ToolPlace place;
  std::string trace;
  for (int thread = 1; thread <= 8; ++thread)
    trace += (thread == 1 ? "[" : ",") +
             (R"({"ph":"X","pid":1,"ts":0,"dur":2207520000000000,"name":"long","tid":)" + std::to_string(thread) + "}");
  for (int begin = 0; begin < 8; ++begin)
    for (const std::string end : {R"("b","ts":0)", R"("e","ts":2207520000000000)"})
      trace += R"(,{"pid":1,"cat":"c","name":"open","id":)" + std::to_string(begin) + R"(,"ph":)" + end + "}";
  place.write("years.json", trace + "]");
  CHECK(has(place.good("stats years.json").out,
            "\nlong       8  over 106752 d 0 h  over 106752 d 0 h  25550 d 0 h  25550 d 0 h  25550 d 0 h"));
  CHECK(has(place.good("stats years.json").out, "\nopen          8  over 106752 d 0 h  25550 d 0 h"));
  CHECK(has(place.run("stats years.json --per-frame --frames-of open --csv").out,
            "\nlong,,1,8,8.000000,9223372036854775807,9223372036854775807,"));
  CHECK(has(place.good("tree years.json").out, "\n  204400 d 0 h  204400 d 0 h         8  100.0 %  └╴long\n"));
}

TEST_CASE("stats: calls that end among lost events are said, and so are lossy frames if there are no others") {
  flamelet::FedCapture gap;
  uint64_t ticket = 1;
  flamelet::PageBuilder marks(flamelet::kFrameTrack, &ticket), track(1, &ticket);
  marks.frame(100, 1);
  track.play("100|110(1 120(2 130(3 140) 200|210) 300|310) 320(4 330)");
  track.start(335, 5);
  marks.frame(400, 2);
  gap.feed(marks);
  gap.feed(*track.pages[0]);
  gap.feed(*track.pages[2]);
  const ToolPlace place;
  place.write("gap.flamelet", recorder_test::save(gap.get()));
  INFO(place.run("stats gap.flamelet").out);
  CHECK(has(place.run("stats gap.flamelet").out,
            "\n1 call has no end: lost events; they count until the last event before\n"));
  CHECK(has(place.run("stats gap.flamelet").out, "\n1 interval is open, or the end is among the lost events\n"));
  const std::string note = "with 1 that lost events, as there are no others";
  INFO(place.run("stats gap.flamelet --per-frame").out);
  CHECK(has(place.run("stats gap.flamelet --per-frame").out, "\n" + note + "\n"));
  CHECK(has(place.run("diff gap.flamelet gap.flamelet").out, ": 1 frame, " + note + ", mean "));
}

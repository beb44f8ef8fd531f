// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "plot.h"
#include "tool_place.h"

using namespace flamelet::tests;

TEST_CASE("frames command: names the slow frame, and what made it so") {
  const ToolResult result = GamePlace().good("frames game.flamelet --top 2 --no-plots");
  CHECK(result.out ==
        "game.flamelet: 10 frames, 100 to 109, mean 12.000 ms, median 10.000 ms, 83.3 a second\n\n"
        "     min    median       p90       p95       p99     p99.9       max\n"
        "10.00 ms  10.00 ms  10.00 ms  30.00 ms  30.00 ms  30.00 ms  30.00 ms\n\n"
        "frame        at      took     usual     added    share  cause         in\n"
        "  107  70.00 ms  30.00 ms  10.00 ms  20.00 ms  100.0 %  slower calls  Main: Frame > Update > Physics\n"
        "  100      0 ns  10.00 ms  10.00 ms      -           -  -             -\n");
}

namespace {

// Five frames of 10 ms, but for the fourth, as a Chrome trace of ours. `fill` adds the events of a frame.
template <class Fill>
std::string trace_of(int slow_us, Fill fill) {
  std::string trace =
      "{\"otherData\":{\"producer\":\"flamelet\",\"base_ns\":\"0\"},\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":9,\"args\":{\"name\":\"Frames\"},\"lane\":\"frames\"},"
      "\n";
  const auto span = [&](int thread, const std::string& name, const std::string& category, int at_us, int took_us) {
    trace += "{\"ph\":\"X\",\"pid\":1,\"tid\":" + std::to_string(thread) + ",\"name\":\"" + name + "\",\"cat\":\"" +
             category + "\",\"ts\":" + std::to_string(at_us) + ",\"dur\":" + std::to_string(took_us) + "},\n";
  };
  for (int frame = 0, at_us = 0; frame < 5; ++frame) {
    const int took_us = frame == 3 ? slow_us : 10000;
    trace += "{\"ph\":\"X\",\"pid\":1,\"tid\":9,\"name\":\"Frame\",\"frame\":" + std::to_string(frame) +
             ",\"ts\":" + std::to_string(at_us) + ",\"dur\":" + std::to_string(took_us) + "},\n";
    fill(span, frame == 3, at_us, took_us);
    at_us += took_us;
  }
  return trace + "{}]}";
}

}  // namespace

TEST_CASE("frames command: the cause of a frame is the first one of why") {
  const struct {
    const char* kind;
    const char* row;
    const char* why;
  } kCases[] = {
      {"load", "50000000,,10000000,40000000,1.000000,lock or wait,thread 1: Load level",
       "+40.0 ms  thread 1: Load level: "},
      {"wait", "50000000,,10000000,40000000,1.000000,lock or wait,thread 2: Wait for a job",
       "+40.0 ms  thread 2: Wait for a job: "},
      {"usual", "10000000,,10000000,,,,", "; up to "},
  };
  ToolPlace place;
  for (const auto& each : kCases) {
    CAPTURE(each.row);
    const std::string kind = each.kind;
    const auto fill = [&](const auto& span, bool slow, int at_us, int took_us) {
      const bool loads = slow && kind == "load";
      span(2, "Wait for a job", "wait", at_us, took_us);
      span(1, loads ? "Load level" : "Wait for a job", loads ? "" : "wait", at_us, took_us);
    };
    place.write("game.json", trace_of(kind == "usual" ? 10000 : 50000, fill));
    CHECK(has(place.run("frames game.json --frames 3 --csv").out, std::string("\n3,30000000,") + each.row + "\n"));
    CHECK(has(place.run("why game.json --frame 3").out, each.why));
  }
}

TEST_CASE_FIXTURE(GamePlace, "frames command: frames over a bound are counted, and told by the exit code") {
  const ToolResult result = good("frames game.flamelet --above 16.7 --no-plots");
  CHECK(has(result.out, "1 of 10 frames took more than 16.700 ms (10.0 %)\n"));
  CHECK_FALSE(has(result.out, "\n  100 "));
  CHECK(run("frames game.flamelet --above 40").exit_code == 1);
  CHECK(run("frames game.flamelet --frames 100..106 --above 16.7").exit_code == 1);
  CHECK(run("frames game.flamelet --above x").exit_code == 2);
}

TEST_CASE_FIXTURE(GamePlace, "frames command: a check passes only if there are frames, all within the bound") {
  const ToolResult slow = run("frames game.flamelet --within 16.7 --no-plots");
  CHECK(slow.exit_code == 1);
  CHECK(slow.out == run("frames game.flamelet --above 16.7 --no-plots").out);
  CHECK(run("frames game.flamelet --within 30").exit_code == 0);
  CHECK(run("frames game.flamelet --within 16.7 -o frames.svg").exit_code == 1);
  CHECK(run("frames game.flamelet --frames 500 --within 30").exit_code == 1);
  CHECK(run("frames absent --within 30").exit_code == 3);
  CHECK(run("frames game.flamelet --within 30 --above 30").exit_code == 2);
}

TEST_CASE("frames command: a narrow terminal keeps the frames and the scopes") {
  const std::string out = GamePlace().run("frames game.flamelet --top 1 --no-plots --width 40").out;
  CHECK(has(out,
            "\n     min    median       p99       max\n10.00 ms  10.00 ms  30.00 ms  30.00 ms\n(no room for: p90, "
            "p99.9, p95)\n"));
  CHECK(has(out,
            "\nframe      took  in\n  107  30.00 ms  …ame > Update > Physics\n(no room for: at, usual, "
            "share, cause, added)\n"));
  CHECK(has(GamePlace().run("frames game.flamelet --frames 107").out, "game.flamelet: frame 107, mean 30.000 ms,"));
}

TEST_CASE_FIXTURE(GamePlace, "frames command: plots on the terminal, or the histogram as a picture") {
  const std::string out = run("frames game.flamelet --above 16").out;
  CHECK(has(out, "time of each frame\n"));
  CHECK(has(out, "█ 9\n"));
  CHECK(has(out, "├╌ 16.000 ms\n"));
  CHECK(run("frames game.flamelet -o frames.svg").out == "wrote frames.svg\n");
  CHECK(read("frames.svg").substr(0, 4) == "<svg");
  CHECK(run("frames game.flamelet -o frames.png").exit_code == (flamelet::tools::can_draw_png() ? 0 : 2));
}

TEST_CASE_FIXTURE(GamePlace, "frames command: CSV and JSON") {
  CHECK(run("frames game.flamelet --top 1 --csv").out ==
        "frame,begin_ns,duration_ns,flags,usual_ns,more_ns,share,cause,scope\n"
        "107,70000000,30000000,,10000000,20000000,1.000000,slower calls,Main: Frame > Update > Physics\n");
  const std::string json = run("frames game.flamelet --top 1 --json").out;
  CHECK(has(json, "\"frames\":10,\"first\":100,\"last\":109,\"mean_ns\":12000000.0,\"min_ns\":10000000,"));
  CHECK(has(json, "\"slowest\":[{\"frame\":107,\"begin_ns\":70000000,\"duration_ns\":30000000,"));
}

TEST_CASE_FIXTURE(ToolPlace, "frames command: the index of a frame may be any number") {
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, building.site("Update"));
  building.frame(0, 0, 10);
  building.frame(UINT64_MAX, 10, 30);
  write("game.flamelet", recorder_test::save(building.finish()));
  const std::string last = "18446744073709551615";
  CHECK(has(good("frames game.flamelet --frames 0..").out, "\n" + last + "  10 ns "));
  CHECK(has(good("frames game.flamelet --frames 0.. --csv").out, "\n" + last + ",10,20,"));
  CHECK(has(good("frames game.flamelet --frames 0.. --json").out, "{\"frame\":" + last + ","));
  CHECK(has(run("why game.flamelet --frame " + last).out, "Frame " + last + " took "));
  CHECK(run("why game.flamelet --frame 18446744073709551616").exit_code == 2);
}

TEST_CASE("frames command: the time before the first mark is in no mean, median or bound, and that is said") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  int64_t begin_ns = 0;
  for (uint64_t i = 0; i < 11; ++i) {
    const int64_t end_ns = begin_ns + (i == 0 ? 323 : i == 10 ? 30 : 10) * int64_t{1000000};
    building.begin(main, begin_ns, building.site("Update"));
    building.end(main, end_ns);
    building.frame(i, begin_ns, end_ns, i == 0 ? uint32_t{FLAMELET_FRAME_PARTIAL} : 0);
    begin_ns = end_ns;
  }
  ToolPlace place;
  place.write("game.flamelet", recorder_test::save(building.finish()));
  const ToolResult result = place.good("frames game.flamelet --within 30 --no-plots");
  CHECK(has(result.out,
            "game.flamelet: 10 frames, 1 to 10, mean 12.000 ms, median 10.000 ms, 83.3 a second\n"
            "frame 0, the time before the first mark, took 323.000 ms and is left out\n"));
  CHECK(
      has(place.run("frames game.flamelet --json").out, "\"before_first_mark_ns\":323000000,\"mean_ns\":12000000.0,"));
  // Asked for, it is there.
  CHECK(has(place.run("frames game.flamelet --frames 0.. --no-plots").out, "game.flamelet: 11 frames, 0 to 10, "));
  CHECK(place.run("frames game.flamelet --frames 0.. --within 30").exit_code == 1);
  const std::string info = place.run("info game.flamelet").out;
  CHECK(has(info, "10, from 1 to 10, mean 12.000 ms, median 10.000 ms\n"));
  CHECK(has(info, "frame 0, the time before the first mark, took 323.000 ms and is left out\n"));
  CHECK(has(place.run("diff game.flamelet game.flamelet").out,
            "A  game.flamelet: 10 frames without frame 0, mean 12.000 ms, median 10.000 ms; scopes of 1 thread sum to "
            "12.000 ms a frame\n"));
  CHECK(has(place.run("stats game.flamelet --per-frame --csv").out, "\nUpdate,,10,10,1.0"));
}

namespace {

// 60 ticks of a server of 2 ms, one in the middle of 20, that marks no frames; a client's intervals of 3 ms beside them.
std::string server_without_marks() {
  recorder_test::Building building;
  const uint32_t server = building.lane(FLAMELET_LANE_THREAD, "Server"),
                 client = building.lane(FLAMELET_LANE_THREAD, "Client");
  const uint32_t step = building.site("step"), net = building.site("net"), picture = building.site("Game::run()-frame");
  building.begin(server, 0, building.site("main"));
  for (int64_t i = 0, at_ns = 0; i < 60; ++i) {
    const int64_t ms = 1000000, end_ns = at_ns + (i == 40 ? 20 : 2) * ms;
    building.begin(server, at_ns, step);
    building.begin(server, at_ns, net);
    building.end(server, end_ns - ms);
    building.end(server, end_ns);
    flamelet_capture_builder_interval(building.builder, client, at_ns, client, end_ns, static_cast<flamelet_id>(i + 1),
                                      picture, building.string("Game::run()-frame"), 0);
    at_ns = end_ns + ms;
  }
  return recorder_test::save(building.finish());
}

}  // namespace

TEST_CASE("frames command: where nothing marks frames, it names what can be taken for them") {
  ToolPlace place;
  place.write("server.flamelet", server_without_marks());
  const std::string choices =
      "\n  --frames-of 'Game::run()-frame'   60 intervals, mean 2.300 ms"
      "\n  --frames-of 'step'   60 calls, mean 2.300 ms"
      "\n  --frames-of 'net'   60 calls, mean 1.300 ms\n";
  for (const std::string command : {"frames", "why", "stats --per-frame"}) {
    const ToolResult result = place.run(command + " server.flamelet");
    CHECK(result.exit_code == 1);
    CHECK(has(result.err, "flamelet: there is no complete frame in server.flamelet: nothing marks them there. "));
    CHECK(has(result.err, choices.substr(0, choices.size() - 1)));
  }
  CHECK(has(place.run("info server.flamelet").out, choices));
}

TEST_CASE("frames command: marks of a name keep their numbers in a part of a capture, and in other formats") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), set = building.string("tick");
  for (int64_t i = 0; i < 60; ++i) {
    building.begin(main, 1000 * i, building.site("step"));
    building.end(main, 1000 * i + 500);
    flamelet_capture_builder_named_frame(building.builder, set, static_cast<uint64_t>(i + 1), 1000 * i, 1000 * i + 1000,
                                         0);
  }
  flamelet_capture* const capture = building.finish();
  flamelet::tests::ToolPlace place;
  place.write("game.flamelet", recorder_test::save(capture));
  place.write("cut.flamelet", recorder_test::save(capture, 39000, 42000));
  place.good("convert cut.flamelet cut.json");
  CHECK(has(place.error("frames game.flamelet"), "--frames-of 'tick'   60 times between marks, mean 1.000 us"));
  for (const std::string file : {"game.flamelet", "cut.flamelet", "cut.json"}) {
    CAPTURE(file);
    const std::string json = place.good("frames --json --top 0 --frames-of tick " + file).out;
    for (const char* const frame : {"40,\"begin_ns\":39000", "42,\"begin_ns\":41000"}) CHECK(has(json, frame));
  }
}

TEST_CASE("frames command: instants are named, too, of each lane, behind what took time") {
  const struct {
    const char* more;
    const char* choices;
  } cases[] = {
      {"", "\n  --frames-of 'VSync'   4 times between instants, mean 16.000 ms\n"},
      {R"(,{"ph":"i","name":"VSync","pid":1,"tid":2,"ts":1},{"ph":"i","name":"twice","pid":1,"tid":2,"ts":1})",
       "\n  --frames-of 'thread 1: VSync'   4 times between instants, mean 16.000 ms\n"},
      {R"(,{"ph":"X","name":"f","pid":1,"tid":2,"ts":1,"dur":1000},{"ph":"X","name":"f","pid":1,"tid":2,"ts":2000,"dur":1000},
        {"ph":"X","name":"f","pid":1,"tid":2,"ts":4000,"dur":1000})",
       "\n  --frames-of 'f'   3 calls, mean 1.000 ms\n  --frames-of 'VSync'   4 times between instants, mean 16.000 "
       "ms\n"},
  };
  for (const auto& of : cases) {
    const ToolPlace place;
    std::string events = "[{}";
    for (int i = 0; i < 5; ++i)
      events += R"(,{"ph":"i","name":"VSync","pid":1,"tid":1,"ts":)" + std::to_string(16000 * i) + "}";
    place.write("instants.json", events + of.more + "]");
    CHECK(has(place.error("frames instants.json"), of.choices));
    place.good("frames instants.json --frames-of 'thread 1: VSync'");
  }
}

TEST_CASE("frames command: what is between calls that are frames is in no figure of frames, but in their rate") {
  const ToolPlace place;
  std::string events = R"([{"ph":"X","name":"main","pid":1,"tid":1,"ts":0,"dur":9999})";
  for (int i = 0; i < 10; ++i) {
    const std::string at = std::to_string(i);
    events += R"(,{"ph":"X","name":"tick","pid":1,"tid":1,"ts":)" + at + R"(000,"dur":150})" +
              R"(,{"ph":"X","name":"Idle","pid":1,"tid":1,"ts":)" + at + R"(150,"dur":850})" +
              R"(,{"ph":"b","name":"Wait","cat":"w","id":)" + at + R"(,"pid":1,"tid":1,"ts":)" + at + "200}" +
              R"(,{"ph":"e","name":"Wait","cat":"w","id":)" + at + R"(,"pid":1,"tid":1,"ts":)" + at + "300}";
  }
  place.write("game.json", events + "]");
  CHECK(
      has(place.good("frames game.json --frames-of tick").out, "mean 150.000 us, median 150.000 us, 1000.0 a second"));
  for (const std::string command : {"tree", "stats"}) {
    CAPTURE(command);
    const std::string out = place.good(command + " game.json --frames-of tick --frames 2..4 --json").out;
    CHECK(has(out, "\"tick\""));
    CHECK(has(out, "\"main\""));
    CHECK_FALSE(has(out, "\"Idle\""));
    CHECK_FALSE(has(out, "\"Wait\""));
  }
}

TEST_CASE("frames command: the calls of a scope, or intervals, are frames where they are named") {
  ToolPlace place;
  place.write("server.flamelet", server_without_marks());
  for (const std::string name : {"step", "'Game::run()-frame'", "'Server: step'"}) {
    CAPTURE(name);
    const ToolResult result = place.good("frames server.flamelet --no-plots --frames-of " + name);
    CHECK(has(result.out, "server.flamelet: 60 frames, 1 to 60, mean 2.300 ms, median 2.000 ms, "));
    CHECK(has(result.out, "\n   41  "));
  }
  const ToolResult why = place.good("why server.flamelet --frames-of step");
  CHECK(has(why.out, "Frame 41 took 20.0 ms, 18.0 more than usual (40 frames, 2.0"));
  CHECK(has(why.out, "Server spent 19.0 ms in net: "));
  CHECK(has(place.run("stats server.flamelet --frames-of step --per-frame --csv").out, "\nnet,,60,60,1.0"));
  CHECK(place.run("budgets learn server.flamelet --frames-of step -o budgets").exit_code == 0);
  CHECK(place.run("budgets check budgets server.flamelet --frames-of step").exit_code == 0);
  CHECK(place.run("gate server.flamelet -- server.flamelet --frames-of step").exit_code == 6);  // of one run each
  CHECK(has(place.run("gate server.flamelet -- server.flamelet --frames-of step --json").out, "\"frames\":60,"));
  const ToolResult none = place.run("frames server.flamelet --frames-of nobody");
  CHECK(none.exit_code == 1);
  CHECK(has(none.err, "nothing whole in server.flamelet is called nobody; it has, for example:\n"));
}

TEST_CASE("frames command: a scope of several lanes is no frame until one of them is named") {
  ToolPlace place;
  place.write("game.json", trace_of(50000, [](const auto& span, bool, int at_us, int) {
                span(1, "tick", "", at_us, 4000);
                span(2, "tick", "", at_us, 6000);
              }));
  const ToolResult both = place.run("frames game.json --frames-of tick");
  CHECK(both.exit_code == 2);
  CHECK(has(both.err, "tick is on 2 lanes of game.json: name one of them:\n  --frames-of '"));
  const size_t at = both.err.find("'") + 1;
  const std::string lane = both.err.substr(at, both.err.find("'", at) - at);
  CHECK(has(place.run("frames game.json --no-plots --frames-of '" + lane + "'").out, ": 5 frames, 1 to 5, mean "));
}

TEST_CASE("frames command: of lanes of one name, the fullest has the frames, and others those that overlap none") {
  ToolPlace place;
  std::string trace = R"([{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"Pool"}},
      {"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"Pool"}})";
  const auto add = [&](int thread, int at) {
    trace += R"(,{"ph":"X","pid":1,"name":"tick","dur":5,"tid":)" + std::to_string(thread) +
             ",\"ts\":" + std::to_string(at) + "}";
  };
  for (int i = 0; i < 4; ++i) add(1, 10 * i);
  for (int i = 0; i < 3; ++i) add(2, 20 * i + 1);
  place.write("pool.json", trace + "]");
  const ToolResult frames = place.run("frames pool.json --no-plots --frames-of tick");
  CHECK(frames.err == "pool.json: 2 of 7 tick overlap others and are no frames\n");
  CHECK(has(frames.out, ": 5 frames, 1 to 5, mean 5.000 us"));
  const std::string none = place.error("frames pool.json");
  CHECK(has(none, "\n  --frames-of 'Pool: tick'   4 calls"));
  CHECK(none.find("Pool: tick") == none.rfind("Pool: tick"));
  place.write("twice.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"a"}])");
  CHECK(has(place.error("frames twice.json"), ": nothing marks them, and nothing was there three times\n"));
}

TEST_CASE_FIXTURE(ToolPlace, "frames command: an instant begins a frame, which the next one ends") {
  std::string trace = "[";
  for (const int ms : {5, 0, 45, 10, 40}) {  // in any order
    const std::string us = std::to_string(ms * 1000);
    trace += R"({"ph":"i","name":"Present","pid":1,"tid":1,"ts":)" + us + "},\n" +
             R"({"ph":"i","name":"Other","pid":1,"tid":2,"ts":)" + us + "},\n";
  }
  write("game.json", trace);
  const ToolResult result = run("frames game.json --no-plots --frames-of Present");
  CHECK(result.err == "");
  CHECK(has(result.out, "game.json: 4 frames, 1 to 4, mean 11.250 ms, median 5.000 ms"));
  write("once.json", R"([{"ph":"i","name":"Present","pid":1,"tid":1,"ts":1}])");
  CHECK(run("frames once.json --frames-of Present").exit_code == 1);
}

TEST_CASE("set frames: in the order of their times and indices, and of no live capture") {
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, building.site("Update"));
  flamelet_capture* const capture = building.finish();
  const flamelet_frame_info frames[] = {{1, 10, 20, FLAMELET_FRAME_LOSSY, 7}, {2, 20, 40, 0, 0}, {2, 50, 60, 0, 0}};
  CHECK(flamelet_capture_set_frames(capture, frames, 3) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_set_frames(capture, nullptr, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_frame_count(capture) == 0);
  for (int again = 0; again < 2; ++again) CHECK(flamelet_capture_set_frames(capture, frames, 2) == FLAMELET_OK);
  CHECK(flamelet_capture_frame_count(capture) == 2);
  const flamelet_frame_info frame = recorder_test::frame_of(capture, 0);
  CHECK(frame.begin_ns == 10);
  CHECK(frame.end_ns == 20);
  CHECK(frame.flags == FLAMELET_FRAME_LOSSY);
  CHECK(frame.thread == 7);
  CHECK(flamelet_capture_set_frames(capture, nullptr, 0) == FLAMELET_OK);
  CHECK(flamelet_capture_frame_count(capture) == 0);
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* live = nullptr;
  REQUIRE(flamelet_capture_create(&config, &live) == FLAMELET_OK);
  CHECK(flamelet_capture_set_frames(live, frames, 2) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_capture_destroy(live);
}

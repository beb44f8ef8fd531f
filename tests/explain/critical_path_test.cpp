// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "explain/explaining.h"
#include "explain/story.h"
#include "explain/task_graph.h"
#include "rounds.h"

namespace explain_test::critical_path_test {
namespace {

std::vector<Stretch> path_of(const flamelet_explain* explain, const flamelet_explanation& why) {
  std::vector<Stretch> path;
  for (size_t i = 0; i < why.piece_count; ++i) {
    const flamelet_piece& piece = why.pieces[i];
    flamelet_explain_scope scope;
    REQUIRE(flamelet_explain_path(explain, piece.path, &scope));
    append(&path, {piece.begin_ns, piece.end_ns, piece.lane, scope.lane != UINT32_MAX ? 0 : scope.name,
                   (piece.flags & FLAMELET_PIECE_WAIT) != 0});
  }
  return path;
}

std::string text_of(const std::vector<Stretch>& path) {
  std::string text;
  for (const Stretch& at : path)
    text += std::to_string(at.begin_ns) + "-" + std::to_string(at.end_ns) + "@" + std::to_string(at.lane) + ":" +
            std::to_string(at.name) + (at.waits ? "w " : " ");
  return text;
}

// A capture of one frame from 0 to 1000 or a later end, with the lanes Main (0), Worker (1), Other (2) and Queue (3).
struct OneFrame {
  recorder_test::Building building;
  uint32_t lanes[4];

  explicit OneFrame(int64_t end_ns = 1000) {
    constexpr const char* kNames[] = {"Main", "Worker", "Other", "Queue"};
    for (uint32_t i = 0; i < 4; ++i)
      lanes[i] = flamelet_capture_builder_span_lane(building.builder, i == 3 ? FLAMELET_LANE_GPU : FLAMELET_LANE_THREAD,
                                                    0, building.string(kNames[i]), true);
    flamelet_capture_builder_frame(building.builder, 1, 0, end_ns, 0);
  }
  void work(uint32_t lane, int64_t begin_ns, int64_t end_ns, const char* name) {
    building.span(lanes[lane], begin_ns, end_ns, building.site(name));
  }
  void wait(uint32_t lane, int64_t begin_ns, int64_t end_ns, const char* name) {
    building.span(lanes[lane], begin_ns, end_ns, building.site(name, FLAMELET_WAIT_CATEGORY));
  }
  void flow(uint32_t from, int64_t from_ns, uint32_t to, int64_t to_ns, uint64_t id = 1) {
    flamelet_capture_builder_flow(building.builder, lanes[from], from_ns, id, false);
    flamelet_capture_builder_flow(building.builder, lanes[to], to_ns, id, true);
  }
  // "Main:begin-end name", with "?" behind it for "probably" and "w" for a wait.
  std::string path(int64_t tolerance_ns = 10) {
    flamelet_capture* const capture = building.finish();
    flamelet_explain_config config = flamelet_explain_config_default();
    config.tolerance_ns = tolerance_ns;
    config.main_lane = 0;
    const Explaining explain(config);
    const flamelet_explanation why = explain.frame(capture, 0);
    std::string text;
    for (size_t i = 0; i < why.piece_count; ++i) {
      const flamelet_piece& piece = why.pieces[i];
      text += recorder_test::text_of(recorder_test::lane_of(capture, piece.lane).name) + ":" +
              std::to_string(piece.begin_ns) + "-" + std::to_string(piece.end_ns) + " " +
              explain.path(capture, piece.path) + ((piece.flags & FLAMELET_PIECE_PROBABLY) != 0 ? "?" : "") +
              ((piece.flags & FLAMELET_PIECE_WAIT) != 0 ? "w" : "") + ", ";
    }
    return text;
  }
};

}  // namespace

TEST_CASE("critical path: in work the innermost scope has the time, and what is in no scope is said") {
  OneFrame frame;
  frame.work(0, 100, 900, "Update");
  frame.work(0, 200, 300, "Physics");
  CHECK(frame.path() ==
        "Main:0-100 no scope, Main:100-200 Update, Main:200-300 Update > Physics, Main:300-900 Update, "
        "Main:900-1000 no scope, ");
}

TEST_CASE("critical path: a wait's time is that of the lane from which a flow leads to it") {
  OneFrame frame;
  frame.work(0, 0, 1000, "Update");
  frame.wait(0, 100, 900, "Join");
  frame.work(1, 50, 800, "Job");
  frame.work(1, 300, 400, "Plan");
  frame.work(2, 50, 895, "Bystander");  // ends nearer to the wait's end
  frame.flow(1, 790, 0, 895);
  CHECK(frame.path() ==
        "Main:0-100 Update, Worker:100-300 Job, Worker:300-400 Job > Plan, Worker:400-790 Job, "
        "Main:790-900 Update > Joinw, Main:900-1000 Update, ");
}

TEST_CASE("critical path: a flow may end a little behind the wait") {
  OneFrame frame;
  frame.wait(0, 0, 900, "Join");
  frame.work(0, 900, 1000, "Use");
  frame.work(1, 0, 800, "Job");
  frame.flow(1, 800, 0, 905);
  CHECK(frame.path() == "Worker:0-800 Job, Main:800-900 Joinw, Main:900-1000 Use, ");
}

TEST_CASE("critical path: of several flows the one that began last was waited for") {
  OneFrame frame;
  frame.wait(0, 0, 1000, "Join");
  frame.work(1, 0, 500, "Early");
  frame.work(2, 0, 950, "Late");
  frame.flow(2, 950, 0, 999, 1);
  frame.flow(1, 500, 0, 1000, 2);
  CHECK(frame.path() == "Other:0-950 Late, Main:950-1000 Joinw, ");
}

TEST_CASE("critical path: work that two lanes hand to each other, however often, is followed to its begin") {
  constexpr int kTimes = 90;
  OneFrame frame;
  frame.wait(0, 0, 1000, "Join");
  std::string expected;
  for (int i = 0; i < kTimes; ++i) {
    const uint32_t lane = 1 + static_cast<uint32_t>(i % 2);
    frame.work(lane, i * 11, i * 11 + 9, lane == 1 ? "Broadphase" : "Solve");
    frame.flow(lane, i * 11 + 9, i == kTimes - 1 ? 0 : 3 - lane, i * 11 + 11, static_cast<uint64_t>(i) + 1);
    const std::string begin = std::to_string(i * 11), end = std::to_string(i * 11 + 9);
    if (i != 0)
      expected += (lane == 1 ? "Worker:" : "Other:") + std::to_string(i * 11 - 2) + "-" + begin + " no scope, ";
    expected += (lane == 1 ? "Worker:" : "Other:") + begin + "-" + end + (lane == 1 ? " Broadphase, " : " Solve, ");
  }
  CHECK(frame.path(1) == expected + "Main:988-1000 Joinw, ");
}

TEST_CASE("critical path: work that began late leads to who gave it, and else the wait stays one") {
  OneFrame frame;
  frame.wait(0, 0, 1000, "Join");
  frame.work(1, 600, 1000, "Job");
  frame.flow(1, 1000, 0, 1000, 1);
  SUBCASE("nobody") {
    CHECK(frame.path() == "Main:0-600 Joinw, Worker:600-1000 Job, ");
  }
  SUBCASE("another lane") {
    frame.work(2, 0, 450, "Prepare");
    frame.flow(2, 400, 1, 605, 2);
    CHECK(frame.path() == "Other:0-400 Prepare, Worker:400-600 no scope, Worker:600-1000 Job, ");
  }
}

TEST_CASE("critical path: a lane that paused between two works had the second one, if it was asked for before that") {
  OneFrame frame;
  frame.wait(0, 0, 1000, "Join");
  frame.work(1, 100, 500, "First");
  frame.work(1, 600, 1000, "Second");
  frame.flow(2, 150, 1, 605, 1);
  frame.flow(1, 1000, 0, 1000, 2);
  CHECK(frame.path() == "Main:0-100 Joinw, Worker:100-500 First, Worker:500-600 no scope, Worker:600-1000 Second, ");
}

TEST_CASE("critical path: who asked for earlier work of a lane did not ask for what it does after a pause") {
  OneFrame frame;
  frame.wait(0, 0, 1000, "Join");
  frame.work(1, 100, 500, "First");
  frame.work(1, 600, 1000, "Second");
  frame.flow(2, 50, 1, 105, 1);
  frame.flow(1, 1000, 0, 1000, 2);
  CHECK(frame.path() == "Main:0-600 Joinw, Worker:600-1000 Second, ");
}

TEST_CASE("critical path: in a long wait, who was waited for may pause for a thousandth of it") {
  OneFrame frame(100000);
  frame.wait(0, 0, 100000, "Join");
  frame.flow(1, 100000, 0, 100000);
  SUBCASE("as long") {
    frame.work(1, 0, 49950, "First");
    frame.work(1, 50010, 100000, "Second");
    CHECK(frame.path() == "Worker:0-49950 First, Worker:49950-50010 no scope, Worker:50010-100000 Second, ");
  }
  SUBCASE("longer") {
    frame.work(1, 0, 49800, "First");
    frame.work(1, 50010, 100000, "Second");
    CHECK(frame.path() == "Main:0-50010 Joinw, Worker:50010-100000 Second, ");
  }
}

TEST_CASE("critical path: without a flow it is probably the lane whose work ended there, and had most of it") {
  OneFrame frame;
  frame.work(0, 0, 1000, "Update");
  frame.wait(0, 100, 900, "Lock");
  frame.work(1, 200, 895, "Hold");
  frame.work(2, 890, 899, "Tick");
  CHECK(frame.path() ==
        "Main:0-100 Update, Main:100-200 Update > Lockw, Worker:200-895 Hold?, Main:895-900 Update > Lockw, "
        "Main:900-1000 Update, ");
}

TEST_CASE("critical path: a queue is waited for, too") {
  OneFrame frame;
  frame.work(0, 0, 400, "Render");
  frame.wait(0, 400, 1000, "Present");
  frame.work(3, 300, 998, "Shadows");
  CHECK(frame.path() == "Main:0-400 Render, Queue:400-998 Shadows?, Main:998-1000 Presentw, ");
}

TEST_CASE("critical path: nobody ended there, so it stays a wait") {
  OneFrame frame;
  frame.wait(0, 0, 1000, "Sleep");
  frame.work(1, 0, 700, "Job");
  CHECK(frame.path() == "Main:0-1000 Sleepw, ");
}

TEST_CASE("critical path: lanes that wait for each other at one time end the search") {
  OneFrame frame;
  frame.wait(0, 0, 1000, "A");
  frame.wait(1, 0, 1000, "B");
  frame.flow(1, 1000, 0, 1000, 1);
  frame.flow(0, 1000, 1, 1000, 2);
  CHECK(frame.path(0).substr(0, 5) != "");  // and the pieces tile the frame, which is checked of all
}

TEST_CASE("critical path: of a frame with more pieces than there is room for, the rest is one piece, and it is said") {
  recorder_test::Building building;
  const uint32_t lane =
      flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string("Main"), true);
  for (int64_t i = 0; i < 100; ++i) building.span(lane, 10 * i, 10 * i + 5, building.site("Work"));
  flamelet_capture_builder_frame(building.builder, 1, 0, 1000, 0);
  flamelet_capture* const capture = building.finish();
  flamelet_explain_config config = flamelet_explain_config_default();
  SUBCASE("pieces") {
    config.max_pieces = 5;
  }
  SUBCASE("spans") {
    config.max_spans = 20;
  }
  const Explaining explain(config);
  const flamelet_explanation why = explain.frame(capture, 0);
  CHECK((why.flags & FLAMELET_EXPLAIN_OVER_LIMITS) != 0);
}

// FLAMELET_GRAPHS=100000: so many of them, instead of 3000.
TEST_CASE("critical path: of random task graphs it is the one that they were made from, to the nanosecond" *
          doctest::test_suite("gate")) {
  constexpr uint32_t kFrames = 200;  // of each capture, each a graph
  const char* const asked = std::getenv("FLAMELET_GRAPHS");
  const uint32_t captures = asked ? static_cast<uint32_t>(std::stoul(asked)) / kFrames : rounds(15);
  size_t stretches = 0, on_workers = 0, on_queues = 0, waits = 0;
  for (uint32_t seed = 1; seed <= captures; ++seed) {
    const uint32_t workers = 1 + seed % 6;
    CAPTURE(seed);
    TaskGraph graph(seed, workers, seed % 3);
    std::vector<std::vector<Stretch>> expected;
    for (uint32_t i = 0; i < kFrames; ++i) expected.push_back(graph.add_frame());
    flamelet_capture* const capture = graph.finish();
    flamelet_explain_config config = flamelet_explain_config_default();
    config.tolerance_ns = 0;
    config.main_lane = 0;
    config.baseline_frames = 1;
    config.max_paths = 1u << 17;  // each frame has its own
    const Explaining explain(config);
    for (uint32_t i = 0; i < kFrames; ++i) {
      CAPTURE(i);
      const flamelet_explanation why = explain.frame(capture, i);
      const std::vector<Stretch> path = path_of(explain, why);
      REQUIRE((why.flags & FLAMELET_EXPLAIN_OVER_LIMITS) == 0);
      if (!(path == expected[i])) FAIL("expected " << text_of(expected[i]) << "\nfound " << text_of(path));
      for (const Stretch& stretch : path) {
        ++stretches;
        on_workers += stretch.lane != 0 && stretch.lane <= workers;
        on_queues += stretch.lane > workers;
        waits += stretch.waits;
      }
    }
  }
  std::printf("%u task graphs: %zu stretches, %zu of workers, %zu of GPU queues, %zu waits\n", captures * kFrames,
              stretches, on_workers, on_queues, waits);
  // Each kind is there, so each was compared.
  for (const size_t count : {on_workers, on_queues, waits}) CHECK(count * 50 > stretches);
}

TEST_CASE("critical path: a flow that comes from beyond the limit of lanes is from nobody") {
  flamelet_explain_config config = flamelet_explain_config_default();
  config.max_lanes = 3;
  Story story(config);
  const uint32_t beyond = story.lane("Beyond");
  story.wait(story.main, 0, 30 * kMs, "Wait");
  story.work(story.main, 30 * kMs, 40 * kMs, "Draw");
  story.work(beyond, 0, 30 * kMs, "Bake");
  story.flow(beyond, 30 * kMs - 1000, story.main, 30 * kMs);
  flamelet_capture_builder_frame(story.building.builder, 1, 0, 40 * kMs, 0);
  story.capture = story.building.finish();
  story.why = story.explain.frame(story.capture, 0);
  CHECK((story.why.flags & FLAMELET_EXPLAIN_OVER_LIMITS) != 0);
  REQUIRE(story.why.piece_count == 2);
  CHECK(story.why.pieces[0].lane == 0);  // Main
  CHECK((story.why.pieces[0].flags & FLAMELET_PIECE_WAIT) != 0);
}

}  // namespace explain_test::critical_path_test

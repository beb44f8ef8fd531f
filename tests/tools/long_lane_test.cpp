// SPDX-License-Identifier: MIT
//
// A lane with ten times the spans of what any command holds at once, inside of scopes that are open all the while: each
// command says the same as sums made by hand.
#include <doctest/doctest.h>

#include <string>

#include "run.h"
#include "support/building.h"
#include "tool_place.h"

namespace {

using flamelet::tests::has;
using flamelet::tests::ToolResult;

constexpr int kFrames = 40;
constexpr int64_t kSteps = 100, kLastSteps = 170000, kAllSteps = (kFrames - 1) * kSteps + kLastSteps;
constexpr int64_t kSpans = 2 * kAllSteps + kFrames + 1;
constexpr int64_t kFrameNs = 1000000, kStepNs = 80, kInnerNs = 50, kLastNs = kFrameNs + 100 * kLastSteps,
                  kAllNs = (kFrames - 1) * kFrameNs + kLastNs;
static_assert(kSpans > 10 * (int64_t{1} << 15), "a command holds so many");

// Program, which never ends > Frame > Step > Inner.
class LongLane : public flamelet::tests::ToolPlace {
 public:
  LongLane() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{64} << 20;
    recorder_test::Building building(config);
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
    const uint32_t frame = building.site("Frame"), step = building.site("Step"), inner = building.site("Inner");
    building.begin(lane, 0, building.site("Program"));
    int64_t begin_ns = 0;
    for (int i = 0; i < kFrames; ++i) {
      building.begin(lane, begin_ns, frame);
      int64_t now_ns = begin_ns;
      for (int64_t n = i + 1 == kFrames ? kLastSteps : kSteps; n != 0; --n, now_ns += 100) {
        building.begin(lane, now_ns, step);
        building.begin(lane, now_ns + 10, inner);
        building.end(lane, now_ns + 10 + kInnerNs);
        building.end(lane, now_ns + kStepNs);
      }
      const int64_t end_ns = begin_ns + (i + 1 == kFrames ? kLastNs : kFrameNs);
      building.end(lane, end_ns);
      flamelet_capture_builder_frame(building.builder, static_cast<uint64_t>(i), begin_ns, end_ns, 0);
      begin_ns = end_ns;
    }
    write("long.flamelet", recorder_test::save(building.finish()));
  }

  std::string out(const std::string& command, int exit_code = 0) const {
    const ToolResult result = run(command);
    CAPTURE(command);
    CAPTURE(result.err);
    CHECK(result.exit_code == exit_code);
    return result.out;
  }
};

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

}  // namespace

TEST_CASE("long lane: every command reads all of its spans" * doctest::test_suite("gate")) {
  const LongLane place;
  const auto text = [](int64_t number) { return std::to_string(number); };
  const std::string steps = text(kAllSteps), steps_ns = text(kAllSteps * kStepNs);
  const std::string self_ns = text(kAllSteps * (kStepNs - kInnerNs)), inner_ns = text(kAllSteps * kInnerNs);
  const std::string all_ns = text(kAllNs), frame_self_ns = text(kAllNs - kAllSteps * kStepNs);

  const std::string info = place.out("info long.flamelet");
  CHECK(has(info, "\nMain  thread   1  " + text(kSpans) + "       0  " + text(2 * kSpans - 1) + "     0\n"));
  CHECK(has(info, "\nMain  Program\n"));
  const std::string stats = place.out("stats long.flamelet --csv");
  CHECK(has(stats, "\nFrame,,40,0," + all_ns + "," + frame_self_ns + ","));
  CHECK(has(stats, "\nStep,," + steps + ",0," + steps_ns + "," + self_ns + ",80,80,80,80,80,80\n"));
  CHECK(has(stats, "\nInner,," + steps + ",0," + inner_ns + "," + inner_ns + ",50,50,50,50,50,50\n"));
  const std::string per_frame = place.out("stats long.flamelet --per-frame --csv");
  CHECK(has(per_frame, "\nProgram,,40,1,"));
  CHECK(has(per_frame, "\nStep,,40," + steps + ","));
  CHECK(has(per_frame, ",8000,8000," + text(kLastSteps * kStepNs) + ",39\n"));
  CHECK(place.out("tree long.flamelet --csv") ==
        "tree,id,parent,depth,name,calls,total_ns,self_ns\nMain,0,,0,[root],0," + all_ns + ",0\nMain,1,0,1,Program,1," +
            all_ns + ",0\nMain,2,1,2,Frame,40," + all_ns + "," + frame_self_ns + "\nMain,3,2,3,Step," + steps + "," +
            steps_ns + "," + self_ns + "\nMain,4,3,4,Inner," + steps + "," + inner_ns + "," + inner_ns + "\n");
  CHECK(has(place.out("frames long.flamelet --csv"),
            "\n39,39000000," + text(kLastNs) + ",," + text((kLastSteps - kSteps) * kInnerNs) + ","));
  CHECK(has(place.out("why long.flamelet"),
            ": " + text(kLastSteps) + " calls, usually 100, each about as long as usual"));
  CHECK(has(place.out("why long.flamelet --baseline long.flamelet"), ": " + text(kLastSteps) + " calls, usually 100,"));
}

TEST_CASE("long lane: what compares captures reads all of its spans" * doctest::test_suite("gate")) {
  const LongLane place;
  const std::string step_ns = std::to_string(kAllSteps * kStepNs / kFrames);
  CHECK(has(place.out("diff long.flamelet long.flamelet --csv"),
            "> Step,,130425,130425,0," + step_ns + "," + step_ns + ",0,"));
  place.write("b", "scope 13.6 Step\n");
  place.out("budgets check b long.flamelet");
  place.write("b", "scope 13.599999 Step\n");
  place.out("budgets check b long.flamelet", 5);
  // As the gate reads each run.
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, place.path("long.flamelet").c_str(), &capture, nullptr) == FLAMELET_OK);
  flamelet::tools::PathNames names;
  const flamelet::tools::Run run = flamelet::tools::read_run(capture, 0, kFrames, &names);
  double calls = 0, self_ns = 0;
  for (const flamelet::tools::RunPath& path : run.paths) {
    calls += path.calls;
    self_ns += path.self.mean_ns;
  }
  CHECK(calls == doctest::Approx(static_cast<double>(kSpans) / kFrames));
  CHECK(self_ns == doctest::Approx(static_cast<double>(kAllNs) / kFrames));
  flamelet_capture_destroy(capture);
}

TEST_CASE("long lane: every format has all of its spans" * doctest::test_suite("gate")) {
  const LongLane place;
  for (const char* const name : {"a.flamelet", "a.json", "a.perfetto-trace", "a.speedscope.json", "a.folded", "a.pb"})
    place.out(std::string("convert long.flamelet ") + name);
  CHECK(has(place.out("info a.flamelet"), "  " + std::to_string(kSpans) + "       0  "));
  CHECK(has(place.out("info a.json"), "  " + std::to_string(kSpans) + "       0  "));
  CHECK(has(place.out("info a.perfetto-trace"), "  " + std::to_string(kSpans) + "       0  "));
  CHECK(count(place.read("a.json"), "\"ph\":\"X\"") == static_cast<size_t>(kSpans + kFrames));
  CHECK(count(place.read("a.speedscope.json"), "\"type\":\"O\"") == static_cast<size_t>(kSpans));
  CHECK(has(place.read("a.folded"), ";Step " + std::to_string(kAllSteps * (kStepNs - kInnerNs)) + "\n"));
  CHECK(has(place.read("a.folded"), ";Inner " + std::to_string(kAllSteps * kInnerNs) + "\n"));
  CHECK(!place.read("a.pb").empty());
}

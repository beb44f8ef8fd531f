// SPDX-License-Identifier: MIT
#include "run.h"

#include <doctest/doctest.h>

#include "tools/game_capture.h"

using flamelet::tests::GameCapture;
using flamelet::tools::PathNames;
using flamelet::tools::read_run;
using flamelet::tools::Run;
using flamelet::tools::RunPath;

namespace {

const RunPath& path_of(const Run& run, const PathNames& names, const std::string& text) {
  for (uint32_t path = 1; path < names.size(); ++path)
    if (names.text(path) == text) return run.path(path);
  FAIL("there is no path " << text);
  return run.path(0);
}

}  // namespace

TEST_CASE("run: paths have the time of a usual frame and of a mean one") {
  const GameCapture game;
  PathNames names;
  const Run run = read_run(game.capture, 0, SIZE_MAX, &names);
  REQUIRE(run.frames_ns.size() == 10);
  CHECK(run.frames_ns[0] == 10000000);
  CHECK(run.frames_ns[7] == 30000000);
  const RunPath& physics = path_of(run, names, "Frame > Update > Physics");
  CHECK(physics.self.typical_ns == 4e6);
  CHECK(physics.self.mean_ns == doctest::Approx(6e6));
  CHECK(physics.calls == 1);
  const RunPath& frame = path_of(run, names, "Frame");
  CHECK(frame.self.typical_ns == 0);
  CHECK(frame.inclusive.typical_ns == 9e6);
  CHECK(frame.inclusive.mean_ns == doctest::Approx(11e6));
  const RunPath& eval = path_of(run, names, "Frame > Update > eval");
  CHECK(eval.self.typical_ns == 0.5e6);
  CHECK(path_of(run, names, "Frame > Update > eval > apply").calls == 2);
  CHECK(path_of(run, names, "GPU > Shadow").self.typical_ns == 2e6);
  CHECK(path_of(run, names, "Job").self.typical_ns == 4e6);
}

TEST_CASE("run: a second run has the same paths, and only the frames that were asked for") {
  PathNames names;
  const Run first = read_run(GameCapture().capture, 0, SIZE_MAX, &names);
  const size_t paths = names.size();
  const Run second = read_run(GameCapture(2, "Particles").capture, 7, 8, &names);
  CHECK(names.size() == paths + 1);
  CHECK(second.frames_ns == std::vector<int64_t>{30000000});
  CHECK(path_of(second, names, "Frame > Update > Physics").self.typical_ns == 24e6);
  CHECK(path_of(second, names, "Job").self.typical_ns == 6e6);
  CHECK(path_of(first, names, "Frame > Draw > Particles").calls == 0);
}

TEST_CASE("run: partial frames and those with losses are left out") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t flags[] = {FLAMELET_FRAME_PARTIAL, 0, FLAMELET_FRAME_LOSSY, 0};
  for (int64_t i = 0; i < 4; ++i) {
    building.begin(main, i * 1000, building.site("Work"));
    building.end(main, i * 1000 + 100 * (i + 1));
    flamelet_capture_builder_frame(building.builder, static_cast<uint64_t>(i), i * 1000, i * 1000 + 1000, flags[i]);
  }
  PathNames names;
  const Run run = read_run(building.finish(), 0, SIZE_MAX, &names);
  CHECK(run.frames_ns.size() == 2);
  CHECK(run.partial_frames == 1);
  CHECK(run.lossy_frames == 1);
  CHECK(path_of(run, names, "Work").self.mean_ns == 300);
  CHECK(path_of(run, names, "Work").calls == 1);
}

TEST_CASE("run: a span counts in the frame in which it begins; a wait is no work of its callers") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  building.begin(main, 500, building.site("Load"));
  building.begin(main, 1200, building.site("Lock", "wait"));
  building.end(main, 1300);
  building.end(main, 2100);
  for (uint64_t i = 0; i < 4; ++i)
    flamelet_capture_builder_frame(building.builder, i, static_cast<int64_t>(i) * 1000,
                                   static_cast<int64_t>(i) * 1000 + 1000, 0);
  building.finish();
  PathNames names;
  const Run run = read_run(building.capture, 0, SIZE_MAX, &names);
  const RunPath& load = path_of(run, names, "Load");
  CHECK(load.self.mean_ns == 1500 / 4.0);
  CHECK(load.inclusive.mean_ns == 1500 / 4.0);
  CHECK(load.calls == 0.25);
  const RunPath& lock = path_of(run, names, "Load > Lock");
  CHECK(lock.self.mean_ns == 100 / 4.0);
  CHECK(lock.self.typical_ns == 100 / 4.0);
  CHECK(lock.inclusive.mean_ns == 0);
  // What began before the frames is not theirs.
  CHECK(path_of(read_run(building.capture, 1, SIZE_MAX, &names), names, "Load").calls == 0);
}

TEST_CASE("run: steps that fall into other frames from run to run take the same") {
  PathNames names;
  const auto typical = [&](bool is_uneven) {
    recorder_test::Building building;
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Simulation");
    for (int64_t i = 0; i < 20; ++i) {
      const int64_t at = i * 1000 + (is_uneven && i % 2 == 0 ? 1000 : 0) + (is_uneven && i % 2 == 1 ? 500 : 0);
      building.begin(lane, at, building.site("Step"));
      building.end(lane, at + 300);
      flamelet_capture_builder_frame(building.builder, static_cast<uint64_t>(i), i * 1000, i * 1000 + 1000, 0);
    }
    return path_of(read_run(building.finish(), 0, SIZE_MAX, &names), names, "Step").self.typical_ns;
  };
  CHECK(typical(false) == 300);
  CHECK(typical(true) == 300);
}

TEST_CASE("run: a scope has the calls of all of its paths") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t worker = building.lane(FLAMELET_LANE_THREAD, "Worker");
  for (int64_t i = 0; i < 4; ++i) {
    building.begin(main, i * 1000, building.site("Update"));
    for (int64_t job = 0; job < 4; ++job) {
      const uint32_t lane = job <= i ? main : worker;
      building.begin(lane, i * 1000 + job * 100, building.site("Job"));
      building.end(lane, i * 1000 + job * 100 + 50);
    }
    building.end(main, i * 1000 + 600);
    flamelet_capture_builder_frame(building.builder, static_cast<uint64_t>(i), i * 1000, i * 1000 + 1000, 0);
  }
  PathNames names;
  const Run run = read_run(building.finish(), 0, SIZE_MAX, &names);
  REQUIRE(names.scopes().size() == 2);
  const uint32_t job = names.scopes()[0].name == "Job" ? 0 : 1;
  CHECK(names.scopes()[job].paths.size() == 2);
  CHECK(run.scope(job).calls == 4);
  CHECK(run.scope(job).self.typical_ns == 200);
  CHECK(path_of(run, names, "Update > Job").calls == 2.5);
}

// ---- path names

namespace {

uint32_t path_of(PathNames* names, std::initializer_list<const char*> calls) {
  uint32_t path = PathNames::kRoot;
  for (const char* name : calls) path = names->child(path, name, false);
  return path;
}

}  // namespace

TEST_CASE("path names: the same names are the same path") {
  PathNames names;
  const uint32_t physics = path_of(&names, {"Frame", "Update", "Physics"});
  CHECK(path_of(&names, {"Frame", "Update", "Physics"}) == physics);
  CHECK(path_of(&names, {"Frame", "Physics"}) != physics);
  CHECK(names.text(physics) == "Frame > Update > Physics");
  CHECK(names.size() == 5);  // the root, and "Frame > Physics"
}

TEST_CASE("path names: recursion is folded as in the call tree") {
  PathNames names;
  const uint32_t apply = path_of(&names, {"eval", "apply"});
  CHECK(path_of(&names, {"eval", "apply", "eval", "apply"}) == apply);
  CHECK(path_of(&names, {"eval", "apply", "eval", "apply", "eval", "apply"}) == apply);
  CHECK(path_of(&names, {"f", "f", "f"}) == path_of(&names, {"f"}));
  CHECK(names.text(path_of(&names, {"a", "b", "c", "a", "b"})) == "a > b > c > a > b");
  CHECK(names.text(path_of(&names, {"a", "b", "c", "a", "b", "c"})) == "a > b > c");
}

TEST_CASE("path names: without room, a path is its caller's, and counted") {
  PathNames names;
  const uint32_t frame = path_of(&names, {"Frame"});
  for (size_t i = names.size(); i < PathNames::kMost; ++i) names.child(frame, std::to_string(i), false);
  CHECK(names.without_room() == 0);
  CHECK(names.child(frame, "one more", false) == frame);
  CHECK(names.child(frame, "2", false) != frame);
  CHECK(names.without_room() == 1);
}

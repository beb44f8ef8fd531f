// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "game_capture.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace diff_command_test {

namespace {

// In b, Job takes 2 ms more, and Draw calls Particles.
class Place : public ToolPlace {
 public:
  Place() {
    GameCapture().save(path("a.flamelet"));
    GameCapture(2, "Particles").save(path("b.flamelet"));
  }
};

}  // namespace

TEST_CASE("diff command: lists what changed, the most first, with new paths") {
  const ToolResult result = Place().quiet("diff a.flamelet b.flamelet");
  CHECK(has(result.out,
            "A  a.flamelet: 10 frames, mean 12.000 ms, median 10.000 ms; scopes of 2 threads sum to 15.000 ms a frame\n"
            "B  b.flamelet: 10 frames, mean 12.000 ms, median 10.000 ms; scopes of 2 threads sum to 17.000 ms a frame "
            "(+13.3 %)\n"));
  const size_t job = result.out.find("\nJob "), particles = result.out.find("\nFrame > Draw > Particles  new ");
  REQUIRE(job != std::string::npos);
  REQUIRE(particles != std::string::npos);
  CHECK(job < particles);
  CHECK(has(result.out, "4.000 ms  6.000 ms  +2.000 ms"));
  CHECK(has(result.out, "Frame > Draw "));
  CHECK(has(result.out, "-1.000 ms"));
  CHECK_FALSE(has(result.out, "not shown"));  // six did not change at all
  CHECK(has(Place().run("diff a.flamelet b.flamelet --min 10").out,
            "\n2 call paths that changed less are not shown (--min 0 shows all that changed)\n"));
  CHECK(has(Place().run("diff a.flamelet b.flamelet --min 50").out, "\nnothing changed much\n\n3 call paths that "));
}

TEST_CASE("diff command: what waits stands behind what works, as far as it is marked") {
  const ToolPlace place;
  const auto write = [&](const std::string& file, int64_t work_ms) {
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), work = building.site("Work");
    const uint32_t worker = building.lane(FLAMELET_LANE_THREAD, "Worker"), idle = building.site("Idle", "wait");
    for (int64_t ms = 0; ms < 100; ms += 20) {
      building.begin(main, ms * 1000000, work);
      building.end(main, (ms + work_ms) * 1000000);
      building.begin(worker, ms * 1000000, idle);
      building.end(worker, (ms + 2 * work_ms) * 1000000);
    }
    place.write(file, recorder_test::save(building.finish()));
  };
  write("a.flamelet", 2);
  write("b.flamelet", 4);
  for (const char* const option : {"", " --sort total", " --by scope"}) {
    const std::string text = place.quiet(std::string("diff a.flamelet b.flamelet") + option).out;
    CAPTURE(text);
    const size_t worked = text.find("\nWork "), waited = text.find("\nIdle (wait) ");
    REQUIRE(waited != std::string::npos);
    CHECK(worked < waited);
  }
  const std::string csv = place.quiet("diff a.flamelet b.flamelet --csv").out;
  CHECK(csv.find("\nWork,") < csv.find("\nIdle,"));
  const std::string calls = place.quiet("diff a.flamelet b.flamelet --sort calls --csv").out;
  CHECK(calls.find("\nIdle,") != std::string::npos);
}

TEST_CASE("diff command: what takes many times as long is told in times, and frame 0 is counted as left out") {
  const ToolPlace place;
  const auto write = [&](const std::string& file, int64_t took_ns) {
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("Work");
    for (int64_t frame = 0; frame < 5; ++frame) {
      building.begin(main, frame * 10000000, site);
      building.end(main, frame * 10000000 + took_ns);
      building.frame(static_cast<uint64_t>(frame), frame * 10000000, (frame + 1) * 10000000,
                     frame == 0 ? uint32_t{FLAMELET_FRAME_PARTIAL} : 0);
    }
    place.write(file, recorder_test::save(building.finish()));
  };
  write("a.flamelet", 10000);
  write("b.flamelet", 5000000);
  CHECK(has(place.quiet("diff a.flamelet b.flamelet").out, " (500 times)\n"));
  const std::string json = place.quiet("diff a.flamelet b.flamelet --json").out;
  CHECK(has(json, "\"frames\":4,\"frames_left_out\":1,"));
  CHECK(has(place.quiet("stats a.flamelet --per-frame --json").out, "\"frames\":4,\"frames_left_out\":1,"));
}

TEST_CASE("diff command: by scope, work that another caller or thread does now is not new") {
  ToolPlace place;
  const auto event = [](int thread, const char* name, int at_us, int took_us) {
    return "{\"ph\":\"X\",\"pid\":1,\"tid\":" + std::to_string(thread) + ",\"name\":\"" + name +
           "\",\"ts\":" + std::to_string(at_us) + ",\"dur\":" + std::to_string(took_us) + "},";
  };
  // Solve goes from Update's thread to a worker, and calls itself there.
  place.write("a.json", "[" + event(1, "Update", 0, 10000) + event(1, "Solve", 1000, 4000) + "]");
  place.write("b.json", "[" + event(1, "Update", 0, 6000) + event(2, "Job", 0, 5500) + event(2, "Solve", 500, 5000) +
                            event(2, "Solve", 1000, 2000) + "]");
  const std::string paths = place.run("diff a.json b.json --csv --keep").out;
  CHECK(has(paths, "\nJob > Solve,new,"));
  CHECK(has(paths, "\nUpdate > Solve,gone,"));
  const std::string scopes = place.run("diff a.json b.json --csv --keep --by scope").out;
  CHECK(has(scopes, "scope,status,self_a_ns,"));
  CHECK(has(scopes, "\nSolve,,4000000,5000000,1000000,4000000,5000000,1000000,1,2\n"));
  CHECK(has(scopes, "\nJob,new,"));
  CHECK_FALSE(has(scopes, " > "));
  const ToolResult text = place.run("diff a.json b.json --by scope --filter nothing");
  CHECK(text.err == "flamelet: no scope holds nothing\n");
}

TEST_CASE("diff command: the other way round, the path is gone") {
  CHECK(has(Place().run("diff b.flamelet a.flamelet").out, "Frame > Draw > Particles  gone "));
}

TEST_CASE("diff command: a capture does not differ from itself") {
  const ToolResult result = Place().good("diff a.flamelet a.flamelet");
  CHECK(has(result.out, "(+0.0 %)\n\nnothing changed\n"));
  CHECK_FALSE(has(result.out, "not shown"));
}

TEST_CASE_FIXTURE(Place, "diff command: CSV and JSON have every path") {
  const std::string csv = run("diff a.flamelet b.flamelet --in-all --csv").out;
  CHECK(has(csv,
            "path,status,self_a_ns,self_b_ns,self_change_ns,total_a_ns,total_b_ns,total_change_ns,calls_a,calls_b\n"
            "Job,,40000000,60000000,20000000,40000000,60000000,20000000,10,10\n"));
  CHECK(has(csv, "\nFrame > Draw > Particles,new,,10000000,10000000,,10000000,10000000,,10\n"));
  CHECK(has(csv, "\nFrame > Update > Physics,,60000000,60000000,0,"));
  const std::string json = run("diff a.flamelet b.flamelet --json --top 1").out;
  CHECK(has(json,
            "\"a\":{\"file\":\"a.flamelet\",\"frames\":10,\"frames_left_out\":0,\"frame_mean_ns\":12000000.0,\"frame_"
            "median_ns\":10000000.0,"
            "\"total_ns\":15000000.0}"));
  CHECK(has(json, "\"per_frame\":true,\"paths\":[{\"path\":\"Job\",\"status\":\"\",\"self_a_ns\":4000000,"));
}

TEST_CASE("diff command: rows fit a narrow terminal, and keep the end of the path") {
  const std::string out = Place().run("diff a.flamelet b.flamelet --width 60").out;
  CHECK(has(out, "Particles"));
  // What belongs together goes together.
  CHECK(has(out, "  self A    self B   self B-A\n"));
  CHECK(has(out, "(no room for: total A, total B, calls A, calls B, total B-A)\n"));
}

TEST_CASE_FIXTURE(Place, "diff command: windows, lanes and filters apply to both") {
  const std::string out = run("diff a.flamelet b.flamelet --thread Main").out;
  CHECK_FALSE(has(out, "Job"));
  CHECK(has(out, "; scopes of 1 lane sum to 11.000 ms a frame\n"));
  CHECK_FALSE(has(run("diff a.flamelet b.flamelet --filter particles").out, "Job"));
  CHECK(error("diff a.flamelet b.flamelet --filter nothing") == "1: flamelet: no call path holds nothing\n");
  CHECK(run("diff a.flamelet b.flamelet --frames 500").exit_code == 1);
  CHECK(run("diff - - <a.flamelet").exit_code == 2);
  CHECK(run("diff a.flamelet absent").exit_code == 3);
}

}  // namespace diff_command_test

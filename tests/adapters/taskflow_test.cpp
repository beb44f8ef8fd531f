// SPDX-License-Identifier: MIT
//
// Taskflow's tasks, on the workers' threads.
#include <string>

#include "adapters/adapted.h"
#include "flamelet/adapters/taskflow.h"

using namespace recorder_test;

TEST_CASE("adapters: each of Taskflow's tasks is a scope of its name on a worker's thread") {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{8} << 20;
  const Recording recording(config);
  {
    tf::Executor executor(2);
    executor.make_observer<flamelet::TaskflowTasks>("job");
    tf::Taskflow flow;
    for (int i = 0; i < 20; ++i) flow.emplace([] { FLAMELET_SCOPE("inside"); }).name("named " + std::to_string(i % 4));
    for (int i = 0; i < 5; ++i) flow.emplace([] {});
    executor.run(flow).wait();
  }
  Capture capture(Captured::kNow);
  uint32_t named = 0, unnamed = 0, inside = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const std::vector<flamelet_span> spans = capture.spans(lane);
    if (!spans.empty()) CHECK(capture.lane_name(lane).find("job ") == 0);
    for (const flamelet_span& span : spans) {
      const std::string name = capture.string(span.name);
      named += name.find("named ") == 0;
      unnamed += name == "task";
      if (name != "inside") continue;
      ++inside;
      REQUIRE(span.parent != FLAMELET_NO_PARENT);
      CHECK(capture.string(spans[span.parent].name).find("named ") == 0);
    }
  }
  CHECK(named == 20);
  CHECK(unnamed == 5);
  CHECK(inside == 20);
  check_nothing_unpaired();
}

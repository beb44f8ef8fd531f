// SPDX-License-Identifier: MIT
//
// The packaged oneTBB's workers: each has a name, and each of its tasks lies in a scope of the arena.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <thread>

#include "adapters/adapted.h"
#include "flamelet/adapters/tbb.h"

using namespace recorder_test;

TEST_CASE("adapters: oneTBB's workers are named, and their tasks are inside the arena's scope") {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{8} << 20;
  const Recording recording(config);
  flamelet_set_thread_name("own");
  std::atomic<uint32_t> tasks{0};
  {
    tbb::task_arena arena(3, 1);
    const flamelet::TbbThreads traced(arena);
    std::atomic<uint32_t> workers{0};
    // Tasks wait for each other, so that the program's thread cannot do all of them.
    arena.execute([&] {
      tbb::parallel_for(
          0, 3,
          [&](int) {
            FLAMELET_SCOPE("task");
            ++tasks;
            ++workers;
            for (int i = 0; i < 100'000'000 && workers < 2; ++i) std::this_thread::yield();
          },
          tbb::simple_partitioner());
    });
  }
  REQUIRE(tasks == 3);
  Capture capture(Captured::kNow);
  uint32_t of_workers = 0, of_all = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const bool is_worker = capture.lane_name(lane).find("tbb ") == 0;
    const std::vector<flamelet_span> spans = capture.spans(lane);
    for (const flamelet_span& span : spans) {
      const std::string name = capture.string(span.name);
      CAPTURE(name);
      if (name != "task") {
        CHECK(name == "tbb::arena");
        CHECK(is_worker);
        CHECK(category_of(capture, span) == "tbb");
        continue;
      }
      ++of_all;
      if (is_worker) {
        ++of_workers;
        REQUIRE(span.parent != FLAMELET_NO_PARENT);
        CHECK(capture.string(spans[span.parent].name) == "tbb::arena");
      }
    }
  }
  CHECK(of_all == 3);
  CHECK(of_workers >= 1);
  CHECK(stats().extra_ends == 0);
}

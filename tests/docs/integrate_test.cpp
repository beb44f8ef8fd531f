// SPDX-License-Identifier: MIT
//
// The code of docs/integrate.md, taken from the page: that it compiles, and does what the page says.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <thread>

#include "docs/integrate_snippets.h"
#include "flamelet/capture_file.h"
#include "flamelet/flamelet.h"
#include "flamelet/gpu_opengl.h"
#include "support/capture.h"
#include "support/recording.h"
#include "temporary_folder.h"

namespace {

using recorder_test::now_ns;

// The rest of this namespace is the guide's, and what its code stands in.

struct Physics {
  void step(float dt);
  void find_pairs() { now_ns += 1000; }
  void collide() { now_ns += 2000; }
  void solve(float) { now_ns += 3000; }
  int contact_count = 7;
};
#include "integrate/scopes.inc"

#include "integrate/signal.inc"

struct Job {
  void (*work)(Job*) = [](Job*) { now_ns += 100; };
  bool done = false;
};
void queue_push(Job*) {}
void signal_done(Job* job) {
  job->done = true;
}
void wait_until_done(const Job* job) {
  CHECK(job->done);
}
#include "integrate/flow.inc"

// Compiled only: they need a window.
flamelet_gl_function glfwGetProcAddress(const char*) {
  return nullptr;
}
void draw_shadows() {}
[[maybe_unused]] void time_gpu() {
#include "integrate/gpu.inc"
}

}  // namespace

TEST_CASE("documentation: programs mark the frame before its first phase") {
  const std::string docs = FLAMELET_DOCS;
  for (const std::string& page : {docs + "/../README.md", docs + "/integrate.md"}) {
    CAPTURE(page);
    const std::string text = read_file(page);
    const size_t phase = text.find("FLAMELET_BEGIN(phase");
    REQUIRE(phase != std::string::npos);
    const size_t mark = text.rfind("flamelet_frame();", phase);
    REQUIRE(mark != std::string::npos);
    CHECK(text.find_first_not_of("+ \n", mark + std::string("flamelet_frame();").size()) == phase);
  }
}

TEST_CASE("integration guide: starts with the program's allocator, and reads the newest frame") {
  REQUIRE(guide_start() == FLAMELET_OK);
  CHECK(guide_blocks == 1);
  flamelet_frame();
  Physics().step(0.1f);
  flamelet_frame();
  CHECK(guide_read() == 4);  // the function and its three phases
  CHECK(flamelet_shutdown() == FLAMELET_OK);
  CHECK(guide_blocks == 0);
}

TEST_CASE("integration guide: a function in C returns through its ends, and its events can be shipped") {
  REQUIRE(guide_start() == FLAMELET_OK);
  CHECK(guide_mix(true, 64) == 0);
  CHECK(guide_mix(false, 64) == 64);
  CHECK(guide_ship() == 4);  // two functions, and two phases of one
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.missing_ends == 0);
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}

TEST_CASE("integration guide: what a guarded signal handler records is not dropped") {
  REQUIRE(guide_start() == FLAMELET_OK);
  { FLAMELET_SCOPE("before"); }  // a thread that has not recorded has no track for its handlers
  flamelet_frame();
  on_signal(0);
  flamelet_frame();
  CHECK(guide_read() == 1);
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.dropped_nested == 0);
#ifdef _WIN32
  CHECK(stats.tracks_live == 1);  // a guard does nothing there
#else
  CHECK(stats.tracks_live == 2);
#endif
  flamelet_shutdown();
}

TEST_CASE("integration guide: flows lead from the submitter to the worker, and back to who waits") {
  const recorder_test::Recording recording(recorder_test::with_still_clock(flamelet_config_default(), 1000000));
  Job job;
  submit(&job);
  std::thread([&job] { run(&job); }).join();
  wait(&job);
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  const std::vector<flamelet_flow> flows = recorder_test::read_flows(capture);
  REQUIRE(flows.size() == 4);
  flamelet_flow_counts counts;
  flamelet_count_flows(flows.data(), 4, &counts);
  CHECK(counts.begins == 2);
  CHECK(counts.open + counts.missing_begins == 0);
  CHECK(flows[0].lane != flows[1].lane);
}

TEST_CASE("integration guide: all that is submitted is recorded") {
  const recorder_test::Recording recording(recorder_test::with_still_clock(flamelet_config_default(), 1000000));
  CHECK(guide_submit(5, 2000, 3000, 4000) == 0);
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.events_recorded > 0);
}

TEST_CASE("integration guide: the ring of a crash becomes a capture, and that of a clean end none") {
  const TemporaryFolder place;
  const std::string& folder = place.path();
  const std::string ring = folder + "/ring", crash = folder + "/crash.flamelet";
  REQUIRE(guide_keep_ring(ring.c_str(), crash.c_str()) == FLAMELET_OK);
  { FLAMELET_SCOPE("the last of it"); }
  std::filesystem::copy_file(ring, folder + "/crashed");  // as a crash here would leave it
  CHECK(flamelet_shutdown() == FLAMELET_OK);

  REQUIRE(guide_keep_ring(ring.c_str(), crash.c_str()) == FLAMELET_OK);
  CHECK_FALSE(std::filesystem::exists(crash));
  CHECK(flamelet_shutdown() == FLAMELET_OK);

  REQUIRE(guide_keep_ring((folder + "/crashed").c_str(), crash.c_str()) == FLAMELET_OK);
  CHECK(std::filesystem::exists(crash));
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}

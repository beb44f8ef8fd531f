// SPDX-License-Identifier: MIT
//
// GPU scopes as a program writes them: nesting, links, mistakes, switched off.
#include <doctest/doctest.h>

#include <vector>

#include "flamelet/scope.h"
#include "gpu/gpu_bench.h"

using namespace gpu_test;

extern "C" int gpu_test_draw_in_c(flamelet_gpu* gpu);  // gpu_macros.c; the line of its inner scope

TEST_CASE("scopes that are not ended are ended by an outer end or by the frame, and counted") {
  Created<TimerBench> bench;
  const flamelet_id outer = bench.begin("Outer");
  bench.begin("Forgotten");
  bench.begin("Forgotten too");
  bench.end(outer);
  CHECK(bench.stats().missing_ends == 2);
  const flamelet_id late = bench.begin("Across");
  bench.frame();
  CHECK(bench.stats().missing_ends == 3);
  CHECK(bench.stats().scopes_open == 0);
  bench.end(late);
  CHECK(bench.stats().extra_ends == 1);
  bench.frame();
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Outer", ".Forgotten", "..Forgotten too", "Across"});
}

TEST_CASE("an end that is not open ends nothing on the GPU") {
  Created<TimerBench> bench;
  const flamelet_id outer = bench.begin("Outer");
  bench.end(12345);
  bench.end(0);
  CHECK(bench.stats().extra_ends == 1);
  CHECK(bench.stats().scopes_open == 1);
  bench.end(outer);
  bench.end(outer);
  CHECK(bench.stats().extra_ends == 2);
  CHECK(bench.stats().missing_ends == 0);
}

TEST_CASE("scopes that are begun and never ended reach a limit and are counted") {
  Created<TimerBench> bench;
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 5; ++i) {
    const flamelet_id outer = flamelet_begin("CPU only", "", nullptr);
    bench.begin("Leaked");
    flamelet_end(outer);  // ends the CPU half
  }
  CHECK(bench.stats().dropped_depth == 5);
  CHECK(bench.stats().scopes_open == FLAMELET_MAX_DEPTH);
  bench.frame();
  CHECK(bench.stats().scopes_open == 0);
  bench.scope("Healed", 10);
  CHECK(bench.stats().dropped_depth == 5);
}

TEST_CASE("nothing is queried while recording is off, and a scope ends the way it began") {
  Created<TimerBench> bench;
  flamelet_set_enabled(false);
  const flamelet_id unrecorded = bench.begin("Off");
  CHECK(unrecorded == 0);
  flamelet_set_enabled(true);
  bench.end(unrecorded);
  CHECK(bench.device.commands == 0);
  CHECK(bench.device.all_groups.empty());
  const flamelet_id recorded = bench.begin("On");
  flamelet_set_enabled(false);
  bench.end(recorded);
  CHECK(bench.device.commands == 2);
  flamelet_set_enabled(true);
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"On"});
}

TEST_CASE("without a GPU object GPU scopes are CPU scopes") {
  TimerBench bench;
  const flamelet_id id = bench.begin("Pass");
  CHECK(id != 0);
  { FLAMELET_GPU_SCOPE(bench.gpu, "Macro"); }
  bench.end(id);
  bench.frame();
  CHECK(bench.stats().memory_bytes == 0);
  CHECK(bench.device.calls == 0);
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Pass", ".Macro"});
}

TEST_CASE("the macro is one declaration: in an unbraced if, and twice on a line") {
  Created<TimerBench> bench;
  if (bench.gpu != nullptr) FLAMELET_GPU_SCOPE(bench.gpu, "If");
  bench.pass_ns(10);
  {
    // clang-format off
    FLAMELET_GPU_SCOPE(bench.gpu, "Outer"); bench.pass_ns(10); FLAMELET_GPU_SCOPE(bench.gpu, "Inner");
    // clang-format on
    bench.pass_ns(10);
  }
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"If", "Outer", ".Inner"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"If", "Outer", ".Inner"});
}

TEST_CASE("a GPU scope of the macros for C has its file and line, on the CPU, and its link on the GPU") {
  Created<TimerBench> bench;
  const int line = gpu_test_draw_in_c(bench.gpu);
  bench.frame(2);
  const std::vector<Span> cpu = read(FLAMELET_LANE_THREAD), gpu = read(FLAMELET_LANE_GPU);
  CHECK(names(cpu) == Names{"Frame in C", ".Shadows in C"});
  REQUIRE(cpu.size() == gpu.size());
  for (size_t i = 0; i < cpu.size(); ++i) CHECK((cpu[i].id == gpu[i].id && cpu[i].text == gpu[i].text));
  recorder_test::Capture capture(flamelet_capture_config_default());
  capture.update();
  flamelet_site_info site;
  REQUIRE(flamelet_capture_site(capture, cpu[1].site, &site));
  CHECK(std::string(site.file.text).find("gpu_macros.c") != std::string::npos);
  CHECK(static_cast<int>(site.line) == line);
}

TEST_CASE("shutting the recorder down under a GPU object harms nothing") {
  Created<TimerBench> bench;
  bench.scope("Pass", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  for (int i = 0; i < 3; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(bench.stats().scopes_submitted == 0);
  CHECK(bench.stats().scopes_in_flight == 0);
  CHECK(bench.device.commands == 2);
  const flamelet_config config = flamelet_config_default();
  CHECK(flamelet_init(&config) == FLAMELET_OK);
}

TEST_CASE("results arrive in a second session, too") {
  for (int session = 0; session < 2; ++session) {
    TimerBench bench;
    if (session == 0) flamelet_instant("this thread is track 1 of the first session", "", nullptr);
    REQUIRE(bench.create() == FLAMELET_OK);
    bench.scope("Pass", 100);
    bench.frame(2);
    CHECK(bench.stats().track == 2 - static_cast<uint32_t>(session));
    CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Pass"});
  }
}

TEST_CASE("a GPU object goes on under the next recorder, with its name, and what was in flight is counted") {
  Created<TimerBench> bench;
  flamelet_gpu_set_name(bench.gpu, "renderer");
  bench.device.ready_at = [&](uint64_t) { return bench.now_ns + 1000; };
  bench.scope("Before", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.frame();  // without a recorder
  bench.pass_ns(3'000'000'000);
  bench.start_recorder();
  bench.scope("Across", 100);
  bench.frame();
  bench.scope("After", 100);
  bench.frame(20);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"After"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Across", "After"});
  const flamelet_gpu_stats stats = bench.stats();
  CHECK(stats.scopes_submitted == 1);
  CHECK(stats.dropped_recorder == 2);
  CHECK(stats.scopes_in_flight == 0);
  CHECK(stats.calibration_drift_ns == 0);
  recorder_test::Capture capture(flamelet_capture_config_default());
  capture.update();
  CHECK(recorder_test::lane_of(capture, capture.lane("renderer")).id == stats.track);
}

TEST_CASE("a GPU object sees another recorder also where the program's clock has not moved, or begins anew") {
  Created<TimerBench> bench;
  bench.device.ready_at = [&](uint64_t) { return bench.now_ns + 1000; };
  const uint64_t begin_ns = bench.now_ns;
  bench.scope("Before", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.device.now = bench.now_ns = begin_ns;
  bench.start_recorder();
  for (int i = 0; i < 20; ++i) {
    bench.pass_ns(1000);
    bench.frame();
  }
  CHECK(bench.stats().dropped_recorder == 1);
  CHECK(bench.stats().scopes_submitted == 0);
  CHECK(bench.stats().scopes_in_flight == 0);
  bench.scope("After", 100);
  for (int i = 0; i < 20; ++i) {
    bench.pass_ns(1000);
    bench.frame();
  }
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"After"});
}

TEST_CASE("a GPU object of an earlier recorder leaves the tracks of this one alone") {
  Created<TimerBench> bench;
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.pass_ns(1000);
  bench.start_recorder();
  const uint32_t other = flamelet_track_create("other", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(other == bench.stats().track);  // the number of the track that was
  flamelet_gpu_set_name(bench.gpu, "renderer");
  flamelet_gpu_destroy(bench.gpu);
  bench.gpu = nullptr;
  REQUIRE(flamelet_track_calibrate(other, bench.now_ns, bench.now_ns) == FLAMELET_OK);
  const flamelet_event pass[] = {{bench.now_ns, 1, "pass", nullptr, nullptr, 0, 'B', false, 0},
                                 {bench.now_ns + 5, 1, "pass", nullptr, nullptr, 0, 'E', false, 0}};
  CHECK(flamelet_submit(other, pass, 2) == 2);
  recorder_test::Capture capture(flamelet_capture_config_default());
  capture.update();
  CHECK(capture.tree(capture.lane("other")) == "pass");
}

TEST_CASE("results that were given up are counted once, also where the recorder was stopped meanwhile") {
  Created<TimerBench> bench;
  bench.device.ready_at = [](uint64_t) { return FakeBackend::kNever; };
  bench.scope("Never", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.pass_ns(1000);
  bench.start_recorder();
  for (int i = 0; i < 20; ++i) {
    bench.scope("Never", 100);
    bench.frame();
  }
  const flamelet_gpu_stats stats = bench.stats();
  CHECK(stats.dropped_recorder == 2);  // the second one began before the frame that found the new recorder
  CHECK(stats.dropped_recorder + stats.dropped_late + stats.scopes_in_flight == 21);
}

TEST_CASE("several passes of one CPU scope are several spans that all carry its id") {
  Created<TimerBench> bench;
  const flamelet_id scope = flamelet_begin("draw shadows", "", nullptr);
  for (const char* pass : {"near", "far"}) {
    flamelet_gpu_attach(bench.gpu, scope, pass, "");
    bench.pass_ns(50);
    flamelet_gpu_attach(bench.gpu, scope, "blur", "");
    bench.pass_ns(20);
    flamelet_gpu_detach(bench.gpu, scope);  // the innermost
    bench.pass_ns(30);
    flamelet_gpu_detach(bench.gpu, scope);
  }
  flamelet_end(scope);
  bench.frame(2);
  CHECK(bench.stats().scopes_submitted == 4);
  CHECK(bench.stats().missing_ends == 0);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"near", ".blur", "far", ".blur"});
  for (const Span& span : spans) CHECK(span.id == scope);
  CHECK(spans[0].end_ns - spans[0].begin_ns == 100);
  CHECK(spans[3].end_ns - spans[3].begin_ns == 20);
}

TEST_CASE("a scope that begins in one command buffer and ends in another writes into each its own half") {
  Created<TimerBench> bench;
  int first = 0, second = 0;
  flamelet_gpu_set_context(bench.gpu, &first);
  const flamelet_id id = bench.begin("Pass");
  flamelet_gpu_set_context(bench.gpu, &second);
  bench.end(id);
  CHECK(bench.device.queries[0].context == &first);
  CHECK(bench.device.queries[1].context == &second);
  flamelet_gpu_set_context(nullptr, &first);
}

TEST_CASE("GPU scopes are groups of the same names, also those that find no query") {
  TimerBench bench;
  bench.config().max_scopes = 1;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  bench.begin("Inner");
  CHECK(bench.device.groups == Names{"Outer", "Inner"});
  bench.end(outer);
  CHECK(bench.device.groups.empty());
}

TEST_CASE("a backend without groups needs none") {
  TimerBench bench;
  bench.device.has_groups = false;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 10);
  CHECK(bench.device.all_groups.empty());
  CHECK(bench.device.commands == 2);
}

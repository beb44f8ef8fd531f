// SPDX-License-Identifier: MIT
//
// The OpenGL backend, on a driver that a test scripts.
#include <doctest/doctest.h>

#include "flamelet/gpu_opengl.h"

#include <string>
#include <vector>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

namespace {

class GlBench : public Bench<FakeGl> {
 public:
  explicit GlBench(uint32_t max_tracks = 8) : Bench(max_tracks) { config_.get_proc = FakeGl::get_proc; }
  ~GlBench() { CHECK(device.waits == 0); }
  flamelet_gpu_opengl_config& config() { return config_; }
  flamelet_result create() { return flamelet_gpu_opengl_create(&config_, &gpu); }

 private:
  flamelet_gpu_opengl_config config_ = flamelet_gpu_opengl_config_default();
};

}  // namespace

TEST_CASE("OpenGL: GPU spans nest, lie at their place in the recorder's time, and carry their CPU scopes' ids") {
  GlBench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id scene = bench.begin("Scene");  // at 10
  bench.scope("Opaque", 1000);                     // 20 .. 1030
  bench.scope("Sky", 500);                         // 1040 .. 1550
  bench.end(scene);                                // 1560
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 0);  // the frame that just ended is left alone
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 3);
  CHECK(bench.stats().lag_frames == 1);

  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"Scene", ".Opaque", ".Sky"});
  CHECK(spans[0].begin_ns == 10);
  CHECK(spans[0].end_ns == 1560);
  CHECK(spans[1].begin_ns == 20);
  CHECK(spans[1].end_ns == 1030);
  CHECK(spans[2].begin_ns == 1040);
  CHECK(spans[2].end_ns == 1550);
  CHECK(spans[0].id == scene);

  const std::vector<Span> cpu = read(FLAMELET_LANE_THREAD);
  REQUIRE(names(cpu) == names(spans));
  for (size_t i = 0; i < cpu.size(); ++i) CHECK(cpu[i].id == spans[i].id);
}

TEST_CASE("OpenGL: results that come late are waited for by no one, and none is lost") {
  GlBench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.ready_at = [&](uint64_t) { return bench.now_ns + 3'500'000; };
  for (int i = 0; i < 10; ++i) {
    bench.scope("Pass", 1000);
    bench.pass_ns(1'000'000);
    bench.frame();
  }
  CHECK(bench.stats().lag_frames == 3);
  CHECK(bench.stats().scopes_submitted == 7);
  CHECK(bench.stats().scopes_in_flight == 3);
  CHECK(bench.stats().queries_in_flight == 6);
  CHECK(bench.stats().frames_in_flight == 3);
  bench.pass_ns(3'500'000);
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 10);
  CHECK(bench.stats().queries_in_flight == 0);
  CHECK(read(FLAMELET_LANE_GPU).size() == 10);
}

TEST_CASE("OpenGL: a clock of 32 bits that wraps in a scope and between frames gives right times") {
  GlBench bench;
  const uint64_t turn = uint64_t{1} << 32;
  bench.device.counter_bits = 32;
  bench.gpu_ahead_ns = turn - bench.now_ns % turn - 500;  // wraps 500 ns from now
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.stats().counter_bits == 32);
  std::vector<int64_t> begins_ns;
  for (int i = 0; i < 100; ++i) {
    begins_ns.push_back(static_cast<int64_t>(bench.now_ns - kStartNs) + 10);
    bench.scope("Pass", 1000);
    bench.frame();
    bench.pass_ns(150'000'000);
  }
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 100);
  for (size_t i = 0; i < spans.size(); ++i) {
    CHECK(spans[i].begin_ns == begins_ns[i]);
    CHECK(spans[i].end_ns == begins_ns[i] + 1010);
  }
  CHECK(bench.stats().calibrations > 10);
  CHECK(bench.stats().calibration_drift_ns == 0);
}

TEST_CASE("OpenGL: GPU scopes are debug groups of the same names where the context has GL_KHR_debug") {
  GlBench bench;
  bench.device.max_debug_message_length = 8;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  bench.begin("A name too long");
  CHECK(bench.device.groups == Names{"Outer", "A name "});
  bench.end(outer);
  CHECK(bench.device.groups.empty());
}

TEST_CASE("OpenGL: debug groups leave room for the program's own") {
  GlBench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  for (int i = 0; i < 60; ++i) bench.begin("Deep");
  CHECK(bench.device.groups.size() == 32);
  bench.end(outer);
  CHECK(bench.device.groups.empty());
}

TEST_CASE("OpenGL: no debug groups without the extension, without its functions, or where they are not wanted") {
  GlBench bench;
  SUBCASE("extension") {
    bench.device.extensions = {"GL_ARB_timer_query", "GL_KHR_debug_not"};
  }
  SUBCASE("function") {
    bench.device.missing_functions = {"glPopDebugGroup"};
  }
  SUBCASE("list") {
    bench.device.missing_functions = {"glGetStringi"};
  }
  SUBCASE("wish") {
    bench.config().debug_groups = false;
  }
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 10);
  CHECK(bench.device.all_groups.empty());
  CHECK(bench.device.commands == 2);
}

TEST_CASE("OpenGL: what asking a context too old for a list of extensions raises is fetched") {
  GlBench bench;
  bench.device.extensions.clear();
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.device.errors_fetched == 1);
}

TEST_CASE("OpenGL: a context without timestamps makes no GPU object and no lane") {
  GlBench bench;
  SUBCASE("functions are missing") {
    bench.device.missing_functions = {"glQueryCounter"};
  }
  SUBCASE("the counter has no bits") {
    bench.device.counter_bits = 0;
    bench.create();
    CHECK(bench.device.errors_fetched == 1);  // what the question may have raised
  }
  CHECK(bench.create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  CHECK(bench.gpu == nullptr);
  CHECK(bench.device.queries.empty());
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.tracks_live == 0);
}

TEST_CASE("OpenGL: one allocation, whose size is in the stats, and one free") {
  CountingAllocator allocator;
  GlBench bench;
  bench.config().gpu.allocator = allocator.get();
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.stats().memory_bytes == allocator.bytes_live);
  CHECK(bench.device.queries.size() == 2 * bench.config().gpu.max_scopes);
  for (int i = 0; i < 100; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(allocator.allocations == 1);
  flamelet_gpu_destroy(bench.gpu);
  bench.gpu = nullptr;
  CHECK(allocator.bytes_live == 0);
  CHECK(bench.device.queries.empty());
}

TEST_CASE("OpenGL: abandon frees the memory and the track without a GL call") {
  CountingAllocator allocator;
  GlBench bench(1);
  bench.config().gpu.allocator = allocator.get();
  REQUIRE(bench.create() == FLAMELET_OK);
  const uint64_t calls = bench.device.calls;
  flamelet_gpu_abandon(bench.gpu);
  bench.gpu = nullptr;
  CHECK(bench.device.calls == calls);
  CHECK(allocator.bytes_live == 0);
  CHECK(bench.create() == FLAMELET_OK);  // the only track is free again
}

TEST_CASE("OpenGL: create refuses a config that was not made, no loader, and limits out of range") {
  GlBench bench;
  flamelet_gpu_opengl_config& config = bench.config();
  SUBCASE("cookie") {
    config.cookie = 0;
  }
  SUBCASE("the timer's cookie") {
    config.gpu.cookie = 0;
  }
  SUBCASE("loader") {
    config.get_proc = nullptr;
  }
  SUBCASE("no scopes") {
    config.gpu.max_scopes = 0;
  }
  CHECK(bench.create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bench.gpu == nullptr);
  CHECK(flamelet_gpu_opengl_create(nullptr, &bench.gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_opengl_create(&config, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("OpenGL: create without a recorder says so") {
  FakeGl gl;
  flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
  config.get_proc = FakeGl::get_proc;
  flamelet_gpu* gpu = nullptr;
  CHECK(flamelet_gpu_opengl_create(&config, &gpu) == FLAMELET_ERROR_NOT_INITIALIZED);
  CHECK(gpu == nullptr);
}

TEST_CASE("OpenGL: create that finds no track left deletes its queries") {
  GlBench bench(1);
  flamelet_instant("takes the only track", "", nullptr);
  CHECK(bench.create() == FLAMELET_ERROR_LIMIT);
  CHECK(bench.gpu == nullptr);
  CHECK(bench.device.queries.empty());
}

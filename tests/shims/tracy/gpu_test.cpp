// SPDX-License-Identifier: MIT
//
// OpenGL's functions are those of a fake one, under the names that a loader gives.
#include <chrono>

#include "gpu/fake_gl.h"
#include "shim_recording.h"

#define glGenQueries FakeGl::get_proc("glGenQueries")
#define glDeleteQueries FakeGl::get_proc("glDeleteQueries")
#define glQueryCounter FakeGl::get_proc("glQueryCounter")
#define glGetQueryiv FakeGl::get_proc("glGetQueryiv")
#define glGetQueryObjectuiv FakeGl::get_proc("glGetQueryObjectuiv")
#define glGetQueryObjectui64v FakeGl::get_proc("glGetQueryObjectui64v")
#define glGetInteger64v FakeGl::get_proc("glGetInteger64v")
#define glGetStringi FakeGl::get_proc("glGetStringi")
#define glGetError FakeGl::get_proc("glGetError")
#include <tracy/TracyOpenGL.hpp>

using namespace shim_test;

TEST_CASE_FIXTURE(Shim, "tracy GPU: zones on a lane of the GPU, beside those of the thread") {
  FakeGl gl;
  gl.clock = [] {
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  };
  TracyGpuContext;
  TracyGpuContextName("renderer, cut", 8);
  {
    TracyGpuZone("frame");
    { TracyGpuZoneC("shadows", 0x112233); }
    { TracyGpuNamedZone(off, "off", false); }
    const std::string name = "pass 1";
    { TracyGpuZoneTransient(pass, name.c_str(), true); }
    { TracyGpuNamedZoneCS(deep, "deep", 0x10, 4, true); }
  }
  TracyGpuCollect;
  TracyGpuCollect;
  CHECK(tree() == "frame(shadows pass 1 deep)");
  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(tracy::ThisGpuCtx().gpu(), &stats);
  CHECK(stats.scopes_submitted == 4);
  CHECK(tree("renderer") == "frame(shadows pass 1 deep)");
  CHECK(gl.commands == 8);
  CHECK(gl.waits == 0);
  CHECK(gl.misuses == 0);
  CHECK(recorder_test::lane_of(capture(), capture().lane("renderer")).kind == FLAMELET_LANE_GPU);
}

TEST_CASE("tracy GPU: a context goes on under a recorder that is started later, on a lane of its name") {
  FakeGl gl;
  gl.clock = [] {
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  };
  {
    Shim shim;
    TracyGpuContext;
    TracyGpuContextName("renderer", 8);
    { TracyGpuZone("in flight"); }
  }
  Shim shim;
  const uint32_t other = flamelet_track_create("another GPU", FLAMELET_TRACK_GPU, 1e9);
  const uint64_t now = flamelet_now_ticks();
  flamelet_track_calibrate(other, now, now);
  const flamelet_event own[] = {{now, 1, "own", nullptr, nullptr, 0, 'B', false, 0},
                                {now + 1, 1, "own", nullptr, nullptr, 0, 'E', false, 0}};
  REQUIRE(flamelet_submit(other, own, 2) == 2);
  { TracyGpuZone("across"); }
  TracyGpuCollect;
  { TracyGpuZone("after"); }
  TracyGpuCollect;
  TracyGpuCollect;
  CHECK(shim.tree("renderer") == "after");
  CHECK(shim.tree("another GPU") == "own");
  CHECK(shim.tree() == "across after");
}

TEST_CASE_FIXTURE(Shim, "tracy GPU: without a context, or without timestamps, zones are those of the thread") {
  FakeGl gl;
  { TracyGpuZone("before"); }
  gl.counter_bits = 0;
  TracyGpuContext;
  TracyGpuContextName("nothing", 7);
  { TracyGpuZone("after"); }
  TracyGpuCollect;
  CHECK(tracy::ThisGpuCtx().gpu() == nullptr);
  CHECK(tree() == "before after");
  CHECK(gl.commands == 0);
}

// SPDX-License-Identifier: MIT
//
// The OpenGL backend in a context of OpenGL ES, on a driver that a test scripts.
#include <doctest/doctest.h>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

namespace {

// Desktop names of functions that OpenGL ES has under other names: a driver may give them, but they must not be called.
const std::set<std::string> kDesktopNames = {"glQueryCounter", "glGetQueryiv", "glGetQueryObjectui64v",
                                             "glPushDebugGroup", "glPopDebugGroup"};

void make_es(FakeGl* device) {
  device->version = "OpenGL ES 3.0 fake";
  device->extensions = {"GL_EXT_disjoint_timer_query", "GL_KHR_debug"};
  device->missing_functions = kDesktopNames;
}

}  // namespace

TEST_CASE("OpenGL ES: timed by the extension's functions, with debug groups") {
  GlBench bench;
  make_es(&bench.device);
  SUBCASE("as OpenGL ES names it") {}
  SUBCASE("as WebGL 2 names it") {
    bench.device.extensions[0] = "GL_EXT_disjoint_timer_query_webgl2";
  }
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 100);
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Pass"});
  CHECK(bench.device.all_groups == Names{"Pass"});
}

TEST_CASE("OpenGL ES: a context without the extension, or without bits, makes no GPU object") {
  GlBench bench;
  make_es(&bench.device);
  SUBCASE("extension") {
    bench.device.extensions = {"GL_KHR_debug"};
  }
  SUBCASE("bits, as in browsers") {
    bench.device.counter_bits = 0;
  }
  SUBCASE("a function") {
    bench.device.missing_functions.insert("glQueryCounterEXT");
  }
  CHECK(bench.create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  CHECK(bench.gpu == nullptr);
}

TEST_CASE("OpenGL ES: what was in flight while the clock was disjoint is dropped, not what was before the start") {
  GlBench bench;
  make_es(&bench.device);
  bench.device.is_disjoint = true;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Good", 100);
  bench.frame(2);
  bench.scope("Disjoint", 100);
  bench.device.is_disjoint = true;
  bench.frame(2);
  CHECK(bench.stats().dropped_disjoint == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Good"});
}

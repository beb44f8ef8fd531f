// SPDX-License-Identifier: MIT
//
// The OpenGL backend, on a driver that a test scripts.
#include <doctest/doctest.h>

#include "flamelet/gpu_opengl.h"
#include "gpu/gpu_bench.h"

using namespace gpu_test;

TEST_CASE_FIXTURE(GlBench, "OpenGL: GPU scopes are debug groups of the same names where the context has GL_KHR_debug") {
  device.max_debug_message_length = 8;
  REQUIRE(create() == FLAMELET_OK);
  const flamelet_id outer = begin("Outer");
  begin("A name too long");
  CHECK(device.groups == Names{"Outer", "A name "});
  end(outer);
  CHECK(device.groups.empty());
}

TEST_CASE_FIXTURE(Created<GlBench>, "OpenGL: debug groups leave room for the program's own") {
  const flamelet_id outer = begin("Outer");
  for (int i = 0; i < 60; ++i) begin("Deep");
  CHECK(device.groups.size() == 32);
  end(outer);
  CHECK(device.groups.empty());
}

TEST_CASE("OpenGL: no debug groups without the extension, without its functions, or where they are not wanted") {
  GlBench bench;
  SUBCASE("extension") bench.device.extensions = {"GL_ARB_timer_query", "GL_KHR_debug_not"};
  SUBCASE("function") bench.device.missing_functions = {"glPopDebugGroup"};
  SUBCASE("list") bench.device.missing_functions = {"glGetStringi"};
  SUBCASE("wish") bench.opengl().debug_groups = false;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 10);
  CHECK(bench.device.all_groups.empty());
  CHECK(bench.device.commands == 2);
}

TEST_CASE_FIXTURE(GlBench, "OpenGL: what asking a context too old for a list of extensions raises is fetched") {
  device.extensions.clear();
  REQUIRE(create() == FLAMELET_OK);
  CHECK(device.errors_fetched == 1);
}

TEST_CASE_FIXTURE(GlBench, "OpenGL: a context without timestamps makes no GPU object and no lane") {
  SUBCASE("functions are missing") device.missing_functions = {"glQueryCounter"};
  SUBCASE("the counter has no bits") {
    device.counter_bits = 0;
    create();
    CHECK(device.errors_fetched == 1);  // what the question may have raised
  }
  CHECK(create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  CHECK(gpu == nullptr);
  CHECK(device.queries.empty());
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.tracks_live == 0);
}

TEST_CASE_FIXTURE(GlBench, "OpenGL: create refuses a config that was not made, no loader, and limits out of range") {
  flamelet_gpu_opengl_config& config = opengl();
  SUBCASE("the timer's cookie") config.gpu.cookie = 0;
  SUBCASE("loader") config.get_proc = nullptr;
  CHECK(create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(gpu == nullptr);
  CHECK(flamelet_gpu_opengl_create(nullptr, &gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_opengl_create(&config, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

// ---- The OpenGL backend in a context of OpenGL ES, on a driver that a test scripts --------------------------------

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

TEST_CASE_FIXTURE(GlBench, "OpenGL ES: timed by the extension's functions, with debug groups") {
  make_es(&device);
  SUBCASE("as OpenGL ES names it") {}
  SUBCASE("as WebGL 2 names it") device.extensions[0] = "GL_EXT_disjoint_timer_query_webgl2";
  REQUIRE(create() == FLAMELET_OK);
  scope("Pass", 100);
  frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Pass"});
  CHECK(device.all_groups == Names{"Pass"});
}

TEST_CASE_FIXTURE(GlBench, "OpenGL ES: a context without the extension, or without bits, makes no GPU object") {
  make_es(&device);
  SUBCASE("extension") device.extensions = {"GL_KHR_debug"};
  SUBCASE("bits, as in browsers") device.counter_bits = 0;
  SUBCASE("a function") device.missing_functions.insert("glQueryCounterEXT");
  CHECK(create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  CHECK(gpu == nullptr);
}

TEST_CASE("OpenGL ES: what was in flight while the clock was disjoint is dropped, not what was before the start") {
  GlBench bench;
  make_es(&bench.device);
  bench.device.is_disjoint = true;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Good", 100);
  bench.frame(2);
  bench.scope("Disjoint", 100);
  bench.scope("Disjoint", 100);
  bench.device.is_disjoint = true;
  bench.frame(2);
  CHECK(bench.stats().dropped_disjoint == 2);
  bench.scope("After", 100);
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Good", "After"});
}

// SPDX-License-Identifier: MIT
//
// The GPU scopes in a real OpenGL context without a window: Mesa's software renderer where there is no GPU. Nothing
// here depends on how fast it is.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "flamelet/flamelet.h"
#include "flamelet/gpu_opengl.h"
#include "gpu/gpu_bench.h"
#include "offscreen_gl.h"

using gpu_test::read;
using gpu_test::Span;

TEST_CASE("a real context: every GPU scope arrives, nested and in order, after its CPU scope began") {
  OffscreenGl::Api api = OffscreenGl::Api::kCore33;
  SUBCASE("OpenGL 3.3") {}
  SUBCASE("OpenGL ES 3") api = OffscreenGl::Api::kEs3;
  OffscreenGl gl(api);
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  MESSAGE(gl.renderer() << ", " << gl.version());
  CHECK((gl.version().find("OpenGL ES") == 0) == (api == OffscreenGl::Api::kEs3));
  const flamelet_config config = flamelet_config_default();
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  flamelet_gpu_opengl_config gpu_config = flamelet_gpu_opengl_config_default();
  gpu_config.get_proc = gl.get_proc;
  gpu_config.gpu.calibration_interval_ns = 0;
  flamelet_gpu* gpu = nullptr;
  const flamelet_result created = flamelet_gpu_opengl_create(&gpu_config, &gpu);
  if (created == FLAMELET_ERROR_NO_GPU_TIMESTAMPS) {
    MESSAGE("skipped: " << flamelet_result_message(created));
    flamelet_shutdown();
    return;
  }
  REQUIRE(created == FLAMELET_OK);

  constexpr int kFrames = 20;
  for (int frame = 0; frame < kFrames; ++frame) {
    {
      FLAMELET_GPU_SCOPE(gpu, "Frame");
      {
        FLAMELET_GPU_SCOPE(gpu, "Heavy");
        gl.draw(0, 400);
      }
      {
        FLAMELET_GPU_SCOPE(gpu, "Light");
        gl.draw(1, 0);
      }
      gl.draw(2, 0);  // a switch of targets behind "Light", as in a program that goes on to draw
    }
    flamelet_gpu_frame(gpu);
    flamelet_frame();
    // Stands in for the swap, which keeps a program from running ahead of the GPU.
    gl.finish();
  }
  flamelet_gpu_frame(gpu);
  CHECK(gl.error() == 0);

  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(gpu, &stats);
  CHECK(stats.scopes_submitted == 3 * kFrames);
  CHECK(stats.queries_in_flight == 0);
  CHECK(stats.dropped_invalid == 0);
  CHECK(stats.dropped_recorder == 0);
  CHECK(stats.lag_frames == 1);
  CHECK(stats.calibrations >= 2);  // not each frame's read is as good as the one before, on a busy machine

  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  std::map<flamelet_id, Span> cpu;
  for (const Span& span : read(FLAMELET_LANE_THREAD)) cpu[span.id] = span;
  REQUIRE(spans.size() == 3 * kFrames);
  int64_t least_heavy_ns = INT64_MAX, least_light_ns = INT64_MAX;
  for (size_t i = 0; i < spans.size(); i += 3) {
    const Span &frame = spans[i], &heavy = spans[i + 1], &light = spans[i + 2];
    CHECK(frame.text == "Frame");
    CHECK(heavy.text == "Heavy");
    CHECK(light.text == "Light");
    CHECK(frame.depth == 0);
    CHECK(heavy.depth == 1);
    CHECK(light.depth == 1);
    CHECK(frame.begin_ns <= heavy.begin_ns);
    CHECK(heavy.begin_ns <= heavy.end_ns);
    CHECK(heavy.end_ns <= light.begin_ns);
    CHECK(light.begin_ns <= light.end_ns);
    CHECK(light.end_ns <= frame.end_ns);
    if (i > 0) CHECK(spans[i - 3].end_ns <= frame.begin_ns);
    for (const Span* span : {&frame, &heavy, &light}) {
      REQUIRE(cpu.count(span->id) == 1);
      CHECK(cpu[span->id].text == span->text);
    }
    least_heavy_ns = std::min(least_heavy_ns, heavy.end_ns - heavy.begin_ns);
    least_light_ns = std::min(least_light_ns, light.end_ns - light.begin_ns);
  }
  // Hundreds of times the work: what is compared is the quickest of each, so a busy machine does not matter.
  CHECK(least_heavy_ns > least_light_ns);

  flamelet_gpu_destroy(gpu);
  CHECK(gl.error() == 0);
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}

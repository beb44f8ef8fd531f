// SPDX-License-Identifier: MIT
//
// GPU scopes in Vulkan's command buffers of all kinds, and beside those of OpenGL.
#include <doctest/doctest.h>

#include "flamelet/gpu_opengl.h"
#include "offscreen_gl.h"
#include "vulkan_run.h"

using gpu_test::Names;
using gpu_test::read;
using gpu_test::Span;

TEST_CASE("a real Vulkan device: scopes in secondary buffers lie inside those of the buffer that executes them") {
  VulkanRun run;
  if (!run.ok()) return;
  VkCommandBuffer secondary = run.device.new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  // Recorded before the scope around it begins, as by a program that records in parallel.
  run.device.begin(secondary, true);
  {
    FLAMELET_VULKAN_SCOPE(run.gpu, secondary, "Secondary");
    run.device.clear_in_render_pass(secondary);
  }
  run.device.end(secondary);
  VkCommandBuffer buffer = run.begin_frame();
  {
    FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Pass");
    run.device.work(buffer, 1);
    run.device.begin_render_pass(buffer, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    run.device.execute(buffer, secondary);
    run.device.end_render_pass(buffer);
  }
  run.end_frame();
  run.finish();
  CHECK(gpu_test::names(read(FLAMELET_LANE_GPU)) == Names{"Pass", ".Secondary"});
}

TEST_CASE("a real Vulkan device: a buffer that is recorded anew has new scopes each time") {
  VulkanRun run;
  if (!run.ok()) return;
  VkCommandBuffer buffer = run.device.new_buffer();
  for (int i = 0; i < 12; ++i) {
    run.device.begin(buffer);
    {
      FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Recorded anew");
      run.device.work(buffer, 1);
    }
    run.device.end(buffer);
    run.device.run(buffer);
    flamelet_gpu_frame(run.gpu);
  }
  run.finish();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 12);
  for (size_t i = 1; i < spans.size(); ++i) CHECK(spans[i - 1].end_ns <= spans[i].begin_ns);
}

TEST_CASE("a real Vulkan device: a scope may begin in one buffer and end in another") {
  VulkanRun run;
  if (!run.ok()) return;
  VkCommandBuffer first = run.device.new_buffer();
  run.device.begin(first);
  flamelet_gpu_set_context(run.gpu, first);
  const flamelet_id id = flamelet_gpu_begin(run.gpu, "Both", "");
  run.device.work(first, 1);
  run.device.end(first);
  VkCommandBuffer second = run.begin_frame();
  run.device.work(second, 1);
  flamelet_gpu_set_context(run.gpu, second);
  flamelet_gpu_end(run.gpu, id);
  run.device.run(first);
  run.end_frame();
  run.finish();
  CHECK(gpu_test::names(read(FLAMELET_LANE_GPU)) == Names{"Both"});
}

TEST_CASE("a real Vulkan device: buffers that are never submitted are given up, and their queries come back") {
  VulkanRun run({}, 16);
  if (!run.ok()) return;
  VkCommandBuffer dropped = run.device.new_buffer();
  for (int i = 0; i < 40; ++i) {
    run.device.begin(dropped);
    { FLAMELET_VULKAN_SCOPE(run.gpu, dropped, "Never submitted"); }
    run.device.end(dropped);
    flamelet_gpu_frame(run.gpu);
  }
  for (int i = 0; i < 40; ++i) run.play_frame();
  run.finish();
  const flamelet_gpu_stats stats = run.stats();
  CHECK(stats.scopes_submitted >= 20);
  CHECK(stats.scopes_submitted + stats.dropped_late + stats.dropped_invalid + stats.dropped_pool +
            stats.scopes_in_flight ==
        80);
}

TEST_CASE("a real Vulkan device: queries that are used again in every fourth frame are reset in between") {
  VulkanDevice::Wish wish;
  SUBCASE("by the host") {}
  SUBCASE("by commands") {
    wish = {false, true};
  }
  VulkanRun run(wish, 4);
  if (!run.ok()) return;
  for (int i = 0; i < 40; ++i) run.play_frame();
  run.finish();
  CHECK(run.stats().scopes_submitted + run.stats().dropped_pool == 40);
  CHECK(run.stats().scopes_submitted >= 30);
}

TEST_CASE("a real Vulkan device beside a real OpenGL context: a lane each, in one capture") {
  OffscreenGl gl;
  VulkanRun run;
  if (!run.ok()) return;
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
  config.get_proc = gl.get_proc;
  config.gpu.name = "OpenGL";
  flamelet_gpu* gl_gpu = nullptr;
  REQUIRE(flamelet_gpu_opengl_create(&config, &gl_gpu) == FLAMELET_OK);
  std::vector<flamelet_id> in_order;
  for (int frame = 0; frame < 5; ++frame) {
    {
      FLAMELET_GPU_SCOPE(gl_gpu, "OpenGL pass");
      gl.draw(0, 10);
    }
    gl.draw(1, 0);
    flamelet_gpu_frame(gl_gpu);
    gl.finish();
    VkCommandBuffer buffer = run.begin_frame();
    {
      FLAMELET_VULKAN_SCOPE(run.gpu, buffer, "Vulkan pass");
      run.device.work(buffer, 2);
    }
    run.end_frame();
    run.device.wait_idle();
  }
  flamelet_gpu_frame(gl_gpu);
  run.finish();

  recorder_test::Capture capture(flamelet_capture_config_default());
  capture.update();
  const auto gl_spans = capture.spans(capture.lane("OpenGL"));
  const auto vulkan_spans = capture.spans(capture.lane("Vulkan"));
  REQUIRE(gl_spans.size() == 5);
  REQUIRE(vulkan_spans.size() == 5);
  for (const char* lane : {"OpenGL", "Vulkan"})
    CHECK(recorder_test::lane_of(capture, capture.lane(lane)).kind == FLAMELET_LANE_GPU);
  // Each was waited for before the other began: on one line of time they alternate.
  for (size_t i = 0; i < 5; ++i) {
    CHECK(gl_spans[i].end_ns <= vulkan_spans[i].begin_ns + 20'000);
    if (i > 0) CHECK(vulkan_spans[i - 1].end_ns <= gl_spans[i].begin_ns + 20'000);
  }
  flamelet_gpu_destroy(gl_gpu);
}

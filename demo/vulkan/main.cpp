// SPDX-License-Identifier: MIT
//
// flamelet_vulkan_demo [CAPTURE]: a small game with a Vulkan renderer, GPU scopes and the overlay (F1). With CAPTURE it
// saves what it recorded to that file when its window closes. Every line that is here because of Flamelet is in this file;
// renderer.cpp is what such a game has already. docs/vulkan.md explains the lines.
#include "renderer.h"

#include <backends/imgui_impl_glfw.h>
#include <flamelet/flamelet.h>
#include <flamelet/gpu_vulkan.h>
#include <flamelet/overlay.h>

#include <cstdio>
#include <stdexcept>

#include "demo/web/bubbles.h"

namespace demo {
namespace {

class Game {
 public:
  explicit Game(GLFWwindow* window) : renderer_(window) {
    flamelet_gpu_vulkan_config config = flamelet_gpu_vulkan_config_default();
    config.get_proc = vkGetInstanceProcAddr;
    config.instance = renderer_.instance();
    config.physical_device = renderer_.physical_device();
    config.device = renderer_.device();
    config.queue_family = renderer_.queue_family();
    config.queue = renderer_.queue();
    config.host_query_reset = true;
    const flamelet_result result =
        flamelet_gpu_vulkan_create(&config, &gpu_);  // gpu_ stays NULL: the CPU alone is timed
    if (result != FLAMELET_OK) std::fprintf(stderr, "No GPU times: %s\n", flamelet_result_message(result));
    if (flamelet::overlay_create(flamelet::OverlayConfig(), &overlay_) != FLAMELET_OK)
      throw std::runtime_error("The overlay cannot be made.");
  }
  ~Game() {
    renderer_.wait_idle();
    flamelet_gpu_destroy(gpu_);
    flamelet::overlay_destroy(overlay_);
  }

  void frame() {
    {
      FLAMELET_SCOPE("Frame");
      update();
      draw();
    }
    flamelet_frame();
  }

 private:
  void update() {
    FLAMELET_SCOPE("Update");
    ImGui_ImplVulkan_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    bubbles_.step(size.x, size.y);
    bubbles_.draw(ImGui::GetBackgroundDrawList());
    ImGui::GetBackgroundDrawList()->AddText({16, size.y - 32}, IM_COL32(255, 240, 220, 255), "F1: the profiler");
    FLAMELET_SCOPE("Overlay");
    flamelet::overlay_show(overlay_);
  }

  void draw() {
    FLAMELET_SCOPE("Draw");
    ImGui::Render();
    VkCommandBuffer commands;
    {
      FLAMELET_SCOPE_WAIT("Wait for a frame");
      commands = renderer_.begin_frame();
    }
    if (commands == VK_NULL_HANDLE) return;
    {
      FLAMELET_VULKAN_SCOPE(gpu_, commands, "GPU frame");
      {
        FLAMELET_VULKAN_SCOPE(gpu_, commands, "Clear light");
        renderer_.clear_light(commands, static_cast<float>(glfwGetTime()));
      }
      {
        FLAMELET_VULKAN_SCOPE(gpu_, commands, "Shrink light");
        for (int mip = 1; mip < Renderer::kMips; ++mip) {
          FLAMELET_VULKAN_SCOPE(gpu_, commands, "Mip");
          renderer_.shrink_light(commands, mip);
        }
      }
      FLAMELET_VULKAN_SCOPE(gpu_, commands, "ImGui");
      renderer_.draw_imgui(commands);
    }
    flamelet_gpu_frame(gpu_);
    FLAMELET_SCOPE_WAIT("Present");
    renderer_.end_frame(commands);
  }

  Renderer renderer_;
  flamelet_gpu* gpu_ = nullptr;
  flamelet::Overlay* overlay_ = nullptr;
  Bubbles bubbles_;
};

// Everything that the recorder's ring still holds.
bool save(const char* path) {
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  flamelet_result result = flamelet_capture_create(&config, &capture);
  if (result == FLAMELET_OK) {
    flamelet_capture_update(capture);
    result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path);
    flamelet_capture_destroy(capture);
  }
  if (result != FLAMELET_OK) std::fprintf(stderr, "%s: %s\n", path, flamelet_result_message(result));
  return result == FLAMELET_OK;
}

void play() {
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  GLFWwindow* window = glfwCreateWindow(1280, 720, "Flamelet's Vulkan demo", nullptr, nullptr);
  if (window == nullptr || !glfwVulkanSupported()) throw std::runtime_error("There is no window, or no Vulkan.");
  ImGui::CreateContext();
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableGamepad;  // or the backend does not read it
  {
    Game game(window);
    while (!glfwWindowShouldClose(window)) {
      glfwPollEvents();
      game.frame();
    }
  }
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window);
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
  const flamelet_config recorder = flamelet_config_default();
  flamelet_init(&recorder);
  flamelet_set_thread_name("Main");
  glfwInit();
  bool is_good = true;
  try {
    demo::play();
    if (argc > 1) is_good = demo::save(argv[1]);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    is_good = false;
  }
  glfwTerminate();
  flamelet_shutdown();
  return is_good ? 0 : 1;
}

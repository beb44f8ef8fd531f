// SPDX-License-Identifier: MIT
//
// The linker sends the quick start's calls of glfwSwapBuffers and glfwWindowShouldClose here (--wrap). After enough
// frames the picture is judged and the window is closed: the program cannot tell, and needs no mode for tests.
#include <GLFW/glfw3.h>
#include <flamelet/capture.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

namespace {

constexpr int kFrames = 60;
int frames = 0;

// The overlay is neither one colour nor a speck: it has text, bars and lanes on a background.
bool shows_something(GLFWwindow* window) {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  std::vector<uint32_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  const uint32_t background = pixels.empty() ? 0 : pixels.front();
  std::set<uint32_t> colors;
  size_t drawn = 0;
  for (const uint32_t pixel : pixels) {
    colors.insert(pixel);
    drawn += pixel != background;
  }
  std::printf("%dx%d: %zu of %zu pixels drawn, %zu colours\n", width, height, drawn, pixels.size(), colors.size());
  return drawn > pixels.size() / 20 && colors.size() > 16;
}

}  // namespace

extern "C" {

void __real_glfwSwapBuffers(GLFWwindow* window);
int __real_glfwWindowShouldClose(GLFWwindow* window);

void __wrap_glfwSwapBuffers(GLFWwindow* window) {
  if (++frames == kFrames) {
    flamelet_stats stats;
    flamelet_get_stats(&stats);
    std::printf("%llu frames, %llu events\n", static_cast<unsigned long long>(stats.frames),
                static_cast<unsigned long long>(stats.events_recorded));
#ifdef FLAMELET_DISABLED
    const bool recorded = stats.events_recorded <= stats.frames + 1;  // frame marks, the one of init among them
#else
    const bool recorded = stats.frames > 0 && stats.events_recorded > stats.frames;
#endif
    if (!recorded || !shows_something(window)) std::exit(1);
  }
  __real_glfwSwapBuffers(window);
}

int __wrap_glfwWindowShouldClose(GLFWwindow* window) {
  return frames >= kFrames || __real_glfwWindowShouldClose(window);
}

}  // extern "C"

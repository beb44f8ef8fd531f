// SPDX-License-Identifier: MIT
//
// A main loop of the packaged GLFW. It needs a display.
#include "flamelet/adapters/glfw.h"

#include "adapters/adapted.h"

using namespace recorder_test;

TEST_CASE("adapters: GLFW's loop marks its frames, and its waits are waits") {
  REQUIRE(glfwInit() == GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(64, 64, "test", nullptr, nullptr);
  REQUIRE(window != nullptr);
  glfwMakeContextCurrent(window);
  {
    const Recording recording;
    for (int frame = 0; frame < 3; ++frame) {
      flamelet_glfw_poll_events();
      flamelet_glfw_swap_buffers(window);
    }
    glfwPostEmptyEvent();
    flamelet_glfw_wait_events(-1);
    flamelet_glfw_wait_events(0.001);
    CHECK(stats().frames == 3);
    CHECK(own_tree() ==
          "glfwPollEvents glfwSwapBuffers glfwPollEvents glfwSwapBuffers glfwPollEvents glfwSwapBuffers "
          "glfwWaitEvents glfwWaitEvents");
    Capture capture(Captured::kNow);
    for (const flamelet_span& span : capture.spans(capture.lane("own")))
      CHECK(category_of(capture, span) ==
            (capture.string(span.name) == "glfwPollEvents" ? "glfw" : FLAMELET_WAIT_CATEGORY));
    check_nothing_unpaired();
  }
  glfwDestroyWindow(window);
  glfwTerminate();
}

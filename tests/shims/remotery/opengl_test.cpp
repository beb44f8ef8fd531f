// SPDX-License-Identifier: MIT
//
// Samples in OpenGL on a real context without a window: Mesa's software renderer where there is no GPU.
#define RMT_USE_OPENGL 1
#include <Remotery.h>

#include "gpu/offscreen_gl.h"
#include "shim_recording.h"

using namespace shim_test;

TEST_CASE("remotery OpenGL: samples are on a lane of the GPU, too, linked to their scopes") {
  Shim shim;
  OffscreenGl gl;
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  rmt_BindOpenGL();
  for (int i = 0; i < 3; ++i) {
    {
      rmt_ScopedOpenGLSample(frame);
      rmt_BeginOpenGLSample(shadows);
      gl.draw(0, 10);
      rmt_EndOpenGLSample();
      const std::string name = "pass at run time";
      rmt_BeginOpenGLSampleDynamic(name.c_str());
      gl.draw(1, 1);
      rmt_EndOpenGLSample();
    }
    rmt_MarkFrame();
    gl.finish();
  }
  rmt_UnbindOpenGL();
  { rmt_ScopedOpenGLSample(unbound); }
  const std::string frame = "frame(shadows pass at run time)";
  CHECK(shim.tree("OpenGL") == frame + " " + frame + " " + frame);
  CHECK(shim.tree() == frame + " " + frame + " " + frame + " unbound");
  recorder_test::Capture& capture = shim.capture();
  CHECK(capture.spans(capture.lane("OpenGL"))[1].id == capture.spans(capture.lane("main"))[1].id);
  CHECK(recorder_test::lane_of(capture, capture.lane("OpenGL")).kind == FLAMELET_LANE_GPU);
  CHECK(gl.error() == 0);
}

TEST_CASE("remotery OpenGL: a context goes on under a recorder that is started later") {
  OffscreenGl gl;
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  const auto play = [&gl](int frames) {
    for (int i = 0; i < frames; ++i) {
      {
        rmt_ScopedOpenGLSample(pass);
        gl.draw(0, 10);
      }
      rmt_MarkFrame();
      gl.finish();
    }
  };
  {
    Shim shim;
    rmt_BindOpenGL();
    play(3);
  }
  Shim shim;
  REQUIRE(flamelet_track_create("another GPU", FLAMELET_TRACK_GPU, 1e9) != 0);
  play(5);
  rmt_UnbindOpenGL();
  CHECK(shim.tree("OpenGL") == "pass pass pass pass");  // the frame that found the recorder is lost
  CHECK(gl.error() == 0);
}

TEST_CASE_FIXTURE(Shim, "remotery OpenGL: without marks of frames results come, too") {
  OffscreenGl gl;
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  rmt_BindOpenGL();
  for (int i = 0; i < 100; ++i) {
    { rmt_ScopedOpenGLSample(pass); }
    gl.finish();
  }
  CHECK(capture().spans(capture().lane("OpenGL")).size() >= 80);
  rmt_UnbindOpenGL();
  CHECK(gl.error() == 0);
}

TEST_CASE_FIXTURE(Shim, "remotery OpenGL: samples without an end do not stop the results of the others") {
  OffscreenGl gl;
  if (!gl.ok()) {
    MESSAGE("skipped: " << gl.why_not());
    return;
  }
  bool is_outermost = false, has_marks = false;
  SUBCASE("inside another sample") {}
  SUBCASE("outermost, with marks of frames") is_outermost = has_marks = true;
  SUBCASE("outermost, without") is_outermost = true;
  rmt_BindOpenGL();
  for (int i = 0; i < 300; ++i) {
    rmt_ScopedCPUSample(frame, 0);
    if (is_outermost) {
      rmt_BeginOpenGLSample(left_open);
      rmt_ScopedOpenGLSample(pass);
    } else {
      rmt_ScopedOpenGLSample(pass);
      rmt_BeginOpenGLSample(left_open);
    }
    if (has_marks) rmt_MarkFrame();
    gl.finish();
  }
  CHECK(capture().spans(capture().lane("OpenGL")).size() >= 100);
  rmt_UnbindOpenGL();
  CHECK(gl.error() == 0);
}

TEST_CASE_FIXTURE(Shim, "remotery OpenGL: without a context samples are scopes of the thread, and are counted") {
  const uint64_t before = noted("samples of Remotery on the GPU");
  rmt_BindOpenGL();
  rmt_BeginOpenGLSample(pass);
  rmt_EndOpenGLSample();
  rmt_EndOpenGLSample();
  rmt_UnbindOpenGL();
  CHECK(tree() == "pass");
  CHECK(noted("samples of Remotery on the GPU") == before + 1);
  CHECK(stats().extra_ends == 1);
}

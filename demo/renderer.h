// SPDX-License-Identifier: MIT
//
// Draws a snapshot in passes, each into a target of its own: shadow map, scene, bloom, post, window. Main thread.
#pragma once

#include <flamelet/gpu.h>

#include "camera.h"
#include "gl_objects.h"
#include "snapshot.h"

namespace demo {

class Renderer {
 public:
  // `scale` is the size of the picture relative to the window; 0 chooses: 1, or less for a software renderer. `gpu` may
  // be NULL and outlives the renderer.
  Renderer(float scale, flamelet_gpu* gpu);

  // Draws everything but the window. Sizes are the window's framebuffer's, and not 0.
  // The sky is computed again and again, for about `more_ms` of the GPU's time.
  void draw(const Snapshot& snapshot, const Camera& camera, int width, int height, double more_ms);
  // How long the sky takes, for draw() with more of it. Call it once a frame was drawn. Waits for the GPU.
  void measure_sky();
  // Copies the picture into the window's framebuffer, which stays bound.
  void draw_window();

 private:
  void make_ground();
  void resize(int width, int height);
  void upload_constants(const Snapshot& snapshot, const Camera& camera);
  void upload_boxes(const std::vector<Box>& boxes);
  void upload_lanterns(const std::vector<Lantern>& lanterns);
  void draw_boxes(const Program& program);
  void draw_screen(const Program& program);
  void draw_sky(int again);
  void shadow_pass();
  void scene_pass(double more_ms);
  void bloom_pass();
  void post_pass();

  float scale_;
  flamelet_gpu* gpu_;
  int width_ = 0;  // of the window
  int height_ = 0;
  unsigned draw_calls_ = 0;
  double again_ms_ = 0.1;  // that the GPU takes to compute the sky once more

  Program shadow_program_, box_program_, lantern_program_, ground_program_, sky_program_;
  Program bright_program_, blur_program_, post_program_, window_program_;
  GLint blur_direction_ = -1;
  GLint lantern_pixels_ = -1;
  GLint sky_again_ = -1;

  Buffer frame_constants_;
  VertexArray no_vertices_;
  Buffer ground_indices_;
  VertexArray ground_vertices_;
  Buffer box_data_, box_indices_;
  Texture box_texture_;
  VertexArray box_vertices_;
  size_t box_count_ = 0;
  size_t box_index_count_ = 0;  // boxes that box_indices_ has room for
  Buffer lantern_data_;
  VertexArray lantern_vertices_;
  size_t lantern_count_ = 0;
  RenderTarget shadow_, scene_, bloom_[2], post_;
};

}  // namespace demo

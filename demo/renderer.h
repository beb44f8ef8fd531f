// SPDX-License-Identifier: MIT
//
// Draws a snapshot in passes, each into a target of its own: shadow map, scene, bloom, post, window. Main thread.
#pragma once

#include <flamelet/gpu.h>

#include <GLFW/glfw3.h>
#include <flamelet/gpu_opengl.h>
#include <glad/gl.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "snapshot.h"

namespace demo {

// OpenGL objects that free themselves. All of it needs the current context, also the destructors.

// A GL name, deleted at the end: `Delete` is a wrapper because the loader's functions are pointers.
template <void (*Delete)(GLuint)>
class GlHandle {
 public:
  explicit GlHandle(GLuint name = 0) : name_(name) {}
  GlHandle(GlHandle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlHandle() {
    if (name_) Delete(name_);
  }
  GLuint get() const { return name_; }

 private:
  GLuint name_;
};

inline void delete_buffer(GLuint name) {
  glDeleteBuffers(1, &name);
}
inline void delete_vertex_array(GLuint name) {
  glDeleteVertexArrays(1, &name);
}
inline void delete_texture(GLuint name) {
  glDeleteTextures(1, &name);
}
inline void delete_framebuffer(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
inline void delete_program(GLuint name) {
  glDeleteProgram(name);
}

using Buffer = GlHandle<delete_buffer>;
using VertexArray = GlHandle<delete_vertex_array>;
using Texture = GlHandle<delete_texture>;
using Framebuffer = GlHandle<delete_framebuffer>;
using Program = GlHandle<delete_program>;

Buffer make_buffer();
Texture make_texture();
VertexArray make_vertex_array();

// Compiles and links; throws std::runtime_error with the compiler's message. A shader is given in pieces, without its
// #version line. `samplers` name the texture units in order; the uniform block "Frame" is bound to point 0.
Program make_program(std::vector<const char*> vertex, std::vector<const char*> fragment,
                     const std::vector<const char*>& samplers);

// A framebuffer with one colour texture, one depth texture, or both. Format 0 = none.
class RenderTarget {
 public:
  RenderTarget() = default;
  RenderTarget(int width, int height, GLenum color_format, GLenum depth_format);

  void bind() const;  // as the target to draw to, with a viewport over all of it
  GLuint framebuffer() const { return framebuffer_.get(); }
  GLuint color() const { return color_.get(); }
  GLuint depth() const { return depth_.get(); }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Framebuffer framebuffer_;
  Texture color_;
  Texture depth_;
  int width_ = 0;
  int height_ = 0;
};

// ---- gpu timer

// The profiler's lane for the GPU. Without one, GPU scopes are CPU scopes only.
class GpuTimer {
 public:
  GpuTimer() {
    flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
    config.get_proc = glfwGetProcAddress;
    const flamelet_result result = flamelet_gpu_opengl_create(&config, &gpu_);
    if (result != FLAMELET_OK) std::fprintf(stderr, "No GPU times: %s\n", flamelet_result_message(result));
  }
  ~GpuTimer() { flamelet_gpu_destroy(gpu_); }
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  flamelet_gpu* get() const { return gpu_; }

 private:
  flamelet_gpu* gpu_ = nullptr;
};

// A camera that circles the town by itself until the player takes it.
class Camera {
 public:
  // Circles with the game's time: a frame shows the same in every run.
  void drift(float game_seconds) {
    if (!held_) yaw_ = 0.6f + 0.05f * game_seconds;
  }
  // `pixels` of a drag.
  void orbit(glm::vec2 pixels) {
    held_ |= pixels != glm::vec2(0.0f);
    yaw_ -= 0.005f * pixels.x;
    pitch_ = std::clamp(pitch_ + 0.005f * pixels.y, 0.12f, 1.45f);
  }
  void zoom(float steps) { distance_ = std::clamp(distance_ * std::pow(0.9f, steps), 12.0f, 140.0f); }

  glm::vec3 position() const {
    const glm::vec3 back(std::cos(pitch_) * std::sin(yaw_), std::sin(pitch_), std::cos(pitch_) * std::cos(yaw_));
    return kTarget + distance_ * back;
  }
  glm::mat4 view() const { return glm::lookAt(position(), kTarget, glm::vec3(0, 1, 0)); }
  static glm::mat4 projection(float aspect) { return glm::perspective(glm::radians(46.0f), aspect, 1.0f, 400.0f); }

  // Where the ray through a point of the screen (-1 .. 1, y up) meets the ground.
  std::optional<glm::vec3> ground_at(glm::vec2 screen, float aspect) const {
    const glm::mat4 to_world = glm::inverse(projection(aspect) * view());
    const glm::vec4 far = to_world * glm::vec4(screen, 1.0f, 1.0f);
    const glm::vec3 direction = glm::vec3(far) / far.w - position();
    if (direction.y >= 0.0f) return std::nullopt;
    return position() - direction * (position().y / direction.y);
  }

 private:
  static constexpr glm::vec3 kTarget{0.0f, 2.0f, 0.0f};

  float yaw_ = 0.6f;
  float pitch_ = 0.42f;
  float distance_ = 60.0f;
  bool held_ = false;
};

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

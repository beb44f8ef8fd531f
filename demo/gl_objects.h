// SPDX-License-Identifier: MIT
//
// OpenGL objects that free themselves. All of it needs the current context, also the destructors.
#pragma once

#include <GLFW/glfw3.h>
#include <flamelet/gpu_opengl.h>
#include <glad/gl.h>
#include <cstdio>
#include <utility>
#include <vector>

namespace demo {

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

}  // namespace demo

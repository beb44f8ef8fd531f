// SPDX-License-Identifier: MIT
#include "renderer.h"

#include <flamelet/flamelet.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <glm/gtc/matrix_transform.hpp>

#include "shaders.h"

namespace demo {
namespace {

constexpr int kShadowSize = 1024;

struct FrameConstants {
  glm::mat4 view_projection;
  glm::mat4 screen_to_world;
  glm::mat4 sun_projection;
  glm::vec4 camera;
  glm::vec4 sun;
  glm::vec4 light_position[kMaxLights];
  glm::vec4 light_color[kMaxLights];
};

// Two triangles a face, counter-clockwise seen from outside; bits 0, 1, 2 of a corner say +x, +y, +z.
constexpr GLuint kBoxIndices[36] = {0, 4, 6, 6, 2, 0, 1, 3, 7, 7, 5, 1, 0, 1, 5, 5, 4, 0,
                                    2, 6, 7, 7, 3, 2, 0, 2, 3, 3, 1, 0, 4, 5, 7, 7, 6, 4};

glm::mat4 sun_projection(glm::vec3 sun) {
  const glm::mat4 view = glm::lookAt(sun * 80.0f, glm::vec3(0), glm::vec3(0, 1, 0));
  return glm::ortho(-62.0f, 62.0f, -36.0f, 44.0f, 10.0f, 150.0f) * view;
}

// Software renderers pay for every pixel on the CPU.
float default_scale() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const bool software = name && (std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe"));
  return software ? 0.5f : 1.0f;
}

template <typename T>
void upload(GLenum target, const Buffer& buffer, const std::vector<T>& data, GLenum usage) {
  glBindBuffer(target, buffer.get());
  glBufferData(target, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(), usage);
}

const void* offset(size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

Renderer::Renderer(float scale, flamelet_gpu* gpu) : scale_(scale > 0.0f ? scale : default_scale()), gpu_(gpu) {
  shadow_program_ = make_program({kFrame, kBoxCorner, kShadowVertex}, {kShadowFragment}, {"boxes"});
  box_program_ = make_program({kFrame, kBoxCorner, kLocalLight, kBoxVertex},
                              {kFrame, kStore, kSky, kSurface, kBoxFragment}, {"boxes", "shadow_map"});
  lantern_program_ = make_program({kFrame, kLanternVertex}, {kStore, kLanternFragment}, {});
  lantern_pixels_ = glGetUniformLocation(lantern_program_.get(), "pixels");
  ground_program_ = make_program({kFrame, kLocalLight, kGroundVertex},
                                 {kFrame, kStore, kSky, kSurface, kGroundFragment}, {"", "shadow_map"});
  sky_program_ = make_program({kScreenVertex}, {kFrame, kStore, kSky, kSkyFragment}, {});
  sky_again_ = glGetUniformLocation(sky_program_.get(), "again");
  bright_program_ = make_program({kScreenVertex}, {kStore, kBrightFragment}, {"scene"});
  blur_program_ = make_program({kScreenVertex}, {kBlurFragment}, {"source"});
  blur_direction_ = glGetUniformLocation(blur_program_.get(), "direction");
  post_program_ = make_program({kScreenVertex}, {kStore, kPostFragment}, {"scene", "bloom"});
  window_program_ = make_program({kScreenVertex}, {kWindowFragment}, {"picture"});

  shadow_ = RenderTarget(kShadowSize, kShadowSize, 0, GL_DEPTH_COMPONENT16);
  frame_constants_ = make_buffer();
  no_vertices_ = make_vertex_array();
  make_ground();

  box_data_ = make_buffer();
  box_indices_ = make_buffer();
  box_texture_ = make_texture();
  box_vertices_ = make_vertex_array();
  glBindVertexArray(box_vertices_.get());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, box_indices_.get());

  lantern_data_ = make_buffer();
  lantern_vertices_ = make_vertex_array();
  glBindVertexArray(lantern_vertices_.get());
  glBindBuffer(GL_ARRAY_BUFFER, lantern_data_.get());
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Lantern), offset(offsetof(Lantern, position)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Lantern), offset(offsetof(Lantern, color)));
  glBindVertexArray(0);
}

void Renderer::make_ground() {
  std::vector<GLuint> indices;
  for (GLuint row = 0; row < kGroundCells; ++row) {
    for (GLuint column = 0; column < kGroundCells; ++column) {
      const GLuint corner = row * (kGroundCells + 1) + column;
      const GLuint below = corner + kGroundCells + 1;
      for (const GLuint vertex : {corner, below, below + 1, below + 1, corner + 1, corner}) indices.push_back(vertex);
    }
  }
  ground_vertices_ = make_vertex_array();
  ground_indices_ = make_buffer();
  glBindVertexArray(ground_vertices_.get());
  upload(GL_ELEMENT_ARRAY_BUFFER, ground_indices_, indices, GL_STATIC_DRAW);
  glBindVertexArray(0);
}

void Renderer::draw(const Snapshot& snapshot, const Camera& camera, int width, int height, double more_ms) {
  FLAMELET_SCOPE("Render");
  draw_calls_ = 0;
  resize(width, height);
  {
    FLAMELET_SCOPE("Upload");
    upload_constants(snapshot, camera);
    upload_boxes(snapshot.boxes);
    upload_lanterns(snapshot.lanterns);
  }
  glEnable(GL_CULL_FACE);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  shadow_pass();
  scene_pass(more_ms);
  bloom_pass();
  post_pass();
}

void Renderer::resize(int width, int height) {
  const auto scaled = [this](int size) { return std::max(static_cast<int>(static_cast<float>(size) * scale_), 1); };
  width_ = width;
  height_ = height;
  width = scaled(width);
  height = scaled(height);
  if (scene_.width() == width && scene_.height() == height) return;
  FLAMELET_FUNCTION();
  scene_ = RenderTarget(width, height, GL_RGBA8, GL_DEPTH_COMPONENT24);
  for (RenderTarget& bloom : bloom_) bloom = RenderTarget((width + 3) / 4, (height + 3) / 4, GL_RGBA8, 0);
  post_ = RenderTarget(width, height, GL_RGBA8, 0);
}

void Renderer::upload_constants(const Snapshot& snapshot, const Camera& camera) {
  const float aspect = static_cast<float>(width_) / static_cast<float>(height_);
  const glm::vec3 sun = glm::normalize(glm::vec3(-0.62f, 0.42f, -0.45f));
  const glm::mat4 projection = Camera::projection(aspect);
  FrameConstants frame = {};
  frame.view_projection = projection * camera.view();
  frame.screen_to_world = glm::inverse(frame.view_projection);
  frame.sun_projection = sun_projection(sun);
  frame.camera = glm::vec4(camera.position(), 1.0f);
  frame.sun = glm::vec4(sun, 0.0f);
  for (size_t i = 0; i < kMaxLights; ++i) {
    const Light light = i < snapshot.lights.size() ? snapshot.lights[i] : Light{{}, 1.0f, {}};
    frame.light_position[i] = glm::vec4(light.position, light.reach);
    frame.light_color[i] = glm::vec4(light.color, 0.0f);
  }
  glBindBuffer(GL_UNIFORM_BUFFER, frame_constants_.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof frame, &frame, GL_STREAM_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_constants_.get());
  glUseProgram(lantern_program_.get());
  glUniform1f(lantern_pixels_, 0.5f * projection[1][1] * static_cast<float>(scene_.height()));
}

void Renderer::upload_boxes(const std::vector<Box>& boxes) {
  box_count_ = boxes.size();
  upload(GL_TEXTURE_BUFFER, box_data_, boxes, GL_STREAM_DRAW);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_BUFFER, box_texture_.get());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, box_data_.get());
  if (box_index_count_ >= box_count_) return;

  std::vector<GLuint> indices;
  for (GLuint box = 0; box < box_count_; ++box) {
    for (const GLuint corner : kBoxIndices) indices.push_back(box * 8 + corner);
  }
  glBindVertexArray(box_vertices_.get());
  upload(GL_ELEMENT_ARRAY_BUFFER, box_indices_, indices, GL_STATIC_DRAW);
  box_index_count_ = box_count_;
}

void Renderer::upload_lanterns(const std::vector<Lantern>& lanterns) {
  lantern_count_ = lanterns.size();
  upload(GL_ARRAY_BUFFER, lantern_data_, lanterns, GL_STREAM_DRAW);
}

void Renderer::draw_boxes(const Program& program) {
  glUseProgram(program.get());
  glBindVertexArray(box_vertices_.get());
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(box_count_ * 36), GL_UNSIGNED_INT, nullptr);
  ++draw_calls_;
}

void Renderer::draw_screen(const Program& program) {
  glUseProgram(program.get());
  glBindVertexArray(no_vertices_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  ++draw_calls_;
}

void Renderer::shadow_pass() {
  FLAMELET_GPU_SCOPE(gpu_, "Shadow pass");
  shadow_.bind();
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_boxes(shadow_program_);
}

void Renderer::scene_pass(double more_ms) {
  FLAMELET_GPU_SCOPE(gpu_, "Scene pass");
  scene_.bind();
  glClear(GL_DEPTH_BUFFER_BIT);  // the sky covers every pixel that nothing else does
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, shadow_.depth());
  glActiveTexture(GL_TEXTURE0);
  draw_boxes(box_program_);
  glUseProgram(lantern_program_.get());
  glBindVertexArray(lantern_vertices_.get());
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(lantern_count_));
  ++draw_calls_;

  glUseProgram(ground_program_.get());
  glBindVertexArray(ground_vertices_.get());
  glDrawElements(GL_TRIANGLES, kGroundCells * kGroundCells * 6, GL_UNSIGNED_INT, nullptr);
  ++draw_calls_;

  draw_sky(0);
  // In parts: a driver may end one draw that takes too long.
  constexpr double kPartMs = 10;
  for (double left_ms = more_ms; left_ms > 0; left_ms -= kPartMs)
    draw_sky(static_cast<int>(std::min(left_ms, kPartMs) / again_ms_));
  glDisable(GL_DEPTH_TEST);
}

void Renderer::draw_sky(int again) {
  glUseProgram(sky_program_.get());
  glUniform1i(sky_again_, again);
  draw_screen(sky_program_);
}

void Renderer::measure_sky() {
  FLAMELET_FUNCTION();
  // Long enough that handing it to the GPU does not count; the shortest of some, since others want the processor, too.
  constexpr double kEnoughMs = 8;
  constexpr int kRounds = 4, kMost = 1 << 24;
  scene_.bind();
  glEnable(GL_DEPTH_TEST);
  double shortest_ms = 0;
  int again = 8;
  for (; shortest_ms < kEnoughMs && again < kMost; again *= 2) {
    shortest_ms = 1e9;
    for (int round = 0; round < kRounds && shortest_ms >= kEnoughMs; ++round) {
      glFinish();
      const auto begin = std::chrono::steady_clock::now();
      draw_sky(again);
      glFinish();
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
      shortest_ms = std::min(shortest_ms, took.count());
    }
  }
  again_ms_ = shortest_ms / (again / 2);
}

void Renderer::bloom_pass() {
  FLAMELET_GPU_SCOPE(gpu_, "Bloom pass");
  bloom_[0].bind();
  glBindTexture(GL_TEXTURE_2D, scene_.color());
  draw_screen(bright_program_);
  // Horizontally into the other target, and vertically back.
  for (int i = 0; i < 2; ++i) {
    bloom_[1 - i].bind();
    glBindTexture(GL_TEXTURE_2D, bloom_[i].color());
    glUseProgram(blur_program_.get());
    const float texel_x = 1.0f / static_cast<float>(bloom_[i].width());
    const float texel_y = 1.0f / static_cast<float>(bloom_[i].height());
    glUniform2f(blur_direction_, i == 0 ? texel_x : 0.0f, i == 0 ? 0.0f : texel_y);
    draw_screen(blur_program_);
  }
}

void Renderer::post_pass() {
  FLAMELET_GPU_SCOPE(gpu_, "Post pass");
  post_.bind();
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, bloom_[0].color());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, scene_.color());
  draw_screen(post_program_);
}

void Renderer::draw_window() {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width_, height_);
  glBindTexture(GL_TEXTURE_2D, post_.color());
  draw_screen(window_program_);
  FLAMELET_COUNTER("draw calls", draw_calls_);
}

}  // namespace demo

// SPDX-License-Identifier: MIT
#include "gl_objects.h"

#include <stdexcept>
#include <string>

namespace demo {
namespace {

GLuint compile(GLenum stage, std::vector<const char*> pieces) {
  pieces.insert(pieces.begin(), "#version 330 core\n");
  const GLuint shader = glCreateShader(stage);
  glShaderSource(shader, static_cast<GLsizei>(pieces.size()), pieces.data(), nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return shader;
  char log[2048] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  throw std::runtime_error(std::string("A shader does not compile: ") + log);
}

Texture make_image(int width, int height, GLenum format) {
  const bool is_depth = format == GL_DEPTH_COMPONENT24 || format == GL_DEPTH_COMPONENT16;
  Texture texture = make_texture();
  glBindTexture(GL_TEXTURE_2D, texture.get());
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, is_depth ? GL_DEPTH_COMPONENT : GL_RGBA,
               is_depth ? GL_UNSIGNED_INT : GL_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  if (is_depth) {
    // Sampled through sampler2DShadow: a lookup is a comparison.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  }
  return texture;
}

}  // namespace

Buffer make_buffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return Buffer(name);
}

Texture make_texture() {
  GLuint name = 0;
  glGenTextures(1, &name);
  return Texture(name);
}

VertexArray make_vertex_array() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return VertexArray(name);
}

Program make_program(std::vector<const char*> vertex, std::vector<const char*> fragment,
                     const std::vector<const char*>& samplers) {
  const GLuint vertex_shader = compile(GL_VERTEX_SHADER, std::move(vertex));
  const GLuint fragment_shader = compile(GL_FRAGMENT_SHADER, std::move(fragment));
  Program program(glCreateProgram());
  glAttachShader(program.get(), vertex_shader);
  glAttachShader(program.get(), fragment_shader);
  glLinkProgram(program.get());
  glDeleteShader(vertex_shader);
  glDeleteShader(fragment_shader);
  GLint linked = 0;
  glGetProgramiv(program.get(), GL_LINK_STATUS, &linked);
  if (!linked) {
    char log[2048] = "";
    glGetProgramInfoLog(program.get(), sizeof log, nullptr, log);
    throw std::runtime_error(std::string("A shader program does not link: ") + log);
  }
  const GLuint frame = glGetUniformBlockIndex(program.get(), "Frame");
  if (frame != GL_INVALID_INDEX) glUniformBlockBinding(program.get(), frame, 0);
  glUseProgram(program.get());
  for (size_t unit = 0; unit < samplers.size(); ++unit) {
    glUniform1i(glGetUniformLocation(program.get(), samplers[unit]), static_cast<GLint>(unit));
  }
  return program;
}

RenderTarget::RenderTarget(int width, int height, GLenum color_format, GLenum depth_format)
    : width_(width), height_(height) {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  framebuffer_ = Framebuffer(name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  if (color_format) {
    color_ = make_image(width, height, color_format);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.get(), 0);
  } else {
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
  }
  if (depth_format) {
    depth_ = make_image(width, height, depth_format);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.get(), 0);
  }
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw std::runtime_error("This OpenGL driver refuses a render target.");
  }
}

void RenderTarget::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glViewport(0, 0, width_, height_);
}

}  // namespace demo

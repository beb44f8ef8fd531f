// SPDX-License-Identifier: MIT
#include "renderer.h"

#include <flamelet/flamelet.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <glm/gtc/matrix_transform.hpp>
#include <stdexcept>
#include <string>

namespace demo {

// The shaders, as GLSL 3.30. Light is linear until the last pass. Every box is drawn from its eight corners, found from
// the vertex number; a fragment's normal comes from the derivatives of its position, so that corners can be shared.
// Light between the passes is stored as its root, up to 4, so that eight bits are enough.
// A shader is put together from pieces: make_program({kFrame, kBoxCorner, kShadowVertex}, ...).

constexpr int kGroundCells = 32;  // a side

// Matches FrameConstants (std140).
inline constexpr const char* kFrame = R"(
layout(std140) uniform Frame {
  mat4 view_projection;
  mat4 screen_to_world;
  mat4 sun_projection;
  vec4 camera;
  vec4 sun;                // towards the sun
  vec4 light_position[6];  // w: reach in metres
  vec4 light_color[6];
};
)";

// Fetches one corner of one box. Boxes come from a buffer texture, three texels each, instead of as instances: a mesh of
// eight vertices is too small for instancing, on hardware and more so in software.
inline constexpr const char* kBoxCorner = R"(
uniform samplerBuffer boxes;
vec4 box_texel(int i) { return texelFetch(boxes, (gl_VertexID >> 3) * 3 + i); }
vec3 box_corner() { return vec3(gl_VertexID & 1, (gl_VertexID >> 1) & 1, (gl_VertexID >> 2) & 1) * 2.0 - 1.0; }
vec3 box_world(vec3 corner) {
  vec4 rotation = box_texel(1);
  vec3 local = corner * box_texel(2).xyz;
  return box_texel(0).xyz + local + 2.0 * cross(rotation.xyz, cross(rotation.xyz, local) + rotation.w * local);
}
)";

// The light of the beacons and of an explosion. It changes slowly over a surface, so it is found at the vertices: six
// lights in every pixel were half of the frame on a software renderer.
inline constexpr const char* kLocalLight = R"(
vec3 local_light(vec3 at) {
  vec3 light = vec3(0.0);
  for (int i = 0; i < 6; ++i) {
    vec3 to = light_position[i].xyz - at;
    float closeness = max(1.0 - dot(to, to) / (light_position[i].w * light_position[i].w), 0.0);
    light += light_color[i].rgb * (closeness * closeness * closeness);
  }
  return light;
}
)";

inline constexpr const char* kStore = R"(
vec4 store(vec3 light) { return vec4(sqrt(light * 0.25), 1.0); }
vec3 load(vec3 stored) { return stored * stored * 4.0; }
)";

inline constexpr const char* kSky = R"(
const vec3 sky_low = vec3(0.21, 0.105, 0.11);
const vec3 sky_high = vec3(0.020, 0.034, 0.085);
vec3 sun_glow(vec3 ray) {
  float towards = max(dot(ray, sun.xyz), 0.0);
  towards *= towards;
  return vec3(0.40, 0.16, 0.055) * (towards * towards);
}
)";

inline constexpr const char* kSurface = R"(
uniform sampler2DShadow shadow_map;
vec3 shade(vec3 albedo, vec3 at, vec3 normal, vec3 light) {
  vec3 in_map = (sun_projection * vec4(at + normal * 0.15, 1.0)).xyz * 0.5 + 0.5;
  float sunlight = max(dot(normal, sun.xyz), 0.0) * texture(shadow_map, in_map);
  vec3 skylight = mix(vec3(0.10, 0.08, 0.09), vec3(0.15, 0.20, 0.33), normal.y * 0.5 + 0.5);
  float openness = 0.55 + 0.45 * min(at.y * 0.5 + 0.25 + 0.5 * normal.y, 1.0);  // darker next to the ground
  light += skylight * openness + sunlight * vec3(2.0, 1.08, 0.50);
  vec3 ray = at - camera.xyz;
  float square = dot(ray, ray);
  float haze = min(square / 40000.0, 1.0);
  return mix(albedo * light, sky_low + sun_glow(ray * inversesqrt(square)), haze * haze);
}
)";

inline constexpr const char* kShadowVertex = R"(
void main() { gl_Position = sun_projection * vec4(box_world(box_corner()), 1.0); }
)";

inline constexpr const char* kShadowFragment = R"(
void main() {}
)";

inline constexpr const char* kBoxVertex = R"(
out vec3 world;
out vec3 corner;
out vec3 light;
flat out vec4 albedo;  // w: glow
void main() {
  corner = box_corner();
  world = box_world(corner);
  light = local_light(world);
  uint color = floatBitsToUint(box_texel(2).w);
  albedo = vec4(vec3(color & 255u, (color >> 8) & 255u, (color >> 16) & 255u) / 255.0, box_texel(0).w);
  albedo.rgb *= albedo.rgb;  // about linear
  gl_Position = view_projection * vec4(world, 1.0);
}
)";

inline constexpr const char* kBoxFragment = R"(
in vec3 world;
in vec3 corner;
in vec3 light;
flat in vec4 albedo;
out vec4 pixel;
void main() {
  if (albedo.w > 0.0) {
    pixel = store(albedo.rgb * albedo.w);
    return;
  }
  vec3 normal = normalize(cross(dFdx(world), dFdy(world)));
  vec3 inside = 1.0 - abs(corner);  // one of the three is 0: the distance to the fragment's own face
  float rim = inside.x + inside.y + inside.z - max(inside.x, max(inside.y, inside.z));
  vec3 surface = albedo.rgb * (0.7 + 0.3 * smoothstep(0.0, 0.14, rim));
  pixel = store(shade(surface, world, normal, light));
}
)";

// Lanterns are points: round, and about a hand wide.
inline constexpr const char* kLanternVertex = R"(
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 tint;
uniform float pixels;  // that one metre at a distance of one metre takes
flat out vec3 shine;
void main() {
  gl_Position = view_projection * vec4(place, 1.0);
  gl_PointSize = max(0.34 * pixels / gl_Position.w, 1.5);
  shine = tint.rgb * tint.rgb * 1.6;
}
)";

inline constexpr const char* kLanternFragment = R"(
flat in vec3 shine;
out vec4 pixel;
void main() {
  vec2 off = gl_PointCoord * 2.0 - 1.0;
  if (dot(off, off) > 1.0) discard;
  pixel = store(shine);
}
)";

// A grid over the town; its outermost vertices lie far away.
inline constexpr const char* kGroundVertex = R"(
out vec3 world;
out vec3 light;
void main() {
  ivec2 at = ivec2(gl_VertexID % 33, gl_VertexID / 33) - 16;
  bvec2 border = equal(abs(at), ivec2(16));
  vec2 place = vec2(at) * 3.5 * mix(vec2(1.0), vec2(6.0), border);
  world = vec3(place.x, 0.0, place.y);
  light = local_light(world);
  gl_Position = view_projection * vec4(world, 1.0);
}
)";

inline constexpr const char* kGroundFragment = R"(
in vec3 world;
in vec3 light;
out vec4 pixel;
void main() {
  vec2 tile = world.xz / 4.0;
  vec2 line = abs(fract(tile - 0.5) - 0.5) / fwidth(tile);
  float joint = 1.0 - min(min(line.x, line.y), 1.0);
  joint *= step(max(abs(world.x), abs(world.z)), 52.0);  // the town is paved
  vec3 surface = vec3(0.060, 0.082, 0.100) * (1.0 - 0.35 * joint);
  pixel = store(shade(surface, world, vec3(0.0, 1.0, 0.0), light));
}
)";

// Covers the screen with one triangle, behind everything.
inline constexpr const char* kScreenVertex = R"(
out vec2 uv;
void main() {
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(uv * 2.0 - 1.0, 1.0, 1.0);
}
)";

// Computes the sky `again` times more, each from the one before, for a pass that takes longer and looks the same.
inline constexpr const char* kSkyFragment = R"(
uniform int again;
in vec2 uv;
out vec4 pixel;
vec3 sky(vec3 ray) { return mix(sky_low, sky_high, smoothstep(0.0, 0.30, ray.y)) + sun_glow(ray); }
void main() {
  vec4 end = screen_to_world * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
  vec3 ray = normalize(end.xyz / end.w - camera.xyz);
  vec3 color = sky(ray);
  for (int i = 0; i < again; ++i) color = sky(normalize(ray + 1e-6 * color));
  pixel = store(color);
}
)";

// Keeps what shines, at a quarter of the size.
inline constexpr const char* kBrightFragment = R"(
uniform sampler2D scene;
in vec2 uv;
out vec4 pixel;
void main() { pixel = store(max(load(texture(scene, uv).rgb) - 0.7, 0.0)); }
)";

// One direction of a Gaussian (of the roots, which only makes it softer): nine taps in five lookups, placed between texels so that the filter adds two at a time.
inline constexpr const char* kBlurFragment = R"(
uniform sampler2D source;
uniform vec2 direction;
in vec2 uv;
out vec4 pixel;
void main() {
  vec2 inner = direction * 1.3846153846;
  vec2 outer = direction * 3.2307692308;
  vec3 sum = texture(source, uv).rgb * 0.2270270270;
  sum += (texture(source, uv + inner).rgb + texture(source, uv - inner).rgb) * 0.3162162162;
  sum += (texture(source, uv + outer).rgb + texture(source, uv - outer).rgb) * 0.0702702703;
  pixel = vec4(sum, 1.0);
}
)";

// Bloom, a vignette, and a filmic curve that ends in display values (Hejl and Burgess-Dawson's fit, in Hable, "Filmic
// Tonemapping for Real-time Rendering", 2010).
inline constexpr const char* kPostFragment = R"(
uniform sampler2D scene;
uniform sampler2D bloom;
in vec2 uv;
out vec4 pixel;
void main() {
  vec3 c = load(texture(scene, uv).rgb) + load(texture(bloom, uv).rgb);
  vec2 off = uv - 0.5;
  c *= 1.1 - 0.8 * dot(off, off);
  c = max(c - 0.004, 0.0);
  c = (c * (6.2 * c + 0.5)) / (c * (6.2 * c + 1.7) + 0.06);
  pixel = vec4(c, 1.0);
}
)";

// From the size that the game is drawn at to the window's.
inline constexpr const char* kWindowFragment = R"(
uniform sampler2D picture;
in vec2 uv;
out vec4 pixel;
void main() { pixel = texture(picture, uv); }
)";

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

// ---- gl objects

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

// SPDX-License-Identifier: MIT
//
// The shaders, as GLSL 3.30. Light is linear until the last pass. Every box is drawn from its eight corners, found from
// the vertex number; a fragment's normal comes from the derivatives of its position, so that corners can be shared.
// Light between the passes is stored as its root, up to 4, so that eight bits are enough.
// A shader is put together from pieces: make_program({kFrame, kBoxCorner, kShadowVertex}, ...).
#pragma once

namespace demo {

constexpr int kGroundCells = 32;  // a side

// Matches FrameConstants in renderer.cpp (std140).
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

}  // namespace demo

// SPDX-License-Identifier: MIT
//
// A camera that circles the town by itself until the player takes it.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>

namespace demo {

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

}  // namespace demo

// SPDX-License-Identifier: MIT
//
// Rocks: a ship among drifting rocks. Arrows steer, the space bar shoots, Escape quits.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

struct Vec {
  float x = 0, y = 0;
};
static Vec operator+(Vec a, Vec b) {
  return {a.x + b.x, a.y + b.y};
}
static Vec operator*(Vec a, float k) {
  return {a.x * k, a.y * k};
}
static float distance(Vec a, Vec b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

struct Rock {
  Vec at, speed;
  float radius, angle, spin;
};
struct Shot {
  Vec at, speed;
  float age;
};
struct Spark {
  Vec at, speed;
  float age;
};

class Game {
 public:
  Game() { spawn_rocks(12); }

  void update(GLFWwindow* window, float dt) {
    steer(window, dt);
    move(dt);
    collide();
    if (rocks_.empty()) spawn_rocks(++level_ * 4 + 12);
  }

  void draw(ImDrawList* list) const {
    for (const Spark& spark : sparks_) {
      const int heat = static_cast<int>(255 * std::max(0.0f, 1 - spark.age));
      list->AddCircleFilled(ImVec2(spark.at.x, spark.at.y), 1.5f, IM_COL32(255, heat, 40, heat));
    }
    for (const Rock& rock : rocks_) draw_rock(list, rock);
    for (const Shot& shot : shots_) list->AddCircleFilled(ImVec2(shot.at.x, shot.at.y), 3, IM_COL32_WHITE);
    draw_ship(list);
  }

  void show_score() const {
    ImGui::SetNextWindowPos(ImVec2(10, kHeight - 70));
    ImGui::Begin("score", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::Text("score %d   level %d   rocks %d", score_, level_ + 1, static_cast<int>(rocks_.size()));
    ImGui::Text("hits %d", hits_);
    ImGui::End();
  }

  static constexpr float kWidth = 1280, kHeight = 720;

 private:
  float random(float low, float high) { return std::uniform_real_distribution<float>(low, high)(numbers_); }

  void spawn_rocks(int count) {
    for (int i = 0; i < count; ++i) {
      const Vec at = {random(0, kWidth), random(0, kHeight / 3)};
      rocks_.push_back({at, {random(-60, 60), random(-60, 60)}, random(18, 44), 0, random(-2, 2)});
    }
  }

  void steer(GLFWwindow* window, float dt) {
    if (glfwGetKey(window, GLFW_KEY_LEFT) == GLFW_PRESS) heading_ -= 4 * dt;
    if (glfwGetKey(window, GLFW_KEY_RIGHT) == GLFW_PRESS) heading_ += 4 * dt;
    const Vec forward = {std::sin(heading_), -std::cos(heading_)};
    if (glfwGetKey(window, GLFW_KEY_UP) == GLFW_PRESS) speed_ = speed_ + forward * (240 * dt);
    reload_ -= dt;
    if (glfwGetKey(window, GLFW_KEY_SPACE) == GLFW_PRESS && reload_ <= 0) {
      shots_.push_back({ship_, forward * 500, 0});
      reload_ = 0.15f;
    }
  }

  static Vec wrapped(Vec at) { return {std::fmod(at.x + kWidth, kWidth), std::fmod(at.y + kHeight, kHeight)}; }

  void move(float dt) {
    ship_ = wrapped(ship_ + speed_ * dt);
    for (Rock& rock : rocks_) {
      rock.at = wrapped(rock.at + rock.speed * dt);
      rock.angle += rock.spin * dt;
    }
    for (Shot& shot : shots_) {
      shot.at = wrapped(shot.at + shot.speed * dt);
      shot.age += dt;
    }
    for (Spark& spark : sparks_) {
      spark.at = spark.at + spark.speed * dt;
      spark.age += dt;
    }
    const auto is_old = [](const auto& thing) { return thing.age > 1; };
    shots_.erase(std::remove_if(shots_.begin(), shots_.end(), is_old), shots_.end());
    sparks_.erase(std::remove_if(sparks_.begin(), sparks_.end(), is_old), sparks_.end());
  }

  void collide() {
    for (size_t i = 0; i < rocks_.size(); ++i) {
      for (Shot& shot : shots_) {
        if (shot.age > 1 || distance(shot.at, rocks_[i].at) > rocks_[i].radius) continue;
        shot.age = 2;
        score_ += 10;
        burst(rocks_[i].at);
        rocks_[i].radius /= 2;
      }
      if (distance(ship_, rocks_[i].at) < rocks_[i].radius + 8) {
        ++hits_;
        burst(ship_);
        rocks_[i].radius = 0;
      }
    }
    const auto is_dust = [](const Rock& rock) { return rock.radius < 12; };
    rocks_.erase(std::remove_if(rocks_.begin(), rocks_.end(), is_dust), rocks_.end());
  }

  void burst(Vec at) {
    for (int i = 0; i < 200; ++i) sparks_.push_back({at, {random(-120, 120), random(-120, 120)}, random(0, 0.5f)});
  }

  static void draw_rock(ImDrawList* list, const Rock& rock) {
    ImVec2 corners[9];
    for (int i = 0; i < 9; ++i) {
      const float angle = rock.angle + static_cast<float>(i) * 0.698f;
      const float radius = rock.radius * (i % 2 == 0 ? 1.0f : 0.8f);
      corners[i] = ImVec2(rock.at.x + std::cos(angle) * radius, rock.at.y + std::sin(angle) * radius);
    }
    list->AddPolyline(corners, 9, IM_COL32(180, 170, 160, 255), ImDrawFlags_Closed, 2);
  }

  void draw_ship(ImDrawList* list) const {
    const auto corner = [this](float turn, float size) {
      return ImVec2(ship_.x + std::sin(heading_ + turn) * size, ship_.y - std::cos(heading_ + turn) * size);
    };
    list->AddTriangle(corner(0, 14), corner(2.5f, 10), corner(-2.5f, 10), IM_COL32(120, 220, 255, 255), 2);
  }

  std::mt19937 numbers_{7};
  std::vector<Rock> rocks_;
  std::vector<Shot> shots_;
  std::vector<Spark> sparks_;
  Vec ship_ = {kWidth / 2, kHeight * 0.8f}, speed_;
  float heading_ = 0, reload_ = 0;
  int level_ = 0, score_ = 0, hits_ = 0;
};

int main() {
  if (!glfwInit()) return 1;
  GLFWwindow* window =
      glfwCreateWindow(static_cast<int>(Game::kWidth), static_cast<int>(Game::kHeight), "Rocks", nullptr, nullptr);
  if (window == nullptr) return 1;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  ImGui::CreateContext();
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init();

  Game game;
  double last = glfwGetTime();
  while (!glfwWindowShouldClose(window) && glfwGetKey(window, GLFW_KEY_ESCAPE) != GLFW_PRESS) {
    glfwPollEvents();
    const double now = glfwGetTime();
    game.update(window, static_cast<float>(std::min(now - last, 0.1)));
    last = now;

    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    game.draw(ImGui::GetBackgroundDrawList());
    game.show_score();
    ImGui::Render();
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window);
  }

  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window);
  glfwTerminate();
}

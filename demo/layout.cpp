// SPDX-License-Identifier: MIT
#include "layout.h"

#include <flamelet/flamelet.h>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "random.h"
#include "snapshot.h"
#include "trouble.h"

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#endif

namespace demo {
namespace {

// Two shades of sandstone, of brick and of slate.
constexpr glm::vec3 kStone[] = {{0.80f, 0.66f, 0.50f}, {0.74f, 0.58f, 0.44f}, {0.70f, 0.44f, 0.34f},
                                {0.62f, 0.36f, 0.30f}, {0.50f, 0.54f, 0.60f}, {0.58f, 0.60f, 0.62f}};

class Builder {
 public:
  Builder(Layout& layout, Random& random) : layout_(layout), random_(random) {}

  void begin(const char* kind, glm::vec3 center, float yaw) {
    name_ = kind + (" " + std::to_string(layout_.buildings.size() + 1));
    center_ = center;
    turn_ = glm::angleAxis(yaw, glm::vec3(0, 1, 0));
    palette_ = random_.below(3) * 2;
    first_ = layout_.blocks.size();
  }
  // `position` is the block's centre, relative to the building.
  void place(glm::vec3 position, glm::vec3 half_size, float yaw = 0.0f) {
    const uint32_t color = pack_color(kStone[palette_ + random_.below(2)]);
    layout_.blocks.push_back(
        {center_ + turn_ * position, turn_ * glm::angleAxis(yaw, glm::vec3(0, 1, 0)), half_size, color});
  }
  void end(float radius) {
    layout_.buildings.push_back({name_, center_, radius, first_, layout_.blocks.size() - first_});
  }

 private:
  Layout& layout_;
  Random& random_;
  std::string name_;
  glm::vec3 center_{0.0f};
  glm::quat turn_{1, 0, 0, 0};
  uint32_t palette_ = 0;
  size_t first_ = 0;
};

// Rings of blocks, each turned by half a block against the one below.
void build_tower(Builder& builder, int rings, int blocks_per_ring) {
  const glm::vec3 half(0.80f, 0.60f, 0.50f);
  const float radius = half.x * static_cast<float>(blocks_per_ring) / glm::pi<float>() + half.z;
  const float pitch = glm::two_pi<float>() / static_cast<float>(blocks_per_ring);
  for (int ring = 0; ring < rings; ++ring) {
    for (int i = 0; i < blocks_per_ring; ++i) {
      const float angle = pitch * (static_cast<float>(i) + 0.5f * static_cast<float>(ring % 2));
      const glm::vec3 position(radius * std::sin(angle), half.y * static_cast<float>(2 * ring + 1),
                               radius * std::cos(angle));
      builder.place(position, half, angle);
    }
  }
  builder.end(radius + half.z);
}

void build_pyramid(Builder& builder, int base) {
  const glm::vec3 half(0.75f);
  for (int level = 0; level < base; ++level) {
    const int side = base - level;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const bool inside = row > 0 && column > 0 && row < side - 1 && column < side - 1;
        if (inside && side > 3) continue;  // hollow: nobody sees the inside
        const auto at = [&](int i) { return half.x * static_cast<float>(2 * i - side + 1) * 1.02f; };
        builder.place({at(column), half.y * static_cast<float>(2 * level + 1), at(row)}, half);
      }
    }
  }
  builder.end(half.x * static_cast<float>(base) * 1.4f);
}

// Columns in a circle that carry lintels.
void build_henge(Builder& builder, int columns) {
  const float radius = 4.2f;
  const float pitch = glm::two_pi<float>() / static_cast<float>(columns);
  const glm::vec3 drum(0.55f, 0.8f, 0.55f);
  const int drums = 3;
  for (int i = 0; i < columns; ++i) {
    const float angle = pitch * static_cast<float>(i);
    for (int k = 0; k < drums; ++k) {
      builder.place({radius * std::sin(angle), drum.y * static_cast<float>(2 * k + 1), radius * std::cos(angle)}, drum,
                    angle);
    }
    const float between = angle + 0.5f * pitch;
    const float reach = radius * std::cos(0.5f * pitch);
    builder.place(
        {reach * std::sin(between), drum.y * static_cast<float>(2 * drums) + 0.35f, reach * std::cos(between)},
        {radius * std::sin(0.5f * pitch) * 0.97f, 0.35f, 0.45f}, between);
  }
  builder.end(radius + 1.0f);
}

void build_wall(Builder& builder, int courses, int length) {
  const glm::vec3 half(0.9f, 0.6f, 0.6f);
  for (int course = 0; course < courses; ++course) {
    const int count = length - course % 2;
    for (int i = 0; i < count; ++i) {
      builder.place({half.x * static_cast<float>(2 * i - count + 1), half.y * static_cast<float>(2 * course + 1), 0.0f},
                    half);
    }
  }
  builder.end(half.x * static_cast<float>(length));
}

}  // namespace

Layout make_layout(uint64_t seed) {
  Random random(seed);
  Layout layout;
  layout.beacons = {{{0, 0, 0}, {1.00f, 0.74f, 0.25f}},
                    {{-30, 0, -16}, {0.20f, 0.80f, 0.98f}},
                    {{30, 0, 18}, {1.00f, 0.36f, 0.30f}},
                    {{-17, 0, 30}, {0.50f, 0.92f, 0.35f}},
                    {{17, 0, -30}, {0.72f, 0.45f, 1.00f}}};
  layout.gates = {{-45, 0, 0}, {45, 0, 0}, {0, 0, -45}, {0, 0, 45}, {-43, 0, 43}, {43, 0, -43}};

  // One building in each cell of a 5 x 5 grid that holds no beacon.
  Builder builder(layout, random);
  const float cell = 15.5f;
  for (int row = -2; row <= 2; ++row) {
    for (int column = -2; column <= 2; ++column) {
      const glm::vec3 jitter(random.range(-2.0f, 2.0f), 0.0f, random.range(-2.0f, 2.0f));
      const glm::vec3 center = glm::vec3(static_cast<float>(column), 0, static_cast<float>(row)) * cell + jitter;
      const float yaw = random.range(0.0f, glm::two_pi<float>());
      const uint32_t kind = random.below(8);
      bool taken = false;
      for (const Beacon& beacon : layout.beacons) taken |= glm::distance(center, beacon.position) < 9.0f;
      if (taken) continue;
      if (kind < 4) {
        builder.begin("tower", center, yaw);
        build_tower(builder, 6 + 2 * static_cast<int>(kind), 9 + static_cast<int>(kind) / 2);
      } else if (kind == 4) {
        builder.begin("pyramid", center, yaw);
        build_pyramid(builder, 5);
      } else if (kind == 5) {
        builder.begin("henge", center, yaw);
        build_henge(builder, 9);
      } else {
        builder.begin("wall", center, yaw);
        build_wall(builder, 7, 6);
      }
    }
  }
  return layout;
}

// ---- streaming

namespace {

constexpr size_t kMostLoaded = 6;  // buildings
constexpr double kReadMs = 90.0;   // of a slow disk, which costs no processor
constexpr size_t kDetail = 64;     // copies of a block: its near, middle and far shapes
constexpr size_t kBlocksBetweenReads = 32;

}  // namespace

Streaming::Streaming(const Layout& layout) : layout_(layout), thread_([this] { run(); }) {}

Streaming::~Streaming() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Streaming::request(size_t building) {
  const char* const name = flamelet_intern(layout_.buildings[building].name.c_str());
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    requests_.push_back({building, flamelet_interval_begin("Stream building", "streaming", name)});
    waiting_.store(requests_.size(), std::memory_order_relaxed);
  }
  changed_.notify_all();
}

void Streaming::run() {
  FLAMELET_THREAD_NAME("Loader");
  for (;;) {
    Request request = {};
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return quit_ || !requests_.empty(); });
      if (quit_) return;
      request = requests_.front();
    }
    load(request);
    flamelet_interval_end(request.interval);
    FLAMELET_INSTANT_OBJECT("Building loaded", flamelet_intern(layout_.buildings[request.building].name.c_str()));
    const std::lock_guard<std::mutex> lock(mutex_);
    requests_.pop_front();
    waiting_.store(requests_.size(), std::memory_order_relaxed);
  }
}

void Streaming::load(const Request& request) {
  FLAMELET_SCOPE_OBJECT("Load building", flamelet_intern(layout_.buildings[request.building].name.c_str()));
  const Building& building = layout_.buildings[request.building];
  Loaded loaded = {request.building, {}};
  const size_t reads = building.block_count / kBlocksBetweenReads + 1;
  for (size_t i = 0; i < building.block_count; ++i) {
    if (i % kBlocksBetweenReads == 0) {
      FLAMELET_SCOPE_WAIT("Read from disk");
      stall(kReadMs / static_cast<double>(reads));
    }
    for (size_t copy = 0; copy < kDetail; ++copy) loaded.blocks.push_back(layout_.blocks[building.first_block + i]);
  }
  loaded_.push_back(std::move(loaded));
  if (loaded_.size() > kMostLoaded) loaded_.pop_front();
  size_t bytes = 0;
  for (const Loaded& one : loaded_) bytes += one.blocks.capacity() * sizeof(Block);
  bytes_.store(bytes, std::memory_order_relaxed);
}

double memory_mib() {
#ifdef __linux__
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128] = {};
  unsigned long all = 0, resident = 0;
  if (file < 0 || pread(file, text, sizeof text - 1, 0) <= 0 || std::sscanf(text, "%lu %lu", &all, &resident) != 2)
    return 0;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
#else
  return 0;
#endif
}

}  // namespace demo

// SPDX-License-Identifier: MIT
#include "streaming.h"

#include <flamelet/flamelet.h>

#include "trouble.h"
#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#endif

namespace demo {
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

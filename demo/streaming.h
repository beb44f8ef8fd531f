// SPDX-License-Identifier: MIT
//
// Loads a detailed copy of the town's blocks in the background, one building at a time, and drops the oldest. A request is
// an interval: the simulation begins it, and the loader's thread ends it some frames later. Several may wait at one time.
#pragma once

#include <flamelet/recorder.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "layout.h"

namespace demo {

class Streaming {
 public:
  explicit Streaming(const Layout& layout);
  ~Streaming();
  Streaming(const Streaming&) = delete;
  Streaming& operator=(const Streaming&) = delete;

  // Asks for a building. It comes when it comes: the game does not wait.
  void request(size_t building);

  size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Request {
    size_t building;
    flamelet_id interval;
  };
  struct Loaded {
    size_t building;
    std::vector<Block> blocks;
  };

  void run();
  void load(const Request& request);

  const Layout& layout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> requests_;
  bool quit_ = false;
  std::atomic<size_t> waiting_{0}, bytes_{0};  // relaxed: figures to look at
  std::deque<Loaded> loaded_;                  // the loader's thread's
  std::thread thread_;                         // last: it uses everything above
};

// What the process has in memory; 0 where the system does not say it cheaply.
double memory_mib();

}  // namespace demo

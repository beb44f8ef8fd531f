// SPDX-License-Identifier: MIT
//
// A call tree in memory of its own, driven by one-line scripts and read back as one line of text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flamelet/call_tree.h"

namespace call_tree_test {

struct Limits {
  uint32_t nodes = 4096;
  uint32_t blocks = 256;
  uint32_t threads = 4;
  uint32_t jumps = 64;
};

class Tree {
 public:
  explicit Tree(const Limits& limits = Limits());
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  flamelet_call_tree* get() const { return tree_; }
  flamelet_call_thread* thread() const { return thread_; }  // there is one from the start
  flamelet_call_tree_stats stats() const;

  // Runs a script on a thread, this tree's first one if none is given:
  //   x     enters the character's code        =x  tail-calls it
  //   )     exits                              +   adds 1 sample
  //   :12   adds 12 samples
  void run(const char* script, flamelet_call_thread* thread = nullptr);

  // Every path but the root's, in the order of the query: "a 1/2, ab 1/0" is path calls/samples.
  std::string paths(uint64_t period = 0) const;
  std::string root() const;  // "calls/samples"

 private:
  std::vector<unsigned char> memory_;
  flamelet_call_tree* tree_ = nullptr;
  flamelet_call_thread* thread_ = nullptr;
};

// Sums over all paths, the root's included.
struct Sums {
  uint64_t calls = 0;
  uint64_t samples = 0;
};
Sums sums_of(flamelet_call_tree* tree);

// A small random generator with a seed to print.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint32_t below(uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(((state_ >> 32) * limit) >> 32);
  }

 private:
  uint64_t state_;
};

}  // namespace call_tree_test

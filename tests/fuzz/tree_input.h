// SPDX-License-Identifier: MIT
//
// tree_input.h: a call tree that an input's bytes make. A byte is a step: its three high bits say which, its five low ones
// are a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "flamelet/call_tree.h"
#include "fuzz.h"

enum class TreeStep : uint8_t {
  kEnter,     // the id of that number, and 1
  kExit,      // so many times, and once more
  kSample,    // the number's square
  kTailCall,  // the id of that number, and 1
  kName,      // the id of that number, and 1: behind it stand a length, of which five bits count, and the name's bytes
  kUnwind,
  kEnabled,  // off if the number is even
  kOther,    // of the target's own
};

constexpr uint8_t tree_step(TreeStep step, unsigned number = 0) {
  return static_cast<uint8_t>(static_cast<unsigned>(step) << 5 | (number & 31));
}

// More say nothing new, and take long.
constexpr size_t kMostTreeBytes = 256;

// Bytes that are read from the front.
struct TreeBytes {
  const uint8_t* next;
  const uint8_t* end;

  bool is_empty() const { return next == end; }
  uint8_t take() { return next == end ? 0 : *next++; }
};

class InputTree {
 public:
  // Small enough to be full.
  static constexpr uint32_t kMaxNodes = 32;

  explicit InputTree(bool keep_recursion) {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    config.max_nodes = kMaxNodes;
    config.max_blocks = 20;
    config.max_threads = 1;
    config.max_jumps = 8;
    config.keep_recursion = keep_recursion;
    memory_.resize(flamelet_call_tree_memory_required(&config));
    FUZZ_CHECK(flamelet_call_tree_create(&config, memory_.data(), memory_.size(), &tree_) == FLAMELET_OK);
    thread_ = flamelet_call_thread_create(tree_);
  }

  flamelet_call_tree* calls() const { return tree_; }

  // One step; what the bytes behind it belong to it is taken. False if it is the target's own.
  bool take(uint8_t byte, TreeBytes* bytes) {
    const uint32_t number = byte & 31;
    switch (static_cast<TreeStep>(byte >> 5)) {
      case TreeStep::kEnter:
        flamelet_call_thread_enter(thread_, number + 1);
        return true;
      case TreeStep::kExit:
        for (uint32_t i = 0; i <= number; ++i) flamelet_call_thread_exit(thread_);
        return true;
      case TreeStep::kSample:
        flamelet_call_thread_sample(thread_, uint64_t{number} * number);
        return true;
      case TreeStep::kTailCall:
        flamelet_call_thread_tail_call(thread_, number + 1);
        return true;
      case TreeStep::kName: {
        std::string& name = names_.emplace_back();
        for (uint32_t left = bytes->take() & 31; left > 0 && !bytes->is_empty(); --left)
          name += static_cast<char>(bytes->take());
        flamelet_call_tree_set_name(tree_, number + 1, name.c_str());
        return true;
      }
      case TreeStep::kUnwind:
        flamelet_call_thread_unwind(thread_);
        return true;
      case TreeStep::kEnabled:
        flamelet_call_tree_set_enabled(tree_, number % 2 != 0);
        return true;
      case TreeStep::kOther:
        break;
    }
    return false;
  }

 private:
  std::vector<char> memory_;
  std::deque<std::string> names_;  // the tree points to them
  flamelet_call_tree* tree_ = nullptr;
  flamelet_call_thread* thread_ = nullptr;
};

// The paths of a tree, in the order of its query, with their names.
struct InputPath {
  size_t parent;  // its place; the root's is 0
  std::string name;
  uint64_t calls, self_samples, total_samples;
};

inline std::vector<InputPath> paths_of(flamelet_call_tree* tree) {
  struct Walk {
    std::vector<InputPath> paths;
    std::vector<uint32_t> ids;  // of each
    std::vector<size_t> open;   // the path at each depth
  } walk;
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        Walk& self = *static_cast<Walk*>(user);
        self.open.resize(path->depth);
        const size_t parent = path->depth == 0 ? 0 : self.open.back();
        self.open.push_back(self.paths.size());
        self.ids.push_back(path->depth == 0 ? FLAMELET_CALL_ROOT : path->ids[path->depth - 1]);
        self.paths.push_back({parent, "", path->calls, path->self_samples, path->total_samples});
        return true;
      },
      &walk);
  for (size_t i = 0; i < walk.paths.size(); ++i) walk.paths[i].name = flamelet_call_tree_name(tree, walk.ids[i]);
  return walk.paths;
}

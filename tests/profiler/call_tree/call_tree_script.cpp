// SPDX-License-Identifier: MIT
#include "profiler/call_tree/call_tree_script.h"

#include <doctest/doctest.h>

namespace call_tree_test {

Tree::Tree(const Limits& limits) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = limits.nodes;
  config.max_blocks = limits.blocks;
  config.max_threads = limits.threads;
  config.max_jumps = limits.jumps;
  // Exactly the bytes asked for, so that AddressSanitizer sees the first byte past them.
  memory_.resize(flamelet_call_tree_memory_required(&config));
  REQUIRE(flamelet_call_tree_create(&config, memory_.data(), memory_.size(), &tree_) == FLAMELET_OK);
  thread_ = flamelet_call_thread_create(tree_);
}

Tree::~Tree() = default;

flamelet_call_tree_stats Tree::stats() const {
  flamelet_call_tree_stats stats;
  flamelet_call_tree_get_stats(tree_, &stats);
  return stats;
}

void Tree::run(const char* script, flamelet_call_thread* thread) {
  if (!thread) thread = thread_;
  for (const char* c = script; *c; ++c) {
    switch (*c) {
      case ' ':
        break;
      case ')':
        flamelet_call_thread_exit(thread);
        break;
      case '+':
        flamelet_call_thread_sample(thread, 1);
        break;
      case '=':
        flamelet_call_thread_tail_call(thread, static_cast<uint32_t>(*++c));
        break;
      case ':': {
        uint64_t samples = 0;
        while (c[1] >= '0' && c[1] <= '9') samples = samples * 10 + static_cast<uint64_t>(*++c - '0');
        flamelet_call_thread_sample(thread, samples);
        break;
      }
      default:
        flamelet_call_thread_enter(thread, static_cast<uint32_t>(*c));
    }
  }
}

std::string Tree::paths(uint64_t period) const {
  std::string text;
  flamelet_call_tree_query(
      tree_, period,
      [](void* user, const flamelet_call_path* path) {
        std::string& line = *static_cast<std::string*>(user);
        if (path->depth == 0) return true;
        if (!line.empty()) line += ", ";
        for (uint32_t i = 0; i < path->depth; ++i) line += static_cast<char>(path->ids[i]);
        line += ' ' + std::to_string(path->calls) + '/' + std::to_string(path->self_samples);
        return true;
      },
      &text);
  return text;
}

std::string Tree::root() const {
  std::string text;
  flamelet_call_tree_query(
      tree_, 0,
      [](void* user, const flamelet_call_path* path) {
        *static_cast<std::string*>(user) = std::to_string(path->calls) + '/' + std::to_string(path->self_samples);
        return false;
      },
      &text);
  return text;
}

Sums sums_of(flamelet_call_tree* tree) {
  Sums sums;
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        static_cast<Sums*>(user)->calls += path->calls;
        static_cast<Sums*>(user)->samples += path->self_samples;
        return true;
      },
      &sums);
  return sums;
}

}  // namespace call_tree_test

// SPDX-License-Identifier: MIT
//
// perf_tree.h: samples of perf as a call tree (flamelet/call_tree.h). A path's samples are the periods of the samples that
// were taken in it, or how many these are where the first one has none, and its calls the samples that passed through: perf does not know how often a function was called.
#ifndef FLAMELET_TOOLS_PERF_TREE_H
#define FLAMELET_TOOLS_PERF_TREE_H

#include <flamelet/call_tree.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perf_reader.h"

namespace flamelet::tools {

struct PerfTreeOptions {
  std::string event;            // only samples of this one; "": of the first that comes, since units do not add up
  bool command_is_root = true;  // paths begin with the command
  bool keep_recursion = false;  // as in the tree's config
  bool count_samples = false;   // each sample counts 1, whatever its period
};

class PerfTree {
 public:
  // `tree` needs room for one thread. `names`, the reader's, has to outlive it.
  PerfTree(flamelet_call_tree* tree, const NameTable& names, PerfTreeOptions options = {});
  ~PerfTree() { flamelet_call_thread_destroy(thread_); }
  PerfTree(const PerfTree&) = delete;
  PerfTree& operator=(const PerfTree&) = delete;

  void add(const PerfSample& sample);

  const std::string& event() const { return options_.event; }
  bool counts_samples() const { return options_.count_samples; }  // and no periods
  uint64_t samples_added() const { return samples_added_; }
  uint64_t samples_of_other_events() const { return samples_of_other_events_; }
  // How many of each, of the first of them.
  const std::map<std::string, uint64_t>& other_events() const { return other_events_; }

 private:
  void fold();
  void enter(uint32_t name);

  flamelet_call_tree* const tree_;
  flamelet_call_thread* const thread_;
  const NameTable& names_;
  PerfTreeOptions options_;
  std::vector<uint32_t> path_;  // of the sample in hand
  std::vector<bool> named_;     // in the tree, by name
  uint64_t samples_added_ = 0;
  uint64_t samples_of_other_events_ = 0;
  static constexpr size_t kMostOthers = 16;
  std::map<std::string, uint64_t> other_events_;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PERF_TREE_H

// SPDX-License-Identifier: MIT
#include "perf_tree.h"

#include <algorithm>
#include <utility>

namespace flamelet::tools {

PerfTree::PerfTree(flamelet_call_tree* tree, const NameTable& names, PerfTreeOptions options)
    : tree_(tree), thread_(flamelet_call_thread_create(tree)), names_(names), options_(std::move(options)) {}

void PerfTree::add(const PerfSample& sample) {
  if (options_.event.empty()) options_.event = names_[sample.event];
  if (names_[sample.event] != options_.event) {
    ++samples_of_other_events_;
    if (other_events_.size() < kMostOthers || other_events_.count(names_[sample.event]) != 0)
      ++other_events_[names_[sample.event]];
    return;
  }
  options_.count_samples = options_.count_samples || (samples_added_ == 0 && !sample.has_period);
  path_.clear();
  if (options_.command_is_root) path_.push_back(sample.command);
  for (size_t i = sample.frames.size(); i-- > 0;) {
    path_.push_back(sample.frames[i]);
    if (!options_.keep_recursion) fold();
  }
  for (const uint32_t name : path_) enter(name);
  flamelet_call_thread_sample(thread_, options_.count_samples ? 1 : sample.period);
  flamelet_call_thread_unwind(thread_);
  ++samples_added_;
}

// As the tree folds recursion (docs/call_tree.md), but before it counts: a sample's calls are one for each path that it is on,
// however often its stack went through there. Of a circle of more functions the tree counts each round.
void PerfTree::fold() {
  constexpr size_t kMostFunctions = 64;
  const size_t size = path_.size();
  for (size_t most = std::min(kMostFunctions, size / 2), count = 1; count <= most; ++count) {
    if (path_[size - 1 - count] != path_[size - 1]) continue;
    const auto end = path_.end(), repeated = end - static_cast<std::ptrdiff_t>(count);
    if (!std::equal(repeated, end, repeated - static_cast<std::ptrdiff_t>(count))) continue;
    path_.erase(repeated, end);
    return;
  }
}

void PerfTree::enter(uint32_t name) {
  const uint32_t id = name + 1;  // 0 is the root
  if (named_.size() <= name) named_.resize(names_.size());
  if (!named_[name]) {
    flamelet_call_tree_set_name(tree_, id, names_[name].c_str());
    named_[name] = true;
  }
  flamelet_call_thread_enter(thread_, id);
}

}  // namespace flamelet::tools

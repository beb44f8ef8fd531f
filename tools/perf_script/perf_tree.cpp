// SPDX-License-Identifier: MIT
#include "perf_tree.h"

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
  if (options_.command_is_root) enter(sample.command);
  for (size_t i = sample.frames.size(); i-- > 0;) enter(sample.frames[i]);
  flamelet_call_thread_sample(thread_, options_.count_samples ? 1 : sample.period);
  flamelet_call_thread_unwind(thread_);
  ++samples_added_;
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

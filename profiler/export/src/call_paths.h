// SPDX-License-Identifier: MIT
//
// call_paths.h: calls and self time by call path, lane by lane, for the formats that have no time line.
//
// Threads, GPU queues and external sources count; a fiber's lane does not, because what it ran stands on its threads
// already. A piece of a scope that a fiber switch cut off adds time, and no further call.
#ifndef FLAMELET_EXPORT_SRC_CALL_PATHS_H
#define FLAMELET_EXPORT_SRC_CALL_PATHS_H

#include "exporter.h"

namespace flamelet::formats {

struct CallPath {
  uint32_t parent;  // 0: the root of its lane
  uint32_t scope;   // number in ScopeNumbers
  uint64_t calls;
  int64_t self_ns;
};

class CallPaths {
 public:
  explicit CallPaths(Export& job) : job_(job) {}

  // Adds up one lane. Forgets the lane before.
  void read(size_t lane, LaneStream<ReadSpans>& spans);
  // paths()[0] is the root. Parents stand before their children.
  const std::vector<CallPath>& paths() const { return paths_; }
  const std::vector<Scope>& scopes() const { return scopes_.scopes(); }

  void begin(const flamelet_span& span, size_t depth);  // for NestedSpans
  void end(const flamelet_span&, size_t) {}

 private:
  static constexpr size_t kMaxPaths = size_t{1} << 20;

  Export& job_;
  ScopeNumbers scopes_;
  std::vector<CallPath> paths_;
  std::unordered_map<uint64_t, uint32_t> children_;  // parent << 32 | scope
  std::vector<uint32_t> open_;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_CALL_PATHS_H

// SPDX-License-Identifier: MIT
#include "call_paths.h"

namespace flamelet::formats {

void CallPaths::read(size_t lane, LaneStream<ReadSpans>& spans) {
  paths_.assign(1, CallPath{0, 0, 0, 0});
  children_.clear();
  open_.clear();
  NestedSpans<CallPaths> nested(*this);
  spans.start(lane, job_.begin_ns, job_.end_ns);
  while (const flamelet_span* span = spans.next()) nested.add(*span);
  nested.finish();
  job_.report.spans_clamped += nested.clamped();
}

void CallPaths::begin(const flamelet_span& span, size_t depth) {
  bool added;
  const uint32_t scope = scopes_.number(span.site, span.name, &added);
  open_.resize(depth);
  const uint32_t parent = depth == 0 ? 0 : open_.back();
  uint32_t path = parent;
  if (const auto known = children_.find(uint64_t{parent} << 32 | scope); known != children_.end()) {
    path = known->second;
  } else if (paths_.size() < kMaxPaths) {
    path = static_cast<uint32_t>(paths_.size());
    paths_.push_back({parent, scope, 0, 0});
    children_.emplace(uint64_t{parent} << 32 | scope, path);
  } else {
    ++job_.report.paths_dropped;
  }
  open_.push_back(path);
  ++job_.report.spans;
  const int64_t duration_ns = span.end_ns - span.begin_ns;
  if (path != parent && (span.flags & FLAMELET_SPAN_RESUMED) == 0) ++paths_[path].calls;
  paths_[path].self_ns += duration_ns;
  if (depth != 0) paths_[parent].self_ns -= duration_ns;
}

}  // namespace flamelet::formats

// SPDX-License-Identifier: MIT
//
// span_trees.h: span arrays for the tests and benchmarks of the overlay's geometry: random but repeatable, or of one
// extreme shape.
#pragma once

#include <stdint.h>

#include <vector>

#include "flamelet/capture.h"
#include "lanes/lane_rows.h"

namespace flamelet_tests {

// xorshift64*: the same numbers on every machine, which the standard distributions do not promise.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2685821657736338717ull + 1) {}
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 2685821657736338717ull;
  }
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>((next() >> 32) * limit >> 32); }

 private:
  uint64_t state_;
};

class SpanTree {
 public:
  std::vector<flamelet_span> spans;

  // Begins a span inside the innermost open one.
  void begin(int64_t time_ns, uint32_t name = 0) {
    flamelet_span span = {};
    span.begin_ns = time_ns;
    span.end_ns = time_ns;
    span.id = spans.size() + 1;
    span.site = name;
    span.name = name;
    span.parent = open_.empty() ? FLAMELET_NO_PARENT : open_.back();
    span.depth = static_cast<uint16_t>(open_.size());
    open_.push_back(static_cast<uint32_t>(spans.size()));
    spans.push_back(span);
  }
  void end(int64_t time_ns) {
    flamelet_span& span = spans[open_.back()];
    span.end_ns = time_ns;
    span.self_ns += time_ns - span.begin_ns;
    span.subtree_end = static_cast<uint32_t>(spans.size());
    open_.pop_back();
    if (!open_.empty()) spans[open_.back()].self_ns -= time_ns - span.begin_ns;
  }
  size_t depth() const { return open_.size(); }

 private:
  std::vector<uint32_t> open_;
};

// `count` spans, at most `max_depth` deep, of lengths and gaps over several orders of magnitude, zero included.
inline SpanTree random_tree(uint64_t seed, uint32_t count, uint32_t max_depth, uint32_t names = 64) {
  Random random(seed);
  SpanTree tree;
  int64_t now_ns = 1000;
  while (tree.spans.size() < count || tree.depth() != 0) {
    now_ns += random.below(1u << random.below(12)) / 2;
    const bool may_begin = tree.spans.size() < count && tree.depth() < max_depth;
    if (may_begin && (tree.depth() == 0 || random.below(2) != 0))
      tree.begin(now_ns, random.below(names));
    else
      tree.end(now_ns);
  }
  return tree;
}

// `count` spans of the same length side by side, inside one parent.
inline SpanTree flat_tree(uint32_t count, int64_t length_ns, int64_t gap_ns) {
  SpanTree tree;
  int64_t now_ns = 0;
  tree.begin(now_ns);
  for (uint32_t i = 0; i < count; ++i) {
    tree.begin(now_ns, 1);
    now_ns += length_ns;
    tree.end(now_ns);
    now_ns += gap_ns;
  }
  tree.end(now_ns);
  return tree;
}

// Every span inside the one before it.
inline SpanTree deep_tree(uint32_t depth) {
  SpanTree tree;
  for (uint32_t i = 0; i < depth; ++i) tree.begin(i, i);
  for (uint32_t i = 0; i < depth; ++i) tree.end(static_cast<int64_t>(depth) + i);
  return tree;
}

// The rows of spans, in memory of their own. All times may be far.
class BuiltRows {
 public:
  BuiltRows() = default;
  explicit BuiltRows(const std::vector<flamelet_span>& spans) { build(spans); }
  BuiltRows(const BuiltRows&) = delete;
  BuiltRows& operator=(const BuiltRows&) = delete;
  void build(const std::vector<flamelet_span>& spans) {
    const uint32_t count = static_cast<uint32_t>(spans.size());
    begin(count, count, count);
    flamelet::ui::RowBuilder builder(&table_, order_.data(), count, row_begin_.data(), count);
    for (const flamelet_span& span : spans) builder.add(span);
    lane = builder.finish();
  }
  // Room for a RowBuilder.
  flamelet::ui::SpanTable* begin(uint32_t most_spans, uint32_t most_far, uint32_t most_rows) {
    flamelet::ui::Carver measured(nullptr);
    table_.carve(&measured, most_spans, most_far);
    memory_.resize(measured.used() / sizeof(uint64_t) + 1);
    flamelet::ui::Carver carver(memory_.data());
    table_.carve(&carver, most_spans, most_far);
    order_.resize(most_spans + 1);
    row_begin_.resize(most_rows + 2);
    return &table_;
  }
  uint32_t* order() { return order_.data(); }
  uint32_t* row_begin() { return row_begin_.data(); }

  flamelet::ui::LaneRows lane;

 private:
  flamelet::ui::SpanTable table_;
  std::vector<uint64_t> memory_;
  std::vector<uint32_t> order_, row_begin_;
};

}  // namespace flamelet_tests

// SPDX-License-Identifier: MIT
//
// replay_model.h: events as objects, replayed from the first to the last, and filtered by brute force: a capture must
// give the same answers.
#pragma once

#include <algorithm>
#include <vector>

#include "profiler/record/page_builder.h"

namespace flamelet::replay_model {

struct Scope {
  uint64_t id;
  uint64_t begin_ticks;
  uint32_t site;
  uint32_t name;
  uint32_t object;
};

using Block = std::vector<Scope>;

struct Event {
  enum Type { kBegin, kEnd, kEndTo, kFiber, kPoint } type;
  uint64_t ticks;
  Scope scope;     // kBegin
  size_t depth;    // kEndTo
  Block block;     // kFiber
  uint32_t fiber;  // kFiber
  uint32_t site;   // kPoint
  double value;
};

// What a capture is told of a page.
struct LoggedPage {
  uint64_t ticket;
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t run_ticks;
  uint32_t fiber;
  Block block;
  std::vector<Event> events;
  BuiltPage* built;
  uint32_t cut;  // no word from here on is ever seen
};

struct ModelSpan {
  Scope scope;
  uint64_t id;
  uint64_t begin;
  uint64_t end;
  uint32_t flags;
  size_t depth;
  size_t parent;
  bool open;
};
constexpr size_t kNone = SIZE_MAX;

// A lane, replayed.
class Replay {
 public:
  std::vector<ModelSpan> spans;  // in the order of their begin
  std::vector<Event> points;
  uint64_t now = 0;

  // A page or a fiber's run begins.
  void show(const Block& block, uint64_t ticks, uint64_t run_ticks) {
    size_t same = 0;
    while (same < stack_.size() && same < block.size() && spans[stack_[same]].scope.id == block[same].id) ++same;
    if (same < stack_.size()) close_to(same, now, FLAMELET_SPAN_MISSING_END);
    open_block(block, same, now, ticks, run_ticks);
    now = std::max(now, ticks);
  }

  void apply(const Event& event) {
    now = std::max(now, event.ticks);
    switch (event.type) {
      case Event::kBegin:
        open(event.scope, event.ticks, 0);
        break;
      case Event::kEnd:
        if (!stack_.empty()) close_to(stack_.size() - 1, event.ticks, 0);
        break;
      case Event::kEndTo:
        if (event.depth >= stack_.size()) break;
        close_to(event.depth + 1, event.ticks, FLAMELET_SPAN_MISSING_END);
        close_to(event.depth, event.ticks, 0);
        break;
      case Event::kFiber:
        close_to(0, event.ticks, FLAMELET_SPAN_SUSPENDED);
        open_block(event.block, 0, event.ticks, event.ticks, event.ticks + 1);  // all began before it
        break;
      case Event::kPoint:
        points.push_back(event);
        break;
    }
  }

  // The fiber was on a thread when events of it were lost, and is not there any more.
  void leave_in_gap(uint64_t ticks) { close_to(0, std::max(now, ticks), FLAMELET_SPAN_MISSING_END); }

  void finish(uint64_t newest) {
    for (size_t span : stack_) spans[span].open = true;
    close_to(0, std::max(now, newest), FLAMELET_SPAN_OPEN);
  }

 private:
  void open(const Scope& scope, uint64_t begin, uint32_t flags) {
    uint64_t id = scope.id;
    for (const size_t around : stack_)
      if (spans[around].scope.id == scope.id) id += flamelet::kSameWordStep;
    spans.push_back({scope, id, begin, 0, flags, stack_.size(), stack_.empty() ? kNone : stack_.back(), false});
    stack_.push_back(spans.size() - 1);
  }
  void open_block(const Block& block, size_t first, uint64_t floor, uint64_t ticks, uint64_t run_ticks) {
    for (size_t i = first; i < block.size(); ++i) {
      uint64_t begin = block[i].begin_ticks;
      const bool resumed = begin < run_ticks;
      if (resumed) begin = run_ticks;
      begin = std::max(std::min(begin, ticks), floor);
      floor = begin;
      open(block[i], begin, resumed ? uint32_t{FLAMELET_SPAN_RESUMED} : 0);
    }
  }
  void close_to(size_t depth, uint64_t ticks, uint32_t flags) {
    while (stack_.size() > depth) {
      ModelSpan& span = spans[stack_.back()];
      span.end = std::max(ticks, span.begin);
      span.flags |= flags;
      stack_.pop_back();
    }
  }

  std::vector<size_t> stack_;
};

struct Run {
  uint32_t track;  // position
  size_t page;
  size_t first_event;  // in the page, of those after the switch
  size_t last_event;   // exclusive; SIZE_MAX = to the page's end
  uint64_t begin_ticks;
  Block block;
};

// What a capture must answer for a window.
inline std::vector<flamelet_span> expected_spans(const Replay& replay, const TickConverter& converter, int64_t begin,
                                                 int64_t end) {
  std::vector<flamelet_span> expected;
  std::vector<size_t> position(replay.spans.size(), kNone);
  if (begin < end) {
    for (size_t i = 0; i < replay.spans.size(); ++i) {
      const ModelSpan& model = replay.spans[i];
      flamelet_span span = {};
      span.begin_ns = converter.to_ns(model.begin);
      span.end_ns = converter.to_ns(model.end);
      if (span.begin_ns >= end || (span.end_ns <= begin && span.begin_ns < begin)) continue;
      span.id = model.id;
      span.site = model.scope.site;
      span.name = model.scope.name;
      span.object = model.scope.object;
      span.depth = static_cast<uint16_t>(model.depth);
      span.flags = static_cast<uint16_t>(model.flags);
      span.parent = model.parent == kNone || position[model.parent] == kNone
                        ? FLAMELET_NO_PARENT
                        : static_cast<uint32_t>(position[model.parent]);
      span.self_ns = span.end_ns - span.begin_ns;
      if (span.parent != FLAMELET_NO_PARENT) expected[span.parent].self_ns -= span.self_ns;
      position[i] = expected.size();
      expected.push_back(span);
    }
    for (size_t i = 0; i < expected.size(); ++i) {
      size_t next = i + 1;
      while (next < expected.size() && expected[next].depth > expected[i].depth) ++next;
      expected[i].subtree_end = static_cast<uint32_t>(next);
    }
  }
  return expected;
}

inline void check_span(const flamelet_span& span, const flamelet_span& expected, size_t i) {
  CAPTURE(i);
  REQUIRE(recorder_test::fields_of(span) == recorder_test::fields_of(expected));
}

}  // namespace flamelet::replay_model

// SPDX-License-Identifier: MIT
//
// begins_and_ends.h: what a Chrome trace tells as a begin and an end, of scopes (B, E) and of intervals (b, e), paired.
//
// Writers flush buffers of several threads one after the other, write an end before its begin, and leave ends out. So begins
// and ends are put in the order of their times first; those of one time keep that of the file. An end that has a name ends
// the innermost begin of that name; one without ends the innermost. What stood inside and has no end of its own ends with it.
#ifndef FLAMELET_IMPORT_SRC_BEGINS_AND_ENDS_H
#define FLAMELET_IMPORT_SRC_BEGINS_AND_ENDS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flamelet::formats {

class BeginsAndEnds {
 public:
  // How many begins may be open at once; the ends of further ones are left out with them.
  static constexpr size_t kMaxOpen = size_t{1} << 20;
  // How many are put in order at a time: a longer trace is in order but for so many.
  static constexpr size_t kMostWaiting = size_t{1} << 21;  // 96 MiB, twice that while they are sorted

  struct Mark {
    int64_t at_ns;
    uint64_t key;         // what can end it: a lane's begins, or an interval's
    uint64_t name_hash;   // 0: it has no name
    uint32_t lane;        // of a scope; of an interval, the track
    uint32_t site, name;  // of a begin
    uint32_t object;
    bool is_end, is_interval;
    bool has_object;  // one argument of it is the object
    bool is_own;      // Flamelet wrote it
  };
  // A key that no scope's lane has.
  static uint64_t interval_key(uint64_t hash) { return hash | uint64_t{1} << 63; }

  struct Open {
    Mark begin;
    uint64_t order;      // of its begin among all
    int64_t ends_by_ns;  // the first end around it; INT64_MAX: there was none yet
  };

  // For each pair, sink.pair(open, depth, end): `end` is NULL where there was none, and the begin ends at
  // open.ends_by_ns if that is set. sink.extra() for each end without a begin, sink.over() for each begin that is left out.
  template <class Sink>
  void add(const Mark& mark, Sink& sink) {
    if (waiting_.size() == kMostWaiting) take(kMostWaiting / 2, sink);
    in_order_ = in_order_ && (waiting_.empty() || waiting_.back().at_ns <= mark.at_ns);
    waiting_.push_back(mark);
  }

  // No mark comes any more.
  template <class Sink>
  void finish(Sink& sink) {
    take(waiting_.size(), sink);
    retry(sink);
    std::vector<std::pair<Open, size_t>> left;
    left.reserve(open_);
    for (const auto& [key, stack] : stacks_)
      for (size_t depth = 0; depth < stack.open.size(); ++depth) left.emplace_back(stack.open[depth], depth);
    stacks_.clear();
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.first.order > b.first.order; });
    for (const auto& [open, depth] : left) give(open, depth, nullptr, sink);
  }

 private:
  struct Stack {
    std::vector<Open> open;
    uint64_t left_out = 0;
  };

  // Pairs the oldest ones. Those of one time stay together.
  template <class Sink>
  void take(size_t count, Sink& sink) {
    if (!in_order_)
      std::stable_sort(waiting_.begin(), waiting_.end(),
                       [](const Mark& a, const Mark& b) { return a.at_ns < b.at_ns; });
    in_order_ = true;
    for (size_t i = 0; i < count; ++i) {
      if (!postponed_.empty() && waiting_[i].at_ns != postponed_.front().at_ns) retry(sink);
      if (!waiting_[i].is_end)
        begin(waiting_[i], sink);
      else if (!end(waiting_[i], sink))
        postponed_.push_back(waiting_[i]);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
  }

  // An end may stand before its begin where both have one time.
  template <class Sink>
  void retry(Sink& sink) {
    for (const Mark& mark : postponed_)
      if (!end(mark, sink)) sink.extra();
    postponed_.clear();
  }

  template <class Sink>
  void begin(const Mark& mark, Sink& sink) {
    Stack& stack = stacks_[mark.key];
    if (open_ == kMaxOpen) {
      ++stack.left_out;
      sink.over();
      return;
    }
    settle(&stack, mark.at_ns, sink);
    ++open_;
    stack.open.push_back({mark, ++order_, INT64_MAX});
  }

  // Those whose surroundings have ended before: their own ends do not come any more.
  template <class Sink>
  void settle(Stack* stack, int64_t now_ns, Sink& sink) {
    while (!stack->open.empty() && stack->open.back().ends_by_ns <= now_ns) {
      const Open open = stack->open.back();
      stack->open.pop_back();
      give(open, stack->open.size(), nullptr, sink);
    }
  }

  template <class Sink>
  bool end(const Mark& mark, Sink& sink) {
    const auto found = stacks_.find(mark.key);
    if (found == stacks_.end()) return false;
    Stack& stack = found->second;
    if (stack.left_out != 0) {
      --stack.left_out;
      return true;
    }
    std::vector<Open>& open = stack.open;
    size_t at = open.size();
    while (at != 0 && mark.name_hash != 0 && open[at - 1].begin.name_hash != mark.name_hash) --at;
    if (at-- == 0) return false;
    const Open ended = open[at];
    open.erase(open.begin() + static_cast<ptrdiff_t>(at));
    // What began at this very time stands behind it, and not inside.
    if (!mark.is_interval)
      for (size_t i = at; i < open.size(); ++i)
        if (open[i].begin.at_ns < mark.at_ns) open[i].ends_by_ns = std::min(open[i].ends_by_ns, mark.at_ns);
    give(ended, at, &mark, sink);
    if (open.empty() && stack.left_out == 0) stacks_.erase(found);
    return true;
  }

  template <class Sink>
  void give(const Open& open, size_t depth, const Mark* end, Sink& sink) {
    --open_;
    sink.pair(open, depth, end);
  }

  std::vector<Mark> waiting_, postponed_;
  bool in_order_ = true;
  std::unordered_map<uint64_t, Stack> stacks_;
  size_t open_ = 0;
  uint64_t order_ = 0;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_BEGINS_AND_ENDS_H

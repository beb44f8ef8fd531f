// SPDX-License-Identifier: MIT
//
// span_nesting.h: whether the spans of each lane nest, told while they come. If they do, the capture cuts none of them, and
// need not be read for those that it cuts. This is known of spans in the order of their begins, parents first, and in the
// order of their ends, children first; for others the answer is no.
#ifndef FLAMELET_IMPORT_SRC_SPAN_NESTING_H
#define FLAMELET_IMPORT_SRC_SPAN_NESTING_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flamelet::formats {

class SpanNesting {
 public:
  // keeps_order: of spans that begin together the first one is the parent, and not the longest.
  void add(uint32_t lane, int64_t begin_ns, int64_t end_ns, bool keeps_order) {
    if (!all_nest_) return;
    if (lane >= lanes_.size()) lanes_.resize(lane + 1);
    Lane& of = lanes_[lane];
    of.is_by_begin = of.is_by_begin && of.parents.add(begin_ns, end_ns);
    of.is_by_end = of.is_by_end && of.ended.add(begin_ns, end_ns, keeps_order);
    all_nest_ = of.is_by_begin || of.is_by_end;
  }
  bool all_nest() const { return all_nest_; }

 private:
  static constexpr size_t kMost = 1024;  // spans that are remembered of a lane

  // Those around the newest span.
  class Parents {
   public:
    bool add(int64_t begin_ns, int64_t end_ns) {
      while (!ends_.empty() && ends_.back() <= begin_ns) ends_.pop_back();
      const bool nests = begin_ns >= newest_begin_ns_ && (ends_.empty() || end_ns <= ends_.back());
      newest_begin_ns_ = begin_ns;
      if (!nests || ends_.size() == kMost) return false;
      ends_.push_back(end_ns);
      return true;
    }

   private:
    int64_t newest_begin_ns_ = INT64_MIN;
    std::vector<int64_t> ends_;
  };

  // Those whose parents may still come.
  class Ended {
   public:
    bool add(int64_t begin_ns, int64_t end_ns, bool keeps_order) {
      while (!spans_.empty() && is_child(spans_.back().begin_ns, begin_ns, keeps_order)) spans_.pop_back();
      const int64_t before_ns = spans_.empty() ? forgotten_end_ns_ : spans_.back().end_ns;
      const bool nests = end_ns >= newest_end_ns_ && before_ns <= begin_ns;
      newest_end_ns_ = end_ns;
      if (!nests) return false;
      if (spans_.size() == kMost) {
        forgotten_end_ns_ = spans_[kMost / 2 - 1].end_ns;
        spans_.erase(spans_.begin(), spans_.begin() + kMost / 2);
      }
      spans_.push_back({begin_ns, end_ns});
      return true;
    }

   private:
    struct Span {
      int64_t begin_ns, end_ns;
    };
    static bool is_child(int64_t child_ns, int64_t parent_ns, bool keeps_order) {
      return child_ns > parent_ns || (child_ns == parent_ns && !keeps_order);
    }
    int64_t newest_end_ns_ = INT64_MIN, forgotten_end_ns_ = INT64_MIN;
    std::vector<Span> spans_;
  };

  struct Lane {
    Parents parents;
    Ended ended;
    bool is_by_begin = true, is_by_end = true;
  };
  std::vector<Lane> lanes_;
  bool all_nest_ = true;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_SPAN_NESTING_H

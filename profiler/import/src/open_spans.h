// SPDX-License-Identifier: MIT
//
// open_spans.h: spans that a trace tells as a begin and an end, a stack of them for each lane. They are handed on when they
// end, with the depth at which they stood.
#ifndef FLAMELET_IMPORT_SRC_OPEN_SPANS_H
#define FLAMELET_IMPORT_SRC_OPEN_SPANS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "flamelet/capture_builder.h"

namespace flamelet::formats {

class OpenSpans {
 public:
  // In all lanes together: 64 MiB. What is begun beyond that is left out, and its end with it.
  static constexpr size_t kMaxOpen = size_t{1} << 20;

  // `lane` is that of the builder. False: there are too many.
  bool begin(uint32_t lane, const flamelet_span& span) {
    if (lane >= lanes_.size()) lanes_.resize(lane + 1);
    Stack& stack = lanes_[lane];
    if (open_ == kMaxOpen) {
      ++stack.left_out;
      return false;
    }
    ++open_;
    stack.spans.push_back(span);
    return true;
  }

  enum class Ended { kSpan, kLeftOut, kNothing };
  // kSpan: *span is the innermost one, with its depth; its end is the caller's to set.
  Ended end(uint32_t lane, flamelet_span* span) {
    if (lane >= lanes_.size()) return Ended::kNothing;
    Stack& stack = lanes_[lane];
    if (stack.left_out != 0) {
      --stack.left_out;
      return Ended::kLeftOut;
    }
    if (stack.spans.empty()) return Ended::kNothing;
    *span = stack.spans.back();
    stack.spans.pop_back();
    --open_;
    span->depth = static_cast<uint16_t>(std::min<size_t>(stack.spans.size(), FLAMELET_DEPTH_UNKNOWN - 1));
    return Ended::kSpan;
  }

  size_t lanes() const { return lanes_.size(); }

 private:
  struct Stack {
    std::vector<flamelet_span> spans;
    uint64_t left_out = 0;
  };
  std::vector<Stack> lanes_;
  size_t open_ = 0;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_OPEN_SPANS_H

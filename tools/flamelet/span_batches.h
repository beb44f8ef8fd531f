// SPDX-License-Identifier: MIT
//
// span_batches.h: the spans of a lane piece by piece, so that memory is bounded however long the lane is.
#ifndef FLAMELET_TOOLS_SPAN_BATCHES_H
#define FLAMELET_TOOLS_SPAN_BATCHES_H

#include <flamelet/capture.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace flamelet::tools {

constexpr size_t kBatchSpans = size_t{1} << 17;  // 8 MiB

// The spans of all these lanes that overlap a window.
size_t count_spans(const flamelet_capture* capture, const std::vector<size_t>& lanes, int64_t begin_ns, int64_t end_ns);

// Times from begin_ns to end_ns, rising, with about `batch` spans of the lane between two of them: exactly, if they are
// evenly spread.
std::vector<int64_t> batch_borders(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns,
                                   size_t batch = kBatchSpans);

// The answer of flamelet_capture_read_spans() for this window, in the same order, in pieces. Outermost spans stay whole, so
// self times are as in one answer, and `parent` and `subtree_end` are indices in the piece. A piece has about `batch`
// spans, or the outermost span that has more.
void read_span_batches(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns,
                       const std::function<void(const flamelet_span* spans, size_t count)>& take,
                       size_t batch = kBatchSpans);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_SPAN_BATCHES_H

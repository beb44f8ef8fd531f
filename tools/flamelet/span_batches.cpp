// SPDX-License-Identifier: MIT
#include "span_batches.h"

#include <algorithm>

namespace flamelet::tools {
namespace {

// The first outermost span that may go on behind `end_ns`, or begins there. One that ends there is not whole, either: a
// child of no length may begin in its last moment.
size_t first_cut(const std::vector<flamelet_span>& spans, int64_t end_ns) {
  size_t at = 0;
  while (at < spans.size() && spans[at].end_ns < end_ns) at = spans[at].subtree_end;
  return at;
}

// As if the spans before `first` were not there; they are no ancestors of the others.
void rebase(std::vector<flamelet_span>* spans, size_t first) {
  const uint32_t offset = static_cast<uint32_t>(first);
  for (size_t i = first; i < spans->size(); ++i) {
    flamelet_span& span = (*spans)[i];
    span.subtree_end -= offset;
    if (span.parent != FLAMELET_NO_PARENT) span.parent -= offset;
  }
}

}  // namespace

size_t count_spans(const flamelet_capture* capture, const std::vector<size_t>& lanes, int64_t begin_ns,
                   int64_t end_ns) {
  size_t count = 0;
  for (const size_t lane : lanes) count += flamelet_capture_count_spans(capture, lane, begin_ns, end_ns);
  return count;
}

std::vector<int64_t> batch_borders(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns,
                                   size_t batch) {
  std::vector<int64_t> borders = {begin_ns};
  int64_t first_ns = 0, last_ns = 0;
  const size_t parts = count_spans(capture, {lane}, begin_ns, end_ns) / batch + 1;
  if (parts > 1 && flamelet_capture_extent(capture, &first_ns, &last_ns)) {
    first_ns = std::max(first_ns, begin_ns);
    last_ns = std::min(last_ns, end_ns);
    const double step_ns = (static_cast<double>(last_ns) - static_cast<double>(first_ns)) / static_cast<double>(parts);
    for (size_t part = 1; part < parts; ++part) {
      const int64_t border_ns = first_ns + static_cast<int64_t>(step_ns * static_cast<double>(part));
      if (border_ns > borders.back() && border_ns < end_ns) borders.push_back(border_ns);
    }
  }
  borders.push_back(end_ns);
  return borders;
}

void read_span_batches(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns,
                       const std::function<void(const flamelet_span* spans, size_t count)>& take, size_t batch) {
  const std::vector<int64_t> borders = batch_borders(capture, lane, begin_ns, end_ns, batch);
  std::vector<flamelet_span> spans;
  int64_t from_ns = begin_ns;
  size_t taken = 0;  // of the spans that begin at from_ns
  size_t step = 1;
  for (size_t next = 1; next < borders.size();) {
    const int64_t to_ns = borders[next];
    const bool is_last = next + 1 == borders.size();
    spans.resize(std::max(spans.capacity(), batch));
    size_t count = 0;
    flamelet_capture_read_spans(capture, lane, from_ns, to_ns, spans.data(), spans.size(), &count);
    if (count > spans.size()) {
      spans.resize(count);
      flamelet_capture_read_spans(capture, lane, from_ns, to_ns, spans.data(), spans.size(), nullptr);
    }
    spans.resize(count);
    const size_t whole = is_last ? count : first_cut(spans, to_ns);
    // An outermost span that is longer than that: further and further, so that the lane is read a few times at most.
    step = whole <= taken && !is_last ? step * 2 : 1;
    next = is_last ? borders.size() : std::min(next + step, borders.size() - 1);
    if (whole <= taken) continue;
    const int64_t next_from_ns = whole < count ? spans[whole].begin_ns : to_ns;
    size_t next_taken = 0;
    for (size_t i = 0; i < whole; ++i) next_taken += spans[i].begin_ns == next_from_ns;
    if (taken != 0) rebase(&spans, taken);
    take(spans.data() + taken, whole - taken);
    from_ns = next_from_ns;
    taken = next_taken;
  }
}

}  // namespace flamelet::tools

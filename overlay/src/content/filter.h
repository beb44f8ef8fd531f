// SPDX-License-Identifier: MIT
//
// filter.h: which names a filter text matches, and what the matches add up to. A text matches a name that contains it;
// ASCII letters match in either case.
#ifndef FLAMELET_OVERLAY_SRC_FILTER_H
#define FLAMELET_OVERLAY_SRC_FILTER_H

#include <stdint.h>
#include <string.h>
#include <algorithm>
#include <string_view>

#include "flamelet/capture.h"
#include "flamelet/detail/sums.h"
#include "flamelet/detail/text.h"
#include "input/input_compat.h"

namespace flamelet::ui {

using flamelet::matches;

// The text that the user or the program set.
struct Filter {
  char text[128] = {};
  bool stale = false;   // it has changed, and what is counted by it has not
  bool focus = false;   // in the next frame: its field gets the keyboard
  int waiting = 0;      // frames in which the field may still come to have it
  bool typing = false;  // the field has it
  EarlyText early{'/'};

  bool active() const { return text[0] != 0; }
  bool wants_keys() const { return focus || waiting != 0 || typing; }
  // What does not fit is cut.
  void set(std::string_view wanted) {
    const size_t size = std::min(wanted.size(), sizeof text - 1);
    if (size != 0) memmove(text, wanted.data(), size);  // no text has no address
    text[size] = 0;
    stale = true;
  }
};

struct FilterSum {
  uint64_t count = 0;    // all matching calls
  int64_t total_ns = 0;  // inclusive time, of the outermost matches only: what is inside a match is in its time already
};

// Adds the matches among `spans` (pre-order with subtree ends; a piece of a cursor, or all) to *sum. `is_match(span)` says which they are.
template <typename IsMatch>
void sum_matches(const flamelet_span* spans, uint32_t count, IsMatch is_match, FilterSum* sum) {
  uint32_t inside_until = 0;  // the end of the subtree of the outermost match
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_match(spans[i])) continue;
    const bool again = (spans[i].flags & FLAMELET_SPAN_AGAIN) != 0;
    sum->count += !again && (spans[i].flags & FLAMELET_SPAN_RESUMED) == 0;
    if (i < inside_until) continue;
    inside_until = spans[i].subtree_end;
    if (!again && spans[i].end_ns > spans[i].begin_ns)
      sum->total_ns = add_saturating(sum->total_ns, spans[i].end_ns - spans[i].begin_ns);
  }
}

// Which spans of a lane match: a bit each, and for each 64 of them how many came before. So a merged block knows its matches
// by one subtraction.
struct Matches {
  const uint64_t* bits = nullptr;
  const uint32_t* before = nullptr;

  static constexpr uint32_t words_for(uint32_t spans) { return spans / 64 + 1; }
  uint32_t before_span(uint32_t i) const {
    return before[i / 64] + count_bits(bits[i / 64] & ((uint64_t{1} << i % 64) - 1));
  }

  static uint32_t count_bits(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    return static_cast<uint32_t>(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
  }
};

// `bits` and `before` have room for words_for(count).
template <typename Spans, typename IsMatch>
Matches find_matches(const Spans& spans, uint32_t count, IsMatch is_match, uint64_t* bits, uint32_t* before) {
  uint32_t so_far = 0;
  for (uint32_t word = 0; word < Matches::words_for(count); ++word) {
    before[word] = so_far;
    bits[word] = 0;
    for (uint32_t i = word * 64; i < count && i < (word + 1) * 64; ++i) {
      if (!is_match(spans[i])) continue;
      bits[word] |= uint64_t{1} << i % 64;
      ++so_far;
    }
  }
  return {bits, before};
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FILTER_H

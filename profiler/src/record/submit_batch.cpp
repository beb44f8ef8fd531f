// SPDX-License-Identifier: MIT
#include "record/submit_batch.h"

#include <algorithm>

namespace flamelet {

void SubmitBatch::pair_scopes(uint32_t scopes) {
  std::sort(sorted_, sorted_ + scopes, [this](uint32_t a, uint32_t b) {
    if (id(a) != id(b)) return id(a) < id(b);
    if (pair(a) != pair(b)) return pair(a) < pair(b);
    return time(a) != time(b) ? time(a) < time(b) : a < b;
  });
  for (uint32_t first = 0; first < scopes;) {
    const uint32_t one = sorted_[first];
    uint32_t next = first + 1;
    while (next < scopes && id(sorted_[next]) == id(one) && pair(sorted_[next]) == pair(one)) ++next;
    pair_group(sorted_ + first, next - first);
    first = next;
  }
}

// Events of one id and pair number, by time. Numbers may be used again, so this takes pair after pair. What stays alone
// waits; a second begin, and an end without a begin before it where others have one, are duplicates.
void SubmitBatch::pair_group(const uint32_t* group, uint32_t count) {
  constexpr uint32_t kNoEvent = kOut;
  uint32_t begin = kNoEvent;  // open
  uint32_t end = kNoEvent;    // without a begin
  bool has_pairs = false;
  const auto make_pair = [&](uint32_t from, uint32_t to) {
    fate_[from] = to;
    fate_[to] = kEnd;
    begin = end = kNoEvent;
    has_pairs = true;
  };
  for (uint32_t at = 0; at < count; ++at) {
    const uint32_t i = group[at];
    if (type(i) == 'E') {
      if (begin != kNoEvent)
        make_pair(begin, i);
      else if (end == kNoEvent)
        end = i;
    } else if (begin == kNoEvent) {
      if (end != kNoEvent && time(end) == time(i)) {
        make_pair(i, end);  // no length, and the end was submitted first
      } else {
        begin = i;
        end = kNoEvent;  // older than the begin: not its end
      }
    }
  }
  if (begin != kNoEvent) fate_[begin] = kWaits;
  if (end != kNoEvent && !has_pairs) fate_[end] = kWaits;
}

}  // namespace flamelet

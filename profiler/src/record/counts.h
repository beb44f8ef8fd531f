// SPDX-License-Identifier: MIT
//
// counts.h: what is dropped, repaired or noticed. Each set of counts is added, cleared and read as a whole.
#ifndef FLAMELET_SRC_COUNTS_H
#define FLAMELET_SRC_COUNTS_H

#include <stdint.h>

#include "platform/atomic.h"

namespace flamelet {

// Any thread; relaxed, because counts order nothing.
template <class Which, uint32_t kSize>
class Counts {
 public:
  void add(Which which, uint64_t amount = 1) { counts_[which].fetch_add_relaxed(amount); }
  void add(const Counts& other) {
    for (uint32_t i = 0; i < kSize; ++i) counts_[i].fetch_add_relaxed(other.counts_[i].load_relaxed());
  }
  void clear() {
    for (Atomic<uint64_t>& count : counts_) count.store_relaxed(0);
  }
  uint64_t operator[](Which which) const { return counts_[which].load_relaxed(); }

 private:
  Atomic<uint64_t> counts_[kSize];
};

// What flamelet_stats says about each of them.
enum TrackCount : uint32_t { kMissingEnds, kExtraEnds, kDroppedDepth, kDroppedNoPage, kDroppedNested, kTrackCounts };
using TrackCounts = Counts<TrackCount, kTrackCounts>;

enum SessionCount : uint32_t {
  kDroppedNoTrack,
  kDroppedFiber,
  kDroppedFrame,
  kDroppedSubmit,
  kFiberMisuse,
  kStringsOverflowed,
  kSitesOverflowed,
  kInternedOnTheSpot,
  kSessionCounts,
};
using SessionCounts = Counts<SessionCount, kSessionCounts>;

}  // namespace flamelet

#endif  // FLAMELET_SRC_COUNTS_H

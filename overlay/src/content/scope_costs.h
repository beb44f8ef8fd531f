// SPDX-License-Identifier: MIT
//
// scope_costs.h: what recording one frame cost the game: the scopes that began in it, and the price of each kind.
// Like range_statistics.h, a reading goes on over several frames of the overlay, and the counts before are shown
// meanwhile.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_COSTS_H
#define FLAMELET_OVERLAY_SRC_SCOPE_COSTS_H

#include "content/memory.h"
#include "flamelet/capture.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

class ScopeCosts {
 public:
  // What one scope of a kind costs; 0: not known. Asked until it is known, and only for kinds that are met.
  using Price = double (*)(flamelet_scope_kind kind);
  explicit ScopeCosts(Price price = &flamelet_measure_scope_ns) : price_(price) {}

  // For another capture, or another session of it.
  void reset() { *this = ScopeCosts(price_); }
  // Begins a reading, in place of one that is under way.
  void begin(const flamelet_capture* capture, TimeWindow frame);
  // Goes on with it for about `max_zones` spans. True once the new counts are shown. `scratch` is overwritten.
  bool step(Array<flamelet_span>* scratch, uint32_t max_zones);

  bool reading() const { return reading_; }
  // What the counts are about; while a reading is under way, what they will be about.
  TimeWindow frame() const { return frame_; }
  uint64_t count(flamelet_scope_kind kind) const { return shown_[kind]; }
  double price_ns(flamelet_scope_kind kind) const { return prices_ns_[kind]; }
  double total_ns() const;

 private:
  uint64_t read_lane(Array<flamelet_span>* scratch, uint64_t most);

  Price price_;
  const flamelet_capture* capture_ = nullptr;
  TimeWindow frame_;
  size_t lane_ = 0;
  int64_t read_until_ns_ = 0;  // of the lane
  bool reading_ = false;
  uint64_t next_[FLAMELET_SCOPE_KINDS] = {};
  uint64_t shown_[FLAMELET_SCOPE_KINDS] = {};
  double prices_ns_[FLAMELET_SCOPE_KINDS] = {};
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_COSTS_H

// SPDX-License-Identifier: MIT
//
// hitch_reason.h: why a hitch was slow, found on a thread of its own: opening and explaining it takes longer than a
// frame may. One at a time. Where there are no threads, it is found when it was begun.
//
// The thread has a copy of the hitch, so that the flight recorder may drop it meanwhile. begin() hands everything over
// by the start of the thread; done() pairs with its last store, and take() joins.
#ifndef FLAMELET_OVERLAY_SRC_HITCH_REASON_H
#define FLAMELET_OVERLAY_SRC_HITCH_REASON_H

#include <atomic>
#include <thread>

#include "flamelet/flight.h"

namespace flamelet::ui {

class HitchReason {
 public:
  static constexpr size_t kTextBytes = 1024;

  HitchReason() = default;
  ~HitchReason() { take(); }
  HitchReason(const HitchReason&) = delete;
  HitchReason& operator=(const HitchReason&) = delete;

  // Only while id() is 0. Copies the hitch; the rest happens on the thread. The memory is the allocator's.
  void begin(const flamelet_flight* flight, const flamelet_flight_info& info, int64_t budget_ns,
             const flamelet_allocator& allocator);

  // The hitch that is explained now, or whose answer nobody has taken yet; 0 = none.
  uint64_t id() const { return id_; }
  int64_t budget_ns() const { return budget_ns_; }
  // Acquire: pairs with the release in run(), so that the text can be read.
  bool done() const { return id_ != 0 && done_.load(std::memory_order_acquire); }
  // Waits for it. Empty if it cannot be said; valid until the next begin().
  const char* take();

 private:
  void run();
  void explain();

  uint64_t id_ = 0;
  uint64_t frame_ = 0;  // index
  int64_t budget_ns_ = 0;
  flamelet_allocator allocator_ = {};
  char* bytes_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
  char text_[kTextBytes] = {};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HITCH_REASON_H

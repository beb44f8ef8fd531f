// SPDX-License-Identifier: MIT
//
// flight_data.h: what a flamelet_flight consists of.
//
//   ready ──a trigger──► waits for the frames after it ──► copies, a piece an update ──► kept; ready again, or the next one
#ifndef FLAMELET_SRC_FLIGHT_DATA_H
#define FLAMELET_SRC_FLIGHT_DATA_H

#include "capture/capture_writer.h"
#include "flamelet/flight.h"
#include "flight/flight_files.h"
#include "flight/flight_store.h"
#include "flight/scope_budgets.h"
#include "platform/atomic.h"

namespace flamelet {

// Flight watch: what a trigger is found by: the median of the last frames, and the game's own call.

// Text cut to what there is room for, between two characters of UTF-8.
void copy_text(char (&to)[FLAMELET_FLIGHT_TEXT_BYTES], const char* text);

// Why a frame is to be kept.
struct Trigger {
  flamelet_flight_cause cause;
  char text[FLAMELET_FLIGHT_TEXT_BYTES];
  int64_t limit_ns;
  uint64_t frame;  // its index
};

// The durations of the last frames, also in rising order.
class FrameMedian {
 public:
  static constexpr uint32_t kFrames = 120;
  static constexpr uint32_t kLeastFrames = 16;  // for a median that means something

  void clear() { count_ = 0; }
  void add(int64_t duration_ns);
  // 0 while there are too few.
  int64_t median_ns() const { return count_ < kLeastFrames ? 0 : sorted_[(used() - 1) / 2]; }

 private:
  uint32_t used() const { return count_ < kFrames ? static_cast<uint32_t>(count_) : kFrames; }

  uint64_t count_ = 0;
  int64_t last_[kFrames];
  int64_t sorted_[kFrames];
};

// One call of flamelet_flight_trigger(), from any thread to the one that updates.
class TriggerBox {
 public:
  struct Call {
    uint32_t session;  // of the recorder
    uint64_t ticks;
    char text[FLAMELET_FLIGHT_TEXT_BYTES];
  };

  // False: the call before it is still there.
  bool put(uint32_t session, uint64_t ticks, const char* why);
  // NULL: there is none. It stays until taken() is called.
  const Call* get() const;
  void taken();

 private:
  enum State : uint32_t { kEmpty, kFilling, kFull };
  Atomic<uint32_t> state_;
  Call call_ = {};
};

}  // namespace flamelet

enum class FlightState { kReady, kWaits, kCopies };

struct flamelet_flight {
  flamelet_flight_config config;
  const flamelet_capture* capture;
  void* memory;
  size_t memory_bytes;

  // Finding triggers.
  uint32_t session;
  bool has_frame;  // there is a frame that was looked at
  uint64_t last_frame;
  uint64_t last_gpu_frame;  // whose GPU queues were looked at
  uint64_t last_lost;
  flamelet::PageId last_page;
  uint64_t new_pages;  // with the last update
  uint32_t holds;      // of the capture
  int64_t dead_until_ns;
  uint64_t newest_ticks;  // how long the frame of the newest trigger took that was not skipped
  flamelet::FrameMedian median;
  flamelet::ScopeBudgets budgets;
  flamelet::TriggerBox box;
  flamelet::Atomic<uint64_t> box_skipped;

  // Keeping one.
  FlightState state;
  flamelet::Trigger trigger;
  bool has_next;  // a longer frame triggered meanwhile
  flamelet::Trigger next;
  uint64_t next_id;
  flamelet::KeptFlight* copied;
  flamelet::PageSelection selection;
  flamelet::CaptureWriter writer;
  char* buffer;
  char* save_buffer;  // of flamelet_flight_save_to()
  flamelet::FlightStore store;

  flamelet::FlightFiles files;
  bool told;  // that files cannot be written
  flamelet_flight_stats stats;
};

namespace flamelet {

// Looks at what is new in the capture (flight.cpp).
void watch(flamelet_flight* flight);
// Takes the frame that the flight waits for, with what there is of those after it.
void begin_copy(flamelet_flight* flight);
void continue_copy(flamelet_flight* flight, size_t bytes);
// Waits for the frames after the next trigger, or is ready if there is none.
void begin_next(flamelet_flight* flight);

}  // namespace flamelet

#endif  // FLAMELET_SRC_FLIGHT_DATA_H

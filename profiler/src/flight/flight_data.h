// SPDX-License-Identifier: MIT
//
// flight_data.h: what a flamelet_flight consists of.
//
//   ready ──a trigger──► waits for the frames after it ──► copies, a piece an update ──► kept; ready again, or the next one
#ifndef FLAMELET_SRC_FLIGHT_DATA_H
#define FLAMELET_SRC_FLIGHT_DATA_H

#include "capture/capture_writer.h"
#include "flight/flight_files.h"
#include "flight/flight_store.h"
#include "flight/flight_watch.h"
#include "flight/scope_budgets.h"

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

// Looks at what is new in the capture (flight_triggers.cpp).
void watch(flamelet_flight* flight);
// Takes the frame that the flight waits for, with what there is of those after it.
void begin_copy(flamelet_flight* flight);
void continue_copy(flamelet_flight* flight, size_t bytes);
// Waits for the frames after the next trigger, or is ready if there is none.
void begin_next(flamelet_flight* flight);

}  // namespace flamelet

#endif  // FLAMELET_SRC_FLIGHT_DATA_H

// SPDX-License-Identifier: MIT
//
// The demo's live capture, and its flight recorder, which keeps hitches and writes them into the folder of --flight. Main
// thread.
#pragma once

#include <flamelet/flight.h>
#include <cstdio>
#include <string>

#include "explainer.h"

namespace demo {

class FlightRecorder {
 public:
  // An empty folder: nothing is written. Throws std::runtime_error.
  FlightRecorder(const std::string& folder, bool small_memory);
  ~FlightRecorder();
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;

  flamelet_flight* get() const { return flight_; }
  // The live capture, which the overlay shows.
  flamelet_capture* capture() const { return capture_; }
  // After each frame mark.
  void update();
  // Why a frame of the last seconds was slow.
  Explainer::Answer why(uint64_t frame) { return explainer_.explain(capture_, frame); }
  // What is kept, the longest frame first, and why each was slow.
  void print(std::FILE* file);

 private:
  flamelet_capture* capture_ = nullptr;
  flamelet_flight* flight_ = nullptr;
  Explainer explainer_;
};

// ---- save capture

// Saves what the recorder's ring still holds. Throws std::runtime_error if that fails.
void save_capture(const std::string& path);

}  // namespace demo

// SPDX-License-Identifier: MIT
//
// The demo's flight recorder: keeps its hitches, and writes them into the folder of --flight. Main thread.
#pragma once

#include <flamelet/flight.h>

#include <cstdio>
#include <string>

namespace demo {

class FlightRecorder {
 public:
  // An empty folder: nothing is written. Throws std::runtime_error.
  explicit FlightRecorder(const std::string& folder);
  ~FlightRecorder();
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;

  flamelet_flight* get() const { return flight_; }
  // After each frame mark.
  void update();
  // What is kept, the longest frame first.
  void print(std::FILE* file) const;

 private:
  flamelet_capture* capture_ = nullptr;
  flamelet_flight* flight_ = nullptr;
};

}  // namespace demo

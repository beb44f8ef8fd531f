// SPDX-License-Identifier: MIT
//
// flight_recorder.h: the demo's live capture, and its flight recorder, which keeps hitches and writes them into the folder of
// --flight. Main thread.
#pragma once

#include <flamelet/explain.h>
#include <flamelet/flight.h>

#include <cstdio>
#include <string>
#include <vector>

namespace demo {

// Why a frame was slow: what the overlay's line and `flamelet why` say, asked by the game itself.
class Explainer {
 public:
  struct Answer {
    std::string sentence;
    std::string scope;  // of the frame: the first cause, or the wait for it; "" if there is none
  };
  // Empty if the capture has no such frame. About 10 ms: it reads the 240 frames before it, too.
  Answer explain(const flamelet_capture* capture, uint64_t frame);
  // The sentence of what a flight recorder keeps at this position.
  std::string explain_hitch(const flamelet_flight* flight, size_t position);

 private:
  bool start();
  std::string sentence(const flamelet_capture* capture, const flamelet_explanation& why) const;

  std::vector<char> memory_;  // 12 MiB, from the first question on
  flamelet_explain* explain_ = nullptr;
};

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

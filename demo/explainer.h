// SPDX-License-Identifier: MIT
//
// Why a frame was slow: what the overlay's line and `flamelet why` say, asked by the game itself.
#pragma once

#include <flamelet/explain.h>

#include <string>
#include <vector>

namespace demo {

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

}  // namespace demo

// SPDX-License-Identifier: MIT
//
// joined_capture.h: a frame of one capture with frames of another behind it, as one capture. Sites and strings have other
// ids in each; here they are the same by their texts. So whatever reads a capture can compare the two.
#ifndef FLAMELET_TOOLS_JOINED_CAPTURE_H
#define FLAMELET_TOOLS_JOINED_CAPTURE_H

#include <flamelet/capture.h>

#include <cstddef>
#include <memory>

namespace flamelet::tools {

struct DestroyCapture {
  void operator()(flamelet_capture* capture) const { flamelet_capture_destroy(capture); }
};

struct JoinedCapture {
  std::unique_ptr<flamelet_capture, DestroyCapture> capture;
  size_t position = 0;     // of the frame
  size_t other_first = 0;  // of the other capture's frames
  size_t other_count = 0;
};

// The frame at `position` keeps its index and its times, and the few frames before it stand before it. Of the other's frames
// from `first` on, up to `count` follow, with other indices and times. Lanes of one kind and name are one, in their order.
JoinedCapture join_captures(const flamelet_capture* capture, size_t position, const flamelet_capture* other,
                            size_t first, size_t count);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_JOINED_CAPTURE_H

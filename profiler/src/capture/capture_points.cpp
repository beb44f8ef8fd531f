// SPDX-License-Identifier: MIT
//
// capture_points.cpp: the instants and counter values of threads and fibers, by time as they stand in the pages.
#include "capture/capture_chunks.h"

namespace flamelet {
namespace {

class PointVisitor : public IgnoreEvents {
 public:
  PointVisitor(const flamelet_capture& capture, const Window& window, flamelet_point* points, size_t capacity)
      : capture_(capture), window_(window), points_(points), capacity_(capacity) {}

  void point(uint64_t ticks, const PointEvent& event) {
    if (ticks >= window_.begin && count_++ < capacity_) points_[count_ - 1] = to_point(capture_, ticks, event);
  }

  size_t count() const { return count_; }

 private:
  const flamelet_capture& capture_;
  const Window& window_;
  flamelet_point* const points_;
  const size_t capacity_;
  size_t count_ = 0;
};

template <class Chunks>
size_t read_points(Chunks chunks, const flamelet_capture& capture, const Window& window, flamelet_point* points,
                   size_t capacity) {
  PointVisitor visitor(capture, window, points, capacity);
  if (!chunks.seek(window.begin)) return 0;
  ReplayCursor cursor = {};
  do {
    const Chunk chunk = chunks.chunk();
    cursor.at = chunk.first_word;
    cursor.depth = chunk.block.count;
    if (cursor.now_ticks < chunk.begin_ticks) cursor.now_ticks = chunk.begin_ticks;
    if (replay(chunk.words, window.end, &cursor, visitor)) break;
  } while (chunks.next_begin_ticks() < window.end && chunks.next());
  return visitor.count();
}

}  // namespace

size_t read_nested_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                          flamelet_point* points, size_t capacity) {
  if (is_fiber(lane)) return read_points(FiberChunks(capture, lane), capture, window, points, capacity);
  return read_points(ThreadChunks(capture, lane), capture, window, points, capacity);
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// capture_points.cpp: the instants and counter values of threads and fibers, by time as they stand in the pages.
#include <new>

#include "capture/capture_chunks.h"

namespace flamelet {
namespace {

template <class Chunks>
class PointReader : public IgnoreEvents {
 public:
  PointReader(const flamelet_capture& capture, const Lane& lane, const Window& window)
      : capture_(capture), window_(window), chunks_(capture, lane), has_more_(chunks_.seek(window.begin)) {}

  // least_room: chunks are decoded while the array has so much; 0 = all, also what does not fit.
  size_t read(flamelet_point* points, size_t capacity, size_t least_room) {
    points_ = points;
    capacity_ = capacity;
    count_ = 0;
    while (has_more_ && (least_room == 0 || capacity_ - count_ >= least_room)) read_chunk();
    return count_;
  }

  void point(uint64_t ticks, const PointEvent& event) {
    if (ticks >= window_.begin && count_++ < capacity_) points_[count_ - 1] = to_point(capture_, ticks, event);
  }

 private:
  void read_chunk() {
    PageRoom room;
    const Chunk chunk = chunks_.chunk(&room);
    cursor_.at = chunk.first_word;
    cursor_.depth = chunk.block.count;
    if (cursor_.now_ticks < chunk.begin_ticks) cursor_.now_ticks = chunk.begin_ticks;
    has_more_ = !replay(chunk.words, window_.end, &cursor_, *this) && chunks_.next_begin_ticks() < window_.end &&
                chunks_.next();
  }

  const flamelet_capture& capture_;
  const Window window_;
  Chunks chunks_;
  ReplayCursor cursor_ = {};
  bool has_more_;
  flamelet_point* points_ = nullptr;
  size_t capacity_ = 0;
  size_t count_ = 0;
};

template <class Chunks>
bool read_point_piece(const Lane& lane, const Window& window, flamelet_point_cursor* cursor) {
  using Reader = PointReader<Chunks>;
  static_assert(sizeof(Reader) <= sizeof cursor->state_ && alignof(Reader) <= alignof(uint64_t), "it fits");
  if (!cursor->has_begun_) new (cursor->state_) Reader(*cursor->capture_, lane, window);
  Reader* const reader = reinterpret_cast<Reader*>(cursor->state_);
  cursor->count = reader->read(cursor->points, cursor->capacity_, kPageWords);
  return cursor->count != 0;
}

}  // namespace

size_t read_nested_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                          flamelet_point* points, size_t capacity) {
  if (is_fiber(lane)) return PointReader<FiberChunks>(capture, lane, window).read(points, capacity, 0);
  return PointReader<ThreadChunks>(capture, lane, window).read(points, capacity, 0);
}

bool next_nested_points(const Lane& lane, const Window& window, flamelet_point_cursor* cursor) {
  return is_fiber(lane) ? read_point_piece<FiberChunks>(lane, window, cursor)
                        : read_point_piece<ThreadChunks>(lane, window, cursor);
}

}  // namespace flamelet

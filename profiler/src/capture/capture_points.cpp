// SPDX-License-Identifier: MIT
//
// capture_points.cpp: the instants and counter values of threads and fibers, by time as they stand in the pages.
#include <string.h>

#include "capture/capture_chunks.h"

namespace flamelet {
namespace {

class PointVisitor : public IgnoreEvents {
 public:
  PointVisitor(const flamelet_capture& capture, const Window& window, flamelet_point* points, size_t capacity)
      : capture_(capture), window_(window), points_(points), capacity_(capacity) {}

  void instant(uint64_t ticks, uint32_t site, uint64_t strings) {
    flamelet_point* point = add(ticks, site, FLAMELET_POINT_INSTANT);
    if (point == nullptr) return;
    if (strings_name(strings) != 0) point->name = strings_name(strings);
    point->object = strings_object(strings);
  }
  void counter(uint64_t ticks, uint32_t site, uint64_t bits) {
    flamelet_point* point = add(ticks, site, FLAMELET_POINT_COUNTER);
    if (point != nullptr) memcpy(&point->value, &bits, sizeof point->value);
  }

  size_t count() const { return count_; }

 private:
  // NULL: before the window, or there is no room.
  flamelet_point* add(uint64_t ticks, uint32_t site, uint32_t kind) {
    if (ticks < window_.begin || count_++ >= capacity_) return nullptr;
    flamelet_point& point = points_[count_ - 1];
    point = {};
    point.time_ns = capture_.converter.to_ns(ticks);
    point.site = site;
    point.name = capture_.sites.name(site);
    point.kind = kind;
    return &point;
  }

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
  if (lane.kind == FLAMELET_LANE_FIBER)
    return read_points(FiberChunks(capture, lane), capture, window, points, capacity);
  return read_points(ThreadChunks(capture, lane), capture, window, points, capacity);
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// capture_points.cpp: the instants and counter values of threads and fibers, by time as they stand in the pages.
#include <string.h>

#include "capture/capture_chunks.h"

namespace flamelet {
namespace {

struct PointVisitor : IgnoreEvents {
  const flamelet_capture& capture;
  const Window& window;
  flamelet_point* const points;
  const size_t capacity;
  size_t count;

  PointVisitor(const flamelet_capture& c, const Window& w, flamelet_point* p, size_t n)
      : capture(c), window(w), points(p), capacity(n), count(0) {}

  void other(uint64_t ticks, WordType type, uint32_t site, uint64_t, const uint64_t* payload) {
    const bool counter = type == WordType::kCounter;
    if ((!counter && type != WordType::kInstant) || ticks < window.begin) return;
    if (count < capacity) {
      flamelet_point& point = points[count];
      point = {};
      point.time_ns = capture.converter.to_ns(ticks);
      point.site = site;
      point.name = capture.sites.name(site);
      if (counter) {
        memcpy(&point.value, payload, sizeof point.value);
        point.kind = FLAMELET_POINT_COUNTER;
      } else {
        if (strings_name(payload[0]) != 0) point.name = strings_name(payload[0]);
        point.object = strings_object(payload[0]);
        point.kind = FLAMELET_POINT_INSTANT;
      }
    }
    ++count;
  }
};

template <class Chunks>
size_t read_points(Chunks chunks, const flamelet_capture& capture, const Window& window, flamelet_point* points,
                   size_t capacity) {
  PointVisitor visitor(capture, window, points, capacity);
  if (!chunks.seek(window.begin)) return 0;
  DecodeCursor cursor = {0, 0};
  do {
    const Chunk chunk = chunks.chunk();
    cursor.at = chunk.first_word;
    if (cursor.now_ticks < chunk.begin_ticks) cursor.now_ticks = chunk.begin_ticks;
    if (decode(chunk.words, window.end, &cursor, visitor)) break;
  } while (chunks.next_begin_ticks() < window.end && chunks.next());
  return visitor.count;
}

}  // namespace

size_t read_nested_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                          flamelet_point* points, size_t capacity) {
  if (lane.kind == FLAMELET_LANE_FIBER)
    return read_points(FiberChunks(capture, lane), capture, window, points, capacity);
  return read_points(ThreadChunks(capture, lane), capture, window, points, capacity);
}

}  // namespace flamelet

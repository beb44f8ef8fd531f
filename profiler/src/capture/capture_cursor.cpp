// SPDX-License-Identifier: MIT
//
// capture_cursor.cpp: the spans and points of a lane, and flows: piece by piece, or all of them in one array.
#include "capture/capture_data.h"

namespace flamelet {
namespace {

template <class Cursor, class Item>
void start_cursor(Cursor* cursor, const flamelet_capture* capture, Item* items, size_t capacity, int64_t begin_ns,
                  int64_t end_ns) {
  cursor->count = 0;
  cursor->result = capture != nullptr && items != nullptr ? FLAMELET_OK : FLAMELET_ERROR_INVALID_ARGUMENT;
  if (capacity < FLAMELET_CURSOR_LEAST) cursor->result = FLAMELET_ERROR_BUFFER_TOO_SMALL;
  cursor->capture_ = capture;
  cursor->version_ = flamelet_capture_version(capture);
  cursor->capacity_ = capacity < FLAMELET_NO_PARENT ? capacity : FLAMELET_NO_PARENT - 1;
  cursor->begin_ns_ = begin_ns;
  cursor->end_ns_ = end_ns;
  cursor->has_begun_ = false;
  cursor->is_at_end_ = false;
}

// next(window) reads a piece.
template <class Cursor, class Next>
bool next_piece(Cursor* cursor, Next next) {
  if (cursor == nullptr) return false;
  Window window;
  if (cursor->result == FLAMELET_OK && flamelet_capture_version(cursor->capture_) != cursor->version_)
    cursor->result = FLAMELET_ERROR_CHANGED;
  const bool has_piece = cursor->result == FLAMELET_OK && !cursor->is_at_end_ &&
                         make_window(*cursor->capture_, cursor->begin_ns_, cursor->end_ns_, &window) && next(window);
  cursor->has_begun_ = true;
  cursor->is_at_end_ = !has_piece;
  if (!has_piece) cursor->count = 0;
  return has_piece;
}

// read(window) returns how many there are.
template <class Read>
flamelet_result read_all(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns, size_t capacity,
                         size_t* count, Read read) {
  Window window;
  const size_t found = make_window(*capture, begin_ns, end_ns, &window) ? read(window) : 0;
  if (count != nullptr) *count = found;
  return found <= capacity ? FLAMELET_OK : FLAMELET_ERROR_BUFFER_TOO_SMALL;
}

flamelet_result invalid(size_t* count) {
  if (count != nullptr) *count = 0;
  return FLAMELET_ERROR_INVALID_ARGUMENT;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_span_cursor_start(flamelet_span_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                int64_t begin_ns, int64_t end_ns, flamelet_span* spans, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, spans, capacity, begin_ns, end_ns);
  cursor->spans = spans;
  cursor->again = 0;
  cursor->lane_ = lane;
  if (lane_at(capture, lane) == nullptr) cursor->result = FLAMELET_ERROR_INVALID_ARGUMENT;
}

bool flamelet_span_cursor_next(flamelet_span_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) {
    const Lane& lane = *lane_at(cursor->capture_, cursor->lane_);
    return lane.submitted ? next_submitted_spans(lane, window, cursor) : next_nested_spans(lane, window, cursor);
  });
}

void flamelet_point_cursor_start(flamelet_point_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                 int64_t begin_ns, int64_t end_ns, flamelet_point* points, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, points, capacity, begin_ns, end_ns);
  cursor->points = points;
  cursor->lane_ = lane;
  if (lane_at(capture, lane) == nullptr) cursor->result = FLAMELET_ERROR_INVALID_ARGUMENT;
}

bool flamelet_point_cursor_next(flamelet_point_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) {
    const Lane& lane = *lane_at(cursor->capture_, cursor->lane_);
    return lane.submitted ? next_submitted_points(lane, window, cursor) : next_nested_points(lane, window, cursor);
  });
}

void flamelet_flow_cursor_start(flamelet_flow_cursor* cursor, const flamelet_capture* capture, int64_t begin_ns,
                                int64_t end_ns, flamelet_flow* flows, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, flows, capacity, begin_ns, end_ns);
  cursor->flows = flows;
}

bool flamelet_flow_cursor_next(flamelet_flow_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) { return next_flows(window, cursor); });
}

void flamelet_state_cursor_start(flamelet_state_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                 int64_t begin_ns, int64_t end_ns, flamelet_state* states, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, states, capacity, begin_ns, end_ns);
  cursor->states = states;
  cursor->without_owners = false;
  cursor->lane_ = lane;
  if (lane_at(capture, lane) == nullptr) cursor->result = FLAMELET_ERROR_INVALID_ARGUMENT;
}

bool flamelet_state_cursor_next(flamelet_state_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) { return next_states(window, cursor); });
}

void flamelet_processor_cursor_start(flamelet_processor_cursor* cursor, const flamelet_capture* capture,
                                     int64_t begin_ns, int64_t end_ns, flamelet_processor_run* runs, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, runs, capacity, begin_ns, end_ns);
  cursor->runs = runs;
}

bool flamelet_processor_cursor_next(flamelet_processor_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) { return next_processor_runs(window, cursor); });
}

flamelet_result flamelet_capture_read_spans(const flamelet_capture* capture, size_t position, int64_t begin_ns,
                                            int64_t end_ns, flamelet_span* spans, size_t capacity, size_t* count) {
  const Lane* lane = lane_at(capture, position);
  if (spans == nullptr) capacity = 0;
  if (lane == nullptr) return invalid(count);
  return read_all(capture, begin_ns, end_ns, capacity, count, [&](const Window& window) {
    return lane->submitted ? read_submitted_spans(*capture, *lane, window, spans, capacity)
                           : read_nested_spans(*capture, *lane, window, spans, capacity);
  });
}

flamelet_result flamelet_capture_read_points(const flamelet_capture* capture, size_t position, int64_t begin_ns,
                                             int64_t end_ns, flamelet_point* points, size_t capacity, size_t* count) {
  const Lane* lane = lane_at(capture, position);
  if (points == nullptr) capacity = 0;
  if (lane == nullptr) return invalid(count);
  return read_all(capture, begin_ns, end_ns, capacity, count, [&](const Window& window) {
    return lane->submitted ? read_submitted_points(*capture, *lane, window, points, capacity)
                           : read_nested_points(*capture, *lane, window, points, capacity);
  });
}

size_t flamelet_capture_count_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  size_t count = 0;
  flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, nullptr, 0, &count);
  return count;
}

size_t flamelet_capture_count_points(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  size_t count = 0;
  flamelet_capture_read_points(capture, lane, begin_ns, end_ns, nullptr, 0, &count);
  return count;
}

flamelet_result flamelet_capture_read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                            flamelet_flow* flows, size_t capacity, size_t* count) {
  if (flows == nullptr) capacity = 0;
  if (capture == nullptr) return invalid(count);
  return read_all(capture, begin_ns, end_ns, capacity, count,
                  [&](const Window& window) { return read_flows(*capture, window, flows, capacity); });
}

size_t flamelet_capture_count_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  size_t count = 0;
  flamelet_capture_read_flows(capture, begin_ns, end_ns, nullptr, 0, &count);
  return count;
}

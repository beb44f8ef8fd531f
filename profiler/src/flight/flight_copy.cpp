// SPDX-License-Identifier: MIT
//
// flight_copy.cpp: from a trigger to what is kept. The window is chosen and what changes is copied at once; pages and
// names follow, a piece an update.
#include <string.h>

#include "flight/flight_data.h"

namespace flamelet {
namespace {

struct FrameRange {
  size_t first, last;  // positions
};

// The frames around one, of which the capture has everything.
FrameRange range_around(const flamelet_flight& flight, size_t position) {
  const FrameTable& frames = flight.capture->frames;
  FrameRange range = {position < flight.config.frames_before ? 0 : position - flight.config.frames_before,
                      position + flight.config.frames_after};
  if (range.last >= frames.count()) range.last = frames.count() - 1;
  while (range.first < position && frames.at(range.first).begin_ticks < flight.capture->evicted_ticks) ++range.first;
  return range;
}

uint64_t select(flamelet_flight* flight, FrameRange range) {
  const flamelet_capture& capture = *flight->capture;
  const int64_t begin_ns = capture.converter.to_ns(capture.frames.at(range.first).begin_ticks);
  const int64_t end_ns = capture.converter.to_ns(capture.frames.at(range.last).end_ticks);
  flight->selection.select(capture, begin_ns, end_ns > begin_ns ? end_ns : begin_ns + 1);
  return CaptureWriter::likely_kept_bytes(capture, flight->selection);
}

void describe(const flamelet_flight& flight, FrameRange range, size_t position, flamelet_flight_info* info) {
  const flamelet_capture& capture = *flight.capture;
  const Trigger& trigger = flight.trigger;
  info->id = flight.next_id;
  info->cause = trigger.cause;
  memcpy(info->text, trigger.text, sizeof info->text);
  info->limit_ns = trigger.limit_ns;
  flamelet_capture_frame(&capture, position, &info->frame);
  info->first_frame = capture.frames.at(range.first).index;
  info->last_frame = capture.frames.at(range.last).index;
  info->unix_ns = capture.clock.origin_unix_ns + static_cast<uint64_t>(info->frame.begin_ns);
  if (position - range.first < flight.config.frames_before) info->flags |= FLAMELET_FLIGHT_CUT;
}

}  // namespace

void begin_copy(flamelet_flight* flight) {
  const flamelet_capture& capture = *flight->capture;
  const size_t position = capture.frames.find(flight->trigger.frame);
  if (position == SIZE_MAX) {
    ++flight->stats.given_up;
    begin_next(flight);
    return;
  }
  FrameRange range = range_around(*flight, position);
  uint64_t bytes = select(flight, range);
  while (bytes > flight->store.capacity_bytes() / 2 && (range.first < position || range.last > position)) {
    if (range.first < position)
      range.first += (position - range.first + 1) / 2;
    else
      range.last = position;
    bytes = select(flight, range);
  }
  flight->copied = bytes > flight->store.capacity_bytes() / 2 ? nullptr : flight->store.begin(bytes);
  if (flight->copied == nullptr) {
    ++flight->stats.skipped_memory;
    begin_next(flight);
    return;
  }
  describe(*flight, range, position, &flight->copied->info);
  const auto append = [](void* store, const void* from, size_t size) {
    return static_cast<FlightStore*>(store)->append(from, size);
  };
  flight->writer =
      CaptureWriter(&capture, &flight->selection, flight->buffer, {append, &flight->store}, PageForm::kKept);
  TriggerEntry entry = {
      flight->trigger.frame, static_cast<double>(flight->trigger.limit_ns) / 1e6, flight->trigger.cause, 0, {}};
  memcpy(entry.text, flight->trigger.text, sizeof entry.text);
  flight->writer.begin(&entry);
  flight->state = FlightState::kCopies;
}

void continue_copy(flamelet_flight* flight, size_t bytes) {
  if (flight->writer.step(bytes)) return;
  if (!flight->writer.good()) {
    flight->store.abandon();
    flight->copied = nullptr;
    ++flight->stats.skipped_memory;
    begin_next(flight);
    return;
  }
  flight->copied->info.bytes = flight->writer.file_bytes();
  flight->stats.pages_missed += flight->writer.pages_missed();
  if (flight->writer.pages_missed() != 0) flight->copied->info.flags |= FLAMELET_FLIGHT_MISSED;
  flight->copied->to_be_written = flight->files.wanted();
  flight->store.finish();
  flight->copied = nullptr;
  ++flight->next_id;
  ++flight->stats.kept;
  begin_next(flight);
}

void begin_next(flamelet_flight* flight) {
  flight->state = flight->has_next ? FlightState::kWaits : FlightState::kReady;
  if (flight->has_next) flight->trigger = flight->next;
  flight->has_next = false;
}

}  // namespace flamelet

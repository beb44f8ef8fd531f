// SPDX-License-Identifier: MIT
//
// flight_triggers.cpp: which of the new frames are kept.
#include <string.h>

#include "flight/flight_data.h"

namespace flamelet {
namespace {

Trigger make_trigger(flamelet_flight_cause cause, uint64_t frame, int64_t limit_ns = 0) {
  Trigger trigger = {};
  trigger.cause = cause;
  trigger.frame = frame;
  trigger.limit_ns = limit_ns;
  return trigger;
}

// Whether a frame is slow, by itself or by one of its scopes.
bool is_slow(flamelet_flight* flight, const Frame& frame, int64_t duration_ns, Trigger* trigger) {
  const flamelet_flight_config& config = flight->config;
  const int64_t median_ns = flight->median.median_ns();
  flight->median.add(duration_ns);
  if (const ScopeBudgets::Budget* over = flight->budgets.most_over(*flight->capture, frame)) {
    *trigger = make_trigger(FLAMELET_FLIGHT_SCOPE_BUDGET, frame.index, over->budget_ns);
    copy_text(trigger->text, over->name);
    return true;
  }
  if (config.frame_budget_ns > 0 && duration_ns > config.frame_budget_ns) {
    *trigger = make_trigger(FLAMELET_FLIGHT_FRAME_BUDGET, frame.index, config.frame_budget_ns);
    return true;
  }
  const double limit_ns = static_cast<double>(median_ns) * config.median_factor;
  if (limit_ns > 0 && static_cast<double>(duration_ns) > limit_ns) {
    *trigger = make_trigger(FLAMELET_FLIGHT_FRAME_MEDIAN, frame.index, static_cast<int64_t>(limit_ns));
    return true;
  }
  return false;
}

constexpr uint64_t kMostGpuLag = 8;  // frames that a GPU's results are waited for

// Whether one of the queue's newest results is from after this time. (The times of its words are those of submission.)
bool queue_is_known(const flamelet_capture& capture, const Lane& lane, uint64_t until_ticks) {
  constexpr int kMostPages = 4;
  const PageStore& pages = capture.pages;
  PageId id = lane.pages.newest;
  for (int i = 0; i < kMostPages && pages.holds(id); ++i, id = pages.info(id).previous)
    if (pages.info(id).high_ticks >= until_ticks) return true;
  return false;
}

bool gpu_is_known(const flamelet_capture& capture, uint64_t until_ticks) {
  for (uint32_t i = 0; i < capture.lanes.count(); ++i) {
    const Lane& lane = capture.lanes[i];
    if (lane.kind == FLAMELET_LANE_GPU && lane.alive && !queue_is_known(capture, lane, until_ticks)) return false;
  }
  return true;
}

// What does not belong to a frame goes with the newest one.
bool is_in_trouble(flamelet_flight* flight, uint64_t frame, Trigger* trigger) {
  const flamelet_capture& capture = *flight->capture;
  const bool lost = capture.counts.events_lost > flight->last_lost;
  flight->last_lost = capture.counts.events_lost;
  if (lost && flight->config.loss) {
    *trigger = make_trigger(FLAMELET_FLIGHT_LOSS, frame);
    return true;
  }
  RingSize ring;
  get_ring_size(&ring);
  const uint32_t held = capture.pages.capacity();
  const uint32_t pages = ring.pages != 0 && ring.pages < held ? ring.pages : held;
  if (flight->config.ring_share > 0 && static_cast<double>(flight->new_pages) > flight->config.ring_share * pages) {
    *trigger = make_trigger(FLAMELET_FLIGHT_MEMORY, frame);
    return true;
  }
  return false;
}

// The frame in which the game asked for it, once that is complete.
bool is_called(flamelet_flight* flight, Trigger* trigger) {
  const FrameTable& frames = flight->capture->frames;
  const TriggerBox::Call* call = flight->box.get();
  if (call == nullptr) return false;
  const auto sessions_ahead = static_cast<int32_t>(call->session - flight->session);
  if (sessions_ahead < 0) {  // before the recorder was restarted: its frame will not come
    ++flight->stats.triggers;
    ++flight->stats.given_up;
    flight->box.taken();
    return false;
  }
  if (sessions_ahead > 0 || frames.count() == 0 || frames.at(frames.count() - 1).end_ticks <= call->ticks) return false;
  size_t position = frames.find_at(call->ticks);
  if (position == SIZE_MAX) position = frames.count() - 1;
  *trigger = make_trigger(FLAMELET_FLIGHT_CALL, frames.at(position).index);
  memcpy(trigger->text, call->text, sizeof trigger->text);
  flight->box.taken();
  return true;
}

// The longest of the slow frames that would be kept together is the one to look at. What the game asked for stays.
bool takes_over(const flamelet_flight& flight, const Trigger& trigger) {
  return flight.state == FlightState::kWaits && trigger.cause != FLAMELET_FLIGHT_CALL &&
         flight.trigger.cause != FLAMELET_FLIGHT_CALL;
}

// Begins with a trigger, or lets it wait for its turn. False, counted: there is no place for it.
bool take(flamelet_flight* flight, const Trigger& trigger, bool is_longer) {
  flamelet_flight_stats& stats = flight->stats;
  const bool is_busy = flight->state != FlightState::kReady;
  if (is_busy && (!is_longer || trigger.cause == FLAMELET_FLIGHT_CALL)) {
    ++stats.skipped_busy;
    return false;
  }
  if (is_longer && takes_over(*flight, trigger)) {
    ++stats.skipped_busy;  // the one before
    flight->trigger = trigger;
    return true;
  }
  if (flight->next_id + (is_busy ? 1 : 0) > flight->config.max_triggers) {
    ++stats.skipped_limit;
    return false;
  }
  if (flight->has_next) ++stats.skipped_busy;  // that one: this one is longer
  flight->has_next = true;
  flight->next = trigger;
  if (!is_busy) begin_next(flight);
  return true;
}

void consider(flamelet_flight* flight, const Trigger& trigger) {
  const FrameTable& frames = flight->capture->frames;
  const size_t position = frames.find(trigger.frame);
  ++flight->stats.triggers;
  if (position == SIZE_MAX) {
    ++flight->stats.given_up;
    return;
  }
  const Frame& frame = frames.at(position);
  const TickConverter& converter = flight->capture->converter;
  const uint64_t length = frame.end_ticks - frame.begin_ticks;
  const bool is_longer = length > flight->newest_ticks;
  const bool is_dead_time = converter.to_ns(frame.begin_ticks) < flight->dead_until_ns;
  if (is_dead_time && (!is_longer || trigger.cause == FLAMELET_FLIGHT_CALL)) {
    ++flight->stats.skipped_dead_time;
  } else if (take(flight, trigger, is_longer)) {
    flight->newest_ticks = length;
    flight->dead_until_ns = converter.to_ns(frame.end_ticks) + static_cast<int64_t>(flight->config.dead_time_ms * 1e6);
  }
}

// Scopes of GPU queues, frame by frame as their results come in.
void watch_gpu(flamelet_flight* flight) {
  const FrameTable& frames = flight->capture->frames;
  size_t position = frames.count();
  while (position > 0 && frames.at(position - 1).index > flight->last_gpu_frame) --position;
  for (; position < frames.count(); ++position) {
    const Frame& frame = frames.at(position);
    if (flight->last_frame - frame.index < kMostGpuLag && !gpu_is_known(*flight->capture, frame.end_ticks)) return;
    flight->last_gpu_frame = frame.index;
    if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0) continue;
    const ScopeBudgets::Budget* over = flight->budgets.most_over_on_gpu(*flight->capture, frame);
    if (over == nullptr) continue;
    Trigger trigger = make_trigger(FLAMELET_FLIGHT_SCOPE_BUDGET, frame.index, over->budget_ns);
    copy_text(trigger.text, over->name);
    consider(flight, trigger);
  }
}

}  // namespace

void watch(flamelet_flight* flight) {
  const FrameTable& frames = flight->capture->frames;
  Trigger trigger;
  // A call first: of one frame's causes, the first is kept.
  if (is_called(flight, &trigger)) consider(flight, trigger);
  if (frames.count() == 0 || (flight->has_frame && frames.at(frames.count() - 1).index == flight->last_frame)) return;
  size_t position = frames.count();
  while (position > 0 && (!flight->has_frame || frames.at(position - 1).index > flight->last_frame)) --position;
  for (; position < frames.count(); ++position) {
    const Frame& frame = frames.at(position);
    if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0) continue;
    const TickConverter& converter = flight->capture->converter;
    const int64_t duration_ns = converter.to_ns(frame.end_ticks) - converter.to_ns(frame.begin_ticks);
    if (is_slow(flight, frame, duration_ns, &trigger)) consider(flight, trigger);
  }
  flight->has_frame = true;
  flight->last_frame = frames.at(frames.count() - 1).index;
  watch_gpu(flight);
  if (is_in_trouble(flight, flight->last_frame, &trigger)) consider(flight, trigger);
}

}  // namespace flamelet

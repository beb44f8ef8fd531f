// SPDX-License-Identifier: MIT
//
// explain.cpp: the calls of explain.h: memory, which frames are read, and the answer put together.
#include "flamelet/explain.h"

#include <string.h>

#include <algorithm>
#include <new>

#include "evidence.h"
#include "platform/engine_memory.h"

using namespace flamelet;
using namespace flamelet::explain;

namespace {

constexpr uint32_t kExplainCookie = 0xF1A3E5B7;

bool is_valid(const flamelet_explain_config& config) {
  const auto in = [](uint32_t value, uint32_t least, uint32_t most) { return value >= least && value <= most; };
  constexpr uint32_t kMost = 1u << 24;
  return config.cookie == kExplainCookie && in(config.baseline_frames, 1, 4096) && in(config.max_spans, 1, kMost) &&
         in(config.max_flows, 1, kMost) && in(config.max_lanes, 1, 1u << 16) && in(config.max_paths, 2, kMost) &&
         in(config.max_samples, 1, kMost) && in(config.max_pieces, 1, kMost) && config.tolerance_ns >= 0 &&
         config.tolerance_ns <= 1000000000 && config.budget_ns >= 0;
}

constexpr size_t kExplainAlignment = alignof(flamelet_explain);

// Without a base it only measures.
size_t lay_out(const flamelet_explain_config& config, char* base, flamelet_explain** explain) {
  Carver carver(base);
  auto* at = carver.take<flamelet_explain>(1);
  flamelet_explain measured;
  flamelet_explain& made = base == nullptr ? measured : *new (at) flamelet_explain();
  made.config = config;
  made.lanes.lay_out(&carver, config);
  made.path.lay_out(&carver, config);
  made.baseline.lay_out(&carver, config);
  auto* call_paths = carver.take<flamelet_explain_scope>(config.max_paths);
  auto* slots = carver.take<uint32_t>(HashIndex::slots_for(config.max_paths));
  made.first_child = carver.take<uint32_t>(config.max_paths);
  made.next_sibling = carver.take<uint32_t>(config.max_paths);
  made.items = carver.take<CursorItems>(1);
  if (base != nullptr) {
    made.paths.attach(call_paths, config.max_paths, slots);
    *explain = &made;
  }
  return carver.used();
}

// Notes for how much of each piece its thread was taken off its processor, as far as states of threads tell.
void note_taken_off(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_frame_info& frame) {
  constexpr uint32_t kMostLanes = 64;
  const flamelet_piece *const pieces = explain->path.pieces(), *const end = pieces + explain->path.piece_count();
  uint64_t met = 0;  // lanes
  for (const flamelet_piece* first = pieces; first != end; ++first) {
    const uint32_t lane = first->lane;
    if (lane >= kMostLanes || (met >> lane & 1) != 0 || explain->lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
    met |= uint64_t{1} << lane;
    flamelet_state_cursor cursor;
    flamelet_state_cursor_start(&cursor, capture, lane, first->begin_ns, frame.end_ns, explain->items->states,
                                FLAMELET_CURSOR_LEAST);
    const flamelet_piece* piece = first;
    while (flamelet_state_cursor_next(&cursor)) {
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_state& state = explain->items->states[i];
        if (state.kind != FLAMELET_STATE_TAKEN_OFF) continue;
        while (piece != end && piece->end_ns <= state.begin_ns) ++piece;
        for (const flamelet_piece* at = piece; at != end && at->begin_ns < state.end_ns; ++at)
          if (at->lane == lane)
            explain->path.note_off(*at, std::min(at->end_ns, state.end_ns) - std::max(at->begin_ns, state.begin_ns));
      }
    }
  }
}

// Walks one frame. False if there is nobody to walk on.
bool walk(flamelet_explain* explain, const flamelet_capture* capture, uint32_t main_lane, size_t position,
          const flamelet_frame_info& frame, bool learns) {
  explain->lanes.start(capture, frame.begin_ns, frame.end_ns);
  if (main_lane == kNoIndex || frame.end_ns - frame.begin_ns > kLongestFrame) return false;
  explain->path.walk(main_lane, position, frame, learns);
  note_taken_off(explain, capture, frame);
  note_lost_time(explain, capture, position);
  explain->path.sort();
  return true;
}

bool has_room(const flamelet_explain& explain) {
  return explain.lanes.is_whole() && explain.path.is_whole() && !explain.paths.is_full();
}

void read_frame(flamelet_explain* explain, const flamelet_capture* capture, size_t position, bool learns) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame)) return;
  const uint32_t main_lane = find_main_lane(explain, capture, position);
  if (!walk(explain, capture, main_lane, position, frame, learns)) return;
  explain->baseline.add(frame, frame.flags == 0 && has_room(*explain), explain->path);
}

// Neither partial nor lossy: such frames are no baseline.
bool is_whole(const flamelet_capture* capture, size_t position) {
  flamelet_frame_info frame;
  return flamelet_capture_frame(capture, position, &frame) && frame.flags == 0;
}

// Reads a whole frame into the baseline, unless it is there. Returns whether it had to.
bool read_new_frame(flamelet_explain* explain, const flamelet_capture* capture, size_t position, bool learns) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame) || frame.flags != 0 ||
      explain->baseline.find(frame.index) != nullptr)
    return false;
  read_frame(explain, capture, position, learns);
  return true;
}

// Reads it again, if less was known then of who wakes whom.
void read_old_frame(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame)) return;
  const KnownFrame* const known = explain->baseline.find(frame.index);
  if (known == nullptr || known->version == explain->path.version()) return;
  explain->baseline.forget(frame.index);
  read_frame(explain, capture, position, false);
}

// Dynamic names make new paths for as long as the program runs. A table that is nearly full is begun anew.
void make_room(flamelet_explain* explain) {
  if (explain->paths.count() > explain->config.max_paths / 4 * 3) flamelet_explain_clear(explain);
}

uint32_t flags_of(const flamelet_frame_info& frame) {
  return ((frame.flags & FLAMELET_FRAME_LOSSY) != 0 ? uint32_t{FLAMELET_EXPLAIN_LOSSY} : 0) |
         ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0 ? uint32_t{FLAMELET_EXPLAIN_PARTIAL} : 0);
}

flamelet_result begin_answer(flamelet_explain* explain, const flamelet_capture* capture, size_t position,
                             flamelet_explanation* why) {
  if (why != nullptr) *why = {};
  if (explain == nullptr || capture == nullptr || why == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  why->growth_path = why->period_path = FLAMELET_NO_PATH;
  if (!flamelet_capture_frame(capture, position, &why->frame)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  make_room(explain);
  why->flags = flags_of(why->frame);
  return FLAMELET_OK;
}

// Against the known frames in [first_index, end_index).
void answer(flamelet_explain* explain, const flamelet_capture* capture, size_t position, uint64_t first_index,
            uint64_t end_index, flamelet_explanation* why) {
  const uint32_t main_lane = why->main_lane = find_main_lane(explain, capture, position);
  if (!walk(explain, capture, main_lane, position, why->frame, false)) {
    why->flags |= FLAMELET_EXPLAIN_NO_MAIN_THREAD;
    if (main_lane == kNoIndex && why->frame.thread != 0 && explain->config.main_lane == FLAMELET_EXPLAIN_GUESS_LANE)
      why->flags |= FLAMELET_EXPLAIN_SILENT_MARKER;
    return;
  }
  if (!has_room(*explain)) why->flags |= FLAMELET_EXPLAIN_OVER_LIMITS;
  why->baseline_frames = explain->baseline.pick(first_index, end_index, why->frame.index);
  why->baseline_range = explain->baseline.range_before(end_index);
  if (explain->baseline.pick_every_second(why->frame.index, &why->baseline_frames))
    why->flags |= FLAMELET_EXPLAIN_IN_TURN;
  if (why->baseline_frames < FLAMELET_EXPLAIN_MIN_BASELINE) why->flags |= FLAMELET_EXPLAIN_LITTLE_BASELINE;
  const Usual usual = explain->baseline.durations();
  const int64_t duration_ns = why->frame.end_ns - why->frame.begin_ns;
  why->usual_ns = static_cast<int64_t>(usual.middle);
  why->spread_ns = static_cast<int64_t>(usual.spread);
  why->surplus_ns = why->baseline_frames == 0 ? 0 : duration_ns - why->usual_ns;
  why->nearly_all_ns = explain->baseline.nearly_all();
  explain->usual_limit_ns = why->limit_ns = explain->baseline.longest_usual(usual, why->nearly_all_ns);
  if (why->baseline_frames != 0 && duration_ns > explain->usual_limit_ns) why->flags |= FLAMELET_EXPLAIN_UNUSUAL;
  const int64_t budget_ns = explain->config.budget_ns;
  if (budget_ns != 0 && duration_ns > budget_ns) why->flags |= FLAMELET_EXPLAIN_OVER_BUDGET;
  why->pieces = explain->path.pieces();
  why->piece_count = explain->path.piece_count();
  find_causes(explain, capture, usual, why);
  note_time(explain, capture, position, why);
}

}  // namespace

flamelet_explain_config flamelet_explain_config_default(void) {
  flamelet_explain_config config = {};
  config.cookie = kExplainCookie;
  config.baseline_frames = 240;
  config.max_spans = 65536;
  config.max_flows = 16384;
  config.max_lanes = 1024;
  config.max_paths = 4096;
  config.max_samples = 131072;
  config.max_pieces = 65536;
  config.tolerance_ns = 50000;
  config.main_lane = FLAMELET_EXPLAIN_GUESS_LANE;
  return config;
}

size_t flamelet_explain_memory_required(const flamelet_explain_config* config) {
  return config != nullptr && is_valid(*config) ? lay_out(*config, nullptr, nullptr) + kExplainAlignment - 1 : 0;
}

flamelet_result flamelet_explain_create(const flamelet_explain_config* config, void* memory, size_t memory_bytes,
                                        flamelet_explain** explain) {
  const flamelet_result checked = check_memory(flamelet_explain_memory_required(config), memory, memory_bytes, explain);
  if (checked != FLAMELET_OK) return checked;
  lay_out(*config, aligned_start(memory, kExplainAlignment), explain);
  flamelet_explain_clear(*explain);
  return FLAMELET_OK;
}

void flamelet_explain_clear(flamelet_explain* explain) {
  if (explain == nullptr) return;
  explain->knows_main = false;
  explain->paths.clear();
  explain->lanes.forget_sites();
  explain->path.clear();
  explain->baseline.clear();
  explain->next_sample_events = 0;
}

flamelet_result flamelet_explain_frame_against(flamelet_explain* explain, const flamelet_capture* capture,
                                               size_t position, size_t first, size_t count, flamelet_explanation* why) {
  const flamelet_result begun = begin_answer(explain, capture, position, why);
  if (begun != FLAMELET_OK) return begun;
  const size_t held = flamelet_capture_frame_count(capture);
  first = std::min(first, held);
  size_t end = first;  // behind the last one that there is room for
  for (size_t whole = 0; end < held && end - first < count; ++end) {
    if (!is_whole(capture, end)) continue;
    if (++whole > size_t{2} * explain->config.baseline_frames) break;
    if (first <= position && end > position) why->flags |= FLAMELET_EXPLAIN_AROUND;
  }
  count = end - first;
  for (size_t i = first; i < first + count; ++i)
    if (i != position) read_new_frame(explain, capture, i, true);
  for (size_t i = first; i < first + count; ++i)
    if (i != position) read_old_frame(explain, capture, i);
  // Frames that were there may have given way to those that were read.
  bool has_read = true;
  for (int times = 0; has_read && times < 2; ++times) {
    has_read = false;
    for (size_t i = first; i < first + count; ++i)
      has_read = (i != position && read_new_frame(explain, capture, i, false)) || has_read;
  }
  flamelet_frame_info begin = {}, last = {};
  if (count != 0) {
    flamelet_capture_frame(capture, first, &begin);
    flamelet_capture_frame(capture, end - 1, &last);
  }
  answer(explain, capture, position, begin.index, count == 0 ? 0 : last.index + 1, why);
  return FLAMELET_OK;
}

void flamelet_explain_baseline(const flamelet_explain* explain, const flamelet_capture* capture, size_t position,
                               size_t from, size_t end, size_t* first, size_t* count) {
  if (first == nullptr || count == nullptr) return;
  *first = *count = 0;
  end = std::min(end, flamelet_capture_frame_count(capture));
  if (explain == nullptr || position >= end || from > position) return;
  const size_t most = explain->config.baseline_frames;
  *first = position - std::min(position - from, most);
  size_t whole = 0, behind = position;
  for (size_t i = *first; i < position; ++i) whole += is_whole(capture, i);
  if (whole < std::min<size_t>(most, FLAMELET_EXPLAIN_MIN_BASELINE)) {
    while (++behind < end && whole < most) whole += is_whole(capture, behind);
    while (*first > from && whole < most) whole += is_whole(capture, --*first);
  }
  *count = behind - *first;
}

flamelet_result flamelet_explain_frame(flamelet_explain* explain, const flamelet_capture* capture, size_t position,
                                       flamelet_explanation* why) {
  size_t first = 0, count = 0;
  flamelet_explain_baseline(explain, capture, position, 0, SIZE_MAX, &first, &count);
  return flamelet_explain_frame_against(explain, capture, position, first, count, why);
}

flamelet_result flamelet_explain_hitch(flamelet_explain* explain, const flamelet_flight* flight, size_t position,
                                       flamelet_capture** capture, flamelet_explanation* why) {
  if (capture != nullptr) *capture = nullptr;
  if (why != nullptr) *why = {};
  flamelet_flight_info info;
  if (explain == nullptr || capture == nullptr || why == nullptr || !flamelet_flight_get(flight, position, &info))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_result opened = flamelet_flight_open(flight, info.id, nullptr, capture);
  if (opened != FLAMELET_OK) return opened;
  flamelet_explain_clear(explain);
  return flamelet_explain_frame(explain, *capture, flamelet_capture_find_frame(*capture, info.frame.index), why);
}

flamelet_result flamelet_explain_frame_sampled(flamelet_explain* explain, const flamelet_capture* capture,
                                               size_t position, flamelet_explanation* why) {
  const flamelet_result begun = begin_answer(explain, capture, position, why);
  if (begun != FLAMELET_OK) return begun;
  why->flags |= FLAMELET_EXPLAIN_SAMPLED;
  answer(explain, capture, position, 0, why->frame.index, why);
  return FLAMELET_OK;
}

void flamelet_explain_update(flamelet_explain* explain, const flamelet_capture* capture) {
  if (explain == nullptr || capture == nullptr) return;
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  const size_t held = flamelet_capture_frame_count(capture);
  if (stats.events_read < explain->next_sample_events || held == 0) return;
  make_room(explain);
  read_new_frame(explain, capture, held - 1, true);
  // To read a scope takes up to 20 times as long as to take in its two events (bench/explain_bench.cpp). The distance varies
  // by a half, so that it does not keep step with what a game does every so many frames.
  constexpr uint64_t kReadingCost = 20, kShare = 20;  // a twentieth
  explain->random = explain->random * 1664525u + 1013904223u;
  const uint64_t events = 2 * uint64_t{explain->lanes.span_count()} + 16;
  const uint64_t distance = events * kReadingCost * kShare;
  explain->next_sample_events = stats.events_read + distance / 2 + (distance * (explain->random >> 16) >> 16);
}

void flamelet_explain_read_frame(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  if (explain == nullptr || capture == nullptr) return;
  make_room(explain);
  read_new_frame(explain, capture, position, true);
}

bool flamelet_explain_path(const flamelet_explain* explain, uint32_t path, flamelet_explain_scope* info) {
  if (explain == nullptr || info == nullptr || path >= explain->paths.count()) return false;
  *info = explain->paths[path];
  return true;
}

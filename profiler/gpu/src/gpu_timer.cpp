// SPDX-License-Identifier: MIT
#include "gpu_timer.h"

#include <cstring>

namespace flamelet {
namespace {

// OpenGL guarantees 64 nested groups. Half of them are left to the program.
constexpr uint32_t kMaxDebugGroups = 32;
// Reads of both clocks for one calibration; the one that took the shortest counts.
constexpr int kCalibrationReads = 5;
// How far a time may lie outside its bounds. Covers a tick rate that is not final yet; what is worse is no time.
constexpr int64_t kToleranceNs = 100'000'000;

}  // namespace

GpuTimer::GpuTimer(const flamelet_gpu_opengl_config& config, const GlFunctions& gl, void* arrays)
    : config_(config), gl_(gl), clock_(gl.counter_bits) {
  scopes_ = static_cast<ScopeInFlight*>(arrays);
  frames_ = reinterpret_cast<FrameInFlight*>(scopes_ + config.max_scopes);
  for (uint32_t i = 0; i < config.max_scopes; ++i) {
    gl_.gen_queries(1, &scopes_[i].begin_query);
    gl_.gen_queries(1, &scopes_[i].end_query);
  }
}

void GpuTimer::delete_queries() {
  while (open_count_ > 0) end_top();  // the program's debug groups go on
  for (uint32_t i = 0; i < config_.max_scopes; ++i) {
    gl_.delete_queries(1, &scopes_[i].begin_query);
    gl_.delete_queries(1, &scopes_[i].end_query);
  }
}

bool GpuTimer::open_track() {
  track_ = flamelet_track_create(config_.name, FLAMELET_TRACK_GPU, 1e9);
  if (track_ == 0) return false;
  calibrate();
  return true;
}

void GpuTimer::begin(flamelet_id id, const char* name, const char* category) {
  if (open_count_ == FLAMELET_MAX_DEPTH) {
    ++counts_.dropped_depth;
    return;
  }
  OpenScope& open = open_[open_count_];
  open = {id, kNoSequence, false};
  const char* kept_name = flamelet_intern(name);
  if (gl_.push_debug_group != nullptr && open_count_ < kMaxDebugGroups) {
    const size_t length = std::strlen(kept_name);
    const size_t limit = static_cast<size_t>(gl_.max_debug_name_length);
    gl_.push_debug_group(kGlDebugSourceApplication, 0, static_cast<int32_t>(length < limit ? length : limit),
                         kept_name);
    open.debug_group = true;
  }
  ++open_count_;
  if (next_scope_ - first_scope_ == config_.max_scopes) {
    ++counts_.dropped_pool;
    return;
  }
  if (next_scope_ == frame_first_scope_) frame_begin_ticks_ = flamelet_now_ticks();
  open.sequence = next_scope_++;
  ScopeInFlight& begun = scope(open.sequence);
  begun.id = id;
  begun.name = kept_name;
  begun.category = category == nullptr ? nullptr : flamelet_intern(category);
  gl_.query_counter(begun.begin_query, kGlTimestamp);
}

void GpuTimer::end_top() {
  const OpenScope& open = open_[--open_count_];
  if (open.sequence != kNoSequence) gl_.query_counter(scope(open.sequence).end_query, kGlTimestamp);
  if (open.debug_group) gl_.pop_debug_group();
}

void GpuTimer::end(flamelet_id id) {
  uint32_t position = open_count_;
  while (position > 0 && open_[position - 1].id != id) --position;
  if (position == 0) {
    ++counts_.extra_ends;
    return;
  }
  counts_.missing_ends += open_count_ - position;
  while (open_count_ >= position) end_top();
}

void GpuTimer::frame() {
  counts_.missing_ends += open_count_;
  while (open_count_ > 0) end_top();

  fetch_frames();
  if (next_scope_ != frame_first_scope_) {
    if (next_frame_ - oldest_frame_ == config_.max_frames) give_up_oldest_frame();
    frames_[next_frame_++ % config_.max_frames] = {next_scope_, frame_first_scope_, frame_begin_ticks_, frame_index_};
    frame_first_scope_ = next_scope_;
  }
  ++frame_index_;

  const double since_ns = static_cast<double>(flamelet_now_ticks() - clock_.ticks()) * clock_.ns_per_tick();
  if (calibration_is_due_ || since_ns >= static_cast<double>(config_.calibration_interval_ns)) calibrate();
}

void GpuTimer::calibrate() {
  // Without a recorder nothing can be placed, and what is in flight will not be taken either.
  const double ticks_per_second = flamelet_clock_info().ticks_per_second;
  if (!(ticks_per_second > 0)) return;
  uint64_t best_span = UINT64_MAX, best_ticks = 0, best_raw = 0;
  for (int i = 0; i < kCalibrationReads; ++i) {
    int64_t raw = 0;
    const uint64_t before = flamelet_now_ticks();
    gl_.get_integer_64(kGlTimestamp, &raw);
    const uint64_t span = flamelet_now_ticks() - before;
    if (span >= best_span) continue;
    best_span = span;
    best_ticks = before + span / 2;
    best_raw = static_cast<uint64_t>(raw);
  }
  counts_.calibration_drift_ns = clock_.calibrate(best_raw, best_ticks, ticks_per_second);
  counts_.calibration_error_ns = static_cast<int64_t>(static_cast<double>(best_span) / 2 * clock_.ns_per_tick());
  ++counts_.calibrations;
  calibration_is_due_ = false;
  flamelet_track_calibrate(track_, clock_.gpu_ns(), clock_.ticks());
}

// ---- Results

bool GpuTimer::fetch(uint32_t query, uint64_t* raw) {
  uint32_t available = 0;
  gl_.get_query_object_u32(query, kGlQueryResultAvailable, &available);
  if (available == 0) return false;
  *raw = 0;
  gl_.get_query_object_u64(query, kGlQueryResult, raw);
  return true;
}

bool GpuTimer::fetch(ScopeInFlight* scope) {
  // The end first: it is the later one, and most often what is missing.
  return fetch(scope->end_query, &scope->end_raw) && fetch(scope->begin_query, &scope->begin_raw);
}

void GpuTimer::fetch_frames() {
  while (oldest_frame_ != next_frame_) {
    FrameInFlight& frame = oldest_frame();
    while (frame.fetched_end != frame.scopes_end && fetch(&scope(frame.fetched_end))) ++frame.fetched_end;
    if (frame.fetched_end != frame.scopes_end) return;
    release_oldest_frame();
  }
}

// Takes what is there of a frame whose results have not all come.
void GpuTimer::give_up_oldest_frame() {
  FrameInFlight& frame = oldest_frame();
  for (uint64_t sequence = frame.fetched_end; sequence != frame.scopes_end; ++sequence) {
    if (fetch(&scope(sequence))) continue;
    scope(sequence).id = 0;
    ++counts_.dropped_late;
  }
  release_oldest_frame();
}

void GpuTimer::release_oldest_frame() {
  const FrameInFlight& frame = oldest_frame();
  const uint64_t frame_begin_ns = clock_.predict(frame.begin_ticks);
  const uint64_t now_ns = clock_.predict(flamelet_now_ticks());
  for (; first_scope_ != frame.scopes_end; ++first_scope_)
    if (scope(first_scope_).id != 0) submit_scope(scope(first_scope_), frame_begin_ns, now_ns);
  submit_events();
  counts_.lag_frames = static_cast<uint32_t>(frame_index_ - frame.index);
  ++oldest_frame_;
}

void GpuTimer::submit_scope(const ScopeInFlight& scope, uint64_t frame_begin_ns, uint64_t now_ns) {
  const uint64_t begin_ns = clock_.extend(scope.begin_raw, frame_begin_ns);
  const uint64_t end_ns = clock_.extend(scope.end_raw, begin_ns);
  // Differences, because a line of 64 bits is a circle, too.
  const bool is_valid = scope.begin_raw != 0 && scope.end_raw != 0 && static_cast<int64_t>(end_ns - begin_ns) >= 0 &&
                        static_cast<int64_t>(begin_ns - frame_begin_ns) >= -kToleranceNs &&
                        static_cast<int64_t>(end_ns - now_ns) <= kToleranceNs;
  if (!is_valid) {
    ++counts_.dropped_invalid;
    calibration_is_due_ = true;  // the clock may have jumped
    return;
  }
  if (event_count_ == kSubmitEvents) submit_events();
  flamelet_event* event = &events_[event_count_];
  event_count_ += 2;
  const uint16_t pair = 0;
  event[0] = {begin_ns, scope.id, scope.name, scope.category, nullptr, 0, 'B', false, pair};
  event[1] = {end_ns, scope.id, scope.name, scope.category, nullptr, 0, 'E', false, pair};
}

void GpuTimer::submit_events() {
  if (event_count_ == 0) return;
  const size_t recorded = flamelet_submit(track_, events_, event_count_);
  counts_.scopes_submitted += recorded / 2;
  counts_.dropped_recorder += (event_count_ - recorded) / 2;
  event_count_ = 0;
}

void GpuTimer::get_stats(flamelet_gpu_opengl_stats* stats) const {
  *stats = counts_;
  stats->memory_bytes = bytes();
  stats->track = track_;
  stats->counter_bits = gl_.counter_bits;
  stats->queries_limit = 2 * config_.max_scopes;
  for (uint32_t i = 0; i < open_count_; ++i) stats->scopes_open += open_[i].sequence != kNoSequence;
  const uint32_t scopes = static_cast<uint32_t>(next_scope_ - first_scope_);
  stats->scopes_in_flight = scopes - stats->scopes_open;
  stats->queries_in_flight = 2 * scopes - stats->scopes_open;
  stats->frames_in_flight = static_cast<uint32_t>(next_frame_ - oldest_frame_);
}

}  // namespace flamelet

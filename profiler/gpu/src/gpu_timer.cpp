// SPDX-License-Identifier: MIT
#include "gpu_timer.h"

#include <cstddef>
#include <cstring>
#include <new>

#include "flamelet/detail/on_top.h"
#include "flamelet/gpu.h"
#include "flamelet/gpu_backend.h"
#include "platform/engine_memory.h"

namespace flamelet {

// ---- gpu clock

uint64_t GpuClock::predict(uint64_t recorder_ticks) const {
  const bool later = recorder_ticks >= recorder_ticks_;
  const uint64_t since = later ? recorder_ticks - recorder_ticks_ : recorder_ticks_ - recorder_ticks;
  const double distance = static_cast<double>(since) * (rate_ / recorder_rate_);
  // Beyond 2^62 ticks a clock is broken, and the conversion undefined.
  const uint64_t whole = distance < 0x1p62 ? static_cast<uint64_t>(distance) : uint64_t{1} << 62;
  return later ? gpu_ticks_ + whole : gpu_ticks_ - whole;
}

int64_t GpuClock::calibrate(uint64_t raw, uint64_t recorder_ticks, double recorder_rate) {
  const bool first = recorder_rate_ == 0;
  recorder_rate_ = recorder_rate;
  const uint64_t predicted = first ? raw : predict(recorder_ticks);
  gpu_ticks_ = extend(raw, predicted);
  recorder_ticks_ = recorder_ticks;
  return static_cast<int64_t>(gpu_ticks_ - predicted);
}

namespace {

// Reads of both clocks for one calibration; the one that took the shortest counts.
constexpr int kCalibrationReads = 5;
// While the calibrations do not help.
constexpr int64_t kTriesInInterval = 8;
// Clocks drift apart by less; and reads that are as exact as that are good enough.
constexpr double kMaxDrift = 1e-4;
constexpr double kMinErrorNs = 1000;
// How far a time may lie outside its bounds. Covers a tick rate that is not final yet; what is worse is no time.
constexpr double kToleranceSeconds = 0.1;

}  // namespace

GpuTimer::GpuTimer(const flamelet_gpu_config& config, const flamelet_gpu_backend& backend,
                   const flamelet_gpu_clock& clock, ScopeInFlight* scopes, FrameInFlight* frames, void* state)
    : config_(config),
      backend_(&backend),
      state_(state),
      counter_bits_(clock.counter_bits),
      clock_(clock.counter_bits, clock.ticks_per_second),
      scopes_(scopes),
      frames_(frames) {
  set_name(config.name);
}

void GpuTimer::delete_queries() {
  context_ = nullptr;                 // its command buffers may be gone
  while (open_count_ > 0) end_top();  // the program's debug groups go on
  backend_->destroy(state_);
}

void GpuTimer::set_name(const char* name) {
  const size_t size = name == nullptr ? 0 : strnlen(name, kMaxGpuName);
  if (size != 0) std::memcpy(name_, name, size);
  name_[size] = 0;
  if (track_ != 0 && flamelet_session_() == session_) flamelet_set_track_name(track_, name_);
}

flamelet_result GpuTimer::open_track() {
  session_ = flamelet_session_();
  track_ = flamelet_track_create(name_, FLAMELET_TRACK_GPU, clock_.ticks_per_second());
  if (track_ == 0) return FLAMELET_ERROR_LIMIT;
  calibrate();
  return counts_.calibrations == 0 ? FLAMELET_ERROR_NO_GPU_TIMESTAMPS : FLAMELET_OK;
}

// In a later session the number is that of another track.
void GpuTimer::close_track() {
  if (flamelet_session_() == session_) flamelet_track_destroy(track_);
}

void GpuTimer::follow_recorder() {
  const uint32_t session = flamelet_session_();
  if (session == 0 || session == session_) return;
  for (uint64_t sequence = first_scope_; sequence != next_scope_; ++sequence) {
    if (scope(sequence).id == 0) continue;
    scope(sequence).id = 0;
    ++counts_.dropped_recorder;
  }
  clock_ = GpuClock(counter_bits_, clock_.ticks_per_second());
  calibration_is_due_ = true;
  open_track();
}

void GpuTimer::begin(flamelet_id id, const char* name, const char* category) {
  if (open_count_ == FLAMELET_MAX_DEPTH) {
    ++counts_.dropped_depth;
    return;
  }
  OpenScope& open = open_[open_count_];
  open = {id, kNoSequence};
  const char* kept_name = flamelet_intern(name);
  if (backend_->begin_group != nullptr) backend_->begin_group(state_, context_, kept_name, std::strlen(kept_name));
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
  write_timestamp(query_of(open.sequence));
}

void GpuTimer::end_top() {
  const OpenScope& open = open_[--open_count_];
  if (open.sequence != kNoSequence) write_timestamp(query_of(open.sequence) + 1);
  if (backend_->end_group != nullptr) backend_->end_group(state_, context_);
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

  follow_recorder();
  fetch_frames();
  if (next_scope_ != frame_first_scope_) {
    if (next_frame_ - oldest_frame_ == config_.max_frames) give_up_oldest_frame();
    frames_[next_frame_++ % config_.max_frames] = {next_scope_, frame_first_scope_, frame_begin_ticks_, frame_index_};
    frame_first_scope_ = next_scope_;
  }
  ++frame_index_;
  context_ = nullptr;

  if (is_time_to_calibrate()) calibrate();
}

// Wrong times ask for a calibration at once. If they stay wrong, or the clock cannot be read, it is tried again now and
// then, not at each frame: a read may wait.
bool GpuTimer::is_time_to_calibrate() const {
  const bool in_trouble = calibration_is_due_ || calibration_failed_;
  const uint64_t since = flamelet_now_ticks() - (in_trouble ? trouble_ticks_ : clock_.recorder_ticks());
  const int64_t wait_ns = config_.calibration_interval_ns / (in_trouble ? kTriesInInterval : 1);
  return static_cast<double>(since) * clock_.recorder_ns_per_tick() >= static_cast<double>(wait_ns);
}

// How far the newest calibration may be off by now.
double GpuTimer::error_without_it_ns(uint64_t now_ticks) const {
  const double age_ns = static_cast<double>(now_ticks - clock_.recorder_ticks()) * clock_.recorder_ns_per_tick();
  return static_cast<double>(counts_.calibration_error_ns) + age_ns * kMaxDrift + kMinErrorNs;
}

void GpuTimer::calibrate() {
  // Without a recorder nothing can be placed, and what is in flight will not be taken either.
  const double ticks_per_second = flamelet_clock_info().ticks_per_second;
  if (!(ticks_per_second > 0)) return;
  calibration_failed_ = true;  // unless it comes to the end
  trouble_ticks_ = flamelet_now_ticks();
  const bool was_due = calibration_is_due_;
  uint64_t best_span = UINT64_MAX, best_ticks = 0, best_raw = 0;
  for (int i = 0; i < kCalibrationReads; ++i) {
    uint64_t raw = 0;
    const uint64_t before = flamelet_now_ticks();
    const bool is_read = backend_->read_clock(state_, &raw);
    const uint64_t span = flamelet_now_ticks() - before;
    if (!is_read || span >= best_span) continue;
    best_span = span;
    best_ticks = before + span / 2;
    best_raw = raw;
  }
  if (best_span == UINT64_MAX) return;  // the clock cannot be read now: the calibration before this one holds
  const double error_ns = static_cast<double>(best_span) / 2 * 1e9 / ticks_per_second;
  const bool has_better =
      counts_.calibrations > 0 && !calibration_is_due_ && error_ns > error_without_it_ns(best_ticks);
  if (has_better) return;  // the machine was busy elsewhere in between
  const int64_t ahead = clock_.calibrate(best_raw, best_ticks, ticks_per_second);
  counts_.calibration_drift_ns = static_cast<int64_t>(static_cast<double>(ahead) * 1e9 / clock_.ticks_per_second());
  counts_.calibration_error_ns = static_cast<int64_t>(error_ns);
  ++counts_.calibrations;
  calibration_is_due_ = calibration_failed_ = false;
  if (!was_due) trouble_ticks_ = 0;
  flamelet_track_calibrate(track_, clock_.gpu_ticks(), clock_.recorder_ticks());
}

// ---- Results

bool GpuTimer::fetch(uint64_t sequence) {
  ScopeInFlight& fetched = scope(sequence);
  fetched.begin_raw = fetched.end_raw = 0;
  const uint32_t begin_query = query_of(sequence);
  // The end first: it is the later one, and most often what is missing.
  return backend_->poll_timestamp(state_, begin_query + 1, &fetched.end_raw) &&
         backend_->poll_timestamp(state_, begin_query, &fetched.begin_raw);
}

void GpuTimer::reset_queries(uint64_t first, uint64_t end) {
  if (backend_->reset_queries == nullptr || first == end) return;
  const uint32_t all = 2 * config_.max_scopes;
  const uint32_t from = query_of(first);
  const uint32_t count = 2 * static_cast<uint32_t>(end - first);
  const uint32_t to_the_end = count < all - from ? count : all - from;
  backend_->reset_queries(state_, context_, from, to_the_end);
  if (count > to_the_end) backend_->reset_queries(state_, context_, 0, count - to_the_end);
}

void GpuTimer::fetch_frames() {
  while (oldest_frame_ != next_frame_) {
    FrameInFlight& frame = oldest_frame();
    if (frame_index_ - frame.index < config_.min_frames) return;
    while (frame.fetched_end != frame.scopes_end && fetch(frame.fetched_end)) ++frame.fetched_end;
    if (frame.fetched_end != frame.scopes_end) return;
    release_oldest_frame();
  }
}

// Takes what is there of a frame whose results have not all come.
void GpuTimer::give_up_oldest_frame() {
  FrameInFlight& frame = oldest_frame();
  for (uint64_t sequence = frame.fetched_end; sequence != frame.scopes_end; ++sequence) {
    if (fetch(sequence) || scope(sequence).id == 0) continue;
    scope(sequence).id = 0;
    ++counts_.dropped_late;
  }
  release_oldest_frame();
}

void GpuTimer::release_oldest_frame() {
  const FrameInFlight& frame = oldest_frame();
  const uint64_t frame_begin = clock_.predict(frame.begin_ticks);
  const uint64_t now = clock_.predict(flamelet_now_ticks());
  // Asked after the times have come: what disturbed them is known by then.
  if (backend_->was_disturbed != nullptr && backend_->was_disturbed(state_)) {
    disturbed_end_ = next_scope_;
    calibration_is_due_ = true;
  }
  for (uint64_t sequence = first_scope_; sequence != frame.scopes_end; ++sequence) {
    if (scope(sequence).id == 0) continue;  // counted already
    if (sequence < disturbed_end_)
      ++counts_.dropped_disjoint;
    else
      submit_scope(sequence, frame_begin, now);
  }
  submit_events();
  reset_queries(first_scope_, frame.scopes_end);
  first_scope_ = frame.scopes_end;
  counts_.lag_frames = static_cast<uint32_t>(frame_index_ - frame.index);
  ++oldest_frame_;
}

void GpuTimer::submit_scope(uint64_t sequence, uint64_t frame_begin, uint64_t now) {
  const ScopeInFlight& done = scope(sequence);
  const int64_t tolerance = static_cast<int64_t>(kToleranceSeconds * clock_.ticks_per_second());
  const uint64_t begin = clock_.extend(done.begin_raw, frame_begin);
  const uint64_t end = clock_.extend(done.end_raw, begin);
  // Differences, because a line of 64 bits is a circle, too.
  const bool is_valid = done.begin_raw != 0 && done.end_raw != 0 && static_cast<int64_t>(end - begin) >= 0 &&
                        static_cast<int64_t>(begin - frame_begin) >= -tolerance &&
                        static_cast<int64_t>(end - now) <= tolerance;
  if (!is_valid) {
    ++counts_.dropped_invalid;
    calibration_is_due_ = true;  // the clock may have jumped
    return;
  }
  if (event_count_ == kSubmitEvents) submit_events();
  flamelet_event* event = &events_[event_count_];
  event_count_ += 2;
  const uint16_t pair = static_cast<uint16_t>(sequence);  // one CPU scope may have several
  event[0] = {begin, done.id, done.name, done.category, nullptr, 0, 'B', false, pair};
  event[1] = {end, done.id, done.name, done.category, nullptr, 0, 'E', false, pair};
}

void GpuTimer::submit_events() {
  if (event_count_ == 0) return;
  const size_t recorded = flamelet_submit(track_, events_, event_count_);
  counts_.scopes_submitted += recorded / 2;
  counts_.dropped_recorder += event_count_ / 2 - recorded / 2;
  event_count_ = 0;
}

void GpuTimer::get_stats(flamelet_gpu_stats* stats) const {
  *stats = counts_;
  stats->track = track_;
  stats->counter_bits = counter_bits_;
  stats->queries_limit = 2 * config_.max_scopes;
  for (uint32_t i = 0; i < open_count_; ++i) stats->scopes_open += open_[i].sequence != kNoSequence;
  const uint32_t scopes = static_cast<uint32_t>(next_scope_ - first_scope_);
  for (uint64_t sequence = first_scope_; sequence != next_scope_; ++sequence)
    stats->scopes_in_flight += scope(sequence).id != 0;
  for (uint32_t i = 0; i < open_count_; ++i)
    stats->scopes_in_flight -= open_[i].sequence != kNoSequence && scope(open_[i].sequence).id != 0;
  stats->queries_in_flight = 2 * scopes - stats->scopes_open;
  stats->frames_in_flight = static_cast<uint32_t>(next_frame_ - oldest_frame_);
}

}  // namespace flamelet

// ---- C interface: arguments checked, memory taken and given back

struct flamelet_gpu {
  flamelet::GpuTimer timer;
};

using namespace flamelet;

namespace {

constexpr uint32_t kGpuCookie = 0x47505554u;
constexpr uint32_t kMaxScopes = 65536;
constexpr uint32_t kMaxFrames = 64;
constexpr size_t kGpuAlignment = 16;  // what a backend's state is promised
static_assert(alignof(flamelet_gpu) <= kGpuAlignment);

bool is_valid(const flamelet_gpu_config& config) {
  return config.cookie == kGpuCookie && config.max_scopes >= 1 && config.max_scopes <= kMaxScopes &&
         config.max_frames >= 1 && config.max_frames <= kMaxFrames && config.min_frames >= 1 &&
         config.min_frames <= config.max_frames && config.calibration_interval_ns >= 0 &&
         (config.allocator.allocate == nullptr) == (config.allocator.free == nullptr);
}

bool is_valid(const flamelet_gpu_clock& clock) {
  return clock.ticks_per_second > 0 && clock.ticks_per_second <= 1e15 && clock.counter_bits >= 1 &&
         clock.counter_bits <= 64;
}

// The one block.
struct Block {
  ScopeInFlight* scopes;
  FrameInFlight* frames;
  void* state;  // the backend's
  size_t state_bytes;
};

size_t lay_out(const flamelet_gpu_config& config, const flamelet_gpu_backend& backend, char* base, Block* to) {
  Carver carver(base);
  carver.take<flamelet_gpu>(1);
  to->scopes = carver.take<ScopeInFlight>(config.max_scopes);
  to->frames = carver.take<FrameInFlight>(config.max_frames);
  to->state_bytes = backend.state_bytes + backend.state_bytes_per_query * 2 * config.max_scopes;
  to->state = carver.take_bytes(to->state_bytes, kGpuAlignment);
  return carver.used();
}

size_t memory_bytes(const flamelet_gpu_config& config, const flamelet_gpu_backend& backend) {
  Block measured;
  return lay_out(config, backend, nullptr, &measured);
}

void destroy(flamelet_gpu* gpu) {
  gpu->timer.close_track();
  const flamelet_allocator allocator = allocator_or_default(gpu->timer.config().allocator, BlockUse::kFilledOnce);
  const size_t bytes = memory_bytes(gpu->timer.config(), gpu->timer.backend());
  gpu->~flamelet_gpu();
  allocator.free(allocator.user, gpu, bytes, kGpuAlignment);
}

}  // namespace

flamelet_gpu_config flamelet_gpu_config_default() {
  flamelet_gpu_config config = {};
  config.cookie = kGpuCookie;
  config.name = "GPU";
  config.max_scopes = 1024;
  config.max_frames = 8;
  config.min_frames = 1;
  config.calibration_interval_ns = 1'000'000'000;
  return config;
}

size_t flamelet_gpu_memory_required(const flamelet_gpu_config* config, const flamelet_gpu_backend* backend) {
  return config == nullptr || backend == nullptr || !is_valid(*config) ? 0 : memory_bytes(*config, *backend);
}

flamelet_result flamelet_gpu_create(const flamelet_gpu_config* config, const flamelet_gpu_backend* backend,
                                    const void* setup, flamelet_gpu** gpu) {
  if (gpu == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *gpu = nullptr;
  if (config == nullptr || backend == nullptr || !is_valid(*config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (flamelet_clock_info().kind == FLAMELET_CLOCK_NONE) return FLAMELET_ERROR_NOT_INITIALIZED;
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kFilledOnce);
  const size_t bytes = memory_bytes(*config, *backend);
  void* memory;
  flamelet_result result = take_memory(allocator, bytes, kGpuAlignment, &memory);
  if (result != FLAMELET_OK) return result;
  Block block;
  lay_out(*config, *backend, static_cast<char*>(memory), &block);
  std::memset(block.state, 0, block.state_bytes);
  flamelet_gpu_clock clock = {0, 0};
  result = backend->create(block.state, setup, 2 * config->max_scopes, &clock);
  if (result == FLAMELET_OK && !is_valid(clock)) {
    backend->destroy(block.state);
    result = FLAMELET_ERROR_INVALID_ARGUMENT;
  }
  if (result != FLAMELET_OK) {
    allocator.free(allocator.user, memory, bytes, kGpuAlignment);
    return result;
  }
  flamelet_gpu* created =
      new (memory) flamelet_gpu{GpuTimer(*config, *backend, clock, block.scopes, block.frames, block.state)};
  result = created->timer.open_track();
  if (result != FLAMELET_OK) {
    flamelet_gpu_destroy(created);
    return result;
  }
  *gpu = created;
  return FLAMELET_OK;
}

void flamelet_gpu_destroy(flamelet_gpu* gpu) {
  if (gpu == nullptr) return;
  gpu->timer.delete_queries();
  destroy(gpu);
}

void flamelet_gpu_abandon(flamelet_gpu* gpu) {
  if (gpu != nullptr) destroy(gpu);
}

void flamelet_gpu_set_name(flamelet_gpu* gpu, const char* name) {
  if (gpu != nullptr) gpu->timer.set_name(name);
}

void flamelet_gpu_set_context(flamelet_gpu* gpu, void* context) {
  if (gpu != nullptr) gpu->timer.set_context(context);
}

flamelet_id flamelet_gpu_begin(flamelet_gpu* gpu, const char* name, const char* category) {
  const flamelet_id id = flamelet_begin(name, category, nullptr);
  flamelet_gpu_attach(gpu, id, name, category);
  return id;
}

void flamelet_gpu_end(flamelet_gpu* gpu, flamelet_id id) {
  flamelet_gpu_detach(gpu, id);
  if (id != 0) flamelet_scope_end_(id);
}

void flamelet_gpu_attach(flamelet_gpu* gpu, flamelet_id id, const char* name, const char* category) {
  if (gpu != nullptr && id != 0) gpu->timer.begin(id, name, category);
}

void flamelet_gpu_detach(flamelet_gpu* gpu, flamelet_id id) {
  if (gpu != nullptr && id != 0) gpu->timer.end(id);
}

void flamelet_gpu_frame(flamelet_gpu* gpu) {
  if (gpu != nullptr) gpu->timer.frame();
}

void flamelet_gpu_get_stats(const flamelet_gpu* gpu, flamelet_gpu_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (gpu == nullptr) return;
  gpu->timer.get_stats(stats);
  stats->memory_bytes = memory_bytes(gpu->timer.config(), gpu->timer.backend());
}

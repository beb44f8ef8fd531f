// SPDX-License-Identifier: MIT
//
// flight.cpp: the life of a flight recorder, and its answers.
#include "flamelet/flight.h"

#include <string.h>

#include <new>

#include "flight/flight_data.h"
#include "platform/engine_memory.h"

using namespace flamelet;

namespace {

static_assert(sizeof TriggerEntry::text == FLAMELET_FLIGHT_TEXT_BYTES, "the same text");

constexpr uint32_t kFlightCookie = 0x666C7974;
constexpr size_t kLeastStore = size_t{512} << 10;
constexpr uint32_t kMostKept = 512, kMostBudgets = 1024, kMostFrames = 1u << 20;

bool is_valid(const flamelet_flight_config* config) {
  return config != nullptr && config->cookie == kFlightCookie && config->store_bytes >= kLeastStore &&
         config->store_bytes <= kMostBytes && config->frames_before <= kMostFrames &&
         config->frames_after <= kMostFrames && config->keep_worst <= kMostKept && config->keep_latest >= 1 &&
         config->keep_latest <= kMostKept && config->max_scope_budgets <= kMostBudgets &&
         config->frame_budget_ns >= 0 && config->median_factor >= 0 && config->ring_share >= 0 &&
         config->ring_share <= 1 && config->dead_time_ms >= 0 && config->dead_time_ms <= 1e12 &&
         config->copy_bytes >= 1 && (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

// Places what a flight recorder needs behind it.
size_t lay_out(const flamelet_flight_config& config, const flamelet_capture& capture, char* base,
               flamelet_flight* flight) {
  Carver carver(base);
  carver.take<flamelet_flight>(1);
  flight->store.place(&carver, config);
  flight->buffer = carver.take<char>(ChunkWriter::kBufferBytes);
  flight->save_buffer = carver.take<char>(ChunkWriter::kBufferBytes);
  char* const file_buffer = static_cast<char*>(carver.take_bytes(ChunkWriter::kBufferBytes, alignof(uint64_t)));
  flight->files.attach(file_buffer, carver.take<FlightFiles::Earlier>(FlightStore::slots_for(config)));
  flight->selection.attach(carver.take<PageSelection::LanePart>(capture.config.max_tracks));
  flight->budgets.place(&carver, config.max_scope_budgets, capture.config.max_strings);
  return carver.used();
}

double how_far(const flamelet_flight_over& over) {
  return static_cast<double>(over.took_ns) / static_cast<double>(over.budget_ns);
}

// From the capture as it is on.
void begin_session(flamelet_flight* flight) {
  const flamelet_capture& capture = *flight->capture;
  flight->stats.given_up += (flight->state != FlightState::kReady) + uint64_t{flight->has_next};
  if (flight->state == FlightState::kCopies) flight->store.abandon();
  flight->state = FlightState::kReady;
  flight->has_next = false;
  flight->session = capture.session;
  flight->has_frame = capture.frames.count() != 0;
  if (flight->has_frame) flight->last_frame = capture.frames.at(capture.frames.count() - 1).index;
  // Frame 0 ends with the first mark, and is always partial.
  flight->last_gpu_frame = flight->has_frame ? flight->last_frame : 0;
  flight->last_lost = capture.counts.events_lost;
  flight->last_page = capture.pages.end();
  flight->holds = capture.holds;
  flight->dead_until_ns = INT64_MIN;
  flight->newest_ticks = 0;
  flight->median.clear();
  flight->budgets.begin_recording();
}

bool has_frames_after(const flamelet_flight& flight) {
  const FrameTable& frames = flight.capture->frames;
  return frames.count() != 0 &&
         frames.at(frames.count() - 1).index >= flight.trigger.frame + flight.config.frames_after;
}

// As much as the config says, or what keeps ahead of the capture's eviction, which goes through the same pages.
size_t bytes_to_copy(const flamelet_flight& flight) {
  const PageStore& pages = flight.capture->pages;
  const PageId next = flight.writer.next_page();
  const size_t usual = flight.config.copy_bytes;
  if (next == 0) return usual;
  const uint64_t margin = next - pages.oldest() + pages.room();
  const size_t page_bytes = sizeof(KeptPageEntry) + pages.likely_packed_bytes();
  const uint64_t pace = usual / page_bytes;
  const uint64_t updates = (flight.selection.end_page() - next) / (pace + 1) + 1;
  if (flight.new_pages <= pace || (flight.new_pages - pace) * updates < margin) return usual;
  const size_t faster = static_cast<size_t>(flight.new_pages + flight.new_pages / 4 + 16) * page_bytes;
  return faster > usual ? faster : usual;
}

// An error is told once, until a file can be written again.
flamelet_result finish_file(flamelet_flight* flight) {
  const FlightFiles::Outcome outcome = flight->files.take();
  flamelet_flight_stats& stats = flight->stats;
  stats.files_removed += outcome.removed;
  if (outcome.result == FLAMELET_OK) outcome.flight->info.flags |= FLAMELET_FLIGHT_WRITTEN;
  ++(outcome.result == FLAMELET_OK ? stats.files_written : stats.files_failed);
  if (outcome.result != FLAMELET_OK) stats.last_errno = outcome.error_number;
  flight->store.written(outcome.flight);
  for (uint32_t i = 0; i < flight->files.earlier_count(); ++i) {
    const FlightFiles::Earlier& earlier = flight->files.earlier(i);
    if (!earlier.is_there) flight->store.lost_file(earlier.id);
  }
  const bool told = flight->told;
  flight->told = outcome.result != FLAMELET_OK;
  return told ? FLAMELET_OK : outcome.result;
}

flamelet_result move_files(flamelet_flight* flight) {
  flamelet_result result = FLAMELET_OK;
  if (!flight->files.idle() && flight->files.done()) result = finish_file(flight);
  if (flight->files.idle()) {
    if (KeptFlight* next = flight->store.oldest_to_be_written()) flight->files.start(flight->store, next);
  }
  return result;
}

const KeptFlight* find(const flamelet_flight* flight, uint64_t id) {
  const size_t position = flamelet_flight_find(flight, id);
  return position == SIZE_MAX ? nullptr : &flight->store.at(static_cast<uint32_t>(position));
}

}  // namespace

flamelet_flight_config flamelet_flight_config_default(void) {
  flamelet_flight_config config = {};
  config.cookie = kFlightCookie;
  config.store_bytes = size_t{12} << 20;
  config.frames_before = 60;
  config.frames_after = 8;
  config.keep_worst = 16;
  config.keep_latest = 16;
  config.max_scope_budgets = 64;
  config.median_factor = 3;
  config.ring_share = 0.5;
  config.loss = true;
  config.dead_time_ms = 500;
  config.max_triggers = UINT64_MAX;
  config.copy_bytes = size_t{128} << 10;
  config.max_files = 64;
  config.max_file_bytes = uint64_t{1} << 30;
  return config;
}

flamelet_flight_config flamelet_flight_config_small(void) {
  flamelet_flight_config config = flamelet_flight_config_default();
  config.store_bytes = size_t{1} << 20;
  config.max_scope_budgets = 16;
  return config;
}

size_t flamelet_flight_memory_required(const flamelet_flight_config* config, const flamelet_capture* capture) {
  if (!is_valid(config) || capture == nullptr) return 0;
  flamelet_flight measured = {};
  return lay_out(*config, *capture, nullptr, &measured);
}

flamelet_result flamelet_flight_create(const flamelet_flight_config* config, const flamelet_capture* capture,
                                       flamelet_flight** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  const size_t bytes = flamelet_flight_memory_required(config, capture);
  if (bytes == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kTouchedAtOnce);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, alignof(flamelet_flight), &block);
  if (taken != FLAMELET_OK) return taken;
  memset(block, 0, bytes);  // touched, so that no trigger has to wait for memory
  flamelet_flight* flight = new (block) flamelet_flight();
  lay_out(*config, *capture, static_cast<char*>(block), flight);
  flight->config = *config;
  flight->config.allocator = allocator;
  flight->config.folder = nullptr;  // copied, if it fits
  flight->capture = capture;
  flight->memory = block;
  flight->memory_bytes = bytes;
  flight->next_id = 1;
  if (!flight->files.set(config->folder, config->max_files, config->max_file_bytes)) {
    allocator.free(allocator.user, block, bytes, alignof(flamelet_flight));
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  }
  flight->store.clear();
  begin_session(flight);
  *result = flight;
  return FLAMELET_OK;
}

void flamelet_flight_destroy(flamelet_flight* flight) {
  if (flight == nullptr) return;
  if (flight->session != flight->capture->session) begin_session(flight);
  while (flight->state != FlightState::kReady)
    flight->state == FlightState::kWaits ? begin_copy(flight) : continue_copy(flight, SIZE_MAX);
  if (!flight->files.idle()) finish_file(flight);
  while (KeptFlight* next = flight->store.oldest_to_be_written()) {
    flight->files.start(flight->store, next);
    finish_file(flight);
  }
  const flamelet_allocator allocator = flight->config.allocator;
  allocator.free(allocator.user, flight->memory, flight->memory_bytes, alignof(flamelet_flight));
}

flamelet_result flamelet_flight_update(flamelet_flight* flight) {
  if (flight == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_capture& capture = *flight->capture;
  if (flight->session != capture.session) begin_session(flight);
  flight->new_pages = capture.pages.end() - flight->last_page;
  flight->last_page = capture.pages.end();
  if (flight->holds != capture.holds) {
    flight->new_pages = 0;
    flight->last_lost = capture.counts.events_lost;
  }
  flight->holds = capture.holds;
  watch(flight);
  if (flight->state == FlightState::kCopies) {
    continue_copy(flight, bytes_to_copy(*flight));
  } else if (flight->state == FlightState::kWaits && has_frames_after(*flight)) {
    begin_copy(flight);
  }
  return move_files(flight);
}

void flamelet_flight_trigger(flamelet_flight* flight, const char* why) {
  if (flight == nullptr) return;
  if (!flight->box.put(running_session(), flamelet_now_ticks(), why == nullptr ? "" : why))
    flight->box_skipped.fetch_add_relaxed(1);
}

flamelet_result flamelet_flight_set_scope_budget(flamelet_flight* flight, const char* name, int64_t budget_ns) {
  if (flight == nullptr || name == nullptr || budget_ns < 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  return flight->budgets.set({name, strlen(name)}, budget_ns) ? FLAMELET_OK : FLAMELET_ERROR_LIMIT;
}

flamelet_result flamelet_flight_set_budgets(flamelet_flight* flight, const flamelet_budget* budgets, size_t count) {
  if (flight == nullptr || (budgets == nullptr && count != 0)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  size_t scopes = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!flamelet_budget_is_watched(budgets, count, i)) continue;
    if (budgets[i].scope.size >= FLAMELET_FLIGHT_TEXT_BYTES) return FLAMELET_ERROR_LIMIT;
    scopes += budgets[i].scope.size != 0;
    if (scopes > flight->config.max_scope_budgets) return FLAMELET_ERROR_LIMIT;
  }
  flight->config.frame_budget_ns = 0;
  flight->budgets.clear();
  for (size_t i = 0; i < count; ++i) {
    const flamelet_budget& budget = budgets[i];
    if (!flamelet_budget_is_watched(budgets, count, i)) continue;
    if (budget.scope.size == 0)
      flight->config.frame_budget_ns = budget.limit_ns;
    else
      flight->budgets.set(budget.scope, budget.limit_ns);
  }
  return FLAMELET_OK;
}

size_t flamelet_flight_read_over(const flamelet_flight* flight, uint64_t first_frame, flamelet_flight_over* over,
                                 size_t capacity) {
  if (flight == nullptr || (over == nullptr && capacity != 0)) return 0;
  size_t count = 0, written = 0;
  for (uint32_t i = 0; i < flight->budgets.count(); ++i) {
    const ScopeBudgets::Budget& budget = flight->budgets[i];
    if (!budget.was_over || budget.over_frame < first_frame) continue;
    ++count;
    const flamelet_flight_over row = {budget.name, budget.over_budget_ns, budget.over_ns, budget.over_frame};
    size_t at = written;
    while (at > 0 && how_far(over[at - 1]) < how_far(row)) --at;
    if (at == capacity) continue;
    if (written < capacity) ++written;
    for (size_t j = written - 1; j > at; --j) over[j] = over[j - 1];
    over[at] = row;
  }
  return count;
}

const char* flamelet_flight_cause_name(flamelet_flight_cause cause) {
  constexpr const char* kNames[] = {"call",        "scope over budget", "frame over budget", "frame over median",
                                    "events lost", "ring nearly full"};
  static_assert(sizeof kNames / sizeof kNames[0] == FLAMELET_FLIGHT_CAUSE_COUNT, "a name for each cause");
  const size_t at = static_cast<size_t>(cause);
  return at < FLAMELET_FLIGHT_CAUSE_COUNT ? kNames[at] : "";
}

size_t flamelet_flight_count(const flamelet_flight* flight) {
  return flight == nullptr ? 0 : flight->store.count();
}

bool flamelet_flight_get(const flamelet_flight* flight, size_t position, flamelet_flight_info* info) {
  if (flight == nullptr || info == nullptr || position >= flight->store.count()) return false;
  *info = flight->store.at(static_cast<uint32_t>(position)).info;
  return true;
}

size_t flamelet_flight_find(const flamelet_flight* flight, uint64_t id) {
  for (uint32_t i = 0; flight != nullptr && i < flight->store.count(); ++i) {
    if (flight->store.at(i).info.id == id) return i;
  }
  return SIZE_MAX;
}

flamelet_result flamelet_flight_open(const flamelet_flight* flight, uint64_t id, const flamelet_load_options* options,
                                     flamelet_capture** capture) {
  if (capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *capture = nullptr;
  const KeptFlight* kept = find(flight, id);
  if (kept == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  ChainReader chain(flight->store, kept->first_block, kept->bytes);
  return load_kept(options, chain.source(), capture);
}

bool flamelet_flight_of_capture(const flamelet_capture* capture, flamelet_flight_info* info) {
  if (capture == nullptr || info == nullptr || !capture->has_trigger) return false;
  const TriggerEntry& trigger = capture->trigger;
  *info = {};
  if (!flamelet_capture_frame(capture, capture->frames.find(trigger.frame), &info->frame)) return false;
  info->cause = static_cast<flamelet_flight_cause>(trigger.cause);
  memcpy(info->text, trigger.text, sizeof info->text);
  info->limit_ns = static_cast<int64_t>(trigger.limit_ms * 1e6 + 0.5);
  info->first_frame = capture->frames.at(0).index;
  info->last_frame = capture->frames.at(capture->frames.count() - 1).index;
  info->unix_ns = capture->clock.origin_unix_ns + static_cast<uint64_t>(info->frame.begin_ns);
  return true;
}

flamelet_result flamelet_flight_save_to(const flamelet_flight* flight, uint64_t id, flamelet_sink sink) {
  const KeptFlight* kept = find(flight, id);
  if (kept == nullptr || sink.write == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  ChainReader chain(flight->store, kept->first_block, kept->bytes);
  return write_kept(chain.source(), flight->save_buffer, sink) ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}

void flamelet_flight_get_stats(const flamelet_flight* flight, flamelet_flight_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (flight == nullptr) return;
  *stats = flight->stats;
  const uint64_t in_box = flight->box_skipped.load_relaxed();
  stats->triggers += in_box;
  stats->skipped_busy += in_box;
  stats->memory_bytes = flight->memory_bytes;
  stats->store_bytes = static_cast<size_t>(flight->store.capacity_bytes());
  stats->store_used = static_cast<size_t>(flight->store.used_bytes());
  stats->busy = flight->state != FlightState::kReady;
  stats->files_skipped = flight->store.unwritten();
}

namespace flamelet {

// Flight triggers: which of the new frames are kept.

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

// ---- flight watch

void copy_text(char (&to)[FLAMELET_FLIGHT_TEXT_BYTES], const char* text) {
  size_t size = 0;
  while (size < sizeof to - 1 && text[size] != 0) ++size;
  if (text[size] != 0) {
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  }
  memcpy(to, text, size);
  memset(to + size, 0, sizeof to - size);
}

void FrameMedian::add(int64_t duration_ns) {
  uint32_t sorted = used();
  int64_t& place = last_[count_ % kFrames];
  if (sorted == kFrames) {  // the oldest goes
    uint32_t at = 0;
    while (sorted_[at] != place) ++at;
    memmove(sorted_ + at, sorted_ + at + 1, (--sorted - at) * sizeof *sorted_);
  }
  place = duration_ns;
  ++count_;
  uint32_t at = sorted;
  for (; at > 0 && sorted_[at - 1] > duration_ns; --at) sorted_[at] = sorted_[at - 1];
  sorted_[at] = duration_ns;
}

bool TriggerBox::put(uint32_t session, uint64_t ticks, const char* why) {
  // Acquire: pairs with the release in taken(), so that the text before was read.
  if (!state_.cas_acquire(kEmpty, kFilling)) return false;
  call_.session = session;
  call_.ticks = ticks;
  copy_text(call_.text, why);
  // Release: pairs with the acquire in get().
  state_.store_release(kFull);
  return true;
}

const TriggerBox::Call* TriggerBox::get() const {
  return state_.load_acquire() == kFull ? &call_ : nullptr;
}

void TriggerBox::taken() {
  state_.store_release(kEmpty);
}

}  // namespace flamelet

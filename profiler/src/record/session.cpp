// SPDX-License-Identifier: MIT
//
// session.cpp: start, stop, on and off; and where everything lies in the one block of memory.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "flamelet/detail/on_top.h"
#include "flamelet/detail/record.h"
#include "platform/engine_memory.h"
#include "platform/file.h"
#include "platform/process.h"
#include "platform/thread_account.h"
#include "record/categories.h"
#include "record/frame.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"
#include "record/submit.h"
#include "record/thread.h"
#include "record/track.h"

namespace flamelet {

Recorder recorder = {};

namespace {

constexpr uint32_t kConfigCookie = 0xF1A3E1E7;
constexpr uint64_t kShutdownWaitNs = 1'000'000'000;
// Pages beyond one for each track: what readers may have pinned, and enough for a ring to be one.
constexpr uint32_t kSparePages = 16;

// ---- Layout ------------------------------------------------------------------------------------------------------

uint32_t pointer_places(uint32_t max_sites) {
  uint32_t places = 64;
  while (places < 2 * max_sites) places *= 2;
  return places;
}

// Everything but the spare room, which becomes more pages. Returns the bytes; with base NULL it only measures.
size_t lay_out(const flamelet_config& config, uint32_t page_count, char* base) {
  Carver carver(base);
  Page* pages = static_cast<Page*>(carver.take_bytes(sizeof(Page) * page_count, kPageBytes));
  Atomic<uint64_t>* outcomes = carver.take<Atomic<uint64_t>>(page_count);
  void* strings = carver.take_bytes(InternTable::required_bytes(config.max_strings, config.string_bytes), 64);
  const size_t site_text = size_t{config.max_sites} * (sizeof(SiteRecord) + 16);
  void* sites = carver.take_bytes(InternTable::required_bytes(config.max_sites, site_text), 64);
  PointerSite* pointers = carver.take<PointerSite>(pointer_places(config.max_sites) + kPointerProbes + 1);
  SavedStack* places = carver.take<SavedStack>(config.max_fibers);
  SavedStack* homes = carver.take<SavedStack>(config.max_fibers == 0 ? 0 : FLAMELET_MAX_TRACKS);
  uint32_t* scratch = carver.take<uint32_t>(size_t{2} * (config.max_submit_events + config.max_submit_open));
  WaitingEvents* waiting = carver.take<WaitingEvents>(config.max_tracks);
  WaitingEvent* waiting_events = carver.take<WaitingEvent>(size_t{config.max_tracks} * config.max_submit_open);
  if (base == nullptr) return carver.used();
  page_ring.pages = pages;
  page_ring.outcomes = outcomes;
  page_ring.page_count = page_count;
  names.strings.create(strings, config.max_strings, config.string_bytes);
  names.sites.create(sites, config.max_sites, site_text);
  names.pointer_sites = pointers;
  names.pointer_mask = uint64_t{pointer_places(config.max_sites) - 1} * sizeof(PointerSite);
  names.taken_bytes.store_relaxed(0);
  fibers.places = places;
  fibers.homes = config.max_fibers == 0 ? nullptr : homes;
  submit_state.scratch = scratch;
  submit_state.waiting = waiting;
  submit_state.places.store_relaxed(0);
  for (uint32_t i = 0; i < config.max_tracks; ++i)
    waiting[i].events = waiting_events + size_t{i} * config.max_submit_open;
  return carver.used();
}

uint32_t least_pages(const flamelet_config& config) {
  return config.max_tracks + 2 + kSparePages;  // and the frames', and the states': the user may ask for those
}

bool valid(const flamelet_config& config) {
  return config.cookie == kConfigCookie && config.max_tracks >= 1 && config.max_tracks <= FLAMELET_MAX_TRACKS &&
         config.max_sites >= 1 && config.max_sites <= FLAMELET_MAX_SITES && config.max_strings >= 16 &&
         config.max_strings <= kMaxStringId && config.string_bytes >= 1024 && config.string_bytes < kMostBytes &&
         config.max_fibers <= 65536 && config.max_submit_events >= 1 && config.max_submit_events <= (1u << 24) &&
         config.max_submit_open <= (1u << 14) && config.budget_bytes <= kMostBytes &&
         (config.allocator.allocate == nullptr) == (config.allocator.free == nullptr) &&
         (config.clock == nullptr || (config.clock_ticks_per_second >= 1 && config.clock_ticks_per_second <= 1e15));
}

// Whether the states of threads are wanted, by the config or, before it, by the user.
bool wants_states(const flamelet_config& config) {
  const char* value = environment_of_user("FLAMELET_THREAD_STATES");
  if (value == nullptr) return config.thread_states;
  static bool is_said = false;
  if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0 && !is_said) {
    is_said = true;
    fprintf(stderr, "flamelet: FLAMELET_THREAD_STATES is '%s', and neither 'on' nor 'off'; it is ignored.\n", value);
  }
  return strcmp(value, "on") == 0 || (config.thread_states && strcmp(value, "off") != 0);
}

// ---- Control -----------------------------------------------------------------------------------------------------

// Init and shutdown wait for lock_control(), which is short; met by each other, they answer BUSY.
enum : uint32_t { kControlFree, kControlSwitching, kControlStarting };
bool try_lock_control() {
  for (;;) {
    if (recorder.control.cas_acquire(kControlFree, kControlStarting)) return true;
    if (recorder.control.load_relaxed() == kControlStarting) return false;
    yield_thread();
  }
}

State state() {
  return recorder.state.load_seq_cst();
}
void set_state(State state) {
  recorder.state.store_seq_cst(state);
}

// Sets the mode, and gate and mode of every track that can run by it. See thread.cpp for why no track is missed.
void set_mode(uint32_t mode) {
  recorder.mode.store_seq_cst(mode);
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    Track* track = &tracks[i];
    if (track->state.load_seq_cst() != kTrackLive) continue;
    as_atomic(track->head.gate).store_seq_cst(closed_gate(mode));
    as_atomic(track->head.mode).store_seq_cst(mode);
  }
  // relaxed: a thread that does not see it yet begins with its next event, or finds the mode in the slow path.
  as_atomic(unregistered_head.gate).store_relaxed(closed_gate(mode));
  as_atomic(unregistered_head.mode)
      .store_relaxed(mode == FLAMELET_MODE_CALLS_ ? FLAMELET_MODE_CALLS_ : FLAMELET_MODE_OFF_);
}

// ---- The one block ----------------------------------------------------------------------------------------------

flamelet_result take_file(const char* path) {
  void* file = nullptr;
  const flamelet_result result = map_new_file(path, kRingHeaderBytes + recorder.memory_bytes, &file);
  if (result != FLAMELET_OK) return result;
  ring_file = static_cast<RingFileHeader*>(file);
  recorder.memory = static_cast<char*>(file) + kRingHeaderBytes;
  return FLAMELET_OK;
}

constexpr size_t kMostRingPath = 4096;

// A later session, and the processes that a program starts, have the same environment: each makes a file of its own. False:
// errno says why; EEXIST: there are enough.
bool take_numbered_file(const char* path) {
  constexpr uint32_t kMostFiles = 16;
  char name[kMostRingPath];
  for (uint32_t number = 1; number <= kMostFiles; ++number) {
    const int size = number == 1 ? snprintf(name, sizeof name, "%s", path)
                                 : snprintf(name, sizeof name, "%s-%u", path, static_cast<unsigned>(number));
    if (size < 0 || size >= static_cast<int>(sizeof name)) {
      errno = ENAMETOOLONG;
      return false;
    }
    if (take_file(name) == FLAMELET_OK) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

// The name says it: an empty file can be made where no bytes can be written.
void leave_word(const char* path, int why) {
  char name[kMostRingPath];
  const int size = snprintf(name, sizeof name, "%s-failed-%d-%u", path, why,
                            static_cast<unsigned>((recorder.memory_bytes + (1u << 20) - 1) >> 20));
  if (size < 0 || size >= static_cast<int>(sizeof name)) return;
  File file;
  if (file.open(name, FileUse::kNew)) file.close();
}

// A program that runs well by itself has to run with the variables, too: without a file it does as without them.
bool take_file_of_environment() {
  int why = 0;
  const char* const variables[] = {"FLAMELET_RING_FILE", "FLAMELET_RING_FILE_ELSE"};
  for (const char* variable : variables) {
    const char* const path = environment_of_user(variable);
    if (path == nullptr) continue;
    if (take_numbered_file(path)) return true;
    if (why == 0) why = errno;
    if (why == EEXIST) break;
  }
  if (why == 0) return false;
  const char* const path = environment_of_user("FLAMELET_RING_FILE");
  if (path != nullptr) leave_word(path, why);
  static bool is_said = false;
  if (environment_of_user(variables[1]) == nullptr && !is_said) {  // else `flamelet record` finds the word, and says it
    is_said = true;
    fprintf(stderr, "flamelet: no file for the recorder's memory by FLAMELET_RING_FILE: %s.\n", strerror(why));
  }
  return false;
}

flamelet_result take_block(const flamelet_config& config, const flamelet_allocator& allocator) {
  recorder.memory_bytes = config.budget_bytes;
  if (config.ring_path_from_environment && take_file_of_environment()) return FLAMELET_OK;
  if (config.ring_path != nullptr) return take_file(config.ring_path);
  // Aligned, because the record path finds the end of a page by the address.
  void* memory;
  const flamelet_result result = take_memory(allocator, config.budget_bytes, kPageBytes, &memory);
  recorder.memory = static_cast<char*>(memory);
  return result;
}

void unmap_ring_file() {
  unmap_file(ring_file, kRingHeaderBytes + recorder.memory_bytes);
  ring_file = nullptr;
}

void give_block_back() {
  const flamelet_allocator& allocator = recorder.config.allocator;
  if (ring_file != nullptr)
    unmap_ring_file();
  else
    allocator.free(allocator.user, recorder.memory, recorder.memory_bytes, kPageBytes);
  recorder.memory = nullptr;
}

// A signal handler on a thread that is about to register may count just now.
void reset_counts() {
  recorder.counts.clear();
  count_drop(kSitesOverflowed, take_sites_without_room());
  track_totals.ended_counts.clear();
  track_totals.ended_events.store_relaxed(0);
  for (Track& track : tracks) {
    track.ended_id.store_relaxed(0);
    track.ended_events.store_relaxed(0);
  }
  track_totals.newest_id.store_relaxed(0);
  track_totals.live.store_relaxed(0);
  track_totals.names_wait_ticks.store_relaxed(0);
  for (FrameSet& set : frame_marks.sets) {
    set.name.store_relaxed(0);
    set.switches.store_relaxed(frame_marks.switches.load_relaxed());
    set.marks.store_relaxed(0);
  }
  frame_marks.count.store_relaxed(0);
  fibers.next_place.store_relaxed(0);
  fibers.live.store_relaxed(0);
}

// The child has one thread and a copy of everything. It starts clean: its recorder is off, the memory is left alone
// (the engine's allocator may have been in use by a thread that does not exist here), and init works again.
void after_fork_in_child() {
  set_mode(FLAMELET_MODE_OFF_);
  recorder.users.store_relaxed(0);
  frame_marks.lock.store_relaxed(0);
  submit_state.lock.store_relaxed(0);
  recorder.measure_lock.store_relaxed(0);
  forget_run_time_site_lock();
  unlock_control();
  forget_other_threads();
  end_thread_times();
  forget_switches();
  recorder.memory = nullptr;
  if (ring_file != nullptr) unmap_ring_file();  // the parent goes on writing there
  set_state(State::kStopped);
}

}  // namespace

void lock_control() {
  while (!recorder.control.cas_acquire(kControlFree, kControlSwitching)) yield_thread();
}

void unlock_control() {
  recorder.control.store_release(kControlFree);
}

void register_sites_again() {
  uint32_t number = recorder.site_number.load_relaxed() + 1;
  if (number >= FLAMELET_SITE_OFF_ - 1) number = 1;  // a site that is off must not look like a shut gate
  // seq_cst: settle() finds the new number, or the walk of set_mode() finds the track. Whoever finds it also finds what
  // the categories say.
  recorder.site_number.store_seq_cst(number);
  if (state() != State::kRunning) return;
  frame_marks.partial.store_relaxed(1);
  frame_marks.switches.fetch_add_relaxed(1);
  set_mode(recorder.mode.load_relaxed());
  update_pointer_sites();
}

bool hold_session() {
  // relaxed: only so that callers that come after the stop do not keep the shutdown waiting; what follows decides.
  if (recorder.state.load_relaxed() != State::kRunning) return false;
  // seq_cst with the shutdown, which sets the state and then reads users: one of the two sees the other.
  recorder.users.fetch_add_seq_cst(1);
  if (recorder.state.load_seq_cst() == State::kRunning) return true;
  release_session();
  return false;
}

// release: pairs with the shutdown's load.
void release_session() {
  recorder.users.fetch_sub_release(1);
}

}  // namespace flamelet

using namespace flamelet;

flamelet_config flamelet_config_default(void) {
  flamelet_config config;
  memset(&config, 0, sizeof(config));
  config.cookie = kConfigCookie;
  config.thread_times = true;
  config.budget_bytes = size_t{16} << 20;
  config.max_tracks = 64;
  config.max_sites = 4096;
  config.max_strings = 32768;
  config.string_bytes = size_t{2} << 20;
  config.max_submit_events = 4096;
  config.max_submit_open = 64;
  return config;
}

flamelet_config flamelet_config_small(void) {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;
  config.max_sites = 2048;
  config.max_strings = 8192;
  config.string_bytes = size_t{512} << 10;
  config.max_submit_events = 1024;
  return config;
}

size_t flamelet_memory_required(const flamelet_config* config) {
  if (config == nullptr || !valid(*config)) return 0;
  return lay_out(*config, least_pages(*config), nullptr);
}

flamelet_result flamelet_init(const flamelet_config* from) {
  flamelet_config chosen = from != nullptr ? *from : flamelet_config_default();
  const flamelet_config* const config = &chosen;
  if (!valid(*config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  chosen.thread_states = wants_states(chosen);
  const size_t least = flamelet_memory_required(config);
  if (config->budget_bytes < least) return FLAMELET_ERROR_BUDGET_TOO_SMALL;
  if (!try_lock_control()) return FLAMELET_ERROR_BUSY;
  flamelet_result result = FLAMELET_OK;
  if (state() == State::kRunning) result = FLAMELET_ERROR_ALREADY_INITIALIZED;
  if (state() == State::kStopping) result = FLAMELET_ERROR_THREADS_RUNNING;
  if (result == FLAMELET_OK && !(prepare_threads() && set_thread_exit(end_thread))) result = FLAMELET_ERROR_LIMIT;
  prepare_categories();
  if (result == FLAMELET_OK) result = read_categories_from_environment();
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kTouchedAtOnce);
  if (result == FLAMELET_OK) result = take_block(*config, allocator);
  if (result != FLAMELET_OK) {
    unlock_control();
    return result;
  }
  // Each page also needs its place in the log, so that the spare room is divided by both.
  const uint64_t more = (config->budget_bytes - least) / (sizeof(Page) + sizeof(uint64_t));
  uint32_t page_count = least_pages(*config) + static_cast<uint32_t>(more < (1u << 30) ? more : (1u << 30));
  while (lay_out(*config, page_count, nullptr) > config->budget_bytes) --page_count;  // alignment

  memset(recorder.memory, 0, config->budget_bytes);  // touches every page of it: no page fault while recording
  reset_counts();
  recorder.config = *config;
  recorder.config.allocator = allocator;
  recorder.config.ring_path = nullptr;  // the caller's texts
  recorder.config.note = nullptr;
  recorder.build = describe_build(config->note);
  begin_categories_off();
  lay_out(*config, page_count, recorder.memory);
  page_ring.next_ticket.store_relaxed(page_count);               // ticket 0 would look like "never used"
  const uint32_t session = recorder.session.load_relaxed() + 1;  // 0 = an unregistered site, all ones = a shut gate
  recorder.session.store_relaxed(session == static_cast<uint32_t>(FLAMELET_GATE_SHUT_) ? 1u : session);
  register_sites_again();
  recorder.clock.start(*config);
  know_process_name();
  names.strings.intern("", 0);
  names.strings.intern("(null)", 6);
  names.strings.intern("(overflow)", 10);
  SiteRecord overflow = {kStringOverflow, 0, 0, 0, 0, 0};
  names.sites.intern(&overflow, sizeof(overflow));
  frame_marks.partial.store_relaxed(1);
  frame_marks.last_sweep_ticks.store_relaxed(recorder.clock.now_ticks());
  frame_marks.latest_ticks.store_relaxed(recorder.clock.now_ticks());
  frame_marks.clock_is_behind.store_relaxed(0);
  recorder.barrier_works = prepare_process_barrier();
  static bool fork_is_handled = false;
  if (!fork_is_handled) fork_is_handled = call_in_forked_child(after_fork_in_child);
  set_up(&tracks[kFrameSlot], FLAMELET_TRACK_EXTERNAL, kFrameTrack);
  begin_switches();
  begin_machine();
  mark_frame(0, false);
  begin_ring_file();
  set_state(State::kRunning);
  set_mode(config->start_disabled ? FLAMELET_MODE_ENDS_ : FLAMELET_MODE_CALLS_);
  unlock_control();
  connect_preload();
  return FLAMELET_OK;
}

flamelet_result flamelet_shutdown(void) {
  if (!try_lock_control()) return FLAMELET_ERROR_BUSY;
  if (state() == State::kStopped) {
    unlock_control();
    return FLAMELET_ERROR_NOT_INITIALIZED;
  }
  if (state() == State::kRunning) drain_switches();  // for those who read the ring's file
  set_state(State::kStopping);
  set_mode(FLAMELET_MODE_OFF_);
  // Calls that hold the session finish; new ones see the state.
  bool quiet = wait_for(kShutdownWaitNs, [] { return recorder.users.load_seq_cst() == 0; });
  if (quiet) {
    set_mode(FLAMELET_MODE_OFF_);  // again, for tracks that were claimed by one of those calls
    // With it, "depth is not busy" also means "and the thread sees its mode cleared before it is busy again", at no cost to
    // the record path.
    const bool barrier = recorder.barrier_works && process_barrier();
    quiet = wait_for(kShutdownWaitNs, [barrier] { return threads_are_outside(barrier); });
  }
  if (!quiet) {
    unlock_control();
    return FLAMELET_ERROR_THREADS_RUNNING;
  }
  end_thread_times();
  end_switches();
  end_ring_file();
  give_block_back();
  set_state(State::kStopped);
  unlock_control();
  return FLAMELET_OK;
}

void flamelet_set_enabled(bool enabled) {
  lock_control();
  if (state() == State::kRunning) {
    const uint32_t mode = enabled ? FLAMELET_MODE_CALLS_ : FLAMELET_MODE_ENDS_;
    if (recorder.mode.load_relaxed() != mode) {
      frame_marks.partial.store_relaxed(1);
      frame_marks.switches.fetch_add_relaxed(1);
      set_mode(mode);
    }
  }
  unlock_control();
}

bool flamelet_enabled(void) {
  return recorder.mode.load_relaxed() == FLAMELET_MODE_CALLS_;
}

uint64_t flamelet_now_ticks(void) {
  const SessionGuard guard;
  if (!guard) return 0;
  const uint64_t now = recorder.clock.now_ticks();
  return now;
}

uint32_t flamelet_session_(void) {
  const SessionGuard guard;
  return guard ? recorder.session.load_relaxed() : 0;
}

flamelet_clock flamelet_clock_info(void) {
  flamelet_clock info = {};
  const SessionGuard guard;
  if (!guard) return info;
  info = recorder.clock.info();
  return info;
}

// ---- How this library was built -----------------------------------------------------------------------------------

#define FLAMELET_TEXT2_(x) #x
#define FLAMELET_TEXT_(x) FLAMELET_TEXT2_(x)
#define FLAMELET_NUMBERS_(a, b, c) FLAMELET_TEXT_(a) "." FLAMELET_TEXT_(b) "." FLAMELET_TEXT_(c)

#if defined(__clang__)
#define FLAMELET_COMPILER_ "clang++ " FLAMELET_NUMBERS_(__clang_major__, __clang_minor__, __clang_patchlevel__)
#elif defined(__GNUC__)
#define FLAMELET_COMPILER_ "g++ " FLAMELET_NUMBERS_(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#elif defined(_MSC_VER)
#define FLAMELET_COMPILER_ "MSVC " FLAMELET_TEXT_(_MSC_VER)
#else
#define FLAMELET_COMPILER_ "another compiler"
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define FLAMELET_CPU_ "x86-64"
#elif defined(__aarch64__) || defined(_M_ARM64)
#define FLAMELET_CPU_ "ARM64"
#elif defined(__i386__) || defined(_M_IX86)
#define FLAMELET_CPU_ "x86"
#elif defined(__arm__)
#define FLAMELET_CPU_ "ARM"
#elif defined(__riscv)
#define FLAMELET_CPU_ "RISC-V"
#elif defined(__wasm__)
#define FLAMELET_CPU_ "WebAssembly"
#else
#define FLAMELET_CPU_ "another processor"
#endif

#ifdef FLAMELET_INLINE_RECORD_
#define FLAMELET_PATH_ "inlined scopes"
#else
#define FLAMELET_PATH_ "scopes by call"
#endif

#if defined(__GNUC__) && !defined(__OPTIMIZE__)
#define FLAMELET_OPTIMIZED_ "not optimized"
#else
#define FLAMELET_OPTIMIZED_ "optimized"
#endif

namespace flamelet {

BuildInfo describe_build(const char* note) {
  BuildInfo info = {};
  constexpr char kLibrary[] = "Flamelet " FLAMELET_NUMBERS_(
      FLAMELET_VERSION_MAJOR, FLAMELET_VERSION_MINOR,
      FLAMELET_VERSION_PATCH) ", " FLAMELET_COMPILER_ ", " FLAMELET_CPU_ ", " FLAMELET_PATH_ ", " FLAMELET_OPTIMIZED_;
  static_assert(sizeof kLibrary <= sizeof info.library, "it has room");
  memcpy(info.library, kLibrary, sizeof kLibrary);
  const size_t size = note == nullptr ? 0 : strnlen(note, sizeof info.note - 1);
  if (size != 0) memcpy(info.note, note, size);
  return info;
}

BuildInfo checked(const BuildInfo& info) {
  BuildInfo whole = {};
  memcpy(whole.library, info.library, strnlen(info.library, sizeof whole.library - 1));
  memcpy(whole.note, info.note, strnlen(info.note, sizeof whole.note - 1));
  return whole;
}

}  // namespace flamelet

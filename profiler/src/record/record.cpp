// SPDX-License-Identifier: MIT
//
// record.cpp: the events, by the slow path: function calls, payloads, other clocks, and all that does not match.
#include <string.h>

#include "flamelet/detail/lock_calls.h"
#include "flamelet/file.h"
#include "record/names.h"
#include "record/session.h"
#include "record/thread.h"
#include "record/track.h"

namespace flamelet {
namespace {

uint64_t now() {
  return recorder.clock.now_ticks();
}

// How deep the open scope `id` is, from 1; 0 if it is not open here.
uint32_t find_open(const Track* track, uint32_t depth, flamelet_id id) {
  while (depth > 0 && track->head.open[depth] != id) --depth;
  return depth;
}

// A scope began inside `depth` others by this word, which is its id, unless an open one of the same site began in the same
// tick: no two that are open have one id. Its time stays what the clock said.
flamelet_id open_scope(Track* track, uint32_t depth, uint64_t ticks, uint64_t word) {
  flamelet_id id = word;
  while (find_open(track, depth, id) != 0) id += kSameWordStep;
  const uint32_t level = depth + 1;
  if (id != word || track->known_word[level] == id) {
    as_atomic(track->known_word[level]).store_relaxed(id);
    as_atomic(track->known_ticks[level]).store_relaxed(ticks);
  }
  as_atomic(track->head.open[level]).store_relaxed(id);
  return id;
}

// Begins on an entered track; the depth comes back one higher. 0: dropped, and the depth is as before.
flamelet_id begin_on(Track* track, uint32_t* depth, WordType type, uint32_t site, uint64_t strings,
                     uint64_t now_ticks) {
  if (*depth >= FLAMELET_MAX_DEPTH) {
    count_drop(track, kDroppedDepth);
    return 0;
  }
  const uint64_t code = make_code(type, site);
  const bool with = type == WordType::kBeginWith;
  if (!append(track, *depth, now_ticks, code, &strings, with ? 1 : 0)) return 0;
  const flamelet_id id = open_scope(track, *depth, now_ticks, now_ticks + code);
  ++*depth;
  if (with) as_atomic(track->strings[*depth]).store_relaxed(strings);
  return id;
}

flamelet_id begin_on(Track* track, uint32_t* depth, WordType type, uint32_t site, uint64_t strings) {
  return begin_on(track, depth, type, site, strings, now());
}

// Ends scope number `level` and all inside it. At tick 0 a plain end would be the word 0, as what is not written.
void end_on(Track* track, uint32_t* depth, uint32_t level, uint64_t ticks) {
  if (level == *depth && ticks != 0) {
    append(track, *depth, ticks);
  } else {
    track->counts.add(kMissingEnds, *depth - level);
    append(track, *depth, ticks, make_code(WordType::kEndTo, level - 1));
  }
  *depth = level - 1;
}

// On an entered track, which it leaves.
__attribute__((cold, noinline)) void ignore_end(Track* track, uint32_t depth) {
  count_drop(track, kExtraEnds);
  leave(track, depth);
}

// As well.
void end_scope(Track* track, uint32_t depth, flamelet_id id, uint64_t ticks) {
  const uint32_t level = find_open(track, depth, id);
  if (level == 0) return ignore_end(track, depth);
  end_on(track, &depth, level, ticks);
  leave(track, depth);
}

// The site has registered, and its category is off. relaxed: a site that is switched on meanwhile begins with its next
// event.
bool is_known_off(const flamelet_site* site) {
  return static_cast<uint32_t>(as_atomic(site->word).load_relaxed()) ==
         (FLAMELET_SITE_OFF_ | recorder.site_number.load_relaxed());
}

// The site's id, or kSiteOff.
uint32_t site_id(flamelet_site* site) {
  const uint64_t word = as_atomic(site->word).load_relaxed();
  if (static_cast<uint32_t>(word) == recorder.site_number.load_relaxed())
    return static_cast<uint32_t>(word >> FLAMELET_CODE_SHIFT_) & 0xFFFFu;
  return is_known_off(site) ? kSiteOff : register_site(site);
}

// A dynamic name is not counted as interned on the spot.
uint32_t dynamic_string(const char* name) {
  if (name == nullptr) return 0;
  const uint32_t known = names.strings.id_of(name);
  return known != InternTable::kFull ? known : intern_object(name, strlen(name));
}

template <class Strings>
flamelet_id begin_site(flamelet_site* site, WordType type, Strings strings) {
  if (is_known_off(site)) return 0;
  uint32_t depth;
  Track* track = enter(Entry::kPair, &depth);
  if (track == nullptr) return 0;
  const uint32_t id = site_id(site);
  const flamelet_id scope = id == kSiteOff ? 0 : begin_on(track, &depth, type, id, strings(track));
  leave(track, depth);
  return scope;
}

// Ends `id` if it is open, and begins `site`, unless that is off, with the same timestamp. Without a track, a next to a
// begin that was dropped is one event, because its end is counted; else it is a begin.
template <class SiteId>
flamelet_id next_on(flamelet_id id, bool was_dropped, SiteId site) {
  uint32_t depth;
  Track* track = enter(was_dropped ? Entry::kNew : Entry::kPair, &depth);
  if (track == nullptr) {
    flamelet_scope_end_slow_(id);  // switched off: what was begun still ends
    return 0;
  }
  const uint32_t site_of_next = site();
  const uint32_t level = id == 0 ? 0 : find_open(track, depth, id);
  flamelet_id scope = 0;
  if (level != 0 && level == depth && site_of_next != kSiteOff) {
    const uint64_t code = make_code(WordType::kNext, site_of_next), ticks = now();
    if (append(track, depth, ticks, code))
      scope = open_scope(track, depth - 1, ticks, ticks + code);
    else
      --depth;
  } else {
    if (level != 0)
      end_on(track, &depth, level, now());
    else if (id != 0)
      count_drop(track, kExtraEnds);
    if (site_of_next != kSiteOff) scope = begin_on(track, &depth, WordType::kBegin, site_of_next, 0);
  }
  leave(track, depth);
  return scope;
}

// An end on a thread that has recorded nothing. relaxed: a count.
void count_end_without_track() {
  if (current_head() == &unregistered_head && recorder.mode.load_relaxed() != FLAMELET_MODE_OFF_)
    count_drop(nullptr, kExtraEnds);
}

void point(Track* track, uint32_t depth, WordType type, uint32_t site, uint64_t payload) {
  if (site != kSiteOff) append(track, depth, now(), make_code(type, site), &payload, 1);
  leave(track, depth);
}

void instant(Track* track, uint32_t depth, uint32_t site, const char* object) {
  point(track, depth, WordType::kInstant, site, site == kSiteOff ? 0 : make_strings(0, object_string(object)));
}

constexpr uint64_t flow_code(MoreType type) {
  return make_code(WordType::kMore, make_more_id(type, 1));
}

void flow(MoreType type, uint64_t id) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track == nullptr) return;
  append(track, depth, now(), flow_code(type), &id, 1);
  leave(track, depth);
}

// Sites of waits, by flamelet_wait_kind.
#define WAIT_SITE(name) \
  { 0, name, FLAMELET_WAIT_CATEGORY, "flamelet/lock.h", FLAMELET_WAIT_FUNCTION_, 0, 0 }
flamelet_site wait_sites[] = {WAIT_SITE("lock"),      WAIT_SITE("shared lock"), WAIT_SITE("condition"),
                              WAIT_SITE("semaphore"), WAIT_SITE("barrier"),     WAIT_SITE("thread")};
#undef WAIT_SITE
static_assert(sizeof wait_sites / sizeof wait_sites[0] == FLAMELET_WAIT_KINDS, "each kind has its site");

// Sites of calls to files, by flamelet_file_kind.
#define FILE_SITE(name) \
  { 0, name, FLAMELET_WAIT_CATEGORY, "flamelet/file.h", FLAMELET_FILE_FUNCTION_, 0, 0 }
flamelet_site file_sites[] = {FILE_SITE("read"), FILE_SITE("write"), FILE_SITE("open"), FILE_SITE("sync")};
#undef FILE_SITE
static_assert(sizeof file_sites / sizeof file_sites[0] == FLAMELET_FILE_KINDS, "each kind has its site");

// Events so far of the calling thread in this session.
uint64_t events_of_thread() {
  return this_thread_id() != 0 ? events_of(*track_of(current_head())) : 0;
}

uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

// ---- Scopes of macros --------------------------------------------------------------------------------------------

flamelet_id flamelet_scope_begin_slow_(flamelet_site* site) {
  return begin_site(site, WordType::kBegin, [](Track*) { return uint64_t{0}; });
}

flamelet_id flamelet_scope_begin_with_slow_(flamelet_site* site, const char* name, const char* object) {
  if (name == nullptr && object == nullptr) return flamelet_scope_begin_slow_(site);
  return begin_site(site, WordType::kBeginWith,
                    [=](Track*) { return make_strings(dynamic_string(name), object_string(object)); });
}

void flamelet_scope_end_slow_(flamelet_id id) {
  if (id == 0) return;
  uint32_t depth;
  Track* track = enter(Entry::kEnd, &depth);
  if (track == nullptr) return count_end_without_track();
  end_scope(track, depth, id, now());
}

flamelet_id flamelet_scope_next_slow_(flamelet_id id, flamelet_site* site) {
  return next_on(id, id == 0, [site] { return site_id(site); });
}

void flamelet_site_instant_slow_(flamelet_site* site, const char* object) {
  if (is_known_off(site)) return;
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track != nullptr) instant(track, depth, site_id(site), object);
}

void flamelet_site_counter_slow_(flamelet_site* site, double value) {
  if (is_known_off(site)) return;
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track != nullptr) point(track, depth, WordType::kCounter, site_id(site), double_bits(value));
}

// ---- Calls -------------------------------------------------------------------------------------------------------

void flamelet::count_unrecorded() {
  flamelet_track_head_* head = current_head();
  const uint64_t depth = as_atomic(head->depth).load_relaxed();
  const bool is_off = as_atomic(head->gate).load_relaxed() == FLAMELET_GATE_OFF_;
  if (is_off || depth == FLAMELET_DEPTH_BUSY_)
    ++this_thread()->begun_unrecorded;
  else
    track_of(head)->unrecorded.begun(head->open, depth, 1);
}

bool flamelet::ends_unrecorded() {
  flamelet_thread_* thread = this_thread();
  if (thread->ended_unrecorded < thread->begun_unrecorded) {
    ++thread->ended_unrecorded;
    return true;
  }
  const uint64_t depth = as_atomic(thread->head->depth).load_relaxed();
  return depth != FLAMELET_DEPTH_BUSY_ && track_of(thread->head)->unrecorded.ended(thread->head->open, depth);
}

flamelet_id flamelet::begin_by_name(const char* name, const char* category, const char* object) {
  flamelet_id scope = 0;
  uint32_t depth;
  Track* track = enter(Entry::kPair, &depth);
  if (track != nullptr) {
    const uint32_t site = pointer_site(name, category);
    const WordType type = object != nullptr ? WordType::kBeginWith : WordType::kBegin;
    if (site != kSiteOff) scope = begin_on(track, &depth, type, site, make_strings(0, object_string(object)));
    leave(track, depth);
  }
  if (scope == 0) count_unrecorded();
  return scope;
}

#ifdef FLAMELET_INLINE_RECORD_
void flamelet_end_none_(void) {
  ends_unrecorded();
}
#endif

flamelet_id flamelet_next(flamelet_id id, const char* name, const char* category) {
  const bool was_dropped = id == 0 && ends_unrecorded();
  const flamelet_id scope = next_on(id, was_dropped, [name, category] { return pointer_site(name, category); });
  if (scope == 0) count_unrecorded();
  return scope;
}

void flamelet_end_top(void) {
  uint32_t depth;
  Track* track = enter(Entry::kEnd, &depth);
  if (track == nullptr) {
    if (!ends_unrecorded()) count_end_without_track();
    return;
  }
  if (!track->unrecorded.ended(track->head.open, depth)) {
    if (depth != 0)
      end_on(track, &depth, depth, now());
    else
      count_drop(track, kExtraEnds);
  }
  leave(track, depth);
}

void flamelet_instant(const char* name, const char* category, const char* object) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track != nullptr) instant(track, depth, pointer_site(name, category), object);
}

void flamelet_counter(const char* name, const char* category, double value) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track == nullptr) return;
  point(track, depth, WordType::kCounter, pointer_site(name, category), double_bits(value));
}

flamelet_id flamelet_interval_begin(const char* name, const char* category, const char* object) {
  uint32_t depth;
  Track* track = enter(Entry::kPair, &depth);
  if (track == nullptr) return 0;
  flamelet_id id = 0;
  const uint32_t site = pointer_site(name, category);
  if (site != kSiteOff) {
    const uint64_t strings = make_interval_strings(make_strings(0, object_string(object)),
                                                   static_cast<uint32_t>(track - tracks), track->starts++);
    const uint64_t code = make_code(WordType::kStart, site), ticks = now();
    if (append(track, depth, ticks, code, &strings, 1)) id = interval_id(ticks + code, strings);
  }
  leave(track, depth);
  return id;
}

void flamelet_interval_end(flamelet_id id) {
  if (id == 0) return;
  uint32_t depth;
  Track* track = enter(Entry::kFinish, &depth);
  if (track != nullptr) point(track, depth, WordType::kFinish, 0, id);
}

// ---- Locks -------------------------------------------------------------------------------------------------------

// Whether the thread is in a wait that is recorded already: flamelet::Mutex waits for a lock of the system's, whose wait the
// preloaded library would record once more.
static bool is_in_wait() {
  if (this_thread_id() == 0) return false;
  flamelet_track_head_* const head = current_head();
  const uint64_t depth = as_atomic(head->depth).load_relaxed();
  return depth != 0 && depth <= FLAMELET_MAX_DEPTH && head->open[depth] == track_of(head)->wait;
}

// Nobody holds a thread's end: the holder is the thread, whose name goes before that of the lock. Apart, so that other waits
// take no more than a branch for it.
__attribute__((noinline)) static flamelet_id begin_join(flamelet_lock* lock) {
  return begin_site(&wait_sites[FLAMELET_WAIT_THREAD], WordType::kBeginWith, [lock](Track*) {
    const char* name = as_atomic(lock->name).load_acquire();
    const void* const holder = as_atomic(lock->holder_).load_relaxed();
    const uint32_t end = holder == nullptr ? 0 : end_string(holder);
    return make_strings(end != 0 ? end : dynamic_string(name), 0);
  });
}

flamelet_wait flamelet::begin_join_since(flamelet_lock* lock, flamelet_file_call since) {
  if (since.ticks_ == 0 || flamelet_is_off_() || is_in_wait() || since.ticks_ < flamelet_clock_info().origin_ticks ||
      current_head() != since.track_ || events_of_thread() != since.events_)
    return flamelet_wait_begin(lock, FLAMELET_WAIT_THREAD);
  uint32_t depth;
  Track* track = enter(Entry::kPair, &depth);
  if (track == nullptr) return {0, 0, 0};
  flamelet_wait wait = {0, as_atomic(lock->hand_over_).load_relaxed(), 1};
  const uint32_t site = site_id(&wait_sites[FLAMELET_WAIT_THREAD]);
  if (site != kSiteOff) {
    const uint64_t base_ticks = track->base_ticks.load_relaxed();  // of a page that began meanwhile
    wait.id = begin_on(track, &depth, WordType::kBeginWith, site,
                       make_strings(dynamic_string(as_atomic(lock->name).load_acquire()), 0),
                       since.ticks_ > base_ticks ? since.ticks_ : base_ticks);
  }
  leave(track, depth);
  if (wait.id == 0) return wait;
  as_atomic(lock->waiting_).fetch_add_seq_cst(wait.counted_);
  track->wait = wait.id;
  return wait;
}

flamelet_wait flamelet_wait_begin(flamelet_lock* lock, flamelet_wait_kind kind) {
  if (flamelet_is_off_() || static_cast<uint32_t>(kind) >= FLAMELET_WAIT_KINDS || is_in_wait()) return {0, 0, 0};
  // relaxed: what is handed over later is another one. The thread waits from here on, so that a release meanwhile has its
  // flow.
  flamelet_wait wait = {0, as_atomic(lock->hand_over_).load_relaxed(),
                        kind == FLAMELET_WAIT_SHARED_LOCK ? 0x10000u : 1u};
  as_atomic(lock->waiting_).fetch_add_seq_cst(wait.counted_);
  wait.id = kind == FLAMELET_WAIT_THREAD
                ? begin_join(lock)
                : begin_site(&wait_sites[kind], WordType::kBeginWith, [lock](Track* track) {
                    // acquire: who gives it another name wrote that before.
                    const char* name = as_atomic(lock->name).load_acquire();
                    return make_strings(dynamic_string(name),
                                        holder_string(as_atomic(lock->holder_).load_relaxed(),
                                                      as_atomic(lock->fiber_).load_relaxed(), &track->holder));
                  });
  if (wait.id == 0)
    as_atomic(lock->waiting_).fetch_sub_relaxed(wait.counted_);
  else
    track_of(current_head())->wait = wait.id;
  return wait;
}

void flamelet_wait_end(flamelet_lock* lock, flamelet_wait wait, bool got) {
  if (wait.id == 0) return;
  as_atomic(lock->waiting_).fetch_sub_relaxed(wait.counted_);
  // relaxed: who released the lock wrote it before, and what else orders it does not matter.
  const uint64_t hand_over = as_atomic(lock->hand_over_).load_relaxed();
  uint32_t depth;
  Track* track = enter(Entry::kEnd, &depth);
  if (track == nullptr) return;
  const uint64_t ticks = now();
  if (got && hand_over != wait.hand_over_) append(track, depth, ticks, flow_code(MoreType::kFlowEnd), &hand_over, 1);
  end_scope(track, depth, wait.id, ticks);
}

void flamelet_hand_over_(flamelet_lock* lock) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track == nullptr) return;
  const uint64_t id = hand_over_id(track->id.load_relaxed(), ++track->hand_overs);
  append(track, depth, now(), flow_code(MoreType::kFlowBegin), &id, 1);
  leave(track, depth);
  as_atomic(lock->hand_over_).store_relaxed(id);  // the lock orders it
}

// ---- Files -------------------------------------------------------------------------------------------------------

flamelet_file_call flamelet_file_begin(void) {
  if (flamelet_is_off_()) return {0, 0, nullptr};
  return {flamelet_now_ticks(), events_of_thread(), current_head()};
}

// The scope begins in the past: after all that the thread recorded before, because nothing came meanwhile.
void flamelet_file_end(flamelet_file_call call, flamelet_file_kind kind, const char* file, int64_t least_ns) {
  if (call.ticks_ == 0 || flamelet_is_off_() || static_cast<uint32_t>(kind) >= FLAMELET_FILE_KINDS) return;
  if (is_known_off(&file_sites[kind])) return;
  const uint64_t end_ticks = flamelet_now_ticks();
  const flamelet_clock clock = flamelet_clock_info();
  const double took_ns = static_cast<double>(end_ticks - call.ticks_) / clock.ticks_per_second * 1e9;
  if (took_ns < static_cast<double>(least_ns) || call.ticks_ < clock.origin_ticks) return;
  if (current_head() != call.track_ || events_of_thread() != call.events_) return;
  uint32_t depth;
  Track* track = enter(Entry::kPair, &depth);
  if (track == nullptr) return;
  const uint32_t site = site_id(&file_sites[kind]);
  if (site != kSiteOff) {
    const uint64_t base_ticks = track->base_ticks.load_relaxed();  // of a page that began meanwhile
    const uint64_t ticks = call.ticks_ > base_ticks ? call.ticks_ : base_ticks;
    const flamelet_id id =
        begin_on(track, &depth, WordType::kBeginWith, site, make_strings(0, dynamic_string(file)), ticks);
    if (id != 0) end_on(track, &depth, depth, now());
  }
  leave(track, depth);
}

void flamelet_flow_begin(uint64_t id) {
  flow(MoreType::kFlowBegin, id);
}

void flamelet_flow_end(uint64_t id) {
  flow(MoreType::kFlowEnd, id);
}

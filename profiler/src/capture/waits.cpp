// SPDX-License-Identifier: MIT
//
// waits.cpp: reads stretch of time by stretch of time. In each the waits of all lanes are sorted by their begins; so it is
// halved until they fit, and doubled again behind it. Convoys go on from one stretch into the next.
#include "flamelet/waits.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "flamelet/detail/lock_calls.h"
#include "flamelet/detail/sums.h"
#include "flamelet/detail/text.h"
#include "platform/engine_memory.h"
#include "platform/hash_index.h"

namespace flamelet {
namespace {

struct OneWait {
  int64_t begin_ns, end_ns;
  uint32_t lane, site, name, object;
  bool again;  // another piece of one that a switch of fibers interrupted
};

// How long threads waited for a lock of one holder, or one thread for a lock.
struct WaitPart {
  uint32_t lock;     // a row
  uint32_t who;      // a string, or a lane with kIsLane
  uint32_t stretch;  // of the lock's convoy in which it was last, from 1 on
  int64_t ns, stretch_ns;
};
constexpr uint32_t kIsLane = 1u << 31;
constexpr uint32_t kPartsOfLock = 13;
constexpr uint32_t kMostSites = 1u << 16;

// What may become a convoy.
struct WaitStretch {
  flamelet_lock_waits sums;
  uint32_t number;
};

}  // namespace
}  // namespace flamelet

struct flamelet_waits {
  flamelet_lock_waits* rows;  // the locks, and room for as many convoys
  flamelet_lock_waits* convoys;
  flamelet::WaitStretch* stretches;  // of each lock
  flamelet::WaitPart* parts;
  flamelet::OneWait* waits;
  uint64_t* wait_sites;  // a bit a site
  flamelet::HashIndex lock_index, part_index;
  uint32_t max_locks, max_waits;
  uint32_t lock_count, convoy_count, part_count, wait_count;
  uint64_t all_waits, left_out, convoys_left_out;
  const flamelet_capture* capture;
  uint64_t version;
  int64_t begin_ns, next_ns, end_ns, step_ns;  // of the window; of what was not read yet; how much is tried next
  bool is_at_end;
};

namespace flamelet {
namespace {

constexpr size_t kWaitsAlignment = alignof(flamelet_waits);

size_t lay_out_waits(uint32_t max_locks, uint32_t max_waits, char* base, flamelet_waits* to) {
  const uint32_t max_parts = kPartsOfLock * max_locks;
  Carver carver(base);
  carver.take<flamelet_waits>(1);
  to->rows = carver.take<flamelet_lock_waits>(2 * max_locks);
  to->convoys = carver.take<flamelet_lock_waits>(max_locks);
  to->stretches = carver.take<WaitStretch>(max_locks);
  to->parts = carver.take<WaitPart>(max_parts);
  to->waits = carver.take<OneWait>(max_waits);
  to->wait_sites = carver.take<uint64_t>(kMostSites / 64);
  uint32_t* lock_slots = carver.take<uint32_t>(HashIndex::slots_for(max_locks));
  uint32_t* part_slots = carver.take<uint32_t>(HashIndex::slots_for(max_parts));
  if (base != nullptr) {
    to->lock_index.attach(lock_slots, HashIndex::slots_for(max_locks));
    to->part_index.attach(part_slots, HashIndex::slots_for(max_parts));
  }
  return carver.used();
}

void know_wait_sites(flamelet_waits* waits) {
  memset(waits->wait_sites, 0, kMostSites / 8);
  const size_t sites = std::min<size_t>(flamelet_capture_site_count(waits->capture), kMostSites);
  flamelet_site_info site;
  for (uint32_t i = 0; i < sites; ++i)
    if (flamelet_capture_site(waits->capture, i, &site) && view_of(site.category) == FLAMELET_WAIT_CATEGORY &&
        view_of(site.function) == FLAMELET_WAIT_FUNCTION_)
      waits->wait_sites[i / 64] |= uint64_t{1} << (i % 64);
}

bool is_of_lock(const flamelet_waits& waits, const flamelet_span& span) {
  return span.site < kMostSites && (waits.wait_sites[span.site / 64] >> (span.site % 64) & 1) != 0 &&
         (span.flags & FLAMELET_SPAN_AGAIN) == 0;
}

// The waits that begin in the stretch, on all threads. False: there are too many, or too many spans.
bool gather(flamelet_waits* waits, int64_t end_ns, flamelet_span* spans, size_t capacity, size_t most) {
  const bool is_shortest = waits->step_ns <= 1;
  size_t read = 0;
  flamelet_lane_info info;
  waits->wait_count = 0;
  for (uint32_t lane = 0; flamelet_capture_lane(waits->capture, lane, &info); ++lane) {
    if (info.kind != FLAMELET_LANE_THREAD) continue;  // fibers stand on the lanes of their threads, too
    flamelet_span_cursor cursor;
    flamelet_span_cursor_start(&cursor, waits->capture, lane, waits->next_ns, end_ns, spans, capacity);
    while (flamelet_span_cursor_next(&cursor)) {
      read += cursor.count;
      if (read > most && !is_shortest) return false;
      for (size_t i = cursor.again; i < cursor.count; ++i) {
        const flamelet_span& span = cursor.spans[i];
        const bool counted_before = span.begin_ns < waits->next_ns && waits->next_ns != waits->begin_ns;
        if (!is_of_lock(*waits, span) || counted_before) continue;
        if (waits->wait_count == waits->max_waits) {
          if (!is_shortest) return false;
          ++waits->left_out;
          continue;
        }
        waits->waits[waits->wait_count++] = {span.begin_ns,
                                             span.end_ns,
                                             lane,
                                             span.site,
                                             span.name,
                                             span.object,
                                             (span.flags & FLAMELET_SPAN_RESUMED) != 0};
      }
    }
    if (cursor.result == FLAMELET_ERROR_CHANGED) waits->is_at_end = true;
    waits->left_out += cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL;  // nested deeper than can be read
  }
  return true;
}

uint32_t find_or_add_lock(flamelet_waits* waits, const OneWait& wait) {
  const uint32_t hash = hash_of_key(uint64_t{wait.site} << 32 | wait.name);
  const uint32_t found = waits->lock_index.find(
      hash, [&](uint32_t lock) { return waits->rows[lock].site == wait.site && waits->rows[lock].name == wait.name; });
  if (found != HashIndex::kNone || waits->lock_count == waits->max_locks) return found;
  const uint32_t lock = waits->lock_count++;
  waits->lock_index.add(hash, lock);
  waits->rows[lock] = {};
  waits->stretches[lock] = {};
  return lock;
}

WaitPart* find_or_add_part(flamelet_waits* waits, uint32_t lock, uint32_t who) {
  const uint32_t hash = hash_of_key(uint64_t{lock} << 32 | who);
  const uint32_t found = waits->part_index.find(
      hash, [&](uint32_t part) { return waits->parts[part].lock == lock && waits->parts[part].who == who; });
  if (found != HashIndex::kNone) return &waits->parts[found];
  if (waits->part_count == kPartsOfLock * waits->max_locks) return nullptr;
  waits->part_index.add(hash, waits->part_count);
  WaitPart* part = &waits->parts[waits->part_count++];
  *part = {lock, who, 0, 0, 0};
  return part;
}

void add_wait(flamelet_lock_waits* row, const OneWait& wait) {
  const int64_t ns = wait.end_ns - wait.begin_ns;
  if (row->waits == 0) row->begin_ns = row->end_ns = wait.begin_ns;
  row->site = wait.site;
  row->name = wait.name;
  row->waits += !wait.again || row->waits == 0;
  row->total_ns = add_saturating(row->total_ns, ns);
  row->end_ns = std::max(row->end_ns, wait.end_ns);
  if (ns < row->longest_ns) return;
  row->longest_ns = ns;
  row->longest_begin_ns = wait.begin_ns;
  row->longest_lane = wait.lane;
  row->longest_holder = wait.object;
}

// Keeps it if it is one, in place of the shortest if there is no room.
// Idle workers wait at one condition, too, and are no convoy.
bool is_lock(const flamelet_waits& waits, uint32_t site) {
  flamelet_site_info info;
  if (!flamelet_capture_site(waits.capture, site, &info)) return false;
  return strcmp(info.name.text, "lock") == 0 || strcmp(info.name.text, "shared lock") == 0;
}

void end_stretch(flamelet_waits* waits, WaitStretch* stretch) {
  flamelet_lock_waits& sums = stretch->sums;
  if (sums.threads >= FLAMELET_WAITS_CONVOY && is_lock(*waits, sums.site)) {
    sums.is_convoy = true;
    flamelet_lock_waits* place = waits->convoys + waits->convoy_count;
    if (waits->convoy_count < waits->max_locks) {
      ++waits->convoy_count;
    } else {
      ++waits->convoys_left_out;
      place = std::min_element(
          waits->convoys, waits->convoys + waits->convoy_count,
          [](const flamelet_lock_waits& a, const flamelet_lock_waits& b) { return a.total_ns < b.total_ns; });
      if (place->total_ns >= sums.total_ns) place = nullptr;
    }
    if (place != nullptr) *place = sums;
  }
  sums = {};
  ++stretch->number;
}

// Who held the lock and who waited for it the longest. Each sum grows, so the largest so far is the largest of all.
void name_most(flamelet_lock_waits* row, uint32_t who, int64_t ns) {
  const bool is_lane = (who & kIsLane) != 0;
  if (ns < (is_lane ? row->waiter_ns : row->holder_ns)) return;
  (is_lane ? row->waiter : row->holder) = who & ~kIsLane;
  (is_lane ? row->waiter_ns : row->holder_ns) = ns;
}

void count_wait(flamelet_waits* waits, const OneWait& wait) {
  ++waits->all_waits;
  const uint32_t lock = find_or_add_lock(waits, wait);
  if (lock == HashIndex::kNone) {
    ++waits->left_out;
    return;
  }
  flamelet_lock_waits* row = &waits->rows[lock];
  WaitStretch* stretch = &waits->stretches[lock];
  if (stretch->sums.waits != 0 && wait.begin_ns > stretch->sums.end_ns) end_stretch(waits, stretch);
  add_wait(row, wait);
  add_wait(&stretch->sums, wait);
  for (const uint32_t who : {wait.object, wait.lane | kIsLane}) {
    WaitPart* part = who != 0 ? find_or_add_part(waits, lock, who) : nullptr;
    if (part == nullptr) continue;
    const bool is_lane = (who & kIsLane) != 0;
    row->threads += is_lane && part->stretch == 0;
    if (part->stretch != stretch->number + 1) {
      stretch->sums.threads += is_lane;
      part->stretch = stretch->number + 1;
      part->stretch_ns = 0;
    }
    part->ns = add_saturating(part->ns, wait.end_ns - wait.begin_ns);
    part->stretch_ns = add_saturating(part->stretch_ns, wait.end_ns - wait.begin_ns);
    name_most(row, who, part->ns);
    name_most(&stretch->sums, who, part->stretch_ns);
  }
}

void finish_waits(flamelet_waits* waits) {
  for (uint32_t lock = 0; lock < waits->lock_count; ++lock) end_stretch(waits, &waits->stretches[lock]);
  waits->is_at_end = true;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

size_t flamelet_waits_memory_required(uint32_t max_locks, uint32_t max_waits) {
  constexpr uint32_t kMost = 1u << 20;
  if (max_locks == 0 || max_waits == 0 || max_locks > kMost || max_waits > kMost) return 0;
  flamelet_waits measured;
  return lay_out_waits(max_locks, max_waits, nullptr, &measured) + kWaitsAlignment - 1;
}

flamelet_result flamelet_waits_create(uint32_t max_locks, uint32_t max_waits, void* memory, size_t memory_bytes,
                                      flamelet_waits** result) {
  const flamelet_result checked =
      check_memory(flamelet_waits_memory_required(max_locks, max_waits), memory, memory_bytes, result);
  if (checked != FLAMELET_OK) return checked;
  char* base = aligned_start(memory, kWaitsAlignment);
  flamelet_waits* waits = new (base) flamelet_waits();
  lay_out_waits(max_locks, max_waits, base, waits);
  waits->max_locks = max_locks;
  waits->max_waits = max_waits;
  waits->is_at_end = true;
  *result = waits;
  return FLAMELET_OK;
}

void flamelet_waits_begin(flamelet_waits* waits, const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  if (waits == nullptr) return;
  waits->lock_index.clear();
  waits->part_index.clear();
  waits->lock_count = waits->convoy_count = waits->part_count = 0;
  waits->all_waits = waits->left_out = waits->convoys_left_out = 0;
  waits->capture = capture;
  int64_t first_ns = 0, last_ns = 0;
  waits->is_at_end = capture == nullptr || !flamelet_capture_extent(capture, &first_ns, &last_ns);
  if (waits->is_at_end) return;
  waits->version = flamelet_capture_version(capture);
  waits->begin_ns = waits->next_ns = std::max(begin_ns, first_ns);
  waits->end_ns = std::min(end_ns, last_ns + 1);
  waits->step_ns = std::max<int64_t>(waits->end_ns - waits->begin_ns, 1);
  know_wait_sites(waits);
}

bool flamelet_waits_step(flamelet_waits* waits, flamelet_span* spans, size_t capacity, size_t most) {
  if (waits == nullptr || waits->is_at_end) return true;
  if (spans == nullptr || capacity < FLAMELET_CURSOR_LEAST ||
      flamelet_capture_version(waits->capture) != waits->version) {
    waits->is_at_end = true;
    return true;
  }
  const int64_t end_ns =
      waits->end_ns - waits->next_ns > waits->step_ns ? waits->next_ns + waits->step_ns : waits->end_ns;
  if (waits->next_ns < end_ns) {
    if (!gather(waits, end_ns, spans, capacity, most)) {
      waits->step_ns = std::max<int64_t>(waits->step_ns / 2, 1);
      return false;
    }
    std::sort(waits->waits, waits->waits + waits->wait_count, [](const OneWait& a, const OneWait& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.lane < b.lane;
    });
    for (uint32_t i = 0; i < waits->wait_count; ++i) count_wait(waits, waits->waits[i]);
    waits->next_ns = end_ns;
    waits->step_ns = std::min(2 * waits->step_ns, waits->end_ns - waits->begin_ns);
  }
  if (waits->next_ns >= waits->end_ns) finish_waits(waits);
  return waits->is_at_end;
}

flamelet_waits_summary flamelet_waits_result(flamelet_waits* waits) {
  if (waits == nullptr) return {};
  std::copy(waits->convoys, waits->convoys + waits->convoy_count, waits->rows + waits->lock_count);
  return {waits->rows,       size_t{waits->lock_count} + waits->convoy_count,
          waits->lock_count, waits->all_waits,
          waits->left_out,   waits->convoys_left_out};
}

int64_t flamelet_waits_value(const flamelet_lock_waits* row, flamelet_waits_column column) {
  switch (column) {
    case FLAMELET_WAITS_COUNT:
      return static_cast<int64_t>(row->waits);
    case FLAMELET_WAITS_TOTAL:
      return row->total_ns;
    case FLAMELET_WAITS_LONGEST:
      return row->longest_ns;
    case FLAMELET_WAITS_THREADS:
      return row->threads;
    case FLAMELET_WAITS_BEGIN:
      return row->begin_ns;
    case FLAMELET_WAITS_NAME:
      break;
  }
  return 0;
}

void flamelet_waits_sort(const flamelet_lock_waits* rows, size_t count, flamelet_waits_column column, bool descending,
                         const flamelet_capture* capture, uint32_t* order) {
  for (size_t i = 0; i < count; ++i) order[i] = static_cast<uint32_t>(i);
  const auto text_order = [capture](uint32_t a, uint32_t b) {
    return view_of(flamelet_capture_string(capture, a)).compare(view_of(flamelet_capture_string(capture, b)));
  };
  std::sort(order, order + count, [&](uint32_t index_a, uint32_t index_b) {
    const flamelet_lock_waits& a = rows[index_a];
    const flamelet_lock_waits& b = rows[index_b];
    const int text = column == FLAMELET_WAITS_NAME && a.name != b.name ? text_order(a.name, b.name) : 0;
    if (text != 0) return descending ? text > 0 : text < 0;
    const int64_t value_a = flamelet_waits_value(&a, column), value_b = flamelet_waits_value(&b, column);
    if (value_a != value_b) return descending ? value_a > value_b : value_a < value_b;
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : index_a < index_b;
  });
}

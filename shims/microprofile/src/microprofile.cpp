// SPDX-License-Identifier: MIT
#define FLAMELET_SHIM_NO_START  // the program's files do
#include "microprofile.h"

#include <string.h>

#include "platform/atomic.h"
#include "spin_lock.h"

namespace {

using flamelet::Atomic;

constexpr uint32_t kMaxCounters = 512;  // the last one is for all that find no room
constexpr const char* kCategory = "counter";

struct Counter {
  flamelet_site* site;
  Atomic<int64_t> value;
  const void* watched;  // read at each flip, under the lock
  uint32_t watched_bytes;
};
Counter counters[kMaxCounters] = {};
uint32_t counter_count = 0;
Atomic<uint32_t> lock;

// Tokens of counters are their numbers from 1, so that 0 is none.
Counter* counter_of(MicroProfileToken token) {
  return token >= 1 && token <= kMaxCounters ? &counters[token - 1] : nullptr;
}

void record(Counter* counter, double value) {
  flamelet_site_counter_(counter->site, value);
}

}  // namespace

MicroProfileToken MicroProfileGetToken(const char* group, const char* name, uint32_t color, MicroProfileTokenType,
                                       uint32_t) {
  flamelet_site* site = flamelet_site_create(name, "", "", 0, group, color & 0xFFFFFF);
  return static_cast<MicroProfileToken>(reinterpret_cast<uintptr_t>(site));
}

flamelet_site flamelet_microprofile::no_token_site = {0, "(no token)", "", "", "", 0, 0};

MicroProfileTimelineToken MicroProfileTimelineEnter(uint32_t, const char* name) {
  return flamelet_shim_section_begin(name, strlen(name));
}

MicroProfileTimelineToken MicroProfileTimelineEnterf(uint32_t, const char* format, ...) {
  FLAMELET_SHIM_FORMAT_(text, format);
  return flamelet_shim_section_begin(text.data(), text.size());
}

void MicroProfileTimelineLeave(MicroProfileTimelineToken token) {
  flamelet_shim_section_end(token);
}

void MicroProfileTimelineEnterStatic(uint32_t, const char* name) {
  flamelet_shim_frame_start(name);
}

void MicroProfileTimelineLeaveStatic(const char* name) {
  flamelet_shim_frame_end(name);
}

MicroProfileToken MicroProfileGetCounterToken(const char* name, uint32_t) {
  const flamelet::SpinGuard guard(lock);
  uint32_t place = 0;
  while (place < counter_count && strcmp(counters[place].site->name, name) != 0) ++place;
  const bool is_overflow = place >= kMaxCounters - 1;
  if (is_overflow) place = kMaxCounters - 1;
  if (place == counter_count)
    counters[counter_count++].site = flamelet_site_create(is_overflow ? "(overflow)" : name, "", "", 0, kCategory, 0);
  if (is_overflow) flamelet_shim_note_(FLAMELET_SHIM_NOTE_MICROPROFILE_COUNTERS_);
  return place + 1;
}

void MicroProfileCounterAdd(MicroProfileToken token, int64_t count) {
  Counter* counter = counter_of(token);
  if (counter != nullptr) record(counter, static_cast<double>(counter->value.fetch_add_relaxed(count) + count));
}

void MicroProfileCounterSet(MicroProfileToken token, int64_t count) {
  Counter* counter = counter_of(token);
  if (counter == nullptr) return;
  counter->value.store_relaxed(count);
  record(counter, static_cast<double>(count));
}

void MicroProfileCounterSetDouble(MicroProfileToken token, double value) {
  Counter* counter = counter_of(token);
  if (counter != nullptr) record(counter, value);
}

int64_t MicroProfileCounterGet(MicroProfileToken token) {
  const Counter* counter = counter_of(token);
  return counter != nullptr ? counter->value.load_relaxed() : 0;
}

void MicroProfileCounterSetPtr(const char* name, void* value, uint32_t size) {
  Counter* counter = counter_of(MicroProfileGetCounterToken(name, 0));
  const flamelet::SpinGuard guard(lock);
  counter->watched_bytes = size;
  counter->watched = value;
}

void MicroProfileFlip(void*, uint32_t) {
  {
    const flamelet::SpinGuard guard(lock);
    for (Counter& counter : counters) {
      if (counter.watched == nullptr) continue;
      int64_t wide;
      int32_t narrow;
      if (counter.watched_bytes == sizeof(narrow)) {
        memcpy(&narrow, counter.watched, sizeof(narrow));
        record(&counter, narrow);
      } else if (counter.watched_bytes == sizeof(wide)) {
        memcpy(&wide, counter.watched, sizeof(wide));
        record(&counter, static_cast<double>(wide));
      }
    }
  }
  flamelet_frame();
}

void MicroProfileOnThreadCreate(const char* name) {
  flamelet_shim_thread_name(name, 0);
}

// SPDX-License-Identifier: MIT
//
// How long the stress tests are, and events that tell by their number alone what they have to be.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "flamelet/scope.h"
#include "platform/process.h"
#include "profiler/record/event_log.h"
#include "record/names.h"
#include "record/session.h"
#include "record/thread.h"
#include "support/recording.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FLAMELET_TESTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FLAMELET_TESTS_SANITIZED 1
#endif
#endif

namespace recorder_test {

// A count for this build: in full where the code is optimized, less in a debug build and under a sanitizer; and as many
// times more as FLAMELET_STRESS says.
inline uint64_t scaled(uint64_t count) {
  const char* asked = std::getenv("FLAMELET_STRESS");
  double scale = asked != nullptr ? std::strtod(asked, nullptr) : 1;
#if FLAMELET_TESTS_SANITIZED
  scale /= 20;
#elif !defined(NDEBUG)
  scale /= 4;
#endif
  const double result = static_cast<double>(count) * scale;
  return result < 1 ? 1 : static_cast<uint64_t>(result);
}

// The shutdown waits a second for threads that are inside the recorder. On a busy machine one of them may not run for
// longer: then it says so, and is called again.
inline flamelet_result stop_recorder() {
  flamelet_result result = FLAMELET_ERROR_THREADS_RUNNING;
  for (int i = 0; i < 100 && result == FLAMELET_ERROR_THREADS_RUNNING; ++i) result = flamelet_shutdown();
  return result;
}

// Memory that is overwritten when it is given back: who reads it later reads nonsense, and a sanitizer says who.
struct PoisonedHeap {
  std::atomic<uint32_t> allocations{0};
  std::atomic<uint32_t> frees{0};

  static void* allocate(void* self, size_t size, size_t alignment) {
    ++static_cast<PoisonedHeap*>(self)->allocations;
    return flamelet::allocate_aligned(size, alignment);
  }
  static void free(void* self, void* memory, size_t size, size_t) {
    ++static_cast<PoisonedHeap*>(self)->frees;
    std::memset(memory, 0xDD, size);
    flamelet::free_aligned(memory);
  }
  flamelet_config in(flamelet_config config) {
    config.allocator = {allocate, free, this};
    return config;
  }
};

// ---- The pattern -------------------------------------------------------------------------------------------------
//
// A thread's event number n is known from n and the track's id: first some scopes that stay open, then the same 16
// events again and again, with values that follow from the number. So a reader can check each event by itself.

constexpr uint32_t kPatternEvents = 16;

inline uint32_t open_scopes_of(uint32_t track) {
  return track * 7 % 100;
}
inline uint64_t value_of(uint32_t track, uint64_t number) {
  uint64_t mixed = (number + (uint64_t{track} << 40)) * 0x9E3779B97F4A7C15u;
  mixed ^= mixed >> 29;
  return mixed * 0xBF58476D1CE4E5B9u;
}

// The sites of the pattern, registered before any thread uses them, so that their ids are known.
class Pattern {
 public:
  enum Site { kOuter, kFirst, kSecond, kThird, kCounter, kInstant, kInterval, kSites };

  Pattern() {
    for (uint32_t i = 0; i < kSites; ++i) {
      sites_[i] = {0, "site", "", "", "", i, 0};
      flamelet_scope_end_(flamelet_scope_begin_(&sites_[i]));
      id_[i] = static_cast<uint32_t>(sites_[i].word >> FLAMELET_CODE_SHIFT_) & 0xFFFF;
    }
    object_ = flamelet_intern("object");
    name_ = flamelet_intern("name");
    strings_ = flamelet::make_strings(flamelet::intern_string(name_), flamelet::intern_string(object_));
    object_only_ = flamelet::make_strings(0, flamelet::intern_string(object_));
  }
  flamelet_site* site(Site which) { return &sites_[which]; }
  const char* object() const { return object_; }
  const char* name() const { return name_; }

  // Records events 0 .. count - 1 of the calling thread, which has recorded none yet.
  void record(uint64_t count) {
    const uint32_t track = flamelet_thread_id();
    uint64_t number = 0;
    for (; number < open_scopes_of(track) && number < count; ++number) flamelet_scope_begin_(site(kOuter));
    flamelet_id first = 0, second = 0, third = 0, interval = 0;
    for (uint32_t step = 0; number < count; ++number, step = (step + 1) % kPatternEvents) {
      switch (step) {
        case 0:
          first = flamelet_scope_begin_(site(kFirst));
          break;
        case 1:
        case 9:
          second = flamelet_scope_begin_(site(kSecond));
          break;
        case 2:
        case 13: {
          const uint64_t bits = value_of(track, number);
          double value;
          std::memcpy(&value, &bits, sizeof(value));
          flamelet_site_counter_(site(kCounter), value);
          break;
        }
        case 3:
          second = flamelet_scope_next_(second, site(kThird));
          break;
        case 4:
          third = flamelet_scope_begin_with_(site(kThird), name_, object_);
          break;
        case 5:
          flamelet_scope_end_(third);
          break;
        case 6:
          flamelet_site_instant_(site(kInstant), object_);
          break;
        case 7:
          flamelet_scope_end_(second);
          break;
        case 8:
          interval = flamelet_interval_begin("interval", "", object_);
          break;
        case 10:
          flamelet_scope_begin_(site(kThird));  // closed by the end of the one around it
          break;
        case 11:
          flamelet_scope_end_(second);
          break;
        case 12:
          flamelet_interval_end(interval);
          break;
        case 14:
          first = flamelet_scope_next_(first, site(kSecond));
          break;
        default:
          flamelet_scope_end_(first);
          break;
      }
    }
  }

  // NULL, or what is wrong with an event.
  const char* check(uint32_t track, const RawEvent& event) const {
    using flamelet::WordType;
    uint64_t number = event.index;
    if (number < open_scopes_of(track)) return is(event, WordType::kBegin, kOuter);
    number -= open_scopes_of(track);
    switch (number % kPatternEvents) {
      case 0:
        return is(event, WordType::kBegin, kFirst);
      case 1:
      case 9:
        return is(event, WordType::kBegin, kSecond);
      case 2:
      case 13:
        if (event.payload[0] != value_of(track, event.index)) return "another counter's value";
        return is(event, WordType::kCounter, kCounter);
      case 3:
        return is(event, WordType::kNext, kThird);
      case 4:
        if (event.payload[0] != strings_) return "other strings";
        return is(event, WordType::kBeginWith, kThird);
      case 5:
      case 7:
      case 15:
        return event.type == WordType::kEnd && event.id == 0 ? nullptr : "not an end";
      case 6:
        if (event.payload[0] != object_only_) return "another object";
        return is(event, WordType::kInstant, kInstant);
      case 8:
        if ((event.payload[0] & flamelet::kStringsMask) != object_only_) return "another object";
        return event.type == WordType::kStart ? nullptr : "not a start";
      case 10:
        return is(event, WordType::kBegin, kThird);
      case 11:
        return event.type == WordType::kEndTo && event.id == open_scopes_of(track) + 1 ? nullptr : "not an end to";
      case 12:
        return event.type == WordType::kFinish ? nullptr : "not a finish";
      default:
        return is(event, WordType::kNext, kSecond);
    }
  }

 private:
  const char* is(const RawEvent& event, flamelet::WordType type, Site site) const {
    if (event.type != type) return "another type";
    return event.id == id_[site] ? nullptr : "another site";
  }

  flamelet_site sites_[kSites];
  uint32_t id_[kSites];
  const char* object_;
  const char* name_;
  uint64_t strings_;
  uint64_t object_only_;
};

}  // namespace recorder_test

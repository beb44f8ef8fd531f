// SPDX-License-Identifier: MIT
//
// fake_backend.h: a graphics API whose clock, delays and failures a test scripts. It keeps the rules that a backend may
// rely on being kept, and counts every use of a query that breaks one: written without a reset, polled before it was
// written, used after destroy.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "flamelet/gpu_backend.h"

// What every scripted device has.
struct ScriptedGpu {
  static constexpr uint64_t kNever = UINT64_MAX;

  // ---- The script
  uint32_t counter_bits = 64;
  uint64_t now = 0;                                    // in any unit: readiness is compared with it
  std::function<uint64_t()> clock = [] { return 1; };  // the GPU's time, before it is cut to counter_bits
  std::function<void()> on_clock_read = [] {};         // before it is told
  // When the result of the n-th command will be there, and what it will be.
  std::function<uint64_t(uint64_t command)> ready_at = [](uint64_t) { return uint64_t{0}; };
  std::function<uint64_t(uint64_t command, uint64_t time)> result = [](uint64_t, uint64_t time) { return time; };

  // ---- What happened
  uint64_t commands = 0;  // timestamps, but those of Vulkan's calibration
  uint64_t calls = 0;     // all functions
  uint64_t misuses = 0;
  uint64_t clock_reads = 0;
  std::vector<std::string> groups;      // open now
  std::vector<std::string> all_groups;  // begun so far

 protected:
  uint64_t cut(uint64_t time) const { return counter_bits >= 64 ? time : time % (uint64_t{1} << counter_bits); }
  void open_group(const char* name, size_t length) {
    groups.emplace_back(name, length);
    all_groups.push_back(groups.back());
  }
  void close_group() {
    if (groups.empty())
      ++misuses;
    else
      groups.pop_back();
  }
};

struct FakeBackend : ScriptedGpu {
  struct Query {
    bool reset = true;
    bool issued = false;
    uint64_t time_ns = 0;
    uint64_t ready_at = 0;  // in `now`
    void* context = nullptr;
  };

  // ---- The script
  double ticks_per_second = 1e9;
  flamelet_result create_result = FLAMELET_OK;
  bool clock_works = true;
  bool needs_reset = true;  // set before create
  bool has_groups = true;
  bool is_disturbed = false;  // until it is asked

  // ---- What happened
  std::vector<Query> queries;  // empty before create and after destroy
  uint64_t resets = 0;         // of queries

  // Valid while this object lives.
  const flamelet_gpu_backend* table() {
    table_ = {sizeof(State), 1, create, destroy, write, poll, read_clock, reset, begin_group, end_group, was_disturbed};
    if (!needs_reset) table_.reset_queries = nullptr;
    if (!has_groups) {
      table_.begin_group = nullptr;
      table_.end_group = nullptr;
    }
    return &table_;
  }

 private:
  struct State {
    FakeBackend* fake;
  };
  static FakeBackend& of(void* state) {
    FakeBackend& fake = *static_cast<State*>(state)->fake;
    ++fake.calls;
    return fake;
  }

  static flamelet_result create(void* state, const void* setup, uint32_t query_count, flamelet_gpu_clock* clock) {
    FakeBackend* fake = const_cast<FakeBackend*>(static_cast<const FakeBackend*>(setup));
    // The room that was asked for is there, and zeroed.
    const char* bytes = static_cast<const char*>(state);
    for (size_t i = 0; i < sizeof(State) + query_count; ++i) fake->misuses += bytes[i] != 0;
    std::memset(static_cast<char*>(state) + sizeof(State), 0x5A, query_count);
    static_cast<State*>(state)->fake = fake;
    if (fake->create_result != FLAMELET_OK) return fake->create_result;
    fake->queries.assign(query_count, {});
    *clock = {fake->ticks_per_second, fake->counter_bits};
    return FLAMELET_OK;
  }
  static void destroy(void* state) {
    FakeBackend& fake = of(state);
    fake.misuses += fake.queries.empty();
    fake.queries.clear();
  }
  static void write(void* state, void* context, uint32_t query) {
    FakeBackend& fake = of(state);
    if (query >= fake.queries.size() || (fake.needs_reset && !fake.queries[query].reset)) {
      ++fake.misuses;
      return;
    }
    const uint64_t command = fake.commands++;
    fake.queries[query] = {false, true, fake.cut(fake.result(command, fake.clock())), fake.ready_at(command), context};
  }
  static bool poll(void* state, uint32_t query, uint64_t* time) {
    FakeBackend& fake = of(state);
    if (query >= fake.queries.size() || !fake.queries[query].issued) {
      ++fake.misuses;
      return false;
    }
    if (fake.queries[query].ready_at > fake.now) return false;
    *time = fake.queries[query].time_ns;
    return true;
  }
  static bool read_clock(void* state, uint64_t* time) {
    FakeBackend& fake = of(state);
    ++fake.clock_reads;
    fake.on_clock_read();
    *time = fake.cut(fake.clock());
    return fake.clock_works;
  }
  static void reset(void* state, void*, uint32_t first, uint32_t count) {
    FakeBackend& fake = of(state);
    if (count == 0 || first + count > fake.queries.size()) {
      ++fake.misuses;
      return;
    }
    for (uint32_t i = first; i < first + count; ++i) {
      fake.misuses += !fake.queries[i].issued;
      fake.queries[i] = {};
      ++fake.resets;
    }
  }
  static bool was_disturbed(void* state) {
    FakeBackend& fake = of(state);
    const bool is_disturbed = fake.is_disturbed;
    fake.is_disturbed = false;
    return is_disturbed;
  }
  static void begin_group(void* state, void*, const char* name, size_t length) {
    FakeBackend& fake = of(state);
    fake.misuses += std::strlen(name) != length;
    fake.open_group(name, length);
  }
  static void end_group(void* state, void*) { of(state).close_group(); }

  flamelet_gpu_backend table_ = {};
};

// SPDX-License-Identifier: MIT
#include "record/frame.h"

#include <string.h>

#include "flamelet/recorder.h"
#include "platform/machine.h"
#include "platform/process.h"
#include "record/session.h"
#include "record/thread.h"

namespace flamelet {
namespace {

// What was read last, and the values that were recorded last.
struct Machine {
  bool is_wanted, is_found, was_read;
  uint64_t read_ticks;
  MachineReading reading;
  double resident_mib, processor_mhz, limited_ms, host_ms, memory_ms;
};
Machine machine;

// A value that goes up and down a little all the time is recorded when it has changed by 1 %.
void record_level(const char* name, double value, double* recorded) {
  const double change = value < *recorded ? *recorded - value : value - *recorded;
  if (change * 100 <= *recorded) return;
  flamelet_counter(name, FLAMELET_MACHINE_CATEGORY, value);
  *recorded = value;
}

// How much since the reading before: nothing is recorded where it goes on being 0.
void record_growth(const char* name, uint64_t now, uint64_t before, double* recorded) {
  const double ms = now > before ? static_cast<double>(now - before) / 1e6 : 0;
  if (ms == 0 && *recorded == 0) return;
  flamelet_counter(name, FLAMELET_MACHINE_CATEGORY, ms);
  *recorded = ms;
}

void record_changes(const MachineReading& now, const MachineReading& before) {
  if ((now.known & kKnowsResident) != 0)
    record_level(FLAMELET_MACHINE_MEMORY, static_cast<double>(now.resident_bytes) / (1 << 20), &machine.resident_mib);
  if ((now.known & kKnowsProcessor) != 0)
    record_level(FLAMELET_MACHINE_CLOCK, static_cast<double>(now.processor_hz) / 1e6, &machine.processor_mhz);
  const uint32_t both = now.known & before.known;
  if ((both & kKnowsLimited) != 0)
    record_growth(FLAMELET_MACHINE_LIMITED, now.limited_ns, before.limited_ns, &machine.limited_ms);
  if ((both & kKnowsHost) != 0) record_growth(FLAMELET_MACHINE_HOST, now.host_ns, before.host_ns, &machine.host_ms);
  if ((both & kKnowsMemory) != 0)
    record_growth(FLAMELET_MACHINE_STALLED, now.memory_ns, before.memory_ns, &machine.memory_ms);
}

}  // namespace

void begin_machine() {
  machine = {};
  const char* const value = environment_of_user("FLAMELET_MACHINE_COUNTERS");
  machine.is_wanted = recorder.config.thread_times && recorder.clock.kind() != FLAMELET_CLOCK_INJECTED &&
                      (value == nullptr || strcmp(value, "off") != 0);
}

void record_machine() {
  constexpr double kSeconds = 0.1;
  if (!machine.is_wanted || recorder.mode.load_relaxed() != FLAMELET_MODE_CALLS_) return;
  const uint64_t now = recorder.clock.now_ticks();
  if (machine.was_read && static_cast<double>(now - machine.read_ticks) < kSeconds * recorder.clock.ticks_per_second())
    return;
  if (this_thread_id() == 0) return;  // a thread that only marks frames gets no lane by that
  if (!machine.is_found) find_machine();
  machine.is_found = true;
  const MachineReading before = machine.reading;
  read_machine(&machine.reading);
  if (machine.was_read) record_changes(machine.reading, before);
  machine.was_read = true;
  machine.read_ticks = now;
}

}  // namespace flamelet

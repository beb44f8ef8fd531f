// SPDX-License-Identifier: MIT
//
// notes.cpp: counts of what was accepted and ignored, and of what could not be right.
#include "flamelet_shim/calls.h"
#include "platform/atomic.h"

namespace flamelet {
namespace {

const char* const kTexts[] = {
    "ZoneColor: the colour of a zone is that of its macro",
    "call stacks (the depth of S macros, TRACY_CALLSTACK): not recorded",
    "FrameImage: not recorded",
    "TracyPlotConfig: the viewer chooses",
    "group hints of threads and fibers: not recorded",
    "TracyParameterRegister, TracyParameterSetup: no viewer sets them",
    "TracySourceCallbackRegister: sources are read from their files",
    "TracySetProgramName: a capture is named by its file",
    "TracySectionSetup, and categories of sections: not recorded",
    "TracyCBeginSamplingProfiling: there is no sampling",
    "frees of addresses that are not live in their pool",
    "allocations at an address that was live in its pool",
    "allocations that were not followed, because malloc() failed",
    "memory events told from within another one on the same thread: left out",
    "memory pools beyond 64: counted as \"other pools\"",
    "FrameMarkStart, MICROPROFILE_TIMELINE_ENTER_STATIC of a name that has no end yet, or of too many: left out",
    "FrameMarkEnd, MICROPROFILE_TIMELINE_LEAVE_STATIC without a start: left out",
    "fibers beyond the recorder's limit: their zones are on their threads",
    "colours of messages beyond 256: shown without",
    "sections beyond 4096 at one time: without an end",
    "TracySectionLeave, MICROPROFILE_TIMELINE_LEAVE of what is not open: left out",
    "zones in Vulkan's command buffers while another thread had zones open in their context: not on its lane",
    "OPTICK_STORAGE macros: flamelet_submit() records events of other sources",
    "OPTICK_SET_STATE_CHANGED_CALLBACK, Optick::AttachSummary, AttachFile: nothing connects",
    "OPTICK_SET_MEMORY_ALLOCATOR: flamelet_init() takes an allocator",
    "OPTICK_GPU macros: only their scopes on the CPU are recorded",
    "requests for microprofile's counters beyond 511: they share the one named (overflow)",
    "MICROPROFILE_COUNTER_CONFIG, _SET_LIMIT: the viewer chooses",
    "MICROPROFILE_REGISTER_GROUP, _FORCEENABLECPUGROUP: all groups are recorded",
    "MICROPROFILE_META_CPU: not recorded",
    "macros of microprofile for the GPU: not recorded",
    "profiler::OFF_RECURSIVE, ON_WITHOUT_CHILDREN: blocks inside are recorded by their own status",
    "profiler::startListen(): nothing connects",
    "EASY_SET_EVENT_TRACING_ENABLED and the like: the system's events are not traced",
    "EASY_VIN, EASY_UNIQUE_VIN: a value is known by its name",
    "flags of rmt_BeginCPUSample: each sample is recorded",
    "handlers in rmtSettings: never called",
    "samples of Remotery on the GPU, of which only the scopes on the CPU are recorded",
};
static_assert(sizeof(kTexts) / sizeof(kTexts[0]) == FLAMELET_SHIM_NOTE_KINDS_, "one text for each kind");

Atomic<uint64_t> counts[FLAMELET_SHIM_NOTE_KINDS_];

}  // namespace
}  // namespace flamelet

void flamelet_shim_note_(flamelet_shim_note_kind kind) {
  flamelet::counts[kind].fetch_add_relaxed(1);  // a count
}

size_t flamelet_shim_notes(flamelet_shim_note* notes, size_t capacity) {
  size_t found = 0;
  for (size_t kind = 0; kind < FLAMELET_SHIM_NOTE_KINDS_; ++kind) {
    const uint64_t count = flamelet::counts[kind].load_relaxed();
    if (count == 0) continue;
    if (found < capacity) notes[found] = {flamelet::kTexts[kind], count};
    ++found;
  }
  return found;
}

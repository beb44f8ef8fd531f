// SPDX-License-Identifier: MIT
//
// perfetto_fields.h: the field numbers and values of Perfetto's trace protocol that the exporter writes and the importer
// reads, one namespace for each message, and the words in which the two tell what that protocol has no field for.
#ifndef FLAMELET_EXPORT_SRC_PERFETTO_FIELDS_H
#define FLAMELET_EXPORT_SRC_PERFETTO_FIELDS_H

#include <cstdint>

#include "flamelet/capture.h"

namespace flamelet::formats::perfetto {

namespace trace {
enum : uint32_t { kPacket = 1 };
}
namespace packet {
enum : uint32_t {
  kFtraceEvents = 1,
  kProcessTree = 2,
  kTrustedUid = 3,
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTraceStats = 35,
  kIncrementalStateCleared = 41,
  kPreviousPacketDropped = 42,
  kProcessDescriptor = 43,  // of writers before there were tracks
  kThreadDescriptor = 44,   // of this sequence's thread
  kCompressedPackets = 50,  // with zlib
  kTimestampClock = 58,
  kDefaults = 59,
  kTrackDescriptor = 60,
  kTrustedPid = 79,
  kFirstOnSequence = 87,
  kMachineId = 98,         // none: the machine that wrote the trace, the host
  kRemoteClockSync = 107,  // of the packet's machine with the host
  kZstdCompressedPackets = 133,
};
// What says something of the trace, the machine or its programs, and is no event.
inline constexpr uint32_t kNoEvents[] = {33,  34,  36,  45,  46,  47,  48,  51,  61,  64,  67,  69,
                                         72,  78,  82,  83,  89,  90,  97,  105, 109, 111, 113, 123,
                                         124, 125, 126, 128, 130, 131, 134, 138, 139, 140};
enum : uint32_t { kStateCleared = 1, kNeedsState = 2 };  // sequence flags
}  // namespace packet
namespace defaults {
enum : uint32_t { kTrackEvent = 11, kTimestampClock = 58 };
}
namespace clock_snapshot {
enum : uint32_t { kClock = 1, kPrimaryTraceClock = 2 };
}
namespace remote_clock_sync {
enum : uint32_t { kSyncedClocks = 1 };
enum : uint32_t { kClientClocks = 2, kHostClocks = 3 };  // of one: snapshots, of the machine first
}  // namespace remote_clock_sync
namespace clock {
enum : uint32_t { kId = 1, kTimestamp = 2, kIsIncremental = 3, kUnitMultiplierNs = 4 };
enum : uint32_t {  // ids; from 64 to 127 they mean something on their own sequence only
  kRealtime = 1,
  kMonotonic = 3,
  kMonotonicRaw = 5,
  kBoottime = 6,
  kFirstOfSequence = 64,
  kLastOfSequence = 127,
};
}  // namespace clock
namespace interned {
enum : uint32_t {
  kCategory = 1,
  kEventName = 2,
  kAnnotationName = 3,
  kSourceLocation = 4,
  kAnnotationString = 29,
};
enum : uint32_t { kId = 1, kText = 2 };  // the same in every message of a text
}  // namespace interned
namespace source_location {
enum : uint32_t { kId = 1, kFile = 2, kFunction = 3, kLine = 4 };
}
namespace track {
enum : uint32_t {
  kUuid = 1,
  kName = 2,
  kProcess = 3,
  kThread = 4,
  kParentUuid = 5,
  kCounter = 8,
  kStaticName = 10,
  kChildOrdering = 11,
  kSiblingRank = 12,
  kAtraceName = 13,
  kDescription = 14,
  kSiblingMerge = 15,
};
enum : uint32_t { kExplicitOrder = 3, kMergeNone = 2 };
}  // namespace track
namespace process {
enum : uint32_t { kPid = 1, kCommandLine = 2, kName = 6 };
}
namespace thread {
enum : uint32_t { kPid = 1, kTid = 2, kName = 5, kReferenceUs = 6 };
}
namespace process_tree {
enum : uint32_t { kProcess = 1, kThread = 2 };
enum : uint32_t { kProcessPid = 1, kProcessCommandLine = 3 };
enum : uint32_t { kThreadTid = 1, kThreadName = 2, kThreadPid = 3 };
}  // namespace process_tree
namespace trace_stats {
enum : uint32_t { kBuffer = 1, kChunksDiscarded = 8, kPatchesDiscarded = 9 };
enum : uint32_t {  // of a buffer
  kBufferChunksOverwritten = 3,
  kBufferPatchesFailed = 6,
  kBufferChunksDiscarded = 18,
  kBufferPacketLoss = 19,
};
}  // namespace trace_stats
namespace counter {
enum : uint32_t { kType = 1, kUnit = 3, kUnitMultiplier = 4, kIsIncremental = 5, kUnitName = 6 };
enum : uint32_t { kThreadTime = 1, kThreadInstructions = 2 };  // types that have no name
enum : uint32_t { kTimeNs = 1, kSizeBytes = 3 };               // units
}  // namespace counter
namespace ftrace_bundle {  // of one processor
enum : uint32_t {
  kProcessor = 1,
  kEvent = 2,
  kLostEvents = 3,
  kCompactSched = 4,
  kClock = 5,
  kClockTimestamp = 6,  // of that clock
  kBootTimestamp = 7,   // at the same moment
};
enum : uint64_t { kClockBoot = 0, kClockGlobal = 2, kClockLocal = 3, kClockMonotonicRaw = 4 };  // else nobody knows
}  // namespace ftrace_bundle
namespace compact_sched {  // switches of one processor, as columns; a thread that is put on is the next one that is taken off
enum : uint32_t { kTimeSteps = 1, kPrevStates = 2, kNextPids = 3, kComms = 5, kNextComms = 6 };
}
namespace ftrace_event {
enum : uint32_t { kTimestamp = 1, kPid = 2, kPrint = 3, kSchedSwitch = 4 };
}
namespace print {
enum : uint32_t { kText = 2 };
}
namespace sched_switch {
enum : uint32_t {
  kPrevComm = 1,
  kPrevPid = 2,
  kPrevPrio = 3,
  kPrevState = 4,
  kNextComm = 5,
  kNextPid = 6,
  kNextPrio = 7
};
enum : int64_t { kStateRunnable = 0, kStateSleeps = 1, kSleepBits = 0xFF };  // any state but runnable, preempted or not
constexpr int32_t kIdle = 0;                                                 // a thread's number
constexpr int32_t kOthers = 1 << 30;                                         // Flamelet's own: whoever ran instead
constexpr int32_t kNoLane = kOthers + 1;  // and a thread of the program that has no lane
}  // namespace sched_switch
namespace event {
enum : uint32_t {
  kTimestampDeltaUs = 1,
  kCategoryId = 3,
  kAnnotation = 4,
  kTaskExecution = 5,
  kLegacy = 6,
  kType = 9,
  kNameId = 10,
  kTrackUuid = 11,
  kTimestampAbsoluteUs = 16,
  kCategory = 22,
  kName = 23,
  kCounterValue = 30,
  kSourceLocation = 33,
  kSourceLocationId = 34,
  kDoubleCounterValue = 44,
  kFlowId = 47,
  kTerminatingFlowId = 48,
  kOldFlowId = 36,
  kOldTerminatingFlowId = 42,
  kExtraCounterValues = 12,
  kExtraCounterTracks = 31,
  kExtraDoubleCounterTracks = 45,
  kExtraDoubleCounterValues = 46,
};
enum : uint32_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };  // types
}  // namespace event
namespace task_execution {
enum : uint32_t { kPostedFromId = 1 };  // a source location
}
namespace legacy {
enum : uint32_t {
  kNameId = 1,
  kPhase = 2,
  kDurationUs = 3,
  kUnscopedId = 6,
  kIdScope = 7,
  kBindId = 8,
  kLocalId = 10,
  kGlobalId = 11,
  kFlowDirection = 13,
  kPid = 18,
  kTid = 19,
};
enum : uint64_t { kFlowIn = 1, kFlowOut = 2 };  // directions, also both
}  // namespace legacy
namespace annotation {
enum : uint32_t { kNameId = 1, kUint = 3, kInt = 4, kDouble = 5, kString = 6, kName = 10, kStringId = 17 };
}

// ---- Flamelet's own words -------------------------------------------------------------------------------------------

// Descriptions of tracks. A thread needs none.
inline constexpr const char* kOwnDescription = "Recorded by Flamelet";                             // of the process
inline constexpr const char* kLaneDescriptions[] = {"", "GPU queue", "External source", "Fiber"};  // flamelet_lane_kind
inline constexpr const char* kFramesDescription = "Frames";
inline constexpr const char* kFrameSetDescription = "Frames of a set";  // the track has its name
inline constexpr const char* kIntervalsDescription = "Intervals";
inline constexpr const char* kNewestDescription = "Newest time";

// Names of debug annotations.
namespace annotation_name {
inline constexpr const char* kObject = "object";
inline constexpr const char* kColor = "color";         // "#rrggbb"
inline constexpr const char* kScope = "scope";         // the site's own name, where the event has a dynamic one
inline constexpr const char* kFlags = "flags";         // words of kSpanFlags or kFrameFlags, with ", " between
inline constexpr const char* kCall = "call";           // a number for the pieces of a call that fibers were switched in
inline constexpr const char* kCounter = "counter";     // an instant for a counter's value that is no finite number
inline constexpr const char* kFrame = "frame";         // a frame's index
inline constexpr const char* kThread = "thread";       // the tid of the thread that marks the frame
inline constexpr const char* kTimes = "times";         // of the threads in the frame: thread_times_text()
inline constexpr const char* kBeginTid = "begin_tid";  // of an interval: where it was started
inline constexpr const char* kEndTid = "end_tid";      // and where it was finished
inline constexpr const char* kFlowBegin = "flow_begin";  // the id of a flow, which begins here
inline constexpr const char* kFlowEnd = "flow_end";      // or ends
}  // namespace annotation_name

// A span that never ended has no word: it has no end.
struct Flag {
  uint32_t bit;
  const char* word;
};
inline constexpr Flag kSpanFlags[] = {{FLAMELET_SPAN_MISSING_END, "missing end"},
                                      {FLAMELET_SPAN_MISSING_BEGIN, "missing begin"},
                                      {FLAMELET_SPAN_CUT, "cut"},
                                      {FLAMELET_SPAN_RESUMED, "resumed"},
                                      {FLAMELET_SPAN_SUSPENDED, "suspended"}};
inline constexpr Flag kFrameFlags[] = {{FLAMELET_FRAME_PARTIAL, "partial"},
                                       {FLAMELET_FRAME_LOSSY, "lossy"},
                                       {FLAMELET_FRAME_TIMES_DROPPED, "times dropped"},
                                       {FLAMELET_FRAME_CLOCK_JUMPED, "clock jumped"}};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_EXPORT_SRC_PERFETTO_FIELDS_H

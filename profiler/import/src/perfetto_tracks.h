// SPDX-License-Identifier: MIT
//
// perfetto_tracks.h: the tracks of a Perfetto trace, as it describes them, and the lanes on which their events stand.
//
//   - A thread is a lane, however many tracks describe it.
//   - Other tracks with slices that have one parent and one name take turns on as few external lanes as hold them, as
//     viewers show them: programs make a track for each asynchronous piece of work.
//   - Each machine has tracks of its own.
//   - Lanes stand in the order of their first event, but where a parent orders its children.
//   - In a trace that Flamelet wrote each track is what its description says, in the order of their descriptions.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_TRACKS_H
#define FLAMELET_IMPORT_SRC_PERFETTO_TRACKS_H

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flamelet/capture_builder.h"
#include "flamelet/detail/hash.h"
#include "importer.h"
#include "perfetto_wire.h"

namespace flamelet::formats::perfetto {

// What the packets of one sequence say by number, and its events with the numbers resolved.

// A debug annotation that means something here.
enum class Word : uint8_t {
  kOther,
  kObject,
  kColor,
  kScope,
  kFlags,
  kCounter,
  kFrame,
  kThread,
  kTimes,
  kCall,
  kBeginTid,
  kEndTid,
  kFlowBegin,
  kFlowEnd
};

struct Place {
  uint32_t file = 0, function = 0, line = 0;
};

struct Sequence {
  bool has_begun = false;  // it had a packet
  bool valid = false;      // it said that it starts anew, and lost nothing since
  bool has_track = false;
  uint64_t track = 0;                                           // of events that name none
  uint32_t clock = 0;                                           // of stamps that name none
  uint64_t run = 0;                                             // a number of its own each time that it starts anew
  std::vector<uint64_t> extra_counters, extra_double_counters;  // tracks of values beside events that name none
  // Older writers give no stamps: the time of their thread counts from here.
  bool has_reference = false;
  uint64_t reference_us = 0;
  Clocks::Map clocks;
  std::unordered_map<uint64_t, uint32_t> categories, names;  // strings of the builder
  std::unordered_map<uint64_t, Place> places;
  struct Named {
    Word word = Word::kOther;
    std::string name;
  };
  std::unordered_map<uint64_t, Named> words;  // names of annotations
  struct Text {
    std::string text;
    uint32_t string = 0;  // of the builder, once it was needed there
  };
  std::unordered_map<uint64_t, Text> texts;  // values of annotations
};

// The older form of an event.
struct Legacy {
  int32_t phase = 0;  // a letter, as in Chrome's JSON
  bool has_id = false, is_local = false, has_duration = false;
  int64_t duration_us = 0, pid = 0, tid = 0;
  uint64_t id = 0, scope = 0;  // scope: a hash of its text
};

// All strings are the builder's; 0: none.
struct Event {
  uint32_t type = 0;
  bool has_track = false, has_value = false, has_own_name = false;
  bool is_whole = false;     // a slice with its duration
  bool ends_named = false;   // an end: of the innermost slice of its name
  bool ends_inside = false;  // and of those inside that have no end of their own
  uint64_t duration_ns = 0;
  uint64_t track = 0;
  uint32_t name = 0, category = 0, object = 0;
  Place place;
  double value = 0;
  std::vector<uint64_t> flows, terminating_flows;
  uint32_t args_left_out = 0;  // annotations for which there is no place
  // A flow whose begins and ends are told apart: Flamelet's own, and Chrome's older ones.
  uint64_t flow = 0;
  bool is_flow = false, begins_flow = false, ends_flow = false;  // is_flow: it is nothing else
  // Flamelet's own words.
  uint32_t own_name = 0, color = 0, flags = 0;
  uint64_t frame = 0, thread = 0, begin_tid = 0, end_tid = 0, call = 0;
  std::string_view times;  // in the packet
};

// What an event says besides.
struct EventParts {
  bool has_delta = false, has_absolute = false, has_legacy = false;
  int64_t delta_us = 0, absolute_us = 0;
  Legacy legacy;
  std::vector<std::pair<uint64_t, double>> counters;   // tracks and values
  std::vector<std::pair<std::string, double>> series;  // the numbers of a counter in the older form, and their names
};

class SequenceReader {
 public:
  SequenceReader(flamelet_capture_builder* builder, ArgumentTexts* arguments)
      : builder_(builder), arguments_(*arguments) {}

  // Debug annotations with names like Flamelet's are read only if Flamelet wrote the trace.
  void set_own_words(bool own) { own_words_ = own; }

  void clear(Sequence* sequence);
  void read_defaults(protozero::data_view bytes, Sequence* sequence);
  void read_interned(protozero::data_view bytes, Sequence* sequence);
  void read_event(protozero::data_view bytes, Sequence* sequence, Event* event, EventParts* parts);

  // Texts that the builder would cut end in a hash: two of them are still two.
  uint32_t string(protozero::data_view text);
  uint64_t dropped() const { return dropped_; }    // interned texts and extra counters beyond what is kept
  uint64_t unknown() const { return unknown_; }    // numbers of interned texts and places that were not told
  uint64_t repaired() const { return repaired_; }  // texts with a zero byte, or one that is not UTF-8

 private:
  // Kept at one time, of all sequences.
  static constexpr size_t kMaxEntries = size_t{1} << 20;
  static constexpr size_t kMaxTextBytes = size_t{64} << 20;
  static constexpr size_t kMaxExtraCounters = 1024;  // beside one event, and series of one
  static constexpr size_t kMaxFlows = 64;  // of one event, in either direction: many events wait for earlier ones

  bool take(size_t bytes);
  template <class Number>
  void add_varints(protozero::pbf_reader& reader, std::vector<Number>* to);
  void add_doubles(protozero::pbf_reader& reader, std::vector<double>* to);
  template <class Number>
  void add(Number value, std::vector<Number>* to, size_t most = kMaxExtraCounters);
  void read_default_event(protozero::data_view bytes, Sequence* sequence);
  Legacy read_legacy(protozero::data_view bytes, Sequence* sequence, Event* event);
  void read_entry(uint32_t field, protozero::data_view bytes, Sequence* sequence);
  Place read_place(protozero::data_view bytes, uint64_t* id);
  void read_annotation(protozero::data_view bytes, Sequence* sequence, Event* event, protozero::data_view* first_text);
  void read_series(protozero::data_view bytes, const Sequence& sequence, EventParts* parts);
  void read_number(protozero::data_view bytes, const Sequence& sequence, EventParts* parts);
  void apply(Word word, std::string_view text, Event* event);

  flamelet_capture_builder* const builder_;
  ArgumentTexts& arguments_;
  bool own_words_ = false;
  size_t entries_ = 0, text_bytes_ = 0;
  uint64_t runs_ = 0;
  // The values beside the event in hand, and their tracks.
  std::vector<uint64_t> extra_tracks_, extra_double_tracks_;
  std::vector<double> extra_values_, extra_double_values_;
  uint64_t dropped_ = 0, unknown_ = 0, repaired_ = 0;
};

// A number like the random ones that writers take.
inline uint64_t hash_of(std::initializer_list<uint64_t> words) {
  uint64_t hash = kFnvStart;
  for (const uint64_t word : words) hash = fnv_of_text(reinterpret_cast<const char*>(&word), sizeof word, hash);
  return hash;
}

// Perfetto names: the names of a Perfetto trace's threads and processes, and which thread is of which process, as tracks, the
// process tree and the kernel's switches tell it.

class Names {
 public:
  // A later one counts more, and of one kind the last name. Empty names say nothing.
  enum class Source : uint8_t { kNone, kSwitch, kTree, kCommand, kTrack, kDescriptor };

  void tell_process(int64_t pid, std::string_view name, Source source);
  // `pid` 0: of whichever process.
  void tell_thread(int64_t pid, int64_t tid, std::string_view name, Source source);
  // A ProcessTree.
  void read_tree(protozero::data_view bytes);
  // A ProcessDescriptor. Returns its pid.
  int64_t read_process(protozero::data_view bytes);

  // 0: nobody told.
  int64_t pid_of(int64_t tid) const;
  std::string process(int64_t pid) const;
  std::string thread(int64_t pid, int64_t tid) const;

 private:
  static constexpr size_t kMost = size_t{1} << 17;  // threads, and processes
  static constexpr size_t kMaxBytes = 1000;         // of a name

  struct Name {
    std::string text;
    Source source = Source::kNone;
    void tell(std::string_view name, Source from);
  };
  struct Thread {
    int64_t pid = 0;
    Name name;
  };

  std::unordered_map<int64_t, Name> processes_;               // by pid
  std::unordered_map<int64_t, Thread> threads_;               // by tid, which the kernel gives once
  std::map<std::pair<int64_t, int64_t>, Name> of_processes_;  // by pid and tid, which may be a process's own
};

enum class TrackKind : uint8_t { kOther, kProcess, kThread, kCounter, kFrames, kFrameSet, kIntervals, kNewest };

// A slice that has begun. Spans that begin together have to come parents first, but end children first: a span that
// begins with the one around it waits for that one's end.
struct OpenSlice {
  flamelet_span span;
  bool is_held;                 // it waits, in Track::held[held]
  size_t held;                  // else those that wait for it follow from there on
  uint64_t number;              // a frame's index; an interval's number; of another program's slice, among all begins
  uint32_t name;                // string of the builder
  int64_t ends_by_ns;           // the first end around it; INT64_MAX: there was none yet
  uint64_t begin_tid, end_tid;  // of an interval
};

struct Track {
  TrackKind kind = TrackKind::kOther;
  bool described = false, incremental = false, orders_children = false;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_EXTERNAL;
  uint32_t name = 0;  // string of the builder
  uint32_t lane = 0;  // 0: it takes a slot of its group when it has a slice
  uint32_t slot = 0;  // and has this one, plus 1
  uint64_t uuid = 0, parent = 0;
  int32_t rank = 0;  // among the children of a parent that orders them
  int64_t pid = 0, tid = 0;
  double value = 0, multiplier = 1;  // of a counter
  uint32_t unit = 0;                 // string of the builder; 0: none is told
  uint64_t run = 0;                  // in which the value was added up
  // Its events (perfetto_events.h):
  uint64_t dropped_begins = 0;  // whose ends will come
  std::vector<OpenSlice> open;
  std::vector<flamelet_span> held;
  uint64_t frame_thread = 0;  // of the frame that is open
  std::string frame_times;
};

class Tracks {
 public:
  // Those of one machine. `machine` is not 0: the names of its lanes tell it.
  Tracks(flamelet_capture_builder* builder, SequenceReader& sequences, uint32_t machine)
      : builder_(builder), sequences_(sequences), machine_(machine) {}

  // A TrackDescriptor. What the first one says of a track stays, but the last name that is told counts.
  void describe(protozero::data_view bytes);
  // A ThreadDescriptor that stands alone: its track, and where its times begin.
  uint64_t read_thread(protozero::data_view bytes, uint64_t* reference_us);
  // One that was not described is made. NULL if there are too many. The track may move when another one is found.
  Track* find(uint64_t uuid);
  // Tracks that no descriptor has: of a thread (`pid` 0: of whichever process), of a process, and of work that begins and
  // ends under a key of its own. `name` is a string of the builder.
  uint64_t thread(int64_t pid, int64_t tid);
  uint64_t process(int64_t pid);
  uint64_t work(uint64_t key, uint32_t name, uint64_t parent);
  // Whose it is: "worker", "game", "GPU queue".
  std::string owner_name(const Track& track) const;
  // A lane for instants and counter values, which do not nest.
  uint32_t lane_of_points(Track& track);
  // Between these, the track has a lane for slices. False: there are too many lanes.
  bool take_slot(Track& track, int64_t begin_ns);
  void leave_slot(Track& track, int64_t end_ns);
  // The value of a counter whose track says how it is written. Steps are added up from the begin of their sequence's `run`.
  double counted(uint64_t uuid, double value, uint64_t run);
  // At the end.
  void name_lanes();
  void place_lanes();
  // The lane of a thread in a trace of ours; 0: it has none.
  uint32_t own_lane(uint64_t tid) const;
  // The lanes of threads, by tid.
  std::unordered_map<int64_t, uint32_t> thread_lanes() const;

  Names& names() { return names_; }
  bool is_own() const { return is_own_; }        // Flamelet wrote it
  uint64_t dropped() const { return dropped_; }  // tracks beyond the limit, each time
  std::vector<Track>& all() { return tracks_; }

 private:
  struct Slot {
    uint32_t lane;
    bool busy;
    int64_t free_ns;  // the end of its last slice
  };
  using Group = std::vector<Slot>;

  static constexpr size_t kMaxTracks = size_t{1} << 17;
  // Of each group, and further ones of all groups together: threads that come late need lanes, too.
  static constexpr size_t kMaxSlots = 64, kMaxMoreSlots = 2048;

  void rename(Track* known, const Track& track);
  void tell(const Track& track, std::string_view name);
  void describe_thread(protozero::data_view bytes, Track* track, protozero::data_view* name);
  void describe_counter(protozero::data_view bytes, Track* track, protozero::data_view* type_name);
  uint64_t make(uint64_t uuid, TrackKind kind, int64_t pid, int64_t tid);
  int64_t pid_of(const Track& track) const { return track.pid != 0 ? track.pid : names_.pid_of(track.tid); }
  uint32_t string(const std::string& text);
  std::string on_machine(const std::string& name, std::string process = "") const;
  uint32_t new_lane(const Track& track);
  Group& group(const Track& track);

  flamelet_capture_builder* const builder_;
  SequenceReader& sequences_;
  const uint32_t machine_;
  bool is_own_ = false;
  uint64_t dropped_ = 0;
  size_t more_slots_ = 0;
  std::vector<Track> tracks_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // in tracks_, by uuid
  Names names_;
  std::map<std::pair<int64_t, int64_t>, uint32_t> threads_;  // lanes, by pid and tid
  std::unordered_map<int64_t, uint64_t> processes_;          // tracks that descriptors have, by pid
  std::vector<std::pair<uint32_t, uint32_t>> named_late_;    // lanes of threads and processes, and their tracks
  std::map<std::pair<uint64_t, uint32_t>, Group> groups_;    // by parent and name
  // Ranks and lanes, in the order in which they were made, by parent.
  std::map<uint64_t, std::vector<std::pair<int32_t, uint32_t>>> families_;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_TRACKS_H

// SPDX-License-Identifier: MIT
//
// perfetto_tracks.h: the tracks of a Perfetto trace as lanes, and their events as spans, points, intervals and frames.
//
//   - A thread is a lane, however many tracks describe it.
//   - Other tracks with slices that have one parent and one name take turns on as few external lanes as hold them, as
//     viewers show them: programs make a track for each asynchronous piece of work.
//   - In a trace that Flamelet wrote each track is what its description says, in the order of their descriptions.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_TRACKS_H
#define FLAMELET_IMPORT_SRC_PERFETTO_TRACKS_H

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "perfetto_sequence.h"

namespace flamelet::formats::perfetto {

struct TrackCounts {
  uint64_t spans = 0, points = 0, intervals = 0, frames = 0;
  uint64_t open = 0;           // slices that never ended
  uint64_t extra_ends = 0;     // of slices that never began
  uint64_t dropped = 0;        // beyond a limit
  uint64_t unsupported = 0;    // of a kind that nothing here stands for
  uint64_t args_left_out = 0;  // texts at the end of a slice that had one at its begin
  uint64_t cut = 0;            // spans that Flamelet had cut before it wrote them
};

class Tracks {
 public:
  Tracks(flamelet_capture_builder* builder, SequenceReader& sequences) : builder_(builder), sequences_(sequences) {}

  // A TrackDescriptor. The first description of a track stays.
  void describe(protozero::data_view bytes);
  void event(const Event& event, int64_t time_ns);
  void finish();

  bool is_own() const { return is_own_; }  // Flamelet wrote it
  const TrackCounts& counts() const { return counts_; }

 private:
  enum class Kind : uint8_t { kOther, kProcess, kThread, kCounter, kFrames, kIntervals };
  // Spans that begin together have to come parents first, but end children first: a span that begins with the one around
  // it waits for that one's end.
  struct Open {
    flamelet_span span;
    bool is_held;                 // it waits, in Track::held[held]
    size_t held;                  // else those that wait for it follow from there on
    uint64_t number;              // a frame's index; an interval's number
    uint64_t begin_tid, end_tid;  // of an interval
  };
  struct Track {
    Kind kind = Kind::kOther;
    bool described = false, incremental = false, orders_children = false;
    flamelet_lane_kind lane_kind = FLAMELET_LANE_EXTERNAL;
    uint32_t name = 0;  // string of the builder
    uint32_t lane = 0;  // 0: it takes a slot of its group when it has a slice
    uint32_t slot = 0;  // and has this one, plus 1
    uint64_t uuid = 0, parent = 0;
    int32_t rank = 0;  // among the children of a parent that orders them
    int64_t pid = 0, tid = 0;
    double value = 0, multiplier = 1;  // of a counter
    uint64_t dropped_begins = 0;       // whose ends will come
    std::vector<Open> open;
    std::vector<flamelet_span> held;
  };
  struct Slot {
    uint32_t lane;
    bool busy;
    int64_t free_ns;  // the end of its last slice
  };
  using Group = std::vector<Slot>;

  static constexpr size_t kMaxTracks = size_t{1} << 17;
  static constexpr size_t kMaxOpen = size_t{1} << 20;   // of all tracks
  static constexpr size_t kMaxHeld = size_t{1} << 20;   // of all tracks
  static constexpr size_t kMaxFlows = size_t{1} << 20;  // that have begun and not ended
  static constexpr size_t kMaxDepth = FLAMELET_DEPTH_UNKNOWN - 1;
  static constexpr size_t kMaxSlots = 64;
  static constexpr size_t kMaxIntervals = size_t{1} << 16;  // that wait for one before them
  static constexpr size_t kMaxNameBytes = 256;              // of a process

  Track* find(uint64_t uuid);
  void describe_thread(protozero::data_view bytes, Track* track);
  void describe_process(protozero::data_view bytes, Track* track);
  void describe_counter(protozero::data_view bytes, Track* track);
  uint32_t string(const std::string& text);
  uint32_t new_lane(const Track& track);
  void place_lanes();
  uint32_t lane_of_points(Track& track);
  Group& group(const Track& track);
  void take_slot(Track& track, int64_t begin_ns);

  uint32_t site(const Event& event, uint32_t shown, uint32_t* name);
  void begin(Track& track, const Event& event, int64_t time_ns);
  void end(Track& track, const Event& event, int64_t time_ns);
  void close(Track& track, int64_t time_ns, uint32_t flags);
  void put(Track& track, const flamelet_span& span);
  void put_interval(const Open& open);
  void link(const Event& event, const Track& track, flamelet_span* span);
  void counter(Track& track, const Event& event, int64_t time_ns);

  flamelet_capture_builder* const builder_;
  SequenceReader& sequences_;
  bool is_own_ = false;
  TrackCounts counts_;
  int64_t newest_ns_ = INT64_MIN;
  std::vector<Track> tracks_;
  std::unordered_map<uint64_t, uint32_t> numbers_;           // in tracks_, by uuid
  std::map<std::pair<int64_t, int64_t>, uint32_t> threads_;  // lanes, by pid and tid
  std::map<int64_t, std::string> processes_;                 // names, by pid
  bool has_pid_ = false;
  int64_t pid_ = 0;                                        // of the first thread
  std::map<std::pair<uint64_t, uint32_t>, Group> groups_;  // by parent and name
  // Ranks and lanes, in the order in which they were made, by parent.
  std::map<uint64_t, std::vector<std::pair<int32_t, uint32_t>>> families_;
  std::unordered_map<uint64_t, flamelet_id> flows_;
  std::deque<std::pair<bool, Open>> intervals_;  // in the order of their begins, until those before them are done
  uint64_t first_interval_ = 0;                  // the number of intervals_[0]
  size_t open_ = 0, held_ = 0;
  flamelet_id next_id_ = 1;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_TRACKS_H

// SPDX-License-Identifier: MIT
//
// perfetto_clocks.h: the stamps of a Perfetto trace as times of its own clock (BOOTTIME, unless it names another).
//
// A snapshot tells several clocks at one moment; until the next one, a clock keeps its distance from the trace's. Clocks
// from 64 to 127 mean something on their own sequence only, and may count from stamp to stamp. Sums wrap: whatever a file
// says, it is a time.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_CLOCKS_H
#define FLAMELET_IMPORT_SRC_PERFETTO_CLOCKS_H

#include <unordered_map>
#include <utility>
#include <vector>

#include "perfetto_wire.h"

namespace flamelet::formats::perfetto {

struct Clock {
  uint64_t multiplier = 1;
  uint64_t last_ns = 0;    // its last stamp
  uint64_t offset_ns = 0;  // from there to the trace's clock
  bool incremental = false;
};

class Clocks {
 public:
  using Map = std::unordered_map<uint32_t, Clock>;

  // `own`: the clocks of the packet's sequence.
  void read_snapshot(protozero::data_view bytes, Map* own) {
    entries_.clear();
    for (protozero::pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case length(clock_snapshot::kClock):
          if (entries_.size() < kMaxClocks)
            entries_.push_back(read_clock(reader.get_view()));
          else
            reader.skip();
          break;
        case varint(clock_snapshot::kPrimaryTraceClock):
          if (const uint32_t id = get_uint32(reader); trace_clock_ == 0) trace_clock_ = id;
          break;
        default:
          reader.skip();
      }
    }
    uint64_t now_ns;
    if (!find_now(&now_ns)) return;
    for (const auto& [id, clock] : entries_) {
      Map& map = is_own(id) ? *own : shared_;
      if (map.size() >= kMaxClocks && map.count(id) == 0) continue;
      Clock& known = map[id] = clock;
      known.offset_ns = now_ns - clock.last_ns;
      if (id == clock::kRealtime && wall_clock_ns_ == 0) wall_clock_ns_ = clock.last_ns - now_ns;
    }
  }

  // False if no snapshot told the clock. `id` 0: the trace's own.
  bool to_trace_ns(uint32_t id, uint64_t stamp, Map* own, int64_t* time_ns) {
    uint64_t ns = stamp;
    if (id != 0 && id != trace_clock()) {
      Map& map = is_own(id) ? *own : shared_;
      const auto at = map.find(id);
      if (at == map.end()) return false;
      Clock& clock = at->second;
      ns *= clock.multiplier;
      if (clock.incremental && is_own(id)) ns = clock.last_ns += ns;
      ns += clock.offset_ns;
    }
    *time_ns = static_cast<int64_t>(ns);
    return true;
  }

  // The wall clock at the trace's 0; 0 if no snapshot told it.
  uint64_t wall_clock_ns() const { return wall_clock_ns_; }

 private:
  static constexpr size_t kMaxClocks = 256;  // in one snapshot, of one sequence, shared

  static bool is_own(uint32_t id) { return id >= clock::kFirstOfSequence && id <= clock::kLastOfSequence; }
  uint32_t trace_clock() const { return trace_clock_ != 0 ? trace_clock_ : uint32_t{clock::kBoottime}; }

  // The snapshot's moment by the trace's clock, or else by one that an earlier snapshot told.
  bool find_now(uint64_t* now_ns) const {
    for (const auto& [id, clock] : entries_) {
      *now_ns = clock.last_ns;
      if (id == trace_clock()) return true;
    }
    for (const auto& [id, clock] : entries_) {
      const auto at = is_own(id) ? shared_.end() : shared_.find(id);
      if (at == shared_.end()) continue;
      *now_ns = clock.last_ns + at->second.offset_ns;
      return true;
    }
    return false;
  }

  static std::pair<uint32_t, Clock> read_clock(protozero::data_view bytes) {
    std::pair<uint32_t, Clock> entry = {0, {}};
    Clock& clock = entry.second;
    for (protozero::pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case varint(clock::kId):
          entry.first = get_uint32(reader);
          break;
        case varint(clock::kTimestamp):
          clock.last_ns = reader.get_uint64();
          break;
        case varint(clock::kIsIncremental):
          clock.incremental = reader.get_uint64() != 0;
          break;
        case varint(clock::kUnitMultiplierNs):
          clock.multiplier = reader.get_uint64();
          break;
        default:
          reader.skip();
      }
    }
    if (clock.multiplier == 0) clock.multiplier = 1;
    clock.last_ns *= clock.multiplier;
    return entry;
  }

  uint32_t trace_clock_ = 0;
  uint64_t wall_clock_ns_ = 0;
  Map shared_;
  std::vector<std::pair<uint32_t, Clock>> entries_;  // of the snapshot in hand
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_CLOCKS_H

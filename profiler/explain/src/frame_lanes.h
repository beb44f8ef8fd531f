// SPDX-License-Identifier: MIT
//
// frame_lanes.h: the spans and flows of one frame, at hand. A lane is read when it is first asked for.
#ifndef FLAMELET_EXPLAIN_SRC_FRAME_LANES_H
#define FLAMELET_EXPLAIN_SRC_FRAME_LANES_H

#include <string.h>

#include "flamelet/detail/hash.h"
#include "flamelet/explain.h"
#include "platform/hash_index.h"

namespace flamelet {
class Carver;
}

namespace flamelet::explain {

// Path table: call paths by number. A parent has a lower number than its children.

constexpr uint32_t kNoIndex = UINT32_MAX;

// What is known of a lane in a frame beside its scopes. It has a number in the table, as a path has.
enum LaneFigure : uint32_t { kLostNs, kMajorFaults, kMinorFaults, kIsKnown, kRanNs };

class PathTable {
 public:
  static constexpr uint32_t kOther = 0;  // stands for all that had no room

  void attach(flamelet_explain_scope* paths, uint32_t capacity, uint32_t* slots) {
    paths_ = paths;
    capacity_ = capacity;
    index_.attach(slots, HashIndex::slots_for(capacity));
    clear();
  }
  void clear() {
    index_.clear();
    paths_[0] = {FLAMELET_NO_PATH, kNoIndex, kNoIndex, kNoIndex};
    count_ = 1;
    is_full_ = false;
  }

  uint32_t of(uint32_t parent, uint32_t site, uint32_t name) { return find_or_add({parent, site, name, kNoIndex}); }
  // kNoIndex: it was never met there.
  uint32_t find(uint32_t parent, const flamelet_explain_scope& scope) const {
    return find({parent, scope.site, scope.name, scope.lane});
  }
  uint32_t of_lane(uint32_t lane, LaneFigure figure) { return find_or_add({FLAMELET_NO_PATH, kNoIndex, figure, lane}); }
  static bool is_figure(const flamelet_explain_scope& path) { return path.lane != kNoIndex && path.name != kNoIndex; }
  uint32_t outside(uint32_t lane) { return find_or_add({FLAMELET_NO_PATH, kNoIndex, kNoIndex, lane}); }

  uint32_t count() const { return count_; }
  bool is_full() const { return is_full_; }
  const flamelet_explain_scope& operator[](uint32_t path) const { return paths_[path]; }

 private:
  static uint32_t hash_of(const flamelet_explain_scope& path) {
    const uint64_t high = spread_key(uint64_t{path.parent} << 32 | path.site);
    const uint64_t low = (uint64_t{path.lane} << 32 | path.name) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<uint32_t>((high ^ high >> 29 ^ low) >> 32);
  }
  uint32_t find(const flamelet_explain_scope& path) const {
    const uint32_t found = index_.find(hash_of(path), [&](uint32_t at) {
      const flamelet_explain_scope& other = paths_[at];
      return other.parent == path.parent && other.site == path.site && other.name == path.name &&
             other.lane == path.lane;
    });
    return found == HashIndex::kNone ? kNoIndex : found;
  }
  uint32_t find_or_add(const flamelet_explain_scope& path) {
    const uint32_t found = find(path);
    if (found != kNoIndex) return found;
    if (count_ == capacity_) {
      is_full_ = true;
      return kOther;
    }
    index_.add(hash_of(path), count_);
    paths_[count_] = path;
    return count_++;
  }

  flamelet_explain_scope* paths_ = nullptr;
  uint32_t capacity_ = 0, count_ = 0;
  bool is_full_ = false;
  HashIndex index_;
};

// Whether spans, or paths, are of one scope.
template <class A, class B>
bool is_same_scope(const A& a, const B& b) {
  return a.site == b.site && a.name == b.name;
}

struct LaneSpans {
  const flamelet_span* spans;
  uint32_t* paths;  // of each span, kNoIndex until it is asked for
  uint32_t count;
  bool is_read;
  bool is_work;  // a thread, a GPU queue or another source; threads show what fibers did
  flamelet_lane_kind kind;

  const flamelet_span* begin() const { return spans; }
  const flamelet_span* end() const { return spans + count; }
};

// What is innermost just before a time, and since when nothing else was.
struct Place {
  uint32_t span;  // kNoIndex: no scope
  int64_t low_ns;
};

// One end of a flow on this lane, and where the flow began.
struct FlowEnd {
  uint32_t lane;
  uint32_t from_lane;  // kNoIndex: its begin is not in this frame
  int64_t time_ns;
  int64_t from_ns;
};

// Where a fiber, or a thread that ran one, was left with a scope open.
struct Suspension {
  flamelet_id id;  // of the outermost open scope
  int64_t time_ns;
  uint32_t lane;
};

class FrameLanes {
 public:
  void lay_out(Carver* carver, const flamelet_explain_config& config);
  void forget_sites();

  // Lanes and flows are read when they are asked for first.
  void start(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);
  bool is_whole() const { return is_whole_; }  // what was read so far had room

  uint32_t lane_count() const { return lane_count_; }
  // Whether a walk meets a span again.
  void forget_met() { memset(met_, 0, met_bytes(max_spans_)); }
  bool meet(const LaneSpans& lane, uint32_t span) {
    const auto at = static_cast<size_t>(lane.spans - spans_) + span;
    const auto bit = static_cast<uint8_t>(1u << at % 8);
    const bool was_met = (met_[at / 8] & bit) != 0;
    met_[at / 8] |= bit;
    return was_met;
  }
  const LaneSpans& lane(uint32_t lane);
  bool is_at_hand(uint32_t lane) const { return lanes_[lane].is_read; }
  flamelet_lane_kind kind(uint32_t lane) const { return lanes_[lane].kind; }  // without reading it
  bool waits(const flamelet_span& span) { return site_waits(span.site); }
  bool site_waits(uint32_t site) { return kind_of(site) != SiteKind::kWork; }
  // A wait that flamelet/lock.h recorded, and one for a lock.
  bool is_recorded_wait(uint32_t site) { return kind_of(site) >= SiteKind::kRecordedWait; }
  bool is_file(uint32_t site) { return kind_of(site) == SiteKind::kFile; }
  bool is_lock(uint32_t site) { return kind_of(site) == SiteKind::kLock; }
  // How long a lane's thread could have run in the frame at this position, and had no processor; 0 if it is not known.
  int64_t ready_ns(uint32_t lane, size_t position) const;
  // For how long a lane's thread ran or could have run from one time of that frame to another, at most.
  int64_t awake_ns(uint32_t lane, size_t position, int64_t begin_ns, int64_t end_ns) const;
  // Whether a lane's thread slept hardly at all between two times; false if states of threads are not known.
  bool was_awake(uint32_t lane, int64_t begin_ns, int64_t end_ns) const;
  // Whether a lane's span that was open at a time had no more than this left to do: a scope around a call that lets another
  // thread go ends after that, and much later if its thread loses its processor to the other one.
  bool was_nearly_done(uint32_t lane, size_t position, const flamelet_span& span, int64_t time_ns,
                       int64_t rest_ns) const;

  // The span that began last before a time; kNoIndex.
  static uint32_t last_begun(const LaneSpans& lane, int64_t time_ns);
  // `begun`: how many spans began before an earlier time that was asked for, or kNoIndex the first time. Times go back.
  static Place innermost(const LaneSpans& lane, int64_t time_ns, int64_t floor_ns, uint32_t* begun);
  uint32_t span_count() const { return span_count_; }  // of all lanes at hand
  // If this scope was open on a fiber that goes on where the span begins: where it was left before. nullptr: it was not, or
  // not in this frame. The first such question reads all threads.
  const Suspension* suspension_before(const LaneSpans& lane, uint32_t span);

  // The flows that end on a lane after a time follow here, by time; then those of other lanes.
  const FlowEnd* first_flow(uint32_t lane, int64_t after_ns);
  const FlowEnd* end_of_flows() const { return ends_ + end_count_; }

 private:
  enum class SiteKind : uint8_t { kUnknown, kWork, kWait, kFile, kRecordedWait, kLock };
  static constexpr uint32_t kMaxFirstSites = 1024;
  SiteKind kind_of(uint32_t site);
  // Places in code of one name and category, such as two branches that draw, are one scope: the site that was met first
  // stands for all, as far as there is room.
  uint32_t first_site_like(uint32_t site, uint32_t name);
  void read_flows();
  void read_suspensions();

  const flamelet_capture* capture_ = nullptr;
  int64_t begin_ns_ = 0, end_ns_ = 0;
  bool is_whole_ = true;

  flamelet_span* spans_ = nullptr;
  uint32_t* paths_ = nullptr;
  static constexpr size_t met_bytes(uint32_t spans) { return spans / 8 + 1; }
  uint8_t* met_ = nullptr;  // a bit for each span
  uint32_t max_spans_ = 0, span_count_ = 0;
  LaneSpans* lanes_ = nullptr;
  uint32_t max_lanes_ = 0, lane_count_ = 0;
  flamelet_flow* flows_ = nullptr;
  FlowEnd* ends_ = nullptr;
  uint32_t max_flows_ = 0, end_count_ = 0;
  bool has_flows_ = false;             // they were read
  Suspension* suspensions_ = nullptr;  // by id, then by time
  uint32_t suspension_count_ = 0;
  bool has_suspensions_ = false;    // they were read
  SiteKind* site_kinds_ = nullptr;  // by site
  HashIndex first_index_;           // of first_sites_, by name and category
  uint16_t* first_sites_ = nullptr;
  uint32_t first_site_count_ = 0;
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_FRAME_LANES_H

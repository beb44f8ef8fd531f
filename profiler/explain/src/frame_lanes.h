// SPDX-License-Identifier: MIT
//
// frame_lanes.h: the spans and flows of one frame, at hand. A lane is read when it is first asked for.
#ifndef FLAMELET_EXPLAIN_SRC_FRAME_LANES_H
#define FLAMELET_EXPLAIN_SRC_FRAME_LANES_H

#include "path_table.h"

namespace flamelet {
class Carver;
}

namespace flamelet::explain {

struct LaneSpans {
  const flamelet_span* spans;
  uint32_t* paths;  // of each span, kNoIndex until it is asked for
  uint32_t count;
  bool is_read;
  bool is_work;  // a thread, a GPU queue or another source; threads show what fibers did
  flamelet_lane_kind kind;
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

  // False if something had no room.
  bool start(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);
  bool is_whole() const { return is_whole_; }

  uint32_t lane_count() const { return lane_count_; }
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

  // The span that began last before a time; kNoIndex.
  static uint32_t last_begun(const LaneSpans& lane, int64_t time_ns);
  // `begun`: how many spans began before an earlier time that was asked for, or kNoIndex the first time. Times go back.
  static Place innermost(const LaneSpans& lane, int64_t time_ns, int64_t floor_ns, uint32_t* begun);
  uint32_t span_count() const { return span_count_; }  // of all lanes at hand
  // If this scope was open on a fiber that goes on where the span begins: where it was left before. nullptr: it was not, or
  // not in this frame. The first such question reads all threads.
  const Suspension* suspension_before(const LaneSpans& lane, uint32_t span);

  // The flows that end on a lane after a time follow here, by time; then those of other lanes.
  const FlowEnd* first_flow(uint32_t lane, int64_t after_ns) const;
  const FlowEnd* end_of_flows() const { return ends_ + end_count_; }

 private:
  enum class SiteKind : uint8_t { kUnknown, kWork, kWait, kFile, kRecordedWait, kLock };
  SiteKind kind_of(uint32_t site);
  void read_flows();
  void read_suspensions();

  const flamelet_capture* capture_ = nullptr;
  int64_t begin_ns_ = 0, end_ns_ = 0;
  bool is_whole_ = true;

  flamelet_span* spans_ = nullptr;
  uint32_t* paths_ = nullptr;
  uint32_t max_spans_ = 0, span_count_ = 0;
  LaneSpans* lanes_ = nullptr;
  uint32_t max_lanes_ = 0, lane_count_ = 0;
  flamelet_flow* flows_ = nullptr;
  FlowEnd* ends_ = nullptr;
  uint32_t max_flows_ = 0, end_count_ = 0;
  Suspension* suspensions_ = nullptr;  // by id, then by time
  uint32_t suspension_count_ = 0;
  bool has_suspensions_ = false;    // they were read
  SiteKind* site_kinds_ = nullptr;  // by site
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_FRAME_LANES_H

// SPDX-License-Identifier: MIT
//
// perfetto_export.cpp: Perfetto's protobuf trace, as its readers accept it.
//
//   - Each lane is a sequence of packets in the order of time, with its instants and counter values between its spans;
//     perfetto_packets.h tells why. The trace's 0 is the earliest time of the export, on the clock that readers take
//     where none is named (BOOTTIME); one snapshot says what the wall clock showed then.
//   - A span that never ended has a begin and no end: viewers draw it to the end of the trace and say so. An end closes
//     the innermost slice of its track, so a span that is open inside one that is not gets its end all the same.
//   - Intervals overlap, and slices of one track cannot. An interval takes the first track that is free; viewers show
//     tracks of one name as one.
//   - A GPU span and the scope that submitted it are joined by a flow, which viewers draw as an arrow. Each arrow has
//     a number; a scope begins as many as spans of GPU queues name it, so their numbers of scopes are read beforehand.
//
// What is constant in the events of one scope is made once; a span is then two short stamps and a copy.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <tuple>

#include "exporter.h"
#include "perfetto_packets.h"

namespace flamelet::formats {
namespace {

using namespace perfetto;
using protozero::pbf_writer;

constexpr uint32_t kDescriptions = 1;  // the first sequence; then one for each lane
constexpr uint64_t kProcessUuid = 1;   // the first track; then one for each lane
constexpr int32_t kPid = 1;

class PerfettoWriter {
 public:
  explicit PerfettoWriter(Export& job)
      : job_(job),
        base_ns_(earliest_ns(job.capture, job.begin_ns, job.end_ns)),
        lanes_(flamelet_capture_lane_count(job.capture)),
        packets_(job.out),
        texts_(job, packets_),
        spans_(job.capture),
        points_(job.capture),
        next_uuid_(kProcessUuid + 1 + lanes_) {}

  void write() {
    describe_lanes();
    count_links();
    for (const bool gpu : {false, true})  // an arrow's number is known where it begins
      for (size_t lane = 0; lane < lanes_ && !job_.out.failed(); ++lane)
        if ((kinds_[lane] == FLAMELET_LANE_GPU) == gpu) write_lane(lane);
    sequence_ = kDescriptions + static_cast<uint32_t>(lanes_);
    write_frames("Frames", kFramesDescription, read_frames(job_.capture, job_.begin_ns, job_.end_ns));
    ++sequence_;
    write_intervals();
    for (const FrameTrack& set : read_frame_sets(job_.capture, job_.begin_ns, job_.end_ns, &job_.report))
      write_frames(set.name, kFrameSetDescription, set.frames);
    ++sequence_;
    write_flows();
    write_switches();
  }

  // ---- NestedSpans ----
  void begin(const flamelet_span& span, size_t depth) {
    write_points(span.begin_ns);
    const std::string& fields = texts_.fields(span.site, span.name);
    more_.clear();
    if (span.object != 0) texts_.annotate_object(span.object, &more_);
    texts_.annotate_flags(kSpanFlags, span.flags, &more_);
    if (!links_.empty()) add_flows(span);
    packets_.event(span.begin_ns, event::kSliceBegin, fields, more_);
    if ((span.flags & FLAMELET_SPAN_OPEN) != 0 && open_depth_ == depth) ++open_depth_;
    ++job_.report.spans;
  }
  void end(const flamelet_span& span, size_t depth) {
    if (last_ && depth < open_depth_) return;
    open_depth_ = std::min(open_depth_, depth);
    write_points(span.end_ns);
    packets_.event(span.end_ns, event::kSliceEnd, "");
  }

 private:
  template <class Item>
  using Least = std::priority_queue<Item, std::vector<Item>, std::greater<Item>>;
  struct Run : flamelet_processor_run {
    bool only_leaves;  // of no length: it is not known since when the thread ran there
  };
  struct Link {  // from a scope to spans of GPU queues
    uint64_t count, first, taken;
  };

  // ---- Tracks ----
  void describe_lanes() {
    const flamelet_clock clock = flamelet_capture_clock(job_.capture);
    int64_t unix_ns = static_cast<int64_t>(clock.origin_unix_ns);
    // Unknown, or an imported file says what 64 bits do not hold.
    if (unix_ns == 0 || __builtin_add_overflow(unix_ns, base_ns_, &unix_ns)) unix_ns = 0;
    packets_.start_descriptions(kDescriptions, unix_ns);
    std::string process, track;
    pbf_writer process_writer(process);
    process_writer.add_int32(process::kPid, kPid);
    process_writer.add_string(process::kName, job_.process_name);
    pbf_writer track_writer(track);
    track_writer.add_uint64(track::kUuid, kProcessUuid);
    track_writer.add_message(track::kProcess, process);
    track_writer.add_string(track::kDescription, kOwnDescription);
    track_writer.add_enum(track::kChildOrdering, track::kExplicitOrder);
    packets_.describe(kDescriptions, track);
    for (size_t lane = 0; lane < lanes_; ++lane) describe_lane(lane);
  }

  void describe_lane(size_t lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(job_.capture, lane, &info);
    kinds_.push_back(info.kind);
    if (info.kind != FLAMELET_LANE_THREAD) {
      describe(lane_uuid(lane), kProcessUuid, texts_.whole(info.name), kLaneDescriptions[info.kind], track::kMergeNone,
               static_cast<int32_t>(lane) + 1);
      return;
    }
    const auto tid = static_cast<uint32_t>(lane) + 1;
    tids_.emplace(info.id, tid);
    std::string thread, track;
    pbf_writer thread_writer(thread);
    thread_writer.add_int32(thread::kPid, kPid);
    thread_writer.add_int64(thread::kTid, tid);
    thread_writer.add_string(thread::kName, texts_.whole(info.name));
    pbf_writer track_writer(track);
    track_writer.add_uint64(track::kUuid, lane_uuid(lane));
    track_writer.add_uint64(track::kParentUuid, kProcessUuid);
    track_writer.add_message(track::kThread, thread);
    packets_.describe(kDescriptions, track);
  }

  void describe(uint64_t uuid, uint64_t parent, const std::string& name, const char* description, uint32_t merge,
                int32_t rank, bool counter = false) {
    std::string track;
    pbf_writer track_writer(track);
    track_writer.add_uint64(track::kUuid, uuid);
    track_writer.add_uint64(track::kParentUuid, parent);
    track_writer.add_string(track::kName, name);
    if (*description != 0) track_writer.add_string(track::kDescription, description);
    if (counter) track_writer.add_message(track::kCounter, std::string());
    if (merge != 0) track_writer.add_enum(track::kSiblingMerge, static_cast<int32_t>(merge));
    if (rank != 0) track_writer.add_int32(track::kSiblingRank, rank);
    packets_.describe(kDescriptions, track);
  }

  uint64_t lane_uuid(size_t lane) const { return kProcessUuid + 1 + lane; }

  void start_sequence(uint64_t uuid) {
    packets_.start_sequence(sequence_, uuid, base_ns_);
    texts_.start_sequence(sequence_);
  }

  // ---- A lane ----
  void write_lane(size_t lane) {
    sequence_ = kDescriptions + 1 + static_cast<uint32_t>(lane);
    lane_ = lane;
    spans_.start(lane, job_.begin_ns, job_.end_ns);
    points_.start(lane, job_.begin_ns, job_.end_ns);
    const flamelet_span* span = spans_.next();
    point_ = points_.next();
    if (span == nullptr && point_ == nullptr) return;
    start_sequence(lane_uuid(lane));
    last_ = false;
    open_depth_ = 0;
    NestedSpans<PerfettoWriter> nested(*this);
    for (; span != nullptr && !job_.out.failed(); span = spans_.next()) nested.add(*span);
    last_ = true;
    nested.finish();
    job_.report.spans_clamped += nested.clamped();
    write_points(INT64_MAX);
  }

  // Those that are due: a point stands before what begins or ends with it.
  void write_points(int64_t until_ns) {
    for (; point_ != nullptr && point_->time_ns <= until_ns; point_ = points_.next()) write_point(*point_);
  }

  void write_point(const flamelet_point& point) {
    const std::string& fields = texts_.fields(point.site, point.name);
    ++job_.report.points;
    more_.clear();
    if (point.kind == FLAMELET_POINT_INSTANT) {
      if (point.object != 0) texts_.annotate_object(point.object, &more_);
      packets_.event(point.time_ns, event::kInstant, fields, more_);
    } else if (std::isfinite(point.value)) {
      pbf_writer more(more_);
      more.add_uint64(event::kTrackUuid, counter_uuid(point));
      more.add_double(event::kDoubleCounterValue, point.value);
      packets_.event(point.time_ns, event::kCounter, fields, more_);
    } else {
      ++job_.report.values_nonfinite;
      texts_.annotate(annotation_name::kCounter,
                      std::isnan(point.value) ? "nan"
                      : point.value > 0       ? "inf"
                                              : "-inf",
                      &more_);
      packets_.event(point.time_ns, event::kInstant, fields, more_);
    }
  }

  // The track of a counter is told at its first value on a lane.
  uint64_t counter_uuid(const flamelet_point& point) {
    const uint32_t number = texts_.scope_number(point.site, point.name);
    counters_.resize(std::max<size_t>(counters_.size(), number + 1));
    auto& [sequence, uuid] = counters_[number];
    if (sequence != sequence_) {
      sequence = sequence_;
      uuid = next_uuid_++;
      describe(uuid, lane_uuid(lane_), texts_.whole(job_.string(point.name)), "", 0, 0, true);
    }
    return uuid;
  }

  // ---- Arrows ----
  void count_links() {
    for (size_t lane = 0; lane < lanes_; ++lane) {
      if (kinds_[lane] != FLAMELET_LANE_GPU) continue;
      spans_.start(lane, job_.begin_ns, job_.end_ns);
      while (const flamelet_span* span = spans_.next())
        if (span->id != 0) ++links_.try_emplace(span->id, Link{0, 0, 0}).first->second.count;
    }
  }

  void add_flows(const flamelet_span& span) {
    const flamelet_lane_kind kind = kinds_[lane_];
    if (kind != FLAMELET_LANE_GPU && (kind != FLAMELET_LANE_THREAD || (span.flags & FLAMELET_SPAN_RESUMED) != 0))
      return;
    const auto at = links_.find(span.id);
    if (at == links_.end()) return;
    Link& link = at->second;
    pbf_writer more(more_);
    if (kind == FLAMELET_LANE_GPU) {
      if (link.first != 0) more.add_fixed64(event::kTerminatingFlowId, link.first + link.taken++);
    } else if (link.first == 0) {
      link.first = next_flow_;
      next_flow_ += link.count;
      for (uint64_t i = 0; i < link.count; ++i) more.add_fixed64(event::kFlowId, link.first + i);
    }
  }

  // The ends of flows are instants in the scopes where they were marked, on a sequence of their own: those of a lane are
  // not in the order of its time.
  void write_flows() {
    std::vector<flamelet_flow> flows = read_flows(job_.capture, job_.begin_ns, job_.end_ns);
    if (flows.empty()) return;
    start_sequence(lane_uuid(flows[0].lane));
    std::vector<size_t> order(flows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&flows](size_t a, size_t b) { return flows[a].time_ns < flows[b].time_ns; });
    const std::string fields = texts_.name_alone("Flow");
    for (const size_t i : order) {
      const flamelet_flow& flow = flows[i];
      const bool ends = (flow.flags & FLAMELET_FLOW_IS_END) != 0;
      const uint64_t arrow = next_flow_ + (flow.begin == FLAMELET_NO_PARENT ? i : flow.begin);
      more_.clear();
      texts_.annotate(ends ? annotation_name::kFlowEnd : annotation_name::kFlowBegin, flow.id, &more_);
      pbf_writer more(more_);
      more.add_uint64(event::kTrackUuid, lane_uuid(flow.lane));
      more.add_fixed64(is_last_end(flows, i) ? event::kTerminatingFlowId : event::kFlowId, arrow);
      packets_.event(flow.time_ns, event::kInstant, fields, more_);
    }
    job_.report.flows += flows.size();
  }

  // ---- States of threads, as the switches of the processors ----
  void write_switches() {
    std::vector<flamelet_processor_run> runs(4096);
    std::vector<Run> all;
    flamelet_processor_cursor cursor;
    flamelet_processor_cursor_start(&cursor, job_.capture, std::max(job_.begin_ns, base_ns_), job_.end_ns, runs.data(),
                                    runs.size());
    while (flamelet_processor_cursor_next(&cursor))
      for (size_t i = 0; i < cursor.count; ++i) all.push_back({cursor.runs[i], false});
    int64_t known_to_ns = INT64_MIN;
    for (const Run& run : all) known_to_ns = std::max(known_to_ns, run.end_ns);
    for (size_t lane = 0; lane < lanes_; ++lane)
      if (kinds_[lane] == FLAMELET_LANE_THREAD) add_departures(lane, &all);
    std::stable_sort(all.begin(), all.end(), [](const Run& a, const Run& b) {
      return std::make_tuple(a.processor, a.begin_ns, !a.only_leaves) <
             std::make_tuple(b.processor, b.begin_ns, !b.only_leaves);
    });
    for (size_t first = 0, end = 0; first < all.size(); first = end) {
      while (end < all.size() && all[end].processor == all[first].processor) ++end;
      write_processor(all.data() + first, all.data() + end, known_to_ns);
    }
  }

  // Where a thread leaves a processor on which it was not known to run. Whoever runs next runs instead of it.
  void add_departures(size_t lane, std::vector<Run>* all) {
    const int64_t first_ns = std::max(job_.begin_ns, base_ns_);
    std::vector<flamelet_state> states(4096);
    flamelet_state_cursor cursor;
    flamelet_state_cursor_start(&cursor, job_.capture, lane, first_ns, job_.end_ns, states.data(), states.size());
    flamelet_state before = {};
    while (flamelet_state_cursor_next(&cursor)) {
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_state& state = cursor.states[i];
        const int64_t at_ns = std::max(state.begin_ns, first_ns);
        const bool leaves = state.kind == FLAMELET_STATE_ASLEEP || state.kind == FLAMELET_STATE_TAKEN_OFF;
        const bool is_known = before.end_ns == at_ns && before.processor == state.processor &&
                              (before.kind == state.kind || before.kind == FLAMELET_STATE_RUNNING);
        if (leaves && !is_known && state.processor < FLAMELET_MAX_PROCESSORS)
          all->push_back({{at_ns, at_ns, state.processor, static_cast<uint32_t>(lane), state.kind}, true});
        before = state;
      }
    }
  }

  // Who went on running when nothing more is known has no switch. What comes next is a bundle of its own that says that
  // some are missing.
  void write_processor(const Run* run, const Run* end, int64_t known_to_ns) {
    const Run* before = nullptr;
    for (; run != end; before = run++) {
      const bool is_lost = before != nullptr && before->by != FLAMELET_BY_OTHERS &&
                           before->left == FLAMELET_STATE_UNKNOWN && before->end_ns != run->begin_ns;
      if (is_lost) packets_.end_switches(true);
      if (before != nullptr && !is_lost && (before->end_ns < run->begin_ns || run->only_leaves)) {
        add_switch(before->end_ns, before, nullptr, run->processor);
        before = nullptr;
      }
      if (!run->only_leaves) add_switch(run->begin_ns, is_lost ? nullptr : before, run, run->processor);
    }
    const bool went =
        before->by == FLAMELET_BY_OTHERS ? before->end_ns < known_to_ns : before->left != FLAMELET_STATE_UNKNOWN;
    if (went) add_switch(before->end_ns, before, nullptr, before->processor);
    packets_.end_switches(false);
  }

  void add_switch(int64_t time_ns, const flamelet_processor_run* from, const flamelet_processor_run* to,
                  uint32_t processor) {
    if (from != nullptr && to != nullptr && from->by == FLAMELET_BY_OTHERS && to->by == FLAMELET_BY_OTHERS) return;
    const int64_t state = from != nullptr && from->left == FLAMELET_STATE_ASLEEP ? sched_switch::kStateSleeps
                                                                                 : sched_switch::kStateRunnable;
    packets_.add_switch(time_ns - base_ns_, processor, runner(from), state, runner(to));
  }
  Runner runner(const flamelet_processor_run* run) {
    flamelet_lane_info info;
    if (run == nullptr) return {sched_switch::kIdle, "swapper"};
    if (run->by == FLAMELET_BY_OTHERS) return {sched_switch::kOthers, "another program"};
    if (!flamelet_capture_lane(job_.capture, run->by, &info)) return {sched_switch::kNoLane, "a thread without a lane"};
    return {static_cast<int32_t>(run->by) + 1, texts_.whole(info.name)};
  }

  // ---- Frames and intervals ----
  void write_frames(const std::string& name, const char* description, const std::vector<flamelet_frame_info>& frames) {
    ++sequence_;
    if (frames.empty()) return;
    const uint64_t uuid = next_uuid_++;
    describe(uuid, kProcessUuid, name, description, track::kMergeNone, 0);
    start_sequence(uuid);
    const std::string fields = texts_.name_alone("Frame");
    int64_t now_ns = INT64_MIN;
    for (const flamelet_frame_info& frame : frames) {
      more_.clear();
      texts_.annotate(annotation_name::kFrame, frame.index, &more_);
      texts_.annotate_flags(kFrameFlags, frame.flags, &more_);
      now_ns = std::max(now_ns, frame.begin_ns);
      packets_.event(now_ns, event::kSliceBegin, fields, more_);
      now_ns = std::max(now_ns, frame.end_ns);
      packets_.event(now_ns, event::kSliceEnd, "");
    }
    job_.report.frames += frames.size();
  }

  void write_intervals() {
    struct End {
      int64_t time_ns;
      uint64_t uuid;
      bool operator>(const End& other) const {
        return time_ns != other.time_ns ? time_ns > other.time_ns : uuid > other.uuid;
      }
    };
    Least<End> ends;
    Least<uint64_t> free;  // tracks
    const auto write_ends = [&](int64_t until_ns) {
      for (; !ends.empty() && ends.top().time_ns <= until_ns; ends.pop()) {
        write_interval_event(ends.top().time_ns, event::kSliceEnd, ends.top().uuid, "");
        free.push(ends.top().uuid);
      }
    };
    for (const flamelet_interval& interval : read_intervals(job_.capture, job_.begin_ns, job_.end_ns)) {
      if (job_.report.intervals++ == 0) start_sequence(next_uuid_);
      write_ends(interval.begin_ns);
      uint64_t uuid = next_uuid_;
      if (free.empty()) {
        describe(next_uuid_++, kProcessUuid, "Intervals", kIntervalsDescription, 0, static_cast<int32_t>(lanes_) + 1);
      } else {
        uuid = free.top();
        free.pop();
      }
      const std::string& fields = texts_.fields(interval.site, interval.name);
      more_.clear();
      if (interval.object != 0) texts_.annotate_object(interval.object, &more_);
      texts_.annotate_flags(kSpanFlags, interval.flags, &more_);
      if (const auto at = tids_.find(interval.begin_track); at != tids_.end())
        texts_.annotate(annotation_name::kBeginTid, at->second, &more_);
      if (const auto at = tids_.find(interval.end_track); at != tids_.end())
        texts_.annotate(annotation_name::kEndTid, at->second, &more_);
      write_interval_event(interval.begin_ns, event::kSliceBegin, uuid, fields);
      if ((interval.flags & FLAMELET_SPAN_OPEN) == 0) ends.push({std::max(interval.end_ns, interval.begin_ns), uuid});
    }
    write_ends(INT64_MAX);
  }
  void write_interval_event(int64_t time_ns, uint32_t type, uint64_t uuid, std::string_view fields) {
    if (type == event::kSliceEnd) more_.clear();
    pbf_writer(more_).add_uint64(event::kTrackUuid, uuid);
    packets_.event(time_ns, type, fields, more_);
  }

  Export& job_;
  const int64_t base_ns_;
  const size_t lanes_;
  Packets packets_;
  EventTexts texts_;
  LaneStream<ReadSpans> spans_;
  LaneStream<ReadPoints> points_;
  const flamelet_point* point_ = nullptr;  // the next one of the lane

  uint32_t sequence_ = 0;
  size_t lane_ = 0;
  size_t open_depth_ = 0;  // how many of the lane's open spans, from the outermost on, never ended
  bool last_ = false;      // nothing follows on the lane
  uint64_t next_uuid_;
  uint64_t next_flow_ = 1;
  std::vector<flamelet_lane_kind> kinds_;        // by lane
  std::unordered_map<uint32_t, uint32_t> tids_;  // by a thread's id
  std::unordered_map<flamelet_id, Link> links_;  // by the id of the submitting scope
  std::vector<std::pair<uint32_t, uint64_t>>
      counters_;      // by scope: the sequence that used it last, and the track there
  std::string more_;  // of an event: what it does not share with others of its scope
};

}  // namespace

void export_perfetto(Export& job) {
  PerfettoWriter(job).write();
}

}  // namespace flamelet::formats

// SPDX-License-Identifier: MIT
//
// chrome_export.cpp: Chrome's trace JSON, as its readers accept it.
//
//   - Times are microseconds with three places, the earliest of the export being 1: readers keep them in doubles,
//     which lose nanoseconds at the size of an epoch. They add up to the same doubles (append_stretch).
//   - A span is one complete event ("X"), parents first. A span of no length is written 1 ns long, inside its parent: a
//     reader that keeps a stack loses it otherwise. Its "depth" then says what its times no longer do.
//   - Frames and intervals have thread ids of their own, behind those of the lanes.
//   - A flow is "s", then "t" for each end but the last, which is "f". Its id is text ("flow"): it may need 64 bits.
//   - What a viewer need not know stands beside the fields of the format and not in "args", which viewers show with the
//     name: the scope's number ("site"), told once by an event "flamelet_site"; a frame's number and threads; flags.
//     chrome_import.cpp makes of them a capture that is exported to the same bytes.
//
// The text is put together by hand: what is constant in an event of one scope is made once, and a span is then two
// numbers and two copies.
#include <cmath>

#include "exporter.h"
#include "lane_stream.h"
#include "platform/number_text.h"

namespace flamelet::formats {
namespace {

// The earliest time is 1 us, not 0: DevTools takes what has no time for metadata, and would begin with the event after it.
constexpr int64_t kLeadNs = 1000;
constexpr int64_t kNoTime = INT64_MIN;
constexpr double kMostTellingUs = 4398046511104;  // 2^42, 51 days: two neighbours are 1 ns apart

class ChromeWriter {
 public:
  explicit ChromeWriter(Export& job)
      : job_(job), out_(job.out), base_ns_(earliest_ns(job.capture, job.begin_ns, job.end_ns) - kLeadNs) {}

  void write() {
    write_head();
    const size_t lanes = flamelet_capture_lane_count(job_.capture);
    LaneStream<ReadSpans> spans(job_.capture);
    LaneStream<ReadPoints> points(job_.capture);
    find_submitters(&spans);
    for (size_t lane = 0; lane < lanes && !out_.failed(); ++lane) {
      flamelet_lane_info info;
      flamelet_capture_lane(job_.capture, lane, &info);
      has_scope_ids_ = !scope_ids_.empty() && info.kind != FLAMELET_LANE_EXTERNAL;
      name_thread(lane + 1, job_.json(info.name), kLaneWords[info.kind], info.id);
      if (info.kind == FLAMELET_LANE_THREAD) tids_.emplace(info.id, lane + 1);
      spans.start(lane, job_.begin_ns, job_.end_ns);
      NestedSpans<ChromeWriter> nested(*this);
      open_.clear();
      first_ns_ = kNoTime;
      while (const flamelet_span* span = spans.next()) {
        nested.add(*span);
        if (out_.failed()) return;
      }
      nested.finish();
      job_.report.spans_clamped += nested.clamped();
      points.start(lane, job_.begin_ns, job_.end_ns);
      while (const flamelet_point* point = points.next()) write_point(*point);
    }
    tid_ = lanes + 1;
    write_frames("Frames", kFramesWord, read_frames(job_.capture, job_.begin_ns, job_.end_ns));
    tid_ = lanes + 2;
    write_intervals();
    for (const FrameTrack& set : read_frame_sets(job_.capture, job_.begin_ns, job_.end_ns, &job_.report)) {
      ++tid_;
      write_frames(set.name, kFrameSetWord, set.frames);
    }
    write_flows();
    out_.append("\n]}\n");
  }

  // ---- NestedSpans ----
  void begin(const flamelet_span& span, size_t depth) {
    const std::string& scope = scope_text(span.site, span.name);
    int64_t begin_ns = span.begin_ns, end_ns = span.end_ns;
    if (begin_ns == end_ns) {
      end_ns = begin_ns + 1;
      if (depth != 0 && end_ns - base_ns_ > open_[depth - 1].end.ns) {
        end_ns = open_[depth - 1].end.ns + base_ns_;
        begin_ns = end_ns - 1;
      }
    }
    if (first_ns_ == kNoTime) start_stretches(begin_ns - base_ns_);
    event("X", scope);
    open_.resize(depth);
    open_.push_back(append_stretch(begin_ns - base_ns_, end_ns - base_ns_));
    if (span.begin_ns == span.end_ns) append_field(",\"depth\":", depth);
    if (begin_ns != span.begin_ns) out_.append(",\"moved\":1");
    const bool is_piece = (span.flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED)) != 0 && span.id != 0;
    if (is_piece) scope_ids_.try_emplace(span.id, 0);  // which belong together
    if (has_scope_ids_ || is_piece) append_scope_id(span.id);
    if (span.flags != 0) append_field(",\"flags\":", span.flags);
    if (span.object != 0) append_object(span.object);
    out_.append("}");
    ++job_.report.spans;
  }
  void end(const flamelet_span&, size_t depth) { last_end_ = open_[depth].end; }

 private:
  // A time as it is written: as the nearest double, or a little later.
  struct Time {
    int64_t ns;
    double us;
  };
  struct Stretch {
    Time begin, end;
  };

  void write_head() {
    const flamelet_clock clock = flamelet_capture_clock(job_.capture);
    out_.append("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"flamelet\",\"base_ns\":\"");
    out_.append_integer(base_ns_);
    out_.append("\",\"origin_unix_ns\":\"");
    out_.append_integer(clock.origin_unix_ns);
    out_.append("\"},\"traceEvents\":[\n");
    std::string name;
    append_json_string(job_.process_name, &name);
    out_.append("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":");
    out_.append(name);
    out_.append("}}");
  }

  // The CPU scopes that spans of GPU queues name as theirs.
  void find_submitters(LaneStream<ReadSpans>* spans) {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(job_.capture); ++lane) {
      flamelet_lane_info info;
      flamelet_capture_lane(job_.capture, lane, &info);
      if (info.kind != FLAMELET_LANE_GPU) continue;
      spans->start(lane, job_.begin_ns, job_.end_ns);
      while (const flamelet_span* span = spans->next())
        if (span->id != 0) scope_ids_.try_emplace(span->id, 0);
    }
  }

  // They and these spans get the same number, in the order in which they are written: ids are too large for readers that
  // keep numbers in doubles.
  void append_scope_id(flamelet_id id) {
    const auto found = scope_ids_.find(id);
    if (found == scope_ids_.end()) return;
    if (found->second == 0) found->second = ++last_scope_id_;
    append_field(",\"scope_id\":", found->second);
  }

  void name_thread(size_t tid, const std::string& name, std::string_view kind, uint32_t id) {
    tid_ = tid;
    out_.append(",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":");
    out_.append_integer(tid);
    out_.append(",\"args\":{\"name\":");
    out_.append(name);
    out_.append("},\"lane\":\"");
    out_.append(kind);
    out_.append("\"");
    append_field(",\"lane_id\":", id);
    out_.append("},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":1,\"tid\":");
    out_.append_integer(tid);
    append_field(",\"args\":{\"sort_index\":", tid);
    out_.append("}}");
  }

  // The fields that all events of a scope share. At its first use its site is told, for those who read this back. Scopes
  // whose texts are the same once they are UTF-8 are one: who reads them back has no other way to tell them apart.
  const std::string& scope_text(uint32_t site, uint32_t name) {
    bool added;
    const uint32_t scope = scopes_.number(site, name, &added);
    if (!added) return scope_texts_[scope];
    flamelet_site_info info;
    const bool is_known = flamelet_capture_site(job_.capture, site, &info);
    std::string text = ",\"name\":" + job_.json(name != 0 || is_known ? job_.string(name) : info.name) +
                       ",\"cat\":" + job_.json(info.category) + ",\"pid\":1,\"site\":";
    const std::string args = ",\"args\":{\"name\":" + job_.json(info.name) + ",\"file\":" + job_.json(info.file) +
                             ",\"function\":" + job_.json(info.function) + ",\"line\":" + std::to_string(info.line) +
                             ",\"color\":" + std::to_string(info.color) + "}}";
    const auto [told, is_new] = told_.try_emplace(text + args, static_cast<uint32_t>(told_.size()));
    if (is_new) {
      out_.append(",\n{\"ph\":\"M\",\"name\":\"flamelet_site\",\"pid\":1,\"tid\":1");
      append_field(",\"site\":", told->second);
      out_.append(args);
    }
    text += std::to_string(told->second);
    scope_texts_.push_back(std::move(text));
    return scope_texts_.back();
  }

  void event(std::string_view phase, std::string_view scope) {
    out_.append(",\n{\"ph\":\"");
    out_.append(phase);
    out_.append("\"");
    out_.append(scope);
    append_field(",\"tid\":", tid_);
  }

  template <class Integer>
  void append_field(std::string_view name, Integer value) {
    out_.append(name);
    out_.append_integer(value);
  }

  // ns >= 0, as microseconds.
  void append_time(std::string_view name, int64_t ns) {
    out_.append(name);
    char* at = out_.reserve(32);
    const auto magnitude = static_cast<uint64_t>(ns);
    at = std::to_chars(at, at + 24, magnitude / 1000).ptr;
    const auto rest = static_cast<unsigned>(magnitude % 1000);
    *at++ = '.';
    *at++ = static_cast<char>('0' + rest / 100);
    *at++ = static_cast<char>('0' + rest / 10 % 10);
    *at++ = static_cast<char>('0' + rest % 10);
    out_.commit(at);
  }

  // Readers add "ts" and "dur" as doubles. Where the sum is not the very double that stands at the end, a scope would
  // end behind the next one's begin or its parent's end, and they lose their stack. speedscope also subtracts a thread
  // id's first "ts" from all others before it adds. So that first one is moved up to a multiple of 2^-13 us, by less than
  // an eighth of a nanosecond: then no difference to it is rounded. And a "dur" gets more places where it needs them.
  // Other readers cut both to whole nanoseconds, each by itself, and add then. So a number is not below what it stands
  // for, if need be by a later end, which what ends or begins there shares. Doubles that are too large to tell nanoseconds
  // cannot have all this: there the numbers are what they stand for.
  void start_stretches(int64_t first_ns) {
    first_ns_ = first_ns;
    first_us_ = std::ceil(static_cast<double>(first_ns) / 1000 * 8192) / 8192;
    last_end_ = {kNoTime, 0};
  }

  // Inside the stretches of open_.
  Stretch append_stretch(int64_t begin_ns, int64_t end_ns) {
    if (static_cast<double>(end_ns) / 1000 > kMostTellingUs) {
      append_time(",\"ts\":", begin_ns);
      append_time(",\"dur\":", end_ns - begin_ns);
      return {{begin_ns, static_cast<double>(begin_ns) / 1000}, {end_ns, static_cast<double>(end_ns) / 1000}};
    }
    const Stretch* const around = open_.empty() ? nullptr : &open_.back();
    Stretch stretch = {{begin_ns, begin_us(begin_ns, around)}, {end_ns, not_below(end_ns)}};
    const bool ends_with_it = around != nullptr && around->end.ns == end_ns;
    if (ends_with_it) stretch.end = around->end;
    if (stretch.begin.us == static_cast<double>(begin_ns) / 1000)
      append_time(",\"ts\":", begin_ns);
    else
      append_double(",\"ts\":", stretch.begin.us);
    const int64_t took_ns = end_ns - begin_ns;
    const double duration_us = duration_of(&stretch, took_ns, !ends_with_it);
    if (duration_us == static_cast<double>(took_ns) / 1000)
      append_time(",\"dur\":", took_ns);
    else
      append_double(",\"dur\":", duration_us);
    return stretch;
  }

  double begin_us(int64_t ns, const Stretch* around) const {
    if (ns == first_ns_) return first_us_;
    if (around != nullptr && around->begin.ns == ns) return around->begin.us;
    return last_end_.ns == ns ? last_end_.us : not_below(ns);
  }

  static bool is_cut_right(double us, int64_t ns) { return static_cast<int64_t>(us * 1000) >= ns; }
  static double not_below(int64_t ns) {
    const double us = static_cast<double>(ns) / 1000;
    return is_cut_right(us, ns) ? us : std::nextafter(us, HUGE_VAL);
  }

  double duration_of(Stretch* stretch, int64_t took_ns, bool may_end_later) {
    constexpr double kMostLaterUs = 0.0003;
    const double begin_us = stretch->begin.us, first_end_us = stretch->end.us, took_us = not_below(took_ns);
    const double later_us = begin_us + took_us;
    double found_us = 0;
    for (const double end_us : {first_end_us, later_us, std::nextafter(later_us, HUGE_VAL)}) {
      const bool is_later = end_us > first_end_us && end_us <= first_end_us + kMostLaterUs;
      if (end_us != first_end_us && !(is_later && may_end_later)) continue;
      // Mostly the first. Where the sum is rounded, a neighbour may be what adds up.
      const double exact_us = end_us - begin_us;
      for (const double us : {took_us, exact_us, std::nextafter(exact_us, HUGE_VAL), std::nextafter(exact_us, 0.0)}) {
        if (!adds_up(begin_us, us, end_us)) continue;
        if (found_us == 0) found_us = us;
        if (!is_cut_right(us, took_ns)) continue;
        stretch->end.us = end_us;
        return us;
      }
    }
    return found_us != 0 ? found_us : first_end_us - begin_us;
  }

  bool adds_up(double begin_us, double duration_us, double end_us) const {
    return begin_us + duration_us == end_us && begin_us - first_us_ + duration_us == end_us - first_us_;
  }

  void append_double(std::string_view name, double value) {
    out_.append(name);
    char* at = out_.reserve(32);
    out_.commit(write_double(at, at + 32, value));
  }

  void append_object(uint32_t object) { out_.append(",\"args\":{\"object\":" + job_.json(job_.string(object)) + "}"); }

  void write_point(const flamelet_point& point) {
    const std::string& scope = scope_text(point.site, point.name);
    ++job_.report.points;
    if (point.kind == FLAMELET_POINT_INSTANT) {
      event("i", scope);
      append_time(",\"ts\":", point.time_ns - base_ns_);
      out_.append(",\"s\":\"t\"");
      if (point.object != 0) append_object(point.object);
      out_.append("}");
      return;
    }
    event("C", scope);
    append_time(",\"ts\":", point.time_ns - base_ns_);
    if (std::isfinite(point.value)) {
      out_.append(",\"args\":{\"value\":");
      char* at = out_.reserve(32);
      out_.commit(write_double(at, at + 32, point.value));
    } else {
      // JSON has no such number, and there are readers that never come back from one.
      ++job_.report.values_nonfinite;
      out_.append(std::isnan(point.value) ? ",\"nonfinite\":\"nan\""
                  : point.value > 0       ? ",\"nonfinite\":\"inf\""
                                          : ",\"nonfinite\":\"-inf\"");
      out_.append(",\"args\":{\"value\":null");
    }
    out_.append("}}");
  }

  void write_frames(const std::string& track, std::string_view kind, const std::vector<flamelet_frame_info>& frames) {
    if (frames.empty()) return;
    name_thread(tid_, job_.json({track.data(), track.size()}), kind, 0);
    open_.clear();
    start_stretches(frames.front().begin_ns - base_ns_);
    for (const flamelet_frame_info& frame : frames) {
      event("X", ",\"name\":\"Frame\",\"cat\":\"frame\",\"pid\":1");
      last_end_ = append_stretch(frame.begin_ns - base_ns_, std::max(frame.end_ns, frame.begin_ns + 1) - base_ns_).end;
      append_field(",\"frame\":", frame.index);
      if (frame.end_ns == frame.begin_ns) out_.append(",\"empty\":1");
      if (frame.flags != 0) append_field(",\"flags\":", frame.flags);
      if (const auto marking = tids_.find(frame.thread); marking != tids_.end())
        append_field(",\"thread\":", marking->second);
      const std::string times = kind == kFramesWord ? thread_times_text(job_.capture, frame.index) : "";
      if (!times.empty()) out_.append(",\"times\":\"" + times + "\"");
      out_.append("}");
      ++job_.report.frames;
    }
  }

  // Each flow that begins gets an "id" of its own: readers draw arrows between all events of one id, and a user's id may
  // have been used again. An end is in the scope around it ("bp":"e"), not in the next one.
  void write_flows() {
    const std::vector<flamelet_flow> flows = read_flows(job_.capture, job_.begin_ns, job_.end_ns);
    for (size_t i = 0; i < flows.size(); ++i) {
      const flamelet_flow& flow = flows[i];
      const bool ends = (flow.flags & FLAMELET_FLOW_IS_END) != 0;
      tid_ = flow.lane + 1;
      event(!ends ? "s" : is_last_end(flows, i) ? "f" : "t", ",\"name\":\"flow\",\"cat\":\"flow\",\"pid\":1");
      append_field(",\"id\":", (flow.begin == FLAMELET_NO_PARENT ? i : flow.begin) + 1);
      append_time(",\"ts\":", flow.time_ns - base_ns_);
      if (ends) out_.append(",\"bp\":\"e\"");
      append_field(",\"flow\":\"", flow.id);
      out_.append("\"}");
      ++job_.report.flows;
    }
  }

  void write_intervals() {
    const std::vector<flamelet_interval> intervals = read_intervals(job_.capture, job_.begin_ns, job_.end_ns);
    if (!intervals.empty()) name_thread(tid_, "\"Intervals\"", kIntervalsWord, 0);
    for (const flamelet_interval& interval : intervals) {
      const std::string& scope = scope_text(interval.site, interval.name);
      const uint64_t id = ++job_.report.intervals;
      event("b", scope);
      append_field(",\"id\":", id);
      append_time(",\"ts\":", interval.begin_ns - base_ns_);
      append_field(",\"track\":", interval.begin_track);
      if (interval.flags != 0) append_field(",\"flags\":", interval.flags);
      if (interval.object != 0) append_object(interval.object);
      out_.append("}");
      event("e", scope);
      append_field(",\"id\":", id);
      append_time(",\"ts\":", std::max(interval.end_ns, interval.begin_ns) - base_ns_);
      append_field(",\"track\":", interval.end_track);
      out_.append("}");
    }
  }

  Export& job_;
  Output& out_;
  const int64_t base_ns_;
  size_t tid_ = 0;
  ScopeNumbers scopes_;
  std::vector<std::string> scope_texts_;
  std::unordered_map<std::string, uint32_t> told_;  // what a site's event says, and its number
  std::unordered_map<flamelet_id, uint64_t> scope_ids_;
  uint64_t last_scope_id_ = 0;
  std::unordered_map<uint32_t, size_t> tids_;  // by a thread's id
  bool has_scope_ids_ = false;                 // on this lane
  std::vector<Stretch> open_;                  // the spans around, by depth
  Time last_end_ = {kNoTime, 0};               // of what was closed last
  int64_t first_ns_ = kNoTime;                 // the earliest "ts" of the thread id, and as it is written
  double first_us_ = 0;
};

}  // namespace

void export_chrome(Export& job) {
  ChromeWriter(job).write();
}

}  // namespace flamelet::formats

// SPDX-License-Identifier: MIT
//
// perfetto_export.cpp: Perfetto's protobuf trace, as its readers accept it.
//
//   - Each lane is a sequence of packets in the order of time, with its instants and counter values between its spans;
//     TrackTree below tells why. The trace's 0 is the earliest time of the export, on the clock that readers take
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
#include <cstdio>
#include <numeric>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exporter.h"
#include "perfetto_fields.h"

namespace flamelet::formats::perfetto {

// Packets of a Perfetto trace, and the sequences that they belong to.
//
// A sequence is what one writer says, in the order of time. It has a clock of its own whose stamps are the differences
// to the one before (a byte or two instead of eight), a track that its events are on if they name none, and numbers for
// the texts it uses: a packet that says so first must come first, or readers drop all the others without a word.

// Messages that events name by number: equal ones have one number, from 1, in the order of their first use. A number is
// the same in all sequences, but each sequence has to be told what it means.
class InternTable {
 public:
  explicit InternTable(uint32_t field) : field_(field) {}

  // `body`: the message's fields, all but the number.
  uint32_t number(std::string body) {
    const auto [at, added] = numbers_.try_emplace(std::move(body), static_cast<uint32_t>(entries_.size() + 1));
    if (added) entries_.push_back({&at->first, 0});
    return at->second;
  }
  uint32_t text(std::string_view text) {
    std::string body;
    protozero::pbf_writer(body).add_string(interned::kText, text.data(), text.size());
    return number(std::move(body));
  }
  // Appends to InternedData what the number means, unless the sequence knows.
  void tell(uint32_t number, uint32_t sequence, std::string* interned_data) {
    if (number == 0 || entries_[number - 1].told_to == sequence) return;
    entries_[number - 1].told_to = sequence;
    std::string message;
    protozero::pbf_writer(message).add_uint64(interned::kId, number);
    message.append(*entries_[number - 1].body);
    protozero::pbf_writer(*interned_data).add_message(field_, message);
  }

 private:
  struct Entry {
    const std::string* body;
    uint32_t told_to;
  };
  const uint32_t field_;
  std::unordered_map<std::string, uint32_t> numbers_;  // whose keys stay where they are
  std::vector<Entry> entries_;
};

// Who is on a processor: a thread's number and name.
struct Runner {
  int32_t number;
  std::string name;
};

class Packets {
 public:
  explicit Packets(Output& out) : out_(out) {}

  // The packets that follow belong to this sequence; its clock is at `base_ns`, which is the trace's 0.
  void start_sequence(uint32_t sequence, uint64_t track_uuid, int64_t base_ns) {
    now_ns_ = base_ns;
    begin_sequence(sequence);
    std::string snapshot, defaults, event_defaults, bytes;
    add_clock(clock::kBoottime, 0, false, &snapshot);
    add_clock(clock::kFirstOfSequence, 0, true, &snapshot);
    protozero::pbf_writer(event_defaults).add_uint64(event::kTrackUuid, track_uuid);
    protozero::pbf_writer defaults_writer(defaults);
    defaults_writer.add_uint32(defaults::kTimestampClock, clock::kFirstOfSequence);
    defaults_writer.add_message(defaults::kTrackEvent, event_defaults);
    protozero::pbf_writer packet_writer(bytes);
    packet_writer.add_uint32(packet::kSequenceId, sequence);
    packet_writer.add_uint32(packet::kSequenceFlags, packet::kStateCleared);
    packet_writer.add_bool(packet::kFirstOnSequence, true);
    packet_writer.add_message(packet::kDefaults, defaults);
    packet_writer.add_message(packet::kClockSnapshot, snapshot);
    append_packet(bytes);
  }

  // A sequence of descriptions without a time. The trace's 0 was at `unix_ns`, or 0: not known.
  void start_descriptions(uint32_t sequence, int64_t unix_ns) {
    std::string snapshot, bytes;
    add_clock(clock::kBoottime, 0, false, &snapshot);
    if (unix_ns != 0) add_clock(clock::kRealtime, unix_ns, false, &snapshot);
    protozero::pbf_writer(snapshot).add_uint32(clock_snapshot::kPrimaryTraceClock, clock::kBoottime);
    protozero::pbf_writer packet_writer(bytes);
    packet_writer.add_uint32(packet::kSequenceId, sequence);
    packet_writer.add_bool(packet::kFirstOnSequence, true);
    packet_writer.add_message(packet::kClockSnapshot, snapshot);
    append_packet(bytes);
  }
  void describe(uint32_t sequence, const std::string& track) {
    std::string bytes;
    protozero::pbf_writer packet_writer(bytes);
    packet_writer.add_uint32(packet::kSequenceId, sequence);
    packet_writer.add_message(packet::kTrackDescriptor, track);
    append_packet(bytes);
  }

  void tell(const std::string& interned_data) {
    if (interned_data.empty()) return;
    std::string bytes = head_;
    protozero::pbf_writer(bytes).add_message(packet::kInternedData, interned_data);
    append_packet(bytes);
  }

  int64_t newest_ns() const { return newest_ns_; }

  // `fields`, `more`: those of the event, but its type. Neither may be NULL.
  void event(int64_t time_ns, uint32_t type, std::string_view fields, std::string_view more = "") {
    const uint64_t delta_ns = time_ns > now_ns_ ? static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(now_ns_) : 0;
    now_ns_ += static_cast<int64_t>(delta_ns);
    newest_ns_ = std::max(newest_ns_, now_ns_);
    const size_t event_bytes = 2 + fields.size() + more.size();
    const size_t packet_bytes = 1 + varint_bytes(delta_ns) + head_.size() + 1 + varint_bytes(event_bytes) + event_bytes;
    char* at = out_.reserve(64);
    at = put(at, trace::kPacket << 3 | kLengthWire, packet_bytes);
    at = put(at, packet::kTimestamp << 3, delta_ns);
    memcpy(at, head_.data(), head_.size());
    at = put(at + head_.size(), packet::kTrackEvent << 3 | kLengthWire, event_bytes);
    out_.commit(put(at, event::kType << 3, type));
    out_.append(fields);
    out_.append(more);
  }

  // A bundle of switches of one processor, by time; end_switches() writes it. With `lost`, some are missing before the next
  // one.
  void add_switch(int64_t time_ns, uint32_t processor, const Runner& from, int64_t state, const Runner& to) {
    std::string what, event;
    protozero::pbf_writer what_writer(what);
    what_writer.add_string(sched_switch::kPrevComm, from.name);
    what_writer.add_int32(sched_switch::kPrevPid, from.number);
    what_writer.add_int32(sched_switch::kPrevPrio, kUsualPriority);
    what_writer.add_int64(sched_switch::kPrevState, state);
    what_writer.add_string(sched_switch::kNextComm, to.name);
    what_writer.add_int32(sched_switch::kNextPid, to.number);
    what_writer.add_int32(sched_switch::kNextPrio, kUsualPriority);
    protozero::pbf_writer event_writer(event);
    event_writer.add_uint64(ftrace_event::kTimestamp, static_cast<uint64_t>(time_ns));
    event_writer.add_uint32(ftrace_event::kPid, static_cast<uint32_t>(from.number));
    event_writer.add_message(ftrace_event::kSchedSwitch, what);
    if (bundle_.empty()) {
      protozero::pbf_writer bundle_writer(bundle_);
      bundle_writer.add_uint32(ftrace_bundle::kProcessor, processor);
      if (lost_switches_) bundle_writer.add_bool(ftrace_bundle::kLostEvents, true);
      lost_switches_ = false;
    }
    protozero::pbf_writer(bundle_).add_message(ftrace_bundle::kEvent, event);
    if (bundle_.size() > kMostBundleBytes) end_switches(false);
  }
  void end_switches(bool lost) {
    lost_switches_ = lost;
    if (bundle_.empty()) return;
    std::string bytes;
    protozero::pbf_writer(bytes).add_message(packet::kFtraceEvents, bundle_);
    append_packet(bytes);
    bundle_.clear();
  }

 private:
  static constexpr uint32_t kLengthWire = 2;
  static constexpr int32_t kUsualPriority = 120;
  static constexpr size_t kMostBundleBytes = 64 * 1024;

  static size_t varint_bytes(uint64_t value) { return static_cast<size_t>(protozero::length_of_varint(value)); }
  // A field number below 16 fits in the tag's one byte.
  static char* put(char* at, uint32_t tag, uint64_t value) {
    *at++ = static_cast<char>(tag);
    return at + protozero::add_varint_to_buffer(at, value);
  }

  void begin_sequence(uint32_t sequence) {
    head_.clear();
    protozero::pbf_writer head_writer(head_);
    head_writer.add_uint32(packet::kSequenceId, sequence);
    head_writer.add_uint32(packet::kSequenceFlags, packet::kNeedsState);
  }
  static void add_clock(uint32_t id, int64_t time_ns, bool incremental, std::string* snapshot) {
    std::string bytes;
    protozero::pbf_writer clock_writer(bytes);
    clock_writer.add_uint32(clock::kId, id);
    clock_writer.add_uint64(clock::kTimestamp, static_cast<uint64_t>(time_ns));
    if (incremental) clock_writer.add_bool(clock::kIsIncremental, true);
    protozero::pbf_writer(*snapshot).add_message(clock_snapshot::kClock, bytes);
  }
  void append_packet(const std::string& bytes) {
    std::string framed;
    protozero::pbf_writer(framed).add_message(trace::kPacket, bytes);
    out_.append(framed);
  }

  Output& out_;
  std::string bundle_;
  bool lost_switches_ = false;
  std::string head_;  // what each packet of the sequence says
  int64_t now_ns_ = 0, newest_ns_ = INT64_MIN;
};

// Perfetto texts: what events of a Perfetto trace say beside their time: names, categories, source locations and debug
// annotations. Each text is told to a sequence once, in a packet before the first event that uses it.

class EventTexts {
 public:
  EventTexts(Export& job, Packets& packets) : job_(job), packets_(packets) {}

  void start_sequence(uint32_t sequence) { sequence_ = sequence; }

  // Scopes whose texts are the same once they are UTF-8 are one: a reader has no other way to tell them apart.
  uint32_t scope_number(uint32_t site, uint32_t name) {
    bool added;
    const uint32_t number = numbers_.number(site, name, &added);
    if (added) {
      Scope scope = make_scope(site, name);
      const auto [at, is_new] = same_.try_emplace(scope.fields, static_cast<uint32_t>(scopes_.size()));
      if (is_new) scopes_.push_back(std::move(scope));
      by_number_.push_back(at->second);
    }
    return by_number_[number];
  }

  // The fields that all events of a scope share.
  const std::string& fields(uint32_t site, uint32_t name) {
    Scope& scope = scopes_[scope_number(site, name)];
    if (scope.told_to != sequence_) tell(&scope);
    return scope.fields;
  }
  std::string name_alone(const char* name) {
    Scope scope;
    scope.name = names_.text(name);
    tell(&scope);
    protozero::pbf_writer(scope.fields).add_uint64(event::kNameId, scope.name);
    return scope.fields;
  }

  // Each adds one debug annotation to an event's fields.
  void annotate(const char* name, std::string_view text, std::string* fields) {
    annotate_string(name, strings_.text(text), fields);
  }
  void annotate(const char* name, uint64_t value, std::string* fields) {
    std::string annotation;
    protozero::pbf_writer writer(annotation);
    writer.add_uint64(annotation::kNameId, tell_annotation(name, 0));
    writer.add_uint64(annotation::kUint, value);
    protozero::pbf_writer(*fields).add_message(event::kAnnotation, annotation);
  }
  // A text that no other event has.
  void annotate_once(const char* name, const std::string& text, std::string* fields) {
    std::string annotation;
    protozero::pbf_writer writer(annotation);
    writer.add_uint64(annotation::kNameId, tell_annotation(name, 0));
    writer.add_string(annotation::kString, text);
    protozero::pbf_writer(*fields).add_message(event::kAnnotation, annotation);
  }
  void annotate_object(uint32_t string, std::string* fields) {
    if (job_.string(string).size == 0) return;
    const auto [at, added] = objects_.try_emplace(string, 0);
    if (added) at->second = strings_.text(whole(job_.string(string)));
    annotate_string(annotation_name::kObject, at->second, fields);
  }
  template <size_t N>
  void annotate_flags(const Flag (&flags)[N], uint32_t bits, std::string* fields) {
    if (bits == 0) return;
    std::string words;
    for (const Flag& flag : flags)
      if ((bits & flag.bit) != 0) words += (words.empty() ? "" : ", ") + std::string(flag.word);
    if (!words.empty()) annotate(annotation_name::kFlags, words, fields);
  }

  std::string whole(flamelet_string text) {
    std::string to;
    job_.count_text(text, append_utf8(view(text), &to));
    return to;
  }

 private:
  struct Scope {
    std::string fields;
    // The numbers in it, which a sequence has to know.
    uint32_t name = 0, category = 0, location = 0, own_name = 0, color = 0;
    uint32_t told_to = 0;  // the last sequence that does
  };

  Scope make_scope(uint32_t site, uint32_t name) {
    flamelet_site_info info;
    const bool is_known = flamelet_capture_site(job_.capture, site, &info);
    const std::string shown = whole(name != 0 || is_known ? job_.string(name) : info.name), own = whole(info.name),
                      category = whole(info.category);
    std::string location;
    protozero::pbf_writer location_writer(location);
    if (info.file.size != 0) location_writer.add_string(source_location::kFile, whole(info.file));
    if (info.function.size != 0) location_writer.add_string(source_location::kFunction, whole(info.function));
    if (info.line != 0) location_writer.add_uint32(source_location::kLine, info.line);

    Scope scope;
    protozero::pbf_writer writer(scope.fields);
    if (!category.empty()) writer.add_uint64(event::kCategoryId, scope.category = categories_.text(category));
    writer.add_uint64(event::kNameId, scope.name = names_.text(shown));
    if (!location.empty())
      writer.add_uint64(event::kSourceLocationId, scope.location = locations_.number(std::move(location)));
    if (own != shown) add_annotation(annotation_name::kScope, scope.own_name = strings_.text(own), &scope.fields);
    if (info.color != 0) {
      char color[16];
      snprintf(color, sizeof color, "#%06x", info.color);
      add_annotation(annotation_name::kColor, scope.color = strings_.text(color), &scope.fields);
    }
    return scope;
  }

  void tell(Scope* scope) {
    scope->told_to = sequence_;
    std::string data;
    categories_.tell(scope->category, sequence_, &data);
    names_.tell(scope->name, sequence_, &data);
    locations_.tell(scope->location, sequence_, &data);
    packets_.tell(data);
    if (scope->own_name != 0) tell_annotation(annotation_name::kScope, scope->own_name);
    if (scope->color != 0) tell_annotation(annotation_name::kColor, scope->color);
  }

  // Returns the number of the name.
  uint32_t tell_annotation(const char* name, uint32_t string) {
    const uint32_t number = annotations_.text(name);
    std::string data;
    annotations_.tell(number, sequence_, &data);
    strings_.tell(string, sequence_, &data);
    packets_.tell(data);
    return number;
  }
  void annotate_string(const char* name, uint32_t string, std::string* fields) {
    tell_annotation(name, string);
    add_annotation(name, string, fields);
  }
  void add_annotation(const char* name, uint32_t string, std::string* fields) {
    std::string annotation;
    protozero::pbf_writer writer(annotation);
    writer.add_uint64(annotation::kNameId, annotations_.text(name));
    writer.add_uint64(annotation::kStringId, string);
    protozero::pbf_writer(*fields).add_message(event::kAnnotation, annotation);
  }

  Export& job_;
  Packets& packets_;
  uint32_t sequence_ = 0;
  ScopeNumbers numbers_;
  std::vector<uint32_t> by_number_;                 // in scopes_
  std::unordered_map<std::string, uint32_t> same_;  // in scopes_, by fields
  std::vector<Scope> scopes_;
  std::unordered_map<uint32_t, uint32_t> objects_;  // by string
  InternTable categories_{interned::kCategory};
  InternTable names_{interned::kEventName};
  InternTable locations_{interned::kSourceLocation};
  InternTable annotations_{interned::kAnnotationName};
  InternTable strings_{interned::kAnnotationString};
};

}  // namespace flamelet::formats::perfetto

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
    ++sequence_;
    write_newest_time();
    write_switches();
  }

  // ---- NestedSpans ----
  void begin(const flamelet_span& span, size_t depth) {
    write_points(span.begin_ns);
    const std::string& fields = texts_.fields(span.site, span.name);
    more_.clear();
    if (span.object != 0) texts_.annotate_object(span.object, &more_);
    texts_.annotate_flags(kSpanFlags, span.flags, &more_);
    if (kinds_[lane_] != FLAMELET_LANE_GPU && span.id != 0 &&
        (span.flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED)) != 0)
      texts_.annotate(annotation_name::kCall, calls_.try_emplace(span.id, calls_.size() + 1).first->second, &more_);
    if (!links_.empty()) add_flows(span);
    packets_.event(span.begin_ns, event::kSliceBegin, fields, more_);
    if ((span.flags & FLAMELET_SPAN_OPEN) != 0) open_until_ns_ = std::max(open_until_ns_, span.end_ns);
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
      if (const auto at = tids_.find(frame.thread); at != tids_.end())
        texts_.annotate(annotation_name::kThread, at->second, &more_);
      const std::string times =
          description == kFramesDescription ? thread_times_text(job_.capture, frame.index) : std::string();
      if (!times.empty()) texts_.annotate_once(annotation_name::kTimes, times, &more_);
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
      if ((interval.flags & FLAMELET_SPAN_OPEN) == 0)
        ends.push({std::max(interval.end_ns, interval.begin_ns), uuid});
      else
        open_until_ns_ = std::max(open_until_ns_, interval.end_ns);
    }
    write_ends(INT64_MAX);
  }
  // What is open lasts to the trace's end, so that has to be told, if nothing else ends there.
  void write_newest_time() {
    if (open_until_ns_ <= packets_.newest_ns()) return;
    start_sequence(next_uuid_);
    describe(next_uuid_++, kProcessUuid, kNewestDescription, kNewestDescription, 0, static_cast<int32_t>(lanes_) + 2);
    std::string fields;
    pbf_writer(fields).add_string(event::kName, kNewestDescription);
    packets_.event(open_until_ns_, event::kInstant, fields);
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
  int64_t open_until_ns_ = INT64_MIN;
  size_t open_depth_ = 0;  // how many of the lane's open spans, from the outermost on, never ended
  bool last_ = false;      // nothing follows on the lane
  uint64_t next_uuid_;
  uint64_t next_flow_ = 1;
  std::vector<flamelet_lane_kind> kinds_;            // by lane
  std::unordered_map<uint32_t, uint32_t> tids_;      // by a thread's id
  std::unordered_map<flamelet_id, Link> links_;      // by the id of the submitting scope
  std::unordered_map<flamelet_id, uint64_t> calls_;  // numbers of those that fibers were switched in
  std::vector<std::pair<uint32_t, uint64_t>>
      counters_;      // by scope: the sequence that used it last, and the track there
  std::string more_;  // of an event: what it does not share with others of its scope
};

}  // namespace

void export_perfetto(Export& job) {
  PerfettoWriter(job).write();
}

}  // namespace flamelet::formats

// SPDX-License-Identifier: MIT
//
// perfetto_packets.h: packets of a Perfetto trace, and the sequences that they belong to.
//
// A sequence is what one writer says, in the order of time. It has a clock of its own whose stamps are the differences
// to the one before (a byte or two instead of eight), a track that its events are on if they name none, and numbers for
// the texts it uses: a packet that says so first must come first, or readers drop all the others without a word.
#ifndef FLAMELET_EXPORT_SRC_PERFETTO_PACKETS_H
#define FLAMELET_EXPORT_SRC_PERFETTO_PACKETS_H

#include <cstdio>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporter.h"
#include "output.h"
#include "perfetto_fields.h"

namespace flamelet::formats::perfetto {

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

  // `fields`, `more`: those of the event, but its type. Neither may be NULL.
  void event(int64_t time_ns, uint32_t type, std::string_view fields, std::string_view more = "") {
    const uint64_t delta_ns = time_ns > now_ns_ ? static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(now_ns_) : 0;
    now_ns_ += static_cast<int64_t>(delta_ns);
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
  int64_t now_ns_ = 0;
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
    job_.count_text(append_utf8(view(text), &to));
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

#endif  // FLAMELET_EXPORT_SRC_PERFETTO_PACKETS_H

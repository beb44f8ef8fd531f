// SPDX-License-Identifier: MIT
//
// chrome_import.cpp: Chrome's trace JSON, event by event. The JSON library reads each event by itself, so that memory does
// not grow with the file, and a damaged event is one event.
//
//   JsonValues: where the next value ends ──► read_chrome_event(): its fields ──► this file: what it says ──► the builder
//
// What our own exporter adds (docs/formats.md) makes a capture that exports to the same bytes again.
#include <cmath>
#include <string>
#include <unordered_map>

#include "chrome_event.h"
#include "decimal.h"
#include "importer.h"
#include "json_values.h"
#include "open_spans.h"
#include "utf8.h"

namespace flamelet::formats {
namespace {

static_assert(JsonValues::kPadding >= simdjson::SIMDJSON_PADDING, "the library reads as far behind a value");

constexpr size_t kMaxThreads = 1u << 16;
constexpr size_t kMaxSites = 1u << 20;
constexpr size_t kMaxOpenIntervals = 1u << 18;
constexpr size_t kMaxKeyBytes = size_t{64} << 20;  // of the open intervals together

// Text as JSON may have it: bytes that are not UTF-8 and bare control characters replaced.
std::string repaired(std::string_view text) {
  std::string to;
  to.reserve(text.size() + text.size() / 8 + JsonValues::kPadding);
  for (size_t at = 0; at < text.size();) {
    const size_t size = utf8_sequence_bytes(text.substr(at));
    const bool control = static_cast<unsigned char>(text[at]) < 0x20;
    to += control ? std::string_view(" ") : size != 0 ? text.substr(at, size) : kReplacement;
    at += size != 0 ? size : 1;
  }
  return to;
}

// As much of a name as is kept of each of many threads.
std::string_view whole_start(std::string_view text) {
  constexpr size_t kMost = 1000;
  if (text.size() <= kMost) return text;
  size_t size = kMost;
  while ((static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

int64_t saturated_difference(int64_t a, int64_t b) {
  int64_t difference;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? INT64_MIN : INT64_MAX;
}
int64_t saturated_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

uint64_t to_count(std::string_view text) {
  int64_t value;
  return parse_decimal(text, 0, &value) && value > 0 ? static_cast<uint64_t>(value) : 0;
}
uint32_t to_id(std::string_view text) {
  const uint64_t value = to_count(text);
  return value <= UINT32_MAX ? static_cast<uint32_t>(value) : 0;
}

class ChromeImporter {
 public:
  explicit ChromeImporter(Import& job) : job_(job), json_(job.in) {}

  flamelet_result read() {
    // A byte order mark is no part of the text.
    while (json_.next() == 0xEF || json_.next() == 0xBB || json_.next() == 0xBF) json_.take();
    const bool whole = json_.next() == '[' ? read_events(true) : read_object();
    if (!found_events_) return fail("This is JSON, but no Chrome trace: it has no \"traceEvents\".");
    if (events_ == 0 && job_.report.events_damaged != 0) return fail("Not one event of a Chrome trace was found.");
    job_.report.truncated = !whole;
    finish();
    return FLAMELET_OK;
  }

 private:
  // Where the events of a thread go.
  struct Thread {
    enum Kind { kLane, kFrames, kIntervals } kind;
    uint32_t lane;
    uint32_t id;
    uint32_t process;
    std::string name;    // if it is not our exporter's
    std::string number;  // tid
    bool named_by_exporter;
  };
  struct Scope {
    uint32_t site;
    uint32_t name;
  };
  struct Site {
    uint32_t name, file, function, line, color;
    bool is_known;
    Scope scope;
  };
  struct OpenInterval {
    int64_t begin_ns;
    flamelet_id id;
    Scope scope;
    uint32_t object;
    uint32_t track;
  };

  flamelet_result fail(const char* message) {
    job_.say(message);
    return FLAMELET_ERROR_FILE_FORMAT;
  }

  // ---- The text around the events. True if it is whole. ----

  bool read_object() {
    json_.take();
    for (;;) {
      const int c = json_.next();
      if (c == '}') return true;
      if (c == ',') {
        json_.take();
        continue;
      }
      char* key;
      size_t key_size;
      if (c != '"' || json_.value(&key, &key_size) != JsonValues::Found::kValue) return false;
      const std::string_view name(key, key_size);
      const bool is_events = name == "\"traceEvents\"", is_head = name == "\"otherData\"";
      if (json_.next() != ':') return false;
      json_.take();
      if (is_events && json_.next() == '[' && !found_events_) {
        if (!read_events(false)) return false;
        continue;
      }
      char* value;
      size_t size;
      const JsonValues::Found found = json_.value(&value, &size);
      if (found == JsonValues::Found::kCutOff || size == 0) return false;
      if (is_head && found == JsonValues::Found::kValue) read_head({value, size});
    }
  }

  // An array that stands alone need not be closed: the format says so, for programs that die.
  bool read_events(bool alone) {
    json_.take();
    found_events_ = true;
    for (;;) {
      const int c = json_.next();
      if (c == -1) return alone && !job_.in.cut_off();
      if (c == ']' || c == ',') json_.take();
      if (c == ']') return true;
      if (c == ',') continue;
      char* value;
      size_t size;
      const JsonValues::Found found = json_.value(&value, &size);
      if (found == JsonValues::Found::kCutOff) return false;
      if (found == JsonValues::Found::kTooLong || c != '{') {
        ++job_.report.events_damaged;
        if (size == 0) json_.take();
        continue;
      }
      read_event({value, size});
    }
  }

  void read_head(std::string_view text) {
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    if (parser_.iterate(padded(text)).get(document) || document.get_object().get(object)) return;
    std::string_view producer, base, origin;
    for (auto field : object) {
      std::string_view key, value;
      if (field.unescaped_key().get(key) || field.value().get_string().get(value)) return;
      if (key == "producer") producer = value;
      if (key == "base_ns") base = value;
      if (key == "origin_unix_ns") origin = value;
    }
    int64_t base_ns;
    if (producer != "flamelet" || !parse_decimal(base, 0, &base_ns)) return;
    has_base_ = true;
    base_ns_ = saturated_difference(0, base_ns);
    flamelet_capture_builder_set_origin(job_.builder, to_count(origin));
  }

  simdjson::padded_string_view padded(std::string_view text) const {
    return simdjson::padded_string_view(text.data(), text.size(), text.size() + JsonValues::kPadding);
  }

  void read_event(std::string_view text) {
    simdjson::error_code error;
    if (!read_chrome_event(parser_, padded(text), &event_, &error)) {
      if (error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS) {
        ++job_.report.texts_repaired;
        repaired_ = repaired(text);
        repaired_.reserve(repaired_.size() + JsonValues::kPadding);
        if (read_chrome_event(parser_, padded(repaired_), &event_, &error)) return take();
      }
      ++job_.report.events_damaged;
      return;
    }
    take();
  }

  // ---- What an event says ----

  void take() {
    if (event_.phase.size() != 1) {
      ++job_.report.events_damaged;
      return;
    }
    ++events_;
    const char phase = event_.phase[0];
    switch (phase) {
      case 'M':
        return take_metadata();
      case 'X':
      case 'B':
      case 'E':
      case 'i':
      case 'I':
      case 'R':
      case 'n':
      case 'C':
      case 'b':
      case 'e':
      case 'S':
      case 'F':
        break;
      default:
        ++job_.report.events_unsupported;
        return;
    }
    int64_t at_ns;
    if (!parse_decimal(event_.ts, 3, &at_ns)) {
      ++job_.report.events_damaged;
      return;
    }
    if (!has_base_) base_ns_ = at_ns;
    has_base_ = true;
    at_ns = saturated_difference(at_ns, base_ns_);
    if (phase != 'X') newest_ns_ = std::max(newest_ns_, at_ns);
    Thread* thread = thread_of(event_);
    if (thread == nullptr) {
      ++job_.report.events_over_limits;
    } else if (phase == 'b' || phase == 'S') {
      begin_interval(*thread, at_ns);
    } else if (phase == 'e' || phase == 'F') {
      end_interval(*thread, at_ns);
    } else if (thread->kind == Thread::kFrames && phase == 'X') {
      take_frame(at_ns);
    } else if (thread->kind != Thread::kLane) {
      ++job_.report.events_damaged;
    } else if (phase == 'X') {
      take_span(*thread, at_ns);
    } else if (phase == 'B') {
      begin_span(*thread, at_ns);
    } else if (phase == 'E') {
      end_span(*thread, at_ns);
    } else if (phase == 'C') {
      take_counter(*thread, at_ns);
    } else {
      const Scope scope = scope_of();
      ++job_.report.points;
      flamelet_capture_builder_instant(job_.builder, thread->lane, at_ns, scope.site, scope.name, object());
    }
  }

  flamelet_span new_span(int64_t begin_ns) {
    const Scope scope = scope_of();
    flamelet_span span = {};
    span.begin_ns = span.end_ns = begin_ns;
    span.site = scope.site;
    span.name = scope.name;
    span.object = object();
    span.depth = FLAMELET_DEPTH_UNKNOWN;
    return span;
  }

  void put_span(uint32_t lane, const flamelet_span& span) {
    ++job_.report.spans;
    newest_ns_ = std::max(newest_ns_, span.end_ns);
    flamelet_capture_builder_span(job_.builder, lane, &span);
  }

  int64_t duration_ns() {
    int64_t duration_ns;
    if (parse_decimal(event_.dur, 3, &duration_ns) && duration_ns >= 0) return duration_ns;
    ++job_.report.times_clamped;
    return 0;
  }

  void take_span(const Thread& thread, int64_t begin_ns) {
    flamelet_span span = new_span(begin_ns);
    span.end_ns = saturated_sum(begin_ns, duration_ns());
    if (!event_.depth.empty()) {  // it has no length, and may have been written 1 ns earlier
      span.begin_ns = span.end_ns = saturated_sum(begin_ns, event_.moved ? 1 : 0);
      span.depth = static_cast<uint16_t>(std::min<uint64_t>(to_count(event_.depth), FLAMELET_DEPTH_UNKNOWN - 1));
    }
    span.id = to_count(event_.scope_id);
    span.flags = static_cast<uint16_t>(to_count(event_.flags) & UINT16_MAX);
    job_.cut_in_file += (span.flags & FLAMELET_SPAN_CUT) != 0;
    put_span(thread.lane, span);
  }

  void begin_span(const Thread& thread, int64_t begin_ns) {
    if (!open_spans_.begin(thread.lane, new_span(begin_ns))) ++job_.report.events_over_limits;
  }

  void end_span(const Thread& thread, int64_t end_ns) {
    flamelet_span span;
    switch (open_spans_.end(thread.lane, &span)) {
      case OpenSpans::Ended::kSpan:
        job_.report.times_clamped += end_ns < span.begin_ns;
        span.end_ns = std::max(end_ns, span.begin_ns);
        return put_span(thread.lane, span);
      case OpenSpans::Ended::kNothing:
        ++job_.report.ends_extra;
        return;
      case OpenSpans::Ended::kLeftOut:
        return;
    }
  }

  void take_counter(const Thread& thread, int64_t at_ns) {
    const auto put = [&](double value) {
      ++job_.report.points;
      flamelet_capture_builder_counter(job_.builder, thread.lane, at_ns, scope_of().site, value);
    };
    if (!event_.nonfinite.empty())
      return put(event_.nonfinite == "nan" ? std::nan("") : event_.nonfinite == "inf" ? HUGE_VAL : -HUGE_VAL);
    if (event_.values.empty()) ++job_.report.events_damaged;
    if (event_.values.size() == 1) return put(event_.values[0].second);
    // Several series: each is a counter of its own.
    const std::string name(event_.name);
    for (const auto& [key, value] : event_.values) {
      const std::string series = name + " " + std::string(key);
      event_.name = series;
      put(value);
      event_.name = name;
    }
  }

  void take_frame(int64_t begin_ns) {
    const int64_t end_ns = event_.empty ? begin_ns : saturated_sum(begin_ns, duration_ns());
    newest_ns_ = std::max(newest_ns_, end_ns);
    ++job_.report.frames;
    flamelet_capture_builder_frame(job_.builder, to_count(event_.frame), begin_ns, end_ns,
                                   static_cast<uint32_t>(to_count(event_.flags) & UINT32_MAX));
  }

  // ---- Intervals ----

  // They are found again by category and id, as the format has it, the innermost first.
  void set_interval_key() {
    key_.assign(event_.pid);
    key_ += '\0';
    key_ += event_.category;
    key_ += '\0';
    key_ += event_.id;
  }

  uint32_t track_of(const Thread& thread) const { return event_.track.empty() ? thread.id : to_id(event_.track); }

  void begin_interval(const Thread& thread, int64_t begin_ns) {
    set_interval_key();
    if (open_intervals_ == kMaxOpenIntervals || key_bytes_ + key_.size() > kMaxKeyBytes) {
      ++job_.report.events_over_limits;
      return;
    }
    ++open_intervals_;
    key_bytes_ += key_.size();
    intervals_[key_].push_back({begin_ns, ++interval_id_, scope_of(), object(), track_of(thread)});
  }

  void end_interval(const Thread& thread, int64_t end_ns) {
    set_interval_key();
    const auto found = intervals_.find(key_);
    if (found == intervals_.end()) {
      ++job_.report.ends_extra;
      return;
    }
    const OpenInterval from = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) intervals_.erase(found);
    --open_intervals_;
    key_bytes_ -= key_.size();
    job_.report.times_clamped += end_ns < from.begin_ns;
    put_interval(from, track_of(thread), std::max(end_ns, from.begin_ns));
  }

  void put_interval(const OpenInterval& from, uint32_t end_track, int64_t end_ns) {
    ++job_.report.intervals;
    flamelet_capture_builder_interval(job_.builder, from.track, from.begin_ns, end_track, end_ns, from.id,
                                      from.scope.site, from.scope.name, from.object);
  }

  // ---- Names ----

  uint32_t object() { return event_.has_object ? job_.string(event_.object) : 0; }

  Scope scope_of() {
    if (!event_.site.empty()) {
      const auto found = sites_.find(to_id(event_.site));
      if (found != sites_.end()) return scope_of(found->second);
    }
    const uint32_t name = job_.string(event_.name), category = job_.string(event_.category);
    const uint64_t key = uint64_t{name} << 32 | category;
    const auto found = site_of_name_.find(key);
    if (found != site_of_name_.end()) return {found->second, name};
    if (site_of_name_.size() >= FLAMELET_MAX_SITES) return {0, name};  // the name is the span's own then
    const uint32_t site = flamelet_capture_builder_site(job_.builder, name, category, 0, 0, 0, 0);
    site_of_name_.emplace(key, site);
    return {site, name};
  }

  // Of a site that was told: its category is in the events.
  Scope scope_of(Site& site) {
    if (!site.is_known) {
      site.is_known = true;
      site.scope.name = job_.string(event_.name);
      site.scope.site = flamelet_capture_builder_site(job_.builder, site.name, job_.string(event_.category), site.file,
                                                      site.function, site.line, site.color);
    }
    return site.scope;
  }

  void take_metadata() {
    if (event_.name == "flamelet_site") {
      if (sites_.size() == kMaxSites) {
        ++job_.report.events_over_limits;
        return;
      }
      const Site site = {job_.string(event_.arg_name),
                         job_.string(event_.file),
                         job_.string(event_.function),
                         to_id(event_.line),
                         to_id(event_.color),
                         false,
                         {0, 0}};
      sites_.try_emplace(to_id(event_.site), site);
    } else if (event_.name == "thread_name") {
      Thread* thread = thread_of(event_);
      if (thread == nullptr) {
        ++job_.report.events_over_limits;
      } else if (!thread->named_by_exporter) {
        thread->name = whole_start(event_.arg_name);
      }
    } else if (event_.name == "process_name") {
      const uint32_t process = process_of(event_.pid);
      if (process < process_names_.size()) process_names_[process] = whole_start(event_.arg_name);
    }
  }

  uint32_t process_of(std::string_view pid) {
    const auto found = processes_.find(std::string(pid));
    if (found != processes_.end()) return found->second;
    if (processes_.size() == kMaxThreads || pid.size() > 256) return UINT32_MAX;
    processes_.emplace(pid, static_cast<uint32_t>(process_names_.size()));
    process_names_.emplace_back();
    return static_cast<uint32_t>(process_names_.size() - 1);
  }

  // NULL if there are too many.
  Thread* thread_of(const ChromeEvent& event) {
    key_.assign(event.pid);
    key_ += '\0';
    key_ += event.tid;
    if (key_ == last_key_ && last_thread_ != nullptr) return last_thread_;
    auto found = threads_.find(key_);
    if (found == threads_.end()) {
      if (threads_.size() == kMaxThreads || key_.size() > 256) return nullptr;
      Thread thread = {};
      if (!add_thread(event, &thread)) return nullptr;
      found = threads_.emplace(key_, std::move(thread)).first;
    }
    last_key_ = key_;
    return last_thread_ = &found->second;  // the map's entries stay where they are
  }

  bool add_thread(const ChromeEvent& event, Thread* thread) {
    static constexpr std::string_view kKinds[] = {"thread", "gpu", "external", "fiber"};
    thread->process = process_of(event.pid);
    thread->number = event.tid;
    thread->named_by_exporter = !event.lane.empty();
    if (event.lane == "frames" || event.lane == "intervals") {
      thread->kind = event.lane == "frames" ? Thread::kFrames : Thread::kIntervals;
      return true;
    }
    uint32_t kind = FLAMELET_LANE_THREAD;
    for (uint32_t i = 0; i < 4; ++i)
      if (event.lane == kKinds[i]) kind = i;
    const uint32_t name = thread->named_by_exporter ? job_.string(event.arg_name) : 0;
    thread->id = to_id(thread->named_by_exporter ? event.lane_id : event.tid);
    thread->lane = flamelet_capture_builder_span_lane(job_.builder, static_cast<flamelet_lane_kind>(kind), thread->id,
                                                      name, thread->named_by_exporter);
    return thread->lane != 0;
  }

  // ---- The end ----

  void finish() {
    for (uint32_t lane = 0; lane < open_spans_.lanes(); ++lane) {
      flamelet_span span;
      OpenSpans::Ended ended;
      while ((ended = open_spans_.end(lane, &span)) != OpenSpans::Ended::kNothing) {
        if (ended != OpenSpans::Ended::kSpan) continue;
        ++job_.report.spans_open;
        span.end_ns = std::max(newest_ns_, span.begin_ns);
        span.flags = FLAMELET_SPAN_OPEN;
        put_span(lane, span);
      }
    }
    for (const auto& [key, open] : intervals_) {
      for (const OpenInterval& from : open) {
        ++job_.report.spans_open;
        put_interval(from, 0, std::max(newest_ns_, from.begin_ns));
      }
    }
    for (const auto& [key, thread] : threads_)
      if (thread.kind == Thread::kLane && !thread.named_by_exporter) name_lane(thread);
  }

  // With its process, if there are several.
  void name_lane(const Thread& thread) {
    std::string name = thread.name;
    if (process_names_.size() > 1 && thread.process < process_names_.size() &&
        !process_names_[thread.process].empty()) {
      if (name.empty()) name = "thread " + thread.number;
      name = process_names_[thread.process] + ": " + name;
    }
    flamelet_capture_builder_name_lane(job_.builder, thread.lane, job_.string(name));
  }

  Import& job_;
  JsonValues json_;
  simdjson::ondemand::parser parser_;
  ChromeEvent event_ = {};
  std::string repaired_;
  bool found_events_ = false;
  uint64_t events_ = 0;
  bool has_base_ = false;
  int64_t base_ns_ = 0;  // taken off every time
  int64_t newest_ns_ = INT64_MIN;

  std::string key_, last_key_;
  Thread* last_thread_ = nullptr;
  std::unordered_map<std::string, Thread> threads_;
  std::unordered_map<std::string, uint32_t> processes_;
  std::vector<std::string> process_names_;
  OpenSpans open_spans_;
  std::unordered_map<std::string, std::vector<OpenInterval>> intervals_;
  size_t open_intervals_ = 0;
  size_t key_bytes_ = 0;
  flamelet_id interval_id_ = 0;
  std::unordered_map<uint32_t, Site> sites_;  // of our own exporter, by number
  std::unordered_map<uint64_t, uint32_t> site_of_name_;
};

}  // namespace

flamelet_result import_chrome(Import& job) {
  return ChromeImporter(job).read();
}

}  // namespace flamelet::formats

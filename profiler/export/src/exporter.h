// SPDX-License-Identifier: MIT
//
// exporter.h: what the exporters share: the capture, the window, the output, the counts, and names by use.
#ifndef FLAMELET_EXPORT_SRC_EXPORTER_H
#define FLAMELET_EXPORT_SRC_EXPORTER_H

#include <string>
#include <unordered_map>
#include <vector>

#include "flamelet/export.h"
#include "lane_stream.h"
#include "output.h"

namespace flamelet::formats {

// A scope is a site with a name. They are numbered from 0 in the order of their first use, so that the output does not
// depend on the ids inside the capture.
struct Scope {
  uint32_t site;
  uint32_t name;
};

class ScopeNumbers {
 public:
  // `*added` says whether it is new.
  uint32_t number(uint32_t site, uint32_t name, bool* added) {
    const uint64_t key = uint64_t{site} << 32 | name;
    if (key == last_key_) {
      *added = false;
      return last_;
    }
    const auto [at, inserted] = numbers_.try_emplace(key, static_cast<uint32_t>(scopes_.size()));
    if (inserted) scopes_.push_back({site, name});
    *added = inserted;
    last_key_ = key;
    return last_ = at->second;
  }
  const std::vector<Scope>& scopes() const { return scopes_; }

 private:
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<Scope> scopes_;
  uint64_t last_key_ = UINT64_MAX;
  uint32_t last_ = 0;
};

struct Export {
  const flamelet_capture* capture;
  int64_t begin_ns;
  int64_t end_ns;
  const char* process_name;
  Output& out;
  flamelet_export_report& report;

  flamelet_string string(uint32_t id) const { return flamelet_capture_string(capture, id); }
  flamelet_site_info site(uint32_t id) const {
    flamelet_site_info info;
    flamelet_capture_site(capture, id, &info);
    return info;
  }
  void count_text(bool whole) { report.texts_repaired += !whole; }
  std::string json(flamelet_string text) {
    std::string to;
    count_text(append_json_string(view(text), &to));
    return to;
  }
};

// The earliest time of anything in the window; what it is exported relative to.
int64_t earliest_ns(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);

// What the system did with the threads in a main frame, for the importer: of each the tid, ran_ns, ready_ns, switches,
// major and minor faults, "1 5000000 20000 3 0 12;2 ...", with "-" for what is not known. A thread's tid is the number of
// its lane, from 1.
std::string thread_times_text(const flamelet_capture* capture, uint64_t frame);

// The frames of one track in a trace, by index.
struct FrameTrack {
  std::string name;  // whole UTF-8, and another one than that of every other set
  std::vector<flamelet_frame_info> frames;
};
// The main frames.
std::vector<flamelet_frame_info> read_frames(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);
// Those of named sets, by name. Marks of several threads may be a little out of order; here no frame begins before the
// one before it has ended.
std::vector<FrameTrack> read_frame_sets(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                        flamelet_export_report* report);

// By id, then by time.
std::vector<flamelet_flow> read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);
// Whether no other end of the same begin follows.
bool is_last_end(const std::vector<flamelet_flow>& flows, size_t i);

std::vector<flamelet_interval> read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);

// Format table: the one list of the formats.

struct Export;

struct Format {
  flamelet_export_format_info info;
  void (*write)(Export& job);
};

extern const Format* const kFormats;  // by flamelet_export_format

// Calls and self time by call path, lane by lane, for the formats that have no time line.
//
// Threads, GPU queues and external sources count; a fiber's lane does not, because what it ran stands on its threads
// already. A piece of a scope that a fiber switch cut off adds time, and no further call.

struct CallPath {
  uint32_t parent;  // 0: the root of its lane
  uint32_t scope;   // number in ScopeNumbers
  uint64_t calls;
  int64_t self_ns;
};

class CallPaths {
 public:
  explicit CallPaths(Export& job) : job_(job) {}

  // Adds up one lane. Forgets the lane before.
  void read(size_t lane, LaneStream<ReadSpans>& spans);
  // paths()[0] is the root. Parents stand before their children.
  const std::vector<CallPath>& paths() const { return paths_; }
  const std::vector<Scope>& scopes() const { return scopes_.scopes(); }

  void begin(const flamelet_span& span, size_t depth);  // for NestedSpans
  void end(const flamelet_span&, size_t) {}

 private:
  static constexpr size_t kMaxPaths = size_t{1} << 20;

  Export& job_;
  ScopeNumbers scopes_;
  std::vector<CallPath> paths_;
  std::unordered_map<uint64_t, uint32_t> children_;  // parent << 32 | scope
  std::vector<uint32_t> open_;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_EXPORTER_H

// SPDX-License-Identifier: MIT
//
// chrome_lanes.h: the threads of a Chrome trace as lanes. Their names, and in which order they stand, may be told before,
// between or after their events.
#ifndef FLAMELET_IMPORT_SRC_CHROME_LANES_H
#define FLAMELET_IMPORT_SRC_CHROME_LANES_H

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chrome_trace.h"
#include "decimal.h"
#include "importer.h"

namespace flamelet::formats {

// Chrome scopes: what the events of a Chrome trace are called, as the builder's sites. Other programs write name and
// category into each event; our own exporter tells a site once, with its place in the source, and then its number.

struct ChromeScope {
  uint32_t site;  // of the builder, as is name
  uint32_t name;
};

class ChromeScopes {
 public:
  explicit ChromeScopes(Import& job) : job_(job) {}

  // The event "flamelet_site".
  void tell(const ChromeEvent& event) {
    if (told_.size() == kMaxTold) {
      ++job_.report.events_over_limits;
      return;
    }
    Told site = {};
    site.name = job_.string(event.arg_name);
    site.file = job_.string(event.file);
    site.function = job_.string(event.function);
    site.line = parse_id(event.line);
    site.color = parse_id(event.color);
    told_.try_emplace(parse_id(event.site), site);
  }

  ChromeScope of(const ChromeEvent& event) {
    if (!event.site.empty()) {
      const auto found = told_.find(parse_id(event.site));
      if (found != told_.end()) return of(event, &found->second);
    }
    return of_text(event.name.empty() ? "(unnamed)" : event.name, event.category, event.source_file, event.source_line,
                   event.source_function);
  }

  ChromeScope of_text(std::string_view name_text, std::string_view category_text, std::string_view file_text = {},
                      std::string_view line_text = {}, std::string_view function_text = {}) {
    Met& met = met_[std::hash<std::string_view>{}(name_text) % kMet];
    if (met.is_used && met.name == name_text && met.category == category_text && met.file == file_text &&
        met.line == line_text && met.function == function_text)
      return met.scope;
    const bool has_zero = name_text.find('\0') != std::string_view::npos;
    const uint32_t name = job_.string(has_zero ? std::string_view(without_zeros(name_text)) : name_text),
                   category = job_.string(category_text), file = job_.string(file_text),
                   function = job_.string(function_text);
    const ChromeScope scope = of_strings({name, category, file, function, parse_id(line_text)});
    // One that had no room is asked for each time, so that it is counted.
    const bool had_room = (name != 0 || name_text.empty()) && (category != 0 || category_text.empty()) &&
                          (file != 0 || file_text.empty()) && (function != 0 || function_text.empty());
    met.is_used = had_room && name_text.size() + category_text.size() + file_text.size() + line_text.size() +
                                      function_text.size() <=
                                  kMaxMetBytes;
    if (!met.is_used) return scope;
    met.name = name_text;
    met.category = category_text;
    met.file = file_text;
    met.line = line_text;
    met.function = function_text;
    return met.scope = scope;
  }

 private:
  static constexpr size_t kMaxTold = 1u << 20;
  static constexpr size_t kMet = 512;
  static constexpr size_t kMaxMetBytes = 256;

  // Names that came before, so that most need not be looked for in the builder.
  struct Met {
    bool is_used = false;
    std::string name, category, file, line, function;
    ChromeScope scope;
  };

  using Key = std::array<uint32_t, 5>;  // name, category, file, function, line

  ChromeScope of_strings(const Key& key) {
    const uint32_t name = key[0];
    const auto found = sites_.find(key);
    if (found != sites_.end()) return {found->second, name};
    if (sites_.size() >= FLAMELET_MAX_SITES) return {0, name};  // the name is the span's own then
    const uint32_t site = flamelet_capture_builder_site(job_.builder, name, key[1], key[2], key[3], key[4], 0);
    sites_.emplace(key, site);
    return {site, name};
  }

  struct Told {
    uint32_t name, file, function, line, color;
    bool is_used;
    ChromeScope scope;  // once it is used
  };

  // The category of a site, and its dynamic name, stand in its events.
  ChromeScope of(const ChromeEvent& event, Told* site) {
    if (!site->is_used) {
      site->is_used = true;
      site->scope.name = job_.string(event.name);
      site->scope.site = flamelet_capture_builder_site(job_.builder, site->name, job_.string(event.category),
                                                       site->file, site->function, site->line, site->color);
    }
    return site->scope;
  }

  Import& job_;
  std::unordered_map<uint32_t, Told> told_;  // by number
  std::map<Key, uint32_t> sites_;            // of others
  std::array<Met, kMet> met_;                // by the hash of the name
};

// Where the events of a thread go.
struct ChromeThread {
  enum Kind { kLane, kFrames, kFrameSet, kIntervals } kind;
  uint32_t lane;  // of the builder; of a set of frames: its name, a string of the builder
  uint32_t id;    // that the capture shows
  uint32_t process;
  int64_t sort_index;
  std::string name;    // if it is not our exporter's
  std::string number;  // tid
  bool named_by_exporter;
};

class ChromeLanes {
 public:
  explicit ChromeLanes(Import& job) : job_(job) {}

  // The thread of an event, new if this is its first one. It stays where it is. NULL if there are too many.
  ChromeThread* thread_of(const ChromeEvent& event);
  // The lane of a thread in a trace of our exporter; 0: it has none.
  uint32_t own_lane(const ChromeEvent& event, uint32_t tid);
  // Of its process, as far as it is known here.
  std::string process_name(const ChromeThread& thread) const;
  // Metadata.
  void name_thread(const ChromeEvent& event);
  void name_process(const ChromeEvent& event);
  void sort_thread(const ChromeEvent& event);
  void sort_process(const ChromeEvent& event);
  // When all that is known.
  void finish();

 private:
  static constexpr size_t kMaxThreads = 1u << 16;
  static constexpr size_t kMaxKeyBytes = 256;

  struct Process {
    std::string name;
    std::string number;  // pid
    int64_t sort_index = 0;
  };

  bool add_lane(const ChromeEvent& event, ChromeThread* thread);
  uint32_t process_of(std::string_view pid);
  void name_lane(const ChromeThread& thread);
  std::string process_name(const Process& process) const;
  void place_lanes();

  Import& job_;
  std::unordered_map<std::string, ChromeThread> threads_;      // by pid and tid
  std::unordered_map<std::string, uint32_t> process_numbers_;  // in processes_, by pid
  std::vector<Process> processes_;
  bool is_sorted_ = false;
  std::string key_;
  std::string last_pid_, last_tid_;  // most events are of the thread of the one before
  ChromeThread* last_thread_ = nullptr;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_CHROME_LANES_H

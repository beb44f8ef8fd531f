// SPDX-License-Identifier: MIT
//
// chrome_intervals.h: the asynchronous events of a Chrome trace. Begin and end are found together by process, category and
// id, as the format has it, the innermost first.
#ifndef FLAMELET_IMPORT_SRC_CHROME_INTERVALS_H
#define FLAMELET_IMPORT_SRC_CHROME_INTERVALS_H

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "chrome_event.h"
#include "chrome_scopes.h"
#include "importer.h"

namespace flamelet::formats {

class ChromeIntervals {
 public:
  struct Open {
    int64_t begin_ns;
    flamelet_id id;
    ChromeScope scope;
    uint32_t object;
    uint32_t track;
  };

  explicit ChromeIntervals(Import& job) : job_(job) {}

  // `track`: the id of the thread, as the capture shows it.
  void begin(const ChromeEvent& event, int64_t begin_ns, ChromeScope scope, uint32_t object, uint32_t track) {
    set_key(event);
    if (open_count_ == kMaxOpen || key_bytes_ + key_.size() > kMaxKeyBytes) {
      ++job_.report.events_over_limits;
      return;
    }
    ++open_count_;
    key_bytes_ += key_.size();
    open_[key_].push_back({begin_ns, ++newest_id_, scope, object, track});
  }

  // The innermost one that this event ends; false if there is none.
  bool take(const ChromeEvent& event, Open* interval) {
    set_key(event);
    const auto found = open_.find(key_);
    if (found == open_.end()) return false;
    *interval = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) open_.erase(found);
    --open_count_;
    key_bytes_ -= key_.size();
    return true;
  }

  // Hands it to the builder.
  void put(const Open& interval, uint32_t end_track, int64_t end_ns) {
    ++job_.report.intervals;
    flamelet_capture_builder_interval(job_.builder, interval.track, interval.begin_ns, end_track,
                                      std::max(end_ns, interval.begin_ns), interval.id, interval.scope.site,
                                      interval.scope.name, interval.object);
  }

  // What never ended is open.
  void finish(int64_t newest_ns) {
    for (const auto& [key, intervals] : open_) {
      job_.report.spans_open += intervals.size();
      for (const Open& interval : intervals) put(interval, 0, newest_ns);
    }
  }

 private:
  static constexpr size_t kMaxOpen = 1u << 18;
  static constexpr size_t kMaxKeyBytes = size_t{64} << 20;  // of all that are open

  void set_key(const ChromeEvent& event) {
    key_.assign(event.pid);
    key_ += '\0';
    key_ += event.category;
    key_ += '\0';
    key_ += event.id;
  }

  Import& job_;
  std::unordered_map<std::string, std::vector<Open>> open_;
  size_t open_count_ = 0;
  size_t key_bytes_ = 0;
  flamelet_id newest_id_ = 0;
  std::string key_;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_CHROME_INTERVALS_H

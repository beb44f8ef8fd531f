// SPDX-License-Identifier: MIT
//
// chrome_trace.h: the text of a Chrome trace as its events, one by one. The JSON library reads some of them at a time, so that
// memory does not grow with the file. If one of them is damaged, it and those behind it are read each by itself, so that a
// damaged event is one event.
//
//   JsonValues: where the next values end ──► ChromeEvents: their fields ──► here: the next event that is one
#ifndef FLAMELET_IMPORT_SRC_CHROME_TRACE_H
#define FLAMELET_IMPORT_SRC_CHROME_TRACE_H

#include <string>
#include <string_view>

#include "chrome_event.h"
#include "importer.h"
#include "json_values.h"

namespace flamelet::formats {

class ChromeTrace {
 public:
  // Counts damage and repairs in job.report.
  explicit ChromeTrace(Import& job) : report_(job.report), in_(job.in), json_(job.in) {}

  // False at the end of what can be read.
  bool next();
  const ChromeEvent& event() const { return event_; }  // until the next one
  // Counts the event at hand. Of the first one, the report says why.
  void count_damaged(const char* why) { count_damaged(why, event_offset()); }

  // What our own exporter says of times in front of the events.
  struct Head {
    bool is_own = false;
    int64_t base_ns = 0;
    uint64_t origin_unix_ns = 0;
  };
  const Head& head() const { return head_; }

  // At the end:
  bool found_events() const { return found_events_; }  // an array that could hold some
  bool is_whole() const { return is_whole_; }

 private:
  enum class Place { kBegin, kFields, kEvents, kEnd };

  uint64_t event_offset() const {
    return json_.found_offset() + text_.size() - (is_repaired_ ? text_.size() : events_.left());
  }
  void count_damaged(const char* why, uint64_t offset);
  void begin();
  void end(bool is_whole);
  void read_field();
  bool next_event();
  bool find_events();
  void leave_damaged();
  void read_head(std::string_view text);

  flamelet_import_report& report_;
  const Input& in_;
  JsonValues json_;
  ChromeEvents events_;
  ChromeEvent event_ = {};
  bool has_events_ = false;  // events_ may have another one
  std::string_view text_;    // of which these are
  bool is_alone_ = false, is_repaired_ = false;
  size_t alone_bytes_ = 0;  // of events that are each to be read by itself, because one of them is damaged
  Head head_;
  Place place_ = Place::kBegin;
  bool is_array_ = false;  // that stands alone, without an object around it; or a row of events without one
  bool found_events_ = false;
  bool is_whole_ = false;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_CHROME_TRACE_H

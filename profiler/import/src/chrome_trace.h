// SPDX-License-Identifier: MIT
//
// chrome_trace.h: the text of a Chrome trace as its events, one by one. The JSON library reads some of them at a time, so that
// memory does not grow with the file. If one of them is damaged, it and those behind it are read each by itself, so that a
// damaged event is one event.
//
//   JsonValues: where the next values end ──► ChromeEvents: their fields ──► here: the next event that is one
#ifndef FLAMELET_IMPORT_SRC_CHROME_TRACE_H
#define FLAMELET_IMPORT_SRC_CHROME_TRACE_H

#include <simdjson.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importer.h"

namespace flamelet::formats {

// The values of a JSON text, each whole in memory, for texts of any length. It only finds where a value ends:
// strings are skipped, and brackets counted. Whether what lies between is JSON, its reader says; so a value that is damaged
// harms no other one.
class JsonValues {
 public:
  // A value longer than this is passed over. Ours have 1.2 MiB at most; others have the text of whole sources in an argument.
  static constexpr size_t kMaxValueBytes = size_t{16} << 20;
  // Bytes behind a value that may be read, though they are not part of it.
  static constexpr size_t kPadding = 64;

  explicit JsonValues(Input& in);

  // The next byte that is neither white space nor in a comment (//, /* */), without taking it; -1 at the end.
  int next();
  void take() { ++at_; }  // the byte that next() told

  enum class Found { kValue, kTooLong, kCutOff };
  // The value that begins at next(). Texts are valid until the next call of anything here but go_back().
  Found value(std::string_view* text) { return find(/*only_one=*/true, text); }
  // The object that begins at next(), and those behind it that are in memory, with a comma in front of each.
  Found objects(std::string_view* text) { return find(/*only_one=*/false, text); }
  // Where next() stands in the text, and where what was found last begins.
  uint64_t offset() const { return offset_ + at_; }
  uint64_t found_offset() const { return found_offset_; }
  // What is in memory from the byte on that next() told: the first 64 KiB of the text, if there are as many.
  std::string_view ahead() const { return {buffer_.data() + at_, end_ - at_}; }
  // The same with all that there is room for.
  std::string_view far_ahead();
  // To `size` bytes in front of the end of what was found last.
  void go_back(size_t size) { begin_ = at_ -= size; }

 private:
  static constexpr size_t kBatchBytes = size_t{16} << 10;  // of objects(), and the last one

  Found find(bool only_one, std::string_view* text);
  bool is_comment();
  void skip_comment();
  bool more();  // bytes behind those that are there, which may move; false at the end
  // Behind the last byte of the value whose first one is at at_, or of the last one of several. kNoEnd: it is cut off.
  static constexpr size_t kNoEnd = SIZE_MAX;
  size_t find_bracket_end(bool only_one);
  size_t find_scalar_end();
  bool is_next_object(size_t end, size_t at) const;

  Input& in_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the value, while one is being looked at; else at_
  size_t at_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;  // of the buffer in the text
  uint64_t found_offset_ = 0;
  bool too_long_ = false;
};

// One event of a Chrome trace as its fields, whatever their order and kind.

// What our own exporter adds; in another program's trace, nothing.
struct OwnFields {
  std::string_view site;
  std::string_view track;
  std::string_view depth;
  std::string_view scope_id;
  std::string_view flags;
  std::string_view frame;
  std::string_view thread;
  std::string_view times;
  std::string_view lane;
  std::string_view lane_id;
  std::string_view nonfinite;
  std::string_view flow;
  bool moved;
  bool empty;
};

// A number or a string as it stands in the file, without quotes; empty if the field is missing or something else.
struct ChromeEvent : OwnFields {
  bool is_empty;  // {}
  std::string_view phase;
  std::string_view name;
  std::string_view category;
  std::string_view pid;
  std::string_view tid;
  std::string_view id;     // also of id2
  std::string_view scope;  // in which it is an id
  bool id_is_global;       // it is one for all processes
  bool id_is_local;        // it is one of its process
  std::string_view ts;
  std::string_view dur;
  std::string_view bind_id;  // of a flow from or to a scope
  bool flow_in;
  bool flow_out;

  // The values of "args".
  bool has_args;
  bool has_object;
  std::string_view object;
  std::string_view arg_name;
  std::string_view file;
  std::string_view function;
  std::string_view line;
  std::string_view color;
  std::string_view sort_index;
  // Of "loc", "file:line", in "args" or beside it, of ".file" and ".line" there, or of what Chromium has in "args".
  std::string_view source_file;
  std::string_view source_line;
  std::string_view source_function;
  std::string_view first_text;                                      // that is not empty, of all args
  std::vector<std::pair<std::string_view, std::string_view>> args;  // those that are numbers or texts, 65,536 at most
  uint32_t arg_count;                                               // in all
};

// Objects in a row as events. They are one document for the JSON library, because it has more to do for a document than
// for an event.
class ChromeEvents {
 public:
  static constexpr uint32_t kFields = 31;  // that an event may have

  // `text`: objects with a comma between each two. It is copied.
  void start(std::string_view text);

  // kDamaged: the one that begins at left() cannot be read. start() again: what stands behind it is lost here.
  enum class Next { kEvent, kDamaged, kEnd };
  // The event's texts live until the next call of anything here. If a key stands twice, the first one counts.
  Next next(ChromeEvent* event);

  size_t left() const { return left_; }  // bytes of the text from the newest event's first byte on
  simdjson::error_code error() const { return error_; }

 private:
  simdjson::error_code read(simdjson::ondemand::value value, ChromeEvent* event);

  std::vector<char> text_;
  size_t size_ = 0;
  size_t left_ = 0;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  simdjson::ondemand::array_iterator at_;
  simdjson::error_code error_ = simdjson::SUCCESS;
  bool is_first_ = false;
  std::string ids_[4];  // of the newest event: pid, tid, bind_id, and id, if they are not written as 1 is
  // Which field stood behind which in the events before: most events have the same fields in the same order, so a key is
  // compared with one name and not with all. Behind [kFields] stands the first one.
  uint8_t order_[kFields + 1] = {};
};

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
  // Another program's time. Where most times of the file's begin are further from 0 than a capture can have them, as those
  // since 1601 are, it is counted from one of them. False: it is no time.
  bool read_time(std::string_view ts, int64_t* at_ns) const;

  // At the end:
  bool found_events() const { return found_events_; }  // an array that could hold some
  bool is_whole() const { return is_whole_; }
  const char* other_kind() const { return other_kind_; }  // what it is without such an array

 private:
  enum class Place { kBegin, kFields, kEvents, kEnd };

  uint64_t event_offset() const {
    return json_.found_offset() + text_.size() - (is_repaired_ ? text_.size() : events_.left());
  }
  void count_damaged(const char* why, uint64_t offset);
  void begin();
  void end(bool is_whole);
  void end_behind_bracket();  // which was the last one
  void read_field();
  bool next_event();
  bool find_events();
  void find_time_base();
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
  bool knows_base_ = false, has_far_base_ = false;
  FarTime far_base_ = {};
  Place place_ = Place::kBegin;
  bool is_array_ = false;  // that stands alone, without an object around it; or a row of events without one
  bool found_events_ = false;
  bool is_whole_ = false;
  const char* other_kind_ = "This is no Chrome trace: it has no \"traceEvents\".";
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_CHROME_TRACE_H

// SPDX-License-Identifier: MIT
//
// capture_input.h: the one place where commands open what was recorded. Whatever the file holds, they get a capture
// (flamelet/capture.h) and need not know where it came from.
#pragma once

#include <flamelet/budgets.h>
#include <flamelet/capture_file.h>
#include <flamelet/detail/text.h>
#include <flamelet/import.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "files.h"

namespace flamelet::tools {

struct DestroyCapture {
  void operator()(flamelet_capture* capture) const { flamelet_capture_destroy(capture); }
};

struct InputOptions {
  std::string file;
  bool strict = false;
  std::string frames_of;  // --frames-of; "" = the frames that were marked
};

// By how a file begins: a capture, or the file of a recorder's ring (flamelet_config::ring_path).
bool is_capture(std::string_view head);
bool is_ring(std::string_view head);
// One of these, or what may be a trace that flamelet/import.h reads (Chrome JSON, Perfetto, gzip): what a CaptureInput opens.
bool is_recording(std::string_view head);
// Not one of them, but what flamelet log reads.
bool is_log(std::string_view head);
// What perf record writes, which only perf reads.
bool is_perf_data(std::string_view head);
bool is_perf_dump(std::string_view head);
// For those who were given a capture and want a log. `name` is printable.
CommandError log_is_capture(const std::string& name);
// How perf script begins with --header, whether or not samples follow.
bool is_perf_header(std::string_view head);
// Of a file that is none of them: what to do with it, as far as its head tells. `also`: what the command would read, too.
CommandError no_recording(const std::string& name, std::string_view head, const char* also = "");

// A file without a byte, as a program leaves it that crashed before it wrote. For those that have a word of their own for it.
class EmptyInput : public CommandError {
 public:
  explicit EmptyInput(const std::string& name) : CommandError(kExitInput, name + " is empty") {}
};

class CaptureInput {
 public:
  // A CommandError if there is no capture in it. Says on the standard error what was repaired, what the recording lost,
  // and what is damaged, which with --strict is thrown.
  explicit CaptureInput(const InputOptions& options);
  // The same of a file whose head was looked at.
  CaptureInput(const InputOptions& options, InputFile* file);

  const flamelet_capture* get() const { return capture_.get(); }
  // As InputOptions::frames_of, later.
  void take_frames(const std::string& of);
  const std::string& frames_of() const { return frames_of_; }
  const std::string& name() const { return name_; }  // of the file, printable
  // "Flamelet capture, version 1, 525.8 KiB"
  const std::string& format() const { return format_; }
  // What is missing in the file, "" if nothing is.
  const std::string& damage() const { return damage_; }
  // What the recording lost, "" if it lost nothing.
  const std::string& losses() const { return losses_; }
  // What is not as it stands in the file, and which events are far from the others; "" if nothing is.
  const std::string& repairs() const { return repairs_; }
  // What the file holds and the capture does not, "" if nothing is left out.
  const std::string& left_out() const { return left_out_; }
  // The repairs, and what is left out but for arguments: what the standard error said, and a window says.
  const std::string& notice() const { return notice_; }
  // One of the two reports has numbers: is_import() says which.
  bool is_import() const { return is_import_; }
  // For a ring's file: what its recovery has in common with a load.
  const flamelet_load_report& load_report() const { return load_report_; }
  const flamelet_import_report& import_report() const { return import_report_; }

 private:
  void open(const InputOptions& options, InputFile* file);
  void load(InputFile* file);
  void recover(InputFile* file);
  void import(InputFile* file);

  std::string name_;
  std::string frames_of_;  // "" = the frames that were marked
  std::unique_ptr<flamelet_capture, DestroyCapture> capture_;
  std::string format_;
  std::string damage_;
  std::string losses_;
  std::string repairs_;
  std::string left_out_;
  std::string notice_;
  bool is_import_ = false;
  flamelet_load_report load_report_ = {};
  flamelet_import_report import_report_ = {};
};

// What a capture is about: the time that its file was saved for, or all.
struct SavedTime {
  int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;

  explicit SavedTime(const flamelet_capture* capture) { flamelet_capture_window(capture, &begin_ns, &end_ns); }
  bool is_all() const { return begin_ns == INT64_MIN && end_ns == INT64_MAX; }
  bool has(const flamelet_frame_info& frame) const { return frame.begin_ns >= begin_ns && frame.end_ns <= end_ns; }
};

// What the recorder itself dropped, by cause: "80 scopes deeper than 120 were not recorded"; "" if nothing.
std::string drops_text(const flamelet_capture* capture);
// ... and ignored, because the program called it wrongly: times may be wrong by that.
std::string doubts_text(const flamelet_capture* capture);

// ---- spans

struct Stretch {
  int64_t begin_ns, end_ns;  // half open
};
// Whether something overlaps one of them; they are in order, and apart.
inline bool is_in(const std::vector<Stretch>& stretches, int64_t begin_ns, int64_t end_ns) {
  const auto found = std::partition_point(stretches.begin(), stretches.end(),
                                          [&](const Stretch& stretch) { return stretch.end_ns <= begin_ns; });
  return found != stretches.end() && (end_ns > found->begin_ns || begin_ns >= found->begin_ns);
}

// The spans of a lane piece by piece, so that memory is bounded however long the lane is.
class SpanPieces {
 public:
  explicit SpanPieces(const flamelet_capture* capture) : capture_(capture) {
    // A span takes two words at least.
    flamelet_capture_stats stats;
    flamelet_capture_get_stats(capture, &stats);
    constexpr size_t kMostOfPage = FLAMELET_PAGE_BYTES / sizeof(uint64_t);
    most_ = std::max<size_t>(FLAMELET_CURSOR_LEAST, 2 * kMostOfPage * stats.pages_held);
  }

  // Calls take(spans, count) for each piece that flamelet_span_cursor hands out of the window.
  template <class Take>
  void read(size_t lane, int64_t begin_ns, int64_t end_ns, Take take) {
    make_room();
    flamelet_span_cursor cursor;
    flamelet_span_cursor_start(&cursor, capture_, lane, begin_ns, end_ns, spans_.data(), spans_.size());
    do {
      while (flamelet_span_cursor_next(&cursor)) take(cursor.spans, cursor.count);
    } while (is_too_deep(cursor.result) && flamelet_span_cursor_grow(&cursor, spans_.data(), spans_.size()));
    check(cursor.result);
  }

  // The same, but each span has its whole self time: what its children took outside of the window is not its own. For that,
  // calls that reach out of the window are read whole.
  template <class Take>
  void read_calls(size_t lane, const std::vector<Stretch>& stretches, Take take) {
    const int64_t begin_ns = stretches.front().begin_ns, end_ns = stretches.back().end_ns;
    int64_t low_ns = begin_ns, high_ns = end_ns;
    const auto reach = [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i) {
        low_ns = std::min(low_ns, spans[i].begin_ns);
        high_ns = std::max(high_ns, spans[i].end_ns);
      }
    };
    if (begin_ns != INT64_MIN) read(lane, begin_ns, begin_ns + 1, reach);
    if (end_ns != INT64_MAX) read(lane, end_ns - 1, end_ns, reach);
    if (low_ns == begin_ns && high_ns == end_ns && stretches.size() == 1) return read(lane, begin_ns, end_ns, take);
    std::vector<flamelet_span> kept;
    std::vector<uint32_t> kept_before;  // of the spans of a piece, so many
    read(lane, low_ns, high_ns, [&](const flamelet_span* spans, size_t count) {
      kept.clear();
      kept_before.resize(count + 1);
      for (size_t i = 0; i < count; ++i) {
        const flamelet_span& span = spans[i];
        kept_before[i] = static_cast<uint32_t>(kept.size());
        if (is_in(stretches, span.begin_ns, span.end_ns)) kept.push_back(span);
      }
      kept_before[count] = static_cast<uint32_t>(kept.size());
      for (flamelet_span& span : kept) {  // the parents of a span that is kept are kept
        if (span.parent != FLAMELET_NO_PARENT) span.parent = kept_before[span.parent];
        span.subtree_end = kept_before[span.subtree_end];
      }
      if (!kept.empty()) take(kept.data(), kept.size());
    });
  }

  // Adds the times of a window to (*times)[slot_of(span)], which are 0; returns how many spans it has
  // (flamelet_scope_times_add()).
  template <class SlotOf>
  size_t add_times(size_t lane, int64_t begin_ns, int64_t end_ns, std::vector<flamelet_scope_time>* times,
                   SlotOf slot_of) {
    make_room();
    flamelet_scope_times to = {};
    to.times = times->data();
    to.count = static_cast<uint32_t>(times->size());
    to.user = &slot_of;
    to.slot_of = [](void* user, const flamelet_span* span) { return (*static_cast<SlotOf*>(user))(*span); };
    flamelet_result result;
    for (;;) {
      to.spans_read = times_read_;
      to.spans = spans_.data();
      to.capacity = spans_.size();
      result = flamelet_scope_times_add(&to, capture_, lane, begin_ns, end_ns);
      if (!is_too_deep(result)) break;
      std::fill(times->begin(), times->end(), flamelet_scope_time());
    }
    check(result);
    return static_cast<size_t>(to.spans_read - std::exchange(times_read_, to.spans_read));
  }

 private:
  void make_room() { spans_.resize(std::max(spans_.size(), std::min(most_, kUsual))); }
  // Doubles the room, if it was that: spans of an importer, a GPU or another source may nest as deep as they like.
  bool is_too_deep(flamelet_result result) {
    if (result != FLAMELET_ERROR_BUFFER_TOO_SMALL) return false;
    spans_.resize(2 * spans_.size());
    return true;
  }
  static void check(flamelet_result result) {
    if (result != FLAMELET_OK)
      throw CommandError(kExitInput, std::string("cannot read spans: ") + flamelet_result_message(result));
  }

  static constexpr size_t kUsual = size_t{1} << 15;  // 2 MiB

  const flamelet_capture* const capture_;
  size_t most_;
  std::vector<flamelet_span> spans_;
  uint64_t times_read_ = 0;
};

inline flamelet_lane_info lane_info(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info = {};
  flamelet_capture_lane(capture, lane, &info);
  return info;
}

// How many there are on all these lanes.
inline size_t count_spans(const flamelet_capture* capture, const std::vector<size_t>& lanes, int64_t begin_ns,
                          int64_t end_ns) {
  size_t count = 0;
  for (const size_t lane : lanes) count += flamelet_capture_count_spans(capture, lane, begin_ns, end_ns);
  return count;
}

// ---- --frames-of NAME
//
// What shall be the frames of a capture whose program marked none, or marked others: the marks of a set
// (flamelet_frame_named()), intervals (Tracy's FrameMarkStart and FrameMarkEnd), the calls of a scope, or what is between
// instants.

// What could be frames, most of the time first: a line for each, with the option that makes it the frames. "" if there is
// nothing that was repeated.
std::string frames_of_choices(const flamelet_capture* capture);

}  // namespace flamelet::tools

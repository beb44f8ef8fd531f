// SPDX-License-Identifier: MIT
//
// capture_input.h: the one place where commands open what was recorded. Whatever the file holds, they get a capture
// (flamelet/capture.h) and need not know where it came from.
#ifndef FLAMELET_TOOLS_CAPTURE_INPUT_H
#define FLAMELET_TOOLS_CAPTURE_INPUT_H

#include <flamelet/capture_file.h>
#include <flamelet/import.h>

#include <memory>
#include <string>

#include "command_line.h"
#include "files.h"

namespace flamelet::tools {

struct InputOptions {
  std::string file;
  bool strict = false;
  std::string frames_of;  // set_frames_of(); "" = the frames that were marked
};

// By how a file begins: a capture, the file of a recorder's ring (flamelet_config::ring_path), or what may be a trace that
// flamelet/import.h reads (Chrome JSON, Perfetto, gzip).
bool is_capture(std::string_view head);
bool is_ring(std::string_view head);
bool is_trace(std::string_view head);
// One of these: what a CaptureInput opens.
bool is_recording(std::string_view head);
// Not one of them, but what flamelet log reads.
bool is_log(std::string_view head);
// What perf record writes, which only perf reads.
bool is_perf_data(std::string_view head);
// For those who were given the one and want the other. `name` is printable.
CommandError recording_is_log(const std::string& name);
CommandError log_is_capture(const std::string& name);
// Of a file that is none of them: what to do with it, as far as its head tells. `also`: what the command would read, too.
CommandError no_recording(const std::string& name, std::string_view head, const char* also = "");

class CaptureInput {
 public:
  // A CommandError if there is no capture in it. Says on the standard error what was repaired, what the recording lost,
  // and what is damaged, which with --strict is thrown.
  explicit CaptureInput(const InputOptions& options);
  // The same of a file whose head was looked at.
  CaptureInput(const InputOptions& options, InputFile* file);

  const flamelet_capture* get() const { return capture_.get(); }
  const std::string& name() const { return name_; }  // of the file, printable
  // "Flamelet capture, version 1, 525.8 KiB"
  const std::string& format() const { return format_; }
  // What is missing in the file, "" if nothing is.
  const std::string& damage() const { return damage_; }
  // What is not as it stands in the file, and which events are far from the others; "" if nothing is.
  const std::string& repairs() const { return repairs_; }
  // What the file holds and the capture does not, "" if nothing is left out.
  const std::string& left_out() const { return left_out_; }
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

  struct Destroy {
    void operator()(flamelet_capture* capture) const { flamelet_capture_destroy(capture); }
  };
  std::string name_;
  std::unique_ptr<flamelet_capture, Destroy> capture_;
  std::string format_;
  std::string damage_;
  std::string repairs_;
  std::string left_out_;
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

// Names end where their text does, also those that hold a zero byte.
inline std::string_view view_of(flamelet_string text) {
  return {text.text, text.size};
}

// ---- --frames-of NAME
//
// What shall be the frames of a capture whose program marked none, or marked others: the marks of a set
// (flamelet_frame_named()), intervals (Tracy's FrameMarkStart and FrameMarkEnd), the calls of a scope, or what is between
// instants.

// Makes those of this name, or of this lane and name ("Server: tick"), the frames of the capture, numbered from 1. What is not
// whole, or begins before the one before it ends, is left out. Exit code 1 if there are none, 2 if several lanes have them.
// `file` is printable.
void set_frames_of(flamelet_capture* capture, const std::string& file, const std::string& name);

// What could be frames, most of the time first: a line for each, with the option that makes it the frames. "" if there is
// nothing that was repeated.
std::string frames_of_choices(const flamelet_capture* capture);
// "there is no complete frame in game.json: --frames-of takes something else ..."
std::string no_frames_text(const flamelet_capture* capture, const std::string& file);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_CAPTURE_INPUT_H

// SPDX-License-Identifier: MIT
//
// perf_script.h: the text of `perf script`, piece by piece, as samples, and these as a call tree. Whatever the pieces are, and whatever is in them,
// memory is bounded by PerfLimits. A line that cannot be read costs itself: of a sample whose header cannot be read, the
// frames go with it.
#pragma once

#include <flamelet/call_tree.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text_input.h"

namespace flamelet::tools {

// Perf line: one line of what Linux's `perf script` prints:
//
//   game main  8240/8241 [001] 19807.771638:     250000 cycles:u:        the sample: command, process, ..., period, event
//           7f4b683bd8a8 Town::step(float)+0x1c (/opt/a game/game)       its frames, innermost first
//
// Fields that perf leaves out on request may be missing. What is needed is the time, or the event with the process or the
// processor. Parsing takes time in proportion to the line, and no memory but the name's.

struct PerfHeader {
  std::string_view command;  // may hold spaces
  std::string_view process;  // "8240/8241", if it is told
  // Without the colon behind it: "cycles:u", "sched:sched_switch". Where there is none: "period", or else "samples".
  std::string_view event;
  bool has_place = false;  // a time or a processor
  bool has_period = false;
  uint64_t period = 1;
  std::string_view rest;   // what follows the event: an address, or the fields of a tracepoint
  bool has_frame = false;  // it is the only frame: there is no call chain
};

// The views point into `text`. False if it is no header.
bool parse_perf_header(std::string_view text, PerfHeader* header);

// Gives the frame's symbol without its offset, also one that holds spaces and parentheses; "[unknown in game]" where
// only the file is known, the address where that stands alone, else "[unknown]". False if the text is no frame.
bool parse_perf_frame(std::string_view text, std::string* symbol);

struct PerfLimits {
  size_t line_bytes = size_t{1} << 20;
  size_t names = size_t{1} << 20;  // of symbols, commands and events
  size_t name_bytes = size_t{256} << 20;
  size_t frames = 65536;  // of one sample; those further out are left away
};

// Names are numbers of the reader's table. Commands stand there in brackets, "[game]", which tells them from symbols.
struct PerfSample {
  uint32_t command = NameTable::kNone;
  uint32_t event = NameTable::kNone;
  bool has_period = false;
  uint64_t period = 1;
  std::vector<uint32_t> frames;  // innermost first
};

class PerfReader {
 public:
  using SampleFunction = std::function<void(const PerfSample& sample)>;
  // A line was skipped.
  using ProblemFunction = std::function<void(uint64_t line, const char* problem)>;

  PerfReader(SampleFunction on_sample, ProblemFunction on_problem, PerfLimits limits = {});

  void feed(std::string_view bytes);
  void finish();  // the end of the file

  const NameTable& names() const { return names_; }
  uint64_t sample_count() const { return sample_count_; }
  uint64_t problem_count() const { return problem_count_; }
  uint64_t lost_count() const { return lost_count_; }  // that the recording lost, as PERF_RECORD_LOST says
  uint64_t stray_frame_count() const { return stray_frame_count_; }  // of no sample that could be read
  // The text ends in the middle of a line or of a stack. Of the newest sample, outer frames may be missing.
  bool is_cut() const { return is_cut_; }

 private:
  enum class State {
    kOutside,   // of a sample
    kInSample,  // frames may follow
    kBehind,    // a sample or a record, which may go on behind an empty line
    kSkipping,  // the frames of a header that could not be read
  };

  void take_line(std::string_view text, bool whole);
  bool take_record(std::string_view text);
  bool take_header(std::string_view text);
  bool take_frame(std::string_view text);
  void end_sample();
  void skip(const char* problem);

  const SampleFunction on_sample_;
  const ProblemFunction on_problem_;
  const PerfLimits limits_;
  LineSplitter lines_;
  NameTable names_;
  State state_ = State::kOutside;
  PerfSample sample_;
  bool has_header_frame_ = false;  // it is the only one, so far
  bool needs_frames_ = false;      // else it is no sample: the lines of other logs may begin with a time, too
  std::string text_;               // a name in the making
  uint64_t line_count_ = 0;
  uint64_t sample_count_ = 0;
  uint64_t problem_count_ = 0;
  uint64_t lost_count_ = 0;
  uint64_t stray_frame_count_ = 0;
  bool has_tabs_ = false;         // before frames
  bool has_ended_stack_ = false;  // an empty line ended one
  bool is_cut_ = false;
};

// Perf tree: samples as a call tree (flamelet/call_tree.h). A path's samples are the periods of the samples that were taken
// in it, or how many these are where the first one has none; a later one without counts as the mean of those before. Its
// calls are the samples that passed through: perf does not know how often a function was called.

struct PerfTreeOptions {
  std::string event;            // only samples of this one; "": of the first that comes, since units do not add up
  bool command_is_root = true;  // paths begin with the command
  bool keep_recursion = false;  // as in the tree's config
  bool count_samples = false;   // each sample counts 1, whatever its period
};

class PerfTree {
 public:
  // `tree` needs room for one thread. `names`, the reader's, has to outlive it.
  PerfTree(flamelet_call_tree* tree, const NameTable& names, PerfTreeOptions options = {});
  ~PerfTree() { flamelet_call_thread_destroy(thread_); }
  PerfTree(const PerfTree&) = delete;
  PerfTree& operator=(const PerfTree&) = delete;

  void add(const PerfSample& sample);

  const std::string& event() const { return options_.event; }
  bool is_full() const { return is_full_; }  // the periods sum up to more: the tree has no more than this
  bool counts_samples() const { return options_.count_samples; }  // and no periods
  uint64_t samples_added() const { return samples_added_; }
  uint64_t samples_without_period() const { return samples_without_period_; }  // among others with one
  uint64_t samples_of_other_events() const { return samples_of_other_events_; }
  // How many of each, of the first of them.
  const std::map<std::string, uint64_t>& other_events() const { return other_events_; }

 private:
  void fold();
  void enter(uint32_t name);

  flamelet_call_tree* const tree_;
  flamelet_call_thread* const thread_;
  const NameTable& names_;
  PerfTreeOptions options_;
  std::vector<uint32_t> path_;                     // of the sample in hand
  std::vector<bool> named_;                        // in the tree, by name
  static constexpr uint64_t kMostSum = INT64_MAX;  // that pprof can hold
  uint64_t sum_ = 0;                               // of all samples
  bool is_full_ = false;
  uint64_t samples_added_ = 0;
  uint64_t samples_without_period_ = 0;
  uint64_t samples_of_other_events_ = 0;
  static constexpr size_t kMostOthers = 16;
  std::map<std::string, uint64_t> other_events_;
};

}  // namespace flamelet::tools

// SPDX-License-Identifier: MIT
//
// capture_window.h: the options by which a command knows its capture, and which part of it: frames or time, and lanes; and
// what happened there, added up.
#pragma once

#include <flamelet/call_tree.h>
#include <flamelet/capture.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "command_line.h"

namespace flamelet::tools {

// FILE, --strict and --frames-of.
void add_input_options(Command* command, InputOptions* options,
                       const std::string& help = "A capture, or another tool's trace; - is the standard input");

// Alone, for commands that take several files.
void add_frames_of_option(Command* command, std::string* frames_of);

struct WindowOptions {
  std::string frames;
  std::string time;
};

// --frames and --time. Returns the first.
Option add_window_options(Command* command, WindowOptions* options);

// Whether the capture begins with frame 0, the time before the first mark, and has other frames: then it is in no count.
bool has_start(const flamelet_capture* capture);

struct Window {
  bool whole = true;
  int64_t begin_ns = INT64_MIN;  // half open
  int64_t end_ns = INT64_MAX;
  std::vector<Stretch> stretches;  // of it, that count: with --frames, those of the frames, which may have gaps
  // The complete frames that lie in it, by their positions in the capture.
  size_t first_frame = 0;
  size_t end_frame = 0;
  // The time before the first mark, which is frame 0 and no frame of the game: so long, if it is left out because nobody
  // named frames or a time, and there are others. Else 0.
  int64_t start_ns = 0;
};

// Why there is nothing to say of frames in the window: "there is no complete frame in game.json: nothing marks them there. An
// option takes something else for frames: ..."
std::string no_frames_text(const CaptureInput& input, const Window& window);

// The frames that figures of scopes are of: those in the window, without those that were recorded in part, in which the
// clock jumped, or that lost events, unless there are no others.
std::vector<flamelet_frame_info> measured_frames(const flamelet_capture* capture, const Window& window);
// "without 3 frames that were recorded in part and 30 with lost events", "with 3 that lost events, as there are no
// others"; "" if `measured` are all in the window, and nothing is lost.
std::string left_out_text(const flamelet_capture* capture, const Window& window,
                          const std::vector<flamelet_frame_info>& measured);

// The frames in it without those in which the clock jumped; 0 if there are no others.
struct FrameLengths {
  size_t count = 0, unknown = 0;
  double mean_ns = 0, median_ns = 0;
};
FrameLengths frame_lengths(const flamelet_capture* capture, const Window& window);
FrameLengths frame_lengths(const std::vector<flamelet_frame_info>& frames);
inline bool has_length(const flamelet_frame_info& frame) {
  return (frame.flags & FLAMELET_FRAME_CLOCK_JUMPED) == 0;
}
// "2 frames in which the clock jumped are left out"; "" if there are none.
std::string unknown_text(const FrameLengths& lengths);
// "mean 12.000 ms, median 10.000 ms"; "no length is known"
std::string lengths_text(const FrameLengths& lengths);
// "frame 0, the time before the first mark, took 323.000 ms and is left out"; "" if nothing is.
std::string start_text(const Window& window);
// "195904 older frames are in no figure (max_frames)"; "" if the capture keeps the marks of all.
std::string older_frames_text(const flamelet_capture* capture);

// The time that a capture is about: what its pages cover of the window that it was saved with. False: nothing.
bool time_of(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns);

// Without options: the window that the file was saved with, or all. Exit code 2 if a text is no range, 1 if the capture holds
// nothing of it.
Window window_of(const CaptureInput& input, const WindowOptions& options);

struct LaneOptions {
  std::string kind = "threads";
  std::vector<std::string> names;
};

// --lanes and --thread.
void add_lane_options(Command* command, LaneOptions* options);

// The lanes of that kind; or those with the names, whatever their kind. Exit code 1 if there is none.
std::vector<size_t> lanes_of(const CaptureInput& input, const LaneOptions& options);

// All lanes: threads, GPU queues, external sources, fibers, each by id. Those of an import stand as the trace sorts them.
std::vector<size_t> all_lanes(const CaptureInput& input);

// Lanes of one kind and name: each lane alone, or all together ("Worker (4)").
struct NamedLanes {
  std::string name;
  flamelet_lane_kind kind;
  std::vector<size_t> lanes;
};
std::vector<NamedLanes> named_lanes(const CaptureInput& input, const std::vector<size_t>& lanes, bool merge);

// "4 threads", "1 GPU queue"; "2 lanes" if they were chosen by name.
std::string lanes_text(size_t count, const LaneOptions& options);

// "without 1 GPU queue (--lanes gpu)": what has scopes and is of another kind than was asked for; "" if nothing is.
std::string other_lanes_text(const CaptureInput& input, const LaneOptions& options);

const char* lane_kind_name(flamelet_lane_kind kind);

// "5..10", "5..", "..10" or "5". An end that is left open is as far as there are numbers. False if it is no range.
bool parse_frame_range(std::string_view text, uint64_t* first, uint64_t* last);

// ---- What happened in a window, added up: by scope and frame, intervals by name, and by call path

struct ScopeFrames {
  uint32_t site;  // of the first, where scopes of one name are one
  uint32_t name;
  // Of each frame in which it ran. A span that reaches over a border counts in each frame with its part, and a scope inside
  // itself once.
  struct Time {
    size_t frame;
    int64_t ns;
  };
  std::vector<Time> times;
  uint64_t calls = 0;  // that began in one of them

  // With those in which it did not run.
  std::vector<int64_t> of_all(size_t frames) const {
    std::vector<int64_t> all_ns(frames);
    for (const Time& time : times) all_ns[time.frame] = time.ns;
    return all_ns;
  }
};

// All scopes of the lanes in these frames, in the order in which they were first met; `by_name`: those of one name together,
// wherever in the code they are.
std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes,
                                      const std::vector<flamelet_frame_info>& frames, bool by_name = false);

struct IntervalSums {
  std::string name;
  uint64_t count = 0;
  uint64_t incomplete = 0;  // without a begin or an end
  uint64_t open = 0;        // without an end
  int64_t total_ns = 0;
  std::vector<int64_t> durations_ns;  // without those that have only begun
};

// Those that overlap the window, each with its whole duration, by name. Only names that hold the filter's text.
std::vector<IntervalSums> interval_sums(const CaptureInput& input, const Window& window, const std::string& filter);

// A call tree with its memory. Names and categories live as long as what it was made of.
class CallTree {
 public:
  explicit CallTree(const flamelet_call_tree_config& config);
  flamelet_call_tree* get() const { return tree_; }

  void set_categories(std::vector<std::string_view> by_id) { categories_ = std::move(by_id); }
  std::string_view category(uint32_t id) const { return id < categories_.size() ? categories_[id] : ""; }

 private:
  std::vector<std::string_view> categories_;
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_call_tree* tree_ = nullptr;
};

// Frames that follow each other are one.
std::vector<Stretch> stretches_of(const std::vector<flamelet_frame_info>& frames);

// What the lanes did in these stretches of time, merged; samples are nanoseconds. The memory grows until every path has room,
// up to 4 million.
CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes,
                      const std::vector<Stretch>& stretches, bool keep_recursion);

struct CallPath {
  uint32_t parent;  // index in the same list; the root stands first
  uint32_t depth;   // 0 = the root
  const char* name;
  uint64_t calls;
  uint64_t self;
  uint64_t total;
  std::string_view category;
};

// Every path, each behind its parent and before its parent's next child.
std::vector<CallPath> paths_of(const CallTree& tree);

}  // namespace flamelet::tools

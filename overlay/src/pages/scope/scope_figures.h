// SPDX-License-Identifier: MIT
//
// scope_figures.h: what the page Scope knows of a scope: its calls, its frames, their summary.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_FIGURES_H
#define FLAMELET_OVERLAY_SRC_SCOPE_FIGURES_H

#include <stdint.h>

#include "bars/frame_bars.h"
#include "content/memory.h"
#include "draw/theme.h"
#include "hud/hud.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

// Calls added up by whatever tells them apart: the caller, the callee, the object, the thread.
//
// When full: calls without a group of their own are added up as others().

struct ScopeGroup {
  uint64_t id = 0;  // what the calls have in common
  uint64_t count = 0;
  int64_t total_ns = 0;  // of the outermost calls
  int64_t longest_ns = 0;
  int64_t durations_ns = 0;  // of all calls
};

class ScopeGroups {
 public:
  static constexpr uint32_t kMost = 256;

  void carve(Carver* carver);
  void clear();
  void add(const ScopeGroup& calls);
  void sort();  // the largest total first; nothing may be added afterwards

  uint32_t count() const { return groups_.count; }
  const ScopeGroup& operator[](uint32_t i) const { return groups_[i]; }
  // The calls that found no room for a group.
  const ScopeGroup& others() const { return others_; }
  void add_others(const ScopeGroup& calls);

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t group = 0;
  };

  Array<ScopeGroup> groups_;
  HashTable<Slot> slots_;
  ScopeGroup others_;
};

// Call choice: which calls of a scope the page Scope is about.

struct CallChoice {
  enum class Of : uint8_t { kAll, kObject, kThread };

  Of of = Of::kAll;
  uint32_t id = 0;  // flamelet_capture_string() of an object, 0 = calls without one; or a lane of the capture

  bool all() const { return of == Of::kAll; }
  bool contains(uint32_t lane, uint32_t object) const { return all() || id == (of == Of::kObject ? object : lane); }
  bool operator==(const CallChoice& other) const { return of == other.of && (all() || id == other.id); }
};

// Scope instances: every call of one scope in a range of time, with what it can be grouped by; and what it called.
//
// The range is read from its end to its begin, a piece in each frame of the overlay, so that the newest calls are there
// first. It may grow at its end. A call stands in the piece in which it ended; one that goes on behind a range that does
// not grow counts, too.
//
// When full: the newest calls are kept, to within a piece, and complete() is false. Where too many calls are in pieces, the
// pieces of some are not joined.

struct ScopeInstance {
  static constexpr uint64_t kNoCaller = UINT64_MAX - 1;
  static constexpr int64_t kLaterPiece = -1;

  int64_t begin_ns;  // of a call in pieces, because fibers were switched in it: those of one piece
  int64_t end_ns;
  int64_t call_ns;          // of a call in pieces: their sum, in its first piece, and kLaterPiece in the others
  uint64_t caller;          // ScopeKey::bits(), or kNoCaller
  uint32_t lane;            // of the capture
  uint32_t object;          // flamelet_capture_string(); 0 = none
  bool has_begin;           // of a call in pieces: the call begins here
  bool is_inner;            // inside a call of the same scope; its time is in that one's
  bool is_inner_of_object;  // inside one with the same object

  bool is_call() const { return has_begin && call_ns != kLaterPiece; }
  int64_t piece_ns() const { return end_ns > begin_ns ? end_ns - begin_ns : 0; }
};

class ScopeInstances {
 public:
  void carve(Carver* carver, uint32_t max_instances);
  void clear();

  // Begins anew. `grows`: extend() will be called. `callers`: whose callees are added up; all calls are read, those on the
  // threads or those on the GPU.
  void begin(const flamelet_capture* capture, ScopeKey scope, TimeWindow range, bool grows,
             CallChoice callers = CallChoice(), bool on_gpu = false);
  void extend(int64_t end_ns);
  // Reads about `max_zones` spans. `scratch` is overwritten.
  void step(Array<flamelet_span>* scratch, uint32_t max_zones);

  bool reading() const { return capture_ != nullptr && (!read_to_end() || !read_to_begin()); }
  // Nothing of the range was left out.
  bool complete() const { return read_to_begin() && dropped_ == 0; }
  ScopeKey scope() const { return scope_; }
  TimeWindow range() const { return range_; }
  uint32_t count() const { return count_; }
  const ScopeInstance& operator[](uint32_t i) const { return ring_[(first_ + i) % ring_.capacity]; }
  // What it called, in the order of being met.
  const ScopeGroups& callees() const { return callees_; }
  uint64_t version() const { return version_; }  // changes with the calls

 private:
  bool read_to_end() const { return read_.end_ns >= range_.end_ns; }
  bool read_to_begin() const { return read_.begin_ns <= range_.begin_ns; }
  bool has_room() const { return count_ < ring_.capacity; }
  uint64_t read_lane(uint32_t lane, TimeWindow piece, bool forward, Array<flamelet_span>* scratch);
  uint64_t read_pieces(uint32_t lane, TimeWindow piece, bool forward, Array<flamelet_span>* scratch);
  void take_spans(const flamelet_span* spans, size_t first, size_t end, uint32_t lane, TimeWindow piece, bool forward);
  bool was_cut_before(uint32_t lane, const flamelet_span& span, int64_t begin_ns) const;
  void push(const ScopeInstance& instance, bool forward, flamelet_id in_pieces);
  void join(ScopeInstance* instance, int64_t number, flamelet_id id);

  const flamelet_capture* capture_ = nullptr;
  ScopeKey scope_;
  TimeWindow range_;
  TimeWindow read_;
  bool grows_ = false;
  bool on_gpu_ = false;
  CallChoice callers_;
  int64_t piece_ns_ = 0;
  // The first piece of a call, by the call's id.
  struct CallInPieces {
    static constexpr int64_t kUnknown = INT64_MIN;
    uint64_t key = 0;
    int64_t number = kUnknown;
  };

  Array<ScopeInstance> ring_;
  uint32_t first_ = 0, count_ = 0;
  int64_t first_number_ = 0;  // instances have numbers, in their order, that stay
  HashTable<CallInPieces> calls_in_pieces_;
  uint64_t dropped_ = 0;
  uint64_t version_ = 0;
  ScopeGroups callees_;
};

// Scope frames: how long one scope took in each frame of the capture. The newest frames are read first, a piece in each
// frame of the overlay; new ones are read as they come.

struct ScopeFrame {
  uint64_t index = UINT64_MAX;
  int64_t time_ns = 0;
  uint32_t calls = 0;
  uint32_t mark = 0;  // what mark() was told last
};

class ScopeFrames {
 public:
  void carve(Carver* carver, uint32_t max_frames) { carver->take(&frames_, max_frames); }
  void clear();

  // On the threads, or on the GPU.
  void begin(const flamelet_capture* capture, ScopeKey scope, CallChoice calls = CallChoice(), bool on_gpu = false);
  // Reads about `max_zones` spans, and at least one frame; none after `settled`, which counts as in Timeline::follow().
  void step(Array<flamelet_span>* scratch, uint32_t max_zones, uint64_t settled);

  ScopeKey scope() const { return scope_; }
  bool reading() const { return !done_; }
  // There is no room for the oldest frames of the capture.
  bool leaves_out() const { return capture_ != nullptr && flamelet_capture_frame_count(capture_) > frames_.capacity; }
  // The frames from the oldest to the newest were read, if any() was. They change with the generation, and grow at both
  // ends.
  bool any() const { return any_; }
  uint64_t oldest() const { return oldest_; }
  uint64_t newest() const { return newest_; }
  uint64_t generation() const { return generation_; }
  uint64_t version() const { return version_; }  // changes with any of them
  // NULL if the frame was not read, or not held any more.
  const ScopeFrame* find(uint64_t index) const;
  // Calls visit(index) for those that were read in [oldest, newest], and maybe others in it. Damaged indices lie far apart.
  template <typename Visit>
  void for_each(uint64_t oldest, uint64_t newest, Visit visit) const {
    if (newest - oldest < frames_.capacity)
      for (uint64_t i = oldest; i <= newest; ++i) visit(i);
    else
      for (const ScopeFrame& frame : frames_)
        if (frame.index >= oldest && frame.index <= newest) visit(frame.index);
  }
  // Sets the mark of a frame that was read. False if it had this mark already, or was not read.
  bool mark(uint64_t index, uint32_t value);

 private:
  uint64_t read(size_t position, Array<flamelet_span>* scratch);

  const flamelet_capture* capture_ = nullptr;
  ScopeKey scope_;
  CallChoice calls_;
  bool on_gpu_ = false;
  Array<ScopeFrame> frames_;  // by index modulo their number
  bool any_ = false;          // a frame was read
  uint64_t newest_ = 0;       // index of the newest that was read
  uint64_t oldest_ = 0;       // of the oldest: those between them are read
  uint64_t generation_ = 0;
  uint64_t version_ = 0;
  bool done_ = true;
};

// Scope graph: the time of one scope in each frame, summed up for as many bars as fit. A bar stands for 2^n frames. What
// was summed up is kept: an update looks at the frames that came and, if the longest frame of the oldest bar went, at
// those that are left of it. When there are too many bars, they are merged in pairs. So a picture costs what its bars cost,
// however many frames there are. Only when a frame goes back to finer bars are all frames looked at again.

class ScopeGraph {
 public:
  static constexpr uint32_t kMostBars = 1024;

  // The same whatever the number of frames: about 110 KB.
  void carve(Carver* carver);
  void clear();

  // `oldest_held`: the index of the oldest frame that the capture has. `most`: bars that fit, about; not 0.
  void update(const ScopeFrames& frames, uint64_t oldest_held, uint32_t most);
  // As ScopeFrames::mark().
  void mark(uint64_t index, uint32_t value);

  // Oldest first. They have no sum_ns.
  const Array<FrameSum>& bars() const { return sums_; }
  // The newest mark of the frames of a sum.
  uint32_t newest_mark(uint32_t sum) const { return marks_[sum]; }
  uint32_t frame_count() const { return frame_count_; }  // of all sums
  uint64_t frames_a_bar() const { return uint64_t{1} << shift_; }
  int64_t longest_ns() const { return longest_ns_; }     // at least 1
  uint64_t frames_looked_at() const { return looked_; }  // since clear(), for tests

 private:
  struct Group {
    FrameSum sum;  // count 0: nothing was read of it
    uint32_t mark;
  };

  Group& group_of(uint64_t index) { return groups_[static_cast<uint32_t>((index >> shift_) % groups_.capacity)]; }
  uint64_t groups_from(uint64_t oldest, uint64_t newest) const { return (newest >> shift_) - (oldest >> shift_) + 1; }
  void forget();
  void add(const ScopeFrames& frames, uint64_t index);
  void add_range(const ScopeFrames& frames, uint64_t oldest, uint64_t newest);
  void drop_before(const ScopeFrames& frames, uint64_t oldest);
  void merge_pairs();
  void choose_shift(uint64_t oldest, uint64_t newest, uint32_t most);
  void list();

  Array<Group> groups_;  // by number, modulo their count
  uint32_t shift_ = 0;
  uint32_t most_ = 0;
  uint64_t oldest_ = 1, newest_ = 0;  // what is in; nothing if the oldest is above the newest
  uint64_t generation_ = 0;           // of the frames
  bool changed_ = false;
  Array<FrameSum> sums_;
  Array<uint32_t> marks_;
  uint32_t frame_count_ = 0;
  int64_t longest_ns_ = 1;
  uint64_t looked_ = 0;
};

// Scope summary: what the calls of one scope come to: figures, a histogram, groups, and which calls are in a chosen range
// of durations. It is worked out a piece in each frame of the overlay; the one before is shown meanwhile.
//
// Percentiles are by nearest rank, as in flamelet/statistics.h. They are exact for up to kExact calls. Of more calls they
// are known to within 0.4 %; everything else stays exact.

enum class GroupBy : uint32_t { kCaller, kCallee, kObject, kThread };
constexpr uint32_t kGroupByCount = 4;

// Both included; empty if most_ns < least_ns.
struct DurationRange {
  int64_t least_ns = 0;
  int64_t most_ns = -1;

  bool any() const { return most_ns >= least_ns; }
  bool contains(int64_t ns) const { return ns >= least_ns && ns <= most_ns; }
  bool operator==(const DurationRange& other) const { return least_ns == other.least_ns && most_ns == other.most_ns; }
};

// As the statistics have them: the outermost calls make up the total, all others are calls, too.
struct ScopeFigures {
  uint64_t count = 0;
  flamelet_state_times states = {};  // sums; all unknown without states of threads
  int64_t total_ns = 0, mean_ns = 0;
  int64_t min_ns = 0, median_ns = 0, p95_ns = 0, p99_ns = 0, p999_ns = 0, max_ns = 0;
};

// A histogram's axis, from the shortest call to the longest. It may end with a bar for all that are longer than most.
class DurationAxis {
 public:
  DurationAxis() = default;
  DurationAxis(int64_t least_ns, int64_t most_ns, bool log);
  // A linear one of so many bars. The last is for what is above `most_ns`, up to `longest_ns`.
  static DurationAxis folded(int64_t least_ns, int64_t most_ns, int64_t longest_ns, uint32_t bars);

  // Where a duration stands, 0 to 1; and back.
  double share_of(int64_t ns) const;
  int64_t at(double share) const;
  bool log() const { return log_; }
  bool folds() const { return tail_ < 1; }
  int64_t folds_above() const { return at(tail_) - 1; }

 private:
  bool log_ = false;
  double tail_ = 1;  // share at which the last bar begins, if it folds
  int64_t longest_ns_ = 0;
  double from_ = 0, length_ = 0;  // logarithms, if log_
};

struct SummaryChoice {
  GroupBy group_by = GroupBy::kCaller;
  bool log_axis = false;
  uint32_t bars = 64;  // at most ScopeSummary::kMostBars
  DurationRange chosen;
  CallChoice calls;  // the groups of their own kind stay all there, to choose another one

  bool operator==(const SummaryChoice& other) const {
    return group_by == other.group_by && log_axis == other.log_axis && bars == other.bars && chosen == other.chosen &&
           calls == other.calls;
  }
};

class ScopeSummary {
 public:
  static constexpr uint32_t kMostBars = 160;
  static constexpr uint32_t kExact = 8192;

  void carve(Carver* carver);
  void clear();

  void begin(const SummaryChoice& choice, const ScopeInstances& instances);
  // Looks at about so many calls; mark(instance) is called for those in the chosen range, and add_states(instance, &sums) for
  // all. True once the new summary is shown. The instances must not change before.
  template <typename Mark, typename AddStates>
  bool step(const ScopeInstances& instances, uint32_t most, const Mark& mark, const AddStates& add_states) {
    if (!busy_) return false;
    const uint32_t count = instances.count();
    for (uint32_t looked = 0; looked < most && at_ < count; ++looked) {
      const ScopeInstance& instance = instances[at_++];
      add_group(instance);
      if (!choice_.calls.contains(instance.lane, instance.object)) continue;
      add_figures(instance);
      if (!is_inner(choice_, instance) && add_states(instance, &next_.figures.states)) looked += 8;
      if (!is_chosen(choice_, instance)) continue;
      mark(instance);
      looked += 8;  // finding its frame
    }
    if (at_ < count) return false;
    if (bar_at_ == 0) begin_bars();
    for (uint32_t looked = 0; looked < most && bar_at_ < count; ++looked) {
      const ScopeInstance& instance = instances[bar_at_++];
      if (choice_.calls.contains(instance.lane, instance.object)) add_bar(instance);
    }
    if (bar_at_ < count) return false;
    finish(instances);
    return true;
  }
  // Whether it is a call in the chosen range.
  static bool is_chosen(const SummaryChoice& choice, const ScopeInstance& instance);
  bool busy() const { return busy_; }
  // The scope's time in each frame with it, from the one with index `first` on. Not while busy().
  void sum_frames(const ScopeFrames& frames, uint64_t first);
  const ScopeFigures& frame_figures() const { return frame_figures_; }
  uint64_t frames_version() const { return frames_version_; }
  // What the next or the last begin() was told.
  const SummaryChoice& choice() const { return choice_; }
  uint64_t version() const { return version_; }  // of the instances

  // These describe the summary that is shown:
  const ScopeFigures& figures() const { return shown_.figures; }
  const DurationAxis& axis() const { return shown_.axis; }
  uint32_t bar_count() const { return shown_.bar_count; }
  uint32_t bar(uint32_t i) const { return shown_.bars[i]; }
  uint32_t most_in_a_bar() const { return shown_.most_in_a_bar; }
  const DurationRange& chosen() const { return shown_.chosen; }
  uint64_t chosen_count() const { return shown_.chosen_count; }
  const CallChoice& calls() const { return shown_.calls; }
  GroupBy grouped_by() const { return shown_.group_by; }
  const ScopeGroups& groups() const { return shown_.groups; }

 private:
  static constexpr uint32_t kSubBits = 7;  // bins of an octave: 128
  static constexpr uint32_t kBins = 48u << kSubBits;

  struct Summary {
    ScopeFigures figures;
    DurationAxis axis;
    uint32_t bar_count = 0;
    uint32_t bars[kMostBars] = {};
    uint32_t most_in_a_bar = 0;
    DurationRange chosen;
    uint64_t chosen_count = 0;
    int64_t durations_ns = 0;  // of all calls
    CallChoice calls;
    GroupBy group_by = GroupBy::kCaller;
    ScopeGroups groups;
  };

  static bool is_inner(const SummaryChoice& choice, const ScopeInstance& instance);
  static uint32_t bin_of(int64_t ns);
  static int64_t middle_of(uint32_t bin);
  static void clear(Summary* summary);
  void add_group(const ScopeInstance& instance);
  void add_figures(const ScopeInstance& instance);
  void begin_figures();
  void count_duration(int64_t ns);
  void finish_figures();
  void begin_bars();
  void add_bar(const ScopeInstance& instance);
  void finish(const ScopeInstances& instances);
  int64_t percentile(double percent);
  int64_t ranked(uint64_t rank);

  SummaryChoice choice_;
  uint64_t version_ = 0;
  bool busy_ = false;
  uint32_t at_ = 0, bar_at_ = 0;
  Summary shown_, next_;
  ScopeFigures frame_figures_;
  uint64_t frames_version_ = 0;
  Array<uint32_t> bins_;
  Array<int64_t> durations_;  // the first kExact
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_FIGURES_H

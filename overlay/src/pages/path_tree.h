// SPDX-License-Identifier: MIT
//
// path_tree.h: the paths of a call tree (flamelet/call_tree.h) as the overlay shows them: a copy in pre-order, and the
// rows that are listed of it, sorted, with the open ones' children below them. It makes no ImGui call.
//
// Which rows are open is remembered by what their path is called, and not by where it stands: so it survives the next
// reading, in which there may be other paths.
// Cost:      read() a pass over all paths of the source; list() sorts the children of the open rows.
// When full: read() stops, and says so.
#ifndef FLAMELET_OVERLAY_SRC_PATH_TREE_H
#define FLAMELET_OVERLAY_SRC_PATH_TREE_H

#include <string_view>

#include "content/filter.h"
#include "content/memory.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "flamelet/compare.h"
#include "flamelet/span_tree.h"
#include "lanes/lane_rows.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

struct PathNode {
  uint64_t key;  // of the path: the same in every reading
  uint64_t calls;
  uint64_t self, total;  // samples
  const char* text;      // the block's name; NULL for a scope of the capture, which is the next one
  ScopeKey scope;
  uint32_t id;           // in the call tree
  uint32_t depth;        // 0 = called from nowhere
  uint32_t subtree_end;  // the node after the last one that was called from here
};

enum class PathColumn : uint32_t { kPath, kTotal, kSelf, kCalls };

class PathTree {
 public:
  void carve(Carver* carver, uint32_t max_paths);

  // `scopes` says what the ids stand for; NULL for a tree with names of its own.
  void read(flamelet_call_tree* calls, const flamelet_span_tree* scopes);
  void clear();

  const Array<PathNode>& nodes() const { return nodes_; }
  uint64_t total() const { return total_; }
  // The most of any one path; heat is measured against it.
  uint64_t most_total() const { return most_total_; }
  uint64_t most_self() const { return most_self_; }
  bool complete() const { return complete_; }  // false: there are more paths than memory

  // ---- Rows

  // The column kPath stands for the order of the first calls. Falling values, or the reverse.
  void sort_by(PathColumn column, bool descending);
  PathColumn column() const { return column_; }
  bool descending() const { return descending_; }
  bool is_open(const PathNode& node) const;
  bool has_children(uint32_t node) const { return nodes_[node].subtree_end > node + 1; }
  void toggle(const PathNode& node);
  // Opens the rows of all paths shorter than this, and closes the others.
  void open_to(uint32_t depth);
  // Indices into nodes().
  const Array<uint32_t>& rows() const { return rows_; }

 private:
  // Three quarters are more rows than a hand opens; what finds no room stays as it is.
  static constexpr uint32_t kToggled = 4096;
  struct Toggled {
    uint64_t key = 0;  // of the path
  };

  static bool add(void* user, const flamelet_call_path* path);
  void list();

  Array<PathNode> nodes_;
  Array<uint32_t> rows_;
  Array<uint32_t> stack_;       // in read(): the nodes above the current one; in list(): those yet to be listed
  HashTable<Toggled> toggled_;  // those that are not what open_depth_ says
  uint32_t open_depth_ = 2;
  uint64_t total_ = 0, most_total_ = 0, most_self_ = 0;
  bool complete_ = true;
  PathColumn column_ = PathColumn::kTotal;
  bool descending_ = true;
};

// Range paths: the call tree of the spans in a range of time. As with range_statistics.h, a reading goes on over
// several frames, and what is shown meanwhile is the one before. The range is read in slices of time that are made
// shorter or longer until one takes a small part of a frame's share: windows that touch add up to one, so it does not
// matter where they are cut.

class RangePaths {
 public:
  void carve(Carver* carver, uint32_t max_paths, uint32_t max_scopes, uint32_t max_lanes);

  // For another capture, or another session: ids of scopes begin anew.
  void reset();
  // Begins a reading, in place of one that is under way.
  void begin(const flamelet_capture* capture, TimeWindow range, uint32_t lane_kinds, bool keep_recursion);
  // Goes on behind the end of what was read, or of what is being read, up to here.
  void extend(int64_t end_ns);
  // Reads about `max_zones` spans. True once the new tree is there.
  bool step(uint32_t max_zones);

  bool reading() const { return reading_; }
  // What the tree is about; while a reading is under way, what it will be about.
  TimeWindow range() const { return range_; }
  // The paths of the last whole reading: to query, and to ask scopes() about its ids.
  flamelet_call_tree* calls() { return shown_; }
  const flamelet_call_tree* calls() const { return shown_; }
  const flamelet_span_tree* scopes() const { return reader_; }
  // Its calls that had no room; the tree counts them at their callers.
  uint64_t left_out() const { return left_out_; }

 private:
  flamelet_span_tree_config config() const;

  uint32_t max_paths_ = 0, max_scopes_ = 0, max_lanes_ = 0;
  Array<char> reader_memory_;
  Array<char> shown_memory_;
  flamelet_span_tree* reader_ = nullptr;
  flamelet_call_tree* shown_ = nullptr;  // takes paths as they are: the reader has folded them
  const flamelet_capture* capture_ = nullptr;
  TimeWindow range_;
  int64_t read_until_ns_ = 0;
  int64_t slice_ns_ = 0;
  uint64_t left_out_ = 0;
  bool reading_ = false;
};

// The flame graph of a path tree, as plain geometry. A path is as wide as its total, and stands below its
// caller from the left in the order of the tree, which is that of the first calls and so does not jump. Neighbours that
// are narrower than the merge limit become one block together, with everything that they called, and that block says
// how many paths it stands for.
//
// Invariant: the sum of `paths` over the blocks is the number of paths that are shown, at every width, as long as the
// blocks have room.

struct FlameBlock {
  float x0, x1;    // pixels, within [0, width]
  uint32_t first;  // node; of a merged block, the first of several
  uint32_t paths;  // that this block stands for; 1 = the node alone
  uint32_t depth;
  bool narrow;  // below the merge limit: its callees are in it

  bool merged() const { return paths != 1; }
};

struct FlameLayout {
  uint32_t rows = 0;
  uint32_t paths_drawn = 0;
  uint32_t paths_merged = 0;
  bool complete = true;  // false: `blocks` was full
};

// The node of this key; the count of nodes if there is none.
uint32_t find_path(const Array<PathNode>& nodes, uint64_t key);

// `zoom` is the node that fills the width, with its callers above it as wide; UINT32_MAX = all of the tree, whose total
// is `total`. `edges` is scratch, as large as the tree is deep. The blocks stand in the order of the tree.
FlameLayout layout_flame(const Array<PathNode>& nodes, uint64_t total, uint32_t zoom, float width_px,
                         float merge_limit_px, Array<uint64_t>* edges, Array<FlameBlock>* blocks);

// Two ranges of time, A and B, compared call path by call path (flamelet/compare.h), as `flamelet diff`
// does. A side is read when it is set, over several frames of the overlay, and is kept as figures: the frames behind it may
// be overwritten, and its capture may go. So A and B may be ranges of one run, a run and a file, or two files.

// Scope histograms: how long the single calls of each scope took, on two sides, in bins of half an octave. Scopes are
// known by their names, because two captures have ids of their own.
//
// When full: scopes without room have no histogram; their calls are counted.

struct ScopeHistogram {
  static constexpr uint32_t kBins = 52;  // from below 64 ns to above 2^31 ns

  uint64_t key = 0;  // of the name
  uint32_t calls[2][kBins] = {};
};

// The bin of a duration, and where a bin begins.
uint32_t bin_of(int64_t duration_ns);
int64_t bin_begin_ns(uint32_t bin);

class ScopeHistograms {
 public:
  void carve(Carver* carver, uint32_t max_scopes) { scopes_.carve(carver, max_scopes / 3 * 4 + 4); }
  void clear();
  void add(uint32_t side, std::string_view name, int64_t duration_ns);
  // NULL if no call of this name was added.
  const ScopeHistogram* find(std::string_view name) const;
  uint64_t left_out() const { return left_out_; }

 private:
  HashTable<ScopeHistogram> scopes_;
  uint64_t left_out_ = 0;
};

struct ComparedSide {
  bool is_set = false;
  char title[64] = {};        // of the capture
  FrameRange frames;          // not valid: a stretch of time
  bool lacks_frames = false;  // its capture has none
  int64_t duration_ns = 0;
  int64_t frames_ns = 0;  // without what is between them
  uint64_t left_out = 0;  // calls

  uint64_t frame_count() const { return frames.valid ? frames.last - frames.first + 1 : 0; }
};

enum class CompareBy : uint32_t { kSelf, kTotal, kCalls };
// What rows are sorted by. kChange and kPercent are of what is compared by; the columns of a side choose that.
enum class CompareColumn : uint32_t { kChange, kPercent, kSelfA, kSelfB, kTotalA, kTotalB, kCallsA, kCallsB, kPath };

class ComparedPaths {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void carve(Carver* carver, uint32_t max_paths, uint32_t max_scopes);

  // Begins to read the next side: A if none is set, or both are, which forgets them; else B.
  // `reader` is for this comparison alone until reading() is false; then it is empty.
  void set_next(const flamelet_capture* capture, TimeWindow range, FrameRange frames, std::string_view title,
                RangePaths* reader);
  void clear();
  // The capture goes: a side that is being read is not set.
  void stop_reading();
  // Goes on reading about `max_zones` spans, with `scratch` for spans. True when a side is there.
  bool step(uint32_t max_zones, Array<flamelet_span>* scratch);

  const ComparedSide& side(uint32_t side) const { return sides_[side]; }
  bool reading() const { return reading_ != kNone; }
  bool complete() const { return sides_[0].is_set && sides_[1].is_set; }
  uint64_t left_out() const { return flamelet_compare_left_out(compare_); }
  // Two sides are rarely equally long. So figures are those of a mean frame, or of a second where a side is not of frames.
  bool per_frame() const { return sides_[0].frames.valid && sides_[1].frames.valid; }

  // ---- Paths, by their numbers in the comparison

  uint32_t path_count() const { return static_cast<uint32_t>(flamelet_compare_count(compare_)); }
  flamelet_compared_path path(uint32_t number) const;
  // B - A, of what is compared by.
  double change_of(const flamelet_compared_path& path) const;
  // The change as a part of A; infinite if it is new, 0 if there is nothing on either side.
  double ratio_of(const flamelet_compared_path& path) const;
  double most_change() const { return most_change_; }

  // Changes are sorted by their size, whichever way they go.
  void sort_by(CompareColumn column, bool descending);
  // Rows are the paths whose last scope matches.
  void filter_by(const char (&text)[sizeof Filter::text]);
  CompareColumn column() const { return column_; }
  bool descending() const { return descending_; }
  CompareBy by() const { return by_; }
  const Array<uint32_t>& rows() const { return rows_; }

  // B's paths in pre-order, for layout_flame(): `id` is the path's number.
  const Array<PathNode>& nodes() const { return nodes_; }
  uint64_t total() const { return total_; }

  const ScopeHistograms& histograms() const { return histograms_; }

 private:
  bool read_durations(uint32_t max_zones, Array<flamelet_span>* scratch);
  void finish();
  void list_nodes();
  double sort_value(const flamelet_compared_path& path) const;
  // How many frames or seconds the side has.
  double divisor(uint32_t side) const;

  Array<char> memory_;
  flamelet_compare* compare_ = nullptr;
  ComparedSide sides_[2];
  RangePaths* reader_ = nullptr;  // while a side is read
  ScopeHistograms histograms_;

  // The side that is read.
  uint32_t reading_ = kNone;
  const flamelet_capture* capture_ = nullptr;
  bool paths_read_ = false;
  size_t lane_ = 0;
  int64_t read_until_ns_ = 0;

  CompareBy by_ = CompareBy::kSelf;
  CompareColumn column_ = CompareColumn::kChange;
  bool descending_ = true;
  char filter_[sizeof Filter::text] = {};
  double most_change_ = 0;
  Array<uint32_t> rows_;
  Array<PathNode> nodes_;
  Array<uint32_t> first_child_, next_sibling_;
  uint64_t total_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PATH_TREE_H

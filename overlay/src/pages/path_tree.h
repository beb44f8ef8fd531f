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

#include "content/memory.h"
#include "draw/scope_styles.h"
#include "flamelet/span_tree.h"
#include "lanes/lane_rows.h"

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PATH_TREE_H

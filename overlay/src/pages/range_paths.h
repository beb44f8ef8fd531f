// SPDX-License-Identifier: MIT
//
// range_paths.h: the call tree of the spans in a range of time. As with range_statistics.h, a reading goes on over
// several frames, and what is shown meanwhile is the one before. The range is read in slices of time that are made
// shorter or longer until one takes a small part of a frame's share: windows that touch add up to one, so it does not
// matter where they are cut.
#ifndef FLAMELET_OVERLAY_SRC_RANGE_PATHS_H
#define FLAMELET_OVERLAY_SRC_RANGE_PATHS_H

#include "content/memory.h"
#include "flamelet/span_tree.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RANGE_PATHS_H

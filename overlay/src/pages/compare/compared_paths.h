// SPDX-License-Identifier: MIT
//
// compared_paths.h: two ranges of time, A and B, compared call path by call path (flamelet/compare.h), as `flamelet diff`
// does. A side is read when it is set, over several frames of the overlay, and is kept as figures: the frames behind it may
// be overwritten, and its capture may go. So A and B may be ranges of one run, a run and a file, or two files.
#ifndef FLAMELET_OVERLAY_SRC_COMPARED_PATHS_H
#define FLAMELET_OVERLAY_SRC_COMPARED_PATHS_H

#include <string_view>

#include "content/memory.h"
#include "draw/text.h"
#include "flamelet/compare.h"
#include "lanes/viewport.h"
#include "pages/path_tree.h"

namespace flamelet::ui {

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
  double most_change_ = 0;
  Array<uint32_t> rows_;
  Array<PathNode> nodes_;
  Array<uint32_t> first_child_, next_sibling_;
  uint64_t total_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COMPARED_PATHS_H

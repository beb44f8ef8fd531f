// SPDX-License-Identifier: MIT
//
// baseline.h: what the critical paths of earlier frames spent where: the newest frames that were read, in two rings.
#ifndef FLAMELET_EXPLAIN_SRC_BASELINE_H
#define FLAMELET_EXPLAIN_SRC_BASELINE_H

#include "critical_path.h"

namespace flamelet::explain {

struct KnownFrame {
  uint64_t index;
  int64_t duration_ns;
  uint64_t first_sample;
  uint32_t sample_count;
  bool is_whole;     // neither partial nor lossy, and with room for all of it
  uint32_t version;  // of what was known of who wakes whom
};

struct Sample {
  float total_ns, self_ns;          // as exact as a scatter needs
  float total_off_ns, self_off_ns;  // of these, its thread was taken off its processor
  uint32_t path, calls;
};

// The middle of some numbers, and how far they are from it: the median of the distances, as a standard deviation. Of 50 at least:
// what 98 % of them do not exceed.
struct Usual {
  double middle;
  double spread;
  double nearly_all = 0;
};
Usual usual_of(double* values, uint32_t count);

class Baseline {
 public:
  void lay_out(Carver* carver, const flamelet_explain_config& config);
  void clear();

  void add(const flamelet_frame_info& frame, bool is_whole, const CriticalPath& path);
  const KnownFrame* find(uint64_t index) const;
  // It will be read again.
  void forget(uint64_t index);

  // Picks those that the next questions are about: the whole frames in [first_index, end_index) but one. Returns how many
  // they are.
  uint32_t pick(uint64_t first_index, uint64_t end_index, uint64_t but_index);
  // Where every second one is much shorter, as if two places marked frames in turn, only those that are as this one stay.
  bool pick_every_second(uint64_t index, uint32_t* count);
  // How many frames there are from the first of these on.
  uint64_t range_before(uint64_t end_index) const;
  Usual durations();
  // Of the picked frames, the index of the one that is so many before the newest.
  uint64_t picked(uint32_t back) const { return frames_[picked_[picked_count_ - 1 - back]].index; }
  // How many of them have a path, and whether that one has.
  uint32_t seen(uint32_t path) const;
  bool has(uint32_t back, uint32_t path) const {
    const Sample* const sample = find(frames_[picked_[picked_count_ - 1 - back]], path);
    return sample != nullptr && sample->total_ns > 0;
  }
  // What a path took in that frame, its own time or in all, while its thread was not taken off its processor.
  double time_in(uint32_t back, uint32_t path, bool is_own) const;
  double* values() { return values_; }  // room for 6 frames a baseline frame
  // 98 % of them take no longer; of fewer than 50, all.
  int64_t nearly_all() { return duration_above(picked_count_ / 50); }
  // A frame that takes longer is unusual: by more than the scatter, and by more than nobody would ask about. Where frames
  // scatter much, also one that is longer than nearly all of them, and takes half as long again as most.
  int64_t longest_usual(const Usual& durations, int64_t nearly_all_ns);
  struct PathUsual {
    Usual total, self, calls;
    Usual total_on, self_on;  // but for the time for which its thread was taken off its processor
    uint32_t seen;            // frames
  };
  PathUsual of(uint32_t path);
  // How much more of its own time it takes in the newest quarter of them than in the oldest.
  int64_t growth_of(uint32_t path);
  // What it usually takes in the frames that have it; 0: none has.
  int64_t usual_where_seen(uint32_t path);
  // How many calls it usually makes, of whatever.
  double calls_inside(uint32_t path, const PathTable& paths);

 private:
  const Sample* find(const KnownFrame& frame, uint32_t path) const;
  Usual durations_of(uint64_t parity, uint32_t* count);
  // Of the picked frames, the one that so many are longer than.
  int64_t duration_above(uint32_t longer);

  KnownFrame* frames_ = nullptr;
  uint64_t first_ = 0, end_ = 0;
  uint32_t max_frames_ = 0;
  Sample* samples_ = nullptr;
  uint64_t end_sample_ = 0;
  uint32_t max_samples_ = 0;
  uint32_t* picked_ = nullptr;
  uint32_t picked_count_ = 0;
  double* values_ = nullptr;  // three columns
  bool knows_off_ = false;    // a thread was taken off in one of its frames
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_BASELINE_H

// SPDX-License-Identifier: MIT
//
// scope_instances.h: every call of one scope in a range of time, with what it can be grouped by; and what it called.
//
// The range is read from its end to its begin, a piece in each frame of the overlay, so that the newest calls are there
// first. It may grow at its end. A call stands in the piece in which it ended; one that goes on behind a range that does
// not grow counts, too.
//
// When full: the newest calls are kept, to within a piece, and complete() is false.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_INSTANCES_H
#define FLAMELET_OVERLAY_SRC_SCOPE_INSTANCES_H

#include "content/scope_groups.h"
#include "content/scope_key.h"
#include "lanes/lane_rows.h"
#include "pages/scope/call_choice.h"

namespace flamelet::ui {

struct ScopeInstance {
  static constexpr uint64_t kNoCaller = UINT64_MAX - 1;

  int64_t begin_ns;
  int64_t end_ns;
  uint64_t caller;  // ScopeKey::bits(), or kNoCaller
  uint32_t lane;    // of the capture
  uint32_t object;  // flamelet_capture_string(); 0 = none

  int64_t duration_ns() const { return end_ns - begin_ns; }
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
  void push(const ScopeInstance& instance, bool forward);

  const flamelet_capture* capture_ = nullptr;
  ScopeKey scope_;
  TimeWindow range_;
  TimeWindow read_;
  bool grows_ = false;
  bool on_gpu_ = false;
  CallChoice callers_;
  int64_t piece_ns_ = 0;
  Array<ScopeInstance> ring_;
  uint32_t first_ = 0, count_ = 0;
  uint64_t dropped_ = 0;
  uint64_t version_ = 0;
  ScopeGroups callees_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_INSTANCES_H

// SPDX-License-Identifier: MIT
//
// task_graph.h: frames of random work on several lanes whose critical path is known, because it is what they are made
// from: each stretch of it is put where it belongs, and written down.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "flamelet/explain.h"
#include "flamelet/scope.h"
#include "support/building.h"

namespace explain_test {

// A stretch of the critical path. Neighbours that are alike are one.
struct Stretch {
  int64_t begin_ns, end_ns;
  uint32_t lane;
  uint32_t name;  // of the innermost scope; 0 = none
  bool waits;

  bool is_like(const Stretch& other) const { return lane == other.lane && name == other.name && waits == other.waits; }
  bool operator==(const Stretch& other) const {
    return begin_ns == other.begin_ns && end_ns == other.end_ns && is_like(other);
  }
};

inline void append(std::vector<Stretch>* path, const Stretch& next) {
  if (next.begin_ns == next.end_ns) return;
  if (!path->empty() && path->back().is_like(next) && path->back().end_ns == next.begin_ns)
    path->back().end_ns = next.end_ns;
  else
    path->push_back(next);
}

class TaskGraph {
 public:
  TaskGraph(uint32_t seed, uint32_t workers, uint32_t queues) : random_(seed) {
    for (uint32_t i = 0; i < 1 + workers + queues; ++i) {
      const flamelet_lane_kind kind = i <= workers ? FLAMELET_LANE_THREAD : FLAMELET_LANE_GPU;
      lanes_.push_back(flamelet_capture_builder_span_lane(building_.builder, kind, 0,
                                                          building_.string("lane " + std::to_string(i)), true));
      free_ns_.push_back(0);
    }
    for (uint32_t i = 0; i < 12; ++i) work_.push_back(building_.site("work " + std::to_string(i)));
    for (uint32_t i = 0; i < 4; ++i)
      waits_.push_back(building_.site("wait " + std::to_string(i), FLAMELET_WAIT_CATEGORY));
  }

  // Adds the next frame, and returns its critical path.
  std::vector<Stretch> add_frame() {
    const int64_t begin_ns = now_ns_;
    now_ns_ += 1 + below(4000);
    std::vector<Stretch> path;
    fill(kMain, begin_ns, now_ns_, kNoScope, 0, &path);
    flamelet_capture_builder_frame(building_.builder, ++frames_, begin_ns, now_ns_, 0);
    return path;
  }

  flamelet_capture* finish() { return building_.finish(); }

 private:
  static constexpr uint32_t kMain = 0;
  static constexpr uint32_t kNoScope = 0;
  static constexpr int kDeepest = 6;

  int64_t below(int64_t bound) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(bound)); }
  uint32_t name_of(const std::vector<uint32_t>& sites, size_t which) {
    return building_.string((&sites == &work_ ? "work " : "wait ") + std::to_string(which));
  }

  // What a lane does from one time to another: its own time in `scope`, scopes in it, waits.
  void fill(uint32_t lane, int64_t begin_ns, int64_t end_ns, uint32_t scope, int depth, std::vector<Stretch>* path) {
    while (begin_ns < end_ns) {
      const int64_t until_ns = begin_ns + 1 + below(end_ns - begin_ns);
      const int64_t what = depth >= kDeepest ? 0 : below(4);
      if (what == 0)
        append(path, {begin_ns, until_ns, lane, scope, false});
      else if (what == 1)
        wait(lane, begin_ns, until_ns, depth + 1, path);
      else
        work(lane, begin_ns, until_ns, depth + 1, path);
      begin_ns = until_ns;
    }
  }

  void work(uint32_t lane, int64_t begin_ns, int64_t end_ns, int depth, std::vector<Stretch>* path) {
    const size_t which = static_cast<size_t>(below(static_cast<int64_t>(work_.size())));
    building_.span(lanes_[lane], begin_ns, end_ns, work_[which]);
    fill(lane, begin_ns, end_ns, name_of(work_, which), depth, path);
  }

  void wait(uint32_t lane, int64_t begin_ns, int64_t end_ns, int depth, std::vector<Stretch>* path) {
    const size_t which = static_cast<size_t>(below(static_cast<int64_t>(waits_.size())));
    building_.span(lanes_[lane], begin_ns, end_ns, waits_[which]);
    const uint32_t name = name_of(waits_, which);
    const int64_t done_ns = begin_ns + 1 + below(end_ns - begin_ns);
    std::vector<Stretch> others;
    const Worker worker = below(5) == 0 ? Worker{kMain, 0} : let_work(lane, begin_ns, done_ns, depth, &others);
    if (worker.lane == kMain) return append(path, {begin_ns, end_ns, lane, name, true});
    flow(worker.lane, done_ns, lane, done_ns + below(end_ns - done_ns + 1));
    // One that was done earlier does not matter.
    const int64_t early_ns = begin_ns + below(done_ns - begin_ns);
    if (worker.since_ns == begin_ns && below(3) == 0) flow(other_lane(lane), early_ns, lane, end_ns);
    append(path, {begin_ns, worker.since_ns, lane, name, true});
    for (const Stretch& stretch : others) append(path, stretch);
    append(path, {done_ns, end_ns, lane, name, true});
  }

  // Somebody who works for another lane, and the time since when the path is known from there.
  struct Worker {
    uint32_t lane;  // kMain: nobody is free
    int64_t since_ns;
  };
  // Somebody works until `done_ns`, at least for a part of the time since `begin_ns`.
  Worker let_work(uint32_t but_lane, int64_t begin_ns, int64_t done_ns, int depth, std::vector<Stretch>* path) {
    const uint32_t lane = free_lane(but_lane, begin_ns);
    if (lane == kMain || depth >= kDeepest) return {kMain, 0};
    const int64_t job_ns = below(2) == 0 ? begin_ns : begin_ns + below(done_ns - begin_ns);
    free_ns_[lane] = done_ns + 1;  // from here on: the lanes of those for whom it waits are others
    int64_t from_ns = job_ns;
    if (job_ns > begin_ns && below(2) == 0) {
      // Somebody gave it the work after `begin_ns`, and had something to do until then.
      const int64_t given_ns = begin_ns + 1 + below(job_ns - begin_ns);
      std::vector<Stretch> others;
      const Worker giver = let_work(lane, begin_ns, given_ns, depth + 1, &others);
      if (giver.lane != kMain) {
        flow(giver.lane, given_ns, lane, job_ns);
        for (const Stretch& stretch : others) append(path, stretch);
        append(path, {given_ns, job_ns, lane, kNoScope, false});
        from_ns = giver.since_ns;
      }
    }
    const size_t which = static_cast<size_t>(below(static_cast<int64_t>(work_.size())));
    const int64_t before_ns = from_ns == begin_ns && job_ns == begin_ns ? below(3) : 0;
    building_.span(lanes_[lane], job_ns - before_ns, done_ns, work_[which]);
    fill(lane, job_ns, done_ns, name_of(work_, which), depth + 1, path);
    return {lane, from_ns};
  }

  uint32_t free_lane(uint32_t but_lane, int64_t begin_ns) {
    const auto count = static_cast<uint32_t>(lanes_.size());
    const auto first = static_cast<uint32_t>(below(count));
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t lane = (first + i) % count;
      if (lane != kMain && lane != but_lane && free_ns_[lane] + 4 < begin_ns) return lane;
    }
    return kMain;
  }
  uint32_t other_lane(uint32_t lane) { return lane + 1 < lanes_.size() ? lane + 1 : 1; }

  void flow(uint32_t from_lane, int64_t from_ns, uint32_t to_lane, int64_t to_ns) {
    flamelet_capture_builder_flow(building_.builder, lanes_[from_lane], from_ns, ++flows_, false);
    flamelet_capture_builder_flow(building_.builder, lanes_[to_lane], to_ns, flows_, true);
  }

  std::mt19937 random_;
  recorder_test::Building building_;
  std::vector<uint32_t> lanes_, work_, waits_;
  std::vector<int64_t> free_ns_;
  int64_t now_ns_ = 1000;
  uint64_t frames_ = 0, flows_ = 0;
};

}  // namespace explain_test

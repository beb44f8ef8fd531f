// SPDX-License-Identifier: MIT
#include "content/gpu_frames.h"

#include <algorithm>

#include "content/range_statistics.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostPending = 512;

// The begin of the frame that lies `frames` before the one at this time.
int64_t frames_before(const flamelet_capture* capture, int64_t time_ns, uint32_t frames) {
  const size_t count = flamelet_capture_frame_count(capture);
  size_t position = flamelet_capture_frame_at(capture, time_ns);
  if (position == SIZE_MAX) position = count;  // in the frame that is not complete yet
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position > frames ? position - frames : 0, &frame)) return time_ns;
  return std::min(frame.begin_ns, time_ns);
}

uint64_t frame_index_at(const flamelet_capture* capture, int64_t time_ns) {
  flamelet_frame_info frame;
  return flamelet_capture_frame(capture, flamelet_capture_frame_at(capture, time_ns), &frame) ? frame.index
                                                                                              : UINT64_MAX;
}

}  // namespace

void GpuFrames::carve(Carver* carver, uint32_t max_frames) {
  carver->take(&frames_, max_frames);
  carver->take(&pending_, kMostPending);
}

void GpuFrames::reset() {
  frames_.count = frames_.capacity;
  for (GpuFrame& frame : frames_) frame = GpuFrame();
  pending_.clear();
  queue_count_ = 0;
  newest_frame_ = UINT64_MAX;
  submitting_lane_ = 0;
}

void GpuFrames::update(const flamelet_capture* capture, Array<flamelet_span>* scratch) {
  // Of a capture that was just opened, everything is new: then in stretches of time whose work of all queues finds room.
  for (int64_t before_ns = INT64_MAX;;) {
    const bool fits = collect(capture, before_ns, scratch);
    if (pending_.empty() && before_ns == INT64_MAX) return;
    const auto by_begin = [](const Pending& a, const Pending& b) { return a.begin_ns < b.begin_ns; };
    std::sort(pending_.begin(), pending_.end(), by_begin);
    if (!fits) {
      const int64_t first_ns = pending_[0].begin_ns;
      const int64_t last_ns = std::min(before_ns, pending_[pending_.count - 1].begin_ns + 1);
      before_ns = first_ns + (last_ns - first_ns) / 2;
      if (before_ns > first_ns) continue;
    }
    for (uint32_t i = 0; i < queue_count_; ++i) queues_[i].done_ns = queues_[i].reached_ns;
    resolve(capture, scratch);
    std::sort(pending_.begin(), pending_.end(), by_begin);
    for (const Pending& work : pending_) add(capture, work);
    if (before_ns == INT64_MAX) return;
    before_ns = INT64_MAX;
  }
}

// What is new and lies in an outermost span that began before then. False: it is more than finds room.
bool GpuFrames::collect(const flamelet_capture* capture, int64_t before_ns, Array<flamelet_span>* scratch) {
  pending_.clear();
  for (uint32_t i = 0; i < queue_count_; ++i) queues_[i].reached_ns = queues_[i].done_ns;
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_GPU) continue;
    const auto find = [&](uint32_t id) {
      return std::find_if(queues_, queues_ + queue_count_, [id](const Queue& q) { return q.id == id; });
    };
    Queue* queue = find(info.id);
    if (queue == queues_ + queue_count_) {
      if (queue_count_ == kMostQueues) continue;
      flamelet_lane_info first;
      const bool is_beside = flamelet_capture_lane(capture, flamelet_capture_lane_beside(capture, lane), &first);
      *queue = {info.id, is_beside ? first.id : info.id, INT64_MIN, INT64_MIN, INT64_MIN, {}};
      for (Queue::Counted& counted : queue->counted) counted.end_ns = INT64_MIN;
      ++queue_count_;
    }
    const Queue* const own = find(queue->of);
    const auto number = static_cast<uint32_t>((own != queues_ + queue_count_ ? own : queue) - queues_);
    const int64_t done_ns = queue->done_ns;
    bool fits = true, is_new = false;
    visit_spans(capture, lane, {done_ns, before_ns}, scratch, [&](const flamelet_span& span) {
      if (span.depth == 0) {
        if (span.begin_ns >= before_ns) return false;
        is_new = span.end_ns > done_ns && (span.flags & FLAMELET_SPAN_OPEN) == 0;
        if (is_new) queue->reached_ns = std::max(queue->reached_ns, span.end_ns);
      }
      // Also what lies in another: that may be of an earlier frame.
      if (!is_new || span.id == 0) return true;
      fits = pending_.push({span.id, span.begin_ns, span.end_ns, INT64_MIN, number});
      return fits;
    });
    if (!fits) return false;
  }
  return true;
}

void GpuFrames::resolve(const flamelet_capture* capture, Array<flamelet_span>* scratch) {
  std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) { return a.id < b.id; });
  int64_t begin_ns = INT64_MAX;
  int64_t end_ns = INT64_MIN;
  for (const Pending& work : pending_) {
    begin_ns = std::min(begin_ns, work.begin_ns);
    end_ns = std::max(end_ns, work.begin_ns);
  }
  begin_ns = frames_before(capture, begin_ns, kMostLag);
  uint32_t unresolved = pending_.count;
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t i = 0; i < lanes && unresolved != 0; ++i) {
    const size_t lane = (submitting_lane_ + i) % lanes;
    flamelet_lane_info info;
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) continue;
    visit_spans(capture, lane, {begin_ns, end_ns}, scratch, [&](const flamelet_span& span) {
      Pending* work = std::lower_bound(pending_.begin(), pending_.end(), span.id,
                                       [](const Pending& p, flamelet_id id) { return p.id < id; });
      for (; work != pending_.end() && work->id == span.id && unresolved != 0; ++work) {
        if (work->submitted_ns != INT64_MIN) continue;
        work->submitted_ns = span.begin_ns;
        submitting_lane_ = lane;
        --unresolved;
      }
      return unresolved != 0;
    });
  }
}

void GpuFrames::add(const flamelet_capture* capture, const Pending& work) {
  if (work.submitted_ns == INT64_MIN) return;
  const size_t position = flamelet_capture_frame_at(capture, work.submitted_ns);
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame)) return;
  GpuFrame& gpu = frames_[static_cast<uint32_t>(frame.index % frames_.capacity)];
  if (gpu.index != frame.index) {
    gpu = GpuFrame();
    gpu.index = frame.index;
    const size_t began = flamelet_capture_frame_at(capture, work.begin_ns);
    const size_t reached = began != SIZE_MAX ? began : flamelet_capture_frame_count(capture);
    gpu.lag = reached > position ? static_cast<uint32_t>(reached - position) : 0;
  }
  // Once for each frame: what two of them did at the same time is work of both.
  Queue& queue = queues_[work.queue];
  Queue::Counted& counted = queue.counted[frame.index % (kMostLag + 2)];
  if (counted.frame != frame.index) counted = {frame.index, INT64_MIN};
  const auto behind = [&work](int64_t* end_ns) {
    const int64_t begin_ns = std::max(work.begin_ns, *end_ns);
    *end_ns = std::max(*end_ns, work.end_ns);
    return std::max<int64_t>(work.end_ns - begin_ns, 0);
  };
  gpu.busy_ns += behind(&counted.end_ns);
  gpu.share_ns += static_cast<float>(behind(&queue.counted_ns));
  if (newest_frame_ == UINT64_MAX || frame.index > newest_frame_) newest_frame_ = frame.index;
}

bool GpuFrames::find(uint64_t frame, GpuFrame* gpu) const {
  *gpu = frames_[static_cast<uint32_t>(frame % frames_.capacity)];
  return gpu->index == frame;
}

bool find_submitting_scope(const flamelet_capture* capture, flamelet_id id, int64_t before_ns,
                           Array<flamelet_span>* scratch, ScopePlace* place) {
  if (id == 0) return false;
  const int64_t begin_ns = frames_before(capture, before_ns, GpuFrames::kMostLag);
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) continue;
    bool found = false;
    visit_spans(capture, lane, {begin_ns, before_ns}, scratch, [&](const flamelet_span& span) {
      found = span.id == id;
      if (found)
        *place = {static_cast<uint32_t>(lane), span.begin_ns, span.depth, frame_index_at(capture, span.begin_ns)};
      return !found;
    });
    if (found) return true;
  }
  return false;
}

}  // namespace flamelet::ui

// SPDX-License-Identifier: MIT
//
// capture_processors.cpp: who ran on each processor, from the switches of all threads in one walk.
#include "capture/capture_data.h"

namespace flamelet {
namespace {

// In the place of a thread's id; the recorder gives low numbers.
constexpr uint32_t kNobody = UINT32_MAX;      // that is known of
constexpr uint32_t kOthers = UINT32_MAX - 1;  // a thread of this program waits for them

class ProcessorWalk {
 public:
  ProcessorWalk(const flamelet_capture& capture, const Window& window, flamelet_processor_cursor* cursor)
      : capture_(capture), table_(capture.switches), window_(window), cursor_(*cursor) {}

  bool run() {
    if (!cursor_.has_begun_) start();
    cursor_.count = 0;
    for (; cursor_.next_ != table_.end() && table_[cursor_.next_].ticks < window_.end; ++cursor_.next_) {
      if (!has_room()) return true;
      take(table_[cursor_.next_]);
    }
    if (has_room()) end_all(window_.end < capture_.newest_ticks ? window_.end : capture_.newest_ticks);
    return cursor_.count != 0;
  }

 private:
  bool has_room() const { return cursor_.capacity_ - cursor_.count >= FLAMELET_MAX_PROCESSORS; }

  // What each thread did when the window began says it of the processors.
  void start() {
    cursor_.next_ = table_.first_at(window_.begin);
    for (uint32_t i = 0; i < FLAMELET_MAX_PROCESSORS; ++i) {
      cursor_.since_[i] = 0;
      cursor_.thread_[i] = kNobody;
      cursor_.waiting_[i] = 0;
    }
    for (uint32_t i = 0; i < capture_.lanes.count(); ++i) {
      const Switch* before = table_.before(capture_.lanes[i].switches, cursor_.next_);
      if (before == nullptr || before->event.processor >= FLAMELET_MAX_PROCESSORS) continue;
      const uint32_t at = before->event.processor;
      cursor_.waiting_[at] += before->event.what == kSwitchTakenOff;
      if (before->ticks < cursor_.since_[at]) continue;
      cursor_.since_[at] = before->ticks;
      cursor_.thread_[at] = before->event.what == kSwitchIn ? before->event.thread : kNobody;
    }
    for (uint32_t i = 0; i < FLAMELET_MAX_PROCESSORS; ++i)
      if (cursor_.thread_[i] == kNobody && cursor_.waiting_[i] != 0) cursor_.thread_[i] = kOthers;
  }

  void take(const Switch& at) {
    if (at.event.what == kSwitchLost) return forget_all(at.ticks);
    if (at.event.processor >= FLAMELET_MAX_PROCESSORS) return;
    const uint32_t processor = at.event.processor;
    if (at.event.what == kSwitchIn) {
      stop_waiting(at);
      end(processor, at.ticks);
      return begin(processor, at.ticks, at.event.thread);
    }
    const bool sleeps = at.event.what == kSwitchAsleep;
    end(processor, at.ticks, sleeps ? FLAMELET_STATE_ASLEEP : FLAMELET_STATE_TAKEN_OFF);
    // Without a lane it cannot be seen where it goes on.
    if (!sleeps && at.event.thread != 0) ++cursor_.waiting_[processor];
    begin(processor, at.ticks, cursor_.waiting_[processor] != 0 ? kOthers : kNobody);
  }

  // Where the thread waited until now. If it was the last one there, nothing is known any more of those who ran instead.
  void stop_waiting(const Switch& at) {
    const uint32_t lane = lane_of_runner(capture_, at.event.thread);
    if (lane == FLAMELET_BY_UNKNOWN) return;
    const SwitchList& list = capture_.lanes[lane].switches;
    const SwitchId id = table_.previous(cursor_.next_);
    const Switch* before = id != 0 ? &table_[id] : list.has_before ? &list.before : nullptr;
    if (before == nullptr || before->event.what != kSwitchTakenOff) return;
    const uint32_t processor = before->event.processor;
    if (processor >= FLAMELET_MAX_PROCESSORS || cursor_.waiting_[processor] == 0) return;
    if (--cursor_.waiting_[processor] != 0 || cursor_.thread_[processor] != kOthers) return;
    end(processor, at.ticks);
    begin(processor, at.ticks, kNobody);
  }

  void begin(uint32_t processor, uint64_t ticks, uint32_t thread) {
    cursor_.since_[processor] = ticks;
    cursor_.thread_[processor] = thread;
  }

  void end(uint32_t processor, uint64_t ticks, flamelet_state_kind left = FLAMELET_STATE_UNKNOWN) {
    const uint32_t thread = cursor_.thread_[processor];
    uint64_t since = cursor_.since_[processor];
    if (thread == kNobody || (thread == kOthers && ticks - since <= switch_ticks(capture_))) return;
    if (thread == kOthers) left = FLAMELET_STATE_UNKNOWN;
    if (since < window_.begin) since = window_.begin;
    if (ticks <= since) return;
    const TickConverter& converter = capture_.converter;
    const uint32_t by = thread == kOthers ? FLAMELET_BY_OTHERS : lane_of_runner(capture_, thread);
    cursor_.runs[cursor_.count++] = {converter.to_ns(since), converter.to_ns(ticks), processor, by, left};
  }

  void end_all(uint64_t ticks) {
    for (uint32_t i = 0; i < FLAMELET_MAX_PROCESSORS; ++i) {
      end(i, ticks);
      cursor_.thread_[i] = kNobody;
    }
  }

  void forget_all(uint64_t ticks) {
    end_all(ticks);
    memset(cursor_.waiting_, 0, sizeof cursor_.waiting_);
  }

  const flamelet_capture& capture_;
  const SwitchTable& table_;
  const Window& window_;
  flamelet_processor_cursor& cursor_;
};

}  // namespace

bool next_processor_runs(const Window& window, flamelet_processor_cursor* cursor) {
  return ProcessorWalk(*cursor->capture_, window, cursor).run();
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// capture_states.cpp: the states of a thread, from its switches. Each switch begins a state that lasts until the next one. It
// is believed only if the two fit together, and if no switch is missing in between.
#include "capture/capture_data.h"

namespace flamelet {
namespace {

struct ThreadState {
  uint64_t begin, end;
  flamelet_state_kind kind;
  uint32_t processor;
  uint32_t by;
};

// Calls visit(state) for the states of a lane that have time after `from` and begin before `until`, until it returns false.
template <bool kWithOwners, class Visit>
class StateWalk {
 public:
  StateWalk(const flamelet_capture& capture, const Lane& lane, uint64_t from, uint64_t until, Visit visit)
      : capture_(capture),
        table_(capture.switches),
        list_(lane.switches),
        from_(from),
        until_(until),
        visit_(visit),
        switch_ticks_(switch_ticks(capture)) {}

  void run() {
    SwitchId next = table_.first_after(list_, from_);
    SwitchId id = next != 0 ? table_.previous(next) : table_.holds(list_.newest) ? list_.newest : 0;
    const Switch* at = nullptr;
    if (id != 0) {
      at = &table_[id];
    } else if (list_.has_before) {
      at = &list_.before;
      emit({from_, at->ticks, FLAMELET_STATE_UNKNOWN, 0, 0});  // if it was later
    }
    while (!is_over_) {
      between(at, id, next);
      if (next == 0) return;
      id = next;
      at = &table_[id];
      is_over_ = is_over_ || at->ticks >= until_;
      next = table_.next(id);
    }
  }

 private:
  // From one switch of the thread (NULL: it is not known; id 0: it is not held any more) to the next (0: there is none).
  void between(const Switch* at, SwitchId id, SwitchId next) {
    const uint64_t end = next != 0 ? table_[next].ticks : capture_.newest_ticks;
    uint64_t known = at == nullptr ? from_ : end;
    if (at != nullptr) {
      const bool runs = at->event.what == kSwitchIn;
      if (next != 0 && runs == (table_[next].event.what == kSwitchIn)) known = at->ticks;  // one is missing
      const uint64_t gap = gap_after(*at, id, next);
      if (gap < known) known = gap;
      emit_known(*at, id, known);
    }
    emit({known < from_ ? from_ : known, end, FLAMELET_STATE_UNKNOWN, 0, 0});
  }

  // Where switches are missing first; UINT64_MAX: none are.
  uint64_t gap_after(const Switch& at, SwitchId id, SwitchId next) const {
    const SwitchList& gaps = table_.gaps();
    if (id == 0 && gaps.has_before && gaps.before.ticks >= at.ticks) return gaps.before.ticks;
    const SwitchId gap = table_.first_from(gaps, id);
    return gap != 0 && (next == 0 || gap < next) ? table_[gap].ticks : UINT64_MAX;
  }

  void emit_known(const Switch& at, SwitchId id, uint64_t end) {
    const uint32_t processor = at.event.processor;
    switch (at.event.what) {
      case kSwitchIn:
        return emit({at.ticks, end, FLAMELET_STATE_RUNNING, processor, 0});
      case kSwitchAsleep:
        return emit({at.ticks, end, FLAMELET_STATE_ASLEEP, processor, 0});
      default:
        if (kWithOwners) return emit_taken_off(at, id, end);
        return emit({at.ticks, end, FLAMELET_STATE_TAKEN_OFF, processor, FLAMELET_BY_UNKNOWN});
    }
  }

  // In parts, by who ran on the processor. That of a switch belongs to the thread that comes.
  void emit_taken_off(const Switch& from, SwitchId id, uint64_t end) {
    ThreadState part = {from.ticks, end, FLAMELET_STATE_TAKEN_OFF, from.event.processor, FLAMELET_BY_OTHERS};
    uint64_t left = UINT64_MAX;  // when the one that it is by went
    const auto put = [&](uint64_t until) {
      part.end = until;
      emit(part);
      part.begin = until;
    };
    for (SwitchId i = id != 0 ? id + 1 : table_.first(); i != table_.end() && !is_over_; ++i) {
      const Switch& other = table_[i];
      if (other.ticks >= end) break;
      if (other.event.processor != part.processor) continue;
      if (other.event.what != kSwitchIn) {
        if (left == UINT64_MAX) left = other.ticks;
        continue;
      }
      if (part.by != FLAMELET_BY_OTHERS) put(left < other.ticks ? left : other.ticks);
      part.by = FLAMELET_BY_OTHERS;
      if (other.ticks - part.begin > switch_ticks_) put(other.ticks);
      part.by = lane_of_runner(capture_, other.event.thread);
      left = UINT64_MAX;
    }
    if (part.by != FLAMELET_BY_OTHERS && left < end && end - left > switch_ticks_) {
      put(left);
      part.by = FLAMELET_BY_OTHERS;
    }
    put(end);
  }

  void emit(const ThreadState& state) {
    if (is_over_ || state.end <= from_ || state.end <= state.begin) return;
    is_over_ = state.begin >= until_ || !visit_(state);
  }

  const flamelet_capture& capture_;
  const SwitchTable& table_;
  const SwitchList& list_;
  const uint64_t from_, until_;
  Visit visit_;
  const uint64_t switch_ticks_;
  bool is_over_ = false;
};

template <bool kWithOwners, class Visit>
void walk_states(const flamelet_capture& capture, const Lane& lane, uint64_t from, uint64_t until, Visit visit) {
  StateWalk<kWithOwners, Visit>(capture, lane, from, until, visit).run();
}

}  // namespace

uint32_t lane_of_runner(const flamelet_capture& capture, uint32_t thread) {
  const uint32_t lane = thread == 0 ? kNoLane : capture.lanes.find(thread, false);
  return lane == kNoLane ? FLAMELET_BY_UNKNOWN : lane;
}

bool next_states(const Window& window, flamelet_state_cursor* cursor) {
  const flamelet_capture& capture = *cursor->capture_;
  const TickConverter& converter = capture.converter;
  const uint64_t from = cursor->has_begun_ ? cursor->next_ticks_ : window.begin;
  cursor->count = 0;
  if (from >= window.end) return false;
  uint64_t end = UINT64_MAX;
  int64_t end_ns = 0;
  const auto take = [&](const ThreadState& state) {
    const int64_t begin_ns = state.begin == end ? end_ns : converter.to_ns(state.begin);
    end = state.end;
    end_ns = converter.to_ns(end);
    cursor->states[cursor->count++] = {begin_ns, end_ns, state.kind, state.processor, state.by};
    cursor->next_ticks_ = end;
    return cursor->count < cursor->capacity_;
  };
  const Lane& lane = *lane_at(&capture, cursor->lane_);
  if (cursor->without_owners)
    walk_states<false>(capture, lane, from, window.end, take);
  else
    walk_states<true>(capture, lane, from, window.end, take);
  return cursor->count != 0;
}

}  // namespace flamelet

using namespace flamelet;

bool flamelet_capture_state_times(const flamelet_capture* capture, size_t position, int64_t begin_ns, int64_t end_ns,
                                  flamelet_state_times* times) {
  if (times == nullptr) return false;
  *times = {};
  Window window;
  const Lane* lane = lane_at(capture, position);
  if (lane == nullptr || !make_window(*capture, begin_ns, end_ns, &window)) return false;
  if (begin_ns < -TickConverter::kMostNs) begin_ns = -TickConverter::kMostNs;
  if (end_ns > TickConverter::kMostNs) end_ns = TickConverter::kMostNs;
  int64_t rest = end_ns - begin_ns;
  walk_states<false>(*capture, *lane, window.begin, window.end, [&](const ThreadState& state) {
    const int64_t begin = capture->converter.to_ns(state.begin), end = capture->converter.to_ns(state.end);
    const int64_t ns = (end < end_ns ? end : end_ns) - (begin > begin_ns ? begin : begin_ns);
    if (state.kind == FLAMELET_STATE_UNKNOWN || ns <= 0) return true;
    times->ns[state.kind] += ns;
    rest -= ns;
    return true;
  });
  const bool is_known = rest != end_ns - begin_ns;
  times->ns[FLAMELET_STATE_UNKNOWN] = rest;
  return is_known;
}

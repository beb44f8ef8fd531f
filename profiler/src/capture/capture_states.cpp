// SPDX-License-Identifier: MIT
//
// capture_states.cpp: the states of a thread, from its switches. Each switch begins a state that lasts until the next one. It
// is believed only if the two fit together, and if no switch is missing in between.
#include "capture/capture_data.h"

#include "capture/capture_states.h"
#include "flamelet/detail/sums.h"

namespace flamelet {

// ---- capture switches

void SwitchTable::attach(Switch* switches, uint32_t capacity) {
  switches_ = switches;
  capacity_ = capacity;
  clear();
}

void SwitchTable::clear() {
  first_ = end_;  // the names go on, so that every old link is dead
  gaps_ = {};
}

void SwitchTable::append(SwitchId id, SwitchList* list) {
  Switch& added = switches_[id % capacity_];
  const SwitchId previous = list->newest;
  const uint64_t ordinal = list->count++;
  list->newest = id;
  if (!holds(previous)) return;
  switches_[previous % capacity_].to_next = added.to_previous = static_cast<uint32_t>(id - previous);
  // ordinal - 1 ends in as many ones as ordinal has zeros at the end; each jump clears one of them.
  SwitchId to = previous;
  for (uint64_t bits = ordinal - 1; to != 0 && (bits & 1) != 0; bits >>= 1) to = jump(to);
  added.to_jump = to == 0 ? 0 : static_cast<uint32_t>(id - to);
}

void SwitchTable::add(uint64_t ticks, const SwitchEvent& event, SwitchList* list) {
  const SwitchId id = end_++;
  switches_[id % capacity_] = {ticks, event, 0, 0, 0, 0};
  if (event.what == kSwitchLost) list = &gaps_;
  if (list != nullptr) append(id, list);
}

void SwitchTable::evict(SwitchList* list) {
  const Switch& oldest = (*this)[first_++];
  if (oldest.event.what == kSwitchLost) list = &gaps_;
  if (list == nullptr) return;
  list->before = oldest;
  list->has_before = true;
}

SwitchId SwitchTable::first_at(uint64_t ticks) const {
  return first_not(first_, end_, [&](SwitchId id) { return (*this)[id].ticks < ticks; });
}

SwitchId SwitchTable::first_after(const SwitchList& list, uint64_t ticks) const {
  return first_in_list(*this, list.newest, [&](SwitchId id) { return (*this)[id].ticks > ticks; });
}

SwitchId SwitchTable::first_from(const SwitchList& list, SwitchId from) const {
  return first_in_list(*this, list.newest, [&](SwitchId id) { return id >= from; });
}

const Switch* SwitchTable::before(const SwitchList& list, SwitchId place) const {
  const SwitchId next = first_from(list, place);
  const SwitchId id = next != 0 ? previous(next) : holds(list.newest) ? list.newest : 0;
  const Switch* found = id != 0 ? &(*this)[id] : list.has_before ? &list.before : nullptr;
  if (found == nullptr || (id == 0 && gaps_.has_before && gaps_.before.ticks >= found->ticks)) return nullptr;
  const SwitchId gap = first_from(gaps_, id);
  return gap != 0 && gap < place ? nullptr : found;
}

}  // namespace flamelet

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

namespace flamelet {

// Capture processors: who ran on each processor, from the switches of all threads in one walk.

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
      cursor_.waiting_[at] += before->event.what == kSwitchTakenOff &&
                              !leaves_again(table_.first_from(capture_.lanes[i].switches, cursor_.next_));
      // Of one moment, who was put on it counts: the one before had left.
      if (before->ticks < cursor_.since_[at] + (before->event.what != kSwitchIn)) continue;
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
    if (!sleeps && at.event.thread != 0 && !leaves_again(table_.next(cursor_.next_))) ++cursor_.waiting_[processor];
    begin(processor, at.ticks, cursor_.waiting_[processor] != 0 ? kOthers : kNobody);
  }

  // After a thread left, by its next switch: one between them is missing, and nothing is known of it up to there.
  bool leaves_again(SwitchId next) const { return next != 0 && table_[next].event.what != kSwitchIn; }

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
    const bool is_newest = since == capture_.newest_ticks;  // nobody knows yet how long it is
    if (since < window_.begin) since = window_.begin;
    if (ticks <= since && !is_newest) return;
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

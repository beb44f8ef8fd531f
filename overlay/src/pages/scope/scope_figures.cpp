// SPDX-License-Identifier: MIT
#include "pages/scope/scope_figures.h"

#include <math.h>
#include <algorithm>
#include <utility>

#include "content/gpu_frames.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/sums.h"
#include "hud/hud.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kFirstPieceNs = 1000000;
constexpr int64_t kLeastPieceNs = 1000;
constexpr int64_t kMostPieceNs = 10000000000;
constexpr int64_t kMostPieces = 1024;  // of a range in which hardly anything is
constexpr uint32_t kMostCallsInPieces = 1024;

// Different ids have different keys, and none of them is 0.
uint64_t key_of_id(uint64_t id) {
  const uint64_t key = spread_key(id + 1);
  return key ^ key >> 29;
}

// Of the calls of one thread, each piece of a call in pieces stands for itself.
int64_t chosen_ns(const SummaryChoice& choice, const ScopeInstance& instance) {
  return choice.calls.of == CallChoice::Of::kThread ? instance.piece_ns() : instance.call_ns;
}

void add_to(ScopeGroup* group, const ScopeGroup& calls) {
  group->count += calls.count;
  group->total_ns = add_saturating(group->total_ns, calls.total_ns);
  group->longest_ns = std::max(group->longest_ns, calls.longest_ns);
  group->durations_ns += calls.durations_ns;
}

}  // namespace

void ScopeInstances::carve(Carver* carver, uint32_t max_instances) {
  carver->take(&ring_, max_instances);
  calls_in_pieces_.carve(carver, std::min(max_instances, kMostCallsInPieces) + 8);
  callees_.carve(carver);
}

void ScopeInstances::clear() {
  capture_ = nullptr;
  range_ = read_ = TimeWindow();
  first_ = count_ = 0;
  first_number_ = 0;
  calls_in_pieces_.clear();
  dropped_ = 0;
  callees_.clear();
  ++version_;
}

void ScopeInstances::begin(const flamelet_capture* capture, ScopeKey scope, TimeWindow range, bool grows,
                           CallChoice callers, bool on_gpu) {
  clear();
  capture_ = capture;
  scope_ = scope;
  range_ = range;
  read_ = {range.end_ns, range.end_ns};
  grows_ = grows;
  on_gpu_ = on_gpu;
  callers_ = callers;
  piece_ns_ = kFirstPieceNs;
}

void ScopeInstances::extend(int64_t end_ns) {
  range_.end_ns = std::max(range_.end_ns, end_ns);
}

void ScopeInstances::step(Array<flamelet_span>* scratch, uint32_t max_zones) {
  if (capture_ == nullptr) return;
  const uint64_t share = std::max(max_zones / 8, 1u);
  const uint32_t lanes = static_cast<uint32_t>(flamelet_capture_lane_count(capture_));
  const int64_t most_ns = std::max(kMostPieceNs, range_.end_ns / kMostPieces - range_.begin_ns / kMostPieces);
  for (uint64_t zones = 0; zones < max_zones;) {
    const bool forward = !read_to_end();
    if (!forward && (read_to_begin() || !has_room())) {
      // What is older stays unread.
      if (!read_to_begin()) {
        range_.begin_ns = read_.begin_ns;
        ++dropped_;
      }
      return;
    }
    TimeWindow piece = read_;
    if (forward) {
      piece.begin_ns = read_.end_ns;
      piece.end_ns = std::min(read_.end_ns + piece_ns_, range_.end_ns);
    } else {
      piece.end_ns = read_.begin_ns;
      piece.begin_ns = std::max(read_.begin_ns - piece_ns_, range_.begin_ns);
    }
    uint64_t looked = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) looked += read_lane(lane, piece, forward, scratch);
    if (forward)
      read_.end_ns = piece.end_ns;
    else
      read_.begin_ns = piece.begin_ns;
    if (looked > share) piece_ns_ = std::max(piece_ns_ / 2, kLeastPieceNs);
    if (looked < share / 4) piece_ns_ = std::min(piece_ns_ * 2, most_ns);
    zones += looked + kZonesALane * lanes + 1;
  }
}

// Returns how many spans it has looked at.
uint64_t ScopeInstances::read_lane(uint32_t lane, TimeWindow piece, bool forward, Array<flamelet_span>* scratch) {
  flamelet_lane_info info;
  // A fiber's spans stand on the lanes of its threads, too.
  if (!flamelet_capture_lane(capture_, lane, &info) || info.kind == FLAMELET_LANE_FIBER) return 0;
  if (on_gpu_ != (info.kind == FLAMELET_LANE_GPU)) return 0;
  if (forward || piece.end_ns - piece.begin_ns == 1) return read_pieces(lane, piece, forward, scratch);
  // Backwards in windows that fit: the newest calls must come first, because those that find no room are left out.
  size_t found = 0;
  if (flamelet_capture_read_spans(capture_, lane, piece.begin_ns, piece.end_ns, scratch->data, scratch->capacity,
                                  &found) == FLAMELET_ERROR_BUFFER_TOO_SMALL) {
    const int64_t middle_ns = piece.begin_ns + (piece.end_ns - piece.begin_ns) / 2;
    const uint64_t late = read_lane(lane, {middle_ns, piece.end_ns}, false, scratch);
    return found + late + read_lane(lane, {piece.begin_ns, middle_ns}, false, scratch);
  }
  take_spans(scratch->data, 0, found, lane, piece, false);
  return found;
}

uint64_t ScopeInstances::read_pieces(uint32_t lane, TimeWindow piece, bool forward, Array<flamelet_span>* scratch) {
  uint64_t found = 0;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture_, lane, piece.begin_ns, piece.end_ns, scratch->data, scratch->capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    take_spans(cursor.spans, cursor.again, cursor.count, lane, piece, forward);
    found += cursor.count - cursor.again;
  }
  dropped_ += cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL;  // nested deeper than can be read
  return found;
}

void ScopeInstances::take_spans(const flamelet_span* spans, size_t first, size_t end, uint32_t lane, TimeWindow piece,
                                bool forward) {
  const bool takes_all = !grows_ && piece.end_ns >= range_.end_ns;
  for (size_t i = first; i < end; ++i) {
    // From the end that was read to: without room, the oldest go.
    const flamelet_span& span = spans[forward ? i : end - 1 - (i - first)];
    if (span.end_ns > piece.end_ns && !takes_all) continue;
    const flamelet_span* parent = span.parent < end ? &spans[span.parent] : nullptr;
    const ScopeKey caller = parent != nullptr ? key_of(*parent) : ScopeKey();
    const int64_t length_ns = std::max<int64_t>(span.end_ns - span.begin_ns, 0);
    const bool resumed = (span.flags & FLAMELET_SPAN_RESUMED) != 0;
    if (parent != nullptr && caller == scope_ && callers_.contains(lane, parent->object))
      callees_.add({key_of(span).bits(), resumed ? 0u : 1u, length_ns, length_ns, length_ns});
    if (key_of(span) != scope_ || was_cut_before(lane, span, piece.begin_ns)) continue;
    ScopeInstance call = {};
    call.begin_ns = span.begin_ns;
    call.end_ns = span.end_ns;
    call.call_ns = length_ns;
    call.caller = parent != nullptr ? caller.bits() : ScopeInstance::kNoCaller;
    call.lane = lane;
    call.object = span.object;
    call.has_begin = !resumed;
    for (uint32_t at = span.parent; at < end; at = spans[at].parent) {
      if (key_of(spans[at]) != scope_) continue;
      call.is_inner = true;
      call.is_inner_of_object = call.is_inner_of_object || spans[at].object == span.object;
    }
    push(call, forward, resumed || (span.flags & FLAMELET_SPAN_SUSPENDED) != 0 ? span.id : 0);
  }
}

// Spans that overlap in part are cut, if the one before is in the answer. In a piece that begins behind that one, such a span
// is whole again.
bool ScopeInstances::was_cut_before(uint32_t lane, const flamelet_span& span, int64_t begin_ns) const {
  if (span.begin_ns >= begin_ns) return false;
  flamelet_span spans[64];
  size_t found = 0;
  flamelet_capture_read_spans(capture_, lane, span.begin_ns, span.begin_ns + 1, spans, 64, &found);
  for (size_t i = 0; i < std::min<size_t>(found, 64); ++i)
    if (spans[i].begin_ns == span.begin_ns && spans[i].id == span.id && key_of(spans[i]) == scope_ &&
        (spans[i].flags & FLAMELET_SPAN_CUT) != 0 && spans[i].end_ns <= begin_ns)
      return true;
  return false;
}

void ScopeInstances::push(const ScopeInstance& instance, bool forward, flamelet_id in_pieces) {
  if (ring_.capacity == 0) return;
  ++version_;
  if (!has_room()) ++dropped_;
  if (!forward && !has_room()) return;
  if (!has_room()) {
    first_ = (first_ + 1) % ring_.capacity;
    ++first_number_;
    --count_;
  }
  if (!forward) {
    first_ = (first_ + ring_.capacity - 1) % ring_.capacity;
    --first_number_;
  }
  const uint32_t at = forward ? count_ : 0;
  ++count_;
  ScopeInstance& pushed = ring_[(first_ + at) % ring_.capacity];
  pushed = instance;
  if (in_pieces != 0) join(&pushed, first_number_ + at, in_pieces);
}

// The first piece has the time of all; they come in any order.
void ScopeInstances::join(ScopeInstance* instance, int64_t number, flamelet_id id) {
  const uint64_t key = key_of_id(id);
  CallInPieces* call = calls_in_pieces_.insert(key);
  if (call == nullptr) {
    calls_in_pieces_.clear();
    call = calls_in_pieces_.insert(key);
  }
  const bool is_held = call->number != CallInPieces::kUnknown && call->number >= first_number_;
  if (!is_held) {
    call->number = number;
    return;
  }
  ScopeInstance* first = &ring_[(first_ + static_cast<uint32_t>(call->number - first_number_)) % ring_.capacity];
  ScopeInstance* later = instance;
  if (instance->begin_ns < first->begin_ns) {
    std::swap(first, later);
    call->number = number;
  }
  first->call_ns += later->call_ns;
  later->call_ns = ScopeInstance::kLaterPiece;
}

void ScopeFrames::clear() {
  capture_ = nullptr;
  frames_.count = frames_.capacity;
  for (ScopeFrame& frame : frames_) frame = ScopeFrame();
  any_ = false;
  done_ = true;
  ++generation_;
  ++version_;
}

void ScopeFrames::begin(const flamelet_capture* capture, ScopeKey scope, CallChoice calls, bool on_gpu) {
  clear();
  capture_ = capture;
  scope_ = scope;
  calls_ = calls;
  on_gpu_ = on_gpu;
  done_ = false;
}

void ScopeFrames::step(Array<flamelet_span>* scratch, uint32_t max_zones, uint64_t settled) {
  const size_t count = capture_ != nullptr ? flamelet_capture_frame_count(capture_) : 0;
  flamelet_frame_info frame;
  done_ = true;  // without frames
  if (count == 0 || !flamelet_capture_frame(capture_, count - 1, &frame)) return;
  // Results of the GPU come late.
  size_t last = count - 1;
  if (settled < frame.index && frame.index - settled <= GpuFrames::kMostLag) {
    const size_t position = flamelet_capture_find_frame(capture_, settled);
    if (position != SIZE_MAX) last = position;
  }
  uint64_t zones = 0;
  size_t newest = any_ ? flamelet_capture_find_frame(capture_, newest_) : SIZE_MAX;
  if (newest == SIZE_MAX) {
    any_ = false;
    ++generation_;
    zones += read(last, scratch);
    newest = last;
  }
  while (newest < last && zones < max_zones) zones += read(++newest, scratch);
  size_t oldest = flamelet_capture_find_frame(capture_, oldest_);
  if (oldest == SIZE_MAX) oldest = 0;  // they go from there
  while (oldest > 0 && zones < max_zones && last - oldest + 1 < frames_.capacity) zones += read(--oldest, scratch);
  done_ = newest >= last && (oldest == 0 || last - oldest + 1 >= frames_.capacity);
}

uint64_t ScopeFrames::read(size_t position, Array<flamelet_span>* scratch) {
  flamelet_frame_info info;
  if (!flamelet_capture_frame(capture_, position, &info)) return 1;
  ++version_;
  if (!any_) newest_ = oldest_ = info.index;
  any_ = true;
  newest_ = std::max(newest_, info.index);
  oldest_ = std::min(oldest_, info.index);
  ScopeFrame& frame = frames_[static_cast<uint32_t>(info.index % frames_.capacity)];
  frame = ScopeFrame();
  TimeWindow extent;
  // Headers of frames outlive their events.
  if (!flamelet_capture_extent(capture_, &extent.begin_ns, &extent.end_ns) || info.end_ns <= extent.begin_ns) return 1;
  flamelet_scope_time time = {};
  const size_t lane = calls_.of == CallChoice::Of::kThread ? calls_.id : kAllLanes;
  const auto slot_of = [&](const flamelet_span& span, bool gpu) {
    return gpu == on_gpu_ && key_of(span) == scope_ && calls_.contains(calls_.id, span.object) ? 0u : 1u;
  };
  const uint64_t zones = add_frame_times(capture_, {info.begin_ns, info.end_ns}, scratch, &time, 1, slot_of, lane);
  frame.index = info.index;
  frame.time_ns = time.time_ns;
  frame.calls = static_cast<uint32_t>(time.calls);
  return zones + 1;
}

const ScopeFrame* ScopeFrames::find(uint64_t index) const {
  const ScopeFrame& frame = frames_[static_cast<uint32_t>(index % frames_.capacity)];
  return frame.index == index ? &frame : nullptr;
}

bool ScopeFrames::mark(uint64_t index, uint32_t value) {
  ScopeFrame& frame = frames_[static_cast<uint32_t>(index % frames_.capacity)];
  if (frame.index != index || frame.mark == value) return false;
  frame.mark = value;
  return true;
}

void ScopeGraph::carve(Carver* carver) {
  // Where the first and the last bar are not whole, there are two more than fit; and one more while a frame is added.
  carver->take(&groups_, kMostBars + 3);
  carver->take(&sums_, kMostBars + 3);
  carver->take(&marks_, kMostBars + 3);
}

void ScopeGraph::clear() {
  forget();
  generation_ = looked_ = 0;
  list();
}

void ScopeGraph::forget() {
  groups_.count = groups_.capacity;
  for (Group& group : groups_) group = Group();
  shift_ = 0;
  oldest_ = 1;
  newest_ = 0;
  changed_ = true;
}

void ScopeGraph::add(const ScopeFrames& frames, uint64_t index) {
  ++looked_;
  const ScopeFrame* frame = frames.find(index);
  if (frame == nullptr) return;
  Group& group = group_of(index);
  group.mark = std::max(group.mark, frame->mark);
  FrameSum& sum = group.sum;
  if (sum.count == 0) sum = {index, index, index, frame->time_ns, 0, 0};
  if (frame->time_ns > sum.longest_ns) {
    sum.longest = index;
    sum.longest_ns = frame->time_ns;
  }
  sum.first = std::min(sum.first, index);
  sum.last = std::max(sum.last, index);
  ++sum.count;
  changed_ = true;
}

void ScopeGraph::add_range(const ScopeFrames& frames, uint64_t oldest, uint64_t newest) {
  if (oldest <= newest) frames.for_each(oldest, newest, [&](uint64_t i) { add(frames, i); });
}

void ScopeGraph::drop_before(const ScopeFrames& frames, uint64_t oldest) {
  if (oldest <= oldest_) return;
  changed_ = true;
  if (oldest > newest_) return forget();
  for (; oldest_ >> shift_ < oldest >> shift_; oldest_ = ((oldest_ >> shift_) + 1) << shift_)
    group_of(oldest_) = Group();
  oldest_ = oldest;
  Group& group = group_of(oldest);
  FrameSum& sum = group.sum;
  if (sum.count == 0 || sum.first >= oldest) return;
  if (sum.longest >= oldest && group.mark == 0) {
    sum.count = static_cast<uint32_t>(std::min<uint64_t>(sum.count, sum.last - oldest + 1));
    sum.first = oldest;
    return;
  }
  const uint64_t last = sum.last;
  group = Group();
  add_range(frames, oldest, last);
}

void ScopeGraph::merge_pairs() {
  list();
  const uint32_t shift = shift_ + 1;
  const uint64_t oldest = oldest_, newest = newest_;
  forget();
  shift_ = shift;
  oldest_ = oldest;
  newest_ = newest;
  for (uint32_t i = 0; i < sums_.count; ++i) {
    Group& group = group_of(sums_[i].first);
    group.mark = std::max(group.mark, marks_[i]);
    if (group.sum.count == 0)
      group.sum = sums_[i];
    else
      group.sum.add(sums_[i]);
  }
}

// Coarser at once, finer only when it is far too coarse or the room has changed: or it would change to and fro.
void ScopeGraph::choose_shift(uint64_t oldest, uint64_t newest, uint32_t most) {
  const uint64_t groups = groups_from(oldest, newest);
  const uint64_t few = most_ == most ? most / 4 : most / 2;
  most_ = most;
  if (shift_ > 0 && groups <= few) forget();
  while (groups_from(oldest, newest) > uint64_t{most} + 1) {
    if (newest_ >= oldest_)
      merge_pairs();
    else
      ++shift_;
  }
}

void ScopeGraph::update(const ScopeFrames& frames, uint64_t oldest_held, uint32_t most) {
  if (generation_ != frames.generation()) forget();
  generation_ = frames.generation();
  const uint64_t oldest = std::max(frames.oldest(), oldest_held), newest = frames.newest();
  if (!frames.any() || oldest > newest) {
    forget();
  } else {
    drop_before(frames, oldest);
    choose_shift(oldest, newest, std::min(std::max(most, 1u), kMostBars));
    if (newest_ < oldest_) {
      add_range(frames, oldest, newest);
    } else {
      add_range(frames, newest_ + 1, newest);
      if (oldest < oldest_) add_range(frames, oldest, oldest_ - 1);
    }
    oldest_ = oldest;
    newest_ = newest;
  }
  if (changed_) list();
}

void ScopeGraph::mark(uint64_t index, uint32_t value) {
  if (index < oldest_ || index > newest_) return;
  Group& group = group_of(index);
  changed_ = changed_ || value > group.mark;
  group.mark = std::max(group.mark, value);
}

void ScopeGraph::list() {
  changed_ = false;
  sums_.clear();
  marks_.clear();
  frame_count_ = 0;
  longest_ns_ = 1;
  if (newest_ < oldest_) return;
  for (uint64_t i = oldest_ >> shift_; i <= newest_ >> shift_; ++i) {
    const Group& group = group_of(i << shift_);
    if (group.sum.count == 0) continue;
    sums_.push(group.sum);
    marks_.push(group.mark);
    frame_count_ += group.sum.count;
    longest_ns_ = std::max(longest_ns_, group.sum.longest_ns);
  }
}

DurationAxis::DurationAxis(int64_t least_ns, int64_t most_ns, bool log) : log_(log) {
  const double least = static_cast<double>(log ? std::max<int64_t>(least_ns, 1) : least_ns);
  const double most = std::max(static_cast<double>(most_ns), least);
  from_ = log ? ::log(least) : least;
  length_ = !(most > least) ? 0 : (log ? ::log(most) : most) - from_;
}

DurationAxis DurationAxis::folded(int64_t least_ns, int64_t most_ns, int64_t longest_ns, uint32_t bars) {
  DurationAxis axis(least_ns, most_ns + 1, false);
  axis.tail_ = static_cast<double>(bars - 1) / bars;
  axis.longest_ns_ = longest_ns;
  return axis;
}

double DurationAxis::share_of(int64_t ns) const {
  if (!(length_ > 0)) return 0.5;
  if (folds() && ns > folds_above()) return (1 + tail_) / 2;
  const double value = log_ ? ::log(static_cast<double>(std::max<int64_t>(ns, 1))) : static_cast<double>(ns);
  return std::min(std::max((value - from_) / length_, 0.0), 1.0) * tail_;
}

int64_t DurationAxis::at(double share) const {
  if (folds() && share >= 1) return longest_ns_;
  const double value = from_ + length_ * std::min(std::max(share / tail_, 0.0), 1.0);
  return static_cast<int64_t>((log_ ? exp(value) : value) + 0.5);
}

void ScopeSummary::carve(Carver* carver) {
  shown_.groups.carve(carver);
  next_.groups.carve(carver);
  carver->take(&bins_, kBins);
  carver->take(&durations_, kExact);
}

void ScopeSummary::clear(Summary* summary) {
  const ScopeGroups groups = summary->groups;  // its memory
  *summary = Summary();
  summary->groups = groups;
  summary->groups.clear();
}

void ScopeSummary::clear() {
  clear(&shown_);
  clear(&next_);
  choice_ = SummaryChoice();
  frame_figures_ = ScopeFigures();
  busy_ = false;
  version_ = frames_version_ = 0;
}

uint32_t ScopeSummary::bin_of(int64_t ns) {
  const uint64_t value = ns > 0 ? static_cast<uint64_t>(ns) : 0;
  if (value < 1u << kSubBits) return static_cast<uint32_t>(value);
  const uint32_t octave = highest_bit(value);
  const uint32_t below = static_cast<uint32_t>(value >> (octave - kSubBits)) & ((1u << kSubBits) - 1);
  return std::min(((octave - kSubBits + 1) << kSubBits) + below, kBins - 1);
}

int64_t ScopeSummary::middle_of(uint32_t bin) {
  if (bin < 1u << kSubBits) return bin;
  const uint32_t shift = (bin >> kSubBits) - 1;
  const int64_t begin = static_cast<int64_t>((1u << kSubBits) + (bin & ((1u << kSubBits) - 1))) << shift;
  return begin + ((int64_t{1} << shift) >> 1);
}

void ScopeSummary::begin(const SummaryChoice& choice, const ScopeInstances& instances) {
  clear(&next_);
  choice_ = choice;
  choice_.bars = std::min(std::max(choice.bars, 1u), kMostBars);
  version_ = instances.version();
  next_.group_by = choice.group_by;
  next_.chosen = choice.chosen;
  next_.calls = choice.calls;
  at_ = bar_at_ = 0;
  begin_figures();
  busy_ = true;
}

void ScopeSummary::sum_frames(const ScopeFrames& frames, uint64_t first) {
  clear(&next_);
  begin_figures();
  if (frames.any())
    frames.for_each(frames.oldest(), frames.newest(), [&](uint64_t i) {
      const ScopeFrame* frame = frames.find(i);
      if (frame != nullptr && i >= first && frame->time_ns > 0) count_duration(frame->time_ns);
    });
  finish_figures();
  frame_figures_ = next_.figures;
  frames_version_ = frames.version();
}

void ScopeSummary::begin_figures() {
  bins_.count = bins_.capacity;
  std::fill(bins_.begin(), bins_.end(), 0u);
  durations_.clear();
}

// Its time is in that of another one that counts.
bool ScopeSummary::is_inner(const SummaryChoice& choice, const ScopeInstance& instance) {
  return choice.calls.of == CallChoice::Of::kObject ? instance.is_inner_of_object : instance.is_inner;
}

bool ScopeSummary::is_chosen(const SummaryChoice& choice, const ScopeInstance& instance) {
  return instance.is_call() && choice.chosen.contains(chosen_ns(choice, instance));
}

void ScopeSummary::add_group(const ScopeInstance& instance) {
  const bool by_thread = choice_.group_by == GroupBy::kThread, by_object = choice_.group_by == GroupBy::kObject;
  const int64_t ns = by_thread ? instance.piece_ns() : chosen_ns(choice_, instance);
  if (choice_.group_by == GroupBy::kCallee || ns == ScopeInstance::kLaterPiece)
    return;  // callees were counted when read
  const bool of_its_kind = (by_thread && choice_.calls.of == CallChoice::Of::kThread) ||
                           (by_object && choice_.calls.of == CallChoice::Of::kObject);
  if (!of_its_kind && !choice_.calls.contains(instance.lane, instance.object)) return;
  const uint64_t id = by_thread ? instance.lane : by_object ? instance.object : instance.caller;
  const bool is_in_other = by_object ? instance.is_inner_of_object : is_inner(choice_, instance);
  next_.groups.add({id, instance.is_call() ? 1u : 0u, is_in_other ? 0 : ns, ns, ns});
}

void ScopeSummary::add_figures(const ScopeInstance& instance) {
  ScopeFigures& figures = next_.figures;
  const int64_t ns = chosen_ns(choice_, instance);
  if (ns == ScopeInstance::kLaterPiece) return;
  if (!is_inner(choice_, instance)) figures.total_ns = add_saturating(figures.total_ns, ns);
  if (!instance.is_call()) return;
  count_duration(ns);
  if (choice_.chosen.contains(ns)) ++next_.chosen_count;
}

void ScopeSummary::count_duration(int64_t ns) {
  ScopeFigures& figures = next_.figures;
  figures.min_ns = figures.count == 0 ? ns : std::min(figures.min_ns, ns);
  figures.max_ns = std::max(figures.max_ns, ns);
  ++figures.count;
  next_.durations_ns += ns;
  ++bins_[bin_of(ns)];
  durations_.push(ns);
}

void ScopeSummary::begin_bars() {
  constexpr uint64_t kLeastToFold = 20;
  const ScopeFigures& figures = next_.figures;
  next_.axis = {figures.min_ns, figures.max_ns, choice_.log_axis};
  next_.bar_count = choice_.bars;
  if (choice_.log_axis || choice_.bars < 2 || figures.count < kLeastToFold) return;
  // Where the longest half percent, or the one longest, would take more than half of the axis.
  const int64_t most_ns = ranked(figures.count - std::max<uint64_t>(figures.count / 200, 1));
  if (figures.max_ns - most_ns > most_ns - figures.min_ns)
    next_.axis = DurationAxis::folded(figures.min_ns, most_ns, figures.max_ns, choice_.bars);
}

void ScopeSummary::add_bar(const ScopeInstance& instance) {
  if (!instance.is_call()) return;
  const double share = next_.axis.share_of(chosen_ns(choice_, instance));
  const uint32_t bar = std::min(static_cast<uint32_t>(share * next_.bar_count), next_.bar_count - 1);
  next_.most_in_a_bar = std::max(next_.most_in_a_bar, ++next_.bars[bar]);
}

// By nearest rank.
int64_t ScopeSummary::percentile(double percent) {
  const double count = static_cast<double>(next_.figures.count);
  return ranked(std::max<uint64_t>(static_cast<uint64_t>(ceil(percent / 100 * count)), 1));
}

int64_t ScopeSummary::ranked(uint64_t rank) {
  const ScopeFigures& figures = next_.figures;
  if (figures.count <= durations_.capacity) {
    int64_t* wanted = durations_.begin() + (rank - 1);
    std::nth_element(durations_.begin(), wanted, durations_.end());
    return *wanted;
  }
  uint64_t below = 0;
  for (uint32_t bin = 0; bin < bins_.count; ++bin) {
    below += bins_[bin];
    if (below >= rank) return std::min(std::max(middle_of(bin), figures.min_ns), figures.max_ns);
  }
  return figures.max_ns;
}

void ScopeSummary::finish_figures() {
  ScopeFigures& figures = next_.figures;
  if (figures.count == 0) return;
  figures.mean_ns = mean_of(next_.durations_ns, figures.count);
  figures.median_ns = percentile(50);
  figures.p95_ns = percentile(95);
  figures.p99_ns = percentile(99);
  figures.p999_ns = percentile(99.9);
}

void ScopeSummary::finish(const ScopeInstances& instances) {
  finish_figures();
  if (choice_.group_by == GroupBy::kCallee) {
    for (uint32_t i = 0; i < instances.callees().count(); ++i) next_.groups.add(instances.callees()[i]);
    next_.groups.add_others(instances.callees().others());
  }
  next_.groups.sort();
  std::swap(shown_, next_);
  busy_ = false;
}

void ScopeGroups::carve(Carver* carver) {
  carver->take(&groups_, kMost);
  slots_.carve(carver, kMost / 3 * 4 + 8);
}

void ScopeGroups::clear() {
  groups_.clear();
  slots_.clear();
  others_ = ScopeGroup();
}

void ScopeGroups::add(const ScopeGroup& calls) {
  const uint64_t key = key_of_id(calls.id);
  const Slot* known = slots_.find(key);
  if (known == nullptr) {
    Slot* slot = groups_.full() ? nullptr : slots_.insert(key);
    if (slot == nullptr) return add_others(calls);
    slot->group = groups_.count;
    groups_.push({calls.id, 0, 0, 0, 0});
    known = slot;
  }
  add_to(&groups_[known->group], calls);
}

void ScopeGroups::add_others(const ScopeGroup& calls) {
  add_to(&others_, calls);
}

void ScopeGroups::sort() {
  std::sort(groups_.begin(), groups_.end(), [](const ScopeGroup& a, const ScopeGroup& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.id < b.id;
  });
}

}  // namespace flamelet::ui

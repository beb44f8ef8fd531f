// SPDX-License-Identifier: MIT
//
// capture_spans.cpp: begins and ends to spans, for threads and fibers.
//
// A lane is a sequence of chunks: a thread's pages, or a fiber's runs. Each begins with the scopes that are open there,
// with their true begins, so a window is read from the chunk that contains its start and never needs what came before.
// Where the next chunk does not show a scope that was open, events are missing: it ends at the last event before them.
//
// The same blocks find the ends that lie beyond the window: "scope s is still open at the start of chunk k" holds up to
// some chunk and not after it, so the chunk in which s ends is found by search, and only that one is decoded.
#include <string.h>
#include <new>

#include "capture/capture_chunks.h"
#include "capture/capture_data.h"

// Capture cursor: the spans and points of a lane, and flows: piece by piece, or all of them in one array.

namespace flamelet {
namespace {

template <class Cursor, class Item>
void start_cursor(Cursor* cursor, const flamelet_capture* capture, Item* items, size_t capacity, int64_t begin_ns,
                  int64_t end_ns) {
  cursor->count = 0;
  cursor->result = capture != nullptr && items != nullptr ? FLAMELET_OK : FLAMELET_ERROR_INVALID_ARGUMENT;
  if (capacity < FLAMELET_CURSOR_LEAST) cursor->result = FLAMELET_ERROR_BUFFER_TOO_SMALL;
  cursor->capture_ = capture;
  cursor->version_ = flamelet_capture_version(capture);
  cursor->capacity_ = capacity < FLAMELET_NO_PARENT ? capacity : FLAMELET_NO_PARENT - 1;
  cursor->begin_ns_ = begin_ns;
  cursor->end_ns_ = end_ns;
  cursor->has_begun_ = false;
  cursor->is_at_end_ = false;
}

// next(window) reads a piece.
template <class Cursor, class Next>
bool next_piece(Cursor* cursor, Next next) {
  if (cursor == nullptr) return false;
  Window window;
  if (cursor->result == FLAMELET_OK && flamelet_capture_version(cursor->capture_) != cursor->version_)
    cursor->result = FLAMELET_ERROR_CHANGED;
  const bool has_piece = cursor->result == FLAMELET_OK && !cursor->is_at_end_ &&
                         make_window(*cursor->capture_, cursor->begin_ns_, cursor->end_ns_, &window) && next(window);
  cursor->has_begun_ = true;
  cursor->is_at_end_ = !has_piece;
  if (!has_piece) cursor->count = 0;
  return has_piece;
}

// read(window) returns how many there are.
template <class Read>
flamelet_result read_all(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns, size_t capacity,
                         size_t* count, Read read) {
  Window window;
  const size_t found = make_window(*capture, begin_ns, end_ns, &window) ? read(window) : 0;
  if (count != nullptr) *count = found;
  return found <= capacity ? FLAMELET_OK : FLAMELET_ERROR_BUFFER_TOO_SMALL;
}

flamelet_result invalid(size_t* count) {
  if (count != nullptr) *count = 0;
  return FLAMELET_ERROR_INVALID_ARGUMENT;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_span_cursor_start(flamelet_span_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                int64_t begin_ns, int64_t end_ns, flamelet_span* spans, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, spans, capacity, begin_ns, end_ns);
  cursor->spans = spans;
  cursor->again = 0;
  cursor->lane_ = lane;
  if (lane_at(capture, lane) == nullptr) cursor->result = FLAMELET_ERROR_INVALID_ARGUMENT;
}

bool flamelet_span_cursor_next(flamelet_span_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) {
    const Lane& lane = *lane_at(cursor->capture_, cursor->lane_);
    return lane.submitted ? next_submitted_spans(lane, window, cursor) : next_nested_spans(lane, window, cursor);
  });
}

bool flamelet_span_cursor_grow(flamelet_span_cursor* cursor, flamelet_span* spans, size_t capacity) {
  if (cursor == nullptr || spans == nullptr || cursor->result != FLAMELET_ERROR_BUFFER_TOO_SMALL) return false;
  if (cursor->capacity_ < FLAMELET_CURSOR_LEAST || capacity <= cursor->capacity_) return false;
  cursor->spans = spans;
  cursor->capacity_ = std::min<size_t>(capacity, FLAMELET_NO_PARENT - 1);
  cursor->count = cursor->again;  // those that are open, which next() left at the front
  cursor->result = FLAMELET_OK;
  cursor->is_at_end_ = false;
  return true;
}

void flamelet_point_cursor_start(flamelet_point_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                 int64_t begin_ns, int64_t end_ns, flamelet_point* points, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, points, capacity, begin_ns, end_ns);
  cursor->points = points;
  cursor->lane_ = lane;
  if (lane_at(capture, lane) == nullptr) cursor->result = FLAMELET_ERROR_INVALID_ARGUMENT;
}

bool flamelet_point_cursor_next(flamelet_point_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) {
    const Lane& lane = *lane_at(cursor->capture_, cursor->lane_);
    return lane.submitted ? next_submitted_points(lane, window, cursor) : next_nested_points(lane, window, cursor);
  });
}

void flamelet_flow_cursor_start(flamelet_flow_cursor* cursor, const flamelet_capture* capture, int64_t begin_ns,
                                int64_t end_ns, flamelet_flow* flows, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, flows, capacity, begin_ns, end_ns);
  cursor->flows = flows;
}

bool flamelet_flow_cursor_next(flamelet_flow_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) { return next_flows(window, cursor); });
}

void flamelet_state_cursor_start(flamelet_state_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                 int64_t begin_ns, int64_t end_ns, flamelet_state* states, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, states, capacity, begin_ns, end_ns);
  cursor->states = states;
  cursor->without_owners = false;
  cursor->lane_ = lane;
  if (lane_at(capture, lane) == nullptr) cursor->result = FLAMELET_ERROR_INVALID_ARGUMENT;
}

bool flamelet_state_cursor_next(flamelet_state_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) { return next_states(window, cursor); });
}

void flamelet_processor_cursor_start(flamelet_processor_cursor* cursor, const flamelet_capture* capture,
                                     int64_t begin_ns, int64_t end_ns, flamelet_processor_run* runs, size_t capacity) {
  if (cursor == nullptr) return;
  start_cursor(cursor, capture, runs, capacity, begin_ns, end_ns);
  cursor->runs = runs;
}

bool flamelet_processor_cursor_next(flamelet_processor_cursor* cursor) {
  return next_piece(cursor, [cursor](const Window& window) { return next_processor_runs(window, cursor); });
}

flamelet_result flamelet_capture_read_spans(const flamelet_capture* capture, size_t position, int64_t begin_ns,
                                            int64_t end_ns, flamelet_span* spans, size_t capacity, size_t* count) {
  const Lane* lane = lane_at(capture, position);
  if (spans == nullptr) capacity = 0;
  if (lane == nullptr) return invalid(count);
  return read_all(capture, begin_ns, end_ns, capacity, count, [&](const Window& window) {
    return lane->submitted ? read_submitted_spans(*capture, *lane, window, spans, capacity)
                           : read_nested_spans(*capture, *lane, window, spans, capacity);
  });
}

flamelet_result flamelet_capture_read_points(const flamelet_capture* capture, size_t position, int64_t begin_ns,
                                             int64_t end_ns, flamelet_point* points, size_t capacity, size_t* count) {
  const Lane* lane = lane_at(capture, position);
  if (points == nullptr) capacity = 0;
  if (lane == nullptr) return invalid(count);
  return read_all(capture, begin_ns, end_ns, capacity, count, [&](const Window& window) {
    return lane->submitted ? read_submitted_points(*capture, *lane, window, points, capacity)
                           : read_nested_points(*capture, *lane, window, points, capacity);
  });
}

size_t flamelet_capture_count_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  size_t count = 0;
  flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, nullptr, 0, &count);
  return count;
}

size_t flamelet_capture_count_points(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  size_t count = 0;
  flamelet_capture_read_points(capture, lane, begin_ns, end_ns, nullptr, 0, &count);
  return count;
}

flamelet_result flamelet_capture_read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                            flamelet_flow* flows, size_t capacity, size_t* count) {
  if (flows == nullptr) capacity = 0;
  if (capture == nullptr) return invalid(count);
  return read_all(capture, begin_ns, end_ns, capacity, count,
                  [&](const Window& window) { return read_flows(*capture, window, flows, capacity); });
}

size_t flamelet_capture_count_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  size_t count = 0;
  flamelet_capture_read_flows(capture, begin_ns, end_ns, nullptr, 0, &count);
  return count;
}

namespace flamelet {

namespace {

// Index of a span that is not in the answer.
constexpr uint32_t kUnwritten = FLAMELET_NO_PARENT;

struct OpenScope {
  uint64_t id;           // its word: page.h
  uint64_t begin_ticks;  // on this lane: where it was resumed, if that is later than its begin
  uint64_t strings;
  int64_t children_ns;
  uint32_t site;
  uint32_t index;
  uint16_t flags;
  bool again;  // its span was handed out in an earlier piece
};

class SpanReader {
 public:
  // least_room: chunks are decoded while the array has so much; 0 = all, also what does not fit.
  SpanReader(const flamelet_capture& capture, const LaneChunks& chunks, const WholeTime& whole, flamelet_span* spans,
             size_t capacity, uint32_t least_room)
      : capture_(capture),
        chunks_(chunks),
        whole_(whole),
        spans_(spans),
        capacity_(capacity < kUnwritten ? static_cast<uint32_t>(capacity) : kUnwritten - 1),
        least_room_(least_room) {}

  size_t read(const Window& window) {
    PageRoom room;
    room_ = &room;
    if (!chunks_.seek(window.begin)) return 0;
    enter<false>();
    run<false>(window.begin);
    const uint32_t reaching = scopes_that_reach(window);
    for (uint32_t level = 0; level < reaching; ++level) emit(level);
    run<true>(window.end);
    find_ends_of_open();
    return count_;
  }

  // After read(): the spans that are open come again, and then the next ones. Returns how many come again.
  uint32_t read_on(const Window& window) {
    PageRoom room;
    room_ = &room;
    const uint32_t again = repeat_open();
    run<true>(window.end);
    find_ends_of_open();
    return again;
  }
  size_t count() const { return count_; }
  bool is_at_end() const { return !has_paused_; }

 private:
  template <bool kEmit>
  struct Visitor : OnlyScopes {
    SpanReader& reader;
    explicit Visitor(SpanReader& r) : reader(r) {}
    void begin(uint64_t ticks, uint32_t level, uint64_t id, uint32_t site, uint64_t strings) {
      reader.push<kEmit>(level, {id, ticks, strings, 0, site, kUnwritten, 0, false});
    }
    void end(uint64_t ticks, uint32_t level, bool missing) {
      reader.pop(level, ticks, missing ? uint16_t{FLAMELET_SPAN_MISSING_END} : uint16_t{0});
    }
    void fiber(uint64_t ticks, uint32_t depth, const FiberChange& change) {
      reader.pop_to(depth, 0, ticks, FLAMELET_SPAN_SUSPENDED);
      ++reader.fiber_switches_;
      // All began before the switch, some perhaps in its tick.
      reader.push_block<kEmit>(0, change.block, ticks + 1, ticks, ticks, UINT64_MAX);
    }
  };

  // A copy, for looking ahead. The present chunk stays where the other one has it.
  SpanReader(const SpanReader& other, PageRoom* room)
      : room_(room),
        capture_(other.capture_),
        chunks_(other.chunks_),
        whole_(other.whole_),
        spans_(other.spans_),
        capacity_(other.capacity_),
        least_room_(0),
        count_(other.count_),
        chunk_(other.chunk_),
        cursor_(other.cursor_),
        fiber_switches_(other.fiber_switches_) {
    memcpy(stack_, other.stack_, cursor_.depth * sizeof(OpenScope));
  }

  // How many of the open scopes reach into the window: those that do not end in its first nanosecond.
  uint32_t scopes_that_reach(const Window& window) const {
    PageRoom room;
    SpanReader ahead(*this, &room);  // nothing was emitted: it writes no span
    ahead.run<false>(window.touch);
    uint32_t level = 0;
    while (level < cursor_.depth && level < ahead.cursor_.depth && stack_[level].begin_ticks < window.end &&
           ahead.stack_[level].id == stack_[level].id && ahead.stack_[level].begin_ticks == stack_[level].begin_ticks)
      ++level;
    return level;
  }

  // Moves the spans that are still open to the front of the array.
  uint32_t repeat_open() {
    count_ = 0;
    for (uint32_t level = 0; level < cursor_.depth; ++level) {
      OpenScope& scope = stack_[level];
      if (scope.index == kUnwritten) continue;
      flamelet_span& span = spans_[count_];
      span = spans_[scope.index];
      span.flags |= FLAMELET_SPAN_AGAIN;
      span.parent = level != 0 ? stack_[level - 1].index : kUnwritten;
      scope.index = static_cast<uint32_t>(count_++);
      scope.children_ns = 0;
      scope.again = true;
    }
    return static_cast<uint32_t>(count_);
  }

  // Decodes up to a time, over as many chunks as that takes.
  template <bool kEmit>
  void run(uint64_t until_ticks) {
    Visitor<kEmit> visitor(*this);
    has_paused_ = false;
    while (!replay(chunk_.words, until_ticks, &cursor_, visitor)) {
      LaneChunks next = chunks_;
      if (!next.next()) return end_open(until_ticks);
      has_paused_ = kEmit && least_room_ != 0 && capacity_ - count_ < least_room_;
      if (has_paused_) return;
      const Chunk chunk = next.chunk(room_);  // the present one is used up
      if (chunk.begin_ticks >= until_ticks) {
        // The time lies between two chunks. What the second one shows may have begun or ended before it.
        cross_gap<kEmit>(chunk, until_ticks);
        return;
      }
      chunks_ = next;
      enter<kEmit>();
    }
  }

  // Behind the last chunk: ends what is open, if that was before a time: scopes that are gone, or all where nothing more is
  // known of the lane.
  void end_open(uint64_t until_ticks) {
    if (cursor_.depth == 0) return;
    const uint64_t known_ticks = chunks_.known_ticks(capture_);
    const uint64_t gone_ticks = chunks_.gone_ticks(capture_);
    const bool is_gone = gone_ticks <= known_ticks;
    const uint64_t last_ticks = is_gone ? gone_ticks : chunks_.lacks_end() ? 0 : known_ticks;
    const uint64_t end_ticks = std::max(cursor_.now_ticks, last_ticks);
    if (end_ticks >= until_ticks && until_ticks != UINT64_MAX) return;
    pop_to(cursor_.depth, 0, end_ticks, is_gone ? FLAMELET_SPAN_MISSING_END : FLAMELET_SPAN_OPEN);
    cursor_.depth = 0;
  }

  // Begins the present chunk: the open scopes become those that it shows.
  template <bool kEmit>
  void enter() {
    chunk_ = chunks_.chunk(room_);
    cross_gap<kEmit>(chunk_, UINT64_MAX);
    fiber_switches_ = chunks_.fiber_switches();
    cursor_.at = chunk_.first_word;
    if (cursor_.now_ticks < chunk_.begin_ticks) cursor_.now_ticks = chunk_.begin_ticks;
  }

  // Ends and begins scopes as a following chunk shows them, as far as that happened before a time.
  template <bool kEmit>
  void cross_gap(const Chunk& next, uint64_t until_ticks) {
    const OpenBlock& block = next.block;
    uint32_t same = 0;
    while (same < cursor_.depth && block.shows(same, stack_[same].id)) ++same;
    if (same < cursor_.depth) {
      // Ended in a gap, which may take seconds: the scope ends at the last known time.
      const uint64_t end_ticks = cursor_.now_ticks;
      if (end_ticks >= until_ticks) return;
      pop_to(cursor_.depth, same, end_ticks, FLAMELET_SPAN_MISSING_END);
      cursor_.depth = same;
      cursor_.now_ticks = end_ticks;
    }
    cursor_.depth = push_block<kEmit>(same, block, next.run_ticks, cursor_.now_ticks, next.begin_ticks, until_ticks);
  }

  // Opens what a block shows from a level on, as far as it began before a time; returns the depth then. Nothing begins
  // before `floor_ticks` or after `now_ticks`; what began before `run_ticks` was resumed then.
  template <bool kEmit>
  uint32_t push_block(uint32_t level, const OpenBlock& block, uint64_t run_ticks, uint64_t floor_ticks,
                      uint64_t now_ticks, uint64_t until_ticks) {
    for (; level < block.count; ++level) {
      OpenScope scope = {};
      scope.id = block.id(level);
      scope.begin_ticks = block.begin_ticks(level);
      scope.strings = block.strings(level);
      scope.site = block.site(level);
      scope.index = kUnwritten;
      if (scope.begin_ticks < run_ticks) {
        scope.begin_ticks = run_ticks;
        scope.flags = FLAMELET_SPAN_RESUMED;
      }
      if (scope.begin_ticks > now_ticks) scope.begin_ticks = now_ticks;
      if (scope.begin_ticks < floor_ticks) scope.begin_ticks = floor_ticks;
      if (scope.begin_ticks >= until_ticks) break;
      floor_ticks = scope.begin_ticks;
      push<kEmit>(level, scope);
    }
    return level;
  }

  template <bool kEmit>
  void push(uint32_t level, const OpenScope& scope) {
    stack_[level] = scope;
    if (kEmit) emit(level);
  }

  void emit(uint32_t level) {
    OpenScope& scope = stack_[level];
    if (count_ < capacity_) {
      scope.index = static_cast<uint32_t>(count_);
      flamelet_span& span = spans_[count_];
      const uint32_t name = strings_name(scope.strings);
      span.begin_ns = capture_.converter.to_ns(scope.begin_ticks);
      span.id = id_of_open(stack_, level);
      span.site = scope.site;
      span.name = name != 0 ? name : capture_.sites.name(scope.site);
      span.object = strings_object(scope.strings);
      span.parent = level != 0 ? stack_[level - 1].index : kUnwritten;
      span.depth = static_cast<uint16_t>(level);
      span.flags = scope.flags;
    }
    ++count_;
  }

  void pop(uint32_t level, uint64_t ticks, uint16_t flags) {
    const OpenScope& scope = stack_[level];
    if (scope.index == kUnwritten) return;
    flamelet_span& span = spans_[scope.index];
    span.end_ns = capture_.converter.to_ns(ticks);
    const int64_t duration_ns = scope.again ? 0 : whole_.part_of(span);  // else it was added already
    span.self_ns = duration_ns - scope.children_ns;
    span.subtree_end = count_ < capacity_ ? static_cast<uint32_t>(count_) : capacity_;
    span.flags |= flags;
    if (level != 0) stack_[level - 1].children_ns += duration_ns;
  }

  void pop_to(uint32_t depth, uint32_t level, uint64_t ticks, uint16_t flags) {
    while (depth > level) pop(--depth, ticks, flags);
  }

  void find_ends_of_open() const {
    PageRoom room;
    SpanReader(*this, &room).find_ends();
  }

  // Ends the spans of the answer that are still open at the window's end.
  void find_ends() {
    uint32_t written = cursor_.depth;
    Visitor<false> visitor(*this);
    for (;;) {
      replay(chunk_.words, UINT64_MAX, &cursor_, visitor);
      // The spans of the answer are always the outermost scopes.
      while (written != 0 && (written > cursor_.depth || stack_[written - 1].index == kUnwritten)) --written;
      if (written == 0) return;
      if (seek_last_open(written - 1)) {
        enter<false>();
      } else if (chunks_.next()) {
        enter<false>();
      } else {
        break;
      }
    }
    end_open(UINT64_MAX);
  }

  bool seek_last_open(uint32_t level) {
    return chunks_.seek_last_open(level, stack_[level].id, fiber_switches_, room_);
  }

  PageRoom* room_ = nullptr;  // of the call that runs. Between two calls the present chunk is used up
  const flamelet_capture& capture_;
  LaneChunks chunks_;
  const WholeTime whole_;
  flamelet_span* const spans_;
  const uint32_t capacity_;
  const uint32_t least_room_;
  bool has_paused_ = false;
  size_t count_ = 0;
  Chunk chunk_ = {};
  ReplayCursor cursor_ = {};  // its depth is that of stack_
  uint32_t fiber_switches_ = 0;
  OpenScope stack_[FLAMELET_MAX_DEPTH];
};

// The most spans of one chunk: no word begins two.
constexpr uint32_t kMostOfChunk = kPageWords;
static_assert(FLAMELET_MAX_DEPTH + kMostOfChunk <= FLAMELET_CURSOR_LEAST, "a piece has room for a chunk");

}  // namespace

size_t read_nested_spans(const flamelet_capture& capture, const Lane& lane, const Window& window, flamelet_span* spans,
                         size_t capacity) {
  return SpanReader(capture, LaneChunks(capture, lane), WholeTime(capture, lane), spans, capacity, 0).read(window);
}

bool next_nested_spans(const Lane& lane, const Window& window, flamelet_span_cursor* cursor) {
  static_assert(sizeof(SpanReader) <= sizeof cursor->state_ && alignof(SpanReader) <= alignof(uint64_t), "it fits");
  const flamelet_capture& capture = *cursor->capture_;
  if (!cursor->has_begun_) {
    SpanReader* const reader = new (cursor->state_) SpanReader(
        capture, LaneChunks(capture, lane), WholeTime(capture, lane), cursor->spans, cursor->capacity_, kMostOfChunk);
    reader->read(window);
    cursor->count = reader->count();
    return cursor->count != 0 || !reader->is_at_end();
  }
  SpanReader* const reader = reinterpret_cast<SpanReader*>(cursor->state_);
  if (reader->is_at_end()) return false;
  cursor->again = reader->read_on(window);
  cursor->count = reader->count();
  return true;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// replay.h: the words of a page, played again to a visitor. This is the only code that says what words mean: how long an
// event is, which scopes it opens and ends, how time that goes back is held, what a missing or an extra end is. The
// visitor is a template argument, so each reader gets a loop of its own with the visitor inlined.
//
//   replay()  for words that were checked: pages of the recorder, and pages that a capture took in
//   check()   for words that nobody has checked, as they arrive: it stops at what no recorder writes, and counts what
//             it repairs. What it has passed over may be replayed.
//
// A visitor has a member for each thing that can happen; a kind of event without one does not compile. Times never go
// back. Levels count from 0, the outermost scope; each begin and end says its own, and ends have their begins.
//   begin(ticks, level, id, site, strings)   strings is 0 if the scope has neither a dynamic name nor an object
//   end(ticks, level, missing)               missing: the scope had no end of its own
//   fiber(ticks, depth, change)              `depth` scopes are parked; those of change.block are open from now on
//   fiber_end(ticks, fiber, depth)           a fiber that does not run was destroyed, with `depth` scopes still open
//   point(ticks, point)                      an instant or a value
//   frame(ticks, mark)                       named_frame(ticks, set, index, ends_partial)
//   interval_begin(ticks, id, site, strings) interval_end(ticks, id)
//   flow(ticks, flow)                        one end of a flow
//   thread_switch(ticks, event)              a thread was put on a processor, or taken off it
//   span(span)                               submitted_point(ticks, point)     submitted_flow(ticks, flow)
// The last three have times of their own. Those that want only some of this derive from OnlyScopes or IgnoreEvents.
#ifndef FLAMELET_SRC_REPLAY_H
#define FLAMELET_SRC_REPLAY_H

#include "record/page.h"

namespace flamelet {

// Re-open pairs, outermost first: at a page's start and behind kFiber.
struct OpenBlock {
  const uint64_t* pairs;
  uint32_t count;

  uint64_t word(uint32_t level) const { return pairs[2 * level]; }
  uint64_t strings(uint32_t level) const { return pairs[2 * level + 1]; }
  uint64_t id(uint32_t level) const { return reopen_id(word(level), strings(level)); }
  uint64_t begin_ticks(uint32_t level) const { return reopen_ticks(word(level), strings(level)); }
  uint32_t site(uint32_t level) const { return code_id(word_code(word(level), begin_ticks(level))); }

  // Whether the scope `scope_id` is open at `level`. One thread does not begin two scopes of one site at the same tick
  // and level, except with a clock that stands still.
  bool shows(uint32_t level, uint64_t scope_id) const { return level < count && id(level) == scope_id; }
};

struct FiberChange {
  uint32_t from;
  uint32_t to;
  OpenBlock block;
  uint32_t at;  // where it stands in its page
};

struct SubmittedSpan {
  uint64_t begin_ticks;
  uint64_t end_ticks;  // not before begin_ticks
  uint64_t id;
  uint32_t site;
  uint64_t strings;  // make_span_strings()
};

// The numbers of flamelet_point_kind.
enum class PointKind : uint32_t { kInstant, kCounter };

struct PointEvent {
  PointKind kind;
  uint32_t site;
  uint64_t strings;  // 0 = none
  uint64_t bits;     // of its value (double)
};

// A mark between two frames.
struct FrameMark {
  uint64_t index;  // of the frame that begins
  bool ends_partial;
  uint32_t thread;        // track id of who marked it; 0 = not known
  const uint64_t* times;  // of the frame that ends: read_thread_time(), kThreadTimeWords each
  uint32_t time_count;
  bool clock_jumped;  // in the frame that ends
};

// One end of a flow.
struct FlowEvent {
  uint64_t id;  // the user's
  bool ends;    // else it begins here
};

// Words [0, count) of a page.
struct WordRun {
  const uint64_t* words;
  uint32_t count;
  uint64_t base_ticks;
};

// How far the words of a page were played.
struct ReplayCursor {
  uint32_t at;         // next word
  uint32_t depth;      // open scopes
  uint64_t now_ticks;  // of the newest event
  uint64_t events;     // played so far
};
constexpr ReplayCursor page_start(const PageHeader& header) {
  return {2 * header.open_count, header.open_count, header.base_ticks, 0};
}

// What check() repairs, beside the events.
struct RepairCounts {
  uint64_t missing_ends;
  uint64_t extra_ends;
  uint64_t times_clamped;
  uint64_t unknown_events;
};

enum class ReplayEnd {
  kUsedUp,      // no more words
  kStopped,     // the next event is at or after the given time
  kIncomplete,  // the next event is not whole yet
  kBad,         // the next word is none that a recorder writes there
};

namespace detail {

// The event at `at` that is not a plain begin or end. Returns its size in words; 0 if it is not whole, or bad.
template <bool kChecks, class Visitor>
inline uint32_t replay_other(const WordRun& run, uint32_t at, uint64_t ticks, uint32_t code, uint32_t* depth,
                             Visitor& visitor, RepairCounts* counts, ReplayEnd* end) {
  const uint64_t word = run.words[at];
  const uint64_t* const payload = run.words + at + 1;
  const WordType type = code_type(code);
  const uint32_t id = code_id(code);
  const uint32_t size = event_words(type, id);
  const auto bad = [end] {
    *end = ReplayEnd::kBad;
    return 0u;
  };
  if (kChecks) {
    const bool too_deep = kind_of(type).scopes == Scopes::kBegin ? *depth == FLAMELET_MAX_DEPTH
                                                                 : type == WordType::kFiber && id > FLAMELET_MAX_DEPTH;
    if (size > kPageWords - at || too_deep) return bad();
    if (size > run.count - at) {
      *end = ReplayEnd::kIncomplete;
      return 0;
    }
  }
  switch (type) {
    case WordType::kEnd:  // with nothing to end
      if (kChecks) ++counts->extra_ends;
      break;
    case WordType::kBegin:
      visitor.begin(ticks, (*depth)++, word, id, uint64_t{0});
      break;
    case WordType::kBeginWith:
      visitor.begin(ticks, (*depth)++, word, id, payload[0]);
      break;
    case WordType::kNext:  // with nothing to end
      if (kChecks) ++counts->extra_ends;
      visitor.begin(ticks, (*depth)++, word, id, uint64_t{0});
      break;
    case WordType::kEndTo: {
      const uint32_t level = id & ~kEndToMissing;
      const bool missing = (id & kEndToMissing) != 0;
      if (level >= *depth) {
        if (kChecks) ++counts->extra_ends;
        break;
      }
      if (kChecks) counts->missing_ends += *depth - level - (missing ? 0 : 1);
      while (*depth > level + 1) visitor.end(ticks, --*depth, true);
      visitor.end(ticks, --*depth, missing);
      break;
    }
    case WordType::kInstant:
      visitor.point(ticks, PointEvent{PointKind::kInstant, id, payload[0], 0});
      break;
    case WordType::kCounter:
      visitor.point(ticks, PointEvent{PointKind::kCounter, id, 0, payload[0]});
      break;
    case WordType::kFrame:
      visitor.frame(ticks, FrameMark{payload[0] & ~(kFramePartialBit | kFrameClockBit),
                                     (payload[0] & kFramePartialBit) != 0, static_cast<uint32_t>(payload[1]),
                                     payload + kFramePayloadWords, id, (payload[0] & kFrameClockBit) != 0});
      break;
    case WordType::kFiber:
      visitor.fiber(ticks, *depth,
                    FiberChange{static_cast<uint32_t>(payload[0]), static_cast<uint32_t>(payload[0] >> 32),
                                OpenBlock{payload + 1, id}, at});
      *depth = id;
      break;
    case WordType::kReopen:
      return bad();
    case WordType::kStart:
      visitor.interval_begin(ticks, interval_id(word, payload[0]), id, payload[0] & kStringsMask);
      break;
    case WordType::kFinish:
      visitor.interval_end(ticks, payload[0]);
      break;
    case WordType::kSpan:
      visitor.span(
          SubmittedSpan{payload[0], payload[1] < payload[0] ? payload[0] : payload[1], payload[2], id, payload[3]});
      break;
    case WordType::kPoint:
      visitor.submitted_point(payload[0], PointEvent{PointKind::kInstant, id, payload[1], 0});
      break;
    case WordType::kValue:
      visitor.submitted_point(payload[0], PointEvent{PointKind::kCounter, id, 0, payload[1]});
      break;
    case WordType::kMore:
      switch (more_type(id)) {
        case MoreType::kNamedFrame:
          if (kChecks && more_payload_words(id) < 1) return bad();
          visitor.named_frame(ticks, static_cast<uint32_t>(payload[0] >> (kNamedFrameIndexBits + 1)),
                              payload[0] & ((uint64_t{1} << kNamedFrameIndexBits) - 1),
                              (payload[0] >> kNamedFrameIndexBits & 1) != 0);
          return size;
        case MoreType::kFlowBegin:
        case MoreType::kFlowEnd: {
          if (kChecks && more_payload_words(id) < 1) return bad();
          const bool ends = more_type(id) == MoreType::kFlowEnd;
          if (more_payload_words(id) == 1)
            visitor.flow(ticks, FlowEvent{payload[0], ends});
          else
            visitor.submitted_flow(payload[0], FlowEvent{payload[1], ends});
          return size;
        }
        case MoreType::kFiberEnd:
          if (kChecks && more_payload_words(id) < 1) return bad();
          if (kChecks) counts->missing_ends += payload[0] >> 32;
          visitor.fiber_end(ticks, static_cast<uint32_t>(payload[0]), static_cast<uint32_t>(payload[0] >> 32));
          return size;
        case MoreType::kSwitch:
          if (kChecks && more_payload_words(id) < 1) return bad();
          visitor.thread_switch(ticks, read_switch(payload[0]));
          return size;
      }
      if (kChecks) ++counts->unknown_events;
      break;
  }
  return size;
}

enum class Words {
  kChecked,
  kUnchecked,
  kUnwritten,  // unchecked, and zeros from where nothing was written on
};

template <Words kWords, class Visitor>
inline ReplayEnd replay_words(const WordRun& run, uint64_t until_ticks, ReplayCursor* cursor, Visitor& visitor,
                              RepairCounts* counts) {
  constexpr bool kChecks = kWords != Words::kChecked;
  const uint64_t* const words = run.words;
  const uint64_t base_ticks = run.base_ticks;
  const uint32_t count = run.count;
  uint32_t at = cursor->at;
  uint32_t depth = cursor->depth;
  uint64_t now = cursor->now_ticks;
  uint64_t events = 0;
  uint64_t clamped = 0;
  ReplayEnd end = ReplayEnd::kUsedUp;
  while (at < count) {
    const uint64_t word = words[at];
    if (kWords == Words::kUnwritten && word == 0) break;
    const uint64_t word_time = word_ticks(word, base_ticks);
    const uint32_t code = word_code(word, word_time);
    const bool early = word_time < now;
    const uint64_t ticks = early ? now : word_time;
    if (!kChecks && ticks >= until_ticks) {
      end = ReplayEnd::kStopped;
      break;
    }
    if (kChecks) clamped += early ? 1 : 0;
    const uint64_t before = now;
    now = ticks;
    const WordType type = code_type(code);
    const uint32_t id = code_id(code);
    if (type == WordType::kEnd && depth != 0) {
      visitor.end(ticks, --depth, false);
      ++at;
    } else if (type == WordType::kBegin && (!kChecks || depth != FLAMELET_MAX_DEPTH)) {
      visitor.begin(ticks, depth++, word, id, uint64_t{0});
      ++at;
    } else if (type == WordType::kNext && depth != 0) {
      visitor.end(ticks, depth - 1, false);
      visitor.begin(ticks, depth - 1, word, id, uint64_t{0});
      ++at;
    } else {
      // Copies, so that the loop's own stay in registers.
      uint32_t depth_here = depth;
      ReplayEnd end_here = end;
      const uint32_t size = replay_other<kChecks>(run, at, ticks, code, &depth_here, visitor, counts, &end_here);
      // No event; or its times are elsewhere.
      if (kChecks && (size == 0 || has_own_times(type, id))) clamped -= early ? 1 : 0;
      if (size == 0) {
        now = before;
        end = end_here;
        break;
      }
      depth = depth_here;
      at += size;
    }
    ++events;
  }
  cursor->at = at;
  cursor->depth = depth;
  cursor->now_ticks = now;
  cursor->events += events;
  if (kChecks) counts->times_clamped += clamped;
  return end;
}

}  // namespace detail

// Plays the events before `until_ticks`. True if it stopped there, false if the words are used up.
template <class Visitor>
inline bool replay(const WordRun& run, uint64_t until_ticks, ReplayCursor* cursor, Visitor& visitor) {
  return detail::replay_words<detail::Words::kChecked>(run, until_ticks, cursor, visitor, nullptr) ==
         ReplayEnd::kStopped;
}

// Plays all events that are whole, up to the first bad word.
template <class Visitor>
inline ReplayEnd check(const WordRun& run, ReplayCursor* cursor, Visitor& visitor, RepairCounts* counts) {
  return detail::replay_words<detail::Words::kUnchecked>(run, 0, cursor, visitor, counts);
}

// The change of fibers that stands at word `at` of a page that was checked.
inline OpenBlock block_behind(const WordRun& run, uint32_t at) {
  const uint64_t word = run.words[at];
  return {run.words + at + 2, code_id(word_code(word, word_ticks(word, run.base_ticks)))};
}

struct OnlyScopes {
  void point(uint64_t, const PointEvent&) {}
  void frame(uint64_t, const FrameMark&) {}
  void named_frame(uint64_t, uint32_t, uint64_t, bool) {}
  void interval_begin(uint64_t, uint64_t, uint32_t, uint64_t) {}
  void interval_end(uint64_t, uint64_t) {}
  void flow(uint64_t, const FlowEvent&) {}
  void fiber_end(uint64_t, uint32_t, uint32_t) {}
  void thread_switch(uint64_t, const SwitchEvent&) {}
  void span(const SubmittedSpan&) {}
  void submitted_point(uint64_t, const PointEvent&) {}
  void submitted_flow(uint64_t, const FlowEvent&) {}
};

struct IgnoreEvents : OnlyScopes {
  void begin(uint64_t, uint32_t, uint64_t, uint32_t, uint64_t) {}
  void end(uint64_t, uint32_t, bool) {}
  void fiber(uint64_t, uint32_t, const FiberChange&) {}
};

// How many words of a page that nobody closed were written. Its writer took zeroed memory, stores the first word of an
// event last, and stores no 0 there. A bad word counts, so that who checks the page finds it.
inline uint32_t written_words(const Page& page) {
  IgnoreEvents visitor;
  ReplayCursor cursor = page_start(page.header);
  RepairCounts counts = {};
  const ReplayEnd end = detail::replay_words<detail::Words::kUnwritten>(
      {page.words, kPageWords, page.header.base_ticks}, 0, &cursor, visitor, &counts);
  return end == ReplayEnd::kBad ? cursor.at + 1 : cursor.at;
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_REPLAY_H

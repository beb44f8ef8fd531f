// SPDX-License-Identifier: MIT
//
// decoder.h: the words of a page as events. The visitor is a template argument, so every user (spans, points, later
// statistics and exporters) gets a loop of its own with the visitor inlined.
//
// The words must have been checked (capture_ingest.cpp does, once, when they arrive): known types, payloads and re-open
// pairs inside the page, at most FLAMELET_MAX_DEPTH open scopes. Everything else may be nonsense: ids out of bounds, ends
// without a begin, times that jump. Time is clamped here so that a visitor never sees it go back.
#ifndef FLAMELET_SRC_DECODER_H
#define FLAMELET_SRC_DECODER_H

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

// Words [first, count) of a page, decoded from `at` on.
struct WordRun {
  const uint64_t* words;
  uint32_t count;
  uint64_t base_ticks;
};

struct DecodeCursor {
  uint32_t at;         // next word
  uint64_t now_ticks;  // of the newest event
};

// Hands out events before `until_ticks`. True if it stopped there, false if the words are used up. A visitor has
//   begin(ticks, id, site, strings)       a scope; strings is 0 if it has neither a dynamic name nor an object
//   end(ticks)                            of the innermost scope; may be one too many
//   end_to(ticks, depth)                  of scope number `depth` (0 = outermost) and all inside it
//   fiber(ticks, block)                   the scopes that are open from now on
//   other(ticks, type, id, word, payload) everything else
template <class Visitor>
inline bool decode(const WordRun& run, uint64_t until_ticks, DecodeCursor* cursor, Visitor& visitor) {
  const uint64_t* const words = run.words;
  const uint64_t base_ticks = run.base_ticks;
  const uint32_t count = run.count;
  uint32_t at = cursor->at;
  uint64_t now = cursor->now_ticks;
  bool stopped = false;
  while (at < count) {
    const uint64_t word = words[at];
    uint64_t ticks = word_ticks(word, base_ticks);
    const uint32_t code = word_code(word, ticks);
    if (ticks < now) ticks = now;
    if (ticks >= until_ticks) {
      stopped = true;
      break;
    }
    now = ticks;
    const WordType type = code_type(code);
    const uint32_t id = code_id(code);
    if (type == WordType::kEnd) {
      visitor.end(ticks);
      ++at;
    } else if (type == WordType::kBegin) {
      visitor.begin(ticks, word, id, 0);
      ++at;
    } else if (type == WordType::kNext) {
      visitor.end(ticks);
      visitor.begin(ticks, word, id, 0);
      ++at;
    } else if (type == WordType::kBeginWith) {
      visitor.begin(ticks, word, id, words[at + 1]);
      at += 2;
    } else if (type == WordType::kEndTo) {
      visitor.end_to(ticks, id);
      ++at;
    } else if (type == WordType::kFiber) {
      visitor.fiber(ticks, OpenBlock{words + at + 2, id});
      at += 2 + 2 * id;
    } else {
      visitor.other(ticks, type, id, word, words + at + 1);
      at += 1u + kPayloadWords[static_cast<uint32_t>(type)];
    }
  }
  cursor->at = at;
  cursor->now_ticks = now;
  return stopped;
}

// For visitors that want only some of it.
struct IgnoreEvents {
  void begin(uint64_t, uint64_t, uint32_t, uint64_t) {}
  void end(uint64_t) {}
  void end_to(uint64_t, uint32_t) {}
  void fiber(uint64_t, const OpenBlock&) {}
  void other(uint64_t, WordType, uint32_t, uint64_t, const uint64_t*) {}
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_DECODER_H

// SPDX-License-Identifier: MIT
#include "perf_reader.h"

#include <string.h>

#include <algorithm>

#include "flamelet/perf.h"

namespace flamelet {
namespace {

// What sites[] says of a site; from kFirstName on it is the name's index.
enum : uint32_t { kSiteUnknown = 0, kSiteOther = 1, kFirstName = 2 };

bool is_perf_category(uint32_t string) {
  flamelet_string text;
  return get_string(string, &text) && text.size == strlen(FLAMELET_PERF_CATEGORY) &&
         memcmp(text.text, FLAMELET_PERF_CATEGORY, text.size) == 0;
}

}  // namespace

void PerfReader::attach(const Memory& memory, uint32_t max_blocks, PerfNames* names) {
  memory_ = memory;
  max_blocks_ = max_blocks;
  names_ = names;
  begin_session(0);
}

void PerfReader::begin_session(uint32_t session) {
  session_ = session;
  attached_ = false;
  fresh_count_ = 0;
  for (uint32_t i = 0; i < kStacks; ++i) memory_.stacks[i].track = 0;
  for (uint32_t i = 0; i < kSites; ++i) memory_.sites[i] = kSiteUnknown;
  for (uint32_t i = 0; i < kBuckets; ++i) memory_.buckets[i] = kNoBlock;
  for (uint32_t i = 0; i < max_blocks_; ++i) memory_.blocks[i].next = i + 1 < max_blocks_ ? i + 1 : kNoBlock;
  for (uint32_t i = 0; i < kRoutines; ++i) memory_.routines[i].next = i + 1 < kRoutines ? i + 1 : kNoBlock;
  free_ = 0;
  free_count_ = max_blocks_;
  free_routine_ = 0;
}

// ---- Pages → blocks --------------------------------------------------------------------------------------------------

struct PerfReader::Visitor {
  PerfReader* reader;
  Stack* stack;

  void begin(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
    if (code_type(word_code(id, ticks)) != WordType::kNext) ++stack->next_event;  // its end has counted
    if (stack->depth < FLAMELET_MAX_DEPTH) stack->open[stack->depth++] = reader->make_scope(ticks, id, site, strings);
  }
  void end(uint64_t ticks) {
    ++stack->next_event;
    if (stack->depth != 0) reader->close_to(stack, stack->depth - 1, ticks);
  }
  void end_to(uint64_t ticks, uint32_t depth) {
    ++stack->next_event;
    reader->close_to(stack, depth, ticks);
  }
  void fiber(uint64_t, const OpenBlock& block) {
    ++stack->next_event;
    stack->fiber = static_cast<uint32_t>(block.pairs[-1] >> 32);  // the event's payload stands before the stack
    reader->reopen(stack, block);
  }
  void other(uint64_t, WordType, uint32_t, uint64_t, const uint64_t*) { ++stack->next_event; }
};

void PerfReader::poll() {
  until_ticks_ = flamelet_now_ticks();
  ring_.poll([](void* user, const PagePart& part) { static_cast<PerfReader*>(user)->take(part); }, this);
  attached_ = true;
}

void PerfReader::take(const PagePart& part) {
  const PageHeader& header = *part.header;
  if (header.track == kFrameTrack || header.slot >= kStacks) return;
  Stack* stack = &memory_.stacks[header.slot];
  if (stack->track != header.track || stack->ticket != part.ticket) {
    if (stack->track != 0 && part.ticket < stack->ticket) return;  // of the slot's user before
    open_page(stack, part);
  }
  const WordRun run = {part.words, part.count, header.base_ticks};
  DecodeCursor cursor = {stack->at, stack->now_ticks};
  Visitor visitor = {this, stack};
  decode(run, UINT64_MAX, &cursor, visitor);
  stack->at = cursor.at;
  stack->now_ticks = cursor.now_ticks;
}

void PerfReader::open_page(Stack* stack, const PagePart& part) {
  const PageHeader& header = *part.header;
  const bool is_new = stack->track != header.track;
  if (is_new) {
    stack->track = header.track;
    stack->now_ticks = 0;
    stack->next_event = attached_ ? 0 : header.first_event;  // what was recorded before this log began is not lost
  }
  if (header.first_event > stack->next_event) events_lost_ += header.first_event - stack->next_event;
  stack->next_event = header.first_event;
  stack->ticket = part.ticket;
  stack->fiber = header.fiber;
  stack->at = 2 * header.open_count;
  stack->now_ticks = std::max(stack->now_ticks, header.base_ticks);
  reopen(stack, {part.words, header.open_count});
}

void PerfReader::reopen(Stack* stack, const OpenBlock& block) {
  stack->depth = std::min(block.count, FLAMELET_MAX_DEPTH);
  for (uint32_t i = 0; i < stack->depth; ++i)
    stack->open[i] = make_scope(block.begin_ticks(i), block.id(i), block.site(i), block.strings(i));
}

PerfReader::Scope PerfReader::make_scope(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
  uint32_t& known = memory_.sites[site];
  if (known == kSiteUnknown) {
    SiteRecord record;
    flamelet_string text;
    const bool is_perf = get_site(site, &record) && is_perf_category(record.category);
    known = is_perf && get_string(record.name, &text) ? kFirstName + names_->intern(text) : uint32_t{kSiteOther};
  }
  if (known == kSiteOther) return {id, ticks, 0, false};
  uint32_t name = known - kFirstName;
  flamelet_string text;
  if (strings_name(strings) != 0 && get_string(strings_name(strings), &text)) name = names_->intern(text);
  return {id, ticks, name, true};
}

void PerfReader::close_to(Stack* stack, uint32_t depth, uint64_t ticks) {
  while (stack->depth > depth) {
    if (stack->open[stack->depth - 1].is_perf) add(stack, ticks);
    --stack->depth;
  }
}

// The innermost open scope, a PERF block, ends.
void PerfReader::add(Stack* stack, uint64_t ticks) {
  const Scope& scope = stack->open[stack->depth - 1];
  uint32_t depth = 0;
  uint64_t routine = 0;
  for (uint32_t i = 0; i < stack->depth; ++i)
    if (stack->open[i].is_perf && depth++ == 0) routine = stack->open[i].id;
  if (free_count_ == 0 || (depth != 1 && is_full())) {
    ++blocks_dropped_;
    return;
  }
  const uint32_t index = free_;
  PerfBlockRecord& block = memory_.blocks[index];
  free_ = block.next;
  --free_count_;
  block.begin_ticks = scope.begin_ticks;
  block.end_ticks = std::max(ticks, scope.begin_ticks);
  block.stack = stack->fiber != 0 ? kFiberStack + stack->fiber : stack->track;
  block.routine = routine;
  block.sequence = sequence_++;
  block.name = scope.name;
  block.depth = depth;
  block.next = kNoBlock;
  memory_.fresh[fresh_count_++] = index;
}

// ---- Blocks → frames -------------------------------------------------------------------------------------------------

void PerfReader::sort_fresh() {
  const PerfBlockRecord* blocks = memory_.blocks;
  std::sort(memory_.fresh, memory_.fresh + fresh_count_, [blocks](uint32_t a, uint32_t b) {
    if (blocks[a].end_ticks != blocks[b].end_ticks) return blocks[a].end_ticks < blocks[b].end_ticks;
    return blocks[a].sequence < blocks[b].sequence;
  });
}

bool PerfReader::collect(uint32_t index, size_t* count) {
  PerfBlockRecord& block = memory_.blocks[index];
  uint32_t* link = bucket(block.stack);
  while (*link != kNoBlock && memory_.routines[*link].stack != block.stack) link = &memory_.routines[*link].next;
  // A stack has one outermost block at a time. If another one is waited for, its end is lost.
  if (*link != kNoBlock && memory_.routines[*link].id != block.routine) {
    drop_waiting(link);
    link = bucket(block.stack);
    while (*link != kNoBlock) link = &memory_.routines[*link].next;
  }
  if (block.depth == 1) {
    *count = 0;
    if (*link != kNoBlock) {
      for (uint32_t i = memory_.routines[*link].first; i != kNoBlock; i = memory_.blocks[i].next)
        memory_.frame[(*count)++] = i;
      free_routine(link);
    }
    memory_.frame[(*count)++] = index;
    return true;
  }
  if (*link == kNoBlock) {
    if (free_routine_ == kNoBlock) {
      free_block(index);
      ++blocks_dropped_;
      return false;
    }
    const uint32_t made = free_routine_;
    free_routine_ = memory_.routines[made].next;
    memory_.routines[made] = {block.stack, block.routine, index, index, kNoBlock};
    *link = made;
  } else {
    Routine& routine = memory_.routines[*link];
    memory_.blocks[routine.last].next = index;
    routine.last = index;
  }
  return false;
}

void PerfReader::free_block(uint32_t block) {
  memory_.blocks[block].next = free_;
  free_ = block;
  ++free_count_;
}

void PerfReader::drop_waiting(uint32_t* link) {
  for (uint32_t i = memory_.routines[*link].first; i != kNoBlock;) {
    const uint32_t next = memory_.blocks[i].next;
    free_block(i);
    ++blocks_dropped_;
    i = next;
  }
  free_routine(link);
}

void PerfReader::free_routine(uint32_t* link) {
  const uint32_t routine = *link;
  *link = memory_.routines[routine].next;
  memory_.routines[routine].next = free_routine_;
  free_routine_ = routine;
}

}  // namespace flamelet

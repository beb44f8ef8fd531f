// SPDX-License-Identifier: MIT
#include "perf_reader.h"

#include <string.h>
#include <algorithm>

#include "flamelet/perf.h"
#include "record/names.h"

namespace flamelet {

// ---- perf names

void PerfNames::attach(Entry* entries, uint32_t capacity, uint32_t* slots, char* bytes, size_t byte_capacity) {
  index_.attach(slots, HashIndex::slots_for(capacity));
  entries_ = entries;
  capacity_ = capacity;
  bytes_ = bytes;
  byte_capacity_ = byte_capacity;
  append({"(overflow)", 10});  // never found: a block may have this name
}

uint32_t PerfNames::intern(flamelet_string text) {
  const uint32_t hash = hash_of_text(text.text, text.size);
  const uint32_t found = index_.find(hash, [&](uint32_t at) {
    return entries_[at].size == text.size && memcmp(bytes_ + entries_[at].offset, text.text, text.size) == 0;
  });
  if (found != HashIndex::kNone) return found;
  if (count_ == capacity_ || text.size >= byte_capacity_ - byte_count_) {
    ++overflowed_;
    return 0;
  }
  index_.add(hash, count_);
  return append(text);
}

uint32_t PerfNames::append(flamelet_string text) {
  entries_[count_] = {byte_count_, text.size};
  memcpy(bytes_ + byte_count_, text.text, text.size);
  byte_count_ += text.size;
  bytes_[byte_count_++] = 0;
  return count_++;
}

flamelet_string PerfNames::get(uint32_t index) const {
  return {bytes_ + entries_[index].offset, entries_[index].size};
}

// ---- perf frames

void PerfFrames::attach(const Memory& memory, uint32_t max_blocks) {
  memory_ = memory;
  max_blocks_ = max_blocks;
  routine_index_.attach(memory.routine_slots, kRoutineSlots);
  cut_index_.attach(memory.cut_slots, kRoutineSlots);
  clear();
}

void PerfFrames::clear() {
  fresh_count_ = 0;
  const uint32_t places = capacity(max_blocks_);
  for (uint32_t i = 0; i < places; ++i) memory_.blocks[i].next = i + 1 < places ? i + 1 : kNoBlock;
  free_ = 0;
  free_count_ = places;
  routine_index_.clear();
  routine_count_ = 0;
  largest_ = kNoBlock;
  cut_index_.clear();
  cut_count_ = 0;
  gap_begin_ticks_ = UINT64_MAX;
  gap_end_ticks_ = 0;
}

void PerfFrames::add(const PerfBlockRecord& block) {
  const auto has_place = [&] { return block.depth == 1 ? free_count_ != 0 : !is_full(); };
  if (is_cut(block)) {
    ++blocks_dropped_;
    return;
  }
  if (!has_place() && !make_room(block)) {
    ++blocks_dropped_;
    cut(block.stack, block.routine);
    return;
  }
  const uint32_t index = free_;
  PerfBlockRecord& place = memory_.blocks[index];
  free_ = place.next;
  --free_count_;
  place = block;
  place.next = kNoBlock;
  place.sequence = sequence_++;
  memory_.fresh[fresh_count_++] = index;
}

void PerfFrames::sort_fresh() {
  const PerfBlockRecord* blocks = memory_.blocks;
  std::sort(memory_.fresh, memory_.fresh + fresh_count_, [blocks](uint32_t a, uint32_t b) {
    if (blocks[a].end_ticks != blocks[b].end_ticks) return blocks[a].end_ticks < blocks[b].end_ticks;
    return blocks[a].sequence < blocks[b].sequence;
  });
}

bool PerfFrames::collect(uint32_t index, size_t* count) {
  const PerfBlockRecord& block = memory_.blocks[index];
  if (block.depth == 1 && is_across_gap(block) && !is_cut(block)) cut(block.stack, block.routine);
  if (is_cut(block)) {
    free_block(index);
    ++blocks_dropped_;
    return false;
  }
  uint32_t found = find_routine(block.stack);
  // A stack has one outermost block at a time. If another one is waited for, its end is lost.
  if (found != HashIndex::kNone && memory_.routines[found].id != block.routine) {
    drop_waiting(found);
    found = HashIndex::kNone;
  }
  if (block.depth == 1) {
    *count = 0;
    if (found != HashIndex::kNone) {
      for (uint32_t i = memory_.routines[found].first; i != kNoBlock; i = memory_.blocks[i].next)
        memory_.frame[(*count)++] = i;
      remove_routine(found);
    }
    memory_.frame[(*count)++] = index;
    return true;
  }
  if (found != HashIndex::kNone) {
    Routine& routine = memory_.routines[found];
    memory_.blocks[routine.last].next = index;
    routine.last = index;
    ++routine.count;
  } else {
    add_routine(block, index);
  }
  return false;
}

uint32_t PerfFrames::find_routine(uint64_t stack) const {
  return routine_index_.find(hash_of_key(stack), [&](uint32_t at) { return memory_.routines[at].stack == stack; });
}

void PerfFrames::add_routine(const PerfBlockRecord& block, uint32_t index) {
  if (routine_count_ == kRoutines) cut_oldest(block);
  routine_index_.add(hash_of_key(block.stack), routine_count_);
  memory_.routines[routine_count_++] = {block.stack, block.routine, index, index, 1};
}

// The last one takes its place.
void PerfFrames::remove_routine(uint32_t routine) {
  const auto hash_of = [this](uint32_t at) { return hash_of_key(memory_.routines[at].stack); };
  const uint32_t last = --routine_count_;
  routine_index_.remove(routine, hash_of);
  if (routine == last) return;
  routine_index_.remove(last, hash_of);
  memory_.routines[routine] = memory_.routines[last];
  routine_index_.add(hash_of(routine), routine);
}

void PerfFrames::find_largest() {
  largest_ = kNoBlock;
  for (uint32_t i = 0; i < routine_count_; ++i)
    if (memory_.routines[i].count > max_blocks_ / 2) largest_ = i;
}

bool PerfFrames::cut_oldest(const PerfBlockRecord& block) {
  const auto last_end = [&](uint32_t at) { return memory_.blocks[memory_.routines[at].last].end_ticks; };
  uint32_t oldest = kNoBlock;
  for (uint32_t i = 0; i < routine_count_; ++i)
    if (memory_.routines[i].stack != block.stack && (oldest == kNoBlock || last_end(i) < last_end(oldest))) oldest = i;
  if (oldest == kNoBlock) return false;
  cut(memory_.routines[oldest].stack, memory_.routines[oldest].id);
  return true;
}

bool PerfFrames::make_room(const PerfBlockRecord& block) {
  if (largest_ == kNoBlock) return fresh_count_ < max_blocks_ / 2 && cut_oldest(block);
  if (memory_.routines[largest_].stack == block.stack) return false;
  cut(memory_.routines[largest_].stack, memory_.routines[largest_].id);
  return true;
}

void PerfFrames::lose(uint64_t begin_ticks, uint64_t end_ticks) {
  gap_begin_ticks_ = std::min(gap_begin_ticks_, begin_ticks);
  gap_end_ticks_ = std::max(gap_end_ticks_, end_ticks);
}

void PerfFrames::cut(uint64_t stack, uint64_t routine) {
  const auto hash_of = [this](uint32_t at) { return hash_of_key(memory_.cuts[at].stack ^ memory_.cuts[at].id); };
  const uint32_t at = static_cast<uint32_t>(cut_count_ % kRoutines);
  if (cut_count_++ >= kRoutines) cut_index_.remove(at, hash_of);
  memory_.cuts[at] = {stack, routine};
  cut_index_.add(hash_of(at), at);
  const uint32_t found = find_routine(stack);
  if (found == HashIndex::kNone || memory_.routines[found].id != routine) return;
  drop_waiting(found);
  find_largest();
}

uint32_t PerfFrames::find_cut(uint64_t stack, uint64_t routine) const {
  if (cut_count_ == 0) return HashIndex::kNone;
  return cut_index_.find(hash_of_key(stack ^ routine), [&](uint32_t at) {
    return memory_.cuts[at].stack == stack && memory_.cuts[at].id == routine;
  });
}

void PerfFrames::free_block(uint32_t block) {
  memory_.blocks[block].next = free_;
  free_ = block;
  ++free_count_;
}

void PerfFrames::drop_waiting(uint32_t routine) {
  for (uint32_t i = memory_.routines[routine].first; i != kNoBlock;) {
    const uint32_t next = memory_.blocks[i].next;
    free_block(i);
    ++blocks_dropped_;
    i = next;
  }
  remove_routine(routine);
}

namespace {

// What sites[] says of a site; from kFirstName on it is the name's index.
enum : uint32_t { kSiteUnknown = 0, kSiteOther = 1, kFirstName = 2 };

bool is_perf_category(uint32_t string) {
  flamelet_string text;
  return get_string(string, &text) && text.size == strlen(FLAMELET_PERF_CATEGORY) &&
         memcmp(text.text, FLAMELET_PERF_CATEGORY, text.size) == 0;
}

// A function is logged with its signature, so that overloads are apart. Clang's begins with the return type.
bool get_log_name(const SiteRecord& site, flamelet_string* name) {
  flamelet_string signature;
  if (!get_string(site.name, name)) return false;
  if (!get_string(site.function, &signature)) return true;
  const FunctionName function = parse_function_name(signature.text);
  if (function.name_size != name->size || memcmp(function.name, name->text, name->size) != 0) return true;
  *name = signature;
  if (site.line == 0) return true;  // a tag that a program gave by call
  const auto type_size = static_cast<size_t>(function.name - signature.text);
  *name = {signature.text + type_size, signature.size - type_size};
  return true;
}

}  // namespace

void PerfReader::attach(Stack* stacks, uint32_t* sites, PerfFrames* frames, PerfNames* block_names, PerfNames* places) {
  stacks_ = stacks;
  sites_ = sites;
  frames_ = frames;
  names_ = block_names;
  places_ = places;
}

void PerfReader::begin_session(uint32_t session) {
  session_ = session;
  attached_ = false;
  until_ticks_ = newest_ticks_ = 0;
  frames_->clear();
  for (uint32_t i = 0; i < kStacks; ++i) {
    stacks_[i].track = stacks_[i].settled = 0;
    stacks_[i].before = stacks_[i].cursor.events = 0;
  }
  for (uint32_t i = 0; i < kSites; ++i) sites_[i] = kSiteUnknown;
}

struct PerfReader::Visitor : OnlyScopes {
  PerfReader* reader;
  Stack* stack;
  Visitor(PerfReader* r, Stack* s) : reader(r), stack(s) {}

  void begin(uint64_t ticks, uint32_t level, uint64_t id, uint32_t site, uint64_t strings) {
    stack->open[level] = reader->make_scope(ticks, id, site, strings);
  }
  void end(uint64_t ticks, uint32_t level, bool) {
    if (stack->open[level].is_perf) reader->add(*stack, level, ticks);
  }
  void fiber(uint64_t, uint32_t, const FiberChange& change) {
    stack->fiber = change.to;
    reader->reopen(stack, change.block);
  }
};

void PerfReader::poll_ring() {
  const uint64_t now_ticks = std::max(flamelet_now_ticks(), newest_ticks_);
  SlotEnds ends[FLAMELET_MAX_TRACKS];
  for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot) ends[slot] = slot_ends(slot);
  ring_.poll([](void* user, const PagePart& part) { static_cast<PerfReader*>(user)->take(part); }, this);
  until_ticks_ = now_ticks;
  for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot) settle(&stacks_[slot], ends[slot]);
  attached_ = true;
}

// After a pass that began when `ends` was known: what the slot's ended tracks recorded and was not read is lost.
void PerfReader::settle(Stack* stack, const SlotEnds& ends) {
  if (ends.id <= stack->settled) return;
  const uint64_t known = stack->before + (stack->track <= ends.id ? stack->cursor.events : 0);
  if (known > ends.events) return;  // a track before the newest one has ended since: the next call settles both
  if (known != ends.events && attached_) {
    events_lost_ += ends.events - known;
    frames_->lose(stack->track <= ends.id ? stack->cursor.now_ticks : 0, until_ticks_);
  }
  stack->before += ends.events - known;
  stack->settled = ends.id;
}

void PerfReader::take(const PagePart& part) {
  const PageHeader& header = *part.header;
  if (header.track == kFrameTrack || header.slot >= kStacks) return;
  Stack* stack = &stacks_[header.slot];
  if (stack->track != header.track || stack->ticket != part.ticket) {
    if (stack->track != 0 && part.ticket < stack->ticket) return;  // of the slot's user before
    open_page(stack, part);
  }
  Visitor visitor(this, stack);
  replay({part.words, part.count, header.base_ticks}, UINT64_MAX, &stack->cursor, visitor);
}

void PerfReader::open_page(Stack* stack, const PagePart& part) {
  const PageHeader& header = *part.header;
  ReplayCursor& cursor = stack->cursor;
  if (stack->track != header.track) {
    stack->before += cursor.events;
    stack->track = header.track;
    cursor.now_ticks = 0;
    cursor.events = 0;
  }
  const bool has_gap = header.first_event > cursor.events;
  // What was recorded before this log began is not lost.
  if (has_gap && attached_) events_lost_ += header.first_event - cursor.events;
  if (has_gap) frames_->lose(cursor.now_ticks, header.base_ticks);
  const uint64_t now_ticks = std::max(cursor.now_ticks, header.base_ticks);
  cursor = page_start(header);
  cursor.now_ticks = now_ticks;
  cursor.events = header.first_event;
  stack->ticket = part.ticket;
  stack->fiber = header.fiber;
  reopen(stack, {part.words, header.open_count});
  if (has_gap && header.open_count != 0) lose_routine(*stack, header.open_count - 1);
}

// The blocks of the open routine around this level are not all here.
void PerfReader::lose_routine(const Stack& stack, uint32_t level) {
  uint32_t depth = 0;
  const uint64_t routine = routine_of(stack, level, &depth);
  if (depth != 0) frames_->cut(stack_of(stack), routine);
}

uint64_t PerfReader::stack_of(const Stack& stack) {
  return stack.fiber != 0 ? kFiberStack + stack.fiber : stack.track;
}

// The outermost open PERF block; `depth` counts those up to this level.
uint64_t PerfReader::routine_of(const Stack& stack, uint32_t level, uint32_t* depth) {
  uint64_t routine = 0;
  for (uint32_t i = 0; i <= level; ++i)
    if (stack.open[i].is_perf && (*depth)++ == 0) routine = stack.open[i].id;
  return routine;
}

void PerfReader::reopen(Stack* stack, const OpenBlock& block) {
  for (uint32_t i = 0; i < block.count; ++i)
    stack->open[i] = make_scope(block.begin_ticks(i), block.id(i), block.site(i), block.strings(i));
}

PerfReader::Scope PerfReader::make_scope(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
  uint32_t& known = sites_[site];
  if (known == kSiteUnknown) {
    SiteRecord record;
    flamelet_string text;
    const bool is_perf = get_site(site, &record) && is_perf_category(record.category);
    known = is_perf && get_log_name(record, &text) ? kFirstName + names_->intern(text) : uint32_t{kSiteOther};
  }
  if (known == kSiteOther) return {id, ticks, 0, false};
  uint32_t name = known - kFirstName;
  flamelet_string text;
  if (strings_name(strings) != 0 && get_string(strings_name(strings), &text)) name = names_->intern(text);
  return {id, ticks, name, true};
}

// The open scope of this level, a PERF block, ends.
void PerfReader::add(const Stack& stack, uint32_t level, uint64_t ticks) {
  const Scope& scope = stack.open[level];
  uint32_t depth = 0;
  const uint64_t routine = routine_of(stack, level, &depth);
  PerfBlockRecord block = {};
  block.begin_ticks = scope.begin_ticks;
  block.end_ticks = std::max(ticks, scope.begin_ticks);
  newest_ticks_ = std::max(newest_ticks_, block.end_ticks);
  block.stack = stack_of(stack);
  block.routine = routine;
  block.name = scope.name;
  block.place = depth == 1 ? place_of(stack) : 0;
  block.depth = depth;
  if (make_room_ != nullptr && frames_->is_full()) {
    make_room_(make_room_user_);
    make_room_ = nullptr;
  }
  frames_->add(block);
}

uint32_t PerfReader::place_of(const Stack& stack) {
  TrackRecord track;
  const bool found = stack.fiber != 0
                         ? get_fiber(stack.fiber, &track)
                         : get_track(static_cast<uint32_t>(&stack - stacks_), &track) && track.id == stack.track;
  flamelet_string name;
  return found && track.name != 0 && get_string(track.name, &name) ? places_->intern(name) : 0;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
#include "perf_reader.h"

#include <string.h>

#include <algorithm>

#include "flamelet/perf.h"
#include "record/function_name.h"

namespace flamelet {
namespace {

// What sites[] says of a site; from kFirstName on it is the name's index.
enum : uint32_t { kSiteUnknown = 0, kSiteOther = 1, kFirstName = 2 };

bool is_perf_category(uint32_t string) {
  flamelet_string text;
  return get_string(string, &text) && text.size == strlen(FLAMELET_PERF_CATEGORY) &&
         memcmp(text.text, FLAMELET_PERF_CATEGORY, text.size) == 0;
}

// A function is logged with its whole signature, so that overloads are apart.
bool get_log_name(const SiteRecord& site, flamelet_string* name) {
  flamelet_string signature;
  if (!get_string(site.name, name)) return false;
  if (!get_string(site.function, &signature)) return true;
  const FunctionName function = parse_function_name(signature.text);
  if (function.name_size == name->size && memcmp(function.name, name->text, name->size) == 0) *name = signature;
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
  frames_->clear();
  for (uint32_t i = 0; i < kStacks; ++i) stacks_[i].track = 0;
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

void PerfReader::poll() {
  until_ticks_ = flamelet_now_ticks();
  ring_.poll([](void* user, const PagePart& part) { static_cast<PerfReader*>(user)->take(part); }, this);
  attached_ = true;
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
    stack->track = header.track;
    cursor.now_ticks = 0;
    cursor.events = attached_ ? 0 : header.first_event;  // what was recorded before this log began is not lost
  }
  if (header.first_event > cursor.events) events_lost_ += header.first_event - cursor.events;
  const uint64_t now_ticks = std::max(cursor.now_ticks, header.base_ticks);
  cursor = page_start(header);
  cursor.now_ticks = now_ticks;
  cursor.events = header.first_event;
  stack->ticket = part.ticket;
  stack->fiber = header.fiber;
  reopen(stack, {part.words, header.open_count});
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
  uint64_t routine = 0;
  for (uint32_t i = 0; i <= level; ++i)
    if (stack.open[i].is_perf && depth++ == 0) routine = stack.open[i].id;
  PerfBlockRecord block = {};
  block.begin_ticks = scope.begin_ticks;
  block.end_ticks = std::max(ticks, scope.begin_ticks);
  block.stack = stack.fiber != 0 ? kFiberStack + stack.fiber : stack.track;
  block.routine = routine;
  block.name = scope.name;
  block.place = depth == 1 ? place_of(stack) : 0;
  block.depth = depth;
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

// SPDX-License-Identifier: MIT
#include "event_writer.h"

#include <string.h>

#include "record/ring_reader.h"

namespace flamelet {

// ---- event index

void EventIndex::begin_session(uint32_t session) {
  if (session == session_) return;
  session_ = session;
  part_count_ = 0;
  total_ = 0;
  memset(slots_, 0, sizeof(slots_));
}

// False: the part's events have indices already, as lost ones.
bool EventIndex::admit(const PagePart& part) {
  const PageHeader& header = *part.header;
  Slot& slot = slots_[header.slot];
  if (header.track <= slot.settled || header.track < slot.track) return false;
  if (header.track != slot.track) {
    slot.before += slot.events;
    slot.track = header.track;
    slot.events = 0;
  }
  if (part.first == 0) {
    if (header.first_event < slot.events) return false;
    total_ += header.first_event - slot.events;  // overwritten
    slot.events = header.first_event;
  }
  return true;
}

void EventIndex::on_part(void* self, const PagePart& part) {
  EventIndex& index = *static_cast<EventIndex*>(self);
  if (!index.admit(part)) return;
  const uint32_t first = part.first == 0 ? 2 * part.header->open_count : part.first;
  EventWriter counter(*part.header, part.words, nullptr, 0);
  index.slots_[part.header->slot].events += write_events(*part.header, part.words, first, part.count, &counter);
  if (counter.seen() == 0) return;
  index.parts_[index.part_count_++ % index.limit_] = {part.ticket, index.total_, static_cast<uint32_t>(counter.seen()),
                                                      static_cast<uint16_t>(first), static_cast<uint16_t>(part.count)};
  index.total_ += counter.seen();
}

// After a pass that began when `ends` was known: what the slot's ended tracks recorded and has no index now is lost.
void EventIndex::settle(Slot* slot, const SlotEnds& ends) {
  if (ends.id <= slot->settled) return;
  const uint64_t known = slot->before + (slot->track <= ends.id ? slot->events : 0);
  // More than `ends` can tell: a track before the newest one ended since. The next call settles both.
  if (known > ends.events) return;
  total_ += ends.events - known;
  slot->settled = ends.id;
  if (slot->track <= ends.id) {
    slot->before = ends.events;
    slot->track = ends.id;
    slot->events = 0;
  } else {
    slot->before = ends.events;
  }
}

bool EventIndex::refresh() {
  begin_session(running_session());
  SlotEnds ends[FLAMELET_MAX_TRACKS];
  for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot) ends[slot] = slot_ends(slot);
  if (!reader_.poll(on_part, this)) return false;
  for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot) settle(&slots_[slot], ends[slot]);
  return true;
}

void EventIndex::copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start,
                      size_t* actual_count) {
  const RingPages ring = ring_pages();
  *actual_start = start < total_ ? start : total_;
  *actual_count = 0;
  // The newest part that begins at or before `start`, or the oldest that is left.
  uint64_t low = oldest_part(), high = part_count_;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (part(middle).start <= start ? low : high) = middle;
  }
  for (uint64_t number = low; number < part_count_ && *actual_count < count; ++number) {
    const EventPart& from = part(number);
    const uint64_t next = *actual_start + *actual_count;
    if (from.start + from.events <= next) continue;
    if (*actual_count != 0 && from.start != next) return;  // no gap inside an answer
    Page& page = ring.pages[from.ticket % ring.count];
    switch (pin_ticket(&page, from.ticket)) {
      case Protocol::Pin::kPinned:
        break;
      case Protocol::Pin::kBusy:
        return;  // what other readers hold is there for the next call
      case Protocol::Pin::kGone:
        if (*actual_count != 0) return;
        *actual_start = from.start + from.events;
        continue;
    }
    if (from.start > next) *actual_start = from.start;
    EventWriter writer(page.header, page.words, dest + *actual_count, count - *actual_count);
    if (from.start < next) writer.skip(next - from.start);
    write_events(page.header, page.words, from.first, from.count, &writer);
    Protocol::unpin(as_atomic(page.header.state));
    *actual_count += writer.written();
  }
  // Nothing is left from there on: what was asked for is behind the last part.
  if (*actual_count == 0 && count != 0) *actual_start = total_;
}

uint64_t EventIndex::oldest_in(uint32_t begin, uint32_t end) const {
  const RingPages ring = ring_pages();
  for (uint64_t number = oldest_part(); number < part_count_; ++number) {
    const EventPart& at = part(number);
    const uint32_t page = static_cast<uint32_t>(at.ticket % ring.count);
    if (page >= begin && page < end && Protocol::ticket_of(as_atomic(ring.pages[page].header.state)) == at.ticket)
      return at.start;
  }
  return UINT64_MAX;
}

namespace {

const char* string_or_null(uint32_t id) {
  flamelet_string string = {};
  return id != 0 && get_string(id, &string) ? string.text : nullptr;
}

}  // namespace

void EventWriter::emit(char type, uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings, bool missing) {
  if (!emitting_) return;
  ++seen_;
  if (skip_ != 0) {
    --skip_;
    return;
  }
  if (written_ == capacity_) return;
  flamelet_event& event = dest_[written_++];
  memset(&event, 0, sizeof(event));
  event.time_ticks = ticks;
  event.id = id;
  event.track = track_;
  event.type = type;
  event.missing_end = missing;
  if (site == kNoSite) event.name = string_or_null(strings_name(strings));
  SiteRecord record;
  if (site != kNoSite && get_site(site, &record)) {
    const uint32_t dynamic = strings_name(strings);
    event.name = string_or_null(dynamic != 0 ? dynamic : record.name);
    event.category = string_or_null(record.category);
    event.object = string_or_null(strings_object(strings));
  }
}

uint64_t write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count,
                      EventWriter* writer) {
  ReplayCursor cursor = page_start(header);
  replay(WordRun{words, first, header.base_ticks}, UINT64_MAX, &cursor, *writer);
  const uint64_t before = cursor.events;
  writer->set_emitting(true);
  replay(WordRun{words, count, header.base_ticks}, UINT64_MAX, &cursor, *writer);
  return cursor.events - before;
}

uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count) {
  if (count > kPageWords || header.open_count > FLAMELET_MAX_DEPTH || 2 * header.open_count > count) return 0;
  ReplayCursor cursor = page_start(header);
  IgnoreEvents visitor;
  RepairCounts counts = {};
  check(WordRun{words, count, header.base_ticks}, &cursor, visitor, &counts);
  return cursor.at;
}

}  // namespace flamelet

// SPDX-License-Identifier: MIT
//
// events.cpp: the words of a page as public events; the life of a flamelet_events, and its calls.
#include "flamelet/events.h"

#include <string.h>

#include <new>

#include "flamelet/detail/sums.h"
#include "platform/engine_memory.h"
#include "record/replay.h"
#include "record/ring_reader.h"

namespace flamelet {

// Event index: global indices for the events in the ring, without copying them. The index lists *parts*: words
// [first, count) of one use of one page hold the events [start, start + events). A part is made when a call first sees
// those words; its events are decoded again, from the page, when they are asked for.
//
// What was overwritten before it was seen gets indices and no part:
//   - in front of a page that was seen: that page's first_event tells how many there were;
//   - behind the last page of a track that ended: what the tracks of its slot recorded together tells it.
// An index that was given for a lost event stays that. A page that still comes late (it was held by 255 other readers, for
// example) is left out, or its events would be counted twice.

struct EventPart {
  uint64_t ticket;
  uint64_t start;
  uint32_t events;
  uint16_t first;
  uint16_t count;
};

// Under a SessionGuard; one thread at a time.
class EventIndex {
 public:
  EventIndex(EventPart* parts, uint32_t limit) : parts_(parts), limit_(limit) {}

  // Gives indices to what is new. False: the recorder stopped.
  bool refresh();
  uint64_t total() const { return total_; }
  void copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start, size_t* actual_count);
  // The smallest index of an event in pages [begin, end), or UINT64_MAX.
  uint64_t oldest_in(uint32_t begin, uint32_t end) const;

 private:
  static constexpr uint32_t kSlots = kTrackSlots;

  // How far a slot's tracks have indices. Ids of tracks rise, and a slot has one after the other.
  struct Slot {
    uint32_t track;    // the newest that was seen
    uint32_t settled;  // this track and those before it are done with
    uint64_t events;   // of `track`, with indices
    uint64_t before;   // of the tracks before it, with indices
  };

  void begin_session(uint32_t session);
  static void on_part(void* self, const PagePart& part);
  bool admit(const PagePart& part);
  void settle(Slot* slot, const SlotEnds& ends);
  const EventPart& part(uint64_t number) const { return parts_[number % limit_]; }
  uint64_t oldest_part() const { return part_count_ > limit_ ? part_count_ - limit_ : 0; }

  RingReader reader_;
  EventPart* parts_;  // a ring: part n is parts_[n % limit_]
  uint32_t limit_;
  uint32_t session_ = 0;
  uint64_t part_count_ = 0;
  uint64_t total_ = 0;
  Slot slots_[kSlots] = {};
};

// Writes the events of a page in their public form. It follows the open scopes, so that an end repeats its begin's name.
class EventWriter {
 public:
  EventWriter(const PageHeader& header, const uint64_t* words, flamelet_event* dest, size_t capacity)
      : dest_(dest), capacity_(capacity), track_(header.track) {
    open(OpenBlock{words, header.open_count});
  }

  void set_emitting(bool emitting) { emitting_ = emitting; }
  void skip(uint64_t events) { skip_ = events; }
  size_t seen() const { return seen_; }  // events, written or not
  size_t written() const { return written_; }

  void begin(uint64_t ticks, uint32_t level, uint64_t id, uint32_t site, uint64_t strings) {
    open_[level] = {id, site, strings};
    emit('B', ticks, id_of_open(open_, level), site, strings, false);
  }
  void end(uint64_t ticks, uint32_t level, bool missing) {
    emit('E', ticks, id_of_open(open_, level), open_[level].site, open_[level].strings, missing);
  }
  void fiber(uint64_t ticks, uint32_t, const FiberChange& change) {
    emit('W', ticks, uint64_t{change.from} | uint64_t{change.to} << 32, kNoSite, 0, false);
    open(change.block);
  }
  void fiber_end(uint64_t ticks, uint32_t fiber, uint32_t depth) {
    emit('D', ticks, uint64_t{fiber} | uint64_t{depth} << 32, kNoSite, 0, depth != 0);
  }
  void point(uint64_t ticks, const PointEvent& point) {
    emit(letter_of(point.kind), ticks, point.bits, point.site, point.strings, false);
  }
  void frame(uint64_t ticks, const FrameMark& mark) { emit('M', ticks, mark.index, kNoSite, 0, false); }
  void named_frame(uint64_t ticks, uint32_t set, uint64_t index, bool) {
    emit('m', ticks, index, kNoSite, make_strings(set, 0), false);
  }
  void interval_begin(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
    emit('S', ticks, id, site, strings, false);
  }
  void interval_end(uint64_t ticks, uint64_t id) { emit('F', ticks, id, kNoSite, 0, false); }
  void thread_switch(uint64_t ticks, const SwitchEvent& event) {
    emit('X', ticks, write_switch(event), kNoSite, 0, false);
  }
  void span(const SubmittedSpan& span) {
    emit('B', span.begin_ticks, span.id, span.site, span.strings, false);
    emit('E', span.end_ticks, span.id, span.site, span.strings, false);
  }
  void flow(uint64_t ticks, const FlowEvent& flow) { emit(flow.ends ? 'f' : 's', ticks, flow.id, kNoSite, 0, false); }
  void submitted_point(uint64_t ticks, const PointEvent& submitted) { point(ticks, submitted); }
  void submitted_flow(uint64_t ticks, const FlowEvent& submitted) { flow(ticks, submitted); }

 private:
  static constexpr uint32_t kNoSite = UINT32_MAX;
  struct Open {
    uint64_t id;  // its word: page.h
    uint32_t site;
    uint64_t strings;
  };

  static char letter_of(PointKind kind) {
    switch (kind) {
      case PointKind::kInstant:
        return 'I';
      case PointKind::kCounter:
        return 'C';
    }
    return 0;
  }
  void open(const OpenBlock& block) {
    for (uint32_t i = 0; i < block.count; ++i) open_[i] = {block.id(i), block.site(i), block.strings(i)};
  }
  void emit(char type, uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings, bool missing);

  flamelet_event* dest_;
  size_t capacity_;
  uint32_t track_;
  bool emitting_ = false;
  uint64_t skip_ = 0;
  size_t seen_ = 0;
  size_t written_ = 0;
  Open open_[FLAMELET_MAX_DEPTH];
};

// Writes the events of words [first, count) of a page. The words before them only tell what is open. Returns how many
// events they are as the recorder counts them: a NEXT is one.
uint64_t write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count,
                      EventWriter* writer);

// How many of the first `count` words can be played.
uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count);

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
  const auto is_begun = [&](uint64_t number) { return part(number).start <= start; };
  for (uint64_t number = first_not(oldest_part() + 1, part_count_, is_begun) - 1;
       number < part_count_ && *actual_count < count; ++number) {
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

// ---- Calls

using namespace flamelet;

struct flamelet_events {
  flamelet_allocator allocator;
  size_t memory_bytes;
  EventIndex index;
};

namespace {

constexpr uint32_t kEventsCookie = 0x666C6576;

struct Places {
  flamelet_events* events;
  EventPart* parts;
};

size_t lay_out(const flamelet_events_config& config, char* base, Places* places) {
  Carver carver(base);
  places->events = carver.take<flamelet_events>(1);
  places->parts = carver.take<EventPart>(config.max_parts);
  return carver.used();
}

bool is_valid(const flamelet_events_config* config) {
  return config != nullptr && config->cookie == kEventsCookie && config->max_parts >= 1 &&
         config->max_parts <= (1u << 24) &&
         (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

}  // namespace

flamelet_events_config flamelet_events_config_default(void) {
  flamelet_events_config config;
  memset(&config, 0, sizeof(config));
  config.cookie = kEventsCookie;
  config.max_parts = 16384;
  return config;
}

size_t flamelet_events_memory_required(const flamelet_events_config* config) {
  Places places;
  return is_valid(config) ? lay_out(*config, nullptr, &places) : 0;
}

flamelet_result flamelet_events_create(const flamelet_events_config* config, flamelet_events** events) {
  if (events == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *events = nullptr;
  const size_t bytes = flamelet_events_memory_required(config);
  if (bytes == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kFilledOnce);
  void* memory;
  const flamelet_result taken = take_memory(allocator, bytes, alignof(flamelet_events), &memory);
  if (taken != FLAMELET_OK) return taken;
  Places places;
  lay_out(*config, static_cast<char*>(memory), &places);
  *events = new (places.events) flamelet_events{allocator, bytes, EventIndex(places.parts, config->max_parts)};
  return FLAMELET_OK;
}

void flamelet_events_destroy(flamelet_events* events) {
  if (events == nullptr) return;
  const flamelet_allocator allocator = events->allocator;
  allocator.free(allocator.user, events, events->memory_bytes, alignof(flamelet_events));
}

double flamelet_event_value(const flamelet_event* event) {
  if (event == nullptr) return 0;
  double value;
  memcpy(&value, &event->id, sizeof(value));
  return value;
}

flamelet_result flamelet_events_copy(flamelet_events* events, flamelet_event* dest, uint64_t start, size_t count,
                                     uint64_t* actual_start, size_t* actual_count) {
  if (events == nullptr || actual_start == nullptr || actual_count == nullptr || (dest == nullptr && count != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  *actual_start = 0;
  *actual_count = 0;
  const SessionGuard guard;
  if (!guard) return FLAMELET_ERROR_NOT_INITIALIZED;
  const bool running = events->index.refresh();
  if (running) events->index.copy(dest, start, count, actual_start, actual_count);
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}

flamelet_result flamelet_events_buffer(flamelet_events* events, flamelet_buffer* buffer) {
  if (events == nullptr || buffer == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  memset(buffer, 0, sizeof(*buffer));
  buffer->parts[0].start = buffer->parts[1].start = UINT64_MAX;
  const SessionGuard guard;
  if (!guard) return FLAMELET_ERROR_NOT_INITIALIZED;
  const bool running = events->index.refresh();
  if (running) {
    const RingPages ring = ring_pages();
    const uint32_t wrap = static_cast<uint32_t>(ring.head % ring.count);
    buffer->total_recorded = events->index.total();
    buffer->parts[0] = {&ring.pages[wrap], ring.count - wrap, events->index.oldest_in(wrap, ring.count)};
    if (wrap != 0) buffer->parts[1] = {ring.pages, wrap, events->index.oldest_in(0, wrap)};
  }
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}

bool flamelet_events_pin_page(const void* page) {
  return pin_page(page);
}

void flamelet_events_unpin_page(const void* page) {
  unpin_page(page);
}

size_t flamelet_events_decode_page(const void* address, flamelet_event* events, size_t capacity) {
  if (events == nullptr) capacity = 0;
  const SessionGuard guard;
  if (!guard) return 0;
  size_t count = 0;
  // A copy, so that what is checked is what is decoded, whatever happens to an unpinned page meanwhile.
  PageHeader header;
  uint64_t words[kPageWords];
  const uint32_t word_count = copy_page(address, &header, words);
  const uint32_t sound = word_count == 0 ? 0 : sound_words(header, words, word_count);
  if (sound != 0) {
    EventWriter writer(header, words, events, capacity);
    write_events(header, words, 2 * header.open_count, sound, &writer);
    count = writer.seen();
  }
  return count;
}

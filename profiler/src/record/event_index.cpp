// SPDX-License-Identifier: MIT
#include "record/event_index.h"

#include <string.h>

#include "record/decoder.h"
#include "record/session.h"

namespace flamelet {
namespace {

const char* string_or_null(uint32_t id) {
  size_t size;
  return id == 0 ? nullptr : recorder.strings.text(id, &size);
}

// Writes the events of a page in their public form. Follows the open scopes, so that an end can repeat its begin's name.
class EventWriter : public IgnoreEvents {
 public:
  EventWriter(const PageHeader& header, const uint64_t* words, flamelet_event* dest, size_t capacity)
      : dest_(dest), capacity_(capacity), track_(header.track) {
    open(OpenBlock{words, header.open_count});
  }

  void set_emitting(bool emitting) { emitting_ = emitting; }
  void skip(uint64_t events) { skip_ = events; }
  size_t seen() const { return seen_; }  // events, written or not
  size_t written() const { return written_; }

  void begin(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
    if (depth_ < FLAMELET_MAX_DEPTH) open_[depth_] = {id, site, strings};
    ++depth_;
    emit('B', ticks, id, site, strings, false);
  }
  void end(uint64_t ticks) { end_innermost(ticks, false); }
  void end_to(uint64_t ticks, uint32_t depth) {
    while (depth_ > depth + 1) end_innermost(ticks, true);
    if (depth_ == depth + 1) end_innermost(ticks, false);
  }
  void fiber(uint64_t ticks, const OpenBlock& block) {
    emit('W', ticks, block.pairs[-1], kNoSite, 0, false);  // the payload stands before the block
    open(block);
  }
  void other(uint64_t ticks, WordType type, uint32_t id, uint64_t word, const uint64_t* payload) {
    switch (type) {
      case WordType::kInstant:
        return emit('I', ticks, 0, id, payload[0], false);
      case WordType::kCounter:
        return emit('C', ticks, payload[0], id, 0, false);
      case WordType::kFrame:
        return emit('M', ticks, payload[0] & ~kFramePartialBit, kNoSite, 0, false);
      case WordType::kStart:
        return emit('S', ticks, interval_id(word, payload[0]), id, payload[0], false);
      case WordType::kFinish:
        return emit('F', ticks, payload[0], kNoSite, 0, false);
      case WordType::kSpan:
        emit('B', payload[0], payload[2], id, payload[3], false);
        return emit('E', payload[1], payload[2], id, payload[3], false);
      case WordType::kPoint:
        return emit('I', payload[0], 0, id, payload[1], false);
      default:
        return;  // the words were checked: every other type has a member of its own
    }
  }

 private:
  static constexpr uint32_t kNoSite = UINT32_MAX;
  struct Open {
    uint64_t id;
    uint32_t site;
    uint64_t strings;
  };

  void open(const OpenBlock& block) {
    depth_ = block.count;
    for (uint32_t i = 0; i < depth_; ++i) open_[i] = {block.id(i), block.site(i), block.strings(i)};
  }
  void end_innermost(uint64_t ticks, bool missing) {
    if (depth_ == 0) return;
    --depth_;
    if (depth_ >= FLAMELET_MAX_DEPTH) return;
    emit('E', ticks, open_[depth_].id, open_[depth_].site, open_[depth_].strings, missing);
  }
  void emit(char type, uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings, bool missing) {
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
    event.reserved[0] = missing ? 1 : 0;
    SiteRecord record;
    if (site != kNoSite && get_site(site, &record)) {
      const uint32_t dynamic = strings_name(strings);
      event.name = string_or_null(dynamic != 0 ? dynamic : record.name);
      event.category = string_or_null(record.category);
      event.object = string_or_null(strings_object(strings));
    }
  }

  flamelet_event* dest_;
  size_t capacity_;
  uint32_t track_;
  bool emitting_ = false;
  uint64_t skip_ = 0;
  size_t seen_ = 0;
  size_t written_ = 0;
  uint32_t depth_ = 0;
  Open open_[FLAMELET_MAX_DEPTH];
};

// Words [first, count) of a page, the ones before them only for what is open.
void write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count,
                  EventWriter* writer) {
  DecodeCursor cursor = {2 * header.open_count, 0};
  decode(WordRun{words, first, header.base_ticks}, UINT64_MAX, &cursor, *writer);
  writer->set_emitting(true);
  decode(WordRun{words, count, header.base_ticks}, UINT64_MAX, &cursor, *writer);
}

// As the recorder counts them: a NEXT is one event.
uint64_t count_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count) {
  uint64_t events = 0;
  for (uint32_t at = first; at < count; ++events) {
    const uint32_t code = word_code(words[at], word_ticks(words[at], header.base_ticks));
    at += 1u + kPayloadWords[static_cast<uint32_t>(code_type(code))] +
          (code_type(code) == WordType::kFiber ? 2 * code_id(code) : 0);
  }
  return events;
}

// How many of the first `count` words can be decoded: known types, with their payload and re-open pairs inside.
uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count) {
  if (count > kPageWords || header.open_count > FLAMELET_MAX_DEPTH || 2 * header.open_count > count) return 0;
  uint32_t at = 2 * header.open_count;
  while (at < count) {
    const uint32_t code = word_code(words[at], word_ticks(words[at], header.base_ticks));
    const uint32_t type = static_cast<uint32_t>(code_type(code));
    if (type >= kWordTypes || code_type(code) == WordType::kReopen) break;
    uint32_t size = 1u + kPayloadWords[type];
    if (code_type(code) == WordType::kFiber) {
      if (code_id(code) > FLAMELET_MAX_DEPTH) break;
      size += 2 * code_id(code);
    }
    if (size > count - at) break;
    at += size;
  }
  return at;
}

void lock_index() {
  uint32_t unlocked = 0;
  // acquire and release: the index passes from one caller to the next.
  while (!__atomic_compare_exchange_n(&recorder.index_lock, &unlocked, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    unlocked = 0;
    yield_thread();
  }
}
void unlock_index() {
  __atomic_store_n(&recorder.index_lock, 0u, __ATOMIC_RELEASE);
}

// The page that `address` is the start of, or NULL.
Page* page_at(const void* address) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(recorder.pages);
  if (offset % kPageBytes != 0 || offset / kPageBytes >= recorder.page_count) return nullptr;
  return &recorder.pages[offset / kPageBytes];
}

}  // namespace

void EventIndex::on_part(void* self, const PagePart& part) {
  EventIndex& index = *static_cast<EventIndex*>(self);
  const uint32_t first = part.first == 0 ? 2 * part.header->open_count : part.first;
  Expected& expected = index.expected_[part.header->slot];
  if (part.first == 0) {
    if (expected.track != part.header->track) expected = {part.header->track, 0};
    index.total_ += part.header->first_event - expected.event;  // they had indices, and are gone
    expected.event = part.header->first_event;
  }
  expected.event += count_events(*part.header, part.words, first, part.count);
  EventWriter counter(*part.header, part.words, nullptr, 0);
  write_events(*part.header, part.words, first, part.count, &counter);
  if (counter.seen() == 0) return;
  index.parts_[index.part_count_++ % index.limit_] = {part.ticket, index.total_, static_cast<uint32_t>(counter.seen()),
                                                      static_cast<uint16_t>(first), static_cast<uint16_t>(part.count)};
  index.total_ += counter.seen();
}

void EventIndex::refresh() {
  reader_.poll(on_part, this);
}

flamelet_result EventIndex::copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start,
                                 size_t* actual_count) {
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
    if (from.start + from.events <= *actual_start) continue;
    Page& page = recorder.pages[from.ticket % recorder.page_count];
    Protocol::Pin pin = Protocol::pin(page.header.state, from.ticket);
    for (int tries = 0; pin == Protocol::Pin::kBusy && tries < 1000; ++tries) {
      yield_thread();
      pin = Protocol::pin(page.header.state, from.ticket);
    }
    if (pin == Protocol::Pin::kPinned) {
      if (*actual_start < from.start && *actual_count == 0) *actual_start = from.start;
      EventWriter writer(page.header, page.words, dest + *actual_count, count - *actual_count);
      if (*actual_start > from.start && *actual_count == 0) writer.skip(*actual_start - from.start);
      write_events(page.header, page.words, from.first, from.count, &writer);
      Protocol::unpin(page.header.state);
      *actual_count += writer.written();
    } else if (*actual_count != 0 || pin == Protocol::Pin::kBusy) {
      break;  // no gap inside an answer; and what another reader holds is there for the next call
    } else {
      *actual_start = from.start + from.events;
    }
  }
  return FLAMELET_OK;
}

uint64_t EventIndex::oldest_in(uint32_t begin, uint32_t end) const {
  for (uint64_t number = oldest_part(); number < part_count_; ++number) {
    const EventPart& at = part(number);
    const uint32_t page = static_cast<uint32_t>(at.ticket % recorder.page_count);
    if (page >= begin && page < end && Protocol::ticket_of(recorder.pages[page].header.state) == at.ticket)
      return at.start;
  }
  return UINT64_MAX;
}

}  // namespace flamelet

using namespace flamelet;

double flamelet_event_value(const flamelet_event* event) {
  if (event == nullptr) return 0;
  double value;
  memcpy(&value, &event->id, sizeof(value));
  return value;
}

flamelet_result flamelet_copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start,
                              size_t* actual_count) {
  if (actual_start == nullptr || actual_count == nullptr || (dest == nullptr && count != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  *actual_start = 0;
  *actual_count = 0;
  if (!begin_read()) return FLAMELET_ERROR_NOT_INITIALIZED;
  flamelet_result result = FLAMELET_ERROR_LIMIT;
  if (recorder.event_index != nullptr) {
    lock_index();
    recorder.event_index->refresh();
    result = recorder.event_index->copy(dest, start, count, actual_start, actual_count);
    unlock_index();
  }
  end_read();
  return result;
}

flamelet_result flamelet_get_buffer(flamelet_buffer* buffer) {
  if (buffer == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  memset(buffer, 0, sizeof(*buffer));
  buffer->parts[0].start = buffer->parts[1].start = UINT64_MAX;
  if (!begin_read()) return FLAMELET_ERROR_NOT_INITIALIZED;
  flamelet_result result = FLAMELET_ERROR_LIMIT;
  if (recorder.event_index != nullptr) {
    lock_index();
    recorder.event_index->refresh();
    const uint32_t wrap = static_cast<uint32_t>(Protocol::head(recorder.head) % recorder.page_count);
    buffer->total_recorded = recorder.event_index->total();
    buffer->parts[0] = {&recorder.pages[wrap], recorder.page_count - wrap,
                        recorder.event_index->oldest_in(wrap, recorder.page_count)};
    if (wrap != 0) buffer->parts[1] = {recorder.pages, wrap, recorder.event_index->oldest_in(0, wrap)};
    unlock_index();
    result = FLAMELET_OK;
  }
  end_read();
  return result;
}

// The pin keeps begin_read() until the unpin, so the shutdown cannot free the page.
bool flamelet_pin_page(const void* address) {
  if (!begin_read()) return false;
  Page* page = page_at(address);
  if (page != nullptr) {
    const uint64_t ticket = Protocol::ticket_of(page->header.state);
    if (ticket != 0 && Protocol::pin(page->header.state, ticket) == Protocol::Pin::kPinned) return true;
  }
  end_read();
  return false;
}

void flamelet_unpin_page(const void* address) {
  // No begin_read(): the pin holds one, and has to give it back also while a shutdown waits for it.
  if (static_cast<State>(peek(&recorder.state)) == State::kStopped) return;
  Page* page = page_at(address);
  if (page != nullptr && Protocol::unpin_if_pinned(page->header.state)) end_read();
}

size_t flamelet_decode_page(const void* address, flamelet_event* events, size_t capacity) {
  if (events == nullptr) capacity = 0;
  if (!begin_read()) return 0;
  size_t count = 0;
  Page* page = page_at(address);
  if (page != nullptr) {
    const uint64_t ticket = Protocol::ticket_of(page->header.state);
    uint32_t words = 0;
    if (ticket != 0 && Protocol::count(
                           page->header.commit, ticket, [page] { return page_cursor_words(page); }, &words) !=
                           Protocol::Count::kNotOpen) {
      // A copy, so that what is checked is what is decoded, whatever happens to an unpinned page meanwhile.
      PageHeader header;
      uint64_t copy[kPageWords];
      memcpy(&header, &page->header, sizeof(header));
      memcpy(copy, page->words, sizeof(uint64_t) * (words < kPageWords ? words : kPageWords));
      const uint32_t sound = sound_words(header, copy, words);
      if (sound != 0) {
        EventWriter writer(header, copy, events, capacity);
        write_events(header, copy, 2 * header.open_count, sound, &writer);
        count = writer.seen();
      }
    }
  }
  end_read();
  return count;
}

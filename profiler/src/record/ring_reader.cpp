// SPDX-License-Identifier: MIT
#include "record/ring_reader.h"

#include <string.h>

#include "record/session.h"

namespace flamelet {
namespace {

// The page that `address` is the start of, or NULL.
Page* page_at(const void* address) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(recorder.pages);
  if (offset % kPageBytes != 0 || offset / kPageBytes >= recorder.page_count) return nullptr;
  return &recorder.pages[offset / kPageBytes];
}

}  // namespace

// A cursor on the page's end is still in it: no cursor ever stands
// on the first byte of a page, where the header is.
int64_t page_cursor_words(const Page* page) {
  const uint32_t slot = page->header.slot;
  const uint64_t* cursor = __atomic_load_n(&tracks[slot].head.cursor, __ATOMIC_ACQUIRE);  // pairs with the commits
  const uintptr_t begin = reinterpret_cast<uintptr_t>(page->words);
  const uintptr_t at = reinterpret_cast<uintptr_t>(cursor);
  if (at < begin || at > begin + sizeof(page->words)) return -1;
  return static_cast<int64_t>((at - begin) / 8);
}

bool RingReader::poll(PartFunction function, void* user) {
  if (!begin_read()) return false;
  if (session_ != recorder.session) {
    session_ = recorder.session;
    walk_.start();
  }
  sweep_old_pages();
  walk_.pass([](uint32_t index) { return page_cursor_words(&recorder.pages[index]); },
             [=](uint64_t ticket, uint32_t index, uint32_t first, uint32_t words, bool closed) {
               const Page& page = recorder.pages[index];
               function(user, {ticket, &page.header, page.words, first, words, closed});
             });
  end_read();
  return true;
}

uint32_t running_session() {
  return peek(&recorder.session);
}
uint32_t string_count() {
  return recorder.strings.count();
}
uint32_t site_count() {
  return recorder.sites.count();
}

void count_extra_end() {
  if (!begin_read()) return;
  count(&recorder.extra_ends);
  end_read();
}

bool get_string(uint32_t id, flamelet_string* text) {
  text->text = recorder.strings.text(id, &text->size);
  return text->text != nullptr;
}

bool get_site(uint32_t id, SiteRecord* site) {
  size_t size = 0;
  const char* bytes = recorder.sites.text(id, &size);
  if (bytes == nullptr || size != sizeof(*site)) return false;
  __builtin_memcpy(site, bytes, sizeof(*site));
  return true;
}

uint32_t track_slots() {
  return FLAMELET_MAX_TRACKS + recorder.config.max_fibers;
}

bool get_track(uint32_t slot, TrackRecord* record) {
  *record = {};
  if (slot >= FLAMELET_MAX_TRACKS) {
    const SavedStack& fiber = recorder.fibers[slot - FLAMELET_MAX_TRACKS];
    // Pairs with the releases of the create.
    record->id = record->fiber = __atomic_load_n(&fiber.id, __ATOMIC_ACQUIRE);
    record->name = __atomic_load_n(&fiber.name, __ATOMIC_ACQUIRE);
    record->ended = peek(&fiber.state) == kFiberFree;  // relaxed: nothing is read because of it
    return record->id != 0 && peek(&fiber.id) == record->id;
  }
  const Track& track = tracks[slot];
  // acquire, here and in events_of(): pairs with the releases in set_up(), and of the naming.
  record->id = __atomic_load_n(&track.id, __ATOMIC_ACQUIRE);
  record->kind = static_cast<flamelet_track_kind>(__atomic_load_n(&track.kind, __ATOMIC_ACQUIRE));
  record->name = __atomic_load_n(&track.name, __ATOMIC_ACQUIRE);
  record->ended = __atomic_load_n(&track.state, __ATOMIC_ACQUIRE) == kTrackFree;  // pairs with that of the release
  record->events = events_of(track);
  const bool current = __atomic_load_n(&track.session, __ATOMIC_ACQUIRE) == recorder.session;
  // Recycled meanwhile: some of the above is of the next user. The next call gets it whole.
  return record->id != 0 && current && peek(&track.id) == record->id;
}

uint64_t ended_events() {
  return peek(&recorder.retired_events);
}

SlotEnds slot_ends(uint32_t slot) {
  // acquire: pairs with the release of the count in release_track(), which comes after the id and the track's pages.
  const uint64_t events = __atomic_load_n(&tracks[slot].ended_events, __ATOMIC_ACQUIRE);
  return {peek(&tracks[slot].ended_id), events};
}

RingPages ring_pages() {
  return {recorder.pages, recorder.page_count, Protocol::head(recorder.head)};
}

Protocol::Pin pin_ticket(Page* page, uint64_t ticket) {
  Protocol::Pin pin = Protocol::pin(page->header.state, ticket);
  for (int tries = 0; pin == Protocol::Pin::kBusy && tries < 1000; ++tries) {
    yield_thread();
    pin = Protocol::pin(page->header.state, ticket);
  }
  return pin;
}

bool pin_page(const void* address) {
  if (!begin_read()) return false;
  Page* page = page_at(address);
  if (page != nullptr) {
    const uint64_t ticket = Protocol::ticket_of(page->header.state);
    if (ticket != 0 && Protocol::pin(page->header.state, ticket) == Protocol::Pin::kPinned) return true;
  }
  end_read();
  return false;
}

void unpin_page(const void* address) {
  // No begin_read(): the pin holds one, and has to give it back also while a shutdown waits for it.
  if (static_cast<State>(peek(&recorder.state)) == State::kStopped) return;
  Page* page = page_at(address);
  if (page != nullptr && Protocol::unpin_if_pinned(page->header.state)) end_read();
}

uint32_t copy_page(const void* address, PageHeader* header, uint64_t (&words)[kPageWords]) {
  Page* page = page_at(address);
  if (page == nullptr) return 0;
  const uint64_t ticket = Protocol::ticket_of(page->header.state);
  uint32_t count = 0;
  if (ticket == 0 ||
      Protocol::count(
          page->header.commit, ticket, [page] { return page_cursor_words(page); }, &count) == Protocol::Count::kNotOpen)
    return 0;
  if (count > kPageWords) count = kPageWords;
  memcpy(header, &page->header, sizeof(*header));
  memcpy(words, page->words, sizeof(uint64_t) * count);
  return count;
}

}  // namespace flamelet

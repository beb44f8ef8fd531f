// SPDX-License-Identifier: MIT
#include "record/ring_reader.h"

#include <string.h>

#include "record/frame.h"
#include "record/names.h"
#include "record/session.h"
#include "record/thread.h"
#include "record/track.h"

namespace flamelet {
namespace {

// The page that `address` is the start of, or NULL.
Page* page_at(const void* address) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(page_ring.pages);
  if (offset % kPageBytes != 0 || offset / kPageBytes >= page_ring.page_count) return nullptr;
  return &page_ring.pages[offset / kPageBytes];
}

}  // namespace

// A cursor on the page's end is still in it: no cursor ever stands
// on the first byte of a page, where the header is.
int64_t page_cursor_words(const Page* page) {
  const uint32_t slot = page->header.slot;
  const uint64_t* cursor = as_atomic(tracks[slot].head.cursor).load_acquire();  // pairs with the commits
  const uintptr_t begin = reinterpret_cast<uintptr_t>(page->words);
  const uintptr_t at = reinterpret_cast<uintptr_t>(cursor);
  if (at < begin || at > begin + sizeof(page->words)) return -1;
  return static_cast<int64_t>((at - begin) / 8);
}

bool RingReader::poll(PartFunction function, void* user) {
  const SessionGuard guard;
  if (!guard) return false;
  const uint32_t session = recorder.session.load_relaxed();
  if (session_ != session) {
    session_ = session;
    walk_.start();
  }
  sweep_old_pages();
  drain_switches();
  walk_.pass([](uint32_t index) { return page_cursor_words(&page_ring.pages[index]); },
             [=](uint64_t ticket, uint32_t index, uint32_t first, uint32_t words, bool closed) {
               const Page& page = page_ring.pages[index];
               function(user, {ticket, &page.header, page.words, first, words, closed});
             });
  return true;
}

uint32_t running_session() {
  return recorder.session.load_relaxed();
}

bool get_ring_size(RingSize* size) {
  *size = {};
  const SessionGuard guard;
  if (!guard) return false;
  size->pages = page_ring.page_count;
  size->sites = recorder.config.max_sites;
  size->strings = recorder.config.max_strings;
  size->string_bytes = recorder.config.string_bytes;
  size->has_fibers = recorder.config.max_fibers != 0;
  size->has_switches = switch_states() == FLAMELET_THREAD_STATES_RECORDED;
  return true;
}

uint32_t string_count() {
  return names.strings.count();
}
uint32_t site_count() {
  return names.sites.count();
}

void count_extra_end() {
  const SessionGuard guard;
  if (!guard) return;
  count_drop(nullptr, kExtraEnds);
}

bool get_string(uint32_t id, flamelet_string* text) {
  text->text = names.strings.text(id, &text->size);
  return text->text != nullptr;
}

bool get_site(uint32_t id, SiteRecord* site) {
  size_t size = 0;
  const char* bytes = names.sites.text(id, &size);
  if (bytes == nullptr || size != sizeof(*site)) return false;
  __builtin_memcpy(site, bytes, sizeof(*site));
  return true;
}

uint32_t track_slots() {
  return FLAMELET_MAX_TRACKS + recorder.config.max_fibers;
}

uint32_t used_track_slots() {
  return used_slots();
}

bool get_track(uint32_t slot, TrackRecord* record) {
  *record = {};
  if (slot >= FLAMELET_MAX_TRACKS) {
    const SavedStack& fiber = fibers.places[slot - FLAMELET_MAX_TRACKS];
    // Pairs with the releases of the create.
    record->id = record->fiber = fiber.id.load_acquire();
    record->name = fiber.name.load_acquire();
    record->ended = fiber.state.load_relaxed() == kFiberFree;  // relaxed: nothing is read because of it
    return record->id != 0 && fiber.id.load_relaxed() == record->id;
  }
  const Track& track = tracks[slot];
  // acquire, here and in events_of(): pairs with the releases in set_up(), and of the naming.
  record->id = track.id.load_acquire();
  record->kind = static_cast<flamelet_track_kind>(track.kind.load_acquire());
  record->name = track.name.load_acquire();
  record->ended = track.state.load_acquire() == kTrackFree;  // pairs with that of the release
  record->events = events_of(track);
  const bool current = track.session.load_acquire() == recorder.session.load_relaxed();
  // Recycled meanwhile: some of the above is of the next user. The next call gets it whole.
  return record->id != 0 && current && track.id.load_relaxed() == record->id;
}

bool get_fiber(uint32_t id, TrackRecord* fiber) {
  const uint32_t places = recorder.config.max_fibers;
  return id != 0 && places != 0 && get_track(FLAMELET_MAX_TRACKS + (id - 1) % places, fiber) && fiber->id == id;
}

uint64_t ended_events() {
  return track_totals.ended_events.load_relaxed();
}

SlotEnds slot_ends(uint32_t slot) {
  // acquire: pairs with the release of the count in release_track(), which comes after the id and the track's pages.
  const uint64_t events = tracks[slot].ended_events.load_acquire();
  return {tracks[slot].ended_id.load_relaxed(), events};
}

RingPages ring_pages() {
  return {page_ring.pages, page_ring.page_count, Protocol::newest(page_ring.next_ticket)};
}

Protocol::Pin pin_ticket(Page* page, uint64_t ticket) {
  Protocol::Pin pin = Protocol::pin(as_atomic(page->header.state), ticket);
  for (int tries = 0; pin == Protocol::Pin::kBusy && tries < 1000; ++tries) {
    yield_thread();
    pin = Protocol::pin(as_atomic(page->header.state), ticket);
  }
  return pin;
}

bool pin_page(const void* address) {
  if (!hold_session()) return false;
  Page* page = page_at(address);
  if (page != nullptr) {
    const uint64_t ticket = Protocol::ticket_of(as_atomic(page->header.state));
    if (ticket != 0 && Protocol::pin(as_atomic(page->header.state), ticket) == Protocol::Pin::kPinned) return true;
  }
  release_session();
  return false;
}

void unpin_page(const void* address) {
  // No guard: the pin holds the session, and has to give it back also while a shutdown waits for it.
  if (recorder.state.load_relaxed() == State::kStopped) return;
  Page* page = page_at(address);
  if (page != nullptr && Protocol::unpin_if_pinned(as_atomic(page->header.state))) release_session();
}

uint32_t copy_page(const void* address, PageHeader* header, uint64_t (&words)[kPageWords]) {
  Page* page = page_at(address);
  if (page == nullptr) return 0;
  const uint64_t ticket = Protocol::ticket_of(as_atomic(page->header.state));
  uint32_t count = 0;
  if (ticket == 0 || Protocol::count(
                         as_atomic(page->header.commit), ticket, [page] { return page_cursor_words(page); }, &count) ==
                         Protocol::Count::kNotOpen)
    return 0;
  if (count > kPageWords) count = kPageWords;
  memcpy(header, &page->header, sizeof(*header));
  memcpy(words, page->words, sizeof(uint64_t) * count);
  return count;
}

}  // namespace flamelet

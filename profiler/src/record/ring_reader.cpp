// SPDX-License-Identifier: MIT
#include "record/ring_reader.h"

#include "record/session.h"

namespace flamelet {
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

}  // namespace flamelet

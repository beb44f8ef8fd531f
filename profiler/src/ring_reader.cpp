// SPDX-License-Identifier: MIT
#include "ring_reader.h"

#include "session.h"

namespace flamelet {
namespace {

enum class Step {
  kDone,   // nothing more will come of this ticket
  kAgain,  // more may come
  kBusy,   // more is there, but the page has as many readers as it can have
};

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

namespace {

Step read_page(uint64_t ticket, uint32_t* words_read, RingReader::PartFunction function, void* user) {
  const uint32_t index = static_cast<uint32_t>(ticket % recorder.page_count);
  switch (Protocol::look_up(recorder.log[index], ticket)) {
    case Protocol::Ticket::kPending:
      return Step::kAgain;
    case Protocol::Ticket::kSkipped:
      return Step::kDone;
    case Protocol::Ticket::kTaken:
      break;
  }
  Page* page = &recorder.pages[index];
  switch (Protocol::pin(page->header.state, ticket)) {
    case Protocol::Pin::kGone:
      return Step::kDone;
    case Protocol::Pin::kBusy:
      return Step::kBusy;
    case Protocol::Pin::kPinned:
      break;
  }
  PagePart part = {ticket, &page->header, page->words, *words_read, 0, false};
  Step step = Step::kAgain;
  const Protocol::Count counted = Protocol::count(
      page->header.commit, ticket, [page] { return page_cursor_words(page); }, &part.count);
  if (counted != Protocol::Count::kNotOpen) {
    part.closed = counted == Protocol::Count::kClosed;
    // A closed page without news is handed out too: its header has become final.
    if (part.count > part.first || part.closed) function(user, part);
    *words_read = part.count;
    if (part.closed) step = Step::kDone;
  }
  Protocol::unpin(page->header.state);
  return step;
}

}  // namespace

// More than a lap behind: of the tickets before `end`, only those of pages that were owned or pinned all the time are
// left, at most one for each track and reader. In the order of their tickets, which is that of each track's events.
void RingReader::add_survivors(uint64_t end) {
  for (uint32_t i = 0; i < recorder.page_count && open_count_ < kMaxOpen; ++i) {
    // acquire: only for the kind of load that the protocol uses; pin() checks the ticket again.
    const uint64_t ticket = HardwareMemory::load_acquire(recorder.pages[i].header.state) >> Protocol::kTicketShift;
    if (ticket < next_ticket_ || ticket >= end) continue;
    uint32_t at = open_count_++;
    for (; at > 0 && open_[at - 1].ticket > ticket; --at) open_[at] = open_[at - 1];
    open_[at] = {ticket, 0};
  }
}

bool RingReader::poll(PartFunction function, void* user) {
  if (!begin_read()) return false;
  if (session_ != recorder.session) {
    session_ = recorder.session;
    next_ticket_ = recorder.page_count;
    open_count_ = 0;
  }
  // Before the open pages are read: a track's page that has a smaller ticket than `head` was preceded by the closing
  // of the one before, which the pass over the open pages then sees. So a track's pages come in their order.
  const uint64_t head = Protocol::head(recorder.head);
  sweep_old_pages();
  if (head - next_ticket_ > recorder.page_count) {
    add_survivors(head - recorder.page_count);
    next_ticket_ = head - recorder.page_count;
  }
  uint32_t kept = 0;
  bool busy = false;
  for (uint32_t i = 0; i < open_count_; ++i) {
    OpenPage open = open_[i];
    const Step step = read_page(open.ticket, &open.words, function, user);
    if (step != Step::kDone) open_[kept++] = open;
    busy |= step == Step::kBusy;
  }
  open_count_ = kept;
  // A page that could not be read ends the pass, so that none of the same track that comes after it is handed out before
  // it; and so does a full list. The rest is read by the next poll, if it is still there.
  while (next_ticket_ != head && open_count_ < kMaxOpen && !busy) {
    OpenPage open = {next_ticket_++, 0};
    const Step step = read_page(open.ticket, &open.words, function, user);
    if (step != Step::kDone) open_[open_count_++] = open;
    busy = step == Step::kBusy;
  }
  end_read();
  return true;
}

uint32_t string_count() {
  return recorder.strings.count();
}
uint32_t site_count() {
  return recorder.sites.count();
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
    const uint32_t id = __atomic_load_n(&fiber.id, __ATOMIC_ACQUIRE);  // pairs with the release of the create
    if (id == 0 || id == UINT32_MAX) return false;
    record->id = record->fiber = id;
    record->name = peek(&fiber.name);
    return true;
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

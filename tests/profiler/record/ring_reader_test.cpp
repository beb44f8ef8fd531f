// SPDX-License-Identifier: MIT
//
// What readers get of a ring that wraps, restarts, and is read by others too.
#include "record/ring_reader.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "record/thread.h"
#include "record/track.h"
#include "support/recording.h"

namespace ring_reader_test {

using namespace recorder_test;
using flamelet::PagePart;
using flamelet::RingReader;

namespace {

void record_scopes(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) FLAMELET_SCOPE("work");
}

// Enough events to go round the ring this often.
void wrap(double times) {
  record_scopes(static_cast<uint32_t>(times * stats().page_count * flamelet::kPageWords / 2));
}

std::vector<flamelet::Atomic<uint64_t>*> pin_all_pages() {
  std::vector<flamelet::Atomic<uint64_t>*> pinned;
  for (uint32_t i = 0; i < flamelet::page_ring.page_count; ++i) {
    pinned.push_back(&flamelet::Ring::state(i));
    REQUIRE(flamelet::Protocol::pin(*pinned[i], pinned[i]->load_relaxed() >> flamelet::Protocol::kTicketShift) ==
            flamelet::Protocol::Pin::kPinned);
  }
  return pinned;
}

}  // namespace

TEST_CASE_FIXTURE(RingReader, "ring reader: without a recorder there is nothing to read") {
  const RingReader::PartFunction function = [](void*, const PagePart&) { FAIL("nothing can come"); };
  CHECK_FALSE(poll(function, nullptr));
  { Recording recording; }
  CHECK_FALSE(poll(function, nullptr));
}

TEST_CASE_ON_EACH_CLOCK("ring reader: read often enough, nothing is lost however often the ring wraps") {
  EventReader reader;
  for (int i = 0; i < 40; ++i) {
    wrap(0.25);
    reader.read();
  }
  CHECK(reader.problem() == "");
  CHECK(reader.total_lost() == 0);
  CHECK(reader.total_read() == stats().events_recorded);
}

TEST_CASE("ring reader: after a wrap, what is read and what is lost are exactly what was recorded") {
  for_each_clock([](const flamelet_config& config) {
    for (double times : {0.9, 1.1, 2.5, 7.3}) {
      CAPTURE(times);
      Recording recording(config);
      EventReader reader;
      record_scopes(100);
      reader.read();
      wrap(times);
      reader.read();
      const TrackState& track = reader.track(flamelet_thread_id());
      CHECK(reader.problem() == "");
      CHECK(track.read + track.lost == find_track(track.id).record.events);
      CHECK(reader.total_read() + reader.total_lost() == stats().events_recorded);
      CHECK((track.lost > 0) == (times > 1));
      // The newest are there: all but a few pages of the ring.
      wrap(3);
      EventReader late;
      late.read();
      CHECK(late.track(track.id).read > (stats().page_count - 4) * (flamelet::kPageWords - 2));
      CHECK(late.track(track.id).read + late.track(track.id).lost == find_track(track.id).record.events);
    }
  });
}

TEST_CASE("ring reader: a gap gives its count and stands between its neighbours") {
  ManualClock clock;
  Recording recording(with_clock(small_config(), &clock));
  EventLog log;
  FLAMELET_SCOPE("stays open");
  FLAMELET_INSTANT("before");
  log.read();
  wrap(2);
  FLAMELET_INSTANT("after");
  REQUIRE(log.read_problem() == "");
  const std::vector<LoggedEvent>& events = log.events(flamelet_thread_id());
  uint64_t lost = 0;
  uint32_t gaps = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].text != "...") continue;
    ++gaps;
    REQUIRE(i > 0);
    REQUIRE(i + 1 < events.size());
    lost += events[i + 1].index - events[i - 1].index - 1;
    CHECK(events[i + 1].ticks > events[i - 1].ticks);
  }
  CHECK(gaps == 1);
  CHECK(lost == log.track(flamelet_thread_id()).lost);
  // The scope that was open before the gap is still named after it.
  REQUIRE(log.track(flamelet_thread_id()).open.size() == 1);
  CHECK(events.back().text == "!after");
}

TEST_CASE("ring reader: a quiet thread loses nothing while another one wraps the ring") {
  for (bool late : {false, true}) {
    CAPTURE(late);
    Recording recording;
    EventLog log;
    std::atomic<int> step{0};
    std::thread quiet([&step] {
      for (int i = 0; i < 20; ++i) {
        while (step != 2 * i + 1) std::this_thread::yield();
        FLAMELET_INSTANT("quiet");
        step = 2 * i + 2;
      }
      while (step != 100) std::this_thread::yield();  // its exit would give its page away
    });
    for (int i = 0; i < 20; ++i) {
      if (!late) log.read();
      step = 2 * i + 1;
      while (step != 2 * i + 2) std::this_thread::yield();
      wrap(1.3);
    }
    log.read();
    step = 100;
    quiet.join();
    REQUIRE(log.problem() == "");
    uint64_t found = 0;
    for (const auto& track : log.tracks())
      for (const LoggedEvent& event : log.events(track.first))
        if (event.text == "!quiet") ++found;
    CHECK(found == 20);
  }
}

TEST_CASE("ring reader: a restart is read from its beginning") {
  RingReader reader;
  std::vector<uint32_t> sessions;
  for (int i = 0; i < 3; ++i) {
    Recording recording;
    record_scopes(10);
    struct Count {
      uint32_t session = 0;
      uint32_t words = 0;
      uint64_t first_event = 1;
    } count;
    const RingReader::PartFunction function = [](void* self, const PagePart& part) {
      Count& counted = *static_cast<Count*>(self);
      if (part.header->track == flamelet::kFrameTrack) return;
      counted.session = part.header->session;
      counted.words += part.count - part.first;
      counted.first_event = part.header->first_event;
    };
    CHECK(reader.poll(function, &count));
    CHECK(count.words == 20);
    CHECK(count.first_event == 0);
    CHECK(count.session == reader.session());
    for (uint32_t other : sessions) CHECK(other != reader.session());
    sessions.push_back(reader.session());
  }
}

TEST_CASE_FIXTURE(Recording, "ring reader: a page that one reader holds is read by another, in order") {
  EventReader log;
  RingReader holder;
  struct Held {
    EventReader* log;
    bool wrapped = false;
  } held = {&log};
  record_scopes(10);
  log.read();
  record_scopes(10);
  // While the first reader is inside its callback for the thread's page, the writer goes on to other pages and a second
  // reader reads: the rest of the page that is held, and then those.
  holder.poll(
      [](void* self, const PagePart& part) {
        Held& it = *static_cast<Held*>(self);
        if (part.header->track == flamelet::kFrameTrack || it.wrapped) return;
        it.wrapped = true;
        record_scopes(1000);
        it.log->read();
      },
      &held);
  CHECK(held.wrapped);
  CHECK(log.total_read() == stats().events_recorded);
  CHECK(log.total_lost() == 0);
  CHECK(log.problem() == "");
}

TEST_CASE_FIXTURE(
    Recording,
    "ring reader: a page with as many readers as it can have stops the next one, and what follows waits for it") {
  EventReader log;
  record_scopes(600);  // more than a page
  flamelet::Atomic<uint64_t>* state = nullptr;
  for (uint32_t i = 0; i < flamelet::page_ring.page_count && state == nullptr; ++i)
    if (flamelet::page_ring.pages[i].header.track == flamelet_thread_id()) state = &flamelet::Ring::state(i);
  REQUIRE(state != nullptr);
  const uint64_t ticket = state->load_relaxed() >> flamelet::Protocol::kTicketShift;
  for (int pins = 0; pins < 255; ++pins)
    REQUIRE(flamelet::Protocol::pin(*state, ticket) == flamelet::Protocol::Pin::kPinned);
  CHECK(flamelet::Protocol::pin(*state, ticket) == flamelet::Protocol::Pin::kBusy);
  log.read();
  CHECK(log.track(flamelet_thread_id()).read == 0);
  for (int pins = 0; pins < 255; ++pins) flamelet::Protocol::unpin(*state);
  CHECK(log.read_problem() == "");
  CHECK(log.total_read() == stats().events_recorded);
}

TEST_CASE("ring reader: a writer passes by the pages that readers hold, and loses nothing but the oldest") {
  Recording recording(small_config(8));
  EventReader reader;
  wrap(2);
  std::vector<flamelet::Atomic<uint64_t>*> pinned;
  for (uint32_t i = 0; i < flamelet::page_ring.page_count && pinned.size() < 8; i += 2) {
    flamelet::Atomic<uint64_t>& state = flamelet::Ring::state(i);
    const uint64_t ticket = state.load_relaxed() >> flamelet::Protocol::kTicketShift;
    if (ticket == 0 || (state.load_relaxed() & flamelet::Protocol::kOwned) != 0) continue;
    REQUIRE(flamelet::Protocol::pin(state, ticket) == flamelet::Protocol::Pin::kPinned);
    pinned.push_back(&state);
  }
  REQUIRE(pinned.size() == 8);
  wrap(5);
  CHECK(stats().dropped_no_page == 0);
  reader.read();
  for (flamelet::Atomic<uint64_t>* state : pinned) {
    CHECK((state->load_relaxed() & flamelet::Protocol::kPins) == 1);
    flamelet::Protocol::unpin(*state);
  }
  wrap(5);
  CHECK(reader.read_problem() == "");
  CHECK(reader.total_read() + reader.total_lost() == stats().events_recorded);
}

TEST_CASE_ON_EACH_CLOCK(
    "ring reader: without any page to take, events are dropped and counted until there is one again") {
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  log.read();
  const std::vector<flamelet::Atomic<uint64_t>*> pinned = pin_all_pages();
  constexpr uint32_t kScopes = 2000;
  record_scopes(kScopes);
  const uint64_t without_page = stats().dropped_no_page;
  log.read();
  CHECK(log.track(flamelet_thread_id()).read <= flamelet::kPageWords);
  CHECK(without_page > kScopes - flamelet::kPageWords);
  for (flamelet::Atomic<uint64_t>* state : pinned) flamelet::Protocol::unpin(*state);
  record_scopes(3);
  flamelet_end(outer);
  const std::string text = own_events(&log);
  CHECK(log.problem() == "");
  CHECK(text.rfind(" ... +work - +work - +work - -") == text.size() - 30);
  CHECK(log.total_lost() == without_page);
  CHECK(log.total_read() + log.total_lost() == stats().events_recorded);
  CHECK(stats().extra_ends + stats().missing_ends == 0);
}

TEST_CASE(
    "ring reader: without any page to take, nothing is written where the last one ended, whatever event found out") {
  // An event of two words fills the page, or has no room in it.
  for (uint32_t words : {flamelet::kPageWords - 2, flamelet::kPageWords - 1}) {
    CAPTURE(words);
    Recording recording(small_config(0));
    EventLog log;
    record_scopes(words / 2 - 1);
    {
      FLAMELET_BEGIN(scope, "last");
      if (words % 2 != 0) FLAMELET_NEXT(scope, "odd");
    }
    const flamelet::Page* page = flamelet::track_of(flamelet::current_head())->page;
    REQUIRE(flamelet::page_cursor_words(page) == words);
    const std::vector<flamelet::Atomic<uint64_t>*> pinned = pin_all_pages();
    FLAMELET_COUNTER("count", 1);
    const char* pages = reinterpret_cast<const char*>(flamelet::page_ring.pages);
    const std::string before(pages, sizeof(flamelet::Page) * flamelet::page_ring.page_count);
    record_scopes(100);
    CHECK(before == std::string(pages, before.size()));
    for (flamelet::Atomic<uint64_t>* state : pinned) flamelet::Protocol::unpin(*state);
    record_scopes(3);
    CHECK(log.read_problem() == "");
    CHECK(log.total_lost() == stats().dropped_no_page);
    CHECK(log.total_read() + log.total_lost() == stats().events_recorded);
  }
}

TEST_CASE("ring reader: two readers on threads of their own both get everything") {
  Recording recording(small_config(400));
  std::atomic<bool> stop{false};
  EventReader readers[2];
  std::vector<std::thread> threads;
  for (EventReader& reader : readers)
    threads.emplace_back([&stop, &reader] {
      while (!stop) {
        reader.read();
        std::this_thread::yield();
      }
    });
  std::vector<std::thread> writers;
  for (int t = 0; t < 3; ++t) writers.emplace_back([] { record_scopes(5000); });
  for (std::thread& writer : writers) writer.join();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  for (EventReader& reader : readers) {
    CHECK(reader.read_problem() == "");
    CHECK(reader.total_lost() == 0);
    CHECK(reader.total_read() == stats().events_recorded);
  }
}

}  // namespace ring_reader_test

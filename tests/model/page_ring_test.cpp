// SPDX-License-Identifier: MIT
//
// Every execution of a few small scenes: the protocol as it ships keeps its promises in all of them, and each mutant
// breaks one: an order that is relaxed, a check or a step that is left out, two steps that are swapped.
#include <doctest/doctest.h>

#include "explorer.h"
#include "page_mutants.h"

namespace model {

Scene scene;
Slip slip = Slip::kNone;
Site weakened = Site::kNone;
Site ModelWord::site = Site::kNone;
Shipped::Told Shipped::told = {};
ModelWord ModelRing::words[kMaxLocations] = {{0}, {1}, {2},  {3},  {4},  {5},  {6},  {7},
                                             {8}, {9}, {10}, {11}, {12}, {13}, {14}, {15}};

}  // namespace model

using namespace model;

namespace {

// A second reader, as flamelet_pin_page() and flamelet_decode_page() look at a page that they know by its place.
template <class Protocol>
void pin_page() {
  Machine& machine = Machine::running();
  Shipped::told = {};
  const uint64_t ticket = Protocol::ticket_of(ModelRing::state(0));
  if (ticket == 0 || Protocol::pin(ModelRing::state(0), ticket) != Protocol::Pin::kPinned) return;
  uint32_t words = 0;
  const auto cursor_in = [&] { return cursor_words(machine.read_plain(header_of(0)) >> 16, 0); };
  if (Protocol::count(ModelRing::commit(0), ticket, cursor_in, &words) != Protocol::Count::kNotOpen) {
    const uint64_t header = machine.read_plain(header_of(0));
    for (uint32_t word = 0; word < words; ++word)
      machine.check(machine.read_plain(word_of(0, word)) == word_value(header >> 16, (header & 0xFFFF) + word),
                    "a word that was not written for this place");
  }
  Protocol::unpin(ModelRing::state(0));
}

template <class Protocol>
void read_ring() {
  Reader<Protocol> reader;
  for (uint32_t i = 0; i < scene.passes; ++i) reader.pass();
  const int writers = scene.takes[1] == 0 ? 1 : 2;
  for (int writer = 0; writer < writers; ++writer) Machine::running().join(writer);
  reader.pass();
  reader.pass();  // a ticket that the first one left open is closed now
  reader.check_complete();
}

Machine prepare() {
  Machine machine;
  machine.set_initial(ModelRing::next_ticket().location, scene.pages);
  if (scene.used_before) {
    // The first ticket's page, with one word of track 1's.
    const uint64_t ticket = scene.pages;
    machine.set_initial(ModelRing::next_ticket().location, ticket + 1);
    machine.set_initial(ModelRing::state(0).location, ticket << Shipped::kTicketShift);
    machine.set_initial(ModelRing::commit(0).location, ticket << Shipped::kCountShift | 2);
    machine.set_initial(ModelRing::outcome(0).location, ticket << 1 | 1);
    machine.set_plain(header_of(0), 1 << 16);
    machine.set_plain(word_of(0, 0), word_value(1, 0));
    machine.set_plain(closing_of(0), ticket);
  }
  return machine;
}

template <class Protocol, class WriterSteps = Steps<Protocol>>
Exploration explore_scene(const Scene& of) {
  scene = of;
  Machine machine = prepare();
  machine.add_thread(write_pages<WriterSteps, 0>);
  if (scene.takes[1] != 0) machine.add_thread(write_pages<WriterSteps, 1>);
  if (scene.reader) machine.add_thread(read_ring<Protocol>);
  for (int i = 0; i < scene.pinners; ++i) machine.add_thread(pin_page<Protocol>);
  return explore(machine);
}

// A scene and how many states there are to it at the least, so that an exploration that went wrong is no proof.
struct Run {
  std::string name;
  Scene scene;
  uint64_t least_states;
};
Scene scene_of(uint32_t pages, uint32_t takes_0, uint32_t takes_1, uint32_t words, uint32_t passes, int pinners = 0) {
  Scene made;
  made.pages = pages;
  made.takes[0] = takes_0;
  made.takes[1] = takes_1;
  made.words = words;
  made.passes = passes;
  made.pinners = pinners;
  return made;
}
Scene with_stay(Scene made) {
  made.stays = true;
  return made;
}
Scene with_enough_pages(Scene made) {
  made.reader = false;
  made.must_take = true;
  return made;
}
Scene with_two_pinners() {
  Scene made = scene_of(1, 1, 0, 1, 0, 2);
  made.used_before = true;
  made.reader = false;
  return made;
}

const Run kRuns[] = {
    {"one page, used again and again", scene_of(1, 3, 0, 2, 1), 3000},
    {"two writers and one page", scene_of(1, 1, 1, 1, 1), 55000},
    {"two more readers pin the page", with_two_pinners(), 16000},
    {"a writer goes round two pages", scene_of(2, 3, 0, 2, 1), 3000},
    {"two writers and two pages", scene_of(2, 1, 1, 1, 1), 9500},
    {"three takes of two pages before the reader comes", scene_of(2, 2, 1, 1, 0), 11000},
    {"the writer is a lap ahead", scene_of(2, 4, 0, 1, 1), 16500},
    {"a reader and one who pins, beside two writers", scene_of(1, 1, 1, 1, 0, 1), 64000},
    {"the writer stays in its page", with_stay(scene_of(2, 2, 0, 2, 1)), 290},
    {"pages enough for the writer and one who pins", with_enough_pages(scene_of(2, 3, 0, 1, 0, 1)), 850},
};

template <class Protocol, class WriterSteps = Steps<Protocol>>
std::string first_violation() {
  for (const Run& run : kRuns) {
    const Exploration exploration = explore_scene<Protocol, WriterSteps>(run.scene);
    REQUIRE_FALSE(exploration.too_large);
    if (!exploration.violation.empty()) return run.name + ": " + exploration.violation;
  }
  return {};
}

std::string violation_without_order(Site site) {
  weakened = site;
  const std::string violation = first_violation<Shipped>();
  weakened = Site::kNone;
  return violation;
}
std::string violation_with_slip(Slip kind) {
  slip = kind;
  const std::string violation = first_violation<Shipped>();
  slip = Slip::kNone;
  return violation;
}

}  // namespace

TEST_CASE("page ring: every execution keeps the promises") {
  for (const Run& run : kRuns) {
    const Exploration exploration = explore_scene<Shipped>(run.scene);
    INFO(run.name << ": " << exploration.violation);
    CHECK(exploration.violation.empty());
    CHECK_FALSE(exploration.deadlock);
    CHECK_FALSE(exploration.too_large);
    CHECK(exploration.states >= run.least_states);
    MESSAGE(run.name << ": " << exploration.states << " states, " << exploration.executions << " ends");
  }
}

// ---- An order is relaxed -----------------------------------------------------------------------------------------------

#define BREAKS_WITHOUT_ORDER(site, what)                               \
  TEST_CASE("page ring: breaks if " what) {                            \
    const std::string violation = violation_without_order(Site::site); \
    MESSAGE(violation.substr(0, violation.find('\n')));                \
    CHECK_FALSE(violation.empty());                                    \
  }

BREAKS_WITHOUT_ORDER(kTakeTicket, "taking a ticket does not release")
BREAKS_WITHOUT_ORDER(kOwn, "owning does not acquire")
BREAKS_WITHOUT_ORDER(kOpen, "opening does not release")
BREAKS_WITHOUT_ORDER(kLog, "logging does not release")
BREAKS_WITHOUT_ORDER(kCursorStore, "moving the cursor does not release")
BREAKS_WITHOUT_ORDER(kClose, "closing does not release")
BREAKS_WITHOUT_ORDER(kDisown, "disowning does not release")
BREAKS_WITHOUT_ORDER(kLookUp, "looking a ticket up does not acquire")
BREAKS_WITHOUT_ORDER(kPin, "pinning does not acquire")
BREAKS_WITHOUT_ORDER(kCount, "the first load of the count does not acquire")
BREAKS_WITHOUT_ORDER(kCursorLoad, "loading the cursor does not acquire")
BREAKS_WITHOUT_ORDER(kCountAgain, "the second load of the count does not acquire")
BREAKS_WITHOUT_ORDER(kUnpin, "unpinning does not release")
BREAKS_WITHOUT_ORDER(kHead, "loading the head does not acquire")

// ---- A check or a step is left out, or two are swapped -----------------------------------------------------------------

#define BREAKS(what, ...)                                         \
  TEST_CASE("page ring: breaks if " what) {                       \
    const std::string violation = first_violation<__VA_ARGS__>(); \
    MESSAGE(violation.substr(0, violation.find('\n')));           \
    CHECK_FALSE(violation.empty());                               \
  }
#define BREAKS_WITH_SLIP(kind, what)                               \
  TEST_CASE("page ring: breaks if " what) {                        \
    const std::string violation = violation_with_slip(Slip::kind); \
    MESSAGE(violation.substr(0, violation.find('\n')));            \
    CHECK_FALSE(violation.empty());                                \
  }

BREAKS("a pinned page is owned", OwnsPinned)
BREAKS("an owned page is owned", OwnsOwned)
BREAKS("a page is owned for an older ticket", OwnsNewer)
BREAKS("a page is owned without a compare-exchange", OwnsWithoutCas)
BREAKS("no page is disowned", NeverDisowns)
BREAKS("no page is opened", NeverOpens)
BREAKS("no page is closed", NeverCloses)
BREAKS("a page is closed with a word too many", ClosesTooLong)
BREAKS("no ticket is logged", NeverLogs)
BREAKS("skipped tickets are not logged", NeverLogsSkips)
BREAKS("an older ticket is logged over a newer one", LogsDownwards)
BREAKS("readers do not pin", ReadsUnpinned)
BREAKS("readers unpin before they read", UnpinsAtOnce)
BREAKS("readers never unpin", NeverUnpins)
BREAKS("a page is pinned for another ticket", PinsOtherTickets)
BREAKS("a reader unpins for all of them", UnpinsEverybody)
BREAKS("the count is taken for another ticket's", CountsOtherTickets)
BREAKS("the count is not loaded again", CountsOnce)
BREAKS("a ticket that is not logged is taken for skipped", TakesPendingForSkipped)
BREAKS("a ticket that was logged over is taken for skipped", TakesOverwrittenForSkipped)
BREAKS("a page is disowned before it is closed", Shipped, DisownsBeforeClose)
BREAKS("a page is opened before its header is whole", Shipped, OpensBeforeHeader)
BREAKS("a page is written before it is owned", Shipped, WritesBeforeOwning)
BREAKS("a ticket is logged before its page is owned", Shipped, LogsBeforeOwning)
BREAKS_WITH_SLIP(kCursorAfterOpen, "the cursor moves after the opening")
BREAKS_WITH_SLIP(kCursorBeforeWord, "the cursor moves before the word is written")
BREAKS_WITH_SLIP(kClosingFieldsAfterClose, "the closing fields are written after the closing")
BREAKS_WITH_SLIP(kCloseAfterTake, "a page is closed after the next one is taken")

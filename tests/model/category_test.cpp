// SPDX-License-Identifier: MIT
//
// What is between a switch of a category and those who record meanwhile, explored: categories.cpp, settle() in track.cpp,
// register_site() and open_place() in names.cpp, written again for the machine. Weakened or shortened, each breaks.
#include <doctest/doctest.h>

#include "explorer.h"

using namespace model;

namespace {

Machine& m() {
  return Machine::running();
}

enum : int { kOn, kNumber, kGate, kCode };  // kOn: of the category
enum : uint64_t { kShut = 0 };              // of kGate; else the number of the sites that it lets through
enum : uint64_t { kBusy = 0, kPlaceIsOff = 1, kPlaceIsOn = 2 };

struct Protocol {
  Order order = Order::kSeqCst;
  bool looks_again = true;
  bool asks_number_first = true;
  bool walks = true;
};
Protocol protocol;

Exploration run(const Protocol& which, Machine::Body switcher, Machine::Body recorder) {
  protocol = which;
  Machine machine;
  machine.set_initial(kOn, 1);
  machine.set_initial(kNumber, 1);
  machine.set_initial(kGate, 1);
  machine.add_thread(switcher);
  machine.add_thread(recorder);
  return model::explore(machine);
}
bool holds(const Exploration& exploration) {
  CHECK_FALSE(exploration.too_large);
  CHECK_FALSE(exploration.deadlock);
  return exploration.violation.empty();
}

Order load_order() {
  return protocol.order == Order::kRelease ? Order::kAcquire : protocol.order;
}

// ---- The gate of a track ------------------------------------------------------------------------------------------

void switch_gate() {
  for (uint64_t number = 2; number <= 3; ++number) {
    m().store(kNumber, number, protocol.order);
    if (protocol.walks) m().store(kGate, kShut, protocol.order);
  }
  m().join(1);
  m().check(m().newest(kGate) == kShut || m().newest(kGate) == m().newest(kNumber), "an old number passes the gate");
}
void settle() {
  for (;;) {
    const uint64_t number = m().load(kNumber, load_order());
    m().store(kGate, number, protocol.order);
    if (!protocol.looks_again || m().load(kNumber, load_order()) == number) return;
  }
}

// ---- A site's word ------------------------------------------------------------------------------------------------

void switch_off() {
  m().store(kOn, 0, protocol.order);
  m().store(kNumber, 2, protocol.order);
}
void register_site() {
  uint64_t number = 0, on = 0;
  if (protocol.asks_number_first) number = m().load(kNumber, load_order());
  on = m().load(kOn, load_order());
  if (!protocol.asks_number_first) number = m().load(kNumber, load_order());
  m().check(number == 1 || on == 0, "a site of the new number is on");
}

// ---- A place of a name by call ------------------------------------------------------------------------------------

void open_place() {
  uint64_t on = 0;
  do {
    on = m().load(kOn, load_order());
    m().store(kCode, on != 0 ? kPlaceIsOn : kPlaceIsOff, protocol.order);
  } while (protocol.looks_again && m().load(kOn, load_order()) != on);
}
void switch_places() {
  for (uint64_t on = 0; on <= 1; ++on) {
    m().store(kOn, on, protocol.order);
    if (protocol.walks && m().load(kCode, load_order()) != kBusy) open_place();
  }
  m().join(1);
  m().check(m().newest(kCode) == kPlaceIsOn, "a place says what the category was before");
}
void switch_places_off() {
  m().store(kOn, 0, protocol.order);
  if (protocol.walks && m().load(kCode, load_order()) != kBusy) open_place();
  m().join(1);
  m().check(m().newest(kCode) == kPlaceIsOff, "a place says what the category was before");
}

Protocol with_order(Order order) {
  Protocol weaker;
  weaker.order = order;
  return weaker;
}
Protocol without_second_look() {
  Protocol shorter;
  shorter.looks_again = false;
  return shorter;
}
Protocol without_walk() {
  Protocol shorter;
  shorter.walks = false;
  return shorter;
}

}  // namespace

TEST_CASE("category model: no track keeps a gate for sites that registered before the newest switch") {
  CHECK(holds(run({}, switch_gate, settle)));
  CHECK_FALSE(holds(run(with_order(Order::kRelease), switch_gate, settle)));
  CHECK_FALSE(holds(run(without_second_look(), switch_gate, settle)));
  CHECK_FALSE(holds(run(without_walk(), switch_gate, settle)));
}

TEST_CASE("category model: a site that registers with the new number finds what the switch said") {
  CHECK(holds(run({}, switch_off, register_site)));
  CHECK(holds(run(with_order(Order::kRelease), switch_off, register_site)));
  CHECK_FALSE(holds(run(with_order(Order::kRelaxed), switch_off, register_site)));
  Protocol swapped;
  swapped.asks_number_first = false;
  CHECK_FALSE(holds(run(swapped, switch_off, register_site)));
}

TEST_CASE("category model: a place that is made during a switch ends up with what that says") {
  for (const Machine::Body switcher : {switch_places, switch_places_off}) {
    CHECK(holds(run({}, switcher, open_place)));
    CHECK_FALSE(holds(run(with_order(Order::kRelease), switcher, open_place)));
    CHECK_FALSE(holds(run(without_second_look(), switcher, open_place)));
  }
  CHECK_FALSE(holds(run(without_walk(), switch_places_off, open_place)));
}

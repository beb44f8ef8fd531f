// SPDX-License-Identifier: MIT
//
// The machine allows what C++ allows and nothing else: the well-known small programs.
#include <doctest/doctest.h>

#include "explorer.h"

using namespace model;

namespace {

Machine& m() {
  return Machine::running();
}

enum : int { kX, kY };

template <class First, class Second>
Exploration run(First first, Second second) {
  Machine machine;
  machine.add_thread(first);
  machine.add_thread(second);
  return model::explore(machine);
}

// Both threads store to one location and load the other. Violates where both loads see 0.
template <Order kStore, Order kLoad>
Exploration store_buffering() {
  return run(
      [] {
        m().store(kX, 1, kStore);
        m().set_ghost(0, 1 + m().load(kY, kLoad));
        m().check(m().ghost(0) != 1 || m().ghost(1) != 1, "both saw nothing");
      },
      [] {
        m().store(kY, 1, kStore);
        m().set_ghost(1, 1 + m().load(kX, kLoad));
        m().check(m().ghost(0) != 1 || m().ghost(1) != 1, "both saw nothing");
      });
}

template <Order kStore, Order kLoad>
Exploration message_passing() {
  return run(
      [] {
        m().write_plain(0, 7);
        m().store(kX, 1, kStore);
      },
      [] {
        if (m().load(kX, kLoad) == 1) m().check(m().read_plain(0) == 7, "a stale value");
      });
}

// Two threads store to two locations, each in the other's order. Violates where both first stores end up last.
template <Order kOrder>
Exploration two_stores_each() {
  return run(
      [] {
        m().store(kX, 1, kOrder);
        m().store(kY, 2, kOrder);
      },
      [] {
        m().store(kY, 1, kOrder);
        m().store(kX, 2, kOrder);
        m().join(0);
        m().check(m().newest(kX) != 1 || m().newest(kY) != 1, "each location kept its first store");
      });
}

}  // namespace

TEST_CASE("machine: message passing needs a release and an acquire") {
  CHECK(message_passing<Order::kRelease, Order::kAcquire>().violation.empty());
  CHECK_FALSE(message_passing<Order::kRelaxed, Order::kAcquire>().violation.empty());
  CHECK_FALSE(message_passing<Order::kRelease, Order::kRelaxed>().violation.empty());
}

TEST_CASE("machine: a store may be seen after a later load, unless both are sequentially consistent") {
  CHECK_FALSE(store_buffering<Order::kRelease, Order::kAcquire>().violation.empty());
  CHECK(store_buffering<Order::kSeqCst, Order::kSeqCst>().violation.empty());
}

TEST_CASE("machine: a barrier in the other thread orders its store and load, too") {
  const auto with = [](bool barrier) {
    static bool use_barrier;
    use_barrier = barrier;
    return run(
        [] {
          m().store(kX, 1, Order::kRelaxed);
          m().set_ghost(0, 1 + m().load(kY, Order::kRelaxed));
          m().check(m().ghost(0) != 1 || m().ghost(1) != 1, "both saw nothing");
        },
        [] {
          m().store(kY, 1, Order::kRelaxed);
          if (use_barrier) m().barrier_in(0);
          m().set_ghost(1, 1 + m().load(kX, Order::kRelaxed));
          m().check(m().ghost(0) != 1 || m().ghost(1) != 1, "both saw nothing");
        });
  };
  CHECK(with(true).violation.empty());
  CHECK_FALSE(with(false).violation.empty());
}

TEST_CASE("machine: stores of two threads fall into any order that no thread can contradict") {
  CHECK_FALSE(two_stores_each<Order::kRelease>().violation.empty());
  CHECK(two_stores_each<Order::kSeqCst>().violation.empty());
}

TEST_CASE("machine: loads of one location do not go back in its order") {
  const Exploration exploration = run([] { m().store(kX, 1, Order::kRelaxed); },
                                      [] {
                                        const uint64_t first = m().load(kX, Order::kRelaxed);
                                        const uint64_t second = m().load(kX, Order::kRelaxed);
                                        m().check(first <= second, "went back");
                                      });
  CHECK(exploration.violation.empty());
  CHECK(exploration.executions == 3);  // 00, 01, 11
}

TEST_CASE("machine: read-modify-writes lose nothing and continue a release") {
  const Exploration exploration = run(
      [] {
        m().write_plain(0, 7);
        m().fetch_add(kX, 1, Order::kRelease);
      },
      [] {
        m().fetch_add(kX, 2, Order::kRelaxed);
        m().join(0);
        m().check(m().newest(kX) == 3, "an addition is lost");
      });
  CHECK(exploration.violation.empty());

  Machine chain;
  chain.add_thread([] {
    m().write_plain(0, 7);
    m().store(kX, 1, Order::kRelease);
  });
  chain.add_thread([] { m().fetch_add(kX, 1, Order::kRelaxed); });
  chain.add_thread([] {
    if (m().load(kX, Order::kAcquire) == 2) m().read_plain(0);
  });
  CHECK(model::explore(chain).violation.empty());
}

TEST_CASE("machine: a compare-exchange succeeds for one thread only") {
  const auto body = [] {
    if (m().compare_exchange(kX, 0, 1, Order::kAcquire)) {
      m().check(m().ghost(0) == 0, "both have it");
      m().set_ghost(0, 1);
    }
  };
  CHECK(run(body, body).violation.empty());
}

TEST_CASE("machine: independent threads are explored in one order") {
  const Exploration exploration = run(
      [] {
        for (int i = 0; i < 4; ++i) m().store(kX, 1, Order::kRelaxed);
      },
      [] {
        for (int i = 0; i < 4; ++i) m().store(kY, 1, Order::kRelaxed);
      });
  CHECK(exploration.states == 17);  // four by four in which there is a choice, and the end
  CHECK(exploration.executions == 1);
}

TEST_CASE("machine: a wait that nothing ends is found") {
  CHECK(run([] { m().await_not(kX, 0, Order::kAcquire); }, [] {}).deadlock);
  CHECK_FALSE(run([] { m().await_not(kX, 0, Order::kAcquire); }, [] { m().store(kX, 1, Order::kRelaxed); }).deadlock);
}

// SPDX-License-Identifier: MIT
//
// What a library on top of the recorder keeps for each thread moves with its fiber.
#include <doctest/doctest.h>

#include <cstring>
#include <thread>

#include "flamelet/detail/on_top.h"
#include "profiler/record/event_log.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

thread_local int value;
void* address_of_value() {
  return &value;
}
void* address_of_other() {
  static thread_local int other;
  return &other;
}

class Slot {
 public:
  explicit Slot(flamelet_fiber_local_ address, size_t bytes = sizeof(int), flamelet_fiber_local_copy_ copy = nullptr)
      : address_(address), taken_(flamelet_fiber_local_add_(address, bytes, copy)) {}
  ~Slot() {
    if (taken_) flamelet_fiber_local_remove_(address_);
  }
  bool taken() const { return taken_; }

 private:
  flamelet_fiber_local_ address_;
  bool taken_;
};

}  // namespace

TEST_CASE("fiber local: the value moves with its fiber to another thread, and the thread gets its own back") {
  const Slot slot(address_of_value);
  REQUIRE(slot.taken());
  Recording recording(with_fibers(4));
  const uint32_t fiber = flamelet_fiber_create("fiber");
  value = 1;
  flamelet_fiber_switch(0, fiber);
  CHECK(value == 0);  // a new fiber has nothing
  value = 2;
  flamelet_fiber_switch(fiber, 0);
  CHECK(value == 1);
  std::thread([fiber] {
    value = 3;
    flamelet_fiber_switch(0, fiber);
    CHECK(value == 2);
    flamelet_fiber_switch(fiber, 0);
    CHECK(value == 3);
  }).join();
}

TEST_CASE("fiber local: whoever has little in use copies no more than that") {
  // The first number says how many are in use behind it.
  static thread_local int values[8];
  const auto copy = [](void* to, const void* from) {
    const size_t used = 1 + static_cast<size_t>(*static_cast<const int*>(from));
    std::memcpy(to, from, used * sizeof(int));
  };
  const Slot slot([]() -> void* { return values; }, sizeof values, copy);
  REQUIRE(slot.taken());
  Recording recording(with_fibers(4));
  const uint32_t fiber = flamelet_fiber_create("fiber");
  const int home[] = {1, 11, 12, 13};
  std::memcpy(values, home, sizeof home);
  flamelet_fiber_switch(0, fiber);
  CHECK(values[0] == 0);
  CHECK(values[2] == 12);  // not in use: nobody has touched it
  const int own[] = {2, 21, 22, 23};
  std::memcpy(values, own, sizeof own);
  flamelet_fiber_switch(fiber, 0);
  CHECK(values[0] == 1);
  CHECK(values[1] == 11);
  CHECK(values[2] == 22);
  flamelet_fiber_switch(0, fiber);
  CHECK(values[0] == 2);
  CHECK(values[2] == 22);
  flamelet_fiber_switch(fiber, 0);
}

TEST_CASE("fiber local: a slot that was given back begins with nothing for the next one, in fibers that exist, too") {
  Recording recording(with_fibers(4));
  const uint32_t fiber = flamelet_fiber_create("fiber");
  {
    const Slot slot(address_of_value);
    REQUIRE(slot.taken());
    flamelet_fiber_switch(0, fiber);
    value = 2;
    flamelet_fiber_switch(fiber, 0);
  }
  value = 5;
  const Slot slot(address_of_value);
  REQUIRE(slot.taken());
  flamelet_fiber_switch(0, fiber);
  CHECK(value == 0);
  flamelet_fiber_switch(fiber, 0);
  CHECK(value == 5);
}

TEST_CASE("fiber local: no more slots than there are, and none for what is too large") {
  const Slot large(address_of_value, FLAMELET_FIBER_LOCAL_BYTES_ + 1), empty(address_of_value, 0);
  CHECK(!large.taken());
  CHECK(!empty.taken());
  const Slot first(address_of_value), second(address_of_other);
  CHECK(first.taken());
  CHECK(second.taken());
  const Slot third(address_of_value);
  CHECK(!third.taken());
}

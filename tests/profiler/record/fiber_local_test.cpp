// SPDX-License-Identifier: MIT
//
// What a library on top of the recorder keeps for each thread moves with its fiber.
#include <doctest/doctest.h>

#include <thread>

#include "flamelet/detail/fiber_local.h"
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
  explicit Slot(flamelet_fiber_local_ address, size_t bytes = sizeof(int))
      : address_(address), taken_(flamelet_fiber_local_add_(address, bytes)) {}
  ~Slot() {
    if (taken_) flamelet_fiber_local_remove_(address_);
  }
  bool taken() const { return taken_; }

 private:
  flamelet_fiber_local_ address_;
  bool taken_;
};

flamelet_config with_fibers() {
  flamelet_config config = small_config();
  config.max_fibers = 4;
  keep_pages(&config, 64);
  return config;
}

}  // namespace

TEST_CASE("fiber local: the value moves with its fiber to another thread, and the thread gets its own back") {
  const Slot slot(address_of_value);
  REQUIRE(slot.taken());
  Recording recording(with_fibers());
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

TEST_CASE("fiber local: a slot that was given back begins with nothing for the next one, in fibers that exist, too") {
  Recording recording(with_fibers());
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

// SPDX-License-Identifier: MIT
//
// What a scope costs, measured: the measurement itself must leave no trace.
#include <doctest/doctest.h>

#include "flamelet/scope.h"
#include "profiler/record/categories_guard.h"
#include "profiler/record/event_log.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE_FIXTURE(
    Recording,
    "scope cost: measuring a scope of any kind records nothing and leaves the thread and the tables as they were") {
  EventLog log;
  FLAMELET_SCOPE("outer");
  const bool measures = stats().clock == FLAMELET_CLOCK_TSC || stats().clock == FLAMELET_CLOCK_CNTVCT;
  const flamelet_stats before = stats();
  for (const bool enabled : {true, false}) {
    flamelet_set_enabled(enabled);
    for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind) {
      CAPTURE(kind);
      CHECK((flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind)) > 0) == measures);
    }
  }
  flamelet_set_enabled(true);
  CHECK(flamelet_measure_scope_ns(FLAMELET_SCOPE_KINDS) == 0);
  const flamelet_stats after = stats();
  CHECK(after.events_recorded == before.events_recorded);
  CHECK(after.dropped_no_page == before.dropped_no_page);
  CHECK(after.sites_used == before.sites_used);
  CHECK(after.strings_used == before.strings_used);
  CHECK(after.interned_on_the_spot == before.interned_on_the_spot);
  { FLAMELET_SCOPE("inner"); }
  CHECK(own_events(&log) == "+outer +inner -");
}

TEST_CASE_FIXTURE(
    CategoriesGuard,
    "scope cost: that of a scope by call is not known while its category is off, and not taken for what is recorded") {
  Recording recording;
  const bool measures = stats().clock == FLAMELET_CLOCK_TSC || stats().clock == FLAMELET_CLOCK_CNTVCT;
  for (const bool on : {false, true}) {
    flamelet_category_set_enabled(nullptr, on);
    for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind) {
      CAPTURE(kind);
      const bool is_known = measures && (on || kind < FLAMELET_SCOPE_KIND_BY_CALL);
      CHECK((flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind)) > 0) == is_known);
    }
  }
  CHECK(stats().missing_ends + stats().extra_ends == 0);
}

TEST_CASE("scope cost: with an injected clock a scope cannot be measured") {
  ManualClock clock;
  Recording recording(with_clock(small_config(), &clock));
  CHECK(flamelet_measure_scope_ns(FLAMELET_SCOPE_KIND_MACRO) == 0);
}

// SPDX-License-Identifier: MIT
//
// Recording switched on and off.
#include <doctest/doctest.h>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "record/track.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE("recorder: start_disabled records nothing until it is enabled") {
  for_each_clock([](flamelet_config config) {
    config.start_disabled = true;
    Recording recording(config);
    CHECK_FALSE(flamelet_enabled());
    CHECK_FALSE(stats().enabled);
    { FLAMELET_SCOPE("before"); }
    FLAMELET_INSTANT("before");
    CHECK(flamelet_begin("before", "", nullptr) == 0);
    CHECK(flamelet_thread_id() == 0);
    CHECK(stats().tracks_live == 0);
    flamelet_set_enabled(true);
    CHECK(flamelet_enabled());
    { FLAMELET_SCOPE("after"); }
    EventLog log;
    CHECK(own_events(&log) == "+after -");
    CHECK(dropped(stats()) == 0);
  });
}

TEST_CASE("recorder: a scope that is open at the switch ends the way it began") {
  on_each_clock([](EventLog& log) {
    const flamelet_id recorded = flamelet_begin("recorded", "", nullptr);
    {
      FLAMELET_SCOPE("recorded too");
      flamelet_set_enabled(false);
      FLAMELET_SCOPE("off");
      CHECK(flamelet_begin("off", "", nullptr) == 0);
      FLAMELET_INSTANT("off");
      FLAMELET_COUNTER("off", 1);
    }
    {
      FLAMELET_SCOPE("still off");
      flamelet_set_enabled(true);
      FLAMELET_SCOPE("on");
    }
    flamelet_end(recorded);
    CHECK(own_events(&log) == "+recorded +recorded too - +on - -");
    CHECK(stats().missing_ends == 0);
    CHECK(stats().extra_ends == 0);
  });
}

TEST_CASE("recorder: while disabled, next ends what was recorded and begins nothing") {
  on_each_clock([](EventLog& log) {
    FLAMELET_BEGIN(scope, "first");
    flamelet_set_enabled(false);
    FLAMELET_NEXT(scope, "second");
    CHECK(scope.id() == 0);
    FLAMELET_NEXT(scope, "third");
    flamelet_set_enabled(true);
    FLAMELET_NEXT(scope, "fourth");
    CHECK(scope.id() != 0);
    scope.end();
    CHECK(own_events(&log) == "+first - +fourth -");
  });
}

TEST_CASE("recorder: setting the flag to what it is changes nothing") {
  Recording recording;
  EventLog log;
  flamelet_frame();
  flamelet_set_enabled(true);
  flamelet_frame();
  log.read();
  CHECK(log.text(flamelet::kFrameTrack) == "#0 #1* #2");
}

TEST_CASE("recorder: a frame in which the flag changed is partial") {
  Recording recording;
  EventLog log;
  flamelet_frame();
  flamelet_set_enabled(false);
  flamelet_frame();
  flamelet_set_enabled(true);
  flamelet_frame();
  flamelet_frame();
  log.read();
  CHECK(log.text(flamelet::kFrameTrack) == "#0 #1* #2* #3* #4");
}

// ---- Limits ------------------------------------------------------------------------------------------------------

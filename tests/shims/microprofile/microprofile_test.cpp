// SPDX-License-Identifier: MIT
#include <microprofile.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "shim_recording.h"

using namespace shim_test;

MICROPROFILE_DEFINE(timer, "the group", "the timer", MP_TOMATO);

TEST_CASE_FIXTURE(Shim, "microprofile: a timer has its group as its category, and its colour") {
  { MICROPROFILE_SCOPE(timer); }
  { MICROPROFILE_SCOPEI("another", "inline", MP_STEELBLUE4); }
  const std::vector<flamelet_span> spans = capture().spans(capture().lane("main"));
  CHECK(tree() == "the timer inline");
  CHECK(text_of(site(spans[0].site).category) == "the group");
  CHECK(site(spans[0].site).color == 0xff6347);
  CHECK(text_of(site(spans[1].site).category) == "another");
  CHECK(site(spans[1].site).color == 0x36648b);
}

TEST_CASE_FIXTURE(Shim, "microprofile: a leave without an enter, and one on another thread, end nothing") {
  MICROPROFILE_LEAVE();
  {
    MICROPROFILE_SCOPEI("g", "outer", MP_AUTO);
    std::thread([] { MICROPROFILE_LEAVE(); }).join();
    const MicroProfileToken none = 0;  // of a timer that is not initialized yet
    MICROPROFILE_SCOPE_TOKEN(none);
    MICROPROFILE_ENTER_TOKEN(none);
    MICROPROFILE_LEAVE();
  }
  CHECK(tree() == "outer((no token))");
  CHECK(stats().extra_ends == 2);
}

TEST_CASE("microprofile: a pair that is opened on a fiber ends there, on whichever thread the fiber runs by then") {
  check_pairs_of_fibers([] { MICROPROFILE_ENTERI("group", "kept", 0); },
                        [] { MICROPROFILE_ENTERI("group", "home", 0); }, [] { MICROPROFILE_LEAVE(); });
}

TEST_CASE_FIXTURE(Shim, "microprofile: all pairs of a fiber move with it, also those that were not recorded") {
  const uint32_t fiber = flamelet_fiber_create("fiber");
  const auto enter_unrecorded = [] {
    MicroProfileSetEnableAllGroups(false);
    MICROPROFILE_ENTERI("group", "off", 0);
    MicroProfileSetEnableAllGroups(true);
  };
  flamelet_fiber_switch(0, fiber);
  for (int i = 0; i < 20; ++i) MICROPROFILE_ENTERI("group", "kept", 0);
  enter_unrecorded();
  flamelet_fiber_switch(fiber, 0);
  MICROPROFILE_ENTERI("group", "home", 0);
  std::thread([fiber, enter_unrecorded] {
    enter_unrecorded();  // of the thread
    flamelet_fiber_switch(0, fiber);
    MICROPROFILE_LEAVE();  // that of "off"
    for (int i = 0; i < 19; ++i) MICROPROFILE_LEAVE();
    { MICROPROFILE_SCOPEI("group", "inside the first", 0); }
    MICROPROFILE_LEAVE();
    flamelet_fiber_switch(fiber, 0);
    MICROPROFILE_LEAVE();  // the thread's own
  }).join();
  MICROPROFILE_LEAVE();
  std::string nested = "kept";
  for (int i = 0; i < 18; ++i) nested = "kept(" + nested + ")";
  CHECK(tree("fiber") == "kept(" + nested + " inside the first)");
  CHECK(unmatched_ends() == 0);
}

TEST_CASE_FIXTURE(Shim, "microprofile: an enter while recording is off takes its leave with it") {
  MICROPROFILE_SCOPEI("g", "outer", MP_AUTO);
  MicroProfileSetEnableAllGroups(false);
  MICROPROFILE_ENTER(timer);
  MicroProfileSetEnableAllGroups(true);
  MICROPROFILE_LEAVE();
  { MICROPROFILE_SCOPEI("g", "inner", MP_AUTO); }
  CHECK(tree() == "outer(inner)");
}

TEST_CASE_FIXTURE(Shim, "microprofile: counters add up over threads") {
  on_threads(4, [](uint32_t) {
    for (int i = 0; i < 1000; ++i) MICROPROFILE_COUNTER_ADD("sum", 3);
  });
  MICROPROFILE_COUNTER_SUB("sum", 1);
  CHECK(MicroProfileCounterGet(MicroProfileGetCounterToken("sum", 0)) == 11999);
  CHECK(values("sum") == std::vector<double>{11999});
  CHECK(MicroProfileCounterGet(MICROPROFILE_INVALID_TOKEN) == 0);
  MicroProfileCounterAdd(0, 5);
}

TEST_CASE_FIXTURE(
    Shim, "microprofile: a text of 100 KB, a number that is none, names with %s in them: nothing else is lost") {
  const std::string text(100'000, 'x'), name = "%s %n";
  {
    MICROPROFILE_SCOPE_CSTR(name.c_str());
    MICROPROFILE_COUNTER_SET_DOUBLE("not a number", std::nan(""));
    MICROPROFILE_TIMELINE_TOKEN(token);
    MICROPROFILE_TIMELINE_ENTERF(token, MP_RED, "%s", text.c_str());
    MICROPROFILE_TIMELINE_LEAVE(token);
    MICROPROFILE_TIMELINE_LEAVE(token);
    MICROPROFILE_TIMELINE_LEAVE_STATIC("never entered");
  }
  CHECK(tree() == "%s %n");
  REQUIRE(values("not a number").size() == 1);
  CHECK(std::isnan(values("not a number")[0]));
  CHECK(intervals(text.substr(0, 65535)).size() == 1);
  CHECK(noted("TracySectionLeave, MICROPROFILE_TIMELINE_LEAVE of what is not open") == 1);
  CHECK(noted("FrameMarkEnd, MICROPROFILE_TIMELINE_LEAVE_STATIC without a start") == 1);
}

TEST_CASE_FIXTURE(Shim, "microprofile: flips of two threads at one time are marked or counted") {
  on_threads(2, [](uint32_t) {
    for (int i = 0; i < 500; ++i) MicroProfileFlip(nullptr);
  });
  CHECK(stats().frames + stats().dropped_frame == 1000);
  CHECK(capture().stats().bad_words == 0);
}

TEST_CASE_FIXTURE(Shim, "microprofile: values behind pointers are read at each flip") {
  int64_t wide = int64_t{1} << 40;
  int32_t narrow = -7;
  MICROPROFILE_COUNTER_SET_INT64_PTR("wide", &wide);
  MICROPROFILE_COUNTER_SET_INT32_PTR("narrow", &narrow);
  MicroProfileFlip(nullptr);
  wide = 5;
  MICROPROFILE_COUNTER_CLEAR_PTR("narrow");
  MicroProfileFlip(nullptr);
  MICROPROFILE_COUNTER_CLEAR_PTR("wide");
  MicroProfileCounterSetPtr("short", &wide, 2);  // of a size that no macro has
  MicroProfileFlip(nullptr);
  CHECK(values("wide") == std::vector<double>{1099511627776.0, 5});
  CHECK(values("narrow") == std::vector<double>{-7});
  CHECK(values("short").empty());
  MicroProfileCounterSetPtr("short", nullptr, 0);
  CHECK(stats().frames == 3);
}

// The last case of the file: counters live as long as the process, so from here on its table is full.
TEST_CASE_FIXTURE(Shim, "microprofile: more counters than there is room for share one, and are counted") {
  const uint64_t before = noted("requests for microprofile's counters beyond 511");
  const auto set = [](int i) {
    MicroProfileCounterSet(MicroProfileGetCounterToken(("c" + std::to_string(i)).c_str(), 0), i);
  };
  for (int i = 0; i < 600; ++i) set(i);
  const size_t shared = values("(overflow)").size();
  CHECK(shared >= 600 - 511);
  CHECK(noted("requests for microprofile's counters beyond 511") == before + shared);
  CHECK(values("(overflow)").back() == 599);
  CHECK(values("c3") == std::vector<double>{3});
  set(3);
  CHECK(values("c3") == std::vector<double>{3, 3});
  CHECK(values("(overflow)").size() == shared);
}
